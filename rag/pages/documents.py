"""The documents page: one's own to add and to remove; for whoever administers, what everybody's answers rest on too."""

from __future__ import annotations

import logging
import re
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Final

import streamlit as st
from streamlit.typing import UploadedFile

from languages import Language, codes
from memory.errors import ReferentMemoryError
from rag.disk import no_room
from rag.errors import ReferentError
from rag.pages.acting import attempt, draw_failure
from rag.pages.application import Application, Library, Opener
from rag.pages.marks import plain
from rag.pages.message import say
from rag.pages.session import administers, interface, is_shared, person
from rag.pages.uploader import localise_uploader
from rag.pages.uploads import draw_outcome, find_lost, uploads
from rag.safety import without_controls
from rag.shelf.owners import DEMO, Owner
from rag.shelf.records import Record
from rag.shelf.shelf import Outcome
from rag.shelf.writing import Progress

_UNSAFE: Final = re.compile(r"[\x00-\x1f\x7f/\\:*?\"<>|]+")
_LONGEST_NAME: Final = 100  # characters; in any script they stay below the 255 bytes that file systems take
_REMOVED: Final = "removed-shared"  # the session's key of the shared document that is to go
_WATCHED_S: Final = 2.0  # how often it is looked whether a file of another session is read

_log = logging.getLogger(__name__)


def documents(opener: Opener) -> None:
    """Draw the documents page."""
    texts = interface()
    st.title(texts.text("documents.title"), anchor=False)
    by_those_signed_in = "documents.seen_by_everyone" if administers() else "documents.seen_by_you"
    seen = texts.text("documents.seen_by_all" if is_shared() else by_those_signed_in)
    st.markdown(f"{texts.text('documents.intro')} {seen}")
    draw_failure(texts)
    try:
        application = opener()
        _draw_upload(texts, application)
        _draw_own(texts, application.library)
        if administers():
            _draw_shared(texts, application)
    except (ReferentError, ReferentMemoryError) as error:
        _log.warning("%s: %s", type(error).__name__, error)
        st.error(say(texts, error.key, error.values), icon=":material/error:")


def safe_name(name: str) -> str:
    r"""Return a file's name without what could lead out of a folder or could not be written; its ending stays.

    >>> safe_name("../../etc/passwd")
    'etc passwd'
    >>> safe_name("a\0b.md")
    'a b.md'
    """
    cleaned = without_controls(_UNSAFE.sub(" ", name)).strip(" .")
    stem, dot, ending = cleaned.rpartition(".")
    if not dot or len(ending) > 8:
        return cleaned[:_LONGEST_NAME].strip() or "document"
    return f"{stem[:_LONGEST_NAME].strip() or 'document'}.{ending}"


def _draw_upload(texts: Language, application: Application) -> None:
    """Take files in as soon as they are chosen: progress while they are read, one line a file afterwards."""
    owner = _draw_target(texts, application)
    localise_uploader(texts, texts.text("documents.upload_hint"), application.settings.max_file_mb)
    own = uploads()
    label, key = texts.text("documents.upload"), f"files-{own.number}"
    files = st.file_uploader(label, accept_multiple_files=True, key=key)
    if files:
        with own.lock:
            _ingest(texts, application, files, own.outcomes, owner=owner)
        own.number += 1
        own.lost.clear()
        st.rerun()
    with st.container(key="outcomes", gap="xxsmall"):
        for outcome in (*own.outcomes.values(), *find_lost(application)):
            draw_outcome(texts, outcome)
    if application.uploads.under_way(person()):
        _watch(texts, application)


@st.fragment(run_every=_WATCHED_S)
def _watch(texts: Language, application: Application) -> None:
    """Draw what another session of the person has under way, which may be this page before it was reloaded."""
    found = application.uploads.under_way(person())
    for upload in found:
        st.caption(texts.text("documents.uploading", {"name": f"\u2068{plain(upload.name)}\u2069"}))
    if not found:
        st.rerun()


def shared_shelf(application: Application) -> Owner | None:
    """Return the shared shelf that is added to on the page: the first that is searched and is not the demonstration's.

    None where there is none, or whoever is here may not: those who sign in and administer may, as what everybody who
    opens the page of one machine sees is their own.
    """
    if is_shared() or not administers():
        return None
    return next((Owner("shelf", shelf) for shelf in application.settings.shelves if shelf != DEMO), None)


def _draw_target(texts: Language, application: Application) -> Owner:
    """Draw the choice of where files go, for whoever has one; return it."""
    own, shared = Owner("person", person()), shared_shelf(application)
    if shared is None:
        return own
    said = {shared: texts.text("documents.shared"), own: texts.text("documents.own")}
    return st.radio(texts.text("documents.add_to"), (shared, own), format_func=said.__getitem__, horizontal=True)


def _ingest(
    texts: Language,
    application: Application,
    files: Sequence[UploadedFile],
    outcomes: dict[str, Outcome],
    *,
    owner: Owner,
) -> None:
    """Leave in *outcomes* what becomes of each file; what a run that was cut short has put there is not read again.

    Which files are being read is kept, so that it can be said of those that this run does not come to.
    """
    for old in set(outcomes) - {file.file_id for file in files}:
        del outcomes[old]
    pending, whose = application.uploads, person()
    due = {file.file_id: safe_name(file.name) for file in files if file.file_id not in outcomes}
    pending.begin(whose, due)
    try:
        _read(texts, application, files, outcomes, owner=owner)
    finally:
        left = due.keys() - outcomes.keys()
        with suppress(ReferentMemoryError):  # why the run ends is said instead
            if left:
                pending.leave(whose, left)


def _read(
    texts: Language,
    application: Application,
    files: Sequence[UploadedFile],
    outcomes: dict[str, Outcome],
    *,
    owner: Owner,
) -> None:
    """Read the files without an outcome; the bar moves with the bytes of the file that is being read."""
    bar = st.progress(0.0)
    with tempfile.TemporaryDirectory(prefix="referent-") as folder:
        for place, file in enumerate(files):
            name = safe_name(file.name)
            said = texts.text("documents.uploading", {"name": f"\u2068{plain(name)}\u2069"})

            def _report(share: float, place: int = place, said: str = said) -> None:
                if share < 1.0:  # drawing may cut this run short: not between a file that is in and its outcome
                    bar.progress(min((place + share) / len(files), 1.0), text=said)

            if file.file_id not in outcomes:
                _report(0.0)
                outcomes[file.file_id] = _ingest_one(
                    application.library, file, Path(folder) / name, owner=owner, report=_report
                )
                application.uploads.end(person(), [file.file_id])
    bar.empty()


def _ingest_one(library: Library, file: UploadedFile, path: Path, *, owner: Owner, report: Progress) -> Outcome:
    """Return what became of a file, read from *path*; where the library fails, that is why it was not added."""
    try:
        path.write_bytes(file.getbuffer())
        (outcome,) = library.ingest([path], owner, report)
    except (ReferentError, ReferentMemoryError) as error:
        _log.warning("%s: %s", type(error).__name__, error)
        return Outcome(path.name, "refused", key=error.key, values=error.values)
    except OSError as error:
        full = no_room(error)
        if full is None:
            raise
        _log.warning("%s: %s", type(full).__name__, full)
        return Outcome(path.name, "refused", key=full.key, values=full.values)
    finally:
        path.unlink(missing_ok=True)
    return outcome


def _draw_own(texts: Language, library: Library) -> None:
    owner = Owner("person", person())
    st.subheader(texts.text("documents.own"), anchor=False)
    own = library.documents(owner)
    if not own:
        st.caption(texts.text("documents.empty"))
    for document in own:
        _draw_document(texts, library, document)


def _draw_document(texts: Language, library: Library, document: Record) -> None:
    """Draw one of the person's own documents, with its removal behind a question."""

    def _remove() -> None:
        library.remove(document.name, Owner("person", person()))
        uploads().outcomes = {}

    with st.container(horizontal=True, vertical_alignment="center", wrap=False, key=f"document-{document.id}"):
        st.markdown(_called(document), width="stretch")
        st.caption(texts.text("passages.count", {"count": str(document.passages)}), width="content")
        with st.popover(texts.text("documents.remove"), type="tertiary", key=f"ask-{document.id}"):
            name = f"\u2068{plain(document.name)}\u2069"
            st.markdown(texts.text("documents.confirm_remove", {"name": name}))
            st.button(texts.text("action.confirm"), key=f"remove-{document.id}", on_click=_remove, type="primary")


def _draw_shared(texts: Language, application: Application) -> None:
    """Draw what everybody may read, in one table: whose shelf a document stands on says nothing to a reader."""
    shelves = [application.library.documents(Owner("shelf", shelf)) for shelf in application.settings.shelves]
    shared = list(chain.from_iterable(shelves))
    if not shared:
        return
    st.subheader(texts.text("documents.shared"), anchor=False)
    st.caption(texts.text("documents.count", {"count": str(len(shared))}))
    heads = [texts.text(f"documents.{column}") for column in ("name", "language", "passages")]
    ordered = sorted(shared, key=lambda one: one.language != texts.code)  # the reader's own language first
    rows = [(_called(one), _language(texts, one), texts.number(str(one.passages))) for one in ordered]
    lines = [heads, ["---"] * len(heads), *rows]
    with st.container(key=f"{texts.direction}-shared"):
        st.markdown("\n".join(f"| {' | '.join(line)} |" for line in lines))
    _draw_removal(texts, application)


def _draw_removal(texts: Language, application: Application) -> None:
    """Draw the removal of a shared document, behind a question, for whoever may."""
    shelf = shared_shelf(application)
    documents = application.library.documents(shelf) if shelf else ()
    if shelf is None or not documents:
        return

    def _remove() -> None:
        chosen = st.session_state.get(_REMOVED)
        if chosen and shared_shelf(application) == shelf:  # their role is looked at again, here too
            application.library.remove(str(chosen), shelf)

    with st.popover(texts.text("documents.remove_shared"), type="tertiary", key="ask-shared"):
        names = [document.name for document in documents]
        name = st.selectbox(texts.text("documents.name"), names, key=_REMOVED, index=None, placeholder="")
        if name:
            st.markdown(texts.text("documents.confirm_remove", {"name": f"\u2068{plain(name)}\u2069"}))
            st.button(texts.text("action.confirm"), key="remove-shared", on_click=attempt(_remove), type="primary")


def _called(document: Record) -> str:
    """Return a document's title and, where that says more, its name, each running in its own direction."""
    title, name = document.title.strip(), document.name
    shown = f"\u2068{plain(title or name)}\u2069"
    return shown if title in ("", name) else f"{shown} :small[\u2068{plain(name)}\u2069]"


def _language(texts: Language, document: Record) -> str:
    return texts.name_of(document.language) if document.language in codes() else document.language

"""The documents: what is searched, and one's own to add and to remove."""

from __future__ import annotations

import logging
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import streamlit as st
from streamlit.typing import UploadedFile

from languages import Language
from memory.errors import ReferentMemoryError
from rag.errors import ReferentError
from rag.pages.application import Library, Listed, Opener
from rag.pages.marks import plain, visible
from rag.pages.message import say
from rag.pages.session import interface, person

_log = logging.getLogger(__name__)
_UNSAFE: Final = re.compile(r"[\x00-\x1f\x7f/\\:*?\"<>|]+")
_LONGEST_NAME: Final = 120  # characters of a file's name that are kept
_ICONS: Final = {"added": ":material/check_circle:", "updated": ":material/sync:", "unchanged": ":material/remove:"}


def documents(opener: Opener) -> None:
    """Draw the documents page."""
    texts = interface()
    st.title(texts.text("documents.title"), anchor=False)
    try:
        library = opener().library
        _upload(texts, library)
        own = library.documents(person())
        _draw_own(texts, library, own)
        _draw_shared(texts, library.shared())
    except (ReferentError, ReferentMemoryError) as error:
        _log.warning("%s: %s", type(error).__name__, error)
        st.error(say(texts, error.key, error.values), icon=":material/error:")


def _upload(texts: Language, library: Library) -> None:
    """Take files in: progress while they are read, one line a file afterwards."""
    with st.form("upload", clear_on_submit=True, border=False):
        files = st.file_uploader(texts.text("documents.upload_hint"), accept_multiple_files=True)
        sent = st.form_submit_button(texts.text("documents.upload"), type="primary")
    if not sent or not files:
        return
    bar = st.progress(0.0)
    with tempfile.TemporaryDirectory(prefix="referent-") as folder:
        paths = [_keep(file, Path(folder), place) for place, file in enumerate(files)]
        lines = st.container(gap="xsmall")
        for done, outcome in enumerate(library.ingest(paths, person()), start=1):
            bar.progress(min(done / len(paths), 1.0))
            _draw_outcome(texts, outcome.name, outcome.status, reason=outcome.reason)
    bar.empty()


def safe_name(name: str) -> str:
    """Return a file's name without what could lead out of a folder or could not be written.

    >>> safe_name("../../etc/passwd")
    'etc passwd'
    >>> safe_name("a\\0b.md")
    'a b.md'
    """
    cleaned = visible(_UNSAFE.sub(" ", name)).strip(" .")
    stem, dot, ending = cleaned.rpartition(".")
    if dot and len(ending) <= 8:
        return f"{stem[:_LONGEST_NAME].strip() or 'document'}.{ending}"
    return cleaned[:_LONGEST_NAME].strip() or "document"


def _keep(file: UploadedFile, folder: Path, place: int) -> Path:
    """Return where an uploaded file lies for reading; two files of one name do not meet."""
    own = folder / str(place)
    own.mkdir()
    path = own / safe_name(file.name)
    path.write_bytes(file.getbuffer())
    return path


def _draw_outcome(texts: Language, name: str, status: str, *, reason: str) -> None:
    values = {"name": f"\u2068{plain(name)}\u2069"}
    if status == "refused":
        values["reason"] = say(texts, reason, {"name": plain(name)})
        st.error(texts.text("outcome.refused", values), icon=":material/error:")
    else:
        st.markdown(f"{_ICONS.get(status, '')} {texts.text(f'outcome.{status}', values)}")


def _draw_own(texts: Language, library: Library, own: Sequence[Listed]) -> None:
    st.subheader(texts.text("documents.own"), anchor=False)
    if not own:
        st.caption(texts.text("documents.empty"))
    for document in own:
        _draw_document(texts, library, document)


def _draw_document(texts: Language, library: Library, document: Listed) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key=f"document-{document.name}"):
        st.markdown(plain(document.title or document.name))
        if st.button(texts.text("documents.remove"), key=f"remove-{document.name}", type="tertiary"):
            library.remove(document.name, person())
            st.rerun()


def _draw_shared(texts: Language, shared: Sequence[Listed]) -> None:
    if shared:
        st.subheader(texts.text("documents.shared"), anchor=False)
        for document in shared:
            st.markdown(plain(document.title or document.name))

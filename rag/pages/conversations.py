"""The conversations page: all that the person has, to be found, opened, renamed, exported, imported and deleted."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import partial
from typing import Final

import streamlit as st

from languages import Language, fold
from memory.errors import ReferentMemoryError
from memory.store.conversations import Conversations, StoredConversation
from memory.store.titles import TITLE_LENGTH
from rag.errors import ReferentError
from rag.pages.acting import attempt, draw_download, draw_failure, draw_icon
from rag.pages.application import Opener
from rag.pages.direction import direction
from rag.pages.marks import plain
from rag.pages.message import say
from rag.pages.session import ChatPage, interface, local_day, named_conversation, person, show_conversation, today
from rag.pages.uploader import localise_uploader
from rag.transcripts import LARGEST_MB, keep, read_transcripts, to_json, to_markdown, transcript_of
from rag.turns import ANSWER, METHOD

SHOWN: Final = 20  # conversations at a time
MOST: Final = 1000
_IMPORTS: Final = "imports"  # the session's key of how many imports there were, which tells one field from the next
_IMPORTED: Final = "imported"  # ... and of how many conversations the last one brought
_TYPES: Final[Mapping[str, str]] = {"md": "text/markdown", "json": "application/json"}
_UNFIT: Final = re.compile(r"[^\w-]+")

_log = logging.getLogger(__name__)


def conversations(opener: Opener, chat: ChatPage) -> None:
    """Draw the conversations page; *chat* is where a conversation is opened."""
    texts = interface()
    st.title(texts.text("conversations.title"), anchor=False)
    draw_failure(texts)
    try:
        store = opener().conversations
        _draw_list(texts, store, chat)
        _draw_import(texts, store)
    except (ReferentError, ReferentMemoryError) as error:
        _log.warning("%s: %s", type(error).__name__, error)
        st.error(say(texts, error.key, error.values), icon=":material/error:")


def grouped(listed: Sequence[StoredConversation], now: date) -> tuple[tuple[str, tuple[StoredConversation, ...]], ...]:
    """Return the conversations by when they were last used, each group with the key of its name; none is empty."""
    groups: dict[str, list[StoredConversation]] = {"today": [], "yesterday": [], "earlier": []}
    for each in listed:
        day = local_day(each.updated)
        groups["today" if day >= now else "yesterday" if day == now - timedelta(days=1) else "earlier"].append(each)
    return tuple((f"conversations.{name}", tuple(found)) for name, found in groups.items() if found)


def holding(
    words: str, listed: Sequence[StoredConversation], said: Mapping[str, str]
) -> tuple[StoredConversation, ...]:
    """Return the conversations with all of *words* in their title or in what was *said* in them, by their id."""
    wanted = fold(words).split()
    return tuple(
        each for each in listed if all(word in fold(f"{each.title}\n{said.get(each.id, '')}") for word in wanted)
    )


def file_name(title: str, ending: str) -> str:
    r"""Return the name of a file for the conversation called *title*.

    >>> file_name("Was kostet es? ../x", "md"), file_name("؟", "json")
    ('Was-kostet-es-x.md', 'conversation.json')
    """
    return f"{_UNFIT.sub('-', title).strip('-')[:60] or 'conversation'}.{ending}"


def _draw_list(texts: Language, store: Conversations, chat: ChatPage) -> None:
    words = st.text_input(texts.text("conversations.search"), key="conversation-words", icon=":material/search:")
    every = [
        replace(each, title=each.title or texts.text("conversations.untitled"))
        for each in store.list(person(), limit=MOST)
    ]
    found = holding(words, every, _said(store)) if words.strip() else tuple(every)
    if not found:
        st.markdown(texts.text("conversations.found_none" if every else "conversations.empty"))
        return
    shown = int(st.session_state.get("shown-conversations", SHOWN))
    for key, group in grouped(found[:shown], today()):
        st.caption(texts.text(key))
        for each in group:
            _draw_conversation(texts, store, each, chat)
    with st.container(horizontal=True, vertical_alignment="center", key="conversations-foot"):
        if len(found) > shown:
            more = partial(st.session_state.__setitem__, "shown-conversations", shown + SHOWN)
            st.button(texts.text("action.show_more"), type="tertiary", key="more-conversations", on_click=more)
        draw_download(
            texts.text("conversations.export_all"),
            partial(_exported, store, tuple(every)),
            name="referent-conversations.json",
            mime="application/json",
            key="export-all",
        )


def _said(store: Conversations) -> Mapping[str, str]:
    """Return all that was said, by conversation."""
    found: dict[str, list[str]] = {}
    for turn in reversed(store.said(person(), answer=ANSWER, method=METHOD)):
        found.setdefault(turn.conversation, []).extend((turn.question, turn.answer))
    return {conversation: "\n".join(texts) for conversation, texts in found.items()}


def _draw_conversation(texts: Language, store: Conversations, each: StoredConversation, chat: ChatPage) -> None:
    title = plain(each.title, direction(each.title, texts.direction))
    day = texts.day(local_day(each.updated))
    with st.container(horizontal=True, vertical_alignment="center", wrap=False, key=f"row-{each.id}"):
        label = f"\u2068{title}\u2069  \n:small[{plain(day)}]"
        if st.button(label, key=f"show-{each.id}", type="tertiary", width="stretch"):
            show_conversation(each.id)
            chat.go()
        with draw_icon("more", texts.text("conversations.more", {"title": each.title}), each.id):
            _draw_changes(texts, store, each)


def _draw_changes(texts: Language, store: Conversations, each: StoredConversation) -> None:
    """Draw what can be done with a conversation."""
    key, whose = each.id, each.person

    def _rename() -> None:
        named = str(st.session_state.get(f"name-{key}", "")).strip()
        if named:
            store.rename(key, whose, named)

    def _delete() -> None:
        store.delete(key, whose)
        if named_conversation() == key:
            show_conversation(None)

    name = texts.text("conversations.name")
    st.text_input(name, value=each.title, max_chars=TITLE_LENGTH, key=f"name-{key}", on_change=attempt(_rename))
    written, exported = partial(_written, texts, store, each), partial(_exported, store, (each,))
    for label, content, ending in (
        ("conversations.export_markdown", written, "md"),
        ("conversations.export_json", exported, "json"),
    ):
        draw_download(
            texts.text(label),
            content,
            name=file_name(each.title, ending),
            mime=_TYPES[ending],
            key=f"export-{ending}-{key}",
        )
    st.caption(texts.text("conversations.confirm_delete"))
    st.button(texts.text("conversations.delete"), key=f"delete-{key}", on_click=attempt(_delete))


def _exported(store: Conversations, chosen: Sequence[StoredConversation]) -> bytes:
    return to_json([transcript_of(store, each) for each in chosen]).encode("utf-8")


def _written(texts: Language, store: Conversations, each: StoredConversation) -> bytes:
    return to_markdown(texts, transcript_of(store, each)).encode("utf-8")


def _draw_import(texts: Language, store: Conversations) -> None:
    """Draw the import: what is chosen is read at once, all of a file or nothing of it."""
    st.subheader(texts.text("conversations.import"), anchor=False)
    st.caption(texts.text("conversations.import_note"))
    localise_uploader(texts, texts.text("conversations.import_hint"), LARGEST_MB)
    brought = st.session_state.pop(_IMPORTED, None)
    number = int(st.session_state.get(_IMPORTS, 0))
    files = st.file_uploader(
        texts.text("conversations.import"),
        accept_multiple_files=True,
        key=f"import-{number}",
        label_visibility="collapsed",
    )
    if brought is not None:
        st.success(texts.text("conversations.imported", {"count": str(brought)}), icon=":material/check_circle:")
    if not files:
        return

    def _take() -> None:
        found = [each for file in files for each in read_transcripts(file.name, bytes(file.getbuffer()))]
        st.session_state[_IMPORTED] = len(keep(store, person(), found))

    st.session_state[_IMPORTS] = number + 1
    attempt(_take)()
    st.rerun()

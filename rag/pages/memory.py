"""The memory page: what is remembered of the person, to be seen, corrected, paused, exported and forgotten."""

from __future__ import annotations

import json
import logging
from functools import partial
from typing import Final

import streamlit as st

from languages import Language, fold
from memory.errors import ReferentMemoryError
from rag.errors import ReferentError
from rag.pages.acting import attempt, draw_failure
from rag.pages.application import Application, Opener
from rag.pages.entities import draw_entities
from rag.pages.figures import draw_figures
from rag.pages.graph import draw_relations
from rag.pages.message import say
from rag.pages.profile import draw_profile
from rag.pages.session import ChatPage, interface, is_shared, person, show_conversation
from rag.shelf.owners import Owner

PAUSED: Final = "paused"
CONFIRMED: Final = "forget-word"
FORGOTTEN: Final = "forgotten"  # the session's key of whether all was just erased, until it is said

_log = logging.getLogger(__name__)


def memory(opener: Opener, chat: ChatPage) -> None:
    """Draw the memory page; *chat* is where a mention's turn is shown."""
    texts = interface()
    st.title(texts.text("memory.title"), anchor=False)
    shared = f" {texts.text('memory.shared')}" if is_shared() else ""
    st.markdown(f"{texts.text('memory.intro')}{shared}")
    draw_failure(texts)
    if st.session_state.pop(FORGOTTEN, False):
        st.success(texts.text("memory.forgotten"), icon=":material/check_circle:")
    try:
        application = opener()
        _draw_pause(texts, application)
        sections = ("about", "things", "relations", "figures", "data")
        about, things, relations, figures, data = st.tabs([texts.text(f"memory.{each}") for each in sections])
        with about:
            draw_profile(texts, application)
        with things:
            draw_entities(texts, application.memory, application.editor, chat)
        with relations:
            draw_relations(texts, application.memory)
        with figures:
            draw_figures(texts, application.memory, application.editor)
        with data:
            _draw_export(texts, application)
            _draw_forget(texts, application)
    except (ReferentError, ReferentMemoryError) as error:
        _log.warning("%s: %s", type(error).__name__, error)
        st.error(say(texts, error.key, error.values), icon=":material/error:")


def _draw_pause(texts: Language, application: Application) -> None:
    whose, paused = person(), application.editor.is_paused(person())
    st.session_state[PAUSED] = paused  # as it is now, whichever page has changed it

    def _pause() -> None:
        application.editor.pause(whose, bool(st.session_state[PAUSED]))

    label, told = texts.text("memory.pause"), texts.text("memory.pause_help")
    st.toggle(label, key=PAUSED, help=told, on_change=attempt(_pause))
    if paused:
        st.info(texts.text("memory.paused"), icon=":material/pause_circle:")


def _draw_export(texts: Language, application: Application) -> None:
    """Draw the export; it is made when it is asked for."""
    content = partial(exported, application, person())
    st.download_button(
        texts.text("memory.export"),
        content,
        file_name="referent-memory.json",
        mime="application/json",
        icon=":material/download:",
        key="export-memory",
        on_click="ignore",
    )
    st.caption(texts.text("memory.export_help"))


def exported(application: Application, whose: str) -> bytes:
    """Return all that is kept of a person as JSON."""
    content = application.memory.export(whose)
    return json.dumps(content, ensure_ascii=False, indent=2).encode("utf-8")


def _draw_forget(texts: Language, application: Application) -> None:
    """Draw the erasure of everything: what goes is counted, and a word has to be written first."""
    whose, word = person(), texts.text("memory.forget_word")

    def _forget() -> None:
        if is_word(str(st.session_state.get(CONFIRMED, "")), word):
            application.forget(whose)
            show_conversation(None)
            st.session_state[FORGOTTEN] = True
            st.session_state[CONFIRMED] = ""

    st.subheader(texts.text("memory.forget"), anchor=False)
    st.markdown(texts.text("memory.forget_intro"))
    if is_shared():
        st.warning(texts.text("memory.forget_all"), icon=":material/warning:")
    going = (
        texts.text("conversations.count", {"count": str(application.conversations.count(whose))}),
        texts.text("documents.count", {"count": str(len(application.library.documents(Owner("person", whose))))}),
    )
    st.caption(" · ".join(going))
    written = st.text_input(texts.text("memory.forget_type", {"word": word}), key=CONFIRMED, autocomplete="off")
    st.button(
        texts.text("memory.forget_now"),
        key="forget-everything",
        type="primary",
        icon=":material/delete_forever:",
        disabled=not is_word(written, word),
        on_click=attempt(_forget),
    )


def is_word(written: str, word: str) -> bool:
    """Return whether *written* is the word that confirms, in whatever case and with spaces around it.

    >>> is_word(" Forget ", "forget"), is_word("forge", "forget"), is_word("", "")
    (True, False, False)
    """
    return bool(word) and fold(written.strip()) == fold(word)

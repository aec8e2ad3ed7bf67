"""What can be done with a turn below its answer: copy it, edit its question, go back to what stood there before."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

import streamlit as st

from languages import Language
from memory.store.conversations import Conversations
from rag.events import Turn
from rag.pages.acting import attempt, draw_icon, draw_sign
from rag.pages.session import ask_next, person
from rag.pages.standing import Standing

LONGEST: Final = 4000  # characters of a question; the pipeline refuses what is longer with a sentence of its own


def draw_actions(
    texts: Language, store: Conversations, conversation: str, turn: Turn, *, standing: Standing | None
) -> None:
    """Draw what can be done with a kept turn, and the ways to its other versions."""
    with st.container(horizontal=True, vertical_alignment="center", key=f"actions-{turn.id}", gap="xxsmall"):
        if turn.answer is not None and turn.answer.text:
            _draw_copy(texts, turn.id, turn.answer.text)
        _draw_edit(texts, store, conversation, turn)
        draw_standing(texts, store, conversation, turn.id, standing=standing)


def _draw_copy(texts: Language, turn: str, text: str) -> None:
    """Draw the answer as it was written, to be copied by the button of Streamlit's block for code.

    A button of the page's own cannot write to the clipboard: no script of ours runs in the browser.
    """
    with draw_icon("copy", texts.text("chat.copy"), turn):
        st.code(text, language=None, wrap_lines=True)


def _draw_edit(texts: Language, store: Conversations, conversation: str, turn: Turn) -> None:
    key = f"edit-{turn.id}"

    def _again() -> None:
        question = str(st.session_state.get(f"{key}-question", "")).strip()
        if question:
            ask_instead(store, conversation, turn, question)()

    with draw_icon("edit", texts.text("chat.edit"), turn.id):
        label = texts.text("chat.edit_question")
        st.text_area(label, value=turn.question, max_chars=LONGEST, key=f"{key}-question")
        st.caption(texts.text("chat.edit_help"))
        st.button(texts.text("chat.ask_again"), key=f"{key}-ask", type="primary", on_click=attempt(_again))


def ask_instead(store: Conversations, conversation: str, turn: Turn, question: str) -> Callable[[], None]:
    """Return what asks *question* in the place of *turn*; what was answered there is kept as an earlier version.

    A turn that came to nothing leaves nothing to keep.
    """
    owner = person()

    def _ask() -> None:
        kept = store.find_turn(conversation, owner, turn.id)
        if kept is not None and (turn.answer is not None or turn.clarification is not None):
            store.put_aside(conversation, owner, turn.id)
        elif kept is not None:
            store.cut(conversation, owner, number=kept.number)
        ask_next(question)

    return _ask


def draw_standing(
    texts: Language, store: Conversations, conversation: str, key: str, *, standing: Standing | None
) -> None:
    """Draw which version of a turn stands in its place, with the ways to the others; nothing where there are none.

    Where no turn is in the place any more, the way back to the last one is all there is.
    """
    if standing is None:
        return

    def _to(version: str | None) -> Callable[[], None] | None:
        return partial(store.go_back, conversation, person(), version) if version else None

    with st.container(
        horizontal=True, vertical_alignment="center", width="content", key=f"versions-{key}", gap="xxsmall"
    ):
        draw_sign("earlier", texts.text("chat.earlier_version"), key, _to(standing.before))
        number, count = (texts.number(str(each)) for each in (standing.number, standing.count))
        if standing.number:
            st.caption(texts.text("chat.version", {"number": number, "count": count}), width="content")
            draw_sign("later", texts.text("chat.later_version"), key, _to(standing.after))
        else:
            st.caption(texts.text("chat.versions", {"count": str(standing.count)}), width="content")

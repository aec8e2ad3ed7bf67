"""What can be done with a turn below its answer: copy it, edit its question; and the turns that stood there before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import streamlit as st

from languages import Language, codes, load
from memory.store.conversations import Conversations, StoredTurn, Version
from rag.events import Turn
from rag.pages.acting import attempt, draw_icon
from rag.pages.direction import direction
from rag.pages.marks import plain
from rag.pages.message import EXTRACTION, ready
from rag.pages.session import ask_next, local_day, person
from rag.turns import turn_of

LONGEST: Final = 4000  # characters of a question; the pipeline refuses what is longer with a sentence of its own


def draw_actions(texts: Language, store: Conversations, conversation: str, turn: Turn) -> None:
    """Draw what can be done with a kept turn."""
    with st.container(horizontal=True, vertical_alignment="center", key=f"actions-{turn.id}", gap="xxsmall"):
        if turn.answer is not None and turn.answer.text:
            _draw_copy(texts, turn.id, turn.answer.text)
        _draw_edit(texts, store, conversation, turn)


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


def draw_versions(texts: Language, versions: Sequence[Version]) -> None:
    """Draw what stood in a turn's place before, the latest first; nothing where nothing did."""
    if not versions:
        return
    label = texts.text("chat.versions", {"count": str(len(versions))})
    with st.expander(label, type="compact", icon=":material/history:", key=f"versions-{versions[0].turns[0].id}"):
        for version in reversed(versions):
            st.caption(texts.text("chat.earlier_version", {"date": texts.day(local_day(version.aside))}))
            for stored in version.turns:
                _draw_earlier(texts, stored)


def _draw_earlier(texts: Language, stored: StoredTurn) -> None:
    """Draw an earlier turn: its question, its answer or question back, and the names of its sources."""
    turn = turn_of(stored)
    way = direction(turn.question, texts.direction)
    with st.container(key=f"{way}-earlier-question-{turn.id}"):
        st.markdown(f"**{plain(turn.question, way)}**")
    said, literal = "", True
    if turn.answer is not None:
        said, literal = turn.answer.text, turn.answer.method == EXTRACTION
    elif turn.clarification is not None:
        said = turn.clarification.question
    spoken = load(turn.language).direction if turn.language in codes() else texts.direction
    with st.container(key=f"{spoken}-earlier-answer-{turn.id}"):
        st.markdown(ready(said, spoken, literal=literal))
        cited = dict.fromkeys(each.document for each in turn.answer.citations) if turn.answer else {}
        if cited:
            st.caption(" · ".join(f"\u2068{plain(document)}\u2069" for document in cited))

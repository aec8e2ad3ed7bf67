"""Thumbs under an answer: right or wrong, and with a wrong one why, and what would have been right.

What is chosen is kept at once, with the turn; chosen again it is taken back.  Only these lines are drawn anew then, so
that an answer that streams below goes on.
"""

from __future__ import annotations

from functools import partial
from typing import Final, get_args

import streamlit as st

from languages import Language
from memory.errors import ReferentMemoryError
from memory.store.thumbs import LONGEST_NOTE, REASONS, Reason, Thumb, Thumbs, Verdict
from rag.events import Turn
from rag.pages.message import say
from rag.pages.session import person

_ICON: Final = {"up": ":material/thumb_up:", "down": ":material/thumb_down:"}
FAILED: Final = "thumb-failed-"  # the session's key of what to say of a thumb that could not be kept
VERDICTS: Final[tuple[Verdict, ...]] = get_args(Verdict)


def draw_thumbs(texts: Language, turn: Turn, thumbs: Thumbs, *, given: Thumb | None) -> None:
    """Draw the thumbs of *turn*, with what was *given* before; none under a question back or half an answer."""
    if turn.answer is None or turn.stopped or not turn.answer.text:
        return
    with st.container(key=f"{texts.direction}-thumbs-{turn.id}"):
        _draw(texts, turn.id, thumbs, given)


@st.fragment
def _draw(texts: Language, turn: str, thumbs: Thumbs, given: Thumb | None) -> None:
    """Draw the choices, each kept as soon as it is made."""
    keep = partial(_keep, thumbs, turn, person(), texts.code)
    verdict = st.pills(
        texts.text("thumbs.label"),
        VERDICTS,
        default=given.verdict if given else None,
        format_func=lambda each: f"{_ICON[each]} {texts.text(f'thumbs.{each}')}",
        key=f"thumb-{turn}",
        on_change=keep,
        label_visibility="collapsed",
    )
    if verdict == "down":
        st.pills(
            texts.text("thumbs.why"),
            REASONS,
            default=(given.reason or None) if given else None,
            format_func=lambda each: texts.text(f"thumbs.{each}"),
            key=f"reason-{turn}",
            on_change=keep,
        )
        st.text_input(
            texts.text("thumbs.note"),
            value=given.note if given else "",
            max_chars=LONGEST_NOTE,
            key=f"note-{turn}",
            on_change=keep,
        )
    failed = st.session_state.get(f"{FAILED}{turn}")
    if failed:
        st.error(say(texts, failed), icon=":material/error:")
    elif verdict is not None:
        st.caption(texts.text("thumbs.thanks"))


def _keep(thumbs: Thumbs, turn: str, owner: str, language: str) -> None:
    """Keep what is chosen by now, or take it back; where that fails, have it said at the next drawing."""
    state = st.session_state
    verdict = state.get(f"thumb-{turn}")
    chosen = verdict if verdict in VERDICTS else None
    reason: Reason = next((each for each in REASONS if each == state.get(f"reason-{turn}")), "")
    try:
        if chosen is None:
            thumbs.take_back(turn, owner)
        else:
            thumbs.give(turn, owner, Thumb(chosen, reason, str(state.get(f"note-{turn}") or ""), language))
    except ReferentMemoryError as error:
        state[f"{FAILED}{turn}"] = error.key
    else:
        state.pop(f"{FAILED}{turn}", None)

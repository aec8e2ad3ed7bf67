"""A person's facts as lines: what holds, since when, what was before; each to be changed or deleted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st

from languages import Language
from languages.remembering import remembering
from memory.editing import MemoryEditor
from memory.knowledge.facts import SELF, StoredFact, slot
from rag.pages.acting import attempt, draw_icon
from rag.pages.direction import direction
from rag.pages.marks import plain
from rag.pages.session import local_day, person

LONGEST = 300  # characters of a value


@dataclass(frozen=True, slots=True)
class Line:
    """A fact that holds with those that stood there before it, the latest first."""

    fact: StoredFact
    before: tuple[StoredFact, ...] = ()


def lines_of(history: Sequence[StoredFact]) -> tuple[Line, ...]:
    """Return what holds of all that was ever stated, each with what it came after.

    Where a key holds several values side by side, what has ended stands under the first of them.
    """
    current = [fact for fact in history if fact.retired_at is None]
    ended = [fact for fact in reversed(history) if fact.retired_at is not None and fact.act != "retracts"]
    found, told = [], set()
    for fact in current:
        before = tuple(each for each in ended if slot(each) == slot(fact)) if slot(fact) not in told else ()
        told.add(slot(fact))
        found.append(Line(fact, before))
    return tuple(found)


def called(texts: Language, fact: StoredFact) -> str:
    """Return what stands before a fact's value: what its key is called, and the detail where there is one."""
    name = remembering(texts.code).key(fact.key)
    return f"{name} ({fact.detail})" if fact.detail else name


def draw_fact(texts: Language, editor: MemoryEditor, line: Line, label: str) -> None:
    """Draw a fact, with its change, its end and its history behind a button."""
    fact, whose, key = line.fact, person(), f"fact-{line.fact.id}"

    def _save() -> None:
        value = str(st.session_state.get(f"{key}-value", "")).strip()
        if value and value != fact.value:
            editor.restate(whose, fact.id, value)

    with _row(key):
        _draw_value(texts, label, fact.value)
        with draw_icon("more", texts.text("memory.change", {"name": label}), key):
            st.text_input(texts.text("memory.value"), value=fact.value, max_chars=LONGEST, key=f"{key}-value")
            with st.container(horizontal=True):
                save, delete = texts.text("action.save"), texts.text("memory.delete")
                forget = attempt(partial(editor.forget_fact, whose, fact.id))
                st.button(save, key=f"{key}-save", type="primary", on_click=attempt(_save))
                st.button(delete, key=f"{key}-delete", on_click=forget)
            st.caption(texts.text("memory.since", {"date": texts.day(local_day(fact.valid_from))}))
            if line.before:
                st.caption(texts.text("memory.history"))
                with st.container(key=f"{texts.direction}-{key}-before"):
                    st.markdown("\n".join(f"- {_ended(texts, each)}" for each in line.before))


def draw_unknown(texts: Language, editor: MemoryEditor, *, key: str, label: str) -> None:
    """Draw a detail that is not known, to be told."""
    whose = person()

    def _save() -> None:
        value = str(st.session_state.get(f"tell-{key}-value", "")).strip()
        if value:
            editor.state(whose, key, value, SELF)

    with _row(f"tell-{key}"):
        st.markdown(f"**{plain(label)}**  \n:small[{plain(texts.text('memory.unknown'))}]", width="stretch")
        with draw_icon("more", texts.text("memory.change", {"name": label}), f"tell-{key}"):
            st.text_input(label, max_chars=LONGEST, key=f"tell-{key}-value")
            st.button(texts.text("action.save"), key=f"tell-{key}-save", type="primary", on_click=attempt(_save))


def _row(key: str) -> st.delta_generator.DeltaGenerator:
    return st.container(horizontal=True, vertical_alignment="center", wrap=False, key=f"row-{key}")


def _draw_value(texts: Language, label: str, value: str) -> None:
    shown = plain(value, direction(value, texts.direction))
    st.markdown(f"**{plain(label)}**  \n\u2068{shown}\u2069", width="stretch")


def _ended(texts: Language, fact: StoredFact) -> str:
    """Return a value that holds no longer, and until when it did."""
    value = f"\u2068{plain(fact.value)}\u2069"
    if fact.withdrawn or fact.retired_at is None:
        return texts.text("memory.taken_back", {"value": value})
    return texts.text("memory.until", {"value": value, "date": plain(texts.day(local_day(fact.retired_at)))})

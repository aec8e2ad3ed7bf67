"""Who and what was talked about: a list to search in, and of the one that is open its card."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

import streamlit as st

from languages import Language, fold
from memory.editing import MemoryEditor
from memory.memory import EntityMemory
from memory.store.entities import StoredEntity
from rag.pages.acting import attempt
from rag.pages.card import Card, draw_card
from rag.pages.marks import plain
from rag.pages.session import ChatPage, local_day, person

SHOWN: Final = 20  # entities at a time
OPEN: Final = "open-entity"  # the session's key of the one whose card is open
_ALL: Final = ""  # of the choice of a type
_COMPARED: Final = "duplicates"  # the session's key of whether duplicates are looked for


def draw_entities(texts: Language, memory: EntityMemory, editor: MemoryEditor, chat: ChatPage) -> None:
    """Draw the entities, those spoken of last first."""
    every = memory.entities(person())
    if not every:
        st.markdown(texts.text("memory.nothing_else"))
        return
    found = _choose(texts, memory, every)
    shown = int(st.session_state.get("shown-entities", SHOWN))
    for entity in found[:shown]:
        _draw_entity(texts, memory, entity)
        if st.session_state.get(OPEN) == entity.id:
            draw_card(texts, memory, editor, Card.of(memory, editor, person(), entity), every, chat)
    if len(found) > shown:
        more = partial(st.session_state.__setitem__, "shown-entities", shown + SHOWN)
        st.button(texts.text("action.show_more"), type="tertiary", key="more-entities", on_click=more)
    _draw_merges(texts, memory, every)
    _draw_duplicates(texts, memory)


def matching(entities: Sequence[StoredEntity], words: str, type_: str) -> tuple[StoredEntity, ...]:
    """Return the entities with *words* in their name or another of their names, of *type_* unless it is ""."""
    wanted = fold(words)
    return tuple(
        entity
        for entity in entities
        if (not type_ or entity.type == type_) and any(wanted in fold(name) for name in (entity.name, *entity.aliases))
    )


def _choose(texts: Language, memory: EntityMemory, every: Sequence[StoredEntity]) -> tuple[StoredEntity, ...]:
    types = memory.rules.types
    kinds = sorted({entity.type for entity in every}, key=lambda type_: types.label(type_, texts.code))
    with st.container(horizontal=True, key="entity-search"):
        words = st.text_input(texts.text("memory.search"), key="entity-words", icon=":material/search:")
        type_ = st.selectbox(
            texts.text("memory.type"),
            (_ALL, *kinds),
            key="entity-type",
            format_func=lambda kind: types.label(kind, texts.code) if kind else texts.text("memory.all_types"),
            filter_mode=None,
        )
    return matching(every, words, type_ or _ALL)


def _draw_entity(texts: Language, memory: EntityMemory, entity: StoredEntity) -> None:
    is_open = st.session_state.get(OPEN) == entity.id

    def _toggle() -> None:
        st.session_state[OPEN] = None if is_open else entity.id

    told = (
        memory.rules.types.label(entity.type, texts.code),
        texts.text("remembered.mentions", {"count": str(entity.mentions)}),
        texts.day(local_day(entity.last_seen)),
    )
    name = f"\u2068{plain(entity.name)}\u2069"
    with st.container(key=f"entity-{entity.id}"):
        st.button(
            f"**{name}**  \n:small[{plain(' · '.join(told))}]",
            icon=":material/expand_less:" if is_open else ":material/expand_more:",
            key=f"open-{entity.id}",
            type="tertiary",
            width="stretch",
            on_click=_toggle,
        )


def _draw_merges(texts: Language, memory: EntityMemory, every: Sequence[StoredEntity]) -> None:
    """Draw the merges that can be taken back: what the other one had been is kept with them."""
    known = {entity.id: entity.name for entity in every}
    merged = [change for change in memory.merges(person()) if change.kept in known and change.other not in known]
    if not merged:
        return
    st.subheader(texts.text("memory.merges"), anchor=False)
    for change in merged:
        names = {"kept": f"\u2068{plain(known[change.kept])}\u2069", "other": f"\u2068{plain(change.name)}\u2069"}
        with st.container(horizontal=True, vertical_alignment="center", key=f"merge-{change.number}"):
            st.markdown(texts.text("memory.merged", names), width="stretch")
            st.button(
                texts.text("memory.undo"),
                key=f"undo-{change.number}",
                type="tertiary",
                on_click=attempt(partial(_take_back, memory, person(), change.number)),
            )


def _draw_duplicates(texts: Language, memory: EntityMemory) -> None:
    """Draw, where it is asked for, the pairs that may be one: each is compared with each other, which takes a while."""
    look = partial(st.session_state.__setitem__, _COMPARED, True)
    label = texts.text("memory.duplicates")
    st.button(label, icon=":material/join_inner:", key="duplicates-look", type="tertiary", on_click=look)
    if not st.session_state.get(_COMPARED):
        return
    pairs = memory.suggestions(person())
    if not pairs:
        st.caption(texts.text("memory.no_duplicates"))
    for one, other in pairs:
        names = {"one": f"\u2068{plain(one.name)}\u2069", "other": f"\u2068{plain(other.name)}\u2069"}
        with st.container(horizontal=True, vertical_alignment="center", key=f"pair-{one.id}-{other.id}"):
            st.markdown(texts.text("memory.may_be_same", names), width="stretch")
            st.button(
                texts.text("memory.merge"),
                key=f"join-{one.id}-{other.id}",
                type="tertiary",
                on_click=attempt(partial(_merge, memory, person(), one.id, other.id)),
            )


def _merge(memory: EntityMemory, whose: str, kept: str, other: str) -> None:
    memory.merge(whose, kept, other)


def _take_back(memory: EntityMemory, whose: str, change: int) -> None:
    memory.take_back(whose, change)

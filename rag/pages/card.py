"""The card of one entity: its names, what is known and was said of it, where it was mentioned; to be corrected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Self

import streamlit as st

from languages import Language
from memory.editing import MemoryEditor
from memory.knowledge.graph import Triple
from memory.knowledge.identity import compare
from memory.memory import EntityMemory
from memory.store.editing import StoredMention
from memory.store.entities import Named, StoredEntity
from rag.pages.acting import attempt
from rag.pages.direction import direction
from rag.pages.facts import LONGEST, Line, called, draw_fact, lines_of
from rag.pages.graph import sentence
from rag.pages.marks import plain
from rag.pages.session import ChatPage, local_day, person, show_turn

SAID = 5  # sentences about an entity
SHOWN = 8  # mentions


@dataclass(frozen=True, slots=True)
class Card:
    """All that is shown of an entity."""

    entity: StoredEntity
    facts: tuple[Line, ...]
    said: tuple[str, ...]
    relations: tuple[Triple, ...]
    mentions: tuple[StoredMention, ...]

    @classmethod
    def of(cls, memory: EntityMemory, editor: MemoryEditor, person: str, entity: StoredEntity) -> Self:
        """Return what is known of *entity*."""
        triples = memory.get_triples(person)
        return cls(
            entity,
            lines_of(editor.history(person, entity.id)),
            editor.sentences(person, entity.id, limit=SAID),
            tuple(triple for triple in triples if entity.name in (triple[0], triple[2])),
            editor.mentions(person, entity.id),
        )

    @property
    def spellings(self) -> tuple[str, ...]:
        """Return how it was written in its mentions, in other ways than its name: "Weber" of a "Weber 7"."""
        own = self.entity.name
        return tuple(dict.fromkeys(each.text for each in self.mentions if compare(each.text, own) != "same"))


def draw_card(
    texts: Language,
    memory: EntityMemory,
    editor: MemoryEditor,
    card: Card,
    others: Sequence[StoredEntity],
    chat: ChatPage,
) -> None:
    """Draw *card*; *others* are what it can be merged with, *chat* is where a mention's turn is shown."""
    with st.container(border=True, key=f"card-{card.entity.id}"):
        if card.entity.aliases:
            names = texts.join([f"\u2068{name}\u2069" for name in card.entity.aliases], "standard")
            st.caption(plain(texts.text("memory.also_called", {"names": names})))
        if card.facts:
            st.caption(texts.text("memory.known_facts"))
            for line in card.facts:
                draw_fact(texts, editor, line, called(texts, line.fact))
        relations = [sentence(texts, triple) for triple in card.relations]
        _draw_lines(texts.text("memory.relations"), relations, key=f"{texts.direction}-relations-{card.entity.id}")
        said = [f"\u2068{plain(text, direction(text, texts.direction))}\u2069" for text in card.said]
        _draw_lines(texts.text("memory.said"), said, key=f"{texts.direction}-said-{card.entity.id}")
        _draw_mentions(texts, card, chat)
        with st.container(horizontal=True, key=f"changes-{card.entity.id}"):
            _draw_edit(texts, memory, editor, card.entity)
            _draw_merge(texts, memory, card.entity, [each for each in others if each.id != card.entity.id])
            _draw_split(texts, memory, card)
            _draw_delete(texts, editor, card.entity)


def _draw_lines(heading: str, lines: Sequence[str], *, key: str) -> None:
    if lines:
        st.caption(heading)
        with st.container(key=key):
            st.markdown("\n".join(f"- {line}" for line in lines))


def _draw_mentions(texts: Language, card: Card, chat: ChatPage) -> None:
    """Draw where it was mentioned; each opens its conversation at that turn."""
    st.caption(texts.text("memory.mentions"))
    for number, mention in enumerate(card.mentions[:SHOWN]):
        by = texts.text("memory.by_you" if mention.role == "user" else "memory.by_assistant")
        told = f"{texts.quote(mention.text)} · {by} · {texts.day(local_day(mention.at))}"
        if mention.title is None:
            st.markdown(f"{plain(told)} · :small[{plain(texts.text('memory.no_conversation'))}]")
            continue
        title = mention.title or texts.text("conversations.untitled")
        label = f"{plain(told)}  \n:small[\u2068{plain(title)}\u2069]"
        key = f"mention-{card.entity.id}-{number}"
        if st.button(label, icon=":material/forum:", key=key, type="tertiary"):
            show_turn(mention.conversation, mention.turn)
            chat.go()


def _draw_edit(texts: Language, memory: EntityMemory, editor: MemoryEditor, entity: StoredEntity) -> None:
    """Draw the change of name, type and other names."""
    key, whose, types = f"edit-{entity.id}", person(), memory.rules.types
    known = list(dict.fromkeys((*(each.id for each in types.types), entity.type)))

    def _save() -> None:
        name = str(st.session_state.get(f"{key}-name", "")).strip() or entity.name
        lines = str(st.session_state.get(f"{key}-aliases", "")).splitlines()
        aliases = [alias[:LONGEST] for line in lines if (alias := line.strip())]
        editor.rename(whose, entity.id, name=name, type_=str(st.session_state[f"{key}-type"]), aliases=aliases)

    with st.popover(texts.text("memory.edit"), type="tertiary", key=key):
        st.text_input(texts.text("memory.name"), value=entity.name, max_chars=LONGEST, key=f"{key}-name")
        st.selectbox(
            texts.text("memory.type"),
            known,
            index=known.index(entity.type),
            key=f"{key}-type",
            format_func=lambda type_: types.label(type_, texts.code),
            filter_mode=None,
        )
        st.text_area(texts.text("memory.aliases"), value="\n".join(entity.aliases), key=f"{key}-aliases")
        st.button(texts.text("action.save"), key=f"{key}-save", type="primary", on_click=attempt(_save))


def _draw_merge(texts: Language, memory: EntityMemory, entity: StoredEntity, others: Sequence[StoredEntity]) -> None:
    """Draw the merge of another entity into this one."""
    key, whose = f"join-{entity.id}", person()
    if not others:
        return
    names = {other.id: other.name for other in others}

    def _merge() -> None:
        memory.merge(whose, entity.id, str(st.session_state[f"{key}-other"]))

    with st.popover(texts.text("memory.merge"), type="tertiary", key=key):
        ordered = sorted(names, key=lambda id: names[id].casefold())
        st.selectbox(texts.text("memory.merge_with"), ordered, key=f"{key}-other", format_func=names.__getitem__)
        st.caption(texts.text("memory.merge_help", {"name": f"\u2068{plain(entity.name)}\u2069"}))
        st.button(texts.text("memory.merge"), key=f"{key}-do", type="primary", on_click=attempt(_merge))


def _draw_split(texts: Language, memory: EntityMemory, card: Card) -> None:
    """Draw the splitting off of the mentions that are written in one way."""
    entity, key, whose = card.entity, f"split-{card.entity.id}", person()

    def _split() -> None:
        memory.split(whose, entity.id, Named(str(st.session_state[f"{key}-name"]), entity.type))

    with st.popover(texts.text("memory.split"), type="tertiary", key=key):
        if not card.spellings:
            st.caption(texts.text("memory.split_none"))
            return
        st.selectbox(texts.text("memory.split_written"), card.spellings, key=f"{key}-name", filter_mode=None)
        st.caption(texts.text("memory.split_help"))
        st.button(texts.text("memory.split"), key=f"{key}-do", type="primary", on_click=attempt(_split))


def _draw_delete(texts: Language, editor: MemoryEditor, entity: StoredEntity) -> None:
    """Draw the deletion, behind a question."""
    key = f"delete-{entity.id}"
    with st.popover(texts.text("memory.delete"), type="tertiary", key=key):
        st.markdown(texts.text("memory.confirm_delete", {"name": f"\u2068{plain(entity.name)}\u2069"}))
        forget = attempt(partial(editor.forget, person(), entity.id))
        st.button(texts.text("memory.delete"), key=f"{key}-do", type="primary", on_click=forget)

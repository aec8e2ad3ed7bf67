"""Who and what was talked about most, and of which types month by month: bars that are text as well.

They are HTML of their own: a chart on a canvas says nothing to a screen reader and runs from left to right.
"""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Sequence
from datetime import date
from typing import Final

import streamlit as st

from languages import Language
from memory.editing import MemoryEditor
from memory.knowledge.typesets import TypeSet
from memory.memory import EntityMemory
from memory.store.entities import StoredEntity
from rag.pages.session import local_day, person
from rag.safety import without_controls

SHOWN: Final = 10  # entities
MONTHS: Final = 12
_KINDS: Final = 6  # types with a colour of their own; the others share the last


def draw_figures(texts: Language, memory: EntityMemory, editor: MemoryEditor) -> None:
    """Draw the charts."""
    entities = [entity for entity in memory.entities(person()) if entity.mentions > 0]
    if not entities:
        st.markdown(texts.text("memory.nothing_else"))
        return
    types = memory.rules.types
    st.subheader(texts.text("memory.most"), anchor=False)
    st.html(most_mentioned(texts, entities, types))
    st.subheader(texts.text("memory.over_time"), anchor=False)
    when = [(local_day(at), type_) for at, type_ in editor.mentioned_when(person())]
    st.html(by_month(texts, when, types))


def most_mentioned(texts: Language, entities: Sequence[StoredEntity], types: TypeSet) -> str:
    """Return a bar for each of the most mentioned entities, the most mentioned first, as HTML."""
    ranked = sorted(entities, key=lambda entity: (-entity.mentions, entity.name))[:SHOWN]
    longest = max((entity.mentions for entity in ranked), default=1)
    rows = "".join(
        _bar(
            f"{_isolated(entity.name)} <small>{_text(types.label(entity.type, texts.code))}</small>",
            texts.text("remembered.mentions", {"count": str(entity.mentions)}),
            [("", entity.mentions / longest, 0)],
        )
        for entity in ranked
    )
    return f'<ul class="bars" dir="{texts.direction}">{rows}</ul>'


def by_month(texts: Language, when: Sequence[tuple[date, str]], types: TypeSet) -> str:
    """Return a bar for each of the last months, parted by the types of what was mentioned, as HTML."""
    months: dict[date, Counter[str]] = {}
    for day, type_ in when:
        months.setdefault(day.replace(day=1), Counter())[type_] += 1
    last = sorted(months)[-MONTHS:]
    longest = max((months[month].total() for month in last), default=1)
    ranked = [
        type_ for type_, _ in Counter(type_ for month in last for type_ in months[month].elements()).most_common()
    ]
    place = {type_: min(number, _KINDS - 1) for number, type_ in enumerate(ranked)}
    rows = ""
    for month in last:
        counted = [(type_, months[month][type_]) for type_ in ranked if months[month][type_]]
        said = texts.join(
            [f"{types.label(type_, texts.code)} {texts.number(str(n))}" for type_, n in counted], "standard"
        )
        shares = [(types.label(type_, texts.code), n / longest, place[type_]) for type_, n in counted]
        rows += _bar(_text(texts.month(month)), said, shares)
    return f'<ul class="bars" dir="{texts.direction}">{rows}</ul>'


def _bar(label: str, said: str, shares: Sequence[tuple[str, float, int]]) -> str:
    """Return one bar of parts, each (title, share of the longest bar, number of its colour)."""
    parts = "".join(
        f'<span class="kind-{kind}" style="width: {share * 100:.1f}%" title="{html.escape(title)}"></span>'
        for title, share, kind in shares
    )
    return f'<li><span>{label}</span><span class="said">{_text(said)}</span><span class="bar">{parts}</span></li>'


def _isolated(text: str) -> str:
    return f"<bdi>{_text(text)}</bdi>"


def _text(text: str) -> str:
    return html.escape(without_controls(text))

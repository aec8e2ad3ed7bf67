"""What stands in the place of a value: a name, a place, a thing, a sum, read by the kind of its slot."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from languages import quantities
from memory.knowledge.amounts import amount, counted
from memory.knowledge.dates import find_date
from memory.knowledge.proper import read_name, read_organisation, read_person, read_place, read_whereabouts
from memory.knowledge.slot import Slot, Value, skip
from memory.knowledge.things import (
    read_job,
    read_named,
    read_phrase,
    read_plan,
    read_role,
    read_thing,
    read_wanted,
    read_words,
)  # fmt: skip

_OLDEST: Final = 120
_NEAR: Final = 24  # characters in which a number and its unit stand
_CODE = re.compile(r"(?=[\w#/.-]*\d)[^\W_#][\w/.-]{2,}")
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_PHONE = re.compile(r"(?<![\w@])\+?\(?\d[\d\s()/.\-]{5,}\d(?![\w@])")


def read(kind: str, slot: Slot) -> tuple[Value, ...]:
    """Return what stands in a slot of *kind*, a value of ``languages.listening.Slot``; () where it does not fit."""
    return _READERS[kind](slot) if slot.pieces else ()


def _money(slot: Slot) -> tuple[Value, ...]:
    found = amount(slot.message, slot.pieces[0].start, slot.pieces[-1].end, slot.words.code)
    return (Value(*found),) if found is not None else ()


def _count(slot: Slot) -> tuple[Value, ...]:
    first = skip(slot, slot.words.about)
    for piece in slot.pieces[first : first + 1]:
        number = counted(piece.text, slot.words.code)
        if number is not None and piece.key not in slot.words.articles and not _is_size(slot, piece.start):
            return (Value(piece.start, piece.end, float(number)),)
    return ()


def _is_size(slot: Slot, start: int) -> bool:
    """Return whether the number at *start* is of metres or kilograms, and counts nobody."""
    found = quantities(slot.message[start : start + _NEAR], slot.words.code)
    return bool(found) and found[0].start == 0 and found[0].in_base()[1] != "s"


def _age(slot: Slot) -> tuple[Value, ...]:
    alone = len(slot.pieces) - skip(slot, slot.words.about) == 1
    if not alone:
        years = quantities(slot.message[slot.pieces[0].start : slot.pieces[-1].end], slot.words.code)
        alone = any(q.unit == "year" and q.start == 0 for q in years)
    return tuple(value for value in _count(slot) if alone and value.amount is not None and 0 < value.amount < _OLDEST)


def _code(slot: Slot) -> tuple[Value, ...]:
    match = _CODE.search(slot.message, slot.pieces[0].start, slot.pieces[-1].end)
    return (Value(*match.span()),) if match is not None else ()


def _by_pattern(pattern: re.Pattern[str]) -> Callable[[Slot], tuple[Value, ...]]:
    def _found(slot: Slot) -> tuple[Value, ...]:
        match = pattern.search(slot.message, max(0, slot.pieces[0].start - 1))
        return (Value(*match.span()),) if match is not None else ()

    return _found


def _date(slot: Slot) -> tuple[Value, ...]:
    found = find_date(slot.message, slot.pieces[0].start, slot.pieces[-1].end, slot.words.code)
    return (Value(*found),) if found is not None else ()


_READERS: Mapping[str, Callable[[Slot], tuple[Value, ...]]] = MappingProxyType(
    {
        "name": read_name,
        "person": read_person,
        "place": read_place,
        "whereabouts": read_whereabouts,
        "organisation": read_organisation,
        "job": read_job,
        "role": read_role,
        "thing": read_thing,
        "named": read_named,
        "words": read_words,
        "wanted": read_wanted,
        "phrase": read_phrase,
        "money": _money,
        "count": _count,
        "age": _age,
        "code": _code,
        "plan": read_plan,
        "email": _by_pattern(_EMAIL),
        "phone": _by_pattern(_PHONE),
        "date": _date,
    }
)

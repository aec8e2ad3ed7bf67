"""What a person says of a thing: its price, memory, weight and the like, with the unit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from languages import Quantity, fold, quantities
from languages.listening import listening_of
from languages.quantities import spelt_numbers
from memory.knowledge.clauses import Clause, Piece
from memory.knowledge.heard import Heard
from memory.types import Catalog

# What a value is of where no noun says it, by the unit in which it is compared.  A time may be of anything.
_BY_UNIT: Final[Mapping[str, str]] = MappingProxyType(
    {"g": "weight", "mAh": "battery", "Wh": "battery", "MP": "camera", "Hz": "refresh_rate", "Mbit/s": "speed",
     "dB": "noise", "W": "power", "m2": "area", "lm": "brightness", "nit": "brightness"}
)  # fmt: skip
_MOST_MEMORY: Final = 64_000  # megabytes: more is storage, less memory, where only "it has 32 GB" is said


@dataclass(frozen=True, slots=True)
class _Vocabulary:
    it: frozenset[str]
    verbs: Mapping[str, str]
    nouns: tuple[tuple[str, str], ...]
    my: frozenset[str]


@lru_cache(maxsize=16)
def _vocabulary(code: str) -> _Vocabulary:
    own = listening_of(code)
    verbs = {fold(verb): key for key, group in own.states.items() for verb in group}
    nouns = [(fold(noun), key) for key, group in own.attributes.items() for noun in group]
    first = frozenset(fold(w) for name in ("i", "my") for w in own.classes.get(name, ()))
    return _Vocabulary(frozenset(map(fold, own.it)), verbs, tuple(sorted(nouns, key=lambda n: -len(n[0]))), first)


def attributes(message: str, clause: Clause, code: str, catalog: Catalog | None, focus: str) -> Iterator[Heard]:
    """Yield what *clause* says of a thing that it names, or of *focus* where a pronoun stands for it."""
    text = clause.full.text
    if not any(c.isdigit() for c in text) and not clause.full.present & _spelt(code):
        return
    said = _vocabulary(code)
    if clause.full.present & said.my:
        return
    start, end = clause.full.pieces[0].start, clause.full.pieces[-1].end
    found = [q for q in quantities(message, code) if start <= q.start < q.end <= end + 2 and not q.text.isdigit()]
    if not found:
        return
    subject, told_at = _subject(message, clause, said, catalog, focus, found[0].start)
    if not subject:
        return
    rest = "".join(f"{p.key} " for p in clause.full.pieces if p.start >= told_at)
    verb = next((key for word, key in said.verbs.items() if f" {word} " in f" {rest}"), None)
    for quantity in found:
        key = _key(said, rest, verb, quantity)
        if key and (verb is not None or _noun_of(said, rest)):
            yield Heard(
                subject, key, quantity.text, quantity.start, quantity.end, "corrects" if clause.corrects else "states",
                float(quantity.value), quantity.unit,
            )  # fmt: skip


def _subject(
    message: str, clause: Clause, said: _Vocabulary, catalog: Catalog | None, focus: str, before: int
) -> tuple[str, int]:
    """Return the thing that a clause speaks of and from where on it does; "" where it names none or several."""
    start = clause.full.pieces[0].start
    names = list(catalog.find(message)) if catalog is not None else []
    here = [m for m in names if start <= m.start < before]
    if len(here) == 1:
        return here[0].name.name, start
    if here:
        return "", start
    first = clause.full.pieces[0].key
    numbers = [p for p in clause.full.pieces if p.start < before and p.text.isdigit()]
    if numbers:  # "the 15" of the names in the message
        fitting = {m.name.name for m in names if numbers[0].text in fold(m.name.name).split()}
        if len(fitting) == 1:
            return fitting.pop(), start
        if focus and numbers[0].text in fold(focus).split():
            return focus, start
    if focus and any(p.key in said.it for p in clause.full.pieces[:3] if p.start < before):
        return focus, start
    if focus and first in {word.split()[0] for word in said.verbs}:  # بيكلف 900
        return focus, start
    return _written(message, clause, said, before), start


def _written(message: str, clause: Clause, said: _Vocabulary, before: int) -> str:
    """Return a name that is nowhere known: capitals and a number right before the verb."""
    run: list[Piece] = []
    for piece in clause.full.pieces:
        if piece.start >= before or any(piece.key == verb.split()[0] for verb in said.verbs):
            break
        proper = piece.text[:1].isupper() or any(c.isdigit() for c in piece.text)
        opens = not run and piece is clause.full.pieces[0] and not re.search(r"\d", piece.text) and len(piece.text) < 4
        if proper and not opens:
            run.append(piece)
        else:
            run = []
    if len(run) < 2 or not any(c.isdigit() for c in run[-1].text):
        return ""
    return message[run[0].start : run[-1].end]


def _key(said: _Vocabulary, rest: str, verb: str | None, quantity: Quantity) -> str:
    noun = _noun_of(said, rest)
    base, unit = quantity.in_base()
    if quantity.is_money:
        return "price"
    if unit == "MB" and (not noun or noun not in ("memory", "storage")):
        return "memory" if base <= _MOST_MEMORY else "storage"
    if unit in _BY_UNIT and (not noun or unit == "g"):
        return _BY_UNIT[unit]
    if noun and noun != "price":
        return noun
    if quantity.unit == "inch":
        return "screen"
    return verb or ""


def _noun_of(said: _Vocabulary, rest: str) -> str:
    return next((key for noun, key in said.nouns if f" {noun} " in f" {rest}"), "")


@lru_cache(maxsize=16)
def _spelt(code: str) -> frozenset[str]:
    return frozenset(spelt_numbers(code))

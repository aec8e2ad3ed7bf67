"""Products side by side: what the documents of one language state of each, attribute by attribute, with its sources.

The rows are the properties that reading found in tables, lists and labelled lines (``Name.attributes``).  Where
documents call one property by two names it is one row; where they state different values, all are shown.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final

from languages import codes, fold, quantities
from memory.types import Attribute, Name
from rag.answer.overview import ATTRIBUTES
from rag.answer.questions import stated
from rag.answer.stems import stems

_NO_PRODUCTS: Final = frozenset({"PERSON", "LOCATION", "ORGANIZATION"})
_LEAST: Final = 2  # properties of a thing that can be compared
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")  # with which a spreadsheet begins to calculate


@dataclass(frozen=True, slots=True)
class Value:
    """A value as it is written, and the documents that state it."""

    text: str
    documents: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One attribute of all products, ``cells`` in their order; an empty cell is not stated.

    ``attribute`` is its id in ``questions.toml``, "" where it has none; ``keys`` are its names in the documents.
    """

    label: str
    cells: tuple[tuple[Value, ...], ...]
    attribute: str = ""
    keys: tuple[str, ...] = ()
    language: str = field(default="")

    @property
    def differs(self) -> bool:
        """Return whether two products have different values."""
        said = [cell[0].text for cell in self.cells if cell]
        return any(not agree(one, other, self.language) for one, other in combinations(said, 2))

    @property
    def is_whole(self) -> bool:
        """Return whether a value is stated of every product."""
        return all(self.cells)


def products(names: Iterable[Name]) -> tuple[Name, ...]:
    """Return the known things that can be compared, by name: no people, no places, and something is known of each."""
    found = (
        name
        for name in names
        if name.type not in _NO_PRODUCTS and len({fold(each.key) for each in name.attributes}) >= _LEAST
    )
    return tuple(sorted(found, key=lambda name: fold(name.name)))


def languages_of(chosen: Sequence[Name], languages: Mapping[str, str]) -> tuple[str, ...]:
    """Return the languages of the documents about *chosen* by how many of them they speak of, the most first.

    *languages* says in which language each document is.
    """
    counts = Counter(
        code for name in chosen for code in {languages.get(each.document, "") for each in name.attributes} if code
    )
    order = (*codes(), *sorted(set(counts) - set(codes())))  # of as many, as the languages are listed everywhere
    return tuple(sorted(counts, key=lambda code: (-counts[code], order.index(code))))


def side_by_side(chosen: Sequence[Name], languages: Mapping[str, str], code: str) -> tuple[Row, ...]:
    """Return what the documents in the language *code* state of *chosen*: what people compare things by first.

    *languages* says in which language each document is.
    """
    labels: dict[str, str] = {}
    found: dict[str, list[list[Attribute]]] = {}
    for place, name in enumerate(chosen):
        for each in name.attributes:
            if languages.get(each.document) != code or not each.value.strip():
                continue
            key = fold(each.key)
            labels.setdefault(key, each.key)
            found.setdefault(key, [[] for _ in chosen])[place].append(each)
    rows = [
        Row(labels[key], tuple(_values(cell, code) for cell in cells), _attribute(labels[key], code), (key,), code)
        for key, cells in found.items()
    ]
    joined = _joined(rows)
    order = {attribute: number for number, attribute in enumerate(ATTRIBUTES)}
    return tuple(
        sorted(joined, key=lambda row: (order.get(row.attribute, len(order)), -sum(map(bool, row.cells))))
    )  # fmt: skip


def agree(one: str, other: str, code: str) -> bool:
    """Return whether two values of an attribute are the same, in whatever spelling or unit, or one says more.

    >>> agree("1.2 kg", "1200 g", "en"), agree("13 inches", "13 inches, 400 nits", "en"), agree("8 GB", "16 GB", "en")
    (True, True, False)
    """
    first, second = (f" {fold(text).replace(',', ' ')} " for text in (one, other))
    if first in second or second in first:
        return True
    bases = [[quantity.in_base() for quantity in quantities(text, code)] for text in (one, other)]
    return bool(bases[0]) and bases[0] == bases[1]


def to_csv(texts_missing: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table as CSV that no spreadsheet takes for formulas; an empty cell is *texts_missing*."""
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    for row in (heads, *rows):
        writer.writerow([_inert(cell or texts_missing) for cell in row])
    return written.getvalue()


def _inert(cell: str) -> str:
    return f"'{cell}" if cell.startswith(_FORMULA) else cell


def _values(stated_values: Sequence[Attribute], code: str) -> tuple[Value, ...]:
    """Return the values that documents state, those that agree as one; the one that most documents state first."""
    groups: list[list[Attribute]] = []
    for each in stated_values:
        group = next((group for group in groups if agree(group[0].value, each.value, code)), None)
        if group is None:
            groups.append([each])
        else:
            group.append(each)
    groups.sort(key=lambda group: -len({each.document for each in group}))
    return tuple(
        Value(max((each.value for each in group), key=len), tuple(dict.fromkeys(each.document for each in group)))
        for group in groups
    )


def _attribute(label: str, code: str) -> str:
    """Return which attribute a label names, "" where it names none or several."""
    named = [name for name, sure in stated(stems(label, code), code).items() if sure >= 1]
    return named[0] if len(named) == 1 else ""


def _joined(rows: Sequence[Row]) -> list[Row]:
    """Return *rows*, those of one attribute as one where they never state different values of one product."""
    kept: list[Row] = []
    for row in rows:
        at = next((n for n, other in enumerate(kept) if row.attribute and _is_one(row, other)), None)
        if at is None:
            kept.append(row)
        else:
            kept[at] = _join(kept[at], row)
    return kept


def _is_one(row: Row, other: Row) -> bool:
    return row.attribute == other.attribute and all(
        not mine or not theirs or agree(mine[0].text, theirs[0].text, row.language)
        for mine, theirs in zip(row.cells, other.cells, strict=True)
    )


def _join(row: Row, other: Row) -> Row:
    cells = tuple(_both(mine, theirs) for mine, theirs in zip(row.cells, other.cells, strict=True))
    label = row.label if sum(map(bool, row.cells)) >= sum(map(bool, other.cells)) else other.label
    return Row(label, cells, row.attribute, (*row.keys, *other.keys), row.language)


def _both(mine: tuple[Value, ...], theirs: tuple[Value, ...]) -> tuple[Value, ...]:
    if not mine or not theirs:
        return mine or theirs
    documents = dict.fromkeys((*mine[0].documents, *theirs[0].documents))
    first = Value(max(mine[0].text, theirs[0].text, key=len), tuple(documents))
    return (first, *mine[1:], *theirs[1:])

"""Numbers from one to another in a text, and whether they hold one asked about: 9.20 m is in "6.50 m to 9.49 m"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise

from languages import fold, words
from languages.quantities import Quantity, quantities
from rag.answer.question_file import read_file

_DASHES = frozenset("-–—")
_BEFORE = 24  # characters before a number in which what bounds it may stand
_BEHIND = 14


@dataclass(frozen=True, slots=True)
class Span:
    """Values from ``least`` to ``most`` (None: no bound), in the unit ``base``."""

    least: Decimal | None
    most: Decimal | None
    base: str

    def holds(self, value: Decimal) -> bool:
        """Return whether *value* lies within, the bounds included."""
        return (self.least is None or value >= self.least) and (self.most is None or value <= self.most)


def measured(text: str, code: str) -> tuple[tuple[Decimal, str], ...]:
    """Return the values with a unit in *text*, each in its base unit; sums of money are none."""
    return tuple(each.in_base() for each in quantities(text, code) if each.unit and not each.is_money)


def spans(text: str, code: str) -> tuple[Span, ...]:
    """Return the ranges of values in *text*, which is in the language *code*.

    >>> [(int(span.least or 0), int(span.most or 0)) for span in spans("11 to 17 kg, or up to 9 kg", "en")]
    [(11000, 17000), (0, 9000)]
    """
    found: list[Span] = []
    held = [each for each in quantities(text, code) if each.unit and not each.is_money]
    taken: set[int] = set()
    for (number, one), (_, other) in pairwise(enumerate(held)):
        (low, base), (high, second) = one.in_base(), other.in_base()
        if number not in taken and base == second and low != high and _joined(text[one.end : other.start], code):
            found.append(Span(min(low, high), max(low, high), base))
            taken |= {number, number + 1}
    for number, each in enumerate(held):
        bound = None if number in taken else _bounded(text, each, code)
        if bound is not None:
            found.append(bound)
    return tuple(found)


def agreement(asked: Sequence[tuple[Decimal, str]], said: Sequence[Span]) -> float:
    """Return 1 where a range *said* holds each value *asked* about, -1 where none does, 0 where there is none."""
    scores = []
    for value, base in asked:
        of_base = [each for each in said if each.base == base]
        if of_base:
            scores.append(1.0 if any(each.holds(value) for each in of_base) else -1.0)
    return min(scores, default=0.0)


def _joined(gap: str, code: str) -> bool:
    """Return whether the text between two values makes a range of them: a dash, or one word for "to"."""
    if gap.strip(" .\u00a0\u202f") in _DASHES:
        return True
    between = [fold(token.text) for token in words(gap)]
    said = {fold(word) for word in read_file(code).periods.to}
    return bool(between) and between[-1] in said and len(between) <= 2 and not re.search(r"[,;.،؛]", gap)


def _bounded(text: str, value: Quantity, code: str) -> Span | None:
    """Return the range that a single value bounds: "up to 8 m"."""
    least, most, least_behind, most_behind = _bounds(code)
    before = fold(text[max(0, value.start - _BEFORE) : value.start])
    behind = fold(text[value.end : value.end + _BEHIND])
    number, base = value.in_base()
    if least_behind.match(behind):
        return Span(number, None, base)
    if most_behind.match(behind):
        return Span(None, number, base)
    upper, lower = most.search(before), least.search(before)
    if upper and (not lower or len(upper[0]) >= len(lower[0])):
        return Span(None, number, base)
    return Span(number, None, base) if lower else None


@lru_cache(maxsize=16)
def _bounds(code: str) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    file = read_file(code).ranges

    def before(phrases: Sequence[str]) -> re.Pattern[str]:
        return re.compile(rf"(?<!\w)(?:{_any(phrases)})\W*\Z")

    def behind(phrases: Sequence[str]) -> re.Pattern[str]:
        return re.compile(rf"\W*(?:{_any(phrases)})(?!\w)")

    return before(file.least), before(file.most), behind(file.least_behind), behind(file.most_behind)


def _any(phrases: Sequence[str]) -> str:
    return "|".join(sorted((re.escape(fold(phrase)) for phrase in phrases), key=len, reverse=True)) or r"(?!)"

"""Days of the week and months in a text, alone and from one to another: "Tuesday to Friday" holds Wednesday.

The names are CLDR's; what joins two of them and words such as "weekend" stand in ``questions.toml``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType
from typing import Final, Literal

from babel import Locale

from languages import fold, load, words
from languages.grammar import hooks_of
from languages.text import Token
from rag.answer.question_file import read_file

Sort = Literal["day", "month"]

_SIZES: Final[Mapping[Sort, int]] = MappingProxyType({"day": 7, "month": 12})
_SEASONS: Final = MappingProxyType({"spring": (2, 4), "summer": (5, 7), "autumn": (8, 10), "winter": (11, 1)})
_BETWEEN: Final = 3  # words between the ends of a period, at most: "July to the 31st of August"
_DASHES: Final = frozenset("-–—")


@dataclass(frozen=True, slots=True)
class Period:
    """Days of the week (0 is Monday) or months (0 is January): those of it."""

    sort: Sort
    held: frozenset[int]


def periods(text: str, code: str) -> tuple[Period, ...]:
    """Return the days, months and stretches of them in *text*, which is in the language *code*.

    >>> [sorted(period.held) for period in periods("Open Friday to Monday, closed in May.", "en")]
    [[0, 4, 5, 6], [4]]
    """
    found: list[Period] = []
    named = [(token, each) for token in words(text) if (each := _named(token.text, code)) is not None]
    skip = False
    for (token, one), (after, other) in pairwise([*named, (None, None)]):
        if skip:
            skip = False
            continue
        if one is None or token is None:
            continue
        if after is not None and other is not None and one.sort == other.sort and _joined(text, token, after, code):
            found.append(Period(one.sort, _stretch(one, other)))
            skip = True
        elif not one.short:
            found.append(Period(one.sort, one.held))
    return tuple(found)


def agreement(asked: Sequence[Period], said: Sequence[Period]) -> float:
    """Return 1 where what is *said* holds the days or months *asked* about, -1 where it is of others, 0 for neither.

    >>> agreement(periods("on Sunday?", "en"), periods("Monday to Friday: 9 to 5", "en"))
    -1.0
    """
    scores = []
    for wanted in asked:
        of_sort = [each for each in said if each.sort == wanted.sort]
        if of_sort:
            scores.append(1.0 if any(2 * len(wanted.held & each.held) > len(wanted.held) for each in of_sort) else -1.0)
    return min(scores, default=0.0)


@dataclass(frozen=True, slots=True)
class _Named:
    """What a word names, and whether it is an abbreviation, which counts only at the end of a stretch."""

    sort: Sort
    held: frozenset[int]
    short: bool = False


def _stretch(first: _Named, last: _Named) -> frozenset[int]:
    size = _SIZES[first.sort]
    start, end = min(first.held), max(last.held)
    return frozenset((start + step) % size for step in range((end - start) % size + 1))


def _joined(text: str, one: Token, other: Token, code: str) -> bool:
    """Return whether *one* to *other* is a stretch: "Mo–Fr", "from 22 December to 3 January"."""
    gap = text[one.end : other.start]
    if gap.strip(" .\u00a0") in _DASHES:
        return True
    between = [fold(token.text) for token in words(gap)]
    joins = _joins(code)
    if len(between) > _BETWEEN or any(mark in gap for mark in ",;،؛"):
        return False
    return any(word in joins for word in between) and all(
        word in joins or word in load(code).stop_words or any(map(str.isdigit, word)) for word in between
    )


@lru_cache(maxsize=16)
def _joins(code: str) -> frozenset[str]:
    return frozenset(fold(word) for word in read_file(code).periods.to)


def _named(word: str, code: str) -> _Named | None:
    table = _table(code)
    folded = fold(word).rstrip(".")
    if word.islower() and folded in load(code).stop_words:  # "dogs may travel"
        return None
    for form in _forms(folded, code):
        if form in table:
            return table[form]
    return None


def _forms(folded: str, code: str) -> Iterator[str]:
    yield folded
    if folded.endswith("s"):  # "Fridays", "freitags"
        yield folded[:-1]
    bare = hooks_of(code).bare(folded)
    if bare != folded:
        yield bare


@lru_cache(maxsize=16)
def _table(code: str) -> Mapping[str, _Named]:
    locale = Locale.parse(load(code).locale)
    found: dict[str, _Named] = {}
    for width, short in (("abbreviated", True), ("wide", False)):
        for context in ("format", "stand-alone"):
            for day, name in locale.days[context][width].items():
                found[fold(name).rstrip(".")] = _Named("day", frozenset({day}), short)
            for month, name in locale.months[context][width].items():
                found[fold(name).rstrip(".")] = _Named("month", frozenset({month - 1}), short)
    weekend = frozenset(_days(locale.weekend_start, locale.weekend_end))
    groups: dict[str, tuple[Sort, frozenset[int]]] = {
        "weekend": ("day", weekend),
        "weekdays": ("day", frozenset(range(7)) - weekend),
        "daily": ("day", frozenset(range(7))),
        **{name: ("month", _stretch_of(first, last)) for name, (first, last) in _SEASONS.items()},
    }
    for name, said in read_file(code).periods.named.items():
        for word in said:
            found[fold(word)] = _Named(*groups[name])
    return MappingProxyType(found)


def _stretch_of(first: int, last: int) -> frozenset[int]:
    return frozenset((first + step) % 12 for step in range((last - first) % 12 + 1))


def _days(first: int, last: int) -> Iterator[int]:
    day = first
    while day != last:
        yield day
        day = (day + 1) % 7
    yield last

"""The shape of a referring expression, and what all who look for one ask: where it stands, in which case."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import dropwhile
from typing import Final, Literal

from languages.grammar import Attached, Comparison, Pronoun
from memory.reference.analysis import Analysis
from memory.reference.words import Word

Kind = Literal[
    "pronoun", "possessive", "demonstrative", "definite", "one", "ordinal", "former", "latter", "other", "both",
    "comparison", "place", "time", "adverb",
]  # fmt: skip
CHOICES: Final = frozenset(("both", "former", "latter", "ordinal", "other", "comparison"))  # pick among several


@dataclass(frozen=True, slots=True)
class Expression:
    """One referring expression: words ``first`` to ``last`` are what an antecedent would replace.

    ``start`` and ``end`` are the offsets reported to people.  Empty ``genders`` and ``numbers`` ask nothing.
    """

    kind: Kind
    first: int
    last: int
    start: int
    end: int
    genders: frozenset[str] = frozenset()
    numbers: frozenset[str] = frozenset()
    animacy: str = "any"
    noun: str = ""
    case: str = "subject"
    count: int = 0
    comparison: Comparison | None = None
    pronoun: Pronoun | None = None
    attached: Attached | None = None
    singular: frozenset[str] = frozenset()  # genders of its singular reading, where it can be a plural as well
    sort: str = ""  # the type of thing that its noun names, where that is known
    rest: str = ""  # what tells "the Lenovo one" apart: the words, as they stand


def span_of(analysis: Analysis, first: int, last: int) -> tuple[int, int]:
    """Return the offsets of words *first* to *last*."""
    return analysis.words[first].start, analysis.words[last].end


def after_openers(analysis: Analysis) -> tuple[Word, ...]:
    """Return the words of the question without "and", "et pour" and the like before the first of its own."""
    return tuple(dropwhile(lambda word: analysis.tongue.has("openers", word.key), analysis.words))


def asks_who(analysis: Analysis) -> bool:
    """Return whether the question begins with "who", «من»."""
    first = next(iter(after_openers(analysis)), None)
    return first is not None and analysis.tongue.has("whos", first.key)


def is_identity(analysis: Analysis, first: int) -> bool:
    """Return whether the question asks who that is which begins at word *first*: "Who is the secretary?"."""
    if analysis.words[first].start in _named_at(analysis):
        return True
    if not asks_who(analysis):
        return False
    tongue = analysis.tongue
    between = [word for word in after_openers(analysis)[1:] if word.index < first]
    copula = not tongue.grammar.copulas or any(tongue.has("copulas", word.key) for word in between)
    return copula and len(between) == bool(tongue.grammar.copulas)


def _named_at(analysis: Analysis) -> frozenset[int]:
    """Return where a phrase begins whose name is asked for: "Comment s'appelle | le médiateur ?"."""
    pattern = analysis.tongue.grammar.namings
    lowered = analysis.text.lower().replace("’", "'")
    if not pattern or len(lowered) != len(analysis.text):
        return frozenset()
    return frozenset(match.start("who") for match in re.finditer(pattern, lowered))


def sort_of(analysis: Analysis, first: int, noun: str) -> str:
    """Return the type of thing that *noun* names: a person's behind "who is", else by the lexicon; "" where unknown."""
    tongue = analysis.tongue
    if is_identity(analysis, first):
        return "PERSON"
    known = tongue.lexicon.kind(noun)
    return known.type if known else ""


def case_at(analysis: Analysis, first: int) -> str:
    """Return the case of a phrase at word *first*: the preposition before it, else subject or object by position."""
    if first == 0:
        return "subject"
    before = analysis.words[first - 1]
    tongue = analysis.tongue
    if tongue.has("prepositions", before.key):
        return before.key
    return "object" if tongue.may_be_verb(before.key) and not before.opens else "subject"

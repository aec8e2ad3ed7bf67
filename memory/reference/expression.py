"""The shape of a referring expression, and what all who look for one ask: where it stands, in which case."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from languages.grammar import Attached, Comparison, Pronoun
from memory.reference.analysis import Analysis

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


def sort_of(analysis: Analysis, first: int, noun: str) -> str:
    """Return the type of thing that *noun* names: a person's behind "who is", else by the lexicon; "" where unknown."""
    tongue, words = analysis.tongue, analysis.words
    asks = 1 if words[0].key not in tongue.sets["openers"] or len(words) < 2 else 2
    if tongue.has("whos", words[asks - 1].key):
        between = [word.key for word in words[asks:first]]
        if between == [] if not tongue.grammar.copulas else len(between) == 1 and tongue.has("copulas", between[0]):
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

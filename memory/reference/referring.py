"""The expressions of a question that may refer back: which they are, where they stand, what they ask of an antecedent.

Decided by grammar and position, never by substring: *il* is in *ville*, *le* is an article before a noun and a pronoun
before a verb, *there* in "is there" refers to nothing.  Whether anything fits is not asked here.
"""

from __future__ import annotations

from languages.grammar import idioms_of, key
from memory.reference.analysis import Analysis
from memory.reference.choosing import asked_at, choice_at, group_at
from memory.reference.descriptions import noun_phrase_at, one_at
from memory.reference.expression import Expression
from memory.reference.pronouns import attached_at, place_or_time_at, possessive_at, pronoun_at
from memory.reference.words import Word


def find_expressions(analysis: Analysis) -> tuple[Expression, ...]:
    """Return the referring expressions in order, not overlapping."""
    blocked = idiom_spans(analysis)
    found: list[Expression] = []
    after = 0
    for word in analysis.words:
        if word.index < after or analysis.in_quotes(word):
            continue
        if analysis.name_at(word.index) is not None and not _opens_one(analysis, word):
            continue
        if any(start <= word.start < end for start, end in blocked):
            continue
        if len(word.text) > 1 and word.text.isupper() and not analysis.text.isupper():
            continue  # IT is a department, not a pronoun
        expression = _at(analysis, word)
        if expression is not None:
            found.append(expression)
            after = expression.last + 1
    return tuple(found)


def idiom_spans(analysis: Analysis) -> tuple[tuple[int, int], ...]:
    """Return where fixed expressions stand whose pronouns mean nothing of their own: "it rains", "that sounds good"."""
    lowered = analysis.text.lower() if analysis.tongue.grammar.letters_folded else key(analysis.text)
    if len(lowered) != len(analysis.text):  # composing changed the length: offsets would lie
        lowered = analysis.text.lower().replace("’", "'")
    return tuple(match.span() for match in idioms_of(analysis.tongue.code).finditer(lowered[:2000]))


def _at(analysis: Analysis, word: Word) -> Expression | None:
    """Return the expression that begins at *word*, or None: the longer and surer readings first."""
    for reading in (
        group_at,
        asked_at,
        one_at,
        choice_at,
        place_or_time_at,
        attached_at,
        possessive_at,
        pronoun_at,
        noun_phrase_at,
    ):
        expression = reading(analysis, word)
        if expression is not None:
            return expression
    return None


def _opens_one(analysis: Analysis, word: Word) -> bool:
    """Return whether a name begins here that only tells "one" apart: "Lenovo one"."""
    span = analysis.name_at(word.index)
    after = span.last + 1 if span is not None else len(analysis.words)
    return after < len(analysis.words) and analysis.tongue.has("ones", analysis.words[after].key)

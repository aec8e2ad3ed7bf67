"""Questions about what was said before, and statements that take something back.

The words are those of ``[recall]`` in ``languages/<code>/questions.toml``.  "What did I say my budget was?" asks for
the person's own words, "What did we say about the warranty?" for past turns; neither asks a document.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from languages import fold, load, sentences
from memory.knowledge.asking import idle_words
from memory.types import Catalog
from rag.answer.question_file import read_file
from rag.answer.questions import GAP, Pattern, pattern_of, stands_in, understand
from rag.answer.stems import stems

Whose = Literal["ours", "yours", "mine"]  # what the two said, the assistant, or the person

_ASKS: Final = ("?", "؟")
_NAME: Final = "X"  # stands for a known name: a gap is four words wide
_NOT_OF_THE_PAST: Final = frozenset({"manner", "reason"})  # "how do I reset it again?"


def asks_what_was_said(question: str, language: str) -> bool:
    """Return whether *question* is about what the person said themself, and about no document.

    >>> asks_what_was_said("What did I say my budget was?", "en"), asks_what_was_said("What is the budget?", "en")
    (True, False)
    """
    pack = _patterns(language)
    return any(
        _stands(part, language, pack.asks) and (pack.spelt is None or pack.spelt.search(fold(part)) is not None)
        for part in _asking(question, language)
    )


def may_ask_what_was_said(question: str, language: str) -> bool:
    """Return whether *question* asks for the person's own words if they said something of the kind.

    >>> may_ask_what_was_said("How big is my kitchen again?", "en"), may_ask_what_was_said("How big is it?", "en")
    (True, False)
    """
    if not any(_stands(part, language, _patterns(language).perhaps) for part in _asking(question, language)):
        return False
    return not set(understand(question, language).kinds) & _NOT_OF_THE_PAST


def asks_past_turns(question: str, language: str, catalog: Catalog | None = None) -> Whose | None:
    """Return whose words of past turns *question* asks for, None where it asks for none.

    >>> asks_past_turns("What did we say about the lamp?", "en"), asks_past_turns("What does it say?", "en")
    ('ours', None)
    """
    for part in _asking(_without_names(question, catalog), language):
        text = stems(part, language)
        for whose, group in _patterns(language).turns:
            if any(stands_in(text, pattern) for pattern in group):
                return whose
    return None


def corrects(statement: str, language: str) -> bool:
    """Return whether *statement* takes something back: "it's Eelsby, not Thornham"."""
    return _stands(statement, language, _patterns(language).corrections)


def changes(statement: str, language: str) -> bool:
    """Return whether *statement* says that something is otherwise by now: "I've switched to the other one"."""
    return _stands(statement, language, _patterns(language).changes)


def asks_for_someone(question: str, language: str) -> bool:
    """Return whether *question* asks who, or for a name."""
    return "person" in understand(question, language).kinds or asks_own_name(question, language)


def asks_own_name(question: str, language: str) -> bool:
    """Return whether a question about what was said is one for the person's name."""
    return _stands(question, language, _patterns(language).names)


def name_stems(language: str) -> frozenset[str]:
    """Return the stems by which a name is asked for."""
    return frozenset(word for pattern in _patterns(language).names for word in pattern)


@lru_cache(maxsize=32)
def asking_stems(language: str) -> frozenset[str]:
    """Return the words and stems that ask for what was said; they name nothing that it was about."""
    said = idle_words(language) | {word for _, group in _patterns(language).turns for p in group for word in p}
    return frozenset(said | {stem for word in said for stem in stems(word, language)})


@dataclass(frozen=True, slots=True)
class _Patterns:
    asks: tuple[Pattern, ...]
    spelt: re.Pattern[str] | None  # the same as written, where stems leave off whose it is: عمري and عمر
    perhaps: tuple[Pattern, ...]
    corrections: tuple[Pattern, ...]
    changes: tuple[Pattern, ...]
    names: tuple[Pattern, ...]
    turns: tuple[tuple[Whose, tuple[Pattern, ...]], ...]


@lru_cache(maxsize=32)
def _patterns(language: str) -> _Patterns:
    words = read_file(language).recall

    def compiled(phrases: Iterable[str]) -> tuple[Pattern, ...]:
        return tuple(dict.fromkeys(pattern_of(phrase, language) for phrase in phrases))

    turns: tuple[tuple[Whose, tuple[Pattern, ...]], ...] = (
        ("yours", compiled(words.yours)), ("mine", compiled(words.mine)), ("ours", compiled(words.ours)),
    )  # fmt: skip
    spelt = None
    if read_file(language).affixes.steps:
        gap = r"\W+(?:\w+\W+){0,4}?"
        said = "|".join(gap.join(re.escape(fold(part)) for part in phrase.split(GAP)) for phrase in words.asks)
        spelt = re.compile(rf"(?<!\w)\w?(?:{said})(?!\w)")  # an "and" may be written on it
    return _Patterns(
        compiled(words.asks), spelt, compiled(words.perhaps), compiled(words.corrections), compiled(words.changes),
        compiled(words.names), turns,
    )  # fmt: skip


def _stands(text: str, language: str, patterns: Iterable[Pattern]) -> bool:
    found = stems(text, language)
    return any(stands_in(found, pattern) for pattern in patterns)


@lru_cache(maxsize=64)  # a turn asks several times of one question
def _asking(question: str, language: str) -> Sequence[str]:
    """Return the sentences of *question* that ask: those with a question mark, else with a word that asks, else all."""
    parts = [span.text for span in sentences(question)]
    marked = [part for part in parts if part.rstrip().endswith(_ASKS)]
    if marked:
        return marked
    asking = {word for phrase in load(language).question_words for word in stems(phrase, language)}
    return [part for part in parts if asking & set(stems(part, language))] or parts


def _without_names(question: str, catalog: Catalog | None) -> str:
    for match in reversed(catalog.find(question) if catalog is not None else ()):
        question = f"{question[: match.start]}{_NAME}{question[match.end :]}"
    return question

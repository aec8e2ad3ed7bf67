"""Which stored fact a question to the memory asks for: "what was my budget again?", "wo wohne ich?"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from languages import fold, load
from languages.listening import listening_of
from memory.knowledge.clauses import View, guards_of, normal_form
from memory.knowledge.templates import anchor_of, compiled

_LONGEST: Final = 300  # characters of a question to the memory


@dataclass(frozen=True, slots=True)
class _Asks:
    key: str
    anchor: frozenset[str]
    pattern: re.Pattern[str]


def key_asked(question: str, language: str) -> str | None:
    """Return the key of what *question* asks of the person themself, None where it asks for something else.

    >>> key_asked("C'était quoi, mon budget ?", "fr"), key_asked("What can I get for my budget?", "en")
    ('budget', None)

    Raises: LanguagePackError where the language's listening.toml cannot be used.
    """
    if len(question) > _LONGEST:
        return None
    whole = normal_form(question, language)
    if not whole.pieces or not _is_asked(question, whole, language):
        return None
    best: tuple[int, str] | None = None
    for entry in _asks_of(language):
        if entry.anchor and not entry.anchor & whole.present:
            continue
        match = entry.pattern.search(whole.text)
        if match is None:
            continue
        first, last = whole.piece_at(match.start()), whole.piece_at(match.end() - 1)
        rest = (*whole.pieces[:first], *whole.pieces[last + 1 :])
        if any(piece.key not in _idle(language) or piece.key in _elsewhere(language) for piece in rest):
            continue
        length = last - first + 1
        if best is None or length > best[0]:
            best = length, entry.key
    return best[1] if best is not None else None


def _is_asked(question: str, whole: View, language: str) -> bool:
    if question.rstrip().endswith(("?", "؟")):
        return True
    asking = load(language).question_words | frozenset(map(fold, listening_of(language).recall))
    return bool(asking & whole.present) or guards_of(language).openers.found(whole.text, whole.present)


@lru_cache(maxsize=16)
def _elsewhere(language: str) -> frozenset[str]:
    return frozenset(map(fold, listening_of(language).elsewhere))


@lru_cache(maxsize=16)
def _idle(language: str) -> frozenset[str]:
    """Return the words that say nothing of what is asked."""
    own = listening_of(language)
    lists = (own.recall, own.closers, own.ands, own.articles)
    listed = {fold(word) for phrases in lists for word in phrases}
    fillers = {fold(word) for phrase in own.fillers for word in phrase.split()}
    first = {fold(word) for word in own.classes.get("i", ())}
    asking = guards_of(language).openers.words
    return load(language).stop_words | listed | fillers | first | asking


@lru_cache(maxsize=16)
def _asks_of(language: str) -> tuple[_Asks, ...]:
    own = guards_of(language).own
    return tuple(
        _Asks(entry.key, anchor_of(text, own), compiled(text, own)) for entry in own.asking for text in entry.asks
    )

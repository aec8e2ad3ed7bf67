"""Which stored fact a question to the memory asks for: "what was my budget again?", "wo wohne ich?"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import Final

from languages import fold, load, sentences
from languages.listening import listening_of
from memory.knowledge.clauses import View, guards_of, normal_form
from memory.knowledge.listening import detail_of
from memory.knowledge.moments import Moment, moment_asked
from memory.knowledge.templates import anchor_of, compiled

_LONGEST: Final = 300  # characters of a question to the memory
_ASKS: Final = ("?", "؟")
_DETAILS: Final = ("relation", "event", "group")


@dataclass(frozen=True, slots=True)
class AskedOfSelf:
    """What a question asks of the person themself: the key, of whom or what (``Heard.detail``), and of which time."""

    key: str
    detail: str = ""
    moment: Moment | None = None


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
    found = _asked_in(question, normal_form(question, language), language)
    return found.key if found is not None else None


def asked_of_self(question: str, language: str, now: datetime) -> AskedOfSelf | None:
    """Return what *question*, or its last sentence, asks of the person themself; None where it asks something else.

    >>> asked_of_self("Hm. And what was my budget before that?", "en", datetime(2026, 5, 1))
    AskedOfSelf(key='budget', detail='', moment=Moment(kind='before', at=None))

    Raises: LanguagePackError.
    """
    for part in _parts(question):
        whole = normal_form(part, language)
        if not any(not entry.anchor or entry.anchor & whole.present for entry in _asks_of(language)):
            continue
        moment, rest = moment_asked(part, whole, language, now)
        found = _asked_in(part, rest, language) if moment is not None else None
        if found is not None:
            return replace(found, moment=moment)
        found = _asked_in(part, whole, language)
        if found is not None:
            return found
    return None


def _parts(question: str) -> Iterator[str]:
    """Yield *question*, its last sentence and what follows a colon in it; the question alone where two are asked."""
    yield question
    spans = [span.text for span in sentences(question)]
    if len(spans) > 1 and not any(text.rstrip().endswith(_ASKS) for text in spans[:-1]):
        yield spans[-1]
    lead, colon, rest = spans[-1].partition(":") if spans else ("", "", "")
    if colon and rest.strip() and not lead.rstrip().endswith(_ASKS):
        yield rest.strip()


def idle_words(language: str) -> frozenset[str]:
    """Return the words of a question to the memory that say nothing of what is asked, folded."""
    return _idle(language)


def _asked_in(question: str, whole: View, language: str) -> AskedOfSelf | None:
    if len(question) > _LONGEST or not whole.pieces or not _is_asked(question, whole, language):
        return None
    best: tuple[int, AskedOfSelf] | None = None
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
            named = ((name, said) for name, said in match.groupdict().items() if said and name in _DETAILS)
            details = [detail_of(language, name, said.strip()) for name, said in named]
            best = length, AskedOfSelf(entry.key, next(filter(None, details), ""))
    return best[1] if best is not None else None


def _is_asked(question: str, whole: View, language: str) -> bool:
    if question.rstrip().endswith(_ASKS):
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

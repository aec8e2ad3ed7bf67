"""Word stems, by which a question and a document are compared: folded, without inflection and attached particles."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

import Stemmer

from languages import fold, load, words
from languages.grammar import grammar_of
from rag.answer.question_file import AffixStep, read_file

_LOCK = threading.Lock()  # one stemmer serves all threads, and is not made for two at once


def stems(text: str, language: str) -> tuple[str, ...]:
    """Return the stem of each word of *text* in order.

    >>> stems("How heavy are the notebooks?", "en")
    ('how', 'heavi', 'are', 'the', 'notebook')
    """
    return tuple(stem(token.text, language) for token in words(text))


@lru_cache(maxsize=65536)
def stem(word: str, language: str) -> str:
    """Return the stem of one word, folded before and after.

    A pack that lists affixes is stemmed by them: Snowball takes the ending of الضمان for a dual's and leaves that of
    ضمان, so that a noun and the same noun with its article part.

    >>> stem("Größen", "de") == stem("Größe", "de"), stem("وضمانه", "ar") == stem("الضمان", "ar")
    (True, True)
    """
    word = _irregular(language).get(fold(word), word)
    steps = read_file(language).affixes.steps
    if steps:
        return _light(fold(word), steps)
    with _LOCK:
        return fold(_stemmer(load(language).stemmer).stemWord(fold(word)))


@lru_cache(maxsize=32)
def _irregular(language: str) -> Mapping[str, str]:
    return MappingProxyType(
        {fold(form): word for word, forms in read_file(language).irregular.items() for form in forms}
    )


@lru_cache(maxsize=32)
def stop_stems(language: str) -> frozenset[str]:
    """Return the folded forms and the stems of the words that say nothing of what a text is about."""
    stops = load(language).stop_words
    return stops | {stem(word, language) for word in stops}


@lru_cache(maxsize=32)
def indefinite_articles(language: str) -> frozenset[str]:
    """Return the stems of "a", "another", "un" and the like; none in a language without them."""
    found = (
        rule.forms for rule in grammar_of(language).determiners if rule.kind == "indefinite" and "p" not in rule.numbers
    )
    return frozenset(stem(form, language) for forms in found for form in forms)


def _light(word: str, steps: tuple[AffixStep, ...]) -> str:
    if word.isascii():  # a name in another script, a number
        return word
    for step in steps:
        fits = word.startswith if step.side == "start" else word.endswith
        most = len(word) - step.leave
        taken = max((len(affix) for affix in step.take if len(affix) <= most and fits(affix)), default=0)
        word = word[taken:] if step.side == "start" else word[: len(word) - taken]
    return word


@lru_cache(maxsize=32)
def _stemmer(name: str) -> Stemmer.Stemmer:
    return Stemmer.Stemmer(name)

"""Word stems, by which a question and a document are compared: folded, without inflection, without elided articles."""

from __future__ import annotations

import threading
from functools import lru_cache

import Stemmer

from languages import fold, load, words

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

    >>> stem("Größen", "de") == stem("Größe", "de")
    True
    """
    with _LOCK:
        return fold(_stemmer(load(language).stemmer).stemWord(fold(word)))


@lru_cache(maxsize=32)
def stop_stems(language: str) -> frozenset[str]:
    """Return the folded forms and the stems of the words that say nothing of what a text is about."""
    stops = load(language).stop_words
    return stops | {stem(word, language) for word in stops}


@lru_cache(maxsize=32)
def _stemmer(name: str) -> Stemmer.Stemmer:
    return Stemmer.Stemmer(name)

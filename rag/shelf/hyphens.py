"""Lines that were broken for want of room, joined; a word that a hyphen broke is whole again."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from functools import lru_cache

from languages import codes, load
from languages.grammar import grammar_of
from languages.text import fold

_SOFT = "\u00ad"
_BROKEN = re.compile(r"(?P<word>[^\W\d_]+(?:-[^\W\d_]+)*)(?P<hyphen>[-\u2010\u00ad])\Z")
_FIRST = re.compile(r"[^\W\d_]+")


def joined(lines: Sequence[str], known: Set[str] = frozenset()) -> str:
    r"""Return *lines* as one; *known* are the words, in small letters, that the document has elsewhere.

    A hyphen stays in a compound that the document writes so, before a capital, and where only the first halves of
    two words stand together.

    >>> joined(["It covers the heating ele-", "ment and the well-", "known lid"], {"well-known"})
    'It covers the heating element and the well-known lid'
    >>> joined(["die Ein-", "und Ausschalter, die Nord-", "Süd-Achse, und est-", "il ?"])
    'die Ein- und Ausschalter, die Nord-Süd-Achse, und est-il ?'
    """
    text = ""
    for line in lines:
        if not text:
            text = line
            continue
        broken = _BROKEN.search(text)
        first = _FIRST.match(line)
        if broken is None or first is None:
            text = f"{text} {line}"
        else:
            text = (
                text[: broken.start()] + _word(broken["word"], broken["hyphen"], first[0], known) + line[first.end() :]
            )
    return text.replace(_SOFT, "")


def _word(before: str, hyphen: str, after: str, known: Set[str]) -> str:
    """Return the end of one line and the beginning of the next as they belong together."""
    if hyphen == _SOFT:
        return before + after
    apart = f"{before}-{after}"
    if not after[:1].islower():
        return apart
    last = before.rpartition("-")[2] + after
    if apart.lower() in known:
        return apart
    if last.lower() in known or fold(last) in _stop_words():
        return before + after
    if fold(after) in _conjunctions():
        return f"{before}- {after}"
    return apart if fold(after) in _stop_words() and hyphen == "-" else before + after


@lru_cache(maxsize=1)
def _stop_words() -> frozenset[str]:
    return frozenset[str]().union(*(load(code).stop_words for code in codes()))


@lru_cache(maxsize=1)
def _conjunctions() -> frozenset[str]:
    """Return the words that join two halves: those for *and* and *or* of every language."""
    grammars = [grammar_of(code) for code in codes()]
    return frozenset(fold(word) for grammar in grammars for word in (*grammar.conjunctions, *grammar.disjunctions))

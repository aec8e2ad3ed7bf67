"""Words and sentences with their offsets, in any of the languages, without being told which.

``fold``, ``fold_map`` and ``clean`` are here for those who read texts; ``languages/folding.py`` holds them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from languages.folding import Folded, clean, fold, fold_map
from languages.pack import codes, load

__all__ = ["Folded", "Span", "Token", "clean", "fold", "fold_map", "sentences", "spellings", "words"]


@dataclass(frozen=True, slots=True)
class Token:
    """A word, number or model name: ``text`` is what stands at ``[start:end]``."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Span:
    """A sentence, list item or line: ``text`` is what stands at ``[start:end]``, without white space around it."""

    text: str
    start: int
    end: int


# Combining marks are no "word characters" to the re module: tashkeel, decomposed accents, Indic vowel signs are added.
_MARKS = (
    r"\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06ed"
    r"\u0900-\u0963\u0966-\u0dff\u1ab0-\u1aff\u1dc0-\u1dff\u200c\u200d\u00ad\ufe20-\ufe2f"
)
_LETTER = rf"(?:[^\W_]|[{_MARKS}])"

_WORD = re.compile(
    rf"""
    # elision, a token of its own:            l'autre   qu’il   d'Alice   jusqu'à
    (?<![\w'’])(?:[cdjlmnstCDJLMNST]|(?:[jJ]us|[lL]ors|[pP]uis|[qQ]uoi)?[qQ]u)['’](?={_LETTER})
    # possessive s, a token of its own:       Lenovo's   what’s
    | (?<=\w)['’][sS](?!\w)
    | {_LETTER}+
      (?:
        # within a number:                    1.199,50   802.11   1٬199٫5
        (?<=\d)[.,\u066b\u066c](?=\d){_LETTER}+
        # groups of a number:                 1 199 (no-break spaces only: plain ones also part two numbers)
        | (?<=\d)[\u00a0\u202f](?=\d\d\d(?!\d)){_LETTER}+
        # before a digit:                     XPS-13   E-204   2025-03-01
        | [-\u2010\u2011](?=\d){_LETTER}+
        # apostrophe within a word:           don't   aujourd'hui
        | ['’](?![sS](?!\w))(?=[^\W\d_]){_LETTER}+
      )*
    """,
    re.VERBOSE,
)

# A run of end marks with the quotes and brackets that close after it, or the end of a line, or a bullet in a line.
# It matches wherever it starts and is judged afterwards: a look-ahead would make long runs quadratic.
_END = re.compile(r"[.!?…؟؛。！？]+(?:[ \u00a0\u202f]?»|[)\]\"'”’“])*|[\n\r\x0b\x0c\x85\u2028\u2029]|[•‣▪◦]")
_SURE = frozenset("؟؛。！？•‣▪◦\n\r\x0b\x0c\x85\u2028\u2029")
_LEAD = re.compile(r"(?:[-*+–—•‣▪◦·]|#{1,6})[ \t]+")
_LAST_WORD = re.compile(r"[^\s(\[\"'«„“”‘’/]+\Z")
_LOOK_BACK = 24  # characters: longer than any abbreviation
_NEXT_WORD = re.compile(r"\s+[(\[\"'«„“‘]*([^\s.,;:!?)]*)")


def words(text: str) -> tuple[Token, ...]:
    """Return the words of *text* in order: runs of letters, digits and marks.

    Numbers and model names stay whole; a hyphen joins only before a digit.

    >>> [token.text for token in words("L'autre XPS-13 à 1.199,50 € ? Compare-le")]
    ["L'", 'autre', 'XPS-13', 'à', '1.199,50', 'Compare', 'le']
    """
    return tuple(
        Token(match.group(), match.start(), match.end()) for match in _WORD.finditer(text) if _is_word(match.group())
    )


def spellings(text: str) -> list[str]:
    """Return the words of *text* as they stand, without their places, in a fraction of the time of ``words``.

    >>> spellings("L'autre XPS-13 à 1.199,50 €")
    ["L'", 'autre', 'XPS-13', 'à', '1.199,50']
    """
    return [word for word in _WORD.findall(text) if word[0].isalnum() or _is_word(word)]


def _is_word(written: str) -> bool:
    """Return whether a match is a word: marks and soft hyphens without a letter are none."""
    return any(map(str.isalnum, written)) or written[0] in "'’"


def sentences(text: str) -> tuple[Span, ...]:
    """Return the sentences of *text* in order; the end of a line and a bullet end one as well.

    >>> [span.text for span in sentences("Mr. Ito zahlt z. B. 3.5 €. Ja! كم السعر؟ لا أعرف.")]
    ['Mr. Ito zahlt z. B. 3.5 €.', 'Ja!', 'كم السعر؟', 'لا أعرف.']
    """
    spans: list[Span] = []
    start = 0
    for end in (*_ends(text), len(text)):
        span = _trimmed(text, start, end)
        if span is not None:
            spans.append(span)
        start = end
    return tuple(spans)


def _ends(text: str) -> Iterator[int]:
    line = 0
    for match in _END.finditer(text):
        mark = match.group()
        if mark[0] in _SURE:
            yield match.end()
            if mark.isspace():
                line = match.end()
        elif match.end() < len(text) and not text[match.end()].isspace():
            continue
        elif mark[-1] not in ".!?…" and _next_is_lower(text, match.end()):
            continue  # “Really?” she asked (and went on.) with it
        elif mark.startswith("...."):
            continue  # leaders of a list of prices
        elif mark != "." or not _dot_goes_on(text, match.start(), line):
            yield match.end()


def _dot_goes_on(text: str, dot: int, line: int) -> bool:
    """Return whether the full stop at *dot* belongs to its word, so that the sentence goes on."""
    before = _LAST_WORD.search(text[max(line, dot - _LOOK_BACK) : dot])
    following = _NEXT_WORD.match(text[dot + 1 : dot + 1 + 2 * _LOOK_BACK])
    if before is None or following is None or not following.group(1):
        return False
    word, next_word = before.group(), following.group(1)
    if _is_lower(next_word):
        return True
    if word.isdigit():
        # "1. Open the box" numbers a line; "am 3. Mai", "die 2. Generation" count.
        first = dot - len(word)
        is_list = first - line < _LOOK_BACK and not text[line:first].strip()
        return is_list or (len(word) <= 2 and fold(next_word) in _ordinal_followers())
    # "M. Roux", "z. B.", "J. K.", "د. سالم"; but "à 8 h. Il part" ends with a unit
    if len(word) == 1 and word.isalpha():
        return not text[max(line, dot - 4) : dot - 1].rstrip()[-1:].isdigit()
    # "e.g.", "U.S."
    if "." in word and all(len(piece) <= 2 and piece.isalpha() for piece in word.split(".")):
        return True
    # Case counts: "So." is Sunday, "so." ends a sentence. At the start of one any may be capitalised.
    return word in _abbreviations() or word[0].lower() + word[1:] in _abbreviations()


def _next_is_lower(text: str, end: int) -> bool:
    following = _NEXT_WORD.match(text[end : end + 2 * _LOOK_BACK])
    return following is not None and following.group(1) != "" and _is_lower(following.group(1))


def _is_lower(word: str) -> bool:
    return word[0].islower() and not any(c.isupper() or c.isdigit() for c in word)


def _trimmed(text: str, start: int, end: int) -> Span | None:
    while start < end and text[start].isspace():
        start += 1
    lead = _LEAD.match(text, start, end)
    if lead is not None:
        start = lead.end()
    while end > start and (text[end - 1].isspace() or text[end - 1] in "•‣▪◦"):
        end -= 1
    while start < end and text[start].isspace():
        start += 1
    return Span(text[start:end], start, end) if start < end and any(c.isalnum() for c in text[start:end]) else None


@lru_cache(maxsize=1)
def _abbreviations() -> frozenset[str]:
    return frozenset(word for code in codes() for word in load(code).abbreviations)


@lru_cache(maxsize=1)
def _ordinal_followers() -> frozenset[str]:
    return frozenset(word for code in codes() for word in load(code).after_ordinal)

"""One way to fold a text for matching, with the way back to the original, and one way to clean it for keeping.

Folding is for comparing only: what people read and what a model is given stays as it was written.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

TATWEEL = "\u0640"

# What compatibility decomposition leaves apart although a reader takes it for the same.
_SAME = MappingProxyType(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u02b9\u02bb\u02bc\u02bd\u00b4\u2032\uff07", "'"),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d", "-"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033", '"'),
        "ß": "ss",
        "ẞ": "ss",
        "œ": "oe",
        "Œ": "oe",
        "æ": "ae",
        "Æ": "ae",
        "ø": "o",
        "Ø": "o",
        "ł": "l",
        "Ł": "l",
        "ı": "i",
        "\u0671": "\u0627",  # ٱ
        "\u0649": "\u064a",  # ى
        "\u06cc": "\u064a",  # Persian yeh
        "\u06a9": "\u0643",  # Persian kaf
        "\u0629": "\u0647",  # ة
        "\u06c1": "\u0647",  # Urdu heh
        "\u066b": ".",  # Arabic decimal separator
        "\u066c": ",",  # Arabic thousands separator
        "\u066a": "%",
        TATWEEL: "",
    }
)

# More marks than this on one letter say nothing; sorting them would take quadratic time (UAX #15 allows 30).
_MOST_MARKS = 16
_MAYBE_MARKS = re.compile(rf"[^\w\s\x00-\x7f]{{{_MOST_MARKS + 1}}}")  # no mark is a word character to the re module

_INVISIBLE = frozenset("\u200b\u2060\u2061\u2062\u2063\u2064\ufeff\ufff9\ufffa\ufffb\u00ad")
_EMBEDDING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text and, for each of its characters, where the original one begins and ends."""

    text: str
    offsets: tuple[int, ...]
    ends: tuple[int, ...]

    def original_span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the original that ``text[start:end]`` stands for, marks on its last letter included.

        >>> fold_map("Größe XL").original_span(0, 6)
        (0, 5)
        """
        if start >= end:
            place = self.offsets[start] if start < len(self.offsets) else (self.ends[-1] if self.ends else 0)
            return place, place
        return self.offsets[start], self.ends[end - 1]


def fold(text: str) -> str:
    """Return *text* as it is compared: no case, no marks, no tatweel, one form of each letter, digit and space.

    >>> fold("Écouteurs « L’Œil » 1٬199٫50")
    'ecouteurs " l\\'oeil " 1,199.50'
    >>> fold("أُسْعَار الطَّابِعَـة") == fold("اسعار الطابعه")
    True
    """
    return " ".join(text.translate(_FOLDED).split())


def fold_map(text: str) -> Folded:
    """Return what ``fold`` makes of *text*, with the way back to the original.

    >>> fold_map("  Été 15").offsets
    (2, 3, 4, 5, 6, 7)
    """
    out: list[str] = []
    offsets: list[int] = []
    ends: list[int] = []
    gap: tuple[int, int] | None = None  # white space seen since the last letter
    for place, character in enumerate(text):
        folded = _fold_character(character)
        if not folded:
            # A mark belongs to the letter before it; an invisible character to nobody.
            if ends and gap is None and ends[-1] == place and _joins(character):
                ends[-1] = place + 1
            continue
        for piece in folded:
            if piece.isspace():
                gap = (gap[0] if gap else place, place + 1)
                continue
            if gap is not None and out:
                out.append(" ")
                offsets.append(gap[0])
                ends.append(gap[1])
            gap = None
            out.append(piece)
            offsets.append(place)
            ends.append(place + 1)
    return Folded("".join(out), tuple(offsets), tuple(ends))


def clean(text: str) -> str:
    """Return *text* as it is safe to keep, show and embed: composed, without controls, tags and lone surrogates.

    Lines stay; so do joiners (emoji, Persian) and single direction marks, which Arabic needs.

    >>> clean("a\\x00b\\u202e c\\r\\nde\\u0301")
    'ab c\\ndé'
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\x0c", "\n").replace("\x0b", "\n")
    if _MAYBE_MARKS.search(text):
        text = _with_few_marks(text)
    return unicodedata.normalize("NFC", text.translate(_KEPT))


def _with_few_marks(text: str) -> str:
    kept: list[str] = []
    marks = 0
    for character in text:
        marks = marks + 1 if unicodedata.combining(character) else 0
        if marks <= _MOST_MARKS:
            kept.append(character)
    return "".join(kept)


_MOST_KEPT = 8192  # characters; what is written with more is no text


class _Folded(dict[int, str]):
    """What each character is folded to, learnt as it is met; ``str.translate`` asks it five times as fast as a call."""

    def __missing__(self, point: int) -> str:
        folded = _fold_character(chr(point))
        if len(self) < _MOST_KEPT:
            self[point] = folded
        return folded


_FOLDED = _Folded()


class _Kept(dict[int, str]):
    """What ``clean`` keeps of each character: itself or nothing."""

    def __missing__(self, point: int) -> str:
        kept = chr(point) if _is_kept(chr(point)) else ""
        if len(self) < _MOST_KEPT:
            self[point] = kept
        return kept


_KEPT = _Kept()


@lru_cache(maxsize=_MOST_KEPT)
def _fold_character(character: str) -> str:
    same = _SAME.get(character)
    if same is not None:
        return same
    if character.isspace():
        return " "
    # Decomposed again after casefold, which may compose (Turkish İ, Greek final sigma with tonos).
    decomposed = unicodedata.normalize("NFKD", character)
    out: list[str] = []
    for piece in unicodedata.normalize("NFKD", decomposed.casefold()):
        digit = unicodedata.decimal(piece, None)
        if digit is not None:
            out.append(str(digit))
        elif piece in _SAME:
            out.append(_SAME[piece])
        elif piece.isspace():
            out.append(" ")
        elif unicodedata.category(piece) not in ("Mn", "Me", "Cf", "Cc", "Cs"):
            out.append(piece)
    return "".join(out)


@lru_cache(maxsize=8192)
def _joins(character: str) -> bool:
    return character == TATWEEL or unicodedata.category(character) in ("Mn", "Me")


@lru_cache(maxsize=8192)
def _is_kept(character: str) -> bool:
    if character in "\n\t":
        return True
    if character in _INVISIBLE or character in _EMBEDDING:
        return False
    point = ord(character)
    if 0xE0000 <= point <= 0xE007F or point & 0xFFFE == 0xFFFE or 0xFDD0 <= point <= 0xFDEF:
        return False
    return unicodedata.category(character) not in ("Cc", "Cs")

"""How names are spelt and found again: pieces with offsets, one key for a name's spellings, clitics written on it.

A *piece* is a run of letters of one script, a number, or a plus sign.  "XPS13", "XPS-13" and "xps 13" have the same
pieces, so they have the same key; a *word* is what stands between spaces, so that "W-44" is one word of two pieces.
No list of names is known here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from languages.text import Folded, fold_map

SOFT = " "  # joins two pieces that may be written apart, together or with a hyphen
HARD = "|"  # stands where more than that parts them: "Tern. 14", "Router (2025)"

_PIECE = re.compile(
    r"""
    \d+(?:[.,]\d+)*                                 # 13   1.4   1,199
    | [\u0620-\u064a\u066e-\u06d3\u06d5\u06fa-\u06ff]+  # Arabic letters: the clitic in "وHilal" is a piece of its own
    | [^\W\d_\u0600-\u06ff]+                          # other letters
    | (?<=\w)\+(?!\w)                               # "Hessen+" is not "Hessen"
    """,
    re.VERBOSE,
)
_PLAIN_GAPS = frozenset(("", " ", "-"))
_SOFT_GAP = re.compile(r"[ \-'_.]?|[ ]?&[ ]?")

# و and ف, then ب ل ك, then the article, which melts with ل: بالآيفون، للآيفون، وبال، فـ.
# Source: the attached particles of Arabic grammar; the interrogative أ is left out, it is hardly written on names.
_PROCLITICS = re.compile(r"[وف]?(?:[بك]?(?:ال)?|ل|لل)")
_SHORT_PROCLITICS = frozenset(("و", "ل", "ول", "فل"))  # بديل is "instead", not "with Dell"
_SHORT = 3  # letters


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a text: ``key`` folded; ``text[start:end]`` is it; how it hangs on the one before."""

    key: str
    start: int
    end: int
    joint: str = HARD  # SOFT or HARD
    glued: bool = False  # nothing at all in between
    tight: bool = False  # no space in between: the same word

    @property
    def is_number(self) -> bool:
        """Return whether this is a number."""
        return self.key[0].isdecimal()

    @property
    def is_arabic(self) -> bool:
        """Return whether this is written in Arabic letters."""
        return "\u0600" <= self.key[0] <= "\u06ff"


def split(text: str) -> tuple[Piece, ...]:
    """Return the pieces of *text* in order.

    >>> [piece.key for piece in split("وHilal: der XPS13-Akku")]
    ['و', 'hilal', 'der', 'xps', '13', 'akku']
    """
    # Most names are plain: folding those changes no offset, and an index of 100,000 is made in a third of the time.
    is_plain = text.isascii() and text.isprintable() and "  " not in text and not text.startswith(" ")
    folded = Folded(text.lower(), (), ()) if is_plain else fold_map(text)
    pieces: list[Piece] = []
    last = -1
    for match in _PIECE.finditer(folded.text):
        start, end = match.span()
        gap = folded.text[last:start] if last >= 0 else "|"
        soft = gap in _PLAIN_GAPS or _SOFT_GAP.fullmatch(gap) is not None
        tight = soft and " " not in gap
        last = end
        if not is_plain:
            start, end = folded.original_span(start, end)
        pieces.append(Piece(match.group(), start, end, SOFT if soft else HARD, not gap, tight))
    return tuple(pieces)


def key_of(pieces: tuple[Piece, ...]) -> str:
    """Return the key of *pieces* in a row, the same for each way to write them together or apart.

    >>> key_of(split("Dr. Roux")), key_of(split("XPS-13")) == key_of(split("xps13"))
    ('dr|roux', True)
    """
    return "".join(piece.joint + piece.key for piece in pieces)[1:]


def words_of(pieces: tuple[Piece, ...]) -> tuple[tuple[Piece, ...], ...]:
    """Return *pieces* in groups, one a word.

    >>> [key_of(word) for word in words_of(split("Formular V-3"))]
    ['formular', 'v 3']
    """
    words: list[list[Piece]] = []
    for piece in pieces:
        if words and piece.tight:
            words[-1].append(piece)
        else:
            words.append([piece])
    return tuple(map(tuple, words))


def is_proclitic(key: str) -> bool:
    """Return whether the whole of *key* is what Arabic writes in front of a name.

    >>> is_proclitic("وال"), is_proclitic("تع")
    (True, False)
    """
    return bool(key) and _PROCLITICS.fullmatch(key) is not None


def without_proclitics(word: str) -> Iterator[tuple[int, str]]:
    """Yield how *word*, in folded Arabic letters, may be proclitics and a name: the letters to skip, and the name.

    >>> list(without_proclitics("للنخيل"))
    [(1, 'لنخيل'), (2, 'نخيل'), (2, 'النخيل')]
    >>> list(without_proclitics("تعديل")), list(without_proclitics("بديل"))
    ([], [])
    """
    for length in range(1, min(4, len(word) - 2) + 1):
        clitics, rest = word[:length], word[length:]
        if not is_proclitic(clitics):
            continue
        defined = clitics.endswith(("ال", "لل"))
        if len(rest) > _SHORT or defined or clitics in _SHORT_PROCLITICS:
            yield length, rest
        if clitics.endswith("لل"):  # the name's own article has melted with the preposition
            yield length, "ال" + rest


def camel_parts(name: str) -> str:
    """Return *name* with the words apart that only capitals part.

    >>> camel_parts("AeroDry 8"), camel_parts("McKay")
    ('Aero Dry 8', 'McKay')
    """
    return re.sub(r"(?<=[^\W\d_]{3})(?<=[a-zà-ÿ])(?=[A-ZÀ-Þ][a-zà-ÿ]{2})", " ", name)

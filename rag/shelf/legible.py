"""Whether a text can be read: letters of another encoding, signs for private use, and characters that were lost.

What is refused here would be indexed, found and quoted as rubbish.  Measured on the demonstration documents and the
conversations' own, of which none comes near a bound.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from rag.errors import DocumentMisencoded
from rag.shelf.blocks import one_line

_SAMPLE: Final = 50_000  # characters
_FEWEST: Final = 3
_SHOWN: Final = 60

# UTF-8 read as cp1252, one letter as two or three signs: "Ã©" for é, "â€™" for ’, "Ø§Ù„" for ال.
_TWICE: Final = re.compile(
    r"[ÃÂ][\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013-\u2122]"
    r"|â[€‚][\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u02c6\u02dc\u2013-\u2122]"
    r"|[ØÙ][\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013-\u2122]"
)
_LATIN: Final = re.compile("[A-Za-z\u00c0-\u024f]")
# A sign amid the Latin letters of a word, as "Gr”áe" for "Größe" from DOS, "Gršsse" from an old Macintosh.  Arabic
# writes its conjunctions on to a quotation: و«ضحى».
_AMID: Final = re.compile(rf"(?<={_LATIN.pattern})[\u0080-\u009f¡-©«-±´¶¸»-¿×÷„”“•†‡‰‹›™˜ƒˆ¤¢£¥](?={_LATIN.pattern})")
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_ARABIC: Final = re.compile("[\u0621-\u064a]")
_LOST: Final = ("\ufffd", "\0")

_MOST_TWICE: Final = 0.01  # of all letters
_MOST_AMID: Final = 0.02  # of all words
_MOST_LOST: Final = 0.01  # of all letters
_MOST_ACCENTS: Final = 0.45  # of the Latin letters; French has 0.05, Vietnamese 0.25, Russian as cp1252 nearly all
_LEAST_ARTICLE: Final = 0.06  # of Arabic letters are alif or lam; in texts 0.22, in Cyrillic of one byte 0.01
_MOST_MIXED: Final = 0.25  # of the words: Arabic and Latin letters in one


def check_letters(name: str, text: str) -> None:
    """Refuse *text* where its letters are not those that were written.

    Raises: DocumentMisencoded.
    """
    found = fault_of(text[:_SAMPLE])
    if found is not None:
        raise misencoded(name, text[max(0, found - 20) : found + 2 * _SHOWN])


def misencoded(name: str, words: str) -> DocumentMisencoded:
    """Return the refusal of a text that reads as *words*."""
    shown = "".join(c for c in one_line(words) if unicodedata.category(c) != "Cc")[:_SHOWN]
    return DocumentMisencoded(
        f"{name} reads as {shown!r}: letters of another encoding, or lost ones; expected words. Open it in the program "
        "that it comes from and save it as UTF-8.",
        {"name": name, "preview": shown},
    )


def fault_of(text: str) -> int | None:
    """Return where the first letter stands that cannot be meant, None where *text* is sound.

    >>> fault_of("Größe und Gewicht"), fault_of("GrÃ¶ÃŸe und HÃ¶he")
    (None, 2)
    """
    words = _WORD.findall(text)
    letters = sum(map(len, words)) or 1
    for pattern, most in ((_TWICE, _MOST_TWICE * letters), (_AMID, _MOST_AMID * len(words))):
        places = [match.start() for match in pattern.finditer(text)]
        if len(places) >= _FEWEST and len(places) > most:
            return places[0]
    lost = [place for place, character in enumerate(text) if character in _LOST or "\ue000" <= character <= "\uf8ff"]
    if len(lost) >= _FEWEST and len(lost) > _MOST_LOST * letters:
        return lost[0]
    latin = _LATIN.findall(text)
    accents = sum(character >= "\u00c0" for character in latin)
    if len(latin) >= 20 and accents > _MOST_ACCENTS * len(latin):
        return text.index(next(character for character in latin if character >= "\u00c0"))
    arabic = _ARABIC.findall(text)
    if len(arabic) >= 40 and sum(letter in "ال" for letter in arabic) < _LEAST_ARTICLE * len(arabic):
        return text.index(arabic[0])
    mixed = [word for word in words if _ARABIC.search(word) and _LATIN.search(word)]
    if len(mixed) >= _FEWEST and len(mixed) > _MOST_MIXED * len(words):
        return text.index(mixed[0])
    return None

"""Names across scripts: whether two words written in different ones sound alike.

Each script's letters and digraphs are put into one class by the packs: كيسترين and Kestrane are both k s t r n.  Short
vowels are not written in every script, but a vowel that one writes must stand in the other: سليم is Salim, not Salma.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from languages import codes
from rag.answer.question_file import read_file

_SHORTEST = 3  # consonants: two are met by chance
_VOWEL = "V"


def alike(word: str, other: str) -> bool:
    """Return whether two folded words are the same, or sound alike in two scripts.

    >>> alike("salma", "سلمي"), alike("salma", "سليم"), alike("salma", "salim")
    (True, False, False)
    """
    if word == other:
        return True
    if word.isascii() == other.isascii():
        return False
    latin, foreign = (sounds(word), sounds(other)) if word.isascii() else (sounds(other), sounds(word))
    if len(latin.replace(_VOWEL, "")) < _SHORTEST or latin.replace(_VOWEL, "") != foreign.replace(_VOWEL, ""):
        return False
    return _vowels(foreign) <= _vowels(latin)


@lru_cache(maxsize=16384)
def sounds(word: str) -> str:
    """Return the sound classes of *word* in order without its article, "" where it has a letter of no known script.

    >>> sounds("kestrane"), sounds("qurashi"), sounds("القرشي")
    ('kVstrVnV', 'kVrVSV', 'krSV')
    """
    letters, articles = _letters()
    longest = max(map(len, letters), default=1)
    article = max(
        (each for each in articles if word.startswith(each) and len(word) > len(each) + 2), key=len, default=""
    )
    found, place = "", len(article)
    while place < len(word):
        piece = next((word[place : place + n] for n in range(longest, 0, -1) if word[place : place + n] in letters), "")
        if not piece:
            return ""
        if not found.endswith(letters[piece]):  # doubled letters are one sound
            found += letters[piece]
        place += len(piece)
    return found


def _vowels(sounds_: str) -> frozenset[int]:
    """Return after how many consonants a vowel stands."""
    return frozenset(len(sounds_[:at].replace(_VOWEL, "")) for at, sound in enumerate(sounds_) if sound == _VOWEL)


@lru_cache(maxsize=1)
def _letters() -> tuple[Mapping[str, str], tuple[str, ...]]:
    files = [read_file(code).sounds for code in codes()]
    letters = {letter: sound for file in files for letter, sound in file.letters.items()}
    return MappingProxyType(letters), tuple(article for file in files for article in file.articles)

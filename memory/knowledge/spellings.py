"""How a name sounds, roughly: names that are spelt otherwise and may be the same are proposed, never joined by this.

Latin letters by the spelling habits of English, French, German and of transcribed Arabic; Arabic letters by their
consonants, since short vowels are not written.  A final vowel is kept: it often tells *Simon* from *Simone*.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from types import MappingProxyType

# In this order: digraphs before single letters.  e stands for any front vowel, o for any back one.
_SOUNDS = (
    ("sch", "$"),
    ("sh", "$"),
    ("ch", "$"),
    ("kh", "x"),
    ("ph", "f"),
    ("th", "t"),
    ("dh", "d"),
    ("gh", "g"),
    ("ck", "k"),
    ("que", "ke"),
    ("ou", "o"),
    ("oo", "o"),
    ("ee", "e"),
    ("ei", "ai"),
    ("ay", "ai"),
    ("aw", "au"),
    ("c", "k"),
    ("q", "k"),
    ("v", "f"),
    ("j", "g"),
    ("z", "s"),
)
_UMLAUTS = (("ae", "a"), ("oe", "o"), ("ue", "u"))
_VOWELS = MappingProxyType({"i": "e", "y": "e", "u": "o", "a": "e"})
_ARABIC = MappingProxyType(
    {
        **dict(zip("بتثجحخدذرزسشصضطظغفقكلمنه", "btTghxdDrss$sdtDgfkklmnh", strict=True)),
        **dict.fromkeys("اعءويئؤ", ""),
    }
)
_IS_ARABIC = re.compile(r"[\u0621-\u064a]")
_FINAL_VOWELS = re.compile(r"[aeiouy]+$")
_LEAST = 2  # consonants: fewer say nothing


def may_be_same(first: Sequence[str], second: Sequence[str]) -> bool:
    """Return whether two names, given as their folded words, may be spellings of one, word by word.

    >>> may_be_same(["muller"], ["mueller"]), may_be_same(["karim"], ["kareem"]), may_be_same(["simon"], ["simone"])
    (True, True, False)
    >>> may_be_same(["سلمي"], ["salma"]), may_be_same(["كريم"], ["karima"])
    (True, False)
    """
    return len(first) == len(second) and all(_alike(one, other) for one, other in zip(first, second, strict=True))


def _alike(one: str, other: str) -> bool:
    if one == other:
        return True
    if any(character.isdigit() for character in one + other) or min(len(one), len(other)) < 3:
        return False
    if _transcribed(one) == _transcribed(other):
        return True
    if bool(_IS_ARABIC.search(one)) != bool(_IS_ARABIC.search(other)):
        return _bones(one) == _bones(other)
    if _IS_ARABIC.search(one):
        return False  # what fold keeps apart in Arabic letters is another word
    return _sound(one) == _sound(other)


def _transcribed(word: str) -> str:
    for pair, letter in _UMLAUTS:
        word = word.replace(pair, letter)
    return word


@lru_cache(maxsize=4096)
def _sound(word: str) -> tuple[str, str]:
    """Return how a word in Latin letters sounds, and the vowels that it ends in, as written."""
    final = _FINAL_VOWELS.search(word.rstrip("h"))
    sounding = word
    for spelling, sound in _SOUNDS:
        sounding = sounding.replace(spelling, sound)
    sounding = re.sub(r"(?<=.)h", "", sounding)
    sounding = re.sub(r"(.)\1+", r"\1", "".join(_inner(sounding)))
    return sounding, final.group().replace("y", "i") if final else ""


def _inner(word: str) -> list[str]:
    """Return the letters of *word* with the vowels that are confused as one; a and o stay apart."""
    return [_VOWELS.get(letter, letter) for letter in word]


@lru_cache(maxsize=4096)
def _bones(word: str) -> tuple[str, bool]:
    """Return the consonants of a word in either script, and whether it ends in a written or spoken *a*.

    >>> _bones("فاطمه") == _bones("fatima"), _bones("خالد") == _bones("khalil")
    (True, False)
    """
    if _IS_ARABIC.search(word):
        ends = word[-1] in "اهي" and len(word) > 2 and word[-2] not in "ا"
        # a final ي is -i or, for ى, -a: both are spoken vowels
        found = "".join(_ARABIC.get(letter, letter) for letter in (word[:-1] if ends else word))
    else:
        plain = word.rstrip("h") if word.endswith("ah") else word
        ends = plain[-1] in "aei"
        for spelling, sound in _SOUNDS:
            plain = plain.replace(spelling, sound)
        # Doubled letters first: those that a vowel parts stay two, as in Layla.
        found = re.sub(r"[aeiouyw]", "", re.sub(r"(.)\1+", r"\1", plain))
    bones = found.lower()
    return (bones if len(bones) >= _LEAST else word), ends

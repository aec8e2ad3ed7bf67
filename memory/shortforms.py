"""Which part of a name may stand for the whole: "Tern 14" for "Brevik Tern 14", a family name for a person.

A short form is a run of a name's words with at least one that is the name's own: no stop word, no common noun, long
enough to mean something.  Whether it fits one name or several is for the catalogue to see; that it stands as a name
in a text, by its capitals, is checked here too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from memory.commonwords import CommonWords
from memory.spelling import Piece, key_of, split, words_of

Word = tuple[Piece, ...]
MOST_WORDS = 8  # a longer name is a title or a sentence; its parts are not names
LEAST_OWN = 3  # letters of a word that a name is known by
_SENTENCE_START = re.compile(r"(?:^|[.!?؟:…\n])[\s\"'«„“‘(\[¿¡*#>-]*\Z")


def short_forms(
    name: str, pieces: tuple[Piece, ...], *, is_person: bool, common: CommonWords
) -> Iterator[tuple[str, bool]]:
    """Yield the key of each run that may stand for *name*, and whether it is the end of the name.

    *pieces* are those of the name.  One word may be missing within a run: "Tern Lite" for "Brevik Tern 14 Lite".

    >>> words = CommonWords(stop=frozenset({"de"}), nouns=frozenset({"agence"}))
    >>> forms = lambda name: [key for key, _ in short_forms(name, split(name), is_person=False, common=words)]
    >>> forms("Brevik Tern 14")
    ['brevik', 'brevik tern', 'brevik 14', 'tern', 'tern 14']
    >>> forms("agence de Nantes")
    ['agence nantes']
    """
    words = words_of(pieces)
    if not 1 < len(words) <= MOST_WORDS:
        return
    particle = [_is_particle(name, word, common) for word in words]
    own = [_is_own(name, word, common) for word in words]
    for start, first in enumerate(words):
        # What follows a preposition is another thing: Nantes is not its agency.
        if any(particle[: start + 1]) or _is_elided(first, common):
            continue
        for end in range(start + 1, len(words) + 1):
            if particle[end - 1] or (start, end) == (0, len(words)) or not any(own[start:end]):
                continue
            if end > start + 1 or _stands_alone(first, is_person=is_person):
                yield key_of(tuple(chain(*words[start:end]))), end == len(words)
        yield from _gapped(words, own, start=start)


def _gapped(words: tuple[Word, ...], own: list[bool], *, start: int) -> Iterator[tuple[str, bool]]:
    for end in range(start + 3, len(words) + 1):
        for gap in range(start + 1, end - 1):
            if any(own[start:gap]) or any(own[gap + 1 : end]):
                rest = words[start:gap] + words[gap + 1 : end]
                yield key_of(tuple(chain(*rest))), end == len(words)


def has_own_word(pieces: tuple[Piece, ...], common: CommonWords) -> bool:
    """Return whether a word of a name is its own: it has a number, or is no common word.

    >>> words = CommonWords(nouns=frozenset({"delivery", "times"}))
    >>> [has_own_word(split(name), words) for name in ("Delivery times", "Delivery 24", "Ostra")]
    [False, True, True]
    """
    return any(piece.is_number or piece.key not in common for piece in pieces)


def _is_own(name: str, word: Word, common: CommonWords) -> bool:
    """Return whether *word* is one that the name is known by."""
    if word[0].is_number:
        return False  # "14", "5G", "2025" are said of anything
    letters = max((piece for piece in word if not piece.is_number), key=lambda piece: len(piece.key))
    if any(piece.is_number for piece in word):
        return len(letters.key) == 1 or letters.key not in common  # "M50", "W-44"
    if letters.key in common:
        return False
    written = name[word[0].start : word[-1].end]
    if written.islower() and not letters.is_arabic:
        return False  # "mise à jour Cobalt"
    return len(letters.key) >= LEAST_OWN


def _stands_alone(word: Word, *, is_person: bool) -> bool:
    if is_person or any(piece.is_number for piece in word):
        return True
    # No capitals tell الأمل, a factory, from hope; and three letters are too often something else.
    return not any(piece.is_arabic for piece in word) and max(len(piece.key) for piece in word) > LEAST_OWN


def _is_particle(name: str, word: Word, common: CommonWords) -> bool:
    """Return whether *word* is a preposition, conjunction or article within the name: "de", "and", "في"."""
    written = name[word[0].start : word[-1].end]
    return key_of(word) in common.stop and (written.islower() or word[0].is_arabic)


def _is_elided(word: Word, common: CommonWords) -> bool:
    return len(word) > 1 and not word[0].is_number and len(word[0].key) <= 2 and word[0].key in common.stop


def stands_as_name(text: str, span: tuple[int, int], *, spelling: str, common: CommonWords) -> bool:
    """Return whether the single word ``text[start:end]`` is written there as the whole name *spelling*.

    A common word must have the name's capitals, and neither because a sentence begins there nor because nouns have
    them: "Garantie" as a heading is not found in each question about a Garantie.
    """
    written = text[slice(*span)]
    if not any(map(str.isupper, spelling)) or not all(piece.key in common for piece in split(written)):
        return True
    if written != spelling or _only_begins(text, span):
        return False
    return _is_all(text, written) or not common.is_capital_noun(written)


def stands_as_short_form(
    text: str, span: tuple[int, int], *, is_first: bool, is_person: bool, common: CommonWords
) -> bool:
    """Return whether the single word ``text[start:end]``, letters alone, is written there as a name.

    It needs a capital that neither the beginning of a sentence nor, where nouns have capitals, a noun explains:
    in "Antrag V-7" the first word says what the thing is (*is_first*), in "Ferienhaus Anker" the last one is its name.
    Where no capitals are written at all, it must be in no dictionary.  First names in dictionaries are rare birds.
    """
    written = text[slice(*span)]
    if not any(map(str.isupper, text)):
        return written.upper() == written or not common.is_word(written)
    if not any(map(str.isupper, written)):
        return written.upper() == written  # a script without capitals
    if is_first and common.is_capital_noun(written):
        return False
    return is_person or not (_only_begins(text, span) and common.is_word(written))


def _only_begins(text: str, span: tuple[int, int]) -> bool:
    """Return whether a sentence of more than this word begins at *span*."""
    begins = _SENTENCE_START.search(text[max(0, span[0] - 20) : span[0]]) is not None
    return begins and not _is_all(text, text[slice(*span)])


def _is_all(text: str, word: str) -> bool:
    return text.strip(" .?!؟") == word

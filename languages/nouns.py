"""Common nouns and what they name: a small hierarchy that the languages share, and each language's words for it.

``kinds.toml`` says what is a kind of what ("laptop" is a "computer" is a "device"); ``<code>/nouns.toml`` gives a
language's words for each kind, so that nouns of two languages can be compared by their id.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from languages.errors import LanguagePackError

_FOLDER = Path(__file__).parent
_GENDERS = frozenset("mfn")
_PLURAL_ONLY = "p"

# What a noun can name; a section of kinds.toml each.
TYPES = (
    "PRODUCT",
    "PART",
    "SERVICE",
    "PERSON",
    "ORGANIZATION",
    "LOCATION",
    "DOCUMENT",
    "EVENT",
    "TIME",
    "MONEY",
    "ATTRIBUTE",
    "ISSUE",
    "OTHER",
)


@dataclass(frozen=True, slots=True)
class Noun:
    """One sense of a common noun.

    ``id`` is the kind it names, the same in every language; ``hypernyms`` are the ids of what that is a kind of,
    nearest first.  ``genders`` of "m", "f", "n": empty where the language has none, two where both are in use.
    """

    id: str
    lemma: str
    type: str
    genders: frozenset[str] = frozenset()
    plurals: tuple[str, ...] = ()
    hypernyms: tuple[str, ...] = ()
    plural_only: bool = False


@dataclass(frozen=True, slots=True)
class Kind:
    """A node of the hierarchy that the languages share."""

    id: str
    type: str
    hypernyms: tuple[str, ...]


@lru_cache(maxsize=1)
def kinds() -> MappingProxyType[str, Kind]:
    """Return the hierarchy by id, hypernyms complete.

    Raises:
        LanguagePackError: where a kind names an unknown type or hypernym.
    """
    path = _FOLDER / "kinds.toml"
    parents: dict[str, tuple[str, ...]] = {}
    types: dict[str, str] = {}
    for section, entries in _read(path).items():
        if section not in TYPES or not isinstance(entries, dict):
            raise LanguagePackError(str(path), section, "is no type of thing.", f"Use one of {', '.join(TYPES)}.")
        for name, above in entries.items():
            parents[name] = tuple(str(above).split())
            types[name] = section
    for name, above in parents.items():
        for parent in above:
            if parent not in parents:
                raise LanguagePackError(
                    str(path), name, f"is put under “{parent}”, which is no kind.", "Add or mend it."
                )
    return MappingProxyType({name: Kind(name, types[name], _above(name, parents)) for name in parents})


@lru_cache(maxsize=16)
def nouns(code: str) -> tuple[Noun, ...]:
    """Return a language's common nouns in the order of its file, the words used most first within a kind.

    A word is written "lemma genders, plural, plural": "Laptop m/n, Laptops"; a gender is left out where the
    language has none, plurals where they follow the language's own rule or there is none.  "p" among the genders
    marks a word that is only plural: "vacances f/p".

    Raises:
        LanguagePackError: where an entry is no kind, or its words are not written so.
    """
    path = _FOLDER / code / "nouns.toml"
    found = []
    known = kinds()
    for name, words in _read(path).items():
        if name not in known:
            raise LanguagePackError(
                str(path), name, "is no kind.", "Use an id of languages/kinds.toml, or add it there."
            )
        if not isinstance(words, str):
            raise LanguagePackError(str(path), name, "is not a line of words.", 'Write "lemma genders, plural; next".')
        found += [_noun(path, known[name], word.strip()) for word in words.split(";") if word.strip()]
    return tuple(found)


def _noun(path: Path, kind: Kind, word: str) -> Noun:
    head, *plurals = (piece.strip() for piece in word.split(","))
    lemma, _, last = head.rpartition(" ")
    marks = frozenset(last.split("/"))
    if not lemma or not marks <= _GENDERS | {_PLURAL_ONLY}:
        lemma, marks = head, frozenset()
    if not lemma or not all(plurals):
        raise LanguagePackError(
            str(path), kind.id, f"has an empty word in “{word}”.", "Write the word, or drop the comma."
        )
    genders = marks & _GENDERS
    return Noun(kind.id, lemma, kind.type, genders, tuple(plurals), kind.hypernyms, _PLURAL_ONLY in marks)


def _above(name: str, parents: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    queue = list(parents[name])
    while queue:
        parent = queue.pop(0)
        if parent not in found:
            found[parent] = None
            queue += parents[parent]
    return tuple(found)


def _read(path: Path) -> dict[str, object]:
    try:
        with path.open("rb") as handle:
            return tomllib.load(handle)
    except FileNotFoundError as error:
        raise LanguagePackError(str(path), "", "is missing.", "Every language has one; copy another's.") from error
    except tomllib.TOMLDecodeError as error:
        raise LanguagePackError(str(path), "", f"is not valid TOML: {error}.", "Mend that line.") from error

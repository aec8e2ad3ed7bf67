"""Titles, roles and first names with the gender of the people they are used of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from pydantic import ConfigDict, TypeAdapter
from pydantic.dataclasses import dataclass as checked

from languages.files import read_checked
from languages.folding import fold
from languages.wordforms import Entry, Features, Lines, WordForms, load_forms, spelling

Gender = Literal["m", "f"]

_FOLDER = Path(__file__).parent


@checked(frozen=True, slots=True, config=ConfigDict(extra="forbid"))
class _File:
    """What people.toml holds: words of the feminine, the masculine, and those that tell nothing."""

    titles_f: tuple[str, ...]
    titles_m: tuple[str, ...]
    roles_f: tuple[str, ...]
    roles_m: tuple[str, ...]
    names_f: tuple[str, ...]
    names_m: tuple[str, ...]
    names_both: tuple[str, ...] = ()
    neutral: tuple[str, ...] = ()  # words for people whose grammatical gender says nothing of them


@dataclass(frozen=True, slots=True)
class People:
    """Who is meant by a title, role or first name in one language; other languages' names are known too."""

    titles: MappingProxyType[str, Gender]
    roles: MappingProxyType[str, Gender]
    names: MappingProxyType[str, Gender | None]
    neutral: frozenset[str]
    more_names: WordForms

    def title_gender(self, words: Sequence[str]) -> Gender | None:
        """Return what the first title among *words* says, or None."""
        for word in words:
            found = self.titles.get(fold(word).rstrip("."))
            if found:
                return found
        return None

    def role_gender(self, words: str) -> Gender | None:
        """Return what a role says that is listed because no rule tells it ("mother", "actress"), or None."""
        whole = fold(words)
        for piece in (whole, *whole.split()):
            if piece in self.roles:
                return self.roles[piece]
        return None

    def name_gender(self, name: str) -> Gender | None:
        """Return the gender of a first name; None where it is unknown or borne by both."""
        key = fold(name)
        if key in self.names:
            return self.names[key]
        features = Features(0)
        for word, found in self.more_names.entries(name):
            if word == spelling(name) or not features:
                features |= found
        genders = features & (Features.MASCULINE | Features.FEMININE)
        if genders == Features.MASCULINE:
            return "m"
        return "f" if genders == Features.FEMININE else None

    def is_neutral(self, word: str) -> bool:
        """Return whether *word* names people of any gender ("personne", "Mitglied")."""
        return fold(word) in self.neutral

    def forms(self) -> Iterator[Entry]:
        """Yield the first names as word forms."""
        for name in self.names:
            yield name, Features.NAME


@lru_cache(maxsize=16)
def people(code: str) -> People:
    """Return a language's titles, roles and first names.

    Raises:
        LanguagePackError: where people.toml is missing or not as it should be.
    """
    file = read_checked(code, "people.toml", TypeAdapter(_File))
    return People(
        _by_gender(file.titles_m, file.titles_f),
        _by_gender(file.roles_m, file.roles_f),
        MappingProxyType({**_by_gender(file.names_m, file.names_f), **dict.fromkeys(map(fold, file.names_both))}),
        frozenset(map(fold, file.neutral)),
        _more_names(),
    )


@lru_cache(maxsize=1)
def _more_names() -> WordForms:
    """Return the first names of all languages together; a name used of both has both genders."""
    path = _FOLDER / "names.xz"
    return load_forms(path) if path.exists() else WordForms(Lines(b""))


def _by_gender(masculine: tuple[str, ...], feminine: tuple[str, ...]) -> MappingProxyType[str, Gender]:
    found: dict[str, Gender] = dict.fromkeys((fold(word).rstrip(".") for word in masculine), "m")
    found.update(dict.fromkeys((fold(word).rstrip(".") for word in feminine), "f"))
    return MappingProxyType(found)

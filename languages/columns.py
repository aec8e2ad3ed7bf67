"""What the columns of tables are called in a language, and what its capital letters say: ``columns.toml``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from pydantic import ConfigDict, TypeAdapter
from pydantic.dataclasses import dataclass as checked

from languages.files import read_checked
from languages.folding import fold
from languages.pack import codes

Role = Literal["name", "brand", "type", "feature", "role", "code"]
# "names": within a sentence only names have a capital; "nouns": all nouns have; "none": the script has no capitals.
Capitals = Literal["names", "nouns", "none"]


@checked(frozen=True, slots=True, config=ConfigDict(extra="forbid"))
class _File:
    """What ``columns.toml`` holds."""

    capitals: Capitals
    name: tuple[str, ...]
    brand: tuple[str, ...]
    type: tuple[str, ...]
    feature: tuple[str, ...]
    role: tuple[str, ...]
    code: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Columns:
    """The words for columns, folded, each with what stands under it."""

    capitals: Capitals
    roles: tuple[tuple[str, Role], ...]

    def role_of(self, heading: str) -> Role | None:
        """Return what stands under *heading*, or None where that is some property."""
        return dict(self.roles).get(fold(heading.partition("(")[0]).strip(" :"))


@lru_cache(maxsize=16)
def columns(code: str) -> Columns:
    """Return the words for columns in a language.

    Raises: LanguagePackError, where its file does not fit.
    """
    file = read_checked(code, "columns.toml", TypeAdapter(_File))
    lists: tuple[tuple[Role, tuple[str, ...]], ...] = (
        ("code", file.code),
        ("role", file.role),
        ("feature", file.feature),
        ("type", file.type),
        ("brand", file.brand),
        ("name", file.name),
    )
    return Columns(file.capitals, tuple((fold(word), role) for role, words in lists for word in words))


def role_of(heading: str, language: str) -> Role | None:
    """Return what stands under *heading* in a table of a document in *language*; other languages' words count too."""
    for code in (language, *codes()):
        found = columns(code).role_of(heading)
        if found:
            return found
    return None

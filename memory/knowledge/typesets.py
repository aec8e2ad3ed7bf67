"""Type sets: which types of thing an application looks for, and how long they stay in its prompts.

``data/types/<name>.toml`` holds one each (commerce, support, hr, general); an application may bring its own file.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from memory.errors import TypeSetInvalid

Value = TypeVar("Value")

FOLDER = Path(__file__).parents[2] / "data" / "types"


@dataclass(frozen=True, slots=True)
class EntityType:
    """A type with what it is called by language, and its time to live, None where it does not expire."""

    id: str
    label: Mapping[str, str] = field(hash=False)
    ttl: timedelta | None = None


@dataclass(frozen=True, slots=True)
class TypeSet:
    """The types of one application."""

    name: str
    types: tuple[EntityType, ...] = ()

    def label(self, type_: str, language: str) -> str:
        """Return what *type_* is called in *language*, the type itself where the set does not know it."""
        found = next((each for each in self.types if each.id == type_), None)
        return found.label.get(language, type_) if found else type_

    def ttl(self, type_: str) -> timedelta | None:
        """Return how long after its last mention an entity of *type_* is still shown to a model."""
        return next((each.ttl for each in self.types if each.id == type_), None)


@lru_cache(maxsize=16)
def read_types(source: str | Path = "general") -> TypeSet:
    """Return the type set of that name, or of that file.

    >>> read_types("commerce").label("PRODUCT", "fr")
    'produit'

    Raises: TypeSetInvalid.
    """
    path = source if isinstance(source, Path) else FOLDER / f"{source}.toml"
    return TypeSet(path.stem, read_tables(path, "type", _type_of, "type set", "id and label; see data/types"))


def read_tables(
    path: Path, key: str, read: Callable[[Mapping[str, Any]], Value], kind: str, expected: str
) -> tuple[Value, ...]:
    """Return what *read* makes of each table ``[[key]]`` of a file of that *kind*, which has what is *expected*.

    Raises: TypeSetInvalid.
    """
    try:
        return tuple(read(table) for table in tomllib.loads(path.read_text(encoding="utf-8"))[key])
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise TypeSetInvalid(
            f"found no {kind} in {path.name!r} ({error}); expected [[{key}]] tables with {expected}",
            {"name": path.name},
        ) from error


def _type_of(table: Mapping[str, Any]) -> EntityType:
    return EntityType(
        str(table["id"]),
        MappingProxyType({str(code): str(text) for code, text in table["label"].items()}),
        timedelta(days=float(table["ttl_days"])) if "ttl_days" in table else None,
    )

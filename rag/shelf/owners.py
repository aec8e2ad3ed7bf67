"""Whose a document is, and what a turn may search.

A document belongs to a shared shelf or to one person.  Nothing here is ever "everything": a person without a
name searches shared shelves only, and a placeholder is an error.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Final, Literal

from rag.errors import OwnerUnknown

OwnerKind = Literal["shelf", "person"]

# What ``Passage.shelf`` says of a person's own documents; no shared shelf may be called so.
OWN = "own"
_PLACEHOLDERS = frozenset({"", "*", "%", "all", "any", "none", "null", "undefined"})
_LONGEST = 200

DEMO: Final = "demo"  # the shelf of the demonstration documents


@dataclass(frozen=True, slots=True)
class Owner:
    """The owner of a document: a shared shelf by its name, or a person by their id.

    Raises: OwnerUnknown, where the name is none.
    """

    kind: OwnerKind
    name: str

    def __post_init__(self) -> None:
        given: object = self.name
        name = given if isinstance(given, str) else ""  # None, from whoever checks no types
        reserved = self.kind == "shelf" and name.strip().lower() == OWN
        if name.strip().lower() in _PLACEHOLDERS or len(name) > _LONGEST or "\0" in name or reserved:
            what = "shelf" if self.kind == "shelf" else "person"
            raise OwnerUnknown(
                f"{name[:40]!r} names no {what}; expected a name of 1 to {_LONGEST} characters that stands for "
                f"one {what}. Name one.",
                {"name": name[:40]},
            )

    @property
    def key(self) -> str:
        """Return the id of the owner's shelf: a hash, whatever the name holds."""
        return hashlib.sha256(f"{self.kind}\0{self.name}".encode("utf-8", "replace")).hexdigest()[:32]

    @property
    def shelf(self) -> str:
        """Return what a passage says of where it stands."""
        return self.name if self.kind == "shelf" else OWN


@dataclass(frozen=True, slots=True)
class Scope:
    """What a turn searches: these shared shelves, and the documents of *person* where there is one.

    Raises: OwnerUnknown for a placeholder; None and "" are nobody.
    """

    shelves: tuple[str, ...] = ("shared",)
    person: str | None = None

    @property
    def owners(self) -> tuple[Owner, ...]:
        """Return the owners whose documents are searched, each once."""
        shared = [Owner("shelf", name) for name in dict.fromkeys(self.shelves)]
        return (*shared, Owner("person", self.person)) if self.person else tuple(shared)

    def owner_of(self, shelf: str) -> Owner:
        """Return the owner of a passage or citation by its ``shelf``, where this scope may see it.

        Raises: OwnerUnknown.
        """
        for owner in self.owners:
            if owner.shelf == shelf:
                return owner
        raise OwnerUnknown(
            f"The shelf {shelf[:40]!r} is not searched here; expected one of "
            f"{', '.join(owner.shelf for owner in self.owners)}.",
            {"name": shelf[:40]},
        )

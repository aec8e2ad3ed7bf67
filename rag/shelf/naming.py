"""Documents to names: what the catalogue knows of the things that a document speaks of."""

from __future__ import annotations

from memory.types import Name
from rag.shelf.blocks import Document


def names_in(document: Document) -> tuple[Name, ...]:
    """Return the names that *document* makes known, the one it is about first."""
    return (Name(document.title),)

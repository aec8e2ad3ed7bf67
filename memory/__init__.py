"""What a conversation is about: reference resolution, the discourse, names, and what is kept of it."""

from memory.catalog import NameIndex
from memory.reference.discourse import Discourse, Mention, Pending
from memory.reference.observe import observe
from memory.reference.reading import Reading, Scorer
from memory.reference.reread import reread
from memory.reference.resolve import resolve
from memory.reference.rewrite import replay
from memory.types import (
    Attribute,
    Candidate,
    Catalog,
    ChatModel,
    Embedder,
    FamilyMatch,
    Link,
    Message,
    Name,
    NameMatch,
    Resolution,
)

__all__ = [
    "Attribute",
    "Candidate",
    "Catalog",
    "ChatModel",
    "Discourse",
    "Embedder",
    "FamilyMatch",
    "Link",
    "Mention",
    "Message",
    "Name",
    "NameIndex",
    "NameMatch",
    "Pending",
    "Reading",
    "Resolution",
    "Scorer",
    "observe",
    "replay",
    "reread",
    "resolve",
]

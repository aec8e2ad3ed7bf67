"""What a conversation is about: reference resolution, the discourse, names, and what is kept of it."""

from memory.catalog import NameIndex
from memory.knowledge.facts import StoredFact
from memory.knowledge.heard import Heard
from memory.knowledge.ranking import EntityContext
from memory.memory import EntityMemory, Listener, MemoryContext, Rules, Said
from memory.reference.discourse import Discourse, Mention, Pending
from memory.reference.observe import observe
from memory.reference.reading import Reading, Scorer
from memory.reference.reread import reread
from memory.reference.resolve import resolve
from memory.reference.rewrite import replay
from memory.store.entities import Named, StoredEntity
from memory.types import (
    Attribute,
    Candidate,
    Catalog,
    ChatModel,
    Embedder,
    Fact,
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
    "EntityContext",
    "EntityMemory",
    "Fact",
    "FamilyMatch",
    "Heard",
    "Link",
    "Listener",
    "MemoryContext",
    "Mention",
    "Message",
    "Name",
    "NameIndex",
    "NameMatch",
    "Named",
    "Pending",
    "Reading",
    "Resolution",
    "Rules",
    "Said",
    "Scorer",
    "StoredEntity",
    "StoredFact",
    "observe",
    "replay",
    "reread",
    "resolve",
]

"""What a conversation is about: reference resolution, the discourse, names, and what is kept of it.

What is kept needs a database, and is imported from ``memory.memory``: whoever resolves references loads none.
"""

from memory.catalog import NameIndex
from memory.knowledge.facts import StoredFact
from memory.knowledge.heard import Heard
from memory.reference.discourse import Discourse, Mention, Pending
from memory.reference.observe import observe, observe_options
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
    "Fact",
    "FamilyMatch",
    "Heard",
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
    "StoredFact",
    "observe",
    "observe_options",
    "replay",
    "reread",
    "resolve",
]

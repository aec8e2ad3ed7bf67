"""Entity memories under the names that people know from elsewhere: ``docs/seeds.md`` says which is what here.

Names, keywords and shapes are theirs; the behaviour is this project's: names are folded and typed, contexts are the
sentences about an entity, texts come in the language asked for, a failing extraction is an outcome that can be seen.
Each memory keeps its own database: in a folder where it is given one (``EntityMemory`` by its ``Keeping``), else in a
temporary one that ends with it.
"""

from memory.faces.conversation import ConversationEntityMemory, Generates
from memory.faces.entitymemory import (
    EntityMemory,
    ExpiringEntityMemory,
    PersistentEntityMemory,
    RAGWithEntityMemory,
    RelationalEntityMemory,
    Searches,
    entity_types,
)
from memory.faces.entitystore import EntityStore, extract_entities
from memory.faces.kept import Keeping
from memory.faces.profile import EntityProfile, Invokes, extract
from memory.faces.shapes import ChatMessage, Entity, merge_entity_attribute

__all__ = [
    "ChatMessage",
    "ConversationEntityMemory",
    "Entity",
    "EntityMemory",
    "EntityProfile",
    "EntityStore",
    "ExpiringEntityMemory",
    "Generates",
    "Invokes",
    "Keeping",
    "PersistentEntityMemory",
    "RAGWithEntityMemory",
    "RelationalEntityMemory",
    "Searches",
    "entity_types",
    "extract",
    "extract_entities",
    "merge_entity_attribute",
]

"""A turn and an entity as mutable records."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from languages.pack import default_code, load
from languages.text import fold
from memory.store.entities import SNIPPETS


@dataclass
class ChatMessage:
    """One turn: what was said, what was answered, when."""

    input: str
    output: str
    timestamp: float = field(default_factory=time.time)
    metadata: dict[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return the turn as plain values."""
        return {
            "input": self.input, "output": self.output, "timestamp": self.timestamp, "metadata": dict(self.metadata)
        }  # fmt: skip

    def to_text(self, language: str = "") -> str:
        """Return the turn as two lines, with the roles in *language*."""
        texts = load(language or default_code())
        return f"{texts.text('role.user')}: {self.input}\n{texts.text('role.assistant')}: {self.output}"


@dataclass
class Entity:
    """A named thing with what was said of it and what is known of it."""

    name: str
    entity_type: str = "OTHER"
    contexts: list[str] = field(default_factory=list)
    first_seen: float = field(default_factory=time.time)
    last_seen: float = field(default_factory=time.time)
    attributes: dict[str, Any] = field(default_factory=dict)
    mentioned_in_turns: list[int] = field(default_factory=list)
    mentions: int = 1

    @property
    def type(self) -> str:
        """Return the type, under its other name."""
        return self.entity_type

    def add_context(self, context: str) -> None:
        """Keep a sentence, once, the newest twenty."""
        known = [each for each in self.contexts if fold(each) != fold(context)]
        self.contexts[:] = [*known, context][-SNIPPETS:]
        self.last_seen = time.time()

    def get_recent_contexts(self, limit: int = 3) -> list[str]:
        """Return the newest *limit* sentences, oldest first; none for 0."""
        return self.contexts[-limit:] if limit > 0 else []

    def update(self, new_attributes: Mapping[str, Any]) -> None:
        """Take over attributes; of two values of one the new one stands."""
        self.attributes.update(new_attributes)
        self.mentions += 1
        self.last_seen = time.time()

    def to_dict(self) -> dict[str, Any]:
        """Return the entity as plain values."""
        return {
            "name": self.name, "type": self.entity_type, "attributes": dict(self.attributes), "mentions": self.mentions
        }  # fmt: skip


def merge_entity_attribute(entity: Entity, key: str, new_value: Any) -> None:
    """Let *new_value* stand under *key*; the value before, if another, stands under ``<key>_previous``."""
    old = entity.attributes.get(key)
    if old is not None and old != new_value:
        entity.attributes[f"{key}_previous"] = old
    entity.attributes[key] = new_value

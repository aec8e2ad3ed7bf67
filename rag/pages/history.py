"""Turns as the store keeps them, made turns again."""

from __future__ import annotations

from functools import lru_cache

from pydantic import TypeAdapter, ValidationError

from memory.store.conversations import StoredTurn
from memory.types import Resolution
from rag.events import Turn


@lru_cache(maxsize=1)
def _shape() -> TypeAdapter[Turn]:
    return TypeAdapter(Turn)


def read_turn(stored: StoredTurn) -> Turn:
    """Return the turn as it was; one that was cut off before it had a record is shown as stopped."""
    try:
        return _shape().validate_python(dict(stored.record))
    except ValidationError:
        question = stored.question
        resolution = Resolution(question, question, "unchanged", language=stored.language)
        return Turn(stored.id, stored.number, question, stored.language, resolution, stopped=True)

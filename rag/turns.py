"""Turns as the store keeps them, a JSON object each, and the same made turns again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Final

from pydantic import TypeAdapter, ValidationError

from memory.store.conversations import NewTurn, StoredTurn
from memory.types import Resolution
from rag.events import Asked, Done, Event, Found, Notice, Piece, Turn, Understood

ANSWER: Final = ("answer", "text")  # where in a turn's record the answer stands
METHOD: Final = ("answer", "method")


@lru_cache(maxsize=1)
def _shape() -> TypeAdapter[Turn]:
    return TypeAdapter(Turn)


def record_of(turn: Turn) -> Mapping[str, object]:
    """Return *turn* as plain JSON values; its discourse is kept beside the record, not in it."""
    record: dict[str, object] = _shape().dump_python(replace(turn, discourse=""), mode="json")
    return record


def new_turn(turn: Turn) -> NewTurn:
    """Return *turn* as the store takes it."""
    return NewTurn(turn.id, turn.question, turn.language, record_of(turn), turn.discourse, turn.stopped)


def turn_of(stored: StoredTurn) -> Turn:
    """Return the turn as it was; one whose record cannot be read is a question without an answer, stopped."""
    try:
        turn = _shape().validate_python(dict(stored.record))
    except ValidationError:
        question = stored.question
        resolution = Resolution(question, question, "unchanged", language=stored.language)
        turn = Turn(stored.id, stored.number, question, stored.language, resolution, stopped=True)
    return replace(turn, number=stored.number, stopped=turn.stopped or stored.stopped, discourse=stored.discourse)


def retell(turn: Turn) -> Iterator[Event]:
    """Yield the events of a turn that is over."""
    yield Understood(turn.resolution)
    if turn.hits:
        yield Found(turn.hits)
    for key in turn.notices:
        yield Notice(key)
    if turn.clarification is not None:
        yield Asked(turn.clarification)
    elif turn.answer is not None:
        yield Piece(turn.answer.text)
    yield Done(turn)

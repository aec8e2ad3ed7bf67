"""What was said in a person's turns, in all their conversations: to search in, and to answer from."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, select

from memory.store.tables import conversations, turns


@dataclass(frozen=True, slots=True)
class SaidTurn:
    """What was said in one turn: the person's message, the answer and how it came about; "" where there was none."""

    id: str
    conversation: str
    question: str
    language: str
    answer: str
    method: str
    created: datetime


def said_by(
    connection: Connection, person: str, places: tuple[tuple[str, ...], tuple[str, ...]], *, limit: int | None
) -> tuple[SaidTurn, ...]:
    """Return the newest *limit* turns of the person, the newest first; all of them without.

    *places* are where the answer's text and its method stand in a turn's record.
    """
    columns = turns.c.id, turns.c.conversation, turns.c.question, turns.c.language
    query = select(*columns, *(turns.c.record[path].as_string() for path in places), turns.c.created)
    query = query.join(conversations, conversations.c.id == turns.c.conversation)
    newest = turns.c.created.desc(), turns.c.number.desc()
    rows = connection.execute(query.where(conversations.c.person == person).order_by(*newest).limit(limit)).all()
    return tuple(SaidTurn(*row[:4], row[4] or "", row[5] or "", row.created) for row in rows)

"""Turns put aside when a question is edited or its answer made again: kept with their conversation, to be looked at.

Every function is given a connection; the caller has seen that the conversation is the person's.  What was learnt from
such turns is taken back, and stays in the history as withdrawn until the conversation is deleted.
"""

from __future__ import annotations

import uuid
from datetime import datetime
from itertools import groupby
from typing import Final

from sqlalchemy import ColumnElement, Connection, Row, delete, insert, select, update

from memory.store.tables import earlier_turns, turns

KEPT: Final = 20  # versions of one place; the oldest go first


def put_aside(connection: Connection, conversation: str, number: int, *, at: datetime) -> tuple[str, ...]:
    """Move the turns from *number* on out of the conversation; return the ids of those that are kept nowhere any more.

    Versions of a place further on were of the turns that go: they are shown where these are.
    """
    further = (earlier_turns.c.conversation == conversation) & (earlier_turns.c.place > number)
    connection.execute(update(earlier_turns).where(further).values(place=number))
    here = (turns.c.conversation == conversation) & (turns.c.number >= number)
    found = connection.execute(select(turns).where(here).order_by(turns.c.number)).mappings().all()
    if found:
        given = {"version": uuid.uuid4().hex, "place": number, "aside": at}
        connection.execute(delete(turns).where(here))
        connection.execute(insert(earlier_turns), [{**row, **given} for row in found])
    return _drop_oldest(connection, conversation, number)


def _drop_oldest(connection: Connection, conversation: str, place: int) -> tuple[str, ...]:
    here = _aside(conversation, earlier_turns.c.place == place)
    query = select(earlier_turns.c.version).where(here).order_by(earlier_turns.c.aside.desc())
    versions = list(dict.fromkeys(row.version for row in connection.execute(query)))
    return drop(connection, conversation, earlier_turns.c.version.in_(versions[KEPT:]))


def drop(connection: Connection, conversation: str, *of: ColumnElement[bool]) -> tuple[str, ...]:
    """Delete the turns put aside in *conversation*, those that fit *of* if given; return their ids."""
    gone = _aside(conversation, *of)
    ids = tuple(row.id for row in connection.execute(select(earlier_turns.c.id).where(gone)))
    connection.execute(delete(earlier_turns).where(gone))
    return ids


def from_place(number: int) -> ColumnElement[bool]:
    """Return what fits the versions that are shown at turn *number* or after it."""
    return earlier_turns.c.place >= number


def rows_aside(connection: Connection, conversation: str) -> list[tuple[int, datetime, list[Row[tuple[object, ...]]]]]:
    """Return each version with its place and when it was put aside, the oldest first, and the rows of its turns."""
    order = earlier_turns.c.aside, earlier_turns.c.version, earlier_turns.c.number
    rows = connection.execute(select(earlier_turns).where(_aside(conversation)).order_by(*order))
    versions = [list(group) for _, group in groupby(rows, key=lambda row: row.version)]
    return [(version[0].place, version[0].aside, [*version]) for version in versions]


def _aside(conversation: str, *of: ColumnElement[bool]) -> ColumnElement[bool]:
    found: ColumnElement[bool] = earlier_turns.c.conversation == conversation
    for each in of:
        found &= each
    return found

"""Turns put aside when a question is edited or its answer made again: kept with their conversation, to be gone back to.

A version is the turns that were put aside at once.  It stands beside the turn that is in its place now, or, where that
one was itself put aside later with what came before it, *within* that version: going back to a version brings back
the versions within it.  What was learnt from such turns is taken back, and learnt again with them.

Every function is given a connection; the caller has seen that the conversation is the person's.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime
from itertools import groupby
from typing import Final

from sqlalchemy import ColumnElement, Connection, Row, delete, insert, select, update

from memory.store.refusals import no_turn, no_version
from memory.store.reviving import learnt_from, revive
from memory.store.tables import earlier_turns, turns
from memory.store.withdrawing import withdraw

KEPT: Final = 20  # versions of one place; the oldest go first
_SHOWN: Final = earlier_turns.c.within == ""  # beside the turns of the conversation


def put_aside(connection: Connection, person: str, conversation: str, *, turn: str, at: datetime) -> None:
    """Move *turn* and those after it out of the conversation, and take back what was learnt from them.

    Raises:
        TurnNotFound: the conversation has no such turn any more.
    """
    query = select(turns.c.number).where(turns.c.conversation == conversation, turns.c.id == turn)
    number = connection.scalar(query)
    if number is None:
        raise no_turn(turn)
    _move_out(connection, person, conversation, number=number, at=at)
    dropped = _drop_oldest(connection, conversation, number)
    withdraw(connection, person, dropped, erase=True, at=at)


def go_back(connection: Connection, person: str, conversation: str, *, version: str, at: datetime) -> None:
    """Put the turns of *version* in the place where they were, and what stands there aside; learn from them again.

    Raises:
        TurnNotFound: no such version stands beside the conversation's turns any more.
    """
    here = _aside(conversation, _SHOWN, earlier_turns.c.version == version)
    rows = connection.execute(select(earlier_turns).where(here).order_by(earlier_turns.c.number)).mappings().all()
    if not rows:
        raise no_version(version)
    _move_out(connection, person, conversation, number=rows[0]["place"], at=at)
    columns = [column.name for column in turns.columns]
    connection.execute(insert(turns), [{name: row[name] for name in columns} for row in rows])
    connection.execute(delete(earlier_turns).where(here))
    inner = _aside(conversation, earlier_turns.c.within == version)
    connection.execute(update(earlier_turns).where(inner).values(within=""))
    for row in rows:
        revive(connection, person, conversation, turn=row["id"], learnt=row["learnt"])


def _move_out(connection: Connection, person: str, conversation: str, *, number: int, at: datetime) -> None:
    """Make the turns from *number* on a version of that place, with the versions of places further on within it."""
    here = (turns.c.conversation == conversation) & (turns.c.number >= number)
    found = connection.execute(select(turns).where(here).order_by(turns.c.number)).mappings().all()
    if not found:
        return
    learnt = {row["id"]: learnt_from(connection, person, row["id"]) for row in found}
    withdraw(connection, person, [row["id"] for row in found], erase=False, at=at)
    version = uuid.uuid4().hex
    further = _aside(conversation, _SHOWN, earlier_turns.c.place > number)
    connection.execute(update(earlier_turns).where(further).values(within=version))
    connection.execute(delete(turns).where(here))
    given = {"version": version, "within": "", "place": number, "aside": at}
    connection.execute(insert(earlier_turns), [{**row, **given, "learnt": learnt[row["id"]]} for row in found])


def _drop_oldest(connection: Connection, conversation: str, place: int) -> tuple[str, ...]:
    here = _aside(conversation, _SHOWN, earlier_turns.c.place == place)
    query = select(earlier_turns.c.version).where(here).order_by(earlier_turns.c.aside.desc())
    versions = list(dict.fromkeys(row.version for row in connection.execute(query)))
    return drop(connection, conversation, earlier_turns.c.version.in_(versions[KEPT:]))


def drop(connection: Connection, conversation: str, *of: ColumnElement[bool]) -> tuple[str, ...]:
    """Delete the turns put aside in *conversation*, those of versions that fit *of* if given; return their ids.

    The versions within them go along.
    """
    ids: list[str] = []
    gone = _aside(conversation, *of)
    while rows := connection.execute(select(earlier_turns.c.id, earlier_turns.c.version).where(gone)).all():
        connection.execute(delete(earlier_turns).where(gone))
        ids += [row.id for row in rows]
        gone = _aside(conversation, earlier_turns.c.within.in_({row.version for row in rows}))
    return tuple(ids)


def beyond(number: int) -> ColumnElement[bool]:
    """Return what fits the versions of turns after turn *number*."""
    return _SHOWN & (earlier_turns.c.place > number)


def rows_aside(connection: Connection, conversation: str) -> list[Sequence[Row[tuple[object, ...]]]]:
    """Return the rows of each version that stands beside the conversation's turns, the first put aside first."""
    order = earlier_turns.c.aside, earlier_turns.c.version, earlier_turns.c.number
    rows = connection.execute(select(earlier_turns).where(_aside(conversation, _SHOWN)).order_by(*order))
    return [list(group) for _, group in groupby(rows, key=lambda row: row.version)]


def _aside(conversation: str, *of: ColumnElement[bool]) -> ColumnElement[bool]:
    found: ColumnElement[bool] = earlier_turns.c.conversation == conversation
    for each in of:
        found &= each
    return found

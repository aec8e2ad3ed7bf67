"""The durable queue of turns that slower extractors still have to read.

A job is leased for a while and leased again when the lease runs out: a worker that was killed loses nothing.  Within a
conversation the jobs are done in their order.  Each carries the epoch of its person; where that is over, it is dropped.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection, and_, delete, exists, func, insert, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite

from memory.store.people import epoch_of
from memory.store.remembered import jobs, outcomes
from memory.store.tables import conversations, turns

LEASE: Final = timedelta(minutes=2)
ATTEMPTS: Final = 3


@dataclass(frozen=True, slots=True)
class Job:
    """A turn to be read, as it stands by now; ``answer`` is not read: what the assistant says states nothing."""

    id: int
    person: str
    epoch: str
    conversation: str
    turn: str
    question: str
    language: str
    attempts: int


def enqueue(connection: Connection, person: str, conversation: str, turn: str, at: datetime) -> None:
    """Put a kept turn into the queue, once."""
    make = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    row = {
        "person": person,
        "epoch": epoch_of(connection, person) or "",
        "conversation": conversation,
        "turn": turn,
        "created": at,
    }
    connection.execute(make(jobs).values(row).on_conflict_do_nothing())


def lease(connection: Connection, worker: str, now: datetime, *, lasting: timedelta = LEASE) -> Job | None:
    """Return the next job, leased to *worker* until *now* + *lasting*; None where none is due.

    A job that was leased ``ATTEMPTS`` times and never finished is dropped and counted.
    """
    given_up = connection.execute(
        delete(jobs).where(jobs.c.attempts >= ATTEMPTS, or_(jobs.c.leased_until.is_(None), jobs.c.leased_until <= now))
    ).rowcount
    if given_up:
        count(connection, "queue", "given up", given_up)
    earlier = jobs.alias()
    waiting = exists().where(earlier.c.conversation == jobs.c.conversation, earlier.c.id < jobs.c.id)
    free = or_(jobs.c.leased_until.is_(None), jobs.c.leased_until <= now)
    due = (
        select(jobs, turns.c.question, turns.c.language)
        .join(turns, turns.c.id == jobs.c.turn)
        .join(conversations, and_(conversations.c.id == turns.c.conversation, conversations.c.person == jobs.c.person))
        .where(free, ~waiting)
        .order_by(jobs.c.id)
        .limit(1)
    )
    row = connection.execute(due).one_or_none()
    if row is None:
        return None
    values = {"leased_until": now + lasting, "worker": worker, "attempts": jobs.c.attempts + 1}
    connection.execute(update(jobs).where(jobs.c.id == row.id, jobs.c.person == row.person).values(values))
    return Job(row.id, row.person, row.epoch, row.conversation, row.turn, row.question, row.language, row.attempts + 1)


def finish(connection: Connection, job: Job, worker: str) -> bool:
    """Return whether *job* is still *worker*'s and of its person's present epoch; it leaves the queue then.

    False means that nothing of its result may be kept.
    """
    mine = and_(jobs.c.id == job.id, jobs.c.person == job.person, jobs.c.worker == worker, jobs.c.turn == job.turn)
    if epoch_of(connection, job.person) != job.epoch:
        connection.execute(delete(jobs).where(mine))
        return False
    return connection.execute(delete(jobs).where(mine)).rowcount == 1


def waiting(connection: Connection, person: str | None = None) -> int:
    """Return how many jobs are in the queue, of *person* or of everyone."""
    query = select(func.count()).select_from(jobs)
    found: int = connection.scalar(query if person is None else query.where(jobs.c.person == person)) or 0
    return found


def count(connection: Connection, extractor: str, outcome: str, number: int = 1) -> None:
    """Count an outcome."""
    same = and_(outcomes.c.extractor == extractor[:80], outcomes.c.outcome == outcome)
    if not connection.execute(update(outcomes).where(same).values(count=outcomes.c.count + number)).rowcount:
        connection.execute(insert(outcomes).values(extractor=extractor[:80], outcome=outcome, count=number))


def counted(connection: Connection) -> dict[tuple[str, str], int]:
    """Return how often each extractor ended how."""
    rows = connection.execute(select(outcomes).order_by(outcomes.c.extractor, outcomes.c.outcome))
    return {(row.extractor, row.outcome): row._mapping["count"] for row in rows}

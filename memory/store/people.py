"""A person in SQL: their epoch, all that is kept of them, and its erasure."""

from __future__ import annotations

import logging
import time
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, Table, delete, select

from memory.errors import StoreBusy
from memory.store.database import Database
from memory.store.remembered import (
    entities,
    entity_keys,
    facts,
    identity_changes,
    jobs,
    mentions,
    relation_evidence,
    relations,
    snippets,
)
from memory.store.tables import (
    conversations,
    documents,
    earlier_turns,
    names,
    passages,
    people,
    shelves,
    thumbs,
    turns,
    unanswered,
    usage,
)

log = logging.getLogger(__name__)

SCRUBBING_S: Final = 60.0  # how long readers and writers are waited for
_PAUSE_S: Final = 0.1
_EXPORTED: Final[tuple[Table, ...]] = (
    conversations, entities, entity_keys, mentions, snippets, facts, relations, relation_evidence, identity_changes,
    jobs, thumbs, unanswered, usage,
)  # fmt: skip


def epoch_of(connection: Connection, person: str) -> str | None:
    """Return the person's epoch, None where nothing is known of them."""
    found: str | None = connection.scalar(select(people.c.epoch).where(people.c.id == person))
    return found


def export(connection: Connection, person: str) -> dict[str, Any]:
    """Return all that is kept of *person* as plain JSON values, a list a table."""
    found: dict[str, Any] = {"person": person}
    for table in _EXPORTED:
        query = select(table).where(table.c.person == person)
        found[table.name] = [_plain(row._mapping) for row in connection.execute(query)]
    mine = select(conversations.c.id).where(conversations.c.person == person)
    query = select(turns).where(turns.c.conversation.in_(mine)).order_by(turns.c.conversation, turns.c.number)
    found["turns"] = [_plain(row._mapping) for row in connection.execute(query)]
    query = select(earlier_turns).where(earlier_turns.c.conversation.in_(mine))
    found["earlier_turns"] = [_plain(row._mapping) for row in connection.execute(query.order_by(earlier_turns.c.aside))]
    own = select(shelves.c.id).where(shelves.c.owner_kind == "person", shelves.c.owner == person)
    kept = select(documents).where(documents.c.shelf.in_(own))
    found["documents"] = [_plain(row._mapping) for row in connection.execute(kept)]
    return found


def is_known(connection: Connection, person: str) -> bool:
    """Return whether anything is kept of *person*."""
    own = select(shelves.c.id).where(shelves.c.owner_kind == "person", shelves.c.owner == person)
    return epoch_of(connection, person) is not None or connection.scalar(own) is not None


def erase(connection: Connection, person: str) -> None:
    """Delete every row of *person*: memory, conversations, queue, documents.

    A trace is left in the files until ``scrub``.
    """
    own = select(shelves.c.id).where(shelves.c.owner_kind == "person", shelves.c.owner == person)
    kept = select(documents.c.id).where(documents.c.shelf.in_(own))
    for table in (names, passages):
        connection.execute(delete(table).where(table.c.document.in_(kept)))
    connection.execute(delete(documents).where(documents.c.shelf.in_(own)))
    connection.execute(delete(shelves).where(shelves.c.owner_kind == "person", shelves.c.owner == person))
    connection.execute(delete(people).where(people.c.id == person))  # the rest goes with it


def scrub(database: Database, *, waiting_s: float = SCRUBBING_S) -> None:
    """Leave no trace of what was erased in the files, however long others read and write, *waiting_s* at most.

    Raises: StoreBusy where somebody kept reading what is to go for longer.
    """
    end = time.monotonic() + waiting_s
    while True:
        try:
            database.scrub()
            return
        except StoreBusy:
            if time.monotonic() > end:
                raise
            log.info("scrubbing waits for a reader")
            time.sleep(_PAUSE_S)


def _plain(row: Any) -> dict[str, Any]:
    return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in row.items()}

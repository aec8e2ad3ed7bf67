"""What a person sees and changes by hand of what is remembered of them, entity by entity and fact by fact.

``EntityMemory`` learns from turns; this corrects what it has learnt.  Each change is one transaction on what is there
at that moment: two pages that change different things at once both keep their change.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from sqlalchemy import Connection

from memory.errors import EntityNotFound
from memory.knowledge.facts import SELF, Statement, StoredFact
from memory.store import editing
from memory.store import entities as store
from memory.store.conversations import keep_person, utc_now
from memory.store.database import Database
from memory.store.editing import StoredMention
from memory.store.entities import StoredEntity
from memory.store.facts import Place, fact_history, state


class MemoryEditor:
    """Corrections of the memory of a database, for any number of people; safe to share between threads."""

    def __init__(self, database: Database, *, now: Callable[[], datetime] = utc_now) -> None:
        self._database = database
        self._now = now

    def is_paused(self, person: str) -> bool:
        """Return whether nothing new is learnt of *person* for now; what is known is used all the same."""
        with self._database.read() as connection:
            return editing.is_paused(connection, person)

    def pause(self, person: str, paused: bool) -> None:
        """Learn nothing new of *person* from the next turn on, or learn again."""
        with self._database.write() as connection:
            keep_person(connection, person, now=self._now())
            editing.pause(connection, person, paused)

    def find(self, person: str, entity: str) -> StoredEntity | None:
        """Return the entity of that id, None where *person* has none."""
        with self._database.read() as connection:
            return store.by_ids(connection, person, (entity,)).get(entity)

    def mentions(self, person: str, entity: str) -> tuple[StoredMention, ...]:
        """Return where the entity of that id was mentioned, the newest first, and not more than can be looked at."""
        with self._database.read() as connection:
            return editing.mentions_of(connection, person, entity)

    def history(self, person: str, entity: str = SELF) -> tuple[StoredFact, ...]:
        """Return all that was ever stated of the entity of that id, or of the person, oldest first."""
        with self._database.read() as connection:
            return fact_history(connection, person, entity)

    def sentences(self, person: str, entity: str, *, limit: int) -> tuple[str, ...]:
        """Return the newest sentences about the entity of that id, at most *limit*, oldest first."""
        with self._database.read() as connection:
            return store.snippets_of(connection, person, (entity,), each=limit).get(entity, ())

    def mentioned_when(self, person: str) -> tuple[tuple[datetime, str], ...]:
        """Return the moment of every mention with the type of what was mentioned, in order."""
        with self._database.read() as connection:
            return editing.mentioned_when(connection, person)

    def rename(self, person: str, entity: str, *, name: str, type_: str, aliases: Sequence[str]) -> None:
        """Give the entity of that id a name, a type and the other names that lead to it.

        A name that it had stays one of them unless it is left out of *aliases* and was one before.

        Raises: EntityNotFound; NameTaken where another entity of that type has the name.
        """
        with self._database.write() as connection:
            found = _found(connection, person, entity)
            editing.set_aliases(connection, person, found, aliases)
            found = _found(connection, person, entity)
            if (found.name, found.type) != (name, type_):
                editing.rename(connection, person, found, name=name, type_=type_)

    def forget(self, person: str, entity: str) -> None:
        """Delete the entity of that id with all that is known of it; conversations stay as they are.

        Raises: EntityNotFound.
        """
        with self._database.write() as connection:
            editing.forget_entity(connection, person, _found(connection, person, entity).id)

    def state(self, person: str, key: str, value: str, entity: str = SELF) -> None:
        """Let *value* hold under *key*, of the person or of the entity of that id.

        Raises: EntityNotFound.
        """
        with self._database.write() as connection:
            now = self._now()
            keep_person(connection, person, now=now)
            if entity != SELF:
                _found(connection, person, entity)
            state(connection, person, (Statement(entity, key, value),), Place("", "", now))

    def restate(self, person: str, fact: int, value: str) -> None:
        """Let *value* hold where the fact of that id held; what stood there stays in the history.

        Raises: FactNotFound where that fact does not hold any more.
        """
        with self._database.write() as connection:
            editing.restate(connection, person, fact, value, self._now())

    def forget_fact(self, person: str, fact: int) -> None:
        """Delete a fact that holds, with what it had replaced.

        Raises: FactNotFound where that fact does not hold any more.
        """
        with self._database.write() as connection:
            editing.forget_fact(connection, person, fact)


def _found(connection: Connection, person: str, entity: str) -> StoredEntity:
    found = store.by_ids(connection, person, (entity,)).get(entity)
    if found is None:
        raise EntityNotFound("found no such entity; expected one of this person; look at what is remembered")
    return found

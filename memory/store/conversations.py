"""Conversations and their turns in SQL; every call names the person, and sees only what is theirs.

A turn is kept while it streams: ``add_turn`` with ``stopped=True`` before the first word, ``update_turn`` as it
goes, and once more with ``stopped=False`` when it is whole.  A process killed in between leaves a stopped turn.
What a turn's record means is not known here: it is a JSON object, read and written by the caller.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from sqlalchemy import ColumnElement, Connection, Row, delete, func, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite

from memory.errors import TurnNotLatest
from memory.store import versions
from memory.store.database import Database
from memory.store.refusals import no_conversation, no_turn, taken
from memory.store.said import SaidTurn, said_by
from memory.store.tables import conversations, people, turns
from memory.store.titles import title_of
from memory.store.withdrawing import withdraw

LOCAL_PERSON = "local"  # whoever uses the page or the terminal of this machine without signing in
Also = Callable[[Connection], object]  # what is kept in the same transaction as a turn
LISTED = 200


@dataclass(frozen=True, slots=True)
class StoredConversation:
    """One conversation, without its turns."""

    id: str
    person: str
    title: str  # the first question, shortened, until it is renamed; "" before the first turn
    language: str
    created: datetime
    updated: datetime


@dataclass(frozen=True, slots=True)
class NewTurn:
    """A turn to be kept: ``record`` is the whole turn as a JSON object, ``discourse`` the state after it."""

    id: str
    question: str
    language: str
    record: Mapping[str, object] = field(default_factory=dict)
    discourse: str = ""
    stopped: bool = False


@dataclass(frozen=True, slots=True)
class StoredTurn:
    """A turn as kept; ``number`` counts from 0 within its conversation."""

    id: str
    conversation: str
    number: int
    question: str
    language: str
    record: Mapping[str, object]
    discourse: str
    stopped: bool
    created: datetime


@dataclass(frozen=True, slots=True)
class Version:
    """Turns put aside at once: where turn number ``place`` stands now, the first of them and what followed it stood."""

    id: str
    place: int
    aside: datetime
    turns: tuple[StoredTurn, ...]


def person_id(issuer: str, subject: str) -> str:
    """Return the id under which a signed-in person is kept: 64 hexadecimal digits, always the same for the two.

    >>> person_id("https://id.example", "7") == person_id("https://id.example7", "")
    False
    """
    return _hash(issuer, subject)


def conversation_id(person: str, name: str) -> str:
    """Return the id of the conversation that *person* calls *name*; for another person it is another one."""
    return _hash("conversation", person, name)


def _hash(*parts: str) -> str:
    # As a JSON list, so that no two splittings of the same letters meet.
    text = json.dumps([unicodedata.normalize("NFC", part) for part in parts])
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def utc_now() -> datetime:
    """Return this moment, aware, in UTC."""
    return datetime.now(UTC)


class Conversations:
    """The conversations of a database.

    Every method that takes an id raises ``ConversationNotFound`` when there is no such conversation or it is
    somebody else's, and a ``StoreError`` when the database fails.
    """

    def __init__(self, database: Database, *, now: Callable[[], datetime] = utc_now) -> None:
        self._database = database
        self._now = now

    def create(self, person: str, language: str, *, conversation: str = "") -> str:
        """Return the id of a new conversation, or *conversation* itself, made unless *person* has it already."""
        conversation = conversation or uuid.uuid4().hex
        now = self._now()
        with self._database.write() as connection:
            keep_person(connection, person, now=now)
            owner = connection.scalar(select(conversations.c.person).where(conversations.c.id == conversation))
            if owner is None:
                row = {"id": conversation, "person": person, "title": "", "language": language}
                connection.execute(insert(conversations).values(row | {"created": now, "updated": now}))
            elif owner != person:
                raise no_conversation(conversation)
        return conversation

    def get(self, conversation: str, person: str) -> StoredConversation:
        """Return the conversation."""
        with self._database.read() as connection:
            return _read_conversation(_owned(connection, conversation, person=person))

    def list(self, person: str, *, limit: int = LISTED) -> tuple[StoredConversation, ...]:
        """Return the person's conversations, the one last used first, at most *limit*."""
        newest = conversations.c.updated.desc(), conversations.c.created.desc(), conversations.c.id
        query = select(conversations).where(conversations.c.person == person).order_by(*newest).limit(limit)
        with self._database.read() as connection:
            return tuple(_read_conversation(row) for row in connection.execute(query))

    def count(self, person: str) -> int:
        """Return how many conversations the person has."""
        query = select(func.count()).select_from(conversations).where(conversations.c.person == person)
        with self._database.read() as connection:
            return int(connection.scalar(query) or 0)

    def restore(self, person: str, title: str, language: str, given: Sequence[NewTurn]) -> str:
        """Return the id of a new conversation of *person* with these turns, whole or not at all.

        Nothing is learnt from them.

        Raises:
            TurnConflict: a turn of one of these ids is kept already.
        """
        conversation, now = uuid.uuid4().hex, self._now()
        rows = [
            {"id": turn.id, "conversation": conversation, "number": number, "created": now} | _content(turn)
            for number, turn in enumerate(given)
        ]
        with self._database.write() as connection:
            keep_person(connection, person, now=now)
            kept = connection.scalar(select(turns.c.id).where(turns.c.id.in_([turn.id for turn in given])).limit(1))
            if kept is not None:
                raise taken(str(kept))
            row = {"id": conversation, "person": person, "title": title.strip(), "language": language}
            connection.execute(insert(conversations).values(row | {"created": now, "updated": now}))
            if rows:
                connection.execute(insert(turns), rows)
        return conversation

    def rename(self, conversation: str, person: str, title: str) -> None:
        """Give the conversation another title."""
        with self._database.write() as connection:
            _owned(connection, conversation, person=person)
            connection.execute(
                update(conversations).where(conversations.c.id == conversation).values(title=title.strip())
            )

    def delete(self, conversation: str, person: str) -> None:
        """Remove the conversation with its turns, those put aside too, and what was learnt from them."""
        with self._database.write() as connection:
            _owned(connection, conversation, person=person)
            aside = versions.drop(connection, conversation)
            self._withdraw(connection, person, turns.c.conversation == conversation, aside=aside)
            connection.execute(delete(conversations).where(conversations.c.id == conversation))

    def add_turn(self, conversation: str, person: str, turn: NewTurn, also: Also | None = None) -> int:
        """Return the number of *turn*, kept as the conversation's next; kept already, it stays as it is.

        *also* writes in the same transaction, unless the turn was kept already.

        Raises:
            TurnConflict: a turn of this id stands in another conversation.
        """
        now = self._now()
        with self._database.write() as connection:
            found = _owned(connection, conversation, person=person, lock=True)
            kept = connection.execute(
                select(turns.c.conversation, turns.c.number).where(turns.c.id == turn.id)
            ).one_or_none()
            if kept is not None and kept.conversation != conversation:
                raise taken(turn.id)
            if kept is not None:
                return int(kept.number)
            last = connection.scalar(select(func.max(turns.c.number)).where(turns.c.conversation == conversation))
            number = 0 if last is None else int(last) + 1
            place = {"id": turn.id, "conversation": conversation, "number": number, "created": now}
            connection.execute(insert(turns).values(place | _content(turn)))
            title = found.title or title_of(turn.question)
            _touch(connection, conversation, {"title": title, "language": turn.language, "updated": now})
            if also is not None:
                also(connection)
            return number

    def update_turn(self, conversation: str, person: str, turn: NewTurn, also: Also | None = None) -> None:
        """Replace what is kept of *turn* by what it is now; its number stays.  *also* writes in the same transaction.

        Raises:
            TurnNotFound: it was never added, or has been cut off since.
        """
        here = (turns.c.id == turn.id) & (turns.c.conversation == conversation)
        with self._database.write() as connection:
            _owned(connection, conversation, person=person)
            if connection.execute(update(turns).where(here).values(_content(turn))).rowcount == 0:
                raise no_turn(turn.id)
            _touch(connection, conversation, {"language": turn.language, "updated": self._now()})
            if also is not None:
                also(connection)

    def replace_last(self, conversation: str, person: str, turn: NewTurn, also: Also | None = None) -> None:
        """Put *turn* in the place of the conversation's last one, which has its id; nothing else is changed.

        *also* writes in the same transaction.

        Raises:
            TurnNotLatest: the conversation's last turn is another one by now.
        """
        last = select(turns.c.id).where(turns.c.conversation == conversation).order_by(turns.c.number.desc()).limit(1)
        with self._database.write() as connection:
            _owned(connection, conversation, person=person, lock=True)
            if connection.scalar(last) != turn.id:
                raise not_latest(turn.id)
            here = (turns.c.id == turn.id) & (turns.c.conversation == conversation)
            connection.execute(update(turns).where(here).values(_content(turn)))
            _touch(connection, conversation, {"language": turn.language, "updated": self._now()})
            if also is not None:
                also(connection)

    def cut(self, conversation: str, person: str, *, number: int) -> None:
        """Remove the turns from *number* on for good, with what was learnt from them and the versions of later turns.

        The earlier versions of turn *number* itself stay: another is about to stand there.
        """
        gone = (turns.c.conversation == conversation) & (turns.c.number >= number)
        with self._database.write() as connection:
            _owned(connection, conversation, person=person)
            aside = versions.drop(connection, conversation, versions.beyond(number))
            self._withdraw(connection, person, gone, aside=aside)
            connection.execute(delete(turns).where(gone))
            _touch(connection, conversation, {"updated": self._now()})

    def put_aside(self, conversation: str, person: str, turn: str) -> None:
        """Take *turn* and those after it out of the conversation, and take back what was learnt from them.

        The question is being edited, or its answer made again; what was there is kept as an earlier version of it.

        Raises:
            TurnNotFound: the conversation has no such turn any more.
        """
        with self._database.write() as connection:
            _owned(connection, conversation, person=person, lock=True)
            versions.put_aside(connection, person, conversation, turn=turn, at=self._now())
            _touch(connection, conversation, {"updated": self._now()})

    def go_back(self, conversation: str, person: str, version: str) -> None:
        """Put the turns of an earlier version where they were, and those that stand there aside.

        What was learnt from the ones is learnt again, what was learnt from the others taken back.

        Raises:
            TurnNotFound: there is no such version of a turn of the conversation any more.
        """
        with self._database.write() as connection:
            _owned(connection, conversation, person=person, lock=True)
            versions.go_back(connection, person, conversation, version=version, at=self._now())
            _touch(connection, conversation, {"updated": self._now()})

    def earlier(self, conversation: str, person: str) -> tuple[Version, ...]:
        """Return the earlier versions of the conversation's turns, the first put aside first."""
        with self._database.read() as connection:
            _owned(connection, conversation, person=person)
            return tuple(
                Version(rows[0].version, rows[0].place, rows[0].aside, tuple(_read_turn(row) for row in rows))
                for rows in versions.rows_aside(connection, conversation)
            )

    def turns(self, conversation: str, person: str) -> tuple[StoredTurn, ...]:
        """Return the conversation's turns in order."""
        query = select(turns).where(turns.c.conversation == conversation).order_by(turns.c.number)
        with self._database.read() as connection:
            _owned(connection, conversation, person=person)
            return tuple(_read_turn(row) for row in connection.execute(query))

    def said(
        self, person: str, *, answer: tuple[str, ...], method: tuple[str, ...], limit: int | None = None
    ) -> tuple[SaidTurn, ...]:
        """Return the newest *limit* turns of all the person's conversations, the newest first; all of them without.

        *answer* and *method* are where these stand in a turn's record.
        """
        with self._database.read() as connection:
            return said_by(connection, person, (answer, method), limit=limit)

    def find_turn(self, conversation: str, person: str, turn: str) -> StoredTurn | None:
        """Return the turn of id *turn*, or None when this conversation has none of that id."""
        query = select(turns).where(turns.c.conversation == conversation, turns.c.id == turn)
        with self._database.read() as connection:
            _owned(connection, conversation, person=person)
            row = connection.execute(query).one_or_none()
            return None if row is None else _read_turn(row)

    def last_discourse(self, conversation: str, person: str, before_turn: int | None = None) -> str:
        """Return the discourse after the last turn, or after the last one before number *before_turn*; "" at first.

        A turn that was killed before it had a discourse is passed over.
        """
        query = select(turns.c.discourse).where(turns.c.conversation == conversation, turns.c.discourse != "")
        if before_turn is not None:
            query = query.where(turns.c.number < before_turn)
        with self._database.read() as connection:
            _owned(connection, conversation, person=person)
            return connection.scalar(query.order_by(turns.c.number.desc()).limit(1)) or ""

    def _withdraw(
        self, connection: Connection, person: str, of: ColumnElement[bool], *, aside: tuple[str, ...] = ()
    ) -> None:
        gone = [row.id for row in connection.execute(select(turns.c.id).where(of))]
        withdraw(connection, person, [*gone, *aside], erase=True, at=self._now())


def not_latest(turn: str) -> TurnNotLatest:
    """Return the refusal to replace a turn that others follow."""
    return TurnNotLatest(
        f"found that turn {turn[:80]!r} is not the conversation's last; expected the last one; reload the conversation"
    )


def keep_person(connection: Connection, person: str, *, now: datetime) -> None:
    """Make the row of *person* unless it is there."""
    make = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    row = {"id": person, "created": now, "epoch": uuid.uuid4().hex}
    connection.execute(make(people).values(row).on_conflict_do_nothing())


def _owned(connection: Connection, conversation: str, *, person: str, lock: bool = False) -> Row[tuple[object, ...]]:
    query = select(conversations).where(conversations.c.id == conversation, conversations.c.person == person)
    row = connection.execute(query.with_for_update() if lock else query).one_or_none()
    if row is None:
        raise no_conversation(conversation)
    return row


def _content(turn: NewTurn) -> dict[str, object]:
    return {
        "question": turn.question,
        "language": turn.language,
        "record": dict(turn.record),
        "discourse": turn.discourse,
        "stopped": turn.stopped,
    }


def _touch(connection: Connection, conversation: str, values: Mapping[str, object]) -> None:
    connection.execute(update(conversations).where(conversations.c.id == conversation).values(values))


def _read_conversation(row: Row[tuple[object, ...]]) -> StoredConversation:
    return StoredConversation(row.id, row.person, row.title, row.language, row.created, row.updated)


def _read_turn(row: Row[tuple[object, ...]]) -> StoredTurn:
    place = row.id, row.conversation, row.number
    return StoredTurn(*place, row.question, row.language, row.record, row.discourse, row.stopped, row.created)

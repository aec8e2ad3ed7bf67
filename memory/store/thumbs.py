"""What people say of answers: a thumb a turn, with a reason and a note; it goes with its turn and its person."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from sqlalchemy import Connection, delete, insert, select

from memory.errors import TurnNotFound
from memory.store.conversations import utc_now
from memory.store.database import Database
from memory.store.tables import conversations, thumbs, turns

Verdict = Literal["up", "down"]
Reason = Literal["", "language", "fact", "source", "reference"]
REASONS: Final[tuple[Reason, ...]] = ("language", "fact", "source", "reference")
LONGEST_NOTE: Final = 1000  # characters; more is a letter


@dataclass(frozen=True, slots=True)
class Thumb:
    """What a person said of an answer: ``reason`` and ``note`` (what would have been right) of one that is down.

    ``language`` is the one they read the page in.
    """

    verdict: Verdict
    reason: Reason = ""
    note: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True)
class GivenThumb:
    """A thumb with the turn it was given for."""

    turn: str
    number: int  # of the turn in its conversation, from 0
    conversation: str
    person: str
    given: datetime
    thumb: Thumb


class Thumbs:
    """The thumbs of a database; each is given by the person whose turn it is, for their own turns alone."""

    def __init__(self, database: Database, *, now: Callable[[], datetime] = utc_now) -> None:
        self._database = database
        self._now = now

    def give(self, turn: str, person: str, thumb: Thumb) -> None:
        """Keep *thumb* for the turn, in the place of one that was given before.

        Raises:
            TurnNotFound: *person* has no such turn.
        """
        with self._database.write() as connection:
            _own(connection, turn, person)
            connection.execute(delete(thumbs).where(thumbs.c.turn == turn))
            row = {"turn": turn, "person": person, "verdict": thumb.verdict, "given": self._now()}
            said = {"reason": thumb.reason, "note": thumb.note.strip()[:LONGEST_NOTE], "language": thumb.language}
            connection.execute(insert(thumbs).values(row | (said if thumb.verdict == "down" else {})))

    def take_back(self, turn: str, person: str) -> None:
        """Forget the thumb of the turn, if there is one.

        Raises:
            TurnNotFound: *person* has no such turn.
        """
        with self._database.write() as connection:
            _own(connection, turn, person)
            drop(connection, turn)

    def of_conversation(self, conversation: str, person: str) -> Mapping[str, Thumb]:
        """Return the thumbs that *person* gave in the conversation, by their turns."""
        return {each.turn: each.thumb for each in self._find(person, conversation)}

    def list(self, person: str | None = None) -> tuple[GivenThumb, ...]:
        """Return all thumbs, or those of *person*: a conversation after the other, in the order of their turns."""
        return self._find(person)

    def _find(self, person: str | None, conversation: str | None = None) -> tuple[GivenThumb, ...]:
        query = select(thumbs, turns.c.number, turns.c.conversation).join(turns, turns.c.id == thumbs.c.turn)
        if person is not None:
            query = query.where(thumbs.c.person == person)
        if conversation is not None:
            query = query.where(turns.c.conversation == conversation)
        with self._database.read() as connection:
            return tuple(
                GivenThumb(
                    row.turn,
                    row.number,
                    row.conversation,
                    row.person,
                    row.given,
                    Thumb(row.verdict, row.reason, row.note, row.language),
                )
                for row in connection.execute(query.order_by(turns.c.conversation, turns.c.number))
            )


def drop(connection: Connection, turn: str) -> None:
    """Remove the thumb of *turn*, if there is one: the turn is another by now."""
    connection.execute(delete(thumbs).where(thumbs.c.turn == turn))


def _own(connection: Connection, turn: str, person: str) -> None:
    """Raise TurnNotFound unless *turn* is one of *person*."""
    query = (
        select(turns.c.id)
        .join(conversations, conversations.c.id == turns.c.conversation)
        .where(turns.c.id == turn, conversations.c.person == person)
    )
    if connection.scalar(query) is None:
        raise TurnNotFound(f"found no turn {turn[:80]!r} of this person; expected one of theirs; reload the page")

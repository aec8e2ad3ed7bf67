"""The questions that no document answered, for whoever looks after the documents; each goes with its turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, insert, select

from memory.errors import TurnNotFound
from memory.store.database import Database
from memory.store.tables import turns, unanswered


@dataclass(frozen=True, slots=True)
class Unanswered:
    """A question that no document answered.

    ``shelves`` are the shared shelves that were searched, ``nearest`` the document there that came nearest, "" where
    none did; ``standalone`` is the question as it was understood.
    """

    turn: str
    person: str
    question: str
    standalone: str
    language: str
    shelves: tuple[str, ...]
    nearest: str
    asked: datetime
    conversation: str = ""
    number: int = 0  # of the turn in its conversation, from 0


class UnansweredQuestions:
    """The unanswered questions of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def list(self, *, shelves: Sequence[str] = (), person: str | None = None) -> tuple[Unanswered, ...]:
        """Return the questions that *person* asked, or that were asked over one of *shelves*, the oldest first.

        With neither there are none: a list of everybody's is never given by leaving something out.
        """
        query = select(unanswered, turns.c.conversation, turns.c.number).join(turns, turns.c.id == unanswered.c.turn)
        if person is not None:
            query = query.where(unanswered.c.person == person)
        with self._database.read() as connection:
            rows = connection.execute(query.order_by(unanswered.c.asked, unanswered.c.turn)).all()
        found = (
            Unanswered(
                row.turn,
                row.person,
                row.question,
                row.standalone,
                row.language,
                tuple(row.shelves),
                row.nearest,
                row.asked,
                row.conversation,
                row.number,
            )
            for row in rows
        )
        return tuple(each for each in found if person is not None or set(shelves) & set(each.shelves))

    def remove(self, turn: str) -> None:
        """Take a question off the list: somebody has seen to it.

        Raises:
            TurnNotFound: it is not on the list.
        """
        with self._database.write() as connection:
            if connection.execute(delete(unanswered).where(unanswered.c.turn == turn)).rowcount == 0:
                raise TurnNotFound(
                    f"found no unanswered question {turn[:80]!r}; expected the id of one; list them anew"
                )


def put(connection: Connection, question: Unanswered) -> None:
    """Put a question on the list, once for its turn."""
    drop(connection, question.turn)
    row = {"turn": question.turn, "person": question.person, "question": question.question}
    understood = {"standalone": question.standalone, "language": question.language}
    searched = {"shelves": list(question.shelves), "nearest": question.nearest, "asked": question.asked}
    connection.execute(insert(unanswered).values(row | understood | searched))


def drop(connection: Connection, turn: str) -> None:
    """Take the question of *turn* off the list, if it is there."""
    connection.execute(delete(unanswered).where(unanswered.c.turn == turn))

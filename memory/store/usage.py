"""What each person's questions have cost of a chat model, a row a day: it outlives their conversations, not them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from sqlalchemy import insert, select, update

from memory.store.conversations import keep_person, utc_now
from memory.store.database import Database
from memory.store.tables import usage
from memory.types import Usage


class Ledger:
    """The usage of a database's people, by the day in UTC."""

    def __init__(self, database: Database, *, now: Callable[[], datetime] = utc_now) -> None:
        self._database = database
        self._now = now

    def today(self, person: str) -> Usage:
        """Return what *person* has used today."""
        query = select(usage.c.calls, usage.c.prompt_tokens, usage.c.answer_tokens)
        with self._database.read() as connection:
            row = connection.execute(query.where(usage.c.person == person, usage.c.day == self._day())).one_or_none()
        return Usage() if row is None else Usage(row.calls, row.prompt_tokens, row.answer_tokens)

    def add(self, person: str, used: Usage) -> None:
        """Add *used* to what *person* has used today."""
        here = (usage.c.person == person) & (usage.c.day == self._day())
        more = {
            "calls": usage.c.calls + used.calls,
            "prompt_tokens": usage.c.prompt_tokens + used.prompt_tokens,
            "answer_tokens": usage.c.answer_tokens + used.answer_tokens,
        }
        with self._database.write() as connection:
            keep_person(connection, person, now=self._now())
            if connection.execute(update(usage).where(here).values(more)).rowcount == 0:
                first = {"person": person, "day": self._day(), "calls": used.calls}
                counted = {"prompt_tokens": used.prompt_tokens, "answer_tokens": used.answer_tokens}
                connection.execute(insert(usage).values(first | counted))

    def _day(self) -> str:
        return self._now().date().isoformat()

"""The queue loses nothing, keeps the order of a conversation, and drops what belongs to a life that is over."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import cast

import pytest

from memory import Heard
from memory.knowledge.extraction import Found, FoundEntity, Request
from memory.knowledge.worker import Worker
from memory.memory import EntityMemory, Said
from memory.store import people, queue
from memory.store.conversations import Conversations, NewTurn
from memory.store.database import Database, open_database


class Clock:
    def __init__(self) -> None:
        self.now = datetime(2026, 4, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


class Echo:
    """Finds the message's last word, and what it costs; remembers the order in which it read."""

    name = "echo"
    priority = 5

    def __init__(self) -> None:
        self.read: list[str] = []
        self.error: Exception | None = None

    def extract(self, request: Request) -> Found:
        self.read.append(request.text)
        if self.error is not None:
            raise self.error
        last = request.text.split()[-1]
        return Found((FoundEntity(last, "PRODUCT", {"price": "9 €"}),), outcome="found")


class Office:
    def __init__(self, folder: Path) -> None:
        self.database: Database = open_database(folder / "data")
        self.clock = Clock()
        self.memory = EntityMemory(self.database, queued=True, now=self.clock)
        self.conversations = Conversations(self.database)
        self.echo = Echo()

    def say(self, person: str, conversation: str, *messages: str) -> None:
        for message in messages:
            turn = NewTurn(f"{conversation}-{message}", message, "en")
            self.conversations.add_turn(
                conversation, person, turn,
                lambda c, turn=turn: self.memory.enqueue(person, conversation, turn.id, c),  # type: ignore[misc]
            )  # fmt: skip

    def worker(self) -> Worker:
        return Worker(self.database, self.memory, [self.echo], now=self.clock)

    def left(self) -> int:
        with self.database.read() as connection:
            return queue.waiting(connection)

    def outcomes(self) -> dict[tuple[str, str], int]:
        with self.database.read() as connection:
            return queue.counted(connection)


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    opened = Office(tmp_path)
    yield opened
    opened.database.close()


def test_a_turn_is_read_once_kept_and_counted(office: Office) -> None:
    conversation = office.conversations.create("ada", "en")
    office.say("ada", conversation, "I like the Weber-7", "and the Loire-20")
    assert office.worker().drain() == 2
    assert {entity.name for entity in office.memory.entities("ada")} == {"Weber-7", "Loire-20"}
    assert [fact.value for fact in office.memory.facts("ada", "Weber 7")] == ["9 €"]
    assert (office.left(), office.outcomes()) == (0, {("echo", "found"): 2})
    assert office.worker().drain() == 0


def test_a_memory_without_slower_extractors_queues_nothing(office: Office) -> None:
    office.memory = EntityMemory(office.database)
    office.say("ada", office.conversations.create("ada", "en"), "Weber-7")
    assert office.left() == 0


def test_what_the_rules_heard_already_is_not_counted_twice(office: Office) -> None:
    conversation = office.conversations.create("ada", "en")
    office.say("ada", conversation, "Weber-7")
    turn = f"{conversation}-Weber-7"
    office.memory.remember("ada", Said(conversation, turn, heard=(Heard("Weber-7", "price", "9 €", 0, 0),)))
    office.worker().drain()
    assert [(entity.name, entity.mentions) for entity in office.memory.entities("ada")] == [("Weber-7", 1)]
    assert [(fact.value, fact.said) for fact in office.memory.history("ada")] == [("9 €", 1)]


def test_a_killed_worker_loses_nothing_and_the_order_of_a_conversation_stays(office: Office) -> None:
    first, second = office.conversations.create("ada", "en"), office.conversations.create("ben", "en")
    office.say("ada", first, "a1", "a2")
    office.say("ben", second, "b1")
    with office.database.write() as connection:
        taken = queue.lease(connection, "killed", office.clock())
    assert taken is not None
    assert taken.question == "a1"
    assert office.worker().drain() == 1
    assert office.echo.read == ["b1"], "a2 waits for a1"
    office.clock.now += queue.LEASE
    assert office.worker().drain() == 2
    assert office.echo.read == ["b1", "a1", "a2"]
    with office.database.write() as connection:
        assert not queue.finish(connection, taken, "killed"), "who comes back late keeps nothing"


def test_what_fails_again_and_again_is_given_up_and_counted(office: Office) -> None:
    office.say("ada", office.conversations.create("ada", "en"), "a1", "a2")
    office.echo.error = ValueError("broken")
    for _ in range(queue.ATTEMPTS):
        with pytest.raises(ValueError, match="broken"):
            office.worker().step()
        office.clock.now += queue.LEASE
    office.echo.error = None
    assert office.worker().drain() == 1
    assert office.echo.read[-1] == "a2"
    assert office.outcomes()["queue", "given up"] == 1


def test_work_on_a_forgotten_person_is_dropped(office: Office) -> None:
    conversation = office.conversations.create("ada", "en")
    office.say("ada", conversation, "Weber-7")
    worker = office.worker()

    class Forgets(Echo):
        def extract(self, request: Request) -> Found:
            with office.database.write() as connection:
                people.erase(connection, "ada")
            office.conversations.create("ada", "en")
            return super().extract(request)

    office.echo = Forgets()
    assert Worker(office.database, office.memory, [office.echo], now=office.clock).drain() == 1
    assert office.memory.entities("ada") == ()
    assert office.outcomes()["queue", "dropped"] == 1
    assert worker.drain() == 0


def test_a_turn_that_is_cut_off_is_not_read(office: Office) -> None:
    conversation = office.conversations.create("ada", "en")
    office.say("ada", conversation, "a1", "a2")
    office.conversations.cut(conversation, "ada", number=1)
    assert office.worker().drain() == 1
    assert office.echo.read == ["a1"]


def test_a_worker_runs_beside_and_stops(office: Office) -> None:
    office.say("ada", office.conversations.create("ada", "en"), "Weber-7")
    worker = office.worker()
    worker.start()
    worker.start()
    try:
        for _ in range(200):
            if office.left() == 0:
                break
            cast("object", worker._stop.wait(0.05))
    finally:
        worker.stop()
    assert office.left() == 0
    assert [entity.name for entity in office.memory.entities("ada")] == ["Weber-7"]


def test_a_worker_outlives_what_fails_and_records_it(office: Office, caplog: pytest.LogCaptureFixture) -> None:
    office.echo.error = ValueError("broken")
    office.say("ada", office.conversations.create("ada", "en"), "Weber-7")
    worker = office.worker()
    worker.start()
    try:
        wait_for(lambda: ("queue", "failed") in office.outcomes())
        office.echo.error = None
        office.say("ada", office.conversations.create("ada", "en"), "Weber-8")
        wait_for(lambda: bool(office.memory.entities("ada")))
    finally:
        worker.stop()
    assert [entity.name for entity in office.memory.entities("ada")] == ["Weber-8"]
    assert "ValueError: broken" in caplog.text, "with its trace"


def wait_for(done: Callable[[], bool]) -> None:
    """Wait until *done*, for ten seconds at most."""
    for _ in range(200):
        if done():
            return
        time.sleep(0.05)

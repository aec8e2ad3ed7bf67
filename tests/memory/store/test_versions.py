"""Going back to what stood in a turn's place before: turns, discourse, versions within versions, what was learnt."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine, select

from memory import Heard
from memory.editing import MemoryEditor
from memory.errors import ConversationNotFound, TurnNotFound
from memory.memory import EntityMemory, Said
from memory.store import queue, unanswered
from memory.store.conversations import Conversations, NewTurn
from memory.store.database import MIGRATIONS, Database, open_database
from memory.store.entities import Named
from memory.store.remembered import jobs
from memory.store.thumbs import Thumb, Thumbs
from memory.store.unanswered import Unanswered, UnansweredQuestions
from memory.store.versions import KEPT

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
WHO = "ada"


@dataclass
class Desk:
    """A person's conversation and memory, on a clock that goes a minute further at each look."""

    database: Database
    minutes: int = 0
    conversations: Conversations = field(init=False)
    memory: EntityMemory = field(init=False)
    editor: MemoryEditor = field(init=False)
    conversation: str = field(init=False)

    def __post_init__(self) -> None:
        self.conversations = Conversations(self.database, now=self.now)
        self.memory = EntityMemory(self.database, now=self.now, queued=True)
        self.editor = MemoryEditor(self.database, now=self.now)
        self.conversation = self.conversations.create(WHO, "en")

    def now(self) -> datetime:
        self.minutes += 1
        return START + timedelta(minutes=self.minutes)

    def say(self, name: str, *heard: tuple[str, str], things: str = "", about: str = "", elsewhere: str = "") -> None:
        """Keep a turn that states *heard* and names *things*, with a relation to what it is *about*."""
        conversation = elsewhere or self.conversation
        named = tuple(
            Named(each, "PRODUCT", sentence=f"The {each} is loud ({name}).") for each in things.split("/") if each
        )
        related = ((named[0].name, "COMPARES_TO", about),) if about else ()
        stated = tuple(Heard("", key, value, 0, 0) for key, value in heard)
        said = Said(conversation, name, named, stated, related)
        turn = NewTurn(name, f"{name}?", "en", {"answer": None}, f"after {name}")

        def keep(connection: object) -> object:
            self.memory.enqueue(WHO, conversation, name, connection)  # type: ignore[arg-type]
            return self.memory.remember(WHO, said, connection)  # type: ignore[arg-type]

        self.conversations.add_turn(conversation, WHO, turn, keep)

    def aside(self, turn: str) -> None:
        self.conversations.put_aside(self.conversation, WHO, turn)

    def back_to(self, turn: str) -> None:
        """Go back to the version that begins with *turn*."""
        (version,) = [each for each in self.versions() if each[1][0] == turn]
        self.conversations.go_back(self.conversation, WHO, version[2])

    def versions(self) -> list[tuple[int, list[str], str]]:
        found = self.conversations.earlier(self.conversation, WHO)
        return [(each.place, [turn.id for turn in each.turns], each.id) for each in found]

    def shown(self) -> list[tuple[int, list[str]]]:
        return sorted((place, turns) for place, turns, _ in self.versions())

    @property
    def turns(self) -> list[str]:
        return [each.id for each in self.conversations.turns(self.conversation, WHO)]

    @property
    def facts(self) -> dict[str, str]:
        return {fact.key: fact.value for fact in self.memory.facts(WHO)}


@pytest.fixture
def desk(database: Database) -> Desk:
    return Desk(database)


def test_the_turns_of_a_version_come_back_with_their_discourse_and_the_others_are_kept(desk: Desk) -> None:
    for name in ("t1", "t2", "t3"):
        desk.say(name)
    before = desk.conversations.turns(desk.conversation, WHO)
    desk.aside("t2")
    desk.say("t4")
    desk.back_to("t2")
    assert desk.conversations.turns(desk.conversation, WHO) == before
    assert desk.conversations.last_discourse(desk.conversation, WHO) == "after t3"
    assert desk.shown() == [(1, ["t4"])]
    desk.back_to("t4")
    assert desk.turns == ["t1", "t4"]
    assert desk.conversations.last_discourse(desk.conversation, WHO) == "after t4"
    desk.say("t5")
    assert [turn.number for turn in desk.conversations.turns(desk.conversation, WHO)] == [0, 1, 2]


def test_versions_of_turns_that_go_stand_within_their_version_and_come_back_with_it(desk: Desk) -> None:
    desk.say("t1")
    desk.say("t2")
    desk.aside("t2")
    desk.say("t3")
    desk.aside("t1")
    desk.say("t4")
    assert desk.shown() == [(0, ["t1", "t3"])]
    desk.back_to("t1")
    assert desk.turns == ["t1", "t3"]
    assert desk.shown() == [(0, ["t4"]), (1, ["t2"])]
    desk.back_to("t2")
    assert desk.turns == ["t1", "t2"]
    assert desk.shown() == [(0, ["t4"]), (1, ["t3"])]
    desk.back_to("t4")
    assert desk.shown() == [(0, ["t1", "t2"])]


def test_a_place_without_a_turn_is_filled_by_a_version(desk: Desk) -> None:
    desk.say("t1")
    desk.aside("t1")
    desk.back_to("t1")
    assert (desk.turns, desk.versions()) == (["t1"], [])


def test_cutting_a_turn_that_came_to_nothing_keeps_the_versions_of_its_place(desk: Desk) -> None:
    for name in ("t1", "t2"):
        desk.say(name)
    desk.aside("t2")
    desk.say("t3")
    desk.aside("t1")
    desk.say("failed")
    desk.conversations.cut(desk.conversation, WHO, number=0)
    assert (desk.turns, desk.shown()) == ([], [(0, ["t1", "t3"])])
    desk.back_to("t1")
    desk.conversations.cut(desk.conversation, WHO, number=0)
    assert desk.shown() == [], "versions of turns after it go with it"


def test_a_version_that_goes_takes_those_within_it_along(desk: Desk) -> None:
    desk.say("t1")
    desk.say("t2", ("budget", "900 €"))
    desk.aside("t2")
    desk.aside("t1")
    for number in range(KEPT):
        desk.say(f"n{number}")
        desk.aside(f"n{number}")
    assert len(desk.versions()) == KEPT
    assert desk.memory.history(WHO) == (), "what was said in them is nowhere any more"


def test_only_a_version_of_ones_own_conversation_can_be_gone_back_to(desk: Desk) -> None:
    desk.say("t1")
    desk.aside("t1")
    ((_, _, version),) = desk.versions()
    other = desk.conversations.create(WHO, "en")
    with pytest.raises(TurnNotFound, match="reload"):
        desk.conversations.go_back(other, WHO, version)
    with pytest.raises(ConversationNotFound):
        desk.conversations.go_back(desk.conversation, "bob", version)
    desk.back_to("t1")
    with pytest.raises(TurnNotFound):
        desk.conversations.go_back(desk.conversation, WHO, version)
    assert desk.turns == ["t1"]


def test_memory_follows_the_version(desk: Desk) -> None:
    desk.say("t1", ("budget", "900 €"), ("employer", "Holm"), things="Veltara 13/Ridge 7", about="Ridge 7")
    desk.say("t2", ("budget", "1000 €"))
    before = (desk.memory.entities(WHO), desk.memory.history(WHO), sorted(desk.memory.get_triples(WHO)))
    desk.aside("t1")
    desk.say("t3", ("budget", "50 €"), things="Esker 2")
    assert desk.facts == {"budget": "50 €"}
    assert desk.memory.get_triples(WHO) == ()
    for _ in range(2):
        desk.back_to("t1")
        assert desk.facts == {"budget": "1000 €", "employer": "Holm"}
        assert sorted(desk.memory.get_triples(WHO)) == before[2]
        assert {each.name: each.mentions for each in desk.memory.entities(WHO)} == {
            each.name: each.mentions for each in before[0]
        }
        assert desk.memory.snippets(WHO, "Ridge 7") == ("The Ridge 7 is loud (t1).",)
        kept = [replace(fact, id=0, replaced_by=None) for fact in desk.memory.history(WHO) if fact.value != "50 €"]
        assert kept == [replace(fact, id=0, replaced_by=None) for fact in before[1]]
        desk.back_to("t3")
        assert desk.facts == {"budget": "50 €"}
        assert [each.name for each in desk.memory.entities(WHO)] == ["Esker 2"]


def test_nothing_said_while_the_memory_was_paused_is_learnt_on_the_way_back(desk: Desk) -> None:
    desk.editor.pause(WHO, True)
    desk.say("t1", ("budget", "900 €"), things="Veltara 13")
    desk.editor.pause(WHO, False)
    desk.aside("t1")
    desk.back_to("t1")
    assert (desk.facts, desk.memory.entities(WHO)) == ({}, ())


def test_what_was_known_comes_back_while_the_memory_is_paused(desk: Desk) -> None:
    desk.say("t1", ("budget", "900 €"))
    desk.editor.pause(WHO, True)
    desk.aside("t1")
    desk.back_to("t1")
    assert desk.facts == {"budget": "900 €"}


def test_what_was_deleted_by_hand_stays_deleted(desk: Desk) -> None:
    desk.say("t1", ("budget", "900 €"), ("employer", "Holm"))
    (budget,) = [fact.id for fact in desk.memory.facts(WHO) if fact.key == "budget"]
    desk.editor.forget_fact(WHO, budget)
    desk.aside("t1")
    desk.back_to("t1")
    assert desk.facts == {"employer": "Holm"}


def test_what_was_said_elsewhere_since_then_stands(desk: Desk) -> None:
    desk.say("t1", ("budget", "900 €"), ("owns", "Veltara 13"))
    desk.aside("t1")
    other = desk.conversations.create(WHO, "en")
    desk.say("later", ("budget", "1200 €"), ("owns", "Ridge 7"), elsewhere=other)
    desk.back_to("t1")
    assert desk.facts["budget"] == "1200 €"
    assert {fact.value for fact in desk.memory.facts(WHO) if fact.key == "owns"} == {"Veltara 13", "Ridge 7"}
    desk.conversations.delete(other, WHO)
    assert desk.facts["budget"] == "900 €", "what had ended it is gone"


def test_what_was_said_again_elsewhere_is_counted_and_not_kept_twice(desk: Desk) -> None:
    desk.say("t1", ("budget", "900 €"))
    desk.aside("t1")
    other = desk.conversations.create(WHO, "en")
    desk.say("again", ("budget", "900 €"), elsewhere=other)
    desk.back_to("t1")
    assert [(fact.value, fact.said) for fact in desk.memory.history(WHO)] == [("900 €", 2)]


def test_what_is_read_afterwards_is_queued_again(desk: Desk) -> None:
    def waiting() -> list[str]:
        with desk.database.read() as connection:
            return [row.turn for row in connection.execute(select(jobs))]

    desk.say("t1")
    desk.say("t2")
    with desk.database.write() as connection:
        job = queue.lease(connection, "w", desk.now())
        assert job is not None
        queue.finish(connection, job, "w")
    desk.aside("t1")
    assert waiting() == []
    desk.back_to("t1")
    assert waiting() == ["t2"]


def test_what_was_said_of_an_answer_comes_back_with_it(desk: Desk) -> None:
    desk.say("t1")
    thumbs, listed = Thumbs(desk.database, now=desk.now), UnansweredQuestions(desk.database)
    thumbs.give("t1", WHO, Thumb("down", "fact", "£5", "en"))
    with desk.database.write() as connection:
        unanswered.put(connection, Unanswered("t1", WHO, "t1?", "t1?", "en", ("shared",), "a.md", START))
    before = thumbs.list(), listed.list(person=WHO)
    desk.aside("t1")
    assert (thumbs.list(), listed.list(person=WHO)) == ((), ())
    desk.back_to("t1")
    assert (thumbs.list(), listed.list(person=WHO)) == before


OLD = (("a", 0, 3, 1), ("b", 0, 2, 2), ("c", 0, 0, 3), ("d", 0, 0, 4), ("e", 5, 5, 5))  # name, place, first, aside


def migrate(place: Path, revision: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    engine = create_engine(f"sqlite:///{place}")
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
    engine.dispose()


def test_versions_of_before_are_given_their_places(tmp_path: Path, fill: Callable[[Path], None]) -> None:
    file = tmp_path / "referent.db"
    migrate(file, "0008")
    fill(file)
    database = open_database(tmp_path)
    with closing(sqlite3.connect(file)) as raw:
        rows = raw.execute("SELECT id, place, within, learnt FROM earlier_turns ORDER BY id").fetchall()
    assert rows == [
        ("a", 3, "v-b", "{}"), ("b", 2, "v-c", "{}"), ("c", 0, "", "{}"), ("d", 0, "", "{}"), ("e", 5, "", "{}"),
    ]  # fmt: skip
    database.close()


@pytest.fixture
def fill() -> Callable[[Path], None]:
    def _fill(file: Path) -> None:
        at = START.isoformat(timespec="microseconds")
        with closing(sqlite3.connect(file)) as raw, raw:
            raw.execute("INSERT INTO people (id, created, epoch) VALUES ('ada', ?, '')", (at,))
            raw.execute(
                "INSERT INTO conversations (id, person, title, language, created, updated) "
                "VALUES ('c', 'ada', '', 'en', ?, ?)",
                (at, at),
            )
            for name, place, first, aside in OLD:
                later = (START + timedelta(minutes=aside)).isoformat(timespec="microseconds")
                raw.execute(
                    "INSERT INTO earlier_turns (id, conversation, version, place, number, question, language, record, "
                    "created, aside) VALUES (?, 'c', ?, ?, ?, 'q', 'en', '{}', ?, ?)",
                    (name, f"v-{name}", place, first, at, later),
                )

    return _fill

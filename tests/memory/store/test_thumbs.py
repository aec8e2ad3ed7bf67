"""Thumbs and unanswered questions in SQL: each is its person's, and goes with its turn."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from sqlalchemy import select

from memory.errors import TurnNotFound
from memory.store import people, unanswered
from memory.store.conversations import Conversations, NewTurn
from memory.store.database import Database
from memory.store.tables import thumbs as table
from memory.store.thumbs import LONGEST_NOTE, Thumb, Thumbs
from memory.store.unanswered import Unanswered, UnansweredQuestions

ASKED = datetime(2026, 5, 4, 12, tzinfo=UTC)
WRONG = Thumb("down", "fact", "It costs 9 €.", "de")


@pytest.fixture
def thumbs(database: Database) -> Thumbs:
    return Thumbs(database, now=lambda: ASKED)


@pytest.fixture
def questions(database: Database) -> UnansweredQuestions:
    return UnansweredQuestions(database)


def talk(kept: Conversations, person: str, *turns: str) -> str:
    conversation = kept.create(person, "en")
    for turn in turns:
        kept.add_turn(conversation, person, NewTurn(turn, f"{turn}?", "en"))
    return conversation


def note(database: Database, turn: str, person: str, *shelves: str, nearest: str = "") -> None:
    with database.write() as connection:
        unanswered.put(
            connection, Unanswered(turn, person, f"{turn}?", f"{turn}, whole?", "en", shelves, nearest, ASKED)
        )


def test_a_thumb_is_kept_with_its_reason_and_replaced_by_the_next(kept: Conversations, thumbs: Thumbs) -> None:
    conversation = talk(kept, "anna", "a", "b")
    thumbs.give("a", "anna", WRONG)
    thumbs.give("b", "anna", Thumb("up", "fact", "ignored", "de"))
    assert thumbs.of_conversation(conversation, "anna") == {"a": WRONG, "b": Thumb("up")}
    thumbs.give("a", "anna", Thumb("up"))
    assert thumbs.of_conversation(conversation, "anna")["a"] == Thumb("up")
    thumbs.take_back("a", "anna")
    thumbs.take_back("a", "anna")
    assert set(thumbs.of_conversation(conversation, "anna")) == {"b"}


def test_thumbs_are_listed_in_the_order_of_their_turns(kept: Conversations, thumbs: Thumbs) -> None:
    conversation = talk(kept, "anna", "a", "b", "c")
    for turn in ("c", "a"):
        thumbs.give(turn, "anna", WRONG)
    assert [(each.turn, each.number, each.conversation, each.given) for each in thumbs.list()] == [
        ("a", 0, conversation, ASKED),
        ("c", 2, conversation, ASKED),
    ]


def test_a_note_is_no_letter(kept: Conversations, thumbs: Thumbs) -> None:
    conversation = talk(kept, "anna", "a")
    thumbs.give("a", "anna", Thumb("down", note="  " + "x" * 5000))
    assert thumbs.of_conversation(conversation, "anna")["a"].note == "x" * LONGEST_NOTE


@pytest.mark.parametrize("person", ["ben", "", "*", "ann_", "ANNA"])
def test_nobody_judges_or_sees_what_another_was_answered(kept: Conversations, thumbs: Thumbs, person: str) -> None:
    conversation = talk(kept, "anna", "a")
    thumbs.give("a", "anna", WRONG)
    with pytest.raises(TurnNotFound):
        thumbs.give("a", person, Thumb("up"))
    with pytest.raises(TurnNotFound):
        thumbs.take_back("a", person)
    assert thumbs.of_conversation(conversation, person) == {}
    assert thumbs.list(person) == ()
    assert thumbs.of_conversation(conversation, "anna") == {"a": WRONG}


def test_they_go_with_their_turn(
    kept: Conversations, thumbs: Thumbs, questions: UnansweredQuestions, database: Database
) -> None:
    conversation = talk(kept, "anna", "a", "b")
    for turn in ("a", "b"):
        thumbs.give(turn, "anna", WRONG)
        note(database, turn, "anna", "shared")
    kept.cut(conversation, "anna", number=1)
    assert [each.turn for each in thumbs.list()] == ["a"]
    assert [each.turn for each in questions.list(shelves=["shared"])] == ["a"]
    kept.delete(conversation, "anna")
    assert thumbs.list() == ()
    assert questions.list(shelves=["shared"]) == ()


def test_they_are_exported_and_erased_with_their_person(
    kept: Conversations, thumbs: Thumbs, questions: UnansweredQuestions, database: Database
) -> None:
    for person in ("anna", "ben"):
        talk(kept, person, person)
        thumbs.give(person, person, WRONG)
        note(database, person, person, "shared")
    with database.write() as connection:
        exported = people.export(connection, "anna")
        assert [row["note"] for row in exported["thumbs"]] == [WRONG.note]
        assert [row["standalone"] for row in exported["unanswered"]] == ["anna, whole?"]
        people.erase(connection, "anna")
        assert list(connection.scalars(select(table.c.person))) == ["ben"]
    assert [each.person for each in questions.list(shelves=["shared"])] == ["ben"]


def test_unanswered_questions_are_listed_by_shelf_or_by_person_never_all(
    kept: Conversations, questions: UnansweredQuestions, database: Database
) -> None:
    conversation = talk(kept, "anna", "a", "b")
    talk(kept, "ben", "c")
    note(database, "a", "anna", "shared", "shop", nearest="prices.md")
    note(database, "b", "anna", "shop")
    note(database, "c", "ben", "vault")
    (first,) = questions.list(shelves=["shared"])
    assert (first.turn, first.standalone, first.nearest) == ("a", "a, whole?", "prices.md")
    assert (first.conversation, first.number) == (conversation, 0)
    assert [each.turn for each in questions.list(shelves=["shop"])] == ["a", "b"]
    assert [each.turn for each in questions.list(person="anna")] == ["a", "b"]
    assert [each.turn for each in questions.list(shelves=["vault"], person="anna")] == ["a", "b"]
    assert questions.list() == questions.list(shelves=["*"]) == questions.list(person="*") == ()


def test_a_question_that_was_seen_to_is_off_the_list(
    kept: Conversations, questions: UnansweredQuestions, database: Database
) -> None:
    talk(kept, "anna", "a")
    note(database, "a", "anna", "shared")
    note(database, "a", "anna", "shared", nearest="once for its turn")
    assert [each.nearest for each in questions.list(shelves=["shared"])] == ["once for its turn"]
    questions.remove("a")
    assert questions.list(shelves=["shared"]) == ()
    with pytest.raises(TurnNotFound, match="'a'"):
        questions.remove("a")

"""What a person changes by hand: entities and facts corrected, deleted, and the pause."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory import Heard
from memory.editing import MemoryEditor
from memory.errors import EntityNotFound, FactNotFound, NameTaken
from memory.memory import EntityMemory, Said
from memory.store.conversations import Conversations
from memory.store.database import Database, open_database
from memory.store.entities import Named

NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)
WEBER = Named("Tillman Weber 7", "PRODUCT", text="Weber 7", sentence="My Weber 7 is loud.")
HOLM = Named("Inga Holm", "PERSON", sentence="Inga Holm repairs it.")


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = open_database(tmp_path / "data")
    yield opened
    opened.close()


@pytest.fixture
def memory(database: Database) -> EntityMemory:
    return EntityMemory(database, now=lambda: NOW)


@pytest.fixture
def editor(database: Database) -> MemoryEditor:
    return MemoryEditor(database, now=lambda: NOW)


def learn(memory: EntityMemory, *heard: tuple[str, str], person: str = "ada", turn: str = "t1") -> None:
    said = tuple(Heard("", key, value, 0, 0) for key, value in heard)
    memory.remember(person, Said("c", turn, (WEBER, HOLM), said, (("", "OWNS", WEBER.name),)))


def holds(memory: EntityMemory, key: str) -> list[str]:
    return [fact.value for fact in memory.facts("ada") if fact.key == key]


def entity(memory: EntityMemory, name: str, person: str = "ada") -> str:
    found = memory.entity(person, name)
    assert found is not None
    return found.id


def test_while_paused_nothing_is_learnt_and_what_is_known_stays(memory: EntityMemory, editor: MemoryEditor) -> None:
    learn(memory, ("budget", "900 €"))
    assert not editor.is_paused("ada")
    editor.pause("ada", True)
    assert editor.is_paused("ada")
    assert not editor.is_paused("bob")
    memory.remember("ada", Said("c", "t2", (Named("Ridge 9", "PRODUCT"),), (Heard("", "budget", "1000 €", 0, 0),)))
    assert holds(memory, "budget") == ["900 €"]
    assert memory.entity("ada", "Ridge 9") is None
    editor.pause("ada", False)
    learn(memory, ("budget", "1000 €"), turn="t3")
    assert holds(memory, "budget") == ["1000 €"]


def test_whoever_is_not_known_yet_can_pause_before_the_first_turn(memory: EntityMemory, editor: MemoryEditor) -> None:
    editor.pause("ada", True)
    learn(memory, ("budget", "900 €"))
    assert memory.facts("ada") == ()


def test_an_entity_gets_another_name_and_type_and_is_found_under_both(
    memory: EntityMemory, editor: MemoryEditor
) -> None:
    learn(memory)
    id = entity(memory, "Weber 7")
    editor.rename("ada", id, name="Weber Seven", type_="DEVICE", aliases=("the grill",))
    found = editor.find("ada", id)
    assert found is not None
    assert (found.name, found.type) == ("Weber Seven", "DEVICE")
    assert found.aliases == ("the grill", "Tillman Weber 7")
    for name in ("Weber Seven", "Tillman Weber 7", "grill"):
        assert entity(memory, name) == id, name
    editor.rename("ada", id, name="Weber Seven", type_="DEVICE", aliases=())
    assert memory.entity("ada", "the grill") is None


def test_a_name_that_another_one_has_is_refused_and_nothing_is_changed(
    memory: EntityMemory, editor: MemoryEditor
) -> None:
    memory.remember("ada", Said("c", "1", (WEBER, Named("Ridge 9", "PRODUCT"))))
    id = entity(memory, "Ridge 9")
    with pytest.raises(NameTaken):
        editor.rename("ada", id, name="tillman weber 7", type_="PRODUCT", aliases=("x",))
    found = editor.find("ada", id)
    assert found is not None
    assert (found.name, found.aliases) == ("Ridge 9", ())


def test_a_deleted_entity_is_gone_with_what_was_known_of_it(memory: EntityMemory, editor: MemoryEditor) -> None:
    learn(memory, ("budget", "900 €"))
    id = entity(memory, "Tillman Weber 7")
    editor.state("ada", "colour", "green", id)
    assert [fact.value for fact in memory.facts("ada", WEBER.name)] == ["green"]
    editor.forget("ada", id)
    assert memory.entity("ada", WEBER.name) is None
    assert memory.get_triples("ada") == ()
    assert [fact.entity for fact in memory.history("ada")] == [""]
    assert editor.mentions("ada", id) == ()
    assert holds(memory, "budget") == ["900 €"]
    assert "Weber" not in str(memory.export("ada")["facts"])
    with pytest.raises(EntityNotFound):
        editor.forget("ada", id)


def test_a_fact_changed_by_hand_keeps_what_it_was_in_the_history(memory: EntityMemory, editor: MemoryEditor) -> None:
    learn(memory, ("budget", "900 €"), ("likes", "tea"), ("likes", "rain"))
    budget, tea = (next(f for f in memory.facts("ada") if f.value == value) for value in ("900 €", "tea"))
    editor.restate("ada", budget.id, "1200 €")
    editor.restate("ada", tea.id, "coffee")
    assert holds(memory, "budget") == ["1200 €"]
    assert sorted(holds(memory, "likes")) == ["coffee", "rain"]
    assert "900 €" in [fact.value for fact in memory.history("ada", "")]
    with pytest.raises(FactNotFound):
        editor.restate("ada", budget.id, "1 €")  # another page had changed it meanwhile
    assert holds(memory, "budget") == ["1200 €"]


def test_only_the_spelling_of_a_fact_can_be_changed_too(memory: EntityMemory, editor: MemoryEditor) -> None:
    learn(memory, ("job", "Cook"))
    editor.restate("ada", memory.facts("ada")[0].id, "cook")
    assert holds(memory, "job") == ["cook"]


def test_a_deleted_fact_leaves_no_history_and_no_relation(memory: EntityMemory, editor: MemoryEditor) -> None:
    learn(memory, ("budget", "900 €"), ("owns", WEBER.name), ("owns", "Ridge 9"))
    learn(memory, ("budget", "1000 €"), turn="t2")
    for value in ("1000 €", WEBER.name):
        editor.forget_fact("ada", next(fact.id for fact in memory.facts("ada") if fact.value == value))
    assert holds(memory, "budget") == []
    assert holds(memory, "owns") == ["Ridge 9"]
    assert {fact.value for fact in memory.history("ada", "")} == {"Ridge 9"}
    assert ("", "OWNS", WEBER.name) not in memory.get_triples("ada")


def test_mentions_name_their_turn_and_the_conversation_that_can_be_opened(
    memory: EntityMemory, editor: MemoryEditor, database: Database
) -> None:
    conversations = Conversations(database)
    conversation = conversations.create("ada", "en")
    conversations.rename(conversation, "ada", "Grills")
    memory.remember("ada", Said(conversation, "t1", (WEBER,)))
    memory.remember("ada", Said("elsewhere", "t2", (WEBER,)))
    found = editor.mentions("ada", entity(memory, WEBER.name))
    assert [(each.turn, each.title, each.text) for each in found] == [
        ("t2", None, "Weber 7"),
        ("t1", "Grills", "Weber 7"),
    ]
    assert editor.mentioned_when("ada") == ((NOW, "PRODUCT"), (NOW, "PRODUCT"))


def test_nobody_reaches_what_is_another_persons(memory: EntityMemory, editor: MemoryEditor) -> None:
    learn(memory, ("budget", "900 €"))
    id, fact = entity(memory, WEBER.name), memory.facts("ada")[0].id
    assert editor.find("bob", id) is None
    assert editor.mentions("bob", id) == ()
    with pytest.raises(EntityNotFound):
        editor.rename("bob", id, name="x", type_="PRODUCT", aliases=())
    with pytest.raises(EntityNotFound):
        editor.forget("bob", id)
    with pytest.raises(EntityNotFound):
        editor.state("bob", "colour", "red", id)
    with pytest.raises(FactNotFound):
        editor.restate("bob", fact, "1 €")
    with pytest.raises(FactNotFound):
        editor.forget_fact("bob", fact)
    assert holds(memory, "budget") == ["900 €"]


def test_mentions_that_only_differ_in_spelling_cannot_be_split_off(memory: EntityMemory) -> None:
    memory.remember("ada", Said("c", "1", (WEBER, Named(WEBER.name, "PRODUCT", text="tillman weber-7"))))
    id = entity(memory, WEBER.name)
    assert memory.split("ada", id, Named("tillman weber-7", "PRODUCT")) is None
    assert entity(memory, "tillman weber-7") == id

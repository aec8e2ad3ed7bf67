"""The memory as a whole: entities found again, facts with their history, relations, what a prompt is told."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from functools import partial
from pathlib import Path

import pytest

from memory import Heard
from memory.errors import EntityNotFound
from memory.knowledge.typesets import EntityType, TypeSet
from memory.memory import EntityMemory, Rules, Said
from memory.store.conversations import Conversations, NewTurn
from memory.store.database import Database, open_database
from memory.store.entities import Named

START = datetime(2026, 3, 1, 9, tzinfo=UTC)
WEBER = Named("Tillman Weber 7", "PRODUCT", text="Weber 7", sentence="My Weber 7 is loud.", evidence=("n", "s"))
HOLM = Named("Inga Holm", "PERSON", sentence="Inga Holm repairs it.", evidence=("f", "s"))


class Clock:
    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = open_database(tmp_path / "data")
    yield opened
    opened.close()


@pytest.fixture
def memory(database: Database, clock: Clock) -> EntityMemory:
    types = TypeSet("own", (EntityType("PRODUCT", {"en": "product"}, timedelta(days=10)),))
    return EntityMemory(database, rules=Rules(types=types), now=clock)


def heard(key: str, value: str, act: str = "states", subject: str = "") -> Heard:
    return Heard(subject, key, value, 0, len(value), act)  # type: ignore[arg-type]


def values(memory: EntityMemory, key: str, person: str = "ada", **more: datetime) -> list[str]:
    return [fact.value for fact in memory.facts(person, **more) if fact.key == key]


def test_a_thing_is_found_again_under_its_names_and_the_first_spelling_is_shown(memory: EntityMemory) -> None:
    memory.remember("ada", Said("c", "1", (WEBER,)))
    memory.remember("ada", Said("c", "2", (Named("WEBER-7"), Named("the Weber 7", "PRODUCT"))))
    (only,) = memory.entities("ada")
    assert (only.name, only.type, only.mentions) == ("Tillman Weber 7", "PRODUCT", 3)
    assert only.evidence == {"n": 1, "s": 1}


def test_figures_and_types_keep_things_apart(memory: EntityMemory) -> None:
    names = [WEBER, Named("Tillman Weber 9", "PRODUCT"), Named("Olive", "ORGANIZATION"), Named("Olive", "FRUIT")]
    memory.remember("ada", Said("c", "1", tuple(names)))
    assert len(memory.entities("ada")) == 4


def test_a_short_name_of_two_is_nobody(memory: EntityMemory) -> None:
    memory.remember("ada", Said("c", "1", (HOLM, Named("Inga Brandt", "PERSON"))))
    memory.remember("ada", Said("c", "2", (Named("Inga", "PERSON", sentence="Inga is ill."), Named("Holm", "PERSON"))))
    assert {entity.name: entity.mentions for entity in memory.entities("ada")} == {"Inga Holm": 2, "Inga Brandt": 1}
    assert memory.entity("ada", "Inga") is None


def test_a_type_that_is_learnt_later_is_taken_over(memory: EntityMemory) -> None:
    memory.remember("ada", Said("c", "1", (Named("Loire 20"),)))
    memory.remember("ada", Said("c", "2", (Named("Loire 20", "PRODUCT"),)))
    assert [entity.type for entity in memory.entities("ada")] == ["PRODUCT"]


def test_what_was_said_of_a_thing_is_kept_once_and_capped(memory: EntityMemory) -> None:
    for number in range(30):
        memory.remember("ada", Said("c", str(number), (Named("Loire 20", sentence=f"The Loire is {number // 2} m."),)))
    assert memory.snippets("ada", "Loire 20", limit=2) == ("The Loire is 13 m.", "The Loire is 14 m.")
    assert memory.snippets("ada", "Loire 20", limit=0) == ()
    for number in range(40):
        memory.remember("ada", Said("c", f"x{number}", (Named("Loire 20", sentence=f"It costs {number} €."),)))
    assert len(memory.snippets("ada", "Loire 20", limit=100)) == 20


def test_times_and_zones_are_kept(memory: EntityMemory) -> None:
    east = datetime(2026, 3, 2, 1, tzinfo=timezone(timedelta(hours=9)))
    memory.remember("ada", Said("c", "1", (WEBER,)))
    memory.remember("ada", Said("c", "2", (WEBER,), at=east))
    (only,) = memory.entities("ada")
    assert (only.first_seen, only.last_seen, only.zone) == (START, east, "+09:00")


def test_a_fact_has_a_current_value_a_history_and_a_value_at_a_past_date(memory: EntityMemory, clock: Clock) -> None:
    memory.remember("ada", Said("c", "1", heard=(heard("employer", "Olive"), heard("budget", "900 €"))))
    clock.now += timedelta(days=3)
    changes = memory.remember("ada", Said("c", "2", heard=(heard("employer", "Ostrava"),)))
    assert [(change.key, change.old, change.new) for change in changes] == [("employer", "Olive", "Ostrava")]
    assert values(memory, "employer") == ["Ostrava"]
    assert values(memory, "employer", as_of=START + timedelta(days=1)) == ["Olive"]
    assert values(memory, "employer", as_of=START - timedelta(days=1)) == []
    told = [(fact.value, fact.turn, fact.retired_turn) for fact in memory.history("ada", "") if fact.key == "employer"]
    assert told == [("Olive", "1", "2"), ("Ostrava", "2", "")]


def test_a_fact_of_a_thing_is_the_things(memory: EntityMemory) -> None:
    memory.remember("ada", Said("c", "1", (WEBER,), (heard("price", "900 €", subject="Tillman Weber 7"),)))
    assert [fact.value for fact in memory.facts("ada", "Weber 7")] == ["900 €"]
    assert memory.facts("ada") == ()
    assert memory.facts("ada", "Weber 9") == ()


def test_relations_follow_the_facts(memory: EntityMemory) -> None:
    told = (
        heard("owns", "Weber 7", "adds"),
        heard("employer", "Olive"),
        heard("employer", "Ostrava", subject="Inga Holm"),
    )
    memory.remember("ada", Said("c", "1", (WEBER, HOLM), told, (("Inga Holm", "répare", "Tillman Weber 7"),)))
    assert set(memory.get_triples("ada")) == {
        ("", "OWNS", "Tillman Weber 7"),
        ("", "WORKS_AT", "Olive"),
        ("Inga Holm", "WORKS_AT", "Ostrava"),
        ("Inga Holm", "répare", "Tillman Weber 7"),
    }
    assert memory.neighbours("ada", "") == ("Olive", "Tillman Weber 7")
    assert memory.neighbours("ada", "", steps=2) == ("Olive", "Tillman Weber 7", "Inga Holm")
    (way,) = memory.paths("ada", "", "Ostrava")
    assert [triple[1] for triple in way] == ["OWNS", "répare", "WORKS_AT"]
    memory.remember("ada", Said("c", "2", heard=(heard("employer", "Ostrava"), heard("owns", "Weber 7", "retracts"))))
    assert set(memory.get_triples("ada")) >= {("", "WORKS_AT", "Ostrava")}
    assert not {("", "OWNS", "Tillman Weber 7"), ("", "WORKS_AT", "Olive")} & set(memory.get_triples("ada"))


def test_one_relation_in_two_languages_has_two_pieces_of_evidence(memory: EntityMemory) -> None:
    memory.remember("ada", Said("c", "1", (WEBER, HOLM), relations=(("Inga Holm", "uses", "Tillman Weber 7"),)))
    memory.remember("ada", Said("c", "2", (WEBER, HOLM), relations=(("Inga Holm", "utilise", "Tillman Weber 7"),)))
    memory.remember("ada", Said("c", "2", (WEBER, HOLM), relations=(("Inga Holm", "utilise", "Tillman Weber 7"),)))
    assert memory.get_triples("ada") == (("Inga Holm", "USES", "Tillman Weber 7"),)
    assert memory.evidence("ada", ("Inga Holm", "USES", "Weber 7")) == (("1", "uses"), ("2", "utilise"))


def test_what_a_turn_taught_goes_with_it_and_what_stood_before_holds_again(memory: EntityMemory) -> None:
    memory.remember("ada", Said("c", "1", (WEBER,), (heard("employer", "Olive"), heard("owns", "Weber 7", "adds"))))
    memory.remember("ada", Said("c", "2", (WEBER, HOLM), (heard("employer", "Ostrava"),)))
    memory.remember("ada", Said("c", "3", (), (heard("employer", "Rhin"), heard("owns", "Weber 7", "retracts"))))
    memory.withdraw("ada", ["2"])
    assert values(memory, "employer") == ["Rhin"]
    assert memory.entity("ada", "Inga Holm") is None
    memory.withdraw("ada", ["3"])
    assert values(memory, "employer") == ["Olive"]
    assert values(memory, "owns") == ["Weber 7"]
    assert set(memory.get_triples("ada")) == {("", "WORKS_AT", "Olive"), ("", "OWNS", "Tillman Weber 7")}
    assert [fact.value for fact in memory.history("ada", "") if fact.withdrawn] == ["Ostrava", "Rhin", "Weber 7"]
    assert values(memory, "employer", as_of=START + timedelta(days=1)) == ["Olive"]


def test_what_is_cut_off_or_deleted_takes_what_it_taught_along(memory: EntityMemory, database: Database) -> None:
    kept = Conversations(database)
    first, second = kept.create("ada", "en"), kept.create("ada", "en")
    for conversation, turn, budget in ((first, "1", "900 €"), (first, "2", "800 €"), (second, "3", "700 €")):
        said = Said(conversation, turn, (Named(f"Weber {turn}"),), (heard("budget", budget),))
        kept.add_turn(conversation, "ada", NewTurn(turn, "?", "en"), partial(memory.remember, "ada", said))
    assert values(memory, "budget") == ["700 €"]
    kept.delete(second, "ada")
    assert values(memory, "budget") == ["800 €"]
    kept.cut(first, "ada", number=1)
    assert values(memory, "budget") == ["900 €"]
    assert [fact.value for fact in memory.history("ada")] == ["900 €"]
    assert [entity.name for entity in memory.entities("ada")] == ["Weber 1"]


def test_nothing_crosses_between_people(memory: EntityMemory) -> None:
    memory.remember("ada", Said("c", "1", (WEBER,), (heard("budget", "900 €"), heard("owns", "Weber 7", "adds"))))
    memory.remember("ben", Said("d", "2", (Named("Weber 7", "PRODUCT"),), (heard("budget", "100 €"),)))
    assert (values(memory, "budget"), values(memory, "budget", "ben")) == (["900 €"], ["100 €"])
    assert memory.get_triples("ben") == ()
    (theirs,) = memory.entities("ben")
    assert theirs.name == "Weber 7"
    with pytest.raises(EntityNotFound):
        memory.merge("ben", theirs.id, memory.entities("ada")[0].id)
    for nobody in ("", "*", "%", "cleo"):
        assert memory.facts(nobody) == memory.entities(nobody) == memory.get_triples(nobody) == ()


def test_the_prompt_sees_the_profile_then_what_the_question_names_and_what_stands_near(memory: EntityMemory) -> None:
    told = (heard("budget", "900 €"), heard("employer", "Olive", subject="Inga Holm"))
    memory.remember("ada", Said("c", "1", (WEBER, HOLM), told, (("Inga Holm", "USES", "Tillman Weber 7"),)))
    memory.remember("ada", Said("c", "2", tuple(Named(f"Rhin {n}", sentence=f"Rhin {n}.") for n in range(30))))
    context = memory.context_for("Is the Weber 7 heavy?", person="ada", heard=(heard("budget", "1000 €"),))
    assert [fact.value for fact in context.profile] == ["1000 €"]
    assert [entity.name for entity in context.entities] == ["Tillman Weber 7", "Inga Holm"]
    assert context.entities[0].snippets == ("My Weber 7 is loud.",)
    assert values(memory, "budget") == ["900 €"], "only looked at"


def test_the_prompt_stays_within_its_budget(memory: EntityMemory) -> None:
    names = tuple(Named(f"Rhin {n}", sentence=f"Rhin {n} is " + "long " * 40) for n in range(6))
    memory.remember("ada", Said("c", "1", names, tuple(heard("likes", f"thing {n}" * 3, "adds") for n in range(40))))
    question = " ".join(each.name for each in names)
    for tokens in (0, 50, 200, 800):
        context = memory.context_for(question, person="ada", tokens=tokens)
        used = sum(len(fact.value) for fact in context.profile)
        used += sum(len(text) for entity in context.entities for text in (entity.name, *entity.snippets))
        assert used <= tokens * 3
    assert memory.context_for(question, person="ada", tokens=800).entities


def test_what_has_expired_is_left_out_of_the_prompt_and_answered_still(memory: EntityMemory, clock: Clock) -> None:
    memory.remember("ada", Said("c", "1", (WEBER, HOLM), (heard("price", "9 €", subject="Tillman Weber 7"),)))
    clock.now += timedelta(days=11)
    context = memory.context_for("Weber 7 and Inga Holm?", person="ada")
    assert [entity.name for entity in context.entities] == ["Inga Holm"]
    assert [fact.value for fact in memory.facts("ada", "Weber 7", as_of=START)] == ["9 €"]


def test_a_merge_is_suggested_made_and_taken_back(memory: EntityMemory) -> None:
    one, other = Named("Jörg Böhmer", "PERSON", sentence="Jörg Böhmer sings."), Named("Joerg Boehmer", "PERSON")
    told = (heard("employer", "Olive", subject="Jörg Böhmer"), heard("employer", "Rhin", subject="Joerg Boehmer"))
    memory.remember("ada", Said("c", "1", (one, other), told))
    before = memory.entities("ada"), memory.get_triples("ada"), memory.facts("ada", "Jörg Böhmer")
    ((first, second),) = memory.suggestions("ada")
    kept, gone = sorted((first, second), key=lambda entity: entity.name == "Joerg Boehmer")
    change = memory.merge("ada", kept.id, gone.id)
    merged = memory.entity("ada", "Joerg Boehmer")
    assert merged is not None
    assert (merged.name, merged.aliases, merged.mentions) == ("Jörg Böhmer", ("Joerg Boehmer",), 2)
    assert [fact.value for fact in memory.facts("ada", "Boehmer")] == ["Rhin"]
    assert memory.take_back("ada", change).name == "Joerg Boehmer"
    assert [fact.value for fact in memory.facts("ada", "Jörg Böhmer")] == ["Olive"]
    assert [fact.value for fact in memory.facts("ada", "Joerg Boehmer")] == ["Rhin"]
    assert {(e.name, e.mentions) for e in memory.entities("ada")} == {(e.name, e.mentions) for e in before[0]}
    assert sorted(memory.get_triples("ada")) == sorted(before[1])
    assert [kind for _, kind, _, _ in memory.identity_history("ada")] == ["merge", "split"]
    with pytest.raises(EntityNotFound):
        memory.take_back("ben", change)


def test_a_split_gives_a_name_its_own_mentions(memory: EntityMemory) -> None:
    other = Named("Holm", "PERSON", text="Holm", sentence="Holm is a village too.")
    memory.remember("ada", Said("c", "1", (HOLM, other, other)))
    (entity,) = memory.entities("ada")
    made = memory.split("ada", entity.id, Named("Holm", "LOCATION"))
    assert made is not None
    assert {(e.name, e.type, e.mentions) for e in memory.entities("ada")} == {
        ("Inga Holm", "PERSON", 1),
        ("Holm", "LOCATION", 2),
    }
    assert memory.snippets("ada", "Inga Holm") == ("Inga Holm repairs it.",)


def test_an_export_holds_everything(memory: EntityMemory) -> None:
    memory.remember("ada", Said("c", "1", (WEBER,), (heard("budget", "900 €"),)))
    content = memory.export("ada")
    assert content["entities"][0]["name"] == "Tillman Weber 7"
    assert content["facts"][0]["value"] == "900 €"
    assert content["snippets"][0]["text"] == "My Weber 7 is loud."
    assert memory.export("ben")["facts"] == []

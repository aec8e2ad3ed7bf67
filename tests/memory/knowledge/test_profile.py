"""A profile by its schema: what changed, how much is known, what a prompt and a model are told, in four languages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from languages import codes, load
from memory import Heard
from memory.errors import TypeSetInvalid
from memory.knowledge.profile import EntityProfile, FieldChange, extraction_prompt, known_fields, read_schema
from memory.memory import EntityMemory, Said
from memory.store.database import open_database

SCHEMAS = ("finance", "support")


@pytest.fixture
def profile(tmp_path: Path) -> Iterator[EntityProfile]:
    database = open_database(tmp_path / "data")
    yield EntityProfile(EntityMemory(database), "mira", read_schema("finance"))
    database.close()


def test_an_update_tells_what_changed_and_keeps_the_old_value(profile: EntityProfile) -> None:
    assert profile.update({"name": "Mira", "monthly_salary": "₹88,500"}, "1") == ("name", "monthly_salary")
    assert profile.update({"employer": "Olive", "age": 41}, "2") == ("age", "employer")
    assert profile.update({"employer": "Rhin", "monthly_salary": "₹97,000"}, "3") == ("employer", "monthly_salary")
    assert profile.update({"employer": "Rhin", "pet": "a cat", "goal": None}, "4") == ()
    assert profile.dropped == {"pet": 1}
    assert profile.known == (4, 13)
    assert [change for change in profile.history if change.turn == "3"] == [
        FieldChange("3", "employer", "Olive", "Rhin"),
        FieldChange("3", "monthly_salary", "₹88,500", "₹97,000"),
    ]


@pytest.mark.parametrize("code", codes())
def test_a_prompt_is_told_what_is_known_now_in_its_language(profile: EntityProfile, code: str) -> None:
    assert profile.format_for_injection(code) == ""
    profile.update({"employer": "Olive", "savings": "₹10"}, "1")
    profile.update({"employer": "Rhin"}, "2")
    told = profile.format_for_injection(code)
    assert told.splitlines()[0] == load(code).text("label.profile")
    assert "Rhin" in told
    assert "Olive" not in told, "the history stays out"
    assert len(told.splitlines()) == 3
    others = {profile.format_for_injection(other) for other in codes() if other != code}
    assert told not in others
    assert "13" in profile.summary(code)
    assert "{" not in profile.summary(code)


def test_what_is_heard_by_rules_fills_the_profile_too(tmp_path: Path) -> None:
    database = open_database(tmp_path / "data")
    memory = EntityMemory(database)
    told = Heard("", "salary", "3000 €", 0, 0), Heard("", "place", "Jena", 0, 0)
    memory.remember("mira", Said("c", "1", heard=told))
    fields = EntityProfile(memory, "mira", read_schema("finance")).fields
    assert (fields["monthly_salary"], fields["place"], fields["age"]) == ("3000 €", "Jena", None)
    assert EntityProfile(memory, "someone", read_schema("finance")).known == (0, 13)
    database.close()


@pytest.mark.parametrize("name", SCHEMAS)
@pytest.mark.parametrize("code", codes())
def test_the_prompt_names_every_field_in_its_language(name: str, code: str) -> None:
    schema = read_schema(name)
    prompt = extraction_prompt(schema, code)
    for each in schema.fields:
        assert f'"{each.id}": {each.description[code]}' in prompt
        assert each.called(code) != each.key
    assert prompt not in {extraction_prompt(schema, other) for other in codes() if other != code}


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_whole(name: str) -> None:
    schema = read_schema(name)
    assert len({each.id for each in schema.fields}) == len({each.key for each in schema.fields}) == len(schema.fields)
    assert all(set(each.description) == set(codes()) for each in schema.fields)
    assert all(set(each.label) in ({*codes()}, set()) for each in schema.fields)


def test_fields_that_no_schema_knows_and_values_that_are_none_are_left_out() -> None:
    answer = {"name": " ", "device": "Vega 15", "contact": {"tel": 1}, "mood": "good", "since": 3}
    assert known_fields(read_schema("support"), answer) == {"device": "Vega 15", "since": "3"}


def test_a_file_that_is_no_schema_is_named(tmp_path: Path) -> None:
    for text in ("", "[[field]]\nid = 'x'\n", "]["):
        (tmp_path / "own.toml").write_text(text, encoding="utf-8")
        read_schema.cache_clear()
        with pytest.raises(TypeSetInvalid, match=r"own\.toml"):
            read_schema(tmp_path / "own.toml")

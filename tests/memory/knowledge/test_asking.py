"""A question to the memory is told by the key it asks for, and a stored value is said in the person's language."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from languages import codes, load
from memory.knowledge.asking import key_asked
from memory.knowledge.saying import say

CASES = tomllib.loads((Path(__file__).parent / "asking.toml").read_text("utf-8"))
ALL = [(code, question, key or None) for code, group in CASES.items() for question, key in group.items()]
KEYS = (
    "name", "call_name", "age", "place", "employer", "job", "owns", "order_number", "customer_number", "budget", "plan",
    "likes", "dislikes", "wants", "needs", "family", "constraint", "count", "email", "phone", "date",
)  # fmt: skip


@pytest.mark.parametrize(("code", "question", "key"), ALL, ids=[f"{code}: {question}" for code, question, _ in ALL])
def test_a_question_asks_for_its_key(code: str, question: str, key: str | None) -> None:
    assert key_asked(question, code) == key


@pytest.mark.parametrize("code", codes())
@pytest.mark.parametrize("key", KEYS)
def test_a_stored_value_is_told_in_words_of_its_own(code: str, key: str) -> None:
    told = say(key, "{x} 900", code)
    assert "{x} 900" in told
    assert told != say("no such key", "{x} 900", code)


@pytest.mark.parametrize("code", codes())
def test_an_unknown_key_is_told_as_what_was_said(code: str) -> None:
    assert say("no such key", "42", code) == load(code).text("told.anything", {"value": "42"})


def test_a_relative_is_told_by_the_relation() -> None:
    assert say("family", "Mia", "en", detail="daughter") == "Your daughter: Mia."
    assert say("date", "12 mars", "fr", detail="delivery").startswith("Votre livraison")

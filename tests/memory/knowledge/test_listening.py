"""What a person states is heard, and nothing else: cases as data, and what holds for any message."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from languages import codes
from languages.listening import listening_of
from memory.knowledge.listening import SINGLE, listen
from tests.memory.knowledge.hearing import CASES, Case, fault, known_failures, read_cases

FOLDERS = (CASES, CASES / "other")
ALL = [(folder, case) for folder in FOLDERS for code in codes() for case in read_cases(code, folder)]


@pytest.mark.parametrize(("folder", "case"), ALL, ids=[f"{case.language}: {case.message}" for _, case in ALL])
def test_what_a_message_states_is_heard(folder: object, case: Case, request: pytest.FixtureRequest) -> None:
    found = fault(case)
    if any(case.message in known_failures(case.language, place) for place in FOLDERS):
        assert found, f"{case.message!r} is right now: take it out of known_failures"
        pytest.xfail(found)
    assert not found


@pytest.mark.parametrize("code", codes())
def test_a_third_of_the_cases_state_nothing(code: str) -> None:
    cases = read_cases(code)
    assert len(cases) >= 120
    assert sum(1 for case in cases if not case.expected) >= len(cases) // 3


@pytest.mark.parametrize("code", codes())
def test_known_failures_are_cases(code: str) -> None:
    for folder in FOLDERS:
        assert known_failures(code, folder) <= {case.message for case in read_cases(code, folder)}


@given(st.text(max_size=200), st.sampled_from(codes()))
def test_a_value_is_what_stands_in_the_message(message: str, code: str) -> None:
    for heard in listen(message, language=code):
        assert message[heard.start : heard.end] == heard.value != ""


@given(st.lists(st.sampled_from([case for _, case in ALL]), min_size=1, max_size=3), st.sampled_from(codes()))
def test_one_value_is_left_of_what_has_one(chosen: list[Case], code: str) -> None:
    message = ". ".join(case.message for case in chosen)
    found = [heard for heard in listen(message, language=code) if heard.act != "retracts" and not heard.subject]
    for key in SINGLE:
        assert sum(1 for heard in found if heard.key == key) <= 1
    assert all(message[heard.start : heard.end] == heard.value for heard in found)


@pytest.mark.parametrize("code", codes())
def test_every_language_names_its_relations_and_events_alike(code: str) -> None:
    own, first = listening_of(code), listening_of(codes()[0])
    assert set(first.groups) <= set(own.groups)
    assert {"delivery", "trip", "birthday", "appointment"} <= set(own.events)
    assert {"daughter", "son", "child", "wife", "husband", "mother", "father"} <= set(own.relations)


def test_nothing_is_heard_in_a_language_without_the_file() -> None:
    assert listening_of("xx").frames == ()

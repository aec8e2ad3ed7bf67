"""The cases as data: whole conversations in each language; what is known to fail is recorded, and strictly."""

from __future__ import annotations

from typing import Any

import pytest

from languages import codes
from tests.memory.reference.judging import KNOWN_FAILURES, fault, known_failures, read_cases, resolved

ALL = [case for code in codes() for case in read_cases(code)]


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in ALL])
def test_the_question_is_understood_as_meant(case: dict[str, Any]) -> None:
    found = fault(case, resolved(case))
    if case["id"] in known_failures():
        assert found, f"{case['id']} is right now: remove it from known-failures"
        pytest.xfail(found)
    assert not found


def test_known_failures_are_cases_once_each() -> None:
    lines = [line for line in KNOWN_FAILURES.read_text("utf-8").split() if line]
    assert len(lines) == len(set(lines))
    assert set(lines) <= {case["id"] for case in ALL}


@pytest.mark.parametrize("code", codes())
def test_a_language_has_enough_complete_questions_among_its_cases(code: str) -> None:
    cases = read_cases(code)
    stays = [case for case in cases if case["status"] != "resolved"]
    assert len(cases) >= 80
    assert len(stays) >= len(cases) // 4

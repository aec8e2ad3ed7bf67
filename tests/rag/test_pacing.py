"""How fast a person may ask: each by themself, and only those who signed in."""

from __future__ import annotations

import threading

import pytest

from memory.store.conversations import LOCAL_PERSON, person_id
from memory.store.usage import Ledger
from rag.build import limits
from rag.errors import QuestionsTooFast
from rag.limits import Limits
from rag.pacing import Pace
from rag.settings import Settings
from tests.rag.conftest import Desk

ANNA, BEN = person_id("https://id.example", "anna"), person_id("https://id.example", "ben")


class Clock:
    """A time that can be moved."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_within_any_minute_no_more_than_that_and_nobody_pays_for_another() -> None:
    clock = Clock()
    pace = Pace(3, now=clock)
    for second in (0, 1, 50):
        clock.now = second
        pace.take(ANNA)
    with pytest.raises(QuestionsTooFast):
        pace.take(ANNA)
    pace.take(BEN)
    clock.now = 60
    pace.take(ANNA)
    with pytest.raises(QuestionsTooFast):
        pace.take(ANNA)


def test_what_was_refused_does_not_count() -> None:
    clock = Clock()
    pace = Pace(1, now=clock)
    pace.take(ANNA)
    for second in range(1, 60, 10):
        clock.now = second
        with pytest.raises(QuestionsTooFast):
            pace.take(ANNA)
    clock.now = 60
    pace.take(ANNA)


def test_the_local_person_and_nought_are_not_bounded() -> None:
    for pace, person in ((Pace(1), LOCAL_PERSON), (Pace(0), ANNA), (Pace(), ANNA)):
        for _ in range(5):
            pace.take(person)


def test_people_who_have_been_silent_for_a_minute_are_left_out() -> None:
    clock = Clock()
    pace = Pace(2, now=clock)
    for number in range(1001):
        pace.take(str(number))
    clock.now = 61
    pace.take(ANNA)
    assert len(pace._asked) == 1


def test_many_threads_together_get_no_more_than_the_bound() -> None:
    pace, taken = Pace(10, now=Clock()), []

    def ask() -> None:
        for _ in range(10):
            try:
                pace.take(ANNA)
            except QuestionsTooFast:
                continue
            taken.append(1)

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(taken) == 10


def test_a_question_too_soon_is_refused_before_anything_is_done_and_kept(desk: Desk) -> None:
    pipeline = desk.pipeline(limits=Limits(pace=Pace(1)))
    conversation = desk.conversations.create(ANNA, "en")

    def ask(turn: str) -> None:
        list(pipeline.stream("How much is it?", "", user=ANNA, conversation=conversation, turn_id=turn))

    ask("one")
    with pytest.raises(QuestionsTooFast):
        ask("two")
    assert [turn.id for turn in desk.conversations.turns(conversation, ANNA)] == ["one"]
    ask("one")  # a turn that is kept is told again: nothing is asked


def test_on_the_page_the_setting_holds_and_in_a_replay_there_is_none(desk: Desk) -> None:
    on_page = limits(Settings(questions_per_minute=1), Ledger(desk.database)).pace
    on_page.take(ANNA)
    with pytest.raises(QuestionsTooFast):
        on_page.take(ANNA)
    replayed = limits(Settings(questions_per_minute=1)).pace
    for _ in range(3):
        replayed.take(ANNA)

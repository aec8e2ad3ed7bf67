"""What a new statement does to those that stand: latest wins, adding ends nothing, the person's word goes first."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from memory.knowledge.facts import SELF, Statement, StoredFact, decide, holds_at, with_heard
from memory.knowledge.heard import Heard

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def kept(number: int, value: str, key: str = "budget", source: str = "person", **more: object) -> StoredFact:
    values = {"detail": "", "amount": None, "unit": "", "act": "states", "said": 1, "conversation": "", "turn": ""}
    return StoredFact(
        id=number, entity=SELF, key=key, value=value, source=source, valid_from=NOON, **(values | more),  # type: ignore[arg-type]
    )  # fmt: skip


def test_the_latest_wins() -> None:
    assert decide([kept(1, "900 €")], Statement(SELF, "budget", "1200 €")).retire == (1,)


def test_the_same_value_is_no_change_in_whatever_language() -> None:
    stood = kept(1, "900 Euro", amount=900.0, unit="EUR")
    again = decide([stood], Statement(SELF, "budget", "900 €", amount=900.0, unit="EUR"))
    assert (again.keep, again.repeats, again.retire) == (False, 1, ())
    other = decide([stood], Statement(SELF, "budget", "900 $", amount=900.0, unit="USD"))
    assert other.retire == (1,)


def test_what_is_added_ends_nothing() -> None:
    for key in ("owns", "job"):
        decision = decide([kept(1, "Weber 7", key)], Statement(SELF, key, "Loire 20", act="adds"))
        assert (decision.keep, decision.retire) == (True, ())


def test_a_plain_statement_adds_where_several_values_stand_side_by_side() -> None:
    assert decide([kept(1, "Weber 7", "owns")], Statement(SELF, "owns", "Loire 20")).retire == ()


def test_a_correction_replaces_the_last_of_several() -> None:
    stood = [kept(1, "Weber 7", "owns"), kept(2, "Loire 15", "owns")]
    assert decide(stood, Statement(SELF, "owns", "Loire 20", act="corrects")).retire == (2,)


def test_what_is_taken_back_leaves_nothing_in_its_place() -> None:
    stood = [kept(1, "Tillman Weber 7", "owns"), kept(2, "Loire 20", "owns")]
    assert decide(stood, Statement(SELF, "owns", "Weber 7", act="retracts")).retire == (1,)
    assert decide(stood, Statement(SELF, "owns", "", act="retracts")).retire == (1, 2)
    assert not decide(stood, Statement(SELF, "owns", "Rhin 3", act="retracts")).keep


def test_the_persons_word_goes_before_the_documents_and_that_before_the_assistants() -> None:
    said, read, guessed = (Statement("e", "price", f"{n} €", source) for n, source in
                           ((1, "person"), (2, "document"), (3, "assistant")))  # fmt: skip
    stood = [kept(7, "4 €", "price")]
    assert decide(stood, guessed).overruled_by == decide(stood, read).overruled_by == 7
    assert decide([kept(7, "4 €", "price", "assistant")], read).retire == (7,)
    assert decide([kept(7, "4 €", "price", "document")], said).retire == (7,)


def test_documents_and_the_assistant_state_nothing_of_the_person() -> None:
    for source in ("document", "assistant"):
        assert not decide([], Statement(SELF, "budget", "900 €", source)).keep  # type: ignore[arg-type]


def test_a_fact_holds_from_its_beginning_to_its_end() -> None:
    hour = timedelta(hours=1)
    fact = kept(1, "900 €", retired_at=NOON + hour)
    assert [holds_at(fact, NOON + n * hour) for n in (-1, 0, 1)] == [False, True, False]
    assert not holds_at(kept(1, "900 €", withdrawn=True), NOON + hour)


def test_what_is_being_said_stands_before_it_is_kept() -> None:
    heard = [Heard("", "call_name", "Alex", 0, 0), Heard("Weber 7", "price", "3 €", 0, 0), Heard("", "budget", "", 0, 0, "retracts")]  # fmt: skip # noqa: E501
    after = with_heard([kept(1, "Alexander", "call_name"), kept(2, "900 €")], heard, NOON)
    assert [(fact.key, fact.value) for fact in after] == [("call_name", "Alex")]

"""What a chat model costs is noted, bounded a turn and a person a day, and takes nothing from anybody else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select

from languages import codes
from memory.store import people
from memory.store.tables import usage as table
from memory.store.usage import Ledger
from memory.types import Message, Usage
from rag.answer.model import OpenAIChat
from rag.build import limits
from rag.errors import ModelCut, ModelOverBudget
from rag.limits import Limits
from rag.metering import Budget, Metered
from rag.settings import Settings
from rag.turns import record_of, turn_of
from tests.rag.answer.servers import Script, serving
from tests.rag.conftest import Desk, ScriptedModel

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
ASKED = "How much does the Norda Halo cost?"
SAID = "The Norda Halo costs $95, as the list of the shop says in its part on prices. [1]"
PROMPT = (Message("system", "Be brief."), Message("user", "What does it cost?"))


class Clock:
    """A moment that can be moved."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def ledger(desk: Desk, clock: Clock) -> Ledger:
    return Ledger(desk.database, now=clock)


@pytest.fixture
def address() -> Iterator[str]:
    with serving(Script((tuple(SAID),))) as found:
        yield found


def bounded(ledger: Ledger, *, turn: int = 0, day: int = 0) -> Limits:
    return Limits(budget=Budget(turn, day, ledger))


def test_a_turn_says_what_it_cost_and_how_long_it_took(desk: Desk, ledger: Ledger, address: str) -> None:
    pipeline = desk.pipeline(OpenAIChat("small", address=address), bounded(ledger))
    (turn,) = desk.talk(ASKED, language="en", pipeline=pipeline)
    assert turn.answer is not None
    assert turn.answer.text == SAID
    assert turn.usage is not None
    assert turn.usage.calls == 1
    assert 100 < turn.usage.prompt_tokens < 3000
    assert 20 <= turn.usage.answer_tokens <= 40
    assert turn.timings_ms["answer"] > 0
    assert ledger.today("someone") == turn.usage
    kept = desk.conversations.turns(turn.id.rpartition("-")[0], "someone")[0]
    assert turn_of(kept).usage == turn.usage
    assert record_of(turn)["usage"] == asdict(turn.usage)


def test_a_retry_in_the_right_language_counts_twice(desk: Desk, ledger: Ledger) -> None:
    german = "Der Norda Halo kostet nach der Liste des Ladens und allen Angaben darin genau 95 Dollar. [1]"
    with serving(Script(((german,), (SAID,)))) as found:
        pipeline = desk.pipeline(OpenAIChat("small", address=found), bounded(ledger))
        (turn,) = desk.talk(ASKED, language="en", pipeline=pipeline)
    assert turn.usage is not None
    assert turn.usage.calls == 2
    assert ledger.today("someone").calls == 2


def test_what_asks_no_model_costs_nothing(desk: Desk, ledger: Ledger) -> None:
    (quoted,) = desk.talk(ASKED, language="en", pipeline=desk.pipeline(limits=bounded(ledger)))
    (thanks,) = desk.talk("Thanks!", language="en", pipeline=desk.pipeline(ScriptedModel((SAID,)), bounded(ledger)))
    assert quoted.usage is None
    assert thanks.usage is None
    assert ledger.today("someone") == Usage()


def test_a_day_that_is_used_up_is_quoted_and_said_so(desk: Desk, ledger: Ledger, clock: Clock) -> None:
    model = ScriptedModel((SAID,))
    pipeline = desk.pipeline(model, bounded(ledger, day=3000))
    ledger.add("someone", Usage(9, 2000, 990))
    (turn,) = desk.talk(ASKED, language="en", pipeline=pipeline)
    assert turn.notices == ("notice.model_over_budget",)
    assert turn.answer is not None
    assert turn.answer.method == "extraction"
    assert "95" in turn.answer.text
    assert model.asked == []
    (others,) = desk.talk(ASKED, language="en", person="another", pipeline=pipeline)
    assert others.answer is not None
    assert others.answer.text == SAID, "one person's day is nobody else's"
    clock.now += timedelta(days=1)
    (tomorrow,) = desk.talk(ASKED, language="en", pipeline=pipeline)
    assert tomorrow.answer is not None
    assert tomorrow.answer.text == SAID
    assert tomorrow.notices == ()


def test_deleting_a_conversation_gives_nothing_back(desk: Desk, ledger: Ledger) -> None:
    pipeline = desk.pipeline(ScriptedModel((SAID,)), bounded(ledger))
    (turn,) = desk.talk(ASKED, language="en", pipeline=pipeline)
    desk.conversations.delete(turn.id.rpartition("-")[0], "someone")
    assert ledger.today("someone") == turn.usage


def test_it_is_exported_and_erased_with_its_person(desk: Desk, ledger: Ledger) -> None:
    for person in ("anna", "ben"):
        ledger.add(person, Usage(1, 20, 3))
        ledger.add(person, Usage(1, 20, 3))
    with desk.database.write() as connection:
        assert [row["prompt_tokens"] for row in people.export(connection, "anna")["usage"]] == [40]
        people.erase(connection, "anna")
        assert list(connection.scalars(select(table.c.person))) == ["ben"]
    assert ledger.today("anna") == Usage()


def test_an_answer_that_costs_more_than_the_turn_may_is_cut_and_kept(desk: Desk, ledger: Ledger) -> None:
    unbounded = desk.pipeline(ScriptedModel((SAID,)), bounded(ledger))
    (free,) = desk.talk(ASKED, language="en", pipeline=unbounded)
    assert free.usage is not None
    long = tuple(f"{SAID} " for _ in range(40))
    pipeline = desk.pipeline(ScriptedModel(long), bounded(ledger, turn=free.usage.prompt_tokens + 300))
    (turn,) = desk.talk(ASKED, language="en", pipeline=pipeline)
    assert turn.answer is not None
    assert turn.notices == ("notice.model_cut",)
    assert turn.answer.text.startswith(SAID)
    assert len(turn.answer.text) < len("".join(long)) / 2


def test_whoever_leaves_has_paid_for_what_was_said(desk: Desk, ledger: Ledger) -> None:
    pipeline = desk.pipeline(ScriptedModel((SAID, SAID, SAID)), bounded(ledger))
    conversation = desk.conversations.create("someone", "en")
    stream = pipeline.stream(ASKED, "", user="someone", conversation=conversation, turn_id="left")
    for event in stream:
        if getattr(event, "text", ""):
            break
    stream.close()  # type: ignore[attr-defined]
    assert ledger.today("someone").calls == 1
    assert ledger.today("someone").answer_tokens > 0


def test_the_bounds_of_one_call() -> None:
    model = Metered(ScriptedModel(("Nine euros.",)), 9)
    with pytest.raises(ModelOverBudget):
        list(model.stream(PROMPT))
    assert model.used == Usage()
    with pytest.raises(ModelCut):
        list(Metered(ScriptedModel(("Nine euros. " * 50,)), 60).stream(PROMPT))
    free = Metered(ScriptedModel(("Nine", " euros.")))
    assert list(free.stream(PROMPT)) == ["Nine", " euros."]
    assert free.used.calls == 1


def test_the_bounds_are_settings(ledger: Ledger) -> None:
    assert limits(Settings(turn_tokens=700, day_tokens=9000), ledger).budget == Budget(700, 9000, ledger)
    assert limits(Settings()).budget == Budget()


FORMS = {
    "en": ("It costs 95 dollars in the shop, as the list of prices says", "【1】", "`x[2]`"),
    "fr": ("Il coûte 95 euros dans la boutique, comme le dit la liste des prix", "［１］", "`x[2]`"),
    "de": ("Er kostet 95 Euro im Laden, wie es in der Liste der Preise steht", "[1†quelle]", "`x[2]`"),
    "ar": ("يبلغ السعر 95 ريالًا في المتجر كما ورد في قائمة الأسعار", "[١، ٩٩]", "`x[2]`"),
}
QUESTIONS = {
    "en": ASKED,
    "fr": "Combien coûte le Norda Halo ?",
    "de": "Was kostet der Norda Halo?",
    "ar": "كم سعر Norda Halo؟",
}


@pytest.mark.parametrize("code", codes())
@pytest.mark.parametrize("size", [1, 2, 5])
def test_over_http_a_marker_in_any_form_and_any_pieces_is_a_source(
    tmp_path_factory: pytest.TempPathFactory, code: str, size: int
) -> None:
    desk = Desk(tmp_path_factory.mktemp("desk"), code)
    said, marker, literal = FORMS[code]
    text = f"{said} {marker}. {literal} [7777]"
    pieces = tuple(text[start : start + size] for start in range(0, len(text), size))
    with serving(Script((pieces,))) as found:
        (turn,) = desk.talk(QUESTIONS[code], language=code, pipeline=desk.pipeline(OpenAIChat("m", address=found)))
    assert turn.answer is not None
    assert turn.answer.text == f"{said} [1]. {literal}"
    assert [citation.number for citation in turn.answer.citations] == [1]
    assert turn.notices == ()


def test_over_http_a_refusal_in_its_own_field_is_quoted_from_the_documents(desk: Desk) -> None:
    def piece(delta: dict[str, str], finish: str | None) -> str:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return json.dumps(
            {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
        )

    events = (piece({"refusal": "I cannot help."}, None), piece({}, "stop"), "[DONE]")
    body = "".join(f"data: {event}\n\n" for event in events)
    with serving(Script(body=body, kind="text/event-stream")) as found:
        (turn,) = desk.talk(ASKED, language="en", pipeline=desk.pipeline(OpenAIChat("m", address=found)))
    assert turn.notices == ("notice.model_empty",)
    assert turn.answer is not None
    assert "95" in turn.answer.text
    assert turn.answer.citations

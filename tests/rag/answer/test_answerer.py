from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from memory.types import Message
from rag.answer.answerer import HELD_BACK, answer_stream
from rag.answer.model import OpenAIChat
from rag.errors import ModelBrokenStream, ModelError, ModelTimeout, ModelUnreachable
from rag.events import Answer, Notice, Piece
from tests.rag.answer.places import ask, hit
from tests.rag.answer.servers import Script, serving

LAMP = hit("The Oriel 5 is a desk lamp. It weighs 2.4 kg and costs $129.", document="oriel-5.md", heading="Oriel 5")
BULB = hit("A spare bulb costs $19. Bulbs are sold in pairs.", document="bulbs.md", heading="Bulbs")
REQUEST = ask("How heavy is the Oriel 5?", LAMP, BULB, entities=("Oriel 5",))
GERMAN = "Die Oriel 5 ist eine Schreibtischlampe und wiegt nach Angabe des Herstellers genau 2,4 kg [1]."
ENGLISH = "The Oriel 5 is a desk lamp, and it weighs 2.4 kg according to its maker [1]."


@dataclass
class ScriptedModel:
    """Says one of its answers a call, in small pieces, then raises what it is told to."""

    answers: tuple[str, ...]
    error: ModelError | None = None
    asked: list[tuple[Message, ...]] = field(default_factory=list)
    closed: int = 0

    @property
    def name(self) -> str:
        return "scripted"

    def stream(self, messages: tuple[Message, ...]) -> Iterator[str]:
        self.asked.append(messages)
        text = self.answers[min(len(self.asked), len(self.answers)) - 1]
        try:
            for start in range(0, len(text), 7):
                yield text[start : start + 7]
            if self.error is not None:
                raise self.error
        finally:
            self.closed += 1


def run(model: ScriptedModel | OpenAIChat | None) -> tuple[list[str], list[str], Answer]:
    """Return the pieces, the notices and the answer; the answer comes last and once."""
    events = list(answer_stream(REQUEST, model))
    answers = [event for event in events if isinstance(event, Answer)]
    assert len(answers) == 1
    assert events[-1] is answers[0]
    pieces = [event.text for event in events if isinstance(event, Piece)]
    assert "".join(pieces) == answers[0].text
    return pieces, [event.key for event in events if isinstance(event, Notice)], answers[0]


def test_streams_a_models_answer_with_its_source() -> None:
    model = ScriptedModel((ENGLISH,))
    pieces, notices, answer = run(model)
    assert len(pieces) > 1
    assert len(pieces[0]) >= HELD_BACK
    assert notices == []
    assert (answer.text, answer.answered, answer.method) == (ENGLISH, True, "scripted")
    assert [(c.number, c.document) for c in answer.citations] == [(1, "oriel-5.md")]
    assert answer.citations[0].quote == "It weighs 2.4 kg and costs $129."
    assert len(model.asked) == 1


def test_the_wrong_language_is_never_shown_and_tried_again_once() -> None:
    model = ScriptedModel((GERMAN, ENGLISH))
    pieces, notices, answer = run(model)
    assert answer.text == ENGLISH
    assert "Schreibtischlampe" not in "".join(pieces)
    assert notices == []
    assert len(model.asked) == 2
    assert model.asked[1][-1].content == "Answer in English only."
    assert model.closed == 2


def test_twice_the_wrong_language_is_quoted_from_the_documents() -> None:
    model = ScriptedModel((GERMAN,))
    _, notices, answer = run(model)
    assert notices == ["notice.wrong_language"]
    assert "2.4 kg" in answer.text
    assert answer.method == "extraction"
    assert len(model.asked) == 2


@pytest.mark.parametrize(
    ("error", "notice"),
    [
        (ModelUnreachable("no"), "notice.model_unreachable"),
        (ModelTimeout("late"), "notice.model_timeout"),
        (ModelError("what"), "notice.model_failed"),
    ],
)
def test_a_failure_before_the_first_word_is_quoted_from_the_documents(error: ModelError, notice: str) -> None:
    _, notices, answer = run(ScriptedModel(("",), error))
    assert notices == [notice]
    assert answer.answered
    assert "2.4 kg" in answer.text
    assert answer.citations[0].document == "oriel-5.md"


def test_what_was_said_before_it_broke_off_stays_and_the_quotation_follows() -> None:
    said = "The Oriel 5 is a desk lamp for people who work at night, it is sturdy [2], and it"
    _, notices, answer = run(ScriptedModel((said,), ModelBrokenStream("cut")))
    assert notices == ["notice.model_broken_stream"]
    first, second = answer.text.split("\n\n")
    assert first.startswith("The Oriel 5 is a desk lamp")
    assert "2.4 kg" in second
    numbers = [citation.number for citation in answer.citations]
    assert len(set(numbers)) == len(numbers)
    assert all(f"[{number}]" in answer.text for number in numbers)


def test_an_answer_without_a_source_is_marked() -> None:
    _, notices, answer = run(ScriptedModel(("The lamp in question weighs 2.4 kg, which is rather a lot for a lamp.",)))
    assert notices == ["notice.uncited"]
    assert answer.answered
    assert answer.citations == ()


def test_a_model_that_says_it_is_not_there_has_not_answered() -> None:
    _, notices, answer = run(ScriptedModel(("The passages do not say anything about that lamp, I am afraid.",)))
    assert notices == []
    assert not answer.answered


def test_small_talk_calls_no_model() -> None:
    model = ScriptedModel((ENGLISH,))
    events = list(answer_stream(ask("thanks!", LAMP), model))
    assert model.asked == []
    assert isinstance(events[-1], Answer)


def test_without_a_model_the_documents_are_quoted() -> None:
    _, notices, answer = run(None)
    assert notices == []
    assert "2.4 kg" in answer.text


def test_whoever_stops_listening_stops_the_model() -> None:
    model = ScriptedModel((ENGLISH * 5,))
    stream = answer_stream(REQUEST, model)
    next(stream)
    stream.close()  # type: ignore[attr-defined]
    assert model.closed == 1


def test_over_http_a_stream_that_breaks_ends_in_a_quotation() -> None:
    pieces = ("The Oriel 5 is a desk lamp that stands on a heavy foot, ", "and")
    with serving(Script((pieces,), breaks=True)) as address:
        _, notices, answer = run(OpenAIChat("small", address=address))
    assert notices == ["notice.model_broken_stream"]
    assert answer.text.startswith("The Oriel 5 is a desk lamp")
    assert "2.4 kg" in answer.text


def test_over_http_an_answer_in_another_language_is_asked_for_again() -> None:
    script = Script(((GERMAN,), (ENGLISH,)))
    with serving(script) as address:
        _, notices, answer = run(OpenAIChat("small", address=address))
    assert answer.text == ENGLISH
    assert notices == []
    assert len(script.asked) == 2

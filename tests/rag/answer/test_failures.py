"""Every way in which a chat model's server fails, over real HTTP: quoted instead, said plainly, kept, and mended."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from pydantic import BaseModel

from languages import codes, load
from rag.answer.connections import within
from rag.answer.model import OpenAIChat
from rag.answer.thought import Answering
from rag.errors import ModelCut, ModelError
from rag.turns import turn_of
from tests.rag.answer.servers import Script, serving
from tests.rag.conftest import Desk
from tests.rag.shop import TALKS, Talk

PAGE = "<html><body>Please sign in</body></html>"
TIMEOUT_S = 0.4
BEGAN = "The Tavira Kestrel 12 is a light laptop, and this is the beginning of what "


class Said(BaseModel):
    """What a server is asked for in a form."""

    said: str


def error(code: object) -> str:
    return json.dumps({"error": {"message": "no", "type": "x", "code": code}})


@dataclass(frozen=True)
class Fault:
    """What a server does, and the notice that a person gets for it."""

    name: str
    notice: str
    script: dict[str, object] = field(default_factory=dict)
    began: bool = False  # something was said before


FAULTS = (
    Fault("a page of a proxy", "model_malformed", {"body": PAGE, "kind": "text/html; charset=utf-8"}),
    Fault("a page that calls itself JSON", "model_malformed", {"body": PAGE}),
    Fault("JSON that is no answer", "model_malformed", {"body": '{"hello": "world"}'}),
    Fault("a list for an answer", "model_malformed", {"body": "[1, 2]"}),
    Fault("an error under status 200", "model_failed", {"body": error("x")}),
    Fault("an error under status 200, busy", "model_busy", {"body": error(429)}),
    Fault("an error under status 200, key", "model_refused_key", {"body": error("401")}),
    Fault("nothing at all", "model_broken_stream", {"body": "", "kind": "text/event-stream"}),
    Fault("events that are no answer", "model_malformed", {"body": "data: [1]\n\n", "kind": "text/event-stream"}),
    Fault("an error among the events", "model_busy", {"body": f"data: {error(429)}\n\n", "kind": "text/event-stream"}),
    Fault("a wrong model", "model_unknown", {"status": 404, "body": error("model_not_found")}),
    Fault(
        "a wrong model, as another server says it", "model_unknown", {"status": 400, "body": error("model_not_found")}
    ),
    Fault("a wrong address", "model_unreachable", {"status": 404, "body": "404 page not found", "kind": "text/plain"}),
    Fault("a wrong path", "model_unreachable", {"status": 404, "body": '{"detail": "Not Found"}'}),
    Fault("a refused key", "model_refused_key", {"status": 401}),
    Fault("a key without the right", "model_refused_key", {"status": 403}),
    Fault("too many requests", "model_busy", {"status": 429}),
    Fault("too many requests, for so long", "model_busy", {"status": 429, "headers": {"Retry-After": "30"}}),
    Fault("no money left", "model_busy", {"status": 402}),
    Fault("a server's fault", "model_failed", {"status": 500}),
    Fault("a server's fault, as a page", "model_failed", {"status": 502, "body": PAGE, "kind": "text/html"}),
    Fault("a gateway that waited long enough", "model_timeout", {"status": 504}),
    Fault("silence before the first word", "model_timeout", {"late_s": 1.5}),
    Fault("signs of life and no word", "model_timeout", {"late_s": 1.5, "ping_s": 0.05}),
    Fault("silence between words", "model_timeout", {"answers": ((BEGAN, "x"),), "delay_s": 1.5}, began=True),
    Fault(
        "signs of life between words",
        "model_timeout",
        {"answers": ((BEGAN, "x"),), "delay_s": 1.5, "ping_s": 0.05},
        began=True,
    ),
    Fault("a broken connection", "model_broken_stream", {"answers": ((BEGAN,),), "breaks": True}, began=True),
    Fault("a clean close without an end", "model_broken_stream", {"answers": ((BEGAN,),), "end": "none"}, began=True),
    Fault("no content", "model_empty", {"answers": ((),)}),
    Fault("empty content", "model_empty", {"answers": (("", " \n"),)}),
    Fault("thoughts alone", "model_empty", {"answers": ((),), "thought": ("Hm, ", "let me see.")}),
    Fault("thoughts alone, aloud", "model_empty", {"answers": (("<think>Hm, let", " me see.</think>\n"),)}),
    Fault("thoughts without an end", "model_empty", {"answers": (("<think>Hm, let me",),), "finish": "length"}),
    Fault("the mark of the end alone", "model_empty", {"body": "data: [DONE]\n\n", "kind": "text/event-stream"}),
    Fault("a filter", "model_filtered", {"answers": ((BEGAN,),), "finish": "content_filter"}, began=True),
    Fault("a filter before the first word", "model_filtered", {"answers": ((),), "finish": "content_filter"}),
    Fault("a filter of questions", "model_filtered", {"status": 400, "body": error("content_filter")}),
)


@pytest.fixture(scope="module")
def four(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """A library with the shop's documents in each language."""
    desk = Desk(tmp_path_factory.mktemp("desk"), *codes())
    yield desk
    desk.library.close()
    desk.database.close()


@pytest.mark.parametrize("fault", FAULTS, ids=[fault.name for fault in FAULTS])
def test_a_fault_is_answered_from_the_documents_said_plainly_and_kept(four: Desk, fault: Fault) -> None:
    script = Script(**fault.script)  # type: ignore[arg-type]
    with serving(script) as address:
        timeout_s = TIMEOUT_S if script.late_s or script.delay_s else 20
        model = OpenAIChat("small", key="secret", address=address, timeout_s=timeout_s)
        conversation = four.conversations.create("someone", "en")
        turn = four.pipeline(model).turn(
            "How much does the Tavira Kestrel 12 cost?",
            "",
            user="someone",
            conversation=conversation,
            turn_id=f"{conversation}-a",
        )
    assert turn.notices == (f"notice.{fault.notice}",)
    assert len(script.asked) == 1, "the documents answer, instead of a second call"
    assert turn.answer is not None
    assert turn.answer.answered
    assert turn.answer.method == "extraction"
    assert turn.answer.text.startswith(BEGAN.strip()) == fault.began
    assert "840" in turn.answer.text
    assert "<think>" not in turn.answer.text
    assert turn.answer.citations
    stored = four.conversations.find_turn(conversation, "someone", f"{conversation}-a")
    assert stored is not None
    assert not stored.stopped
    assert turn_of(stored) == turn, "it is kept as it was shown"


@pytest.mark.parametrize("talk", TALKS, ids=[talk.language for talk in TALKS])
def test_after_a_fault_the_next_try_is_the_models_again(four: Desk, talk: Talk) -> None:
    said = {
        "en": "The Tavira Kestrel 12 costs 840 dollars in our shop, as of today and for the time being [1].",
        "fr": "Le Tavira Kestrel 12 coûte 840 euros dans notre boutique, à ce jour et pour le moment [1].",
        "de": "Das Tavira Kestrel 12 kostet in unserem Laden 840 Euro, jedenfalls heute und bis auf Weiteres [1].",
        "ar": "سعر هذا الحاسوب في متجرنا هو 840 ريالًا في الوقت الحالي، وذلك حتى إشعار آخر من الإدارة [1].",
    }[talk.language]
    script = Script(((said,),), status=503)
    with serving(script) as address:
        pipeline = four.pipeline(OpenAIChat("small", key="secret", address=address, timeout_s=5))
        conversation = four.conversations.create("someone", talk.language)
        failed = pipeline.turn(
            talk.question, "", user="someone", conversation=conversation, turn_id=f"{conversation}-a"
        )
        script.status = 200
        mended = pipeline.turn(
            talk.question, "", user="someone", conversation=conversation, turn_id=f"{conversation}-b"
        )
    assert failed.notices == ("notice.model_failed",)
    assert failed.answer is not None
    assert talk.answer in failed.answer.text
    assert mended.notices == ()
    assert mended.answer is not None
    assert (mended.answer.text, mended.answer.method) == (said, "small")
    assert [turn.id for turn in four.conversations.turns(conversation, "someone")] == [failed.id, mended.id]


@pytest.mark.parametrize("code", codes())
def test_each_failure_has_a_sentence_of_its_own_in_each_language(code: str) -> None:
    kinds: list[type[ModelError]] = [ModelError]
    for kind in kinds:
        kinds += kind.__subclasses__()
    names = {kind.key.partition(".")[2] for kind in kinds}
    assert {f.notice for f in FAULTS} | {"model_cut", "model_over_budget"} == names
    for section in ("notice", "error"):
        sentences = [load(code).text(f"{section}.{name}") for name in names]
        assert len(set(sentences)) == len(names)
        assert all(sentence.endswith(".") and "{" not in sentence for sentence in sentences)


@pytest.mark.parametrize("end", ["whole", "mark", "finish"])
def test_an_answer_may_end_as_servers_end_them(end: str) -> None:
    with serving(Script((("Red", "."),), end=end)) as address:  # type: ignore[arg-type]
        assert list(OpenAIChat("small", address=address, timeout_s=5).stream(())) == ["Red", "."]


USAGES = ("none", 7, [1], {"prompt_tokens": "many"}, {"completion_tokens": -1, "total_tokens": {}}, {"x": None})


@pytest.mark.parametrize("usage", USAGES, ids=repr)
def test_what_a_server_says_of_its_consumption_costs_no_answer(usage: object) -> None:
    with serving(Script((("Red", "."),), usage=usage, plain='{"said": "Red."}')) as address:
        model = OpenAIChat("small", address=address, timeout_s=5)
        assert list(model.stream(())) == ["Red", "."]
        assert model.structured((), Said) == Said(said="Red.")


def test_an_answer_without_an_end_is_cut_where_the_limit_is() -> None:
    script = Script((("Red and blue, ",) * 2000,))
    with serving(script) as address:
        stream = OpenAIChat("small", address=address, timeout_s=5, answer_tokens=100).stream(())
        said: list[str] = []
        with pytest.raises(ModelCut, match="REFERENT_ANSWER_TOKENS"):
            said.extend(stream)
    assert len("".join(said)) == 400
    assert script.asked[0]["max_completion_tokens"] == 100


def test_a_server_that_refuses_the_limit_is_asked_without_it_from_then_on() -> None:
    script = Script((("Red", "."),), unknown="max_completion_tokens")
    with serving(script) as address:
        model = OpenAIChat("small", address=address, timeout_s=5)
        assert list(model.stream(())) == list(model.stream(())) == ["Red", "."]
    assert ["max_completion_tokens" in asked for asked in script.asked] == [True, False, False]


@pytest.mark.parametrize(
    ("pieces", "finish"), [((BEGAN,), "length"), ((BEGAN, "x " * 300), "stop"), (("Light",), "length")]
)
def test_what_came_of_an_answer_that_is_cut_is_kept_and_marked(
    four: Desk, pieces: tuple[str, ...], finish: str
) -> None:
    with serving(Script((pieces,), finish=finish)) as address:
        model = OpenAIChat("small", address=address, timeout_s=20, answer_tokens=100)
        conversation = four.conversations.create("someone", "en")
        turn = four.pipeline(model).turn(
            "How heavy is the Tavira Kestrel 12?", "", user="someone", conversation=conversation, turn_id=conversation
        )
    assert "notice.model_cut" in turn.notices
    assert turn.answer is not None
    assert turn.answer.method == "small"
    assert turn.answer.text == "".join(pieces)[:400].rstrip() + "…"
    stored = four.conversations.find_turn(conversation, "someone", conversation)
    assert stored is not None
    assert turn_of(stored) == turn


def test_thoughts_are_not_said() -> None:
    with serving(Script((("<think>Hm", "m</think>", "\n\nRed", " it is."),), thought=("First",))) as address:
        assert list(OpenAIChat("small", address=address, timeout_s=5).stream(())) == ["Red", " it is."]


@pytest.mark.parametrize(
    ("pieces", "said"),
    [
        (("<think>a</think>b",), "b"),
        (("<", "t", "h", "i", "n", "k", ">a<", "/think", ">", " b"), "b"),
        (("\n<think>", "a" * 99, "</think>\n\n b"), "b"),
        (("a <think>b</think> c",), "a <think>b</think> c"),
        (("<thin", "g> is"), "<thing> is"),
        (("<th",), "<th"),
        (("  a", " b"), "  a b"),
        (("<think>a",), ""),
        (("<think></think>",), ""),
        ((), ""),
    ],
)
def test_only_thoughts_at_the_head_are_left_out(pieces: tuple[str, ...], said: str) -> None:
    answering = Answering()
    text = "".join([*(answering.feed(piece) for piece in pieces), answering.end()])
    assert text == said
    assert answering.said == bool(said.strip())


@pytest.mark.parametrize("ping_s", [0.0, 0.05])
def test_whoever_leaves_ends_the_connection(ping_s: float) -> None:
    script = Script((("Red", " and", " blue."),), delay_s=1.0, ping_s=ping_s)
    with serving(script) as address:
        stream = OpenAIChat("small", address=address, timeout_s=30).stream(())
        assert next(stream) == "Red"
        stream.close()  # type: ignore[attr-defined]
        deadline = time.monotonic() + 5
        while workers() and time.monotonic() < deadline:
            time.sleep(0.01)
        assert not workers(), "the thread that read has ended too"
        if ping_s:
            assert script.hung_up.wait(5)


def test_one_person_who_leaves_ends_nobody_elses_answer() -> None:
    with serving(Script((("Red", " and", " blue."),), delay_s=0.3)) as address:
        model = OpenAIChat("small", address=address, timeout_s=30)
        mine, theirs = model.stream(()), model.stream(())
        assert (next(mine), next(theirs)) == ("Red", "Red")
        mine.close()  # type: ignore[attr-defined]
        assert list(theirs) == [" and", " blue."]
        assert list(model.stream(())) == ["Red", " and", " blue."]


def test_what_fails_while_nobody_waits_is_raised_when_asked_for() -> None:
    def values() -> Iterator[int]:
        yield 1
        raise KeyError("x")

    got = within(5, values, lambda thread: None)  # type: ignore[arg-type]
    assert next(got) == 1
    with pytest.raises(KeyError):
        next(got)


def test_the_wait_for_each_value_is_bounded_not_that_for_all() -> None:
    def values() -> Iterator[int]:
        for number in range(6):
            time.sleep(0.1)
            yield number

    assert list(within(0.4, values, lambda thread: None)) == list(range(6))  # type: ignore[arg-type]


def workers() -> list[threading.Thread]:
    """Return the threads that read answers."""
    return [thread for thread in threading.enumerate() if thread.name == "chat-model"]

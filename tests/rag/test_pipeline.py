"""Whole turns over a real library with three documents a language, without a model and with a scripted one."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest

from languages import load
from memory import Candidate, Discourse, Resolution
from memory.errors import ConversationNotFound
from rag.clarifying import clarify, find_expression
from rag.errors import ModelUnreachable, QuestionEmpty, QuestionTooLong
from rag.events import Done, Found, Piece, Understood
from rag.limits import Limits
from rag.run import STAGES
from rag.shelf.owners import Owner
from rag.turns import record_of, turn_of
from tests.rag.conftest import Desk, ScriptedModel
from tests.rag.shop import TALKS, Talk


@pytest.mark.parametrize("talk", TALKS, ids=[talk.language for talk in TALKS])
def test_a_follow_up_is_understood_answered_and_cited(tmp_path: Path, talk: Talk) -> None:
    desk = Desk(tmp_path, talk.language)
    first, second = desk.talk(talk.question, talk.follow_up, language=talk.language)
    assert first.answer is not None
    assert talk.answer in first.answer.text
    assert first.language == second.language == talk.language
    assert talk.understood in second.resolution.standalone
    assert second.answer is not None
    assert talk.second in second.answer.text
    text = desk.library.document_text(second.answer.citations[0].document, Owner("shelf", "shared"))
    assert all(citation.quote in text for citation in second.answer.citations[:1])
    assert (first.number, second.number) == (0, 1)


def test_a_language_switch_in_the_middle_is_followed(tmp_path: Path) -> None:
    desk = Desk(tmp_path, "en", "fr")
    first, second = desk.talk("How much does the Norda Halo cost?", "Quelle est sa garantie ?", language="en")
    assert (first.language, second.language) == ("en", "fr")
    assert "Norda Halo" in second.resolution.standalone


def test_the_language_may_be_set(desk: Desk) -> None:
    conversation = desk.conversations.create("someone", "en")
    turn = desk.pipeline().turn("Norda Halo?", "", user="someone", conversation=conversation, turn_id="a", lang="de")
    assert turn.language == turn.resolution.language == "de"


def test_the_events_come_in_order_and_end_in_the_stored_turn(desk: Desk) -> None:
    conversation = desk.conversations.create("someone", "en")
    events = list(
        desk.pipeline().stream(
            "How much does the Norda Halo cost?", "", user="someone", conversation=conversation, turn_id="a"
        )
    )
    assert [type(event) for event in events if not isinstance(event, Piece)] == [Understood, Found, Done]
    done = events[-1]
    assert isinstance(done, Done)
    pieces = "".join(event.text for event in events if isinstance(event, Piece))
    assert done.turn.answer is not None
    assert pieces == done.turn.answer.text
    stored = desk.conversations.find_turn(conversation, "someone", "a")
    assert stored is not None
    assert turn_of(stored) == done.turn
    assert not stored.stopped


def test_each_stage_has_its_milliseconds(desk: Desk) -> None:
    (turn,) = desk.talk("How much does the Norda Halo cost?", language="en")
    assert tuple(turn.timings_ms) == STAGES
    assert all(value >= 0 for value in turn.timings_ms.values())
    assert turn.timings_ms["retrieve"] > 0
    assert turn.timings_ms["answer"] > 0


def test_the_same_turn_twice_is_made_and_kept_once(desk: Desk) -> None:
    conversation = desk.conversations.create("someone", "en")
    pipeline = desk.pipeline()
    question = "How much does the Norda Halo cost?"
    first = pipeline.turn(question, "", user="someone", conversation=conversation, turn_id="a")
    batches = desk.embedder.batches
    second = pipeline.turn("something else", "", user="someone", conversation=conversation, turn_id="a")
    assert second == first
    assert desk.embedder.batches == batches
    assert len(desk.conversations.turns(conversation, "someone")) == 1


def test_a_turn_that_is_left_is_kept_as_stopped_and_its_answer_is_not_referred_to(desk: Desk) -> None:
    conversation = desk.conversations.create("someone", "en")
    events = desk.pipeline().stream(
        "How much does the Norda Halo cost?", "", user="someone", conversation=conversation, turn_id="a"
    )
    shown = ""
    for event in events:
        if isinstance(event, Piece):
            shown = event.text
            break
    events.close()  # type: ignore[attr-defined]  # a generator, as every page uses it
    (kept,) = (turn_of(stored) for stored in desk.conversations.turns(conversation, "someone"))
    assert kept.stopped
    assert kept.answer is not None
    assert kept.answer.text == shown
    discourse = Discourse.from_json(kept.discourse)
    assert discourse.messages == 1
    assert {mention.role for mention in discourse.mentions} == {"user"}
    follow_up = desk.pipeline().turn(
        "And its warranty?", kept.discourse, user="someone", conversation=conversation, turn_id="b"
    )
    assert "Norda Halo" in follow_up.resolution.standalone


def test_a_turn_left_before_its_answer_keeps_the_question(desk: Desk) -> None:
    conversation = desk.conversations.create("someone", "en")
    events = desk.pipeline().stream(
        "How much does the Norda Halo cost?", "", user="someone", conversation=conversation, turn_id="a"
    )
    assert isinstance(next(iter(events)), Understood)
    next(iter(events))  # Found: the question is kept by now
    events.close()  # type: ignore[attr-defined]
    (kept,) = desk.conversations.turns(conversation, "someone")
    assert kept.stopped
    assert kept.question == "How much does the Norda Halo cost?"
    assert turn_of(kept).answer is None


def test_a_failure_in_the_middle_keeps_the_question_as_stopped(desk: Desk) -> None:
    conversation = desk.conversations.create("someone", "en")
    desk.embedder.fail_after = desk.embedder.batches
    with pytest.raises(RuntimeError, match="the model is gone"):
        desk.pipeline().turn(
            "How much does the Norda Halo cost?", "", user="someone", conversation=conversation, turn_id="a"
        )
    (kept,) = desk.conversations.turns(conversation, "someone")
    assert kept.stopped
    desk.embedder.fail_after = None
    again = desk.pipeline().turn(
        "And its warranty?", kept.discourse, user="someone", conversation=conversation, turn_id="b"
    )
    assert not again.stopped
    assert again.answer is not None


@pytest.mark.parametrize("question", ["", "  \n", "\u200b\u202e", "????", "😀 😀", "\u0301\u064b"])
def test_an_empty_question_is_refused_and_nothing_kept(desk: Desk, question: str) -> None:
    conversation = desk.conversations.create("someone", "en")
    with pytest.raises(QuestionEmpty):
        desk.pipeline().turn(question, "", user="someone", conversation=conversation, turn_id="a")
    assert desk.conversations.turns(conversation, "someone") == ()


def test_a_question_that_is_too_long_is_refused_with_both_numbers(desk: Desk) -> None:
    conversation = desk.conversations.create("someone", "en")
    pipeline = desk.pipeline(limits=Limits(question_characters=100))
    with pytest.raises(QuestionTooLong, match=r"101 characters; expected at most 100") as caught:
        pipeline.turn("x" * 101, "", user="someone", conversation=conversation, turn_id="a")
    assert caught.value.values["limit"] == "100"


def test_nobody_asks_in_the_conversation_of_another(desk: Desk) -> None:
    conversation = desk.conversations.create("someone", "en")
    with pytest.raises(ConversationNotFound):
        desk.pipeline().turn("Norda Halo?", "", user="another", conversation=conversation, turn_id="a")


def test_what_one_person_uploaded_answers_nobody_else(desk: Desk) -> None:
    own = desk.folder / "own.md"
    own.write_text("# Zephyr Lamp\n\nThe Zephyr Lamp costs $4711.\n", encoding="utf-8")
    list(desk.library.ingest([own], Owner("person", "anna")))
    question = "How much does the Zephyr Lamp cost?"
    (hers,) = desk.talk(question, language="en", person="anna")
    (his,) = desk.talk(question, language="en", person="ben")
    assert hers.answer is not None
    assert "4711" in hers.answer.text
    assert "4711" not in json.dumps(record_of(his))
    assert {hit.passage.shelf for hit in his.hits} == {"shared"}


@pytest.mark.parametrize("language", ["en", "fr", "de", "ar"])
def test_without_documents_it_says_so_and_asks_no_model(tmp_path: Path, language: str) -> None:
    desk = Desk(tmp_path)
    model = ScriptedModel(("It costs $95.",))
    question = next(talk.question for talk in TALKS if talk.language == language)
    (turn,) = desk.talk(question, language=language, pipeline=desk.pipeline(model))
    assert turn.answer is not None
    assert not turn.answer.answered
    assert turn.answer.text == load(language).text("not_found.no_documents")
    assert model.asked == []


def test_a_model_is_asked_once_and_its_citations_are_checked(desk: Desk) -> None:
    model = ScriptedModel(
        (
            "The warranty of the Norda ",
            "Halo lasts 18 months, and that is all there is to say. [1][9]",
        )
    )
    pipeline = desk.pipeline(model)
    conversation = desk.conversations.create("someone", "en")
    first = pipeline.turn("What is the Norda Halo?", "", user="someone", conversation=conversation, turn_id="a")
    events = list(
        pipeline.stream("And its warranty?", first.discourse, user="someone", conversation=conversation, turn_id="b")
    )
    assert len(model.asked) == 2  # one a turn
    prompt = model.asked[1][-1].content
    assert "And its warranty?" in prompt
    assert "18 months" in prompt
    turn = events[-1].turn if isinstance(events[-1], Done) else first
    assert turn.answer is not None
    assert turn.answer.method == "scripted"
    assert "18 months" in turn.answer.text
    assert "[9]" not in turn.answer.text
    assert [citation.number for citation in turn.answer.citations] == [1]
    assert turn.timings_ms["render"] > 0


def test_a_model_that_fails_leaves_an_answer_from_the_documents_and_a_notice(desk: Desk) -> None:
    model = ScriptedModel((), ModelUnreachable("no connection", {"model": "scripted", "address": "nowhere"}))
    (turn,) = desk.talk("How much does the Norda Halo cost?", language="en", pipeline=desk.pipeline(model))
    assert turn.notices == ("notice.model_unreachable",)
    assert turn.answer is not None
    assert "95" in turn.answer.text
    assert turn.answer.method == "extraction"
    assert not turn.stopped


def test_leaving_a_streaming_model_keeps_what_was_shown(desk: Desk) -> None:
    began = "The Norda Halo is a headset which was made for long calls, "
    model = ScriptedModel((began, "as people have them all day long, ", "and it costs $95."))
    conversation = desk.conversations.create("someone", "en")
    events = desk.pipeline(model).stream(
        "What is the Norda Halo?", "", user="someone", conversation=conversation, turn_id="a"
    )
    shown = next(event.text for event in events if isinstance(event, Piece))
    events.close()  # type: ignore[attr-defined]  # a generator, as every page uses it
    (kept,) = (turn_of(stored) for stored in desk.conversations.turns(conversation, "someone"))
    assert kept.stopped
    assert kept.answer is not None
    assert kept.answer.text == shown
    assert "95" not in kept.answer.text


def test_a_question_back_offers_the_readings_and_the_choice_answers_the_question(desk: Desk) -> None:
    more = desk.folder / "more"
    more.mkdir()
    for model, price in (("14", "$910"), ("14 Pro", "$1,250")):
        name = f"Orlo Finch {model}"
        text = f"# {name}\n\nThe {name} is a laptop.\n\n## Price\n\nThe {name} costs {price}.\n"
        (more / f"finch-{model}.md").write_text(text, encoding="utf-8")
    list(desk.library.ingest([more], Owner("shelf", "shared")))
    conversation = desk.conversations.create("someone", "en")
    pipeline = desk.pipeline()
    question = "How much does the Orlo Finch cost?"
    asked = pipeline.turn(question, "", user="someone", conversation=conversation, turn_id="a")
    assert asked.clarification is not None, asked.resolution
    assert set(asked.clarification.options) == {"Orlo Finch 14", "Orlo Finch 14 Pro"}
    assert asked.answer is None
    assert not asked.stopped
    pending = Discourse.from_json(asked.discourse).pending
    assert pending is not None
    assert pending.question == question
    assert question[pending.start : pending.end] == asked.resolution.expression
    chosen = pipeline.turn("Orlo Finch 14 Pro", asked.discourse, user="someone", conversation=conversation, turn_id="b")
    assert "Orlo Finch 14 Pro" in chosen.resolution.standalone
    assert "cost" in chosen.resolution.standalone
    assert chosen.answer is not None
    assert "1,250" in chosen.answer.text
    assert Discourse.from_json(chosen.discourse).pending is None


def test_the_events_of_a_kept_question_back_are_told_again(desk: Desk) -> None:
    resolution = Resolution(
        "And it?", "And it?", "ambiguous", candidates=(Candidate("A"), Candidate("B")), language="en", expression="it"
    )
    clarification = clarify(resolution)
    assert clarification.options == ("A", "B")
    assert "A" in clarification.question
    assert "B" in clarification.question


@pytest.mark.parametrize("language", ["en", "fr", "de", "ar"])
@pytest.mark.parametrize("kind", ["PRODUCT", "PERSON", "LOCATION", "OTHER"])
def test_a_question_back_names_its_options_in_the_persons_language(language: str, kind: str) -> None:
    candidates = (Candidate("Aero 5", kind), Candidate("Brio 7", kind))
    resolution = Resolution("x", "x", "ambiguous", candidates=candidates, language=language, expression="x")
    question = clarify(resolution).question
    assert "Aero 5" in question
    assert "Brio 7" in question
    assert "{" not in question


def test_an_expression_is_found_as_a_word_before_it_is_found_within_one() -> None:
    assert find_expression("Is it as digital as it looks?", "it") == (3, 5)
    assert find_expression("وكم ضمانه؟", "ضمانه") == (4, 9)
    assert find_expression("And now?", "") == (7, 7)


def test_one_line_a_turn_is_logged_without_the_persons_words(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="rag"):
        desk.talk("How much does the Norda Halo cost?", language="en")
    lines = [record.getMessage() for record in caplog.records if record.name == "rag.pipeline"]
    assert len(lines) == 1
    assert "Norda" not in lines[0]
    assert all(f"{stage}=" in lines[0] for stage in STAGES)


def test_what_the_topic_does_not_answer_is_asked_anew_as_it_was_said(desk: Desk) -> None:
    questions = ("How much does the Norda Halo cost?", "How many days does the refund take?")
    *_, turn = desk.talk(*questions, language="en", pipeline=desk.pipeline(limits=Limits(passages=1)))
    assert turn.resolution.standalone == turn.question
    assert turn.answer is not None
    assert "6 working days" in turn.answer.text
    assert turn.hits[0].passage.document == "returns.txt"

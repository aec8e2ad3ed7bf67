"""A turn that is understood otherwise on the person's word: answered anew, in its place, and followed from there."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory import Discourse
from memory.errors import ConversationNotFound, ReadingNotOffered, TurnNotFound, TurnNotLatest
from rag.errors import ModelUnreachable
from rag.events import Done, Event, Found, Piece, Turn, Understood
from rag.pipeline import Pipeline
from rag.shelf.owners import Owner
from rag.turns import record_of, turn_of
from tests.rag.conftest import Desk, ScriptedModel

# Language, three questions of which the last is taken for the second thing, its other reading, what is then answered,
# and a question that follows with its answer.
TALKS = [
    ("en", "How much does the Tavira Kestrel 12 cost?", "How much does the Norda Halo cost?", "And its warranty?",
     "30 months", "How much does it cost?", "840"),
    ("fr", "Combien coûte le Tavira Kestrel 12 ?", "Combien coûte le Norda Halo ?", "Et sa garantie ?",
     "30 mois", "Combien coûte-t-il ?", "840"),
    ("de", "Was kostet das Tavira Kestrel 12?", "Was kostet der Norda Halo?", "Und wie lange gilt seine Garantie?",
     "30 Monate", "Und was ist sein Preis?", "840"),
    ("ar", "كم سعر Tavira Kestrel 12؟", "كم سعر Orlo Finch 14؟", "وكم مدة ضمانه؟", "30", "وكم سعره؟", "840"),
]  # fmt: skip
KESTREL = "Tavira Kestrel 12"
# A headset is feminine in Arabic, and "ضمانه" no warranty of hers.
FINCH = "# Orlo Finch 14\n\nجهاز Orlo Finch 14 حاسوب محمول.\n\n## السعر\n\nسعر Orlo Finch 14 هو 910 ريالات.\n"
ASKED = TALKS[0][1:4]


def corrected(pipeline: Pipeline, conversation: str, turn: Turn, name: str | None) -> list[Event]:
    return list(pipeline.correct(turn.id, 0, name, user="someone", conversation=conversation))


def conversation_of(turn: Turn) -> str:
    return turn.id.rpartition("-")[0]  # as Desk.talk names its turns


def ask(desk: Desk, conversation: str, question: str) -> Turn:
    before = desk.conversations.last_discourse(conversation, "someone")
    return desk.pipeline().turn(question, before, user="someone", conversation=conversation, turn_id="next")


def said(turn: Turn) -> str:
    return turn.answer.text if turn.answer else ""


@pytest.mark.parametrize("talk", TALKS, ids=[talk[0] for talk in TALKS])
def test_another_reading_changes_the_answer_and_what_follows(tmp_path: Path, talk: tuple[str, ...]) -> None:
    language, *questions, answer, follow_up, second = talk
    desk = Desk(tmp_path, language)
    if language == "ar":
        (tmp_path / "finch.md").write_text(FINCH, encoding="utf-8")
        list(desk.library.ingest([tmp_path / "finch.md"], Owner("shelf", "shared")))
    *_, wrong = desk.talk(*questions, language=language)
    assert wrong.resolution.links[0].entities != (KESTREL,)
    assert wrong.resolution.links[0].alternatives == (KESTREL,)
    conversation = conversation_of(wrong)
    events = corrected(desk.pipeline(), conversation, wrong, KESTREL)
    assert [type(event) for event in events if not isinstance(event, Piece)] == [Understood, Found, Done]
    done = events[-1]
    assert isinstance(done, Done)
    assert KESTREL in done.turn.resolution.standalone
    assert answer in said(done.turn)
    kept = desk.conversations.turns(conversation, "someone")
    assert [stored.number for stored in kept] == [0, 1, 2]
    assert turn_of(kept[-1]) == done.turn
    messages = Discourse.from_json(done.turn.discourse).recent
    assert messages[-2] == ("user", done.turn.resolution.standalone)  # what a scorer reads
    following = ask(desk, conversation, follow_up)
    assert KESTREL in following.resolution.standalone
    assert second in said(following)


def test_what_a_person_wrote_can_stand_as_it_is_and_the_reading_comes_back(desk: Desk) -> None:
    *_, turn = desk.talk("How much does the Norda Halo cost?", "How many days does its refund take?", language="en")
    assert "Norda Halo" in turn.resolution.standalone
    conversation = conversation_of(turn)
    corrected(desk.pipeline(), conversation, turn, None)
    left = turn_of(desk.conversations.turns(conversation, "someone")[-1])
    assert left.resolution.standalone == turn.question
    assert left.resolution.status == "unchanged"
    assert "6 working days" in said(left)
    asked = Discourse.from_json(left.discourse).frame
    assert asked is not None
    assert asked.text == turn.question
    corrected(desk.pipeline(), conversation, left, "Norda Halo")
    again = turn_of(desk.conversations.turns(conversation, "someone")[-1])
    assert again.resolution.standalone == turn.resolution.standalone


def test_a_question_left_as_it_stands_is_not_searched_with_a_guess(desk: Desk) -> None:
    *_, turn = desk.talk("How much does the Norda Halo cost?", "And its warranty?", language="en")
    corrected(desk.pipeline(), conversation_of(turn), turn, None)
    left = turn_of(desk.conversations.turns(conversation_of(turn), "someone")[-1])
    heard = Discourse.from_json(left.discourse)
    assert [m.entity for m in heard.mentions if m.message == heard.frame_at and m.known] == []
    assert {hit.passage.document for hit in left.hits} >= {"kestrel-12.md", "norda-headset.md"}


def test_a_model_writes_the_corrected_answer_in_one_call(desk: Desk) -> None:
    *_, wrong = desk.talk(*ASKED, language="en")
    model = ScriptedModel(("The warranty of the Tavira Kestrel 12 lasts 30 months. [1]",))
    corrected(desk.pipeline(model), conversation_of(wrong), wrong, KESTREL)
    kept = turn_of(desk.conversations.turns(conversation_of(wrong), "someone")[-1])
    assert len(model.asked) == 1
    assert KESTREL in model.asked[0][-1].content
    assert kept.answer is not None
    assert kept.answer.method == "scripted"


def test_a_correction_that_is_left_or_fails_changes_nothing(desk: Desk) -> None:
    *_, wrong = desk.talk(*ASKED, language="en")
    conversation = conversation_of(wrong)
    before = desk.conversations.turns(conversation, "someone")
    events = desk.pipeline().correct(wrong.id, 0, KESTREL, user="someone", conversation=conversation)
    assert isinstance(next(events), Understood)
    events.close()
    assert desk.conversations.turns(conversation, "someone") == before
    silent = ScriptedModel((), ModelUnreachable("no connection"))
    done = corrected(desk.pipeline(silent), conversation, wrong, KESTREL)[-1]
    assert isinstance(done, Done)
    assert done.turn.notices == ("notice.model_unreachable",)  # as for any question


def test_only_the_latest_turn_is_corrected(desk: Desk) -> None:
    *_, wrong = desk.talk(*ASKED, language="en")
    conversation = conversation_of(wrong)
    ask(desk, conversation, "Can I return a device?")
    before = desk.conversations.turns(conversation, "someone")
    events = desk.pipeline().correct(wrong.id, 0, KESTREL, user="someone", conversation=conversation)
    with pytest.raises(TurnNotLatest, match="not the conversation's last"):
        next(events)  # before anything is answered
    assert desk.conversations.turns(conversation, "someone") == before


def test_a_turn_that_another_follows_meanwhile_stays(desk: Desk) -> None:
    *_, wrong = desk.talk(*ASKED, language="en")
    conversation = conversation_of(wrong)
    events = desk.pipeline().correct(wrong.id, 0, KESTREL, user="someone", conversation=conversation)
    next(events)
    ask(desk, conversation, "Can I return a device?")
    before = desk.conversations.turns(conversation, "someone")
    with pytest.raises(TurnNotLatest):
        list(events)
    assert desk.conversations.turns(conversation, "someone") == before


def test_nobody_corrects_the_conversation_of_another(desk: Desk) -> None:
    *_, wrong = desk.talk(*ASKED, language="en")
    with pytest.raises(ConversationNotFound):
        list(desk.pipeline().correct(wrong.id, 0, KESTREL, user="other", conversation=conversation_of(wrong)))


def test_a_turn_of_another_conversation_is_not_found(desk: Desk) -> None:
    *_, wrong = desk.talk(*ASKED, language="en")
    other = desk.talk("How much does the Norda Halo cost?", language="en")[0]
    with pytest.raises(TurnNotFound):
        list(desk.pipeline().correct(wrong.id, 0, KESTREL, user="someone", conversation=conversation_of(other)))


@pytest.mark.parametrize(("link", "name"), [(0, "Norda Halo"), (0, "Orlo Finch"), (1, KESTREL), (1, None), (-1, None)])
def test_a_reading_that_was_not_offered_is_refused(desk: Desk, link: int, name: str | None) -> None:
    *_, wrong = desk.talk(*ASKED, language="en")
    conversation = conversation_of(wrong)
    before = desk.conversations.turns(conversation, "someone")
    with pytest.raises(ReadingNotOffered):
        list(desk.pipeline().correct(wrong.id, link, name, user="someone", conversation=conversation))
    assert desk.conversations.turns(conversation, "someone") == before


def test_a_turn_kept_before_there_were_alternatives_is_still_read(desk: Desk) -> None:
    *_, turn = desk.talk(*ASKED, language="en")
    (stored,) = desk.conversations.turns(conversation_of(turn), "someone")[-1:]
    assert record_of(turn)["resolution"]["links"][0]["alternatives"] == [KESTREL]  # type: ignore[index]
    del stored.record["resolution"]["links"][0]["alternatives"]  # type: ignore[index]
    found = turn_of(stored)
    assert not found.stopped
    assert found.resolution.links[0].entities == ("Norda Halo",)
    assert found.resolution.links[0].alternatives == ()

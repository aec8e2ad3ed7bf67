"""A turn puts what no document answered on the list of a pilot's staff, and nothing else."""

from __future__ import annotations

import pytest

from memory.store.thumbs import Thumb, Thumbs
from memory.store.unanswered import Unanswered, UnansweredQuestions
from rag.errors import ModelCut
from rag.evaluation.casefiles import Conversation
from rag.evaluation.exporting import thumbs_as_cases, unanswered_as_cases
from rag.limits import Limits
from rag.shelf.blocks import Source
from rag.shelf.owners import Owner
from tests.rag.conftest import Desk, ScriptedModel
from tests.rag.shop import TALKS

UNKNOWN = "How many watts does the Norda Halo draw?"
FOLLOW_UP = "And how many watts does it draw?"


def listed(desk: Desk, *shelves: str) -> tuple[Unanswered, ...]:
    return UnansweredQuestions(desk.database).list(shelves=shelves or ("shared",))


def test_a_question_without_an_answer_is_listed_as_it_was_understood(desk: Desk) -> None:
    first, second = desk.talk("How much does the Norda Halo cost?", FOLLOW_UP, language="en")
    assert first.answer is not None
    assert first.answer.answered
    assert second.answer is not None
    assert not second.answer.answered
    (question,) = listed(desk)
    assert (question.turn, question.question, question.person) == (second.id, FOLLOW_UP, "someone")
    assert "Norda Halo" in question.standalone
    assert question.nearest == second.hits[0].passage.document
    assert question.number == 1


@pytest.mark.parametrize("said", ["Hello!", "What was my budget again?", TALKS[0].question])
def test_what_was_answered_or_asks_no_document_is_not(desk: Desk, said: str) -> None:
    desk.talk(said, language="en")
    assert listed(desk) == ()


def test_an_answer_that_was_cut_off_is_none_that_the_documents_lack(desk: Desk) -> None:
    model = ScriptedModel(("The list says",), ModelCut("found a long answer; expected a short one; raise the limit"))
    (turn,) = desk.talk(UNKNOWN, language="en", pipeline=desk.pipeline(model))
    assert turn.answer is not None
    assert turn.answer.text == "The list says…"
    assert listed(desk) == ()


def test_only_the_shelves_that_were_searched_are_told(desk: Desk) -> None:
    desk.talk(UNKNOWN, language="en", pipeline=desk.pipeline(limits=Limits(shelves=("shared", "shop"))))
    assert [question.shelves for question in listed(desk, "shop")] == [("shared", "shop")]
    assert listed(desk, "vault") == ()


def test_a_persons_own_document_is_never_the_nearest(desk: Desk) -> None:
    name = "diary-of-anna.md"
    text = "# Zephyr Lamp\n\nThe Zephyr Lamp is a small lamp. The Zephyr Lamp costs $40.\n"
    desk.library.add(Source(name, text.encode()), Owner("person", "anna"))
    (turn,) = desk.talk("How many watts does the Zephyr Lamp draw?", language="en", person="anna")
    assert turn.answer is not None
    assert not turn.answer.answered
    assert turn.hits[0].passage.document == name
    (question,) = listed(desk)
    assert question.nearest not in ("", name)


def test_an_unanswered_question_is_a_case_with_what_was_said_before(desk: Desk) -> None:
    desk.talk("How much does the Norda Halo cost?", FOLLOW_UP, language="en")
    (case,) = unanswered_as_cases(listed(desk), desk.conversations)
    read = Conversation.model_validate(case)
    assert [(turn.user, turn.judge) for turn in read.turns] == [
        ("How much does the Norda Halo cost?", False),
        (FOLLOW_UP, True),
    ]
    assert "Norda Halo" in read.turns[1].standalone
    assert read.turns[1].expects == "answer"


@pytest.fixture
def thumbs(desk: Desk) -> Thumbs:
    return Thumbs(desk.database)


def only_case(desk: Desk, thumbs: Thumbs) -> Conversation:
    (case,) = thumbs_as_cases(thumbs.list(), desk.conversations)
    return Conversation.model_validate(case)


def test_a_right_answer_is_a_case_by_its_figures_and_documents(desk: Desk, thumbs: Thumbs) -> None:
    first, second, third = desk.talk(TALKS[0].question, TALKS[0].follow_up, "Thanks!", language="en")
    thumbs.give(second.id, "someone", Thumb("up"))
    case = only_case(desk, thumbs)
    assert case.lang == "en"
    assert [turn.judge for turn in case.turns] == [False, True], "nothing after the last thumb"
    wanted = case.turns[1]
    assert wanted.gold_docs == ("kestrel-12.md",)
    assert wanted.gold_answer_any == ("30 months",)
    assert wanted.standalone == second.resolution.standalone
    assert {first.id, third.id}.isdisjoint({each.turn for each in thumbs.list()})


def test_right_refusals_are_cases_too(desk: Desk, thumbs: Thumbs) -> None:
    (turn,) = desk.talk(UNKNOWN, language="en")
    thumbs.give(turn.id, "someone", Thumb("up"))
    assert only_case(desk, thumbs).turns[0].expects == "no_answer"


@pytest.mark.parametrize(
    ("thumb", "expected"),
    [
        (Thumb("down"), {"judge": False}),
        (Thumb("down", "fact", "", "en"), {"judge": False}),
        (Thumb("down", "fact", "$99", "en"), {"judge": True, "gold_answer_any": ("$99",)}),
        (Thumb("down", "language", "", "fr"), {"judge": True, "lang": "fr"}),
        (Thumb("down", "language", "", "en"), {"judge": False, "lang": None}),
        (Thumb("down", "source", "returns.txt", "en"), {"judge": True, "gold_docs": ("returns.txt",)}),
        (Thumb("down", "source", "another.md", "en"), {"judge": False, "gold_docs": ()}),
        (Thumb("down", "reference", "And the Halo?", "en"), {"judge": False, "standalone": "And the Halo?"}),
    ],
)
def test_a_wrong_answer_is_a_case_as_far_as_the_person_said_it(
    desk: Desk, thumbs: Thumbs, thumb: Thumb, expected: dict[str, object]
) -> None:
    (turn,) = desk.talk(TALKS[0].question, language="en")
    thumbs.give(turn.id, "someone", thumb)
    wanted = only_case(desk, thumbs).turns[0]
    assert {key: getattr(wanted, key) for key in expected} == expected
    if thumb.reason == "fact":
        assert turn.answer is not None
        assert [value in turn.answer.text for value in wanted.gold_answer_none] == [True]


def test_a_turn_read_otherwise_loses_what_was_said_of_it(desk: Desk, thumbs: Thumbs) -> None:
    asked = ("How much does the Tavira Kestrel 12 cost?", "How much does the Norda Halo cost?", FOLLOW_UP)
    *_, turn = desk.talk(*asked, language="en")
    assert [question.turn for question in listed(desk)] == [turn.id]
    thumbs.give(turn.id, "someone", Thumb("down", "reference"))
    conversation = turn.id.rpartition("-")[0]  # as Desk.talk names its turns
    list(desk.pipeline().correct(turn.id, 0, "Tavira Kestrel 12", user="someone", conversation=conversation))
    assert thumbs.list() == ()
    assert [("Tavira Kestrel 12" in question.standalone) for question in listed(desk)] == [True]

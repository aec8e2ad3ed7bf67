"""What a person said is answered from memory and past turns; the documents keep their questions."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from languages import codes, detect, load
from memory import Discourse, NameIndex, Resolution
from memory.knowledge.listening import listen
from memory.memory import EntityMemory, Said
from memory.store.conversations import Conversations
from memory.store.database import Database, open_database
from rag.answer.conversed import LONGEST
from rag.answer.recalled import Judge
from rag.events import Answer, Turn
from rag.recalling import Recaller
from rag.run import Run
from rag.shelf.owners import Scope
from rag.turns import new_turn
from tests.rag.conftest import Desk, ScriptedModel
from tests.rag.shelf.fakes import HashEmbedder

FOLDER = Path(__file__).parent / "recalling"
CASES = [
    (code, case) for code in codes() for case in tomllib.loads((FOLDER / f"{code}.toml").read_text("utf-8"))["case"]
]
NOTHING_KNOWN = NameIndex.of(())


class Talk:
    """A person who talks; answers that do not come from memory are *answered*."""

    def __init__(self, database: Database, person: str = "someone", answered: str = "It says so. [1]") -> None:
        self.now = datetime(2026, 6, 10, 12, tzinfo=UTC)
        self.person = person
        self.answered = answered
        self.conversations = Conversations(database, now=lambda: self.now)
        self.memory = EntityMemory(database, listener=listen, now=lambda: self.now)
        judge = Judge(HashEmbedder())
        self.recaller = Recaller(self.conversations, judge, self.memory, now=lambda: self.now)
        self.number = 0
        self.begin("en")

    def begin(self, language: str) -> None:
        self.language = language
        self.conversation = self.conversations.create(self.person, language)

    def say(self, message: str) -> Answer | None:
        """Return what memory answers to *message*, None where it is for the documents; keep the turn."""
        self.number += 1
        self.now += timedelta(seconds=1)
        language = self.language = detect(message, previous=self.language).code
        resolution = Resolution(message, message, "unchanged", language=language)
        turn = Turn(f"{self.person}-{self.number}", 0, message, language, resolution)
        before = Discourse(language=language)
        scope = Scope(("shared",), self.person)
        run = Run(turn, self.person, self.conversation, before, before, NOTHING_KNOWN, scope, {})
        answer = self.recaller.of_self(run, language) or self.recaller.of_past(run, resolution)
        kept = replace(turn, answer=answer or Answer(self.answered, answered=True))
        said = Said(self.conversation, turn.id, heard=listen(message, language=language))
        self.conversations.add_turn(
            self.conversation, self.person, new_turn(kept), partial(self.memory.remember, self.person, said)
        )
        return answer

    def hear(self, *messages: str) -> Answer | None:
        """Return what memory answers to the last of *messages*; "//" begins another conversation."""
        answer = None
        for message in messages:
            if message == "//":
                self.begin(self.language)
            else:
                answer = self.say(message)
        return answer


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = open_database(tmp_path / "data")
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("language", "case"),
    [
        pytest.param(
            code, case, id=f"{code}: {case['asks']}",
            marks=[pytest.mark.xfail(strict=True, reason=case["fails"])] if "fails" in case else [],
        )
        for code, case in CASES
    ],
)  # fmt: skip
def test_a_question_about_what_was_said_is_answered(database: Database, language: str, case: dict[str, Any]) -> None:
    talk = Talk(database)
    talk.begin(language)
    answer = talk.hear(*case["said"], case["asks"])
    if case.get("documents"):
        assert answer is None
        return
    assert answer is not None
    assert answer.citations == ()
    assert answer.answered is not case.get("unknown", False)
    text = " ".join(answer.text.split())
    assert case.get("unknown") or any(value in text for value in case["holds"]), text
    assert not [value for value in case.get("lacks", ()) if value in text], text


def test_every_language_has_as_many_cases() -> None:
    assert {sum(code == each for each, _ in CASES) for code in codes()} == {25}


DATED = {
    "en": (
        ("I live in Aberfoyle.", "I moved to Stirling."),
        ("Where did I live {}?", "on 3 June 2026", "a week ago", "yesterday", "in May"),
    ),
    "fr": (
        ("J'habite à Colmar.", "J'ai déménagé à Mulhouse."),
        ("Où est-ce que j'habitais {} ?", "le 3 juin 2026", "il y a une semaine", "hier", "en mai"),
    ),
    "de": (
        ("Ich wohne in Celle.", "Ich bin nach Uelzen gezogen."),
        ("Wo habe ich {} gewohnt?", "am 3. Juni 2026", "vor einer Woche", "gestern", "im Mai"),
    ),
    "ar": (
        ("أسكن في إربد.", "انتقلت إلى صيدا."),
        ("أين كنت أسكن {}؟", "في 3 يونيو 2026", "قبل أسبوع", "أمس", "في مايو"),
    ),
}


@pytest.mark.parametrize("language", codes())
def test_a_past_date_is_answered_from_the_history(database: Database, language: str) -> None:
    (first, then), (asked, on_a_day, a_week_ago, yesterday, in_may) = DATED[language]
    talk = Talk(database)
    talk.begin(language)
    talk.now = datetime(2026, 6, 1, 12, tzinfo=UTC)
    talk.say(first)
    talk.now = datetime(2026, 6, 8, 12, tzinfo=UTC)
    talk.say(then)
    talk.now = datetime(2026, 6, 10, 12, tzinfo=UTC)
    old, new = first.rstrip(".").split()[-1], then.rstrip(".").replace(" gezogen", "").split()[-1]
    for when, value in ((on_a_day, old), (a_week_ago, old), (yesterday, new)):
        answer = talk.say(asked.format(when))
        assert answer is not None, when
        assert value in answer.text, when
    talk.now = datetime(2026, 6, 11, 12, tzinfo=UTC)
    nothing = talk.say(asked.format(in_may))
    assert nothing is not None
    assert nothing.text == load(language).text("answer.not_recalled_then")
    assert not nothing.answered


def test_nobody_is_told_what_another_said(database: Database) -> None:
    Talk(database, "ada").hear("I'm Ada and I live in Aberfoyle.", "How heavy is the Orrin tent?")
    ben = Talk(database, "ben")
    for question in ("What is my name?", "Where do I live?", "What did I ask about the Orrin tent?"):
        answer = ben.say(question)
        assert answer is not None
        assert not answer.answered
    assert ben.say("What did we say about the Orrin tent?") is None  # a document may have it


@pytest.mark.parametrize(
    ("language", "asked", "question", "frame"),
    [
        ("en", "Does the Orrin tent need pegs?", "What did you tell me about the Orrin tent?", "Me: “"),
        ("fr", "La tente Orrin demande-t-elle des piquets ?", "Que m'avez-vous dit de la tente Orrin ?", "Moi"),
        ("de", "Braucht das Zelt Orrin Heringe?", "Was hast du mir zum Zelt Orrin gesagt?", "Ich: „"),
        ("ar", "هل تحتاج خيمة Orrin أوتادا؟", "ماذا قلت لي عن خيمة Orrin؟", "أنا: «"),
    ],
)
def test_the_assistants_words_are_quoted_as_its_own(
    database: Database, language: str, asked: str, question: str, frame: str
) -> None:
    talk = Talk(database, answered="The sky is blue. The Orrin takes twelve pegs [1]. " + "It is green. " * 60)
    talk.begin(language)
    talk.say(asked)
    talk.begin(language)
    answer = talk.say(question)
    assert answer is not None
    assert frame in answer.text
    assert "twelve pegs" in answer.text
    assert "[1]" not in answer.text
    assert asked not in answer.text
    assert "2026" in answer.text, "when, where it was another conversation"
    assert len(answer.text) <= LONGEST


def test_of_turns_that_fit_alike_the_newest_is_quoted(database: Database) -> None:
    talk = Talk(database)
    answer = talk.hear("Is the Orrin tent in stock on Monday?", "//", "Is the Orrin tent in stock on Tuesday?", "//",
                       "Is the pool open?", "What did we say about the Orrin tent?")  # fmt: skip
    assert answer is not None
    assert "Tuesday" in answer.text
    assert "Monday" not in answer.text


def test_what_this_very_message_says_counts(database: Database) -> None:
    answer = Talk(database).hear("I live in Aberfoyle.", "I moved to Stirling. Where do I live now?")
    assert answer is not None
    assert "Stirling" in answer.text
    assert "Aberfoyle" not in answer.text


def test_of_two_things_owned_the_one_asked_for_is_told(database: Database) -> None:
    talk = Talk(database)
    answer = talk.hear("My phone is a Sorrel Vagary 2.", "I have a laptop, a Calder Slate 14.", "Which phone do I own?")
    assert answer is not None
    assert "Vagary 2" in answer.text
    assert "Slate" not in answer.text


def test_what_was_taken_back_is_not_said(database: Database) -> None:
    talk = Talk(database)
    answer = talk.hear("We are travelling to Harlow.", "Sorry, we are going to Wexcombe, not Harlow.",
                       "Where did I say we are travelling to?")  # fmt: skip
    assert answer is not None
    assert "Wexcombe" in answer.text
    assert "Harlow" not in answer.text


@pytest.mark.parametrize(
    ("language", "said", "asked", "told"),
    [
        ("en", "My budget is 300 pounds.", "What was my budget again?", "300 pounds"),
        ("fr", "Mon budget est de 300 euros.", "C'était quoi, mon budget ?", "300 euros"),
        ("de", "Mein Budget liegt bei 300 Euro.", "Was war mein Budget noch mal?", "300 Euro"),
        ("ar", "ميزانيتي 300 دينار.", "كم كانت ميزانيتي؟", "300 دينار"),
    ],
)
def test_a_turn_tells_a_fact_without_a_model_a_document_or_a_reference(
    tmp_path: Path, language: str, said: str, asked: str, told: str
) -> None:
    desk, model = Desk(tmp_path, language), ScriptedModel(("never",))
    desk.memory = EntityMemory(desk.database, listener=listen)
    desk.talk(said, language=language)
    (turn,) = desk.talk(asked, language=language, pipeline=desk.pipeline(model))
    assert turn.answer is not None
    assert told in turn.answer.text
    assert turn.answer.answered
    assert turn.hits == ()
    assert turn.resolution.standalone == asked
    assert model.asked == []


def test_a_past_turn_is_searched_for_what_a_pronoun_means(desk: Desk) -> None:
    *_, turn = desk.talk("How heavy is the Norda Halo?", "What did you say about it?", language="en")
    assert turn.resolution.standalone == "What did you say about the Norda Halo?"
    assert turn.answer is not None
    assert turn.answer.method == "recalled"
    assert turn.answer.citations == ()
    assert "Norda Halo" in turn.answer.text or "kg" in turn.answer.text


def test_a_question_for_the_documents_stays_one(desk: Desk) -> None:
    desk.memory = EntityMemory(desk.database, listener=listen)
    *_, turn = desk.talk("I own a Norda Halo.", "How long is the warranty on my Norda Halo?", language="en")
    assert turn.hits
    assert turn.answer is not None
    assert turn.answer.method == "extraction"

"""Conversations written to files and read in again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from languages import codes, load
from memory.memory import EntityMemory
from memory.store.conversations import Conversations
from memory.store.database import Database, open_database
from memory.types import Link, Resolution
from rag.errors import ImportInvalid, ImportTooLarge
from rag.events import Answer, Citation, Clarification, Hit, Passage, Turn
from rag.transcripts import LARGEST_MB, Transcript, keep, read_transcripts, to_json, to_markdown, transcript_of

LINK = Link("its", (4, 7), ("Brook 3",), 4, 7, "the Brook 3's", ("possessive",), ("Brook 5",))
QUESTION = Turn(
    "t1",
    0,
    "And its weight?",
    "en",
    Resolution("And its weight?", "And the Brook 3's weight?", "resolved", (LINK,), language="en"),
    Answer("It weighs 1.2 kg. [1]\n# not a heading\n- [7] no source", True, (Citation(1, "a · b.md", "1.2 kg", "p1"),)),
    hits=(Hit(Passage("p1", "a · b.md", "1.2 kg"), 0.5, (("dense raw", 0.8),)),),
    discourse='{"version": 1}',
)
BACK = Turn(
    "t2",
    1,
    "And the Brook?\n## You",
    "en",
    Resolution("And the Brook?", "And the Brook?", "unchanged", language="en"),
    clarification=Clarification("Which one?", ("Brook 3", "Brook 5")),
)
TALK = Transcript("What does it weigh?", "en", (QUESTION, BACK))


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = open_database(tmp_path / "data")
    yield opened
    opened.close()


def test_json_brings_back_every_turn_under_an_id_of_its_own(database: Database) -> None:
    (found,) = read_transcripts("x.json", to_json([TALK]).encode())
    assert (found.title, found.language) == (TALK.title, "en")
    assert [turn.id for turn in found.turns] != ["t1", "t2"]
    assert found.turns[0].resolution == QUESTION.resolution
    assert found.turns[0].answer == QUESTION.answer
    assert found.turns[0].hits == QUESTION.hits
    assert found.turns[1].clarification == BACK.clarification
    conversations = Conversations(database)
    for _ in range(2):  # the same file twice: two conversations
        keep(conversations, "ada", read_transcripts("x.json", to_json([TALK]).encode()))
    listed = conversations.list("ada")
    assert [each.title for each in listed] == [TALK.title] * 2
    again = transcript_of(conversations, listed[0])
    assert [turn.question for turn in again.turns] == [QUESTION.question, BACK.question]
    assert conversations.list("bob") == ()


def test_what_is_imported_is_not_remembered(database: Database) -> None:
    keep(Conversations(database), "ada", read_transcripts("x.json", to_json([TALK]).encode()))
    assert EntityMemory(database).entities("ada") == ()


@pytest.mark.parametrize("code", codes())
def test_markdown_is_read_in_whatever_language_it_was_written(code: str) -> None:
    written = to_markdown(load(code), TALK)
    assert written.startswith(f"# {TALK.title}\n\n## {load(code).text('role.user')}\n\nAnd its weight?")
    (found,) = read_transcripts("x.md", written.encode())
    assert found.title == TALK.title
    first, second = found.turns
    assert (first.question, second.question) == (QUESTION.question, BACK.question)
    assert first.answer is not None
    assert QUESTION.answer is not None
    assert first.answer.text == QUESTION.answer.text
    assert [(each.number, each.quote) for each in first.answer.citations] == [(1, "1.2 kg")]
    assert second.answer is not None
    assert second.answer.text == "Which one?"


@given(
    question=st.text(min_size=1, max_size=60).filter(str.strip),
    answer=st.text(max_size=80),
)
def test_no_question_and_no_answer_breaks_the_markdown(question: str, answer: str) -> None:
    turn = Turn("t", 0, question, "en", Resolution(question, question, "unchanged"), Answer(answer, True))
    (found,) = read_transcripts("x.md", to_markdown(load("en"), Transcript("T", "en", (turn,))).encode())
    assert len(found.turns) == 1
    assert found.turns[0].question.split() == question.split()
    assert found.turns[0].answer is not None
    assert found.turns[0].answer.text.split() == answer.split()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe\x00",
        b"{}",
        b'{"kind": "referent conversations", "version": 99, "conversations": []}',
        b'{"kind": "other", "version": 1, "conversations": []}',
        to_json([Transcript("x", "en", ())]).replace("[]", "[1]").encode(),
        b"# A title\n\nand a text\n",
        b"## You\n\nno title\n",
        b"[" * 5000,
    ],
)
def test_what_is_no_exported_conversation_is_refused_by_name(content: bytes) -> None:
    with pytest.raises(ImportInvalid) as refused:
        read_transcripts("notes.md", content)
    assert refused.value.values["name"] == "notes.md"


def test_a_file_that_is_too_large_is_refused_before_it_is_read() -> None:
    with pytest.raises(ImportTooLarge):
        read_transcripts("x.json", b" " * (LARGEST_MB * 1_000_000 + 1))


def test_a_discourse_that_cannot_be_used_starts_afresh() -> None:
    file = json.loads(to_json([TALK]))
    file["conversations"][0]["turns"][0]["discourse"] = '{"version": "x"'
    file["conversations"][0]["language"] = "xx"
    (found,) = read_transcripts("x.json", json.dumps(file).encode())
    assert '"mentions"' in found.turns[0].discourse
    assert found.language == codes()[0]

"""Files of cases: what is read, what is named with its line, which documents belong to them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rag.errors import CasesMissing
from rag.evaluation.casefiles import read_cases

QUESTION: dict[str, Any] = {
    "id": "q1",
    "lang": "de",
    "kind": "possessive",
    "catalog": [{"name": "Brenta 4", "type": "PRODUCT"}],
    "history": [{"role": "user", "text": "Was kostet die Brenta 4?"}],
    "question": "Und ihre Garantie?",
    "status": "resolved",
    "references": [{"text": "ihre", "entities": ["Brenta 4"]}],
    "standalone": ["Und die Garantie der Brenta 4?"],
    "note": "a note of the author",
}
TALK: dict[str, Any] = {"id": 7, "lang": "en", "turns": [{"user": "How much is it?", "gold_answer_any": ["9"]}]}


def write(path: Path, *lines: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    texts = [line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines]
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")
    return path


def test_a_file_may_hold_both_kinds_of_cases(tmp_path: Path) -> None:
    (file,) = read_cases(write(tmp_path / "mixed.jsonl", "\ufeff" + json.dumps(QUESTION), "", TALK))
    assert [case.entities for case in file.questions] == [("Brenta 4",)]
    assert [(case.id, case.turns[0].expects) for case in file.conversations] == [("7", "answer")]
    assert file.problems == ()
    assert file.documents is None


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{broken", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[1, 2]", '"question" or "turns"'),
        ({"id": "x", "lang": "en"}, '"question" or "turns"'),
        (QUESTION | {"id": "x", "status": "solved"}, "status"),
        (QUESTION | {"id": "x", "lang": "xx"}, "'xx'"),
        (QUESTION | {"id": "x", "standalone": []}, "standalone"),
        (QUESTION | {"id": "x", "references": []}, "references"),
        (QUESTION, "a second time"),
        (TALK | {"turns": []}, "turns"),
        (TALK | {"turns": [{"user": "a", "expects": "silence"}]}, "turns.0.expects"),
        (TALK | {"turns": [{"user": "a", "lang": "xx"}]}, "'xx'"),
    ],
)
def test_a_line_that_is_no_case_is_named_and_the_others_are_read(tmp_path: Path, line: object, reason: str) -> None:
    (file,) = read_cases(write(tmp_path / "cases.jsonl", QUESTION, line, TALK))
    assert (len(file.questions), len(file.conversations)) == (1, 1)
    (problem,) = file.problems
    assert (problem.file, problem.line) == ("cases.jsonl", 2)
    assert reason in problem.reason


def test_letters_that_are_not_utf8_are_named_for_the_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_bytes("Größe".encode("cp1252"))
    (file,) = read_cases(path)
    assert [(problem.line, "UTF-8" in problem.reason) for problem in file.problems] == [(0, True)]


def test_a_folder_is_read_with_its_folders_but_without_their_documents(tmp_path: Path) -> None:
    write(tmp_path / "questions" / "de.jsonl", QUESTION)
    write(tmp_path / "talks" / "en" / "conversations.jsonl", TALK)
    write(tmp_path / "talks" / "en" / "docs" / "rows.jsonl", {"name": "a row of a document"})
    questions, talks = read_cases(tmp_path)
    assert (questions.name, talks.name) == ("questions/de.jsonl", "talks/en/conversations.jsonl")
    assert talks.documents == tmp_path / "talks" / "en" / "docs"


@pytest.mark.parametrize("inside", ["missing", "empty"])
def test_where_there_are_no_cases_the_path_is_named(tmp_path: Path, inside: str) -> None:
    write(tmp_path / "empty" / "nothing.jsonl", "")
    with pytest.raises(CasesMissing, match=inside):
        read_cases(tmp_path / inside)

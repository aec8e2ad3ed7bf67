"""``referent evaluate``, ``unanswered`` and ``feedback``: what they write, and how they end."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from languages import codes, load
from memory.store import unanswered
from memory.store.conversations import LOCAL_PERSON, Conversations, NewTurn
from memory.store.database import Database, open_database
from memory.store.thumbs import Thumb, Thumbs
from memory.store.unanswered import Unanswered
from memory.types import Resolution
from rag import commands
from rag.command_evaluate import PAGE
from rag.evaluation.casefiles import read_cases
from rag.events import Answer, Citation, Turn
from rag.turns import new_turn
from tests.rag.evaluation.test_casefiles import QUESTION, write

COMPLETE = {"id": "c", "lang": "en", "question": "How do I cancel my subscription?", "status": "unchanged"}


def run(*arguments: str) -> Result:
    done = CliRunner().invoke(commands.cli, list(arguments))
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done


def test_a_report_is_a_table_the_failures_and_a_page(tmp_path: Path) -> None:
    wrong = QUESTION | {"references": [{"text": "ihre", "entities": ["Quersa 9"]}], "standalone": ["Und Quersa 9?"]}
    path = write(tmp_path / "cases.jsonl", COMPLETE, wrong)
    done = run("evaluate", str(path), "--no-embedder")
    assert done.exit_code == 0
    texts = load("en")
    for said in (texts.text("evaluation.all"), texts.text("evaluation.figure.standalone_f1"), "German", "possessive"):
        assert said.split()[0] in done.stdout, said
    assert wrong["question"] in done.stdout
    page = Path(PAGE).read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert "Quersa 9" in page
    assert PAGE in done.stdout


def test_for_scripts_it_is_json_and_a_page_where_one_is_asked_for(tmp_path: Path) -> None:
    path = write(tmp_path / "cases.jsonl", COMPLETE)
    done = run("evaluate", str(path), "--no-embedder", "--json")
    found = json.loads(done.stdout)
    assert (done.exit_code, found["failures"], found["problems"]) == (0, [], [])
    assert found["resolution"][0] | {"ms_p50": 0, "ms_p95": 0} == {
        "language": None, "kind": None, "cases": 1, "right": 1.0, "resolved_right": None, "false_rewrites": 0.0,
        "asked_when_due": None, "asked_needlessly": 0.0, "standalone_f1": None, "links": None, "ms_p50": 0, "ms_p95": 0,
    }  # fmt: skip
    assert not Path(PAGE).exists()
    run("evaluate", str(path), "--no-embedder", "--json", "--html", str(tmp_path / "page.html"))
    assert (tmp_path / "page.html").read_text(encoding="utf-8").startswith("<!doctype html>")


@pytest.mark.parametrize("code", codes())
def test_a_bad_line_is_named_in_the_persons_language_and_the_rest_is_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    monkeypatch.setenv("LC_ALL", f"{code}.UTF-8")
    done = run("evaluate", str(write(tmp_path / "cases.jsonl", COMPLETE, "{broken")), "--no-embedder", "--json")
    assert done.exit_code == 1
    (problem,) = json.loads(done.stdout)["problems"]
    assert problem["line"] == 2
    assert json.loads(done.stdout)["resolution"][0]["cases"] == 1
    values = {"file": "cases.jsonl", "line": "2", "reason": problem["reason"]}
    assert load(code).text("evaluation.line", values) in done.stderr


def test_no_cases_are_a_named_failure(tmp_path: Path) -> None:
    done = run("evaluate", str(tmp_path / "missing"))
    assert done.exit_code == 1
    assert "missing" in done.stderr
    assert "evaluation.md" in done.stderr


@pytest.fixture
def database(tmp_path: Path) -> Database:
    return open_database(tmp_path / "referent-data")


def keep(database: Database, person: str, name: str, *, shelves: tuple[str, ...], answered: bool) -> str:
    """Keep a conversation of one turn; return the turn's id."""
    conversations = Conversations(database)
    conversation = conversations.create(person, "en")
    question = f"How much is {name}?"
    answer = Answer("It costs $95. [1]", answered, (Citation(1, "prices.md", "It costs $95."),))
    turn = Turn(name, 0, question, "en", Resolution(question, question, "unchanged"), answer)
    conversations.add_turn(conversation, person, new_turn(turn))
    if not answered:
        with database.write() as connection:
            asked = datetime(2026, 5, 4, 12, tzinfo=UTC)
            unanswered.put(
                connection,
                Unanswered(name, person, question, f"{question} (whole)", "en", shelves, "prices.md", asked),
            )
    return name


def test_unanswered_questions_are_listed_by_shelf_and_by_person(database: Database) -> None:
    keep(database, "anna", "halo", shelves=("shared",), answered=False)
    keep(database, "ben", "brook", shelves=("vault",), answered=False)
    listed = run("unanswered").stdout
    assert "How much is halo?" in listed
    assert load("en").text("chat.understood", {"question": "How much is halo? (whole)"}) in listed
    assert load("en").text("unanswered.nearest", {"document": "prices.md"}) in listed
    assert "brook" not in listed
    assert "brook" in run("unanswered", "--shelf", "vault").stdout
    assert "halo" not in run("unanswered", "--shelf", "vault").stdout
    assert "halo" in run("unanswered", "--user", "anna").stdout
    assert run("unanswered", "--user", "carol").stdout.strip() == load("en").text("unanswered.empty")
    for placeholder in ("*", "all", ""):
        done = run("unanswered", "--user", placeholder)
        assert (done.exit_code, done.stdout) == (1, "")
    assert run("unanswered", "--user", "anna", "--shelf", "vault").exit_code == 2


def test_a_question_is_taken_off_the_list(database: Database) -> None:
    keep(database, "anna", "halo", shelves=("shared",), answered=False)
    assert run("unanswered", "remove", "halo").exit_code == 0
    assert run("unanswered").stdout.strip() == load("en").text("unanswered.empty")
    done = run("unanswered", "remove", "halo")
    assert done.exit_code == 1
    assert "halo" in done.stderr


def test_both_lists_are_exported_as_cases_that_can_be_measured(database: Database, tmp_path: Path) -> None:
    keep(database, "anna", "halo", shelves=("shared",), answered=False)
    keep(database, LOCAL_PERSON, "kestrel", shelves=(), answered=True)
    Thumbs(database).give("kestrel", LOCAL_PERSON, Thumb("up"))
    for command, expected in (
        ("unanswered", {"user": "How much is halo?", "expects": "answer"}),
        ("feedback", {"gold_answer_any": ["$95"], "gold_docs": ["prices.md"]}),
    ):
        done = run(command, "--cases")
        (tmp_path / f"{command}.jsonl").write_text(done.stdout, encoding="utf-8")
        (case,) = [json.loads(line) for line in done.stdout.splitlines()]
        assert {key: case["turns"][-1][key] for key in expected} == expected
    files = read_cases(tmp_path)
    assert [len(file.conversations) for file in files] == [1, 1]
    assert [file.problems for file in files] == [(), ()]


def test_thumbs_are_listed_with_reason_answer_and_note(database: Database) -> None:
    assert run("feedback").stdout.strip() == load("en").text("thumbs.empty")
    keep(database, "anna", "halo", shelves=(), answered=True)
    Thumbs(database).give("halo", "anna", Thumb("down", "fact", "It costs $99.\x1b[31m", "de"))
    listed = run("feedback").stdout
    for said in ("How much is halo?", "It costs $95.", "It costs $99.", load("en").text("thumbs.fact")):
        assert said in listed
    assert "\x1b" not in listed
    assert "halo" not in run("feedback", "--user", "ben").stdout


def test_a_turn_whose_record_is_unreadable_is_no_failure(database: Database) -> None:
    conversations = Conversations(database)
    conversation = conversations.create(LOCAL_PERSON, "en")
    conversations.add_turn(conversation, LOCAL_PERSON, NewTurn("old", "How much?", "en", {"of another": "version"}))
    Thumbs(database).give("old", LOCAL_PERSON, Thumb("down", "fact", "9 €"))
    assert run("feedback").exit_code == 0
    assert run("feedback", "--cases").exit_code == 0

"""The command line in processes of its own: what it writes, how it ends, and that nothing but its words is seen."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from languages import codes, load
from memory.errors import ConversationNotFound
from memory.store.conversations import Conversations
from memory.store.database import open_database
from memory.types import Resolution
from rag import commands
from rag.command_ask import open_conversation, say_source, show
from rag.command_documents import ingest_demo, say_outcome, write_outcomes
from rag.errors import DocumentNotFound, OwnerUnknown, QuestionTooLong
from rag.events import Asked, Citation, Clarification, Passage, Piece, Understood
from rag.shelf.owners import Owner
from rag.shelf.shelf import Library, Outcome
from rag.terminal import LOG_FILE, describe, progress_bar, visible
from tests import forking
from tests.checkouts import linked_checkout
from tests.rag.shelf.fakes import HashEmbedder
from tests.rag.shop import write_shop

Run = Callable[..., subprocess.CompletedProcess[str]]

CASE = {
    "id": "a",
    "lang": "en",
    "catalog": [{"name": "Norda Halo", "type": "PRODUCT", "aliases": []}],
    "history": [{"role": "user", "text": "How much does the Norda Halo cost?"}, {"role": "assistant", "text": "$95."}],
    "question": "And what is its warranty?",
}


@pytest.fixture
def run() -> Run:
    """Return what runs ``python -m rag`` with arguments and standard input, forked with its libraries imported."""
    return functools.partial(forking.run, "-m", "rag")


@pytest.fixture
def run_anew() -> Run:
    """Return what runs ``python -m rag`` with arguments and standard input as a terminal does."""

    def start(*arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "rag", *arguments],
            input=given,
            capture_output=True,
            encoding="utf-8",
            timeout=280,
            check=False,
        )

    return start


def test_resolve_writes_one_result_a_line_with_the_keys_of_its_contract(run: Run) -> None:
    done = run("resolve", "--jsonl", "--no-embedder", given=json.dumps(CASE) + "\n\n" + json.dumps(CASE | {"id": 2}))
    assert (done.returncode, done.stderr) == (0, "")
    first, second = map(json.loads, done.stdout.splitlines())
    assert set(first) >= {"id", "lang", "status", "standalone", "references", "candidates", "method", "ms"}
    assert (first["id"], second["id"]) == ("a", 2)
    assert first["status"] == "resolved"
    assert "Norda Halo" in first["standalone"]
    for reference in first["references"]:
        assert set(reference) == {"text", "start", "end", "entities"}
        assert CASE["question"][reference["start"] : reference["end"]] == reference["text"]


def test_a_bad_line_is_answered_in_its_place_and_ends_in_exit_code_1(run_anew: Run) -> None:
    lines = [json.dumps(CASE), "{broken", json.dumps({"id": "x"}), json.dumps(CASE)]
    done = run_anew("resolve", "--jsonl", given="\n".join(lines))
    assert done.returncode == 1
    results = [json.loads(line) for line in done.stdout.splitlines()]
    assert ["error" in result for result in results] == [False, True, True, False]
    assert [result["id"] for result in results] == ["a", None, "x", "a"]
    assert "Traceback" not in done.stderr


def test_resolve_starts_without_anything_heavy(run: Run) -> None:
    program = (
        "import sys\n"
        "from rag.commands import main\n"
        "sys.argv = ['referent', 'resolve', '--jsonl', '--no-embedder']\n"
        "try:\n"
        "    main()\n"
        "finally:\n"
        "    heavy = {'torch', 'chromadb', 'sentence_transformers', 'transformers', 'streamlit', 'langchain_core',\n"
        "             'langchain_openai', 'openai', 'pandas', 'sqlalchemy', 'uvicorn'}\n"
        "    print(*sorted(heavy & sys.modules.keys()), file=sys.stderr, end='')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        input=json.dumps(CASE),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "Norda Halo" in json.loads(done.stdout)["standalone"]


@pytest.mark.parametrize(
    "arguments", [("nonsense",), ("resolve",), ("replay",), ("ask",), ("ask", "x", "--lang", "xx"), ("ingest",)]
)
def test_wrong_usage_ends_in_exit_code_2(run: Run, arguments: tuple[str, ...]) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr + done.stdout


def test_a_named_failure_ends_in_exit_code_1_and_one_message(run: Run) -> None:
    done = run("documents", "remove", "nothing.md")
    assert done.returncode == 1
    assert "nothing.md" in done.stderr
    assert "Traceback" not in done.stderr + done.stdout


def test_a_data_folder_that_cannot_be_made_is_said_so(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    done = run("documents", "--data-dir", str(tmp_path / "file" / "inside"))
    assert done.returncode == 1
    assert "expected" in done.stderr
    assert "Traceback" not in done.stderr + done.stdout


def test_replay_names_a_folder_that_is_not_there(run_anew: Run, tmp_path: Path) -> None:
    done = run_anew("replay", "--documents", str(tmp_path / "missing"))
    assert done.returncode == 1
    assert "missing" in done.stderr
    assert done.stdout == ""


@pytest.mark.model
def test_ingest_ask_follow_up_list_and_remove(run: Run, run_anew: Run, tmp_path: Path) -> None:
    documents = write_shop(tmp_path / "documents", "en")
    (documents / "empty.md").write_text("")
    done = run("ingest", str(documents))
    assert done.returncode == 1, "a refused file"
    lines = done.stdout.splitlines()
    assert len(lines) == 5
    assert sum(line.endswith(": added") for line in lines) == 3
    assert any(line.startswith("empty.md: not added.") for line in lines)
    (documents / "empty.md").unlink()
    began = time.monotonic()
    again = run("ingest", str(documents))
    assert again.returncode == 0
    assert sum(line.endswith(": unchanged") for line in again.stdout.splitlines()) == 3
    assert time.monotonic() - began < 60, "nothing was embedded anew"

    first = run_anew("ask", "How much does the Norda Halo cost?", "--conversation", "../one")
    assert first.returncode == 0, first.stderr
    assert "95" in first.stdout
    assert "[1] norda-headset.md" in first.stdout
    second = run("ask", "And its warranty?", "--conversation", "../one")
    assert "Norda Halo" in second.stdout.splitlines()[0], "understood as"
    assert "18 months" in second.stdout
    new = run("ask", "And its warranty?")
    assert not new.stdout.startswith("Understood"), "another conversation"
    assert "--conversation" in new.stderr

    listed = run_anew("documents", "--shelf", "shared")
    assert [line.split("\t")[1] for line in listed.stdout.splitlines()] == [
        "kestrel-12.md",
        "norda-headset.md",
        "returns.txt",
    ]
    assert run("documents", "remove", "returns.txt").returncode == 0
    assert "returns.txt" not in run("documents", "--shelf", "shared").stdout
    assert (tmp_path / "referent-data" / LOG_FILE).read_text(encoding="utf-8").count("rag.pipeline turn ") == 3
    assert "Norda" not in (tmp_path / "referent-data" / LOG_FILE).read_text(encoding="utf-8")


def test_the_outcome_of_each_file_is_written_as_it_comes(tmp_path: Path) -> None:
    log = tmp_path / "log"

    def outcomes() -> Iterator[Outcome]:
        for number in range(3):
            assert len(log.read_text(encoding="utf-8").splitlines()) == number
            yield Outcome(f"{number}.md", "added", 1)
        yield Outcome("empty.md", "refused", key="error.document_empty", values={"name": "empty.md"})

    with log.open("w", encoding="utf-8") as file, contextlib.redirect_stdout(file):
        assert write_outcomes(load("en"), outcomes()) == (4, 1)


def test_a_shelf_and_a_person_exclude_each_other(run: Run, tmp_path: Path) -> None:
    done = run("ingest", str(tmp_path), "--shelf", "a", "--user", "b")
    assert done.returncode == 2


def test_the_demonstration_documents_go_onto_their_shelf_once_and_leave_it_with_their_files(tmp_path: Path) -> None:
    database = open_database(tmp_path)
    embedder = HashEmbedder()
    library = Library(database, embedder, tmp_path)
    owner = Owner("shelf", "demo")
    stale = tmp_path / "old.md"
    stale.write_text("# Old\n\nSomething old.\n")
    list(library.ingest([stale], owner))
    shares: list[float] = []
    added = list(ingest_demo(library, owner, shares.append))
    assert {outcome.status for outcome in added} == {"added"}
    assert {name.partition("/")[0] for name in (record.name for record in library.documents(owner))} == set(codes())
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    batches = embedder.batches
    assert {outcome.status for outcome in ingest_demo(library, owner, shares.append)} == {"unchanged"}
    assert embedder.batches == batches
    library.close()
    database.close()


def test_a_conversation_may_have_a_name_of_ones_own(tmp_path: Path) -> None:
    database = open_database(tmp_path)
    kept = Conversations(database)
    for name in ("one", "../x", "a\0b", "محادثة", "x" * 300):
        first = open_conversation(kept, "anna", named=name, language="en")
        assert first == open_conversation(kept, "anna", named=name, language="en")
        assert first != open_conversation(kept, "ben", named=name, language="en")
        assert first.isalnum()
    new = open_conversation(kept, "anna", named=None, language="en")
    assert open_conversation(kept, "anna", named=new, language="en") == new
    with pytest.raises(ConversationNotFound):
        open_conversation(kept, "ben", named=new, language="en")
    with pytest.raises(OwnerUnknown):
        open_conversation(kept, "*", named=None, language="en")
    database.close()


@pytest.mark.parametrize("language", ["en", "fr", "de", "ar"])
def test_failures_are_said_in_the_persons_language(language: str) -> None:
    error = QuestionTooLong("found 9; expected at most 8; shorten it", {"limit": "8", "length": "9"})
    said = describe(error, language)
    assert "8" in said
    assert "{" not in said
    assert (said == str(error)) == (language == "en")


def test_a_failure_without_a_text_of_its_own_is_said_in_english() -> None:
    assert describe(DocumentNotFound("found none"), "de") == "found none"


@pytest.mark.parametrize("language", ["en", "fr", "de", "ar"])
def test_each_outcome_is_one_line_in_each_language(language: str) -> None:
    texts = load(language)
    refused = Outcome("a\x1b[2Jb.md", "refused", key="error.document_empty", values={"name": "a.md"})
    for outcome in (Outcome("a.md", "added"), Outcome("a.md", "updated"), Outcome("a.md", "unchanged"), refused):
        line = say_outcome(texts, outcome)
        assert ".md" in line
        assert "\n" not in line
        assert "\x1b" not in line


def test_what_is_shown_cannot_steer_the_terminal() -> None:
    source = say_source(load("en"), Citation(1, "x\x1b[31m.md", "costs\n  $5\x1b[0m"))
    assert "\x1b" not in source
    assert "costs $5" in source


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("a\x1b[1;31mb\x1b[0mc", "abc"),
        ("a\x9b31mb", "ab"),
        ("a\x1b]0;title\x07b", "ab"),
        ("a\x1b]8;;http://x\x1b\\b\x1b]8;;\x1b\\", "ab"),
        ("a\x1bPq#0\x1b\\b", "ab"),
        ("a\x1b(0b\x1bcd", "abd"),
        ("a\x1b[b", "a"),
        ("a\x1b]never ended", "anever ended"),
        ("a\x1b", "a"),
        ("a\x00\x08\x7f\rb", "ab"),
        ("a\u202egpj.exe", "agpj.exe"),
        ("[31m and 5 [mm] stay, a\tb\n", "[31m and 5 [mm] stay, a\tb\n"),
        ("\u200fسعر\u200c ٢\u2067x\u2069", "\u200fسعر\u200c ٢\u2067x\u2069"),
    ],
)
def test_control_sequences_go_as_a_whole(given: str, shown: str) -> None:
    assert visible(given) == shown


def test_a_question_and_its_answer_are_shown_without_control_sequences(capsys: pytest.CaptureFixture[str]) -> None:
    show(Understood(Resolution("x\x1b[31mA", "y\x1b[31mA", "resolved", language="en")), load("en"))
    show(Piece("costs \x1b[5m$5\x1b[0m\n"), load("en"))
    assert capsys.readouterr().out == "Understood as: yA\ncosts $5\n"


@pytest.mark.parametrize("content", [b"REFERENT_CHAT_MODEL=caf\xe9\n", "REFERENT_PASSAGES=3\n".encode("utf-16")])
def test_a_settings_file_in_another_encoding_is_named(run: Run, content: bytes) -> None:
    Path(".env").write_bytes(content)  # the test's own folder
    done = run("documents")
    assert done.returncode == 1
    assert ".env" in done.stderr
    assert "UTF-8" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_settings_file_may_begin_with_a_byte_order_mark(run: Run) -> None:
    Path(".env").write_bytes(b"\xef\xbb\xbfREFERENT_PASSAGES=0\n")
    assert "REFERENT_PASSAGES" in run("documents").stderr


def test_cases_may_begin_with_a_byte_order_mark(run: Run) -> None:
    done = run("resolve", "--jsonl", "--no-embedder", given="\ufeff" + json.dumps(CASE))
    assert (done.returncode, json.loads(done.stdout)["status"]) == (0, "resolved")


@pytest.mark.parametrize("left", [(), ("demo",)])
def test_a_missing_data_folder_is_named(tmp_path: Path, left: tuple[str, ...]) -> None:
    root = linked_checkout(tmp_path / "checkout", without=("data",))
    for folder in left:
        (root / "data" / folder).mkdir(parents=True)
    done = subprocess.run(
        [sys.executable, "-m", "rag", "prepare"],
        cwd=root,
        env=os.environ | {"PYTHONPATH": str(root), "REFERENT_EMBEDDING_MODEL": "none"},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert done.returncode == 1
    named = [line for line in done.stderr.splitlines() if line.strip() and "%" not in line]  # besides the progress
    assert len(named) == 1, named
    assert str(root / "data") in named[0]
    assert "Traceback" not in done.stderr
    assert "expected" in done.stderr


@pytest.mark.parametrize(
    "command",
    ["", "app", "prepare", "ingest", "documents", "documents remove", "documents rebuild", "ask", "resolve", "replay"],
)
def test_every_option_says_what_it_is_for(command: str) -> None:
    found: Any = get_command(commands.cli)
    for name in command.split():
        found = found.commands[name]
    assert found.help
    for option in found.params:
        assert option.help, option.name
        assert option.help.rstrip(")").endswith("."), option.name


def test_a_question_back_is_shown_with_its_options(capsys: pytest.CaptureFixture[str]) -> None:
    texts = show(Understood(Resolution("x", "x", "ambiguous", language="de")), load("en"))
    assert texts.code == "de"
    show(Asked(Clarification("Welches: A oder B?", ("A", "B"))), texts)
    assert capsys.readouterr().out.splitlines() == ["Welches: A oder B?", "  - A", "  - B"]


def test_what_nobody_foresaw_is_one_sentence_and_its_traceback_goes_to_the_log(tmp_path: Path) -> None:
    program = (
        "import sys, rag.cases, rag.commands;"
        "rag.cases._result = lambda case, scorer: 1 / 0;"
        "sys.argv = ['referent', 'resolve', '--jsonl'];"
        "rag.commands.main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        input=json.dumps(CASE),
        env=os.environ | {"REFERENT_DATA_DIR": str(tmp_path / "data")},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)
    assert "ZeroDivisionError" in (tmp_path / "data" / "referent.log").read_text(encoding="utf-8")


def test_a_spoken_bar_writes_each_quarter_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_bar("Indexing", spoken=True) as report:
        for share in (0.1, 0.3, 0.4, 0.9, 1.0, 1.0):
            report(share)
    assert capsys.readouterr().err == "Indexing: 0 %\nIndexing: 25 %\nIndexing: 75 %\nIndexing: 100 %\n"
    with progress_bar("Indexing") as report:
        report(0.5)
    assert capsys.readouterr().err == ""


PLACES = [
    ("en", "page 3", "row 12"),
    ("fr", "p.\u00a03", "ligne\u00a012"),
    ("de", "Seite 3", "Zeile 12"),
    ("ar", "صفحة 3", "الصف 12"),
]


@pytest.mark.parametrize(("code", "page", "row"), PLACES)
def test_a_source_is_given_with_its_page_or_its_row(code: str, page: str, row: str) -> None:
    cited = Citation(1, "terms.pdf", "Ten years.", "k.0")
    for place, passage in (
        (f" · {page}", Passage("k.0", "terms.pdf", "Ten years.", page=3)),
        (f" · {row}", Passage("k.0", "terms.pdf", "Ten years.", kind="row", row=12)),
        ("", Passage("k.0", "terms.pdf", "Ten years.")),
        ("", None),
    ):
        assert say_source(load(code), cited, passage).splitlines()[0] == f"[1] terms.pdf{place}"

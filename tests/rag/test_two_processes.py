"""One process answers while another ingests, or dies doing so: both go on, nothing is lost, nothing is there twice."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from rag.shelf import records
from rag.shelf.owners import Owner, Scope
from rag.shelf.shelf import Library
from tests import forking
from tests.rag.conftest import Desk
from tests.rag.shelf.fakes import HashEmbedder

SHARED = Owner("shelf", "shared")
FILES = 200

INGEST = """
import sys
from pathlib import Path
from memory.store.database import open_database
from rag.shelf.owners import Owner
from rag.shelf.shelf import Library
from tests.rag.shelf.fakes import HashEmbedder
home, folder = map(Path, sys.argv[1:])
database = open_database(home)
library = Library(database, HashEmbedder(), home)
for outcome in library.ingest([folder], Owner("shelf", "shared")):
    print(outcome.status, outcome.name, flush=True)
library.close()
database.close()
"""


def number_of(name: str) -> int:
    return int("".join(filter(str.isdigit, name)))


def write_files(folder: Path) -> Path:
    folder.mkdir()
    for number in range(FILES):
        body = (
            f"# Kestor {number}\n\nThe Kestor {number} weighs {1000 + number} g.\n\n## Care\n\nRinse {number} twice.\n"
        )
        (folder / f"kestor-{number:03}.md").write_text(body, encoding="utf-8")
    return folder


def start(home: Path, folder: Path) -> forking.Forked:
    return forking.start("-c", INGEST, str(home), str(folder), stdout=subprocess.PIPE)


def read_lines(process: forking.Forked) -> list[str]:
    assert process.stdout is not None
    with process.stdout as lines:
        return [line.strip() for line in lines]


@pytest.fixture
def answering(tmp_path: Path) -> Iterator[Desk]:
    """The process that answers: its store, index and turns stay open throughout."""
    desk = Desk(tmp_path, "en")
    yield desk
    desk.library.close()
    desk.database.close()


def weight_of(desk: Desk, number: int) -> tuple[str, str]:
    """Return the answer about a document, and which document it cites first."""
    turn = desk.talk(f"How much does the Kestor {number} weigh?", language="en")[0]
    assert turn.answer is not None
    return turn.answer.text, turn.answer.citations[0].document if turn.answer.citations else ""


def check_whole(library: Library, folder: Path) -> list[str]:
    """Return the names of the ingested documents; each is whole: its text, and all its passages."""
    names = [found.name for found in library.documents(SHARED) if found.name.startswith("kestor")]
    assert len(names) == len(set(names))
    for found in library.documents(SHARED):
        text = library.document_text(found.name, SHARED)
        passages = library.passages(found.passage_ids, Scope(("shared",)))
        assert len(passages) == found.passages
        assert all(text[part.start : part.end] == part.text for part in passages.values())
    return names


def check_index(desk: Desk) -> None:
    """Check that the index holds the passages that SQL knows, and no other."""
    library = Library(desk.database, HashEmbedder(), desk.folder / "data")
    with desk.database.read() as connection:
        found = records.find_records(connection, SHARED)
    for language in {record.language for record in found}:
        known = {id_ for record in found if record.language == language for id_ in record.passage_ids}
        assert set(library._index.ids(library._writer.collection(SHARED, language))) == known
    library.close()


@pytest.mark.timeout(900)  # some 20 seconds; far more where other programs take the processors
def test_questions_are_answered_while_two_hundred_files_come_in(answering: Desk, tmp_path: Path) -> None:
    folder = write_files(tmp_path / "new")
    process = start(tmp_path / "data", folder)
    asked = 0
    while process.poll() is None:
        turn = answering.talk("How much does the Norda Halo cost?", language="en")[0]  # raises where it is locked out
        assert turn.answer is not None
        asked += 1
        time.sleep(0.2)
    lines = read_lines(process)
    assert process.returncode == 0
    assert [line.split()[0] for line in lines] == ["added"] * FILES
    assert asked > 1
    assert len(check_whole(answering.library, folder)) == FILES
    for number in (0, 57, 123, FILES - 1):
        text, cited = weight_of(answering, number)
        assert (str(1000 + number) in text, cited) == (True, f"kestor-{number:03}.md")
    with answering.database.read() as connection:
        kept = connection.exec_driver_sql("SELECT count(*) FROM turns").scalar()
    assert kept == asked + 4
    check_index(answering)


@pytest.mark.timeout(900)
def test_killed_six_times_it_goes_on_where_it_was(answering: Desk, tmp_path: Path) -> None:
    folder = write_files(tmp_path / "new")
    before: list[str] = []
    for kill in range(6):
        process = start(tmp_path / "data", folder)
        assert process.stdout is not None
        confirmed = []
        while len(confirmed) < len(before) + 12 + 3 * kill:  # what is there is said to be unchanged first
            line = process.stdout.readline()
            assert line, "it ended by itself"
            confirmed.append(line.split())
        time.sleep(0.004 * kill)  # at another moment of the writing of a document each time
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        assert {status for status, _ in confirmed[: len(before)]} <= {"unchanged"}
        names = check_whole(answering.library, folder)
        assert {name for _, name in confirmed} <= set(names)
        assert len(names) <= len(confirmed) + 20
        assert set(before) <= set(names)
        last = number_of(names[-1])
        text, cited = weight_of(answering, last)
        assert (str(1000 + last) in text, cited) == (True, names[-1])
        before = names
    process = start(tmp_path / "data", folder)
    statuses = [line.split()[0] for line in read_lines(process)]
    assert process.wait() == 0
    assert statuses == ["unchanged"] * len(before) + ["added"] * (FILES - len(before))
    assert len(check_whole(answering.library, folder)) == FILES
    check_index(answering)
    assert weight_of(answering, FILES - 1)[1] == f"kestor-{FILES - 1:03}.md"

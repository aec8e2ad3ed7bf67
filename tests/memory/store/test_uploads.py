"""Uploads under way: told as lost once, when their reader is gone, however it went."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory.store.database import Database
from memory.store.uploads import PendingUploads
from tests.memory.store.conftest import Processes

READER = """
import sys
import time
from pathlib import Path
from memory.store.database import open_database
from memory.store.uploads import PendingUploads
folder = Path(sys.argv[1])
pending = PendingUploads(open_database(folder), folder)
pending.begin("ada", {"1": "a.md", "2": "b.md"})
print("reading", flush=True)
time.sleep(60)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def pending(database: Database, folder: Path) -> PendingUploads:
    return PendingUploads(database, folder)


def names(found: tuple[object, ...]) -> list[str]:
    return [upload.name for upload in found]  # type: ignore[attr-defined]


def test_what_is_being_read_is_under_way_and_not_lost(pending: PendingUploads) -> None:
    pending.begin("ada", {"1": "a.md", "2": "b.md"})
    assert names(pending.under_way("ada")) == ["a.md", "b.md"]
    assert pending.take_lost("ada") == ()
    pending.end("ada", ["1", "2"])
    assert pending.under_way("ada") == pending.take_lost("ada") == ()


def test_what_is_read_no_more_is_told_once_and_to_its_person_alone(pending: PendingUploads) -> None:
    pending.begin("ada", {"1": "a.md", "2": "b.md"})
    pending.leave("ada", ["2"])
    assert pending.take_lost("ben") == ()
    pending.end("ben", ["1", "2"])
    assert names(pending.take_lost("ada")) == ["b.md"]
    assert pending.take_lost("ada") == ()
    assert names(pending.under_way("ada")) == ["a.md"]


def test_what_is_taken_up_again_is_not_lost(pending: PendingUploads) -> None:
    pending.begin("ada", {"1": "a.md"})
    pending.leave("ada", ["1"])
    pending.begin("ada", {"1": "a.md"})
    assert pending.take_lost("ada") == ()
    assert names(pending.under_way("ada")) == ["a.md"]


def test_a_process_that_was_killed_leaves_what_it_read_and_one_that_lives_does_not(
    pending: PendingUploads, folder: Path, processes: Processes
) -> None:
    reader = processes.start(READER, str(folder))
    assert reader.stdout is not None
    assert reader.stdout.readline() == "reading\n"
    assert names(pending.under_way("ada")) == ["a.md", "b.md"]
    assert pending.take_lost("ada") == ()
    reader.kill()
    reader.wait()
    assert pending.under_way("ada") == ()
    assert names(pending.take_lost("ada")) == ["a.md", "b.md"]
    assert pending.take_lost("ada") == ()
    assert not list(folder.glob("upload-*.lock"))

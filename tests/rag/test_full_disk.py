"""A full disk has a name and a next step, whichever library comes upon it, on the page and in the terminal."""

from __future__ import annotations

import errno
from pathlib import Path

import numpy as np
import pytest
import typer
from chromadb.errors import InternalError
from safetensors import SafetensorError
from streamlit.testing.v1 import AppTest

from languages import codes, load
from rag.disk import no_room
from rag.errors import DiskFull, ReferentError, ShelfIndexError
from rag.shelf.index import VectorIndex
from rag.shelf.places import Folder
from rag.terminal import named_failures

FULL = OSError(errno.ENOSPC, "No space left on device", "/data/x")


class Failing:
    """A collection of Chroma that cannot be written."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def upsert(self, **_given: object) -> None:
        raise self._error


@pytest.mark.parametrize(
    ("error", "full"),
    [
        (FULL, True),
        (OSError(errno.EDQUOT, "Disk quota exceeded"), True),
        (OSError(errno.EACCES, "Permission denied"), False),
        (InternalError("error returned from database: (code: 13) database or disk is full"), True),
        (InternalError("error returned from database: (code: 11) database disk image is malformed"), False),
        (SafetensorError("Error while serializing: I/O error: No space left on device (os error 28)"), True),
        (SafetensorError("Error while deserializing header: header too small"), False),
    ],
    ids=lambda value: str(value)[:60],
)
def test_a_full_disk_is_known_in_each_librarys_words(error: Exception, full: bool) -> None:
    assert (no_room(error) is not None) == full


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("(code: 13) database or disk is full", DiskFull),
        ("(code: 11) database disk image is malformed", ShelfIndexError),
    ],
)
def test_what_the_index_fails_at_has_a_name_and_a_next_step(
    tmp_path: Path, said: str, kind: type[ReferentError]
) -> None:
    index = VectorIndex(Folder(tmp_path / "chroma"), tmp_path / "chroma.lock")
    index.refresh(0)
    index._collections["p1"] = Failing(InternalError(said))  # type: ignore[assignment]
    with pytest.raises(kind, match="expected"):
        index.upsert("p1", ["a"], np.zeros((1, 4), dtype=np.float32))
    index.close()


@pytest.mark.parametrize("code", codes())
def test_the_terminal_says_so(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit) as ended, named_failures(code):
        raise FULL
    assert ended.value.exit_code == 1
    said = capsys.readouterr().err.strip()
    assert said == (load(code).text("error.store_full") if code != "en" else str(no_room(FULL)))


def test_another_failure_of_the_system_stays_what_it_is() -> None:
    with pytest.raises(OSError, match="Permission"), named_failures("en"):
        raise OSError(errno.EACCES, "Permission denied")


def script() -> None:
    import errno

    from rag.pages.frame import guard

    def draw() -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    guard(draw)


@pytest.mark.parametrize("code", codes())
def test_the_page_says_so(code: str) -> None:
    at = AppTest.from_function(script, default_timeout=30)
    at.session_state["interface"] = code
    assert [error.value for error in at.run().error] == [load(code).text("error.store_full")]

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import memory
from memory.store.conversations import Conversations
from memory.store.database import Database, open_database

ROOT = Path(memory.__file__).parents[1]


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = open_database(tmp_path / "data")
    yield opened
    opened.close()


@pytest.fixture
def kept(database: Database) -> Conversations:
    return Conversations(database)


class Processes:
    """Starts Python programs of a few lines that import this checkout, and ends those still running."""

    def __init__(self) -> None:
        self._running: list[subprocess.Popen[str]] = []

    def start(self, program: str, *arguments: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-c", program, *arguments],
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._running.append(process)
        return process

    def finish(self, process: subprocess.Popen[str]) -> str:
        output, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors
        return output

    def end(self) -> None:
        for process in self._running:
            if process.poll() is None:
                process.kill()
            process.communicate()


@pytest.fixture
def processes() -> Iterator[Processes]:
    started = Processes()
    yield started
    started.end()

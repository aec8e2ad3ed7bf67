"""``referent memory show|export|forget``: what a person sees, takes along and erases in the terminal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from memory import Heard
from memory.memory import EntityMemory, Said
from memory.store.database import open_database
from memory.store.entities import Named
from rag.commands import cli


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    database = open_database(tmp_path / "data")
    memory = EntityMemory(database)
    for person, budget in (("ada", "900 €"), ("local", "7 €")):
        told = Heard("", "budget", budget, 0, 0), Heard("", "owns", "Weber 7", 0, 0, "adds")
        memory.remember(person, Said("c", person, (Named("Weber 7", "PRODUCT"),), told))
    database.close()
    return tmp_path / "data"


def run(folder: Path, *words: str) -> Result:
    return CliRunner().invoke(cli, ["memory", *words, "--data-dir", str(folder)])


def test_what_is_remembered_is_shown_in_words(folder: Path) -> None:
    shown = run(folder, "show", "--user", "ada").output
    for part in ("Budget: 900 €", "Weber 7 (product), mentioned 1 time", "You · owns · Weber 7"):
        assert part in shown
    assert "7 €" in run(folder, "show").output, "the person of this machine"
    assert "Nothing is remembered of ben." in run(folder, "show", "--user", "ben").output


def test_an_export_is_json(folder: Path) -> None:
    content = json.loads(run(folder, "export", "--user", "ada").output)
    assert content["person"] == "ada"
    assert [fact["value"] for fact in content["facts"]] == ["900 €", "Weber 7"]


def test_who_is_forgotten_is_gone_and_others_are_not(folder: Path) -> None:
    assert "erased" in run(folder, "forget", "--user", "ada").output
    assert "Nothing is remembered of ada." in run(folder, "show", "--user", "ada").output
    assert "Budget: 7 €" in run(folder, "show").output
    assert run(folder, "forget", "--user", "ada").exit_code == 0, "again is no failure"
    assert not [path for path in folder.rglob("*") if path.is_file() and "900 €".encode() in path.read_bytes()]


@pytest.mark.parametrize("nobody", ["", "*", "%", "none"])
@pytest.mark.parametrize("command", ["show", "export", "forget"])
def test_a_placeholder_is_nobody(folder: Path, command: str, nobody: str) -> None:
    assert run(folder, command, "--user", nobody).exit_code == 1
    assert "Budget: 900 €" in run(folder, "show", "--user", "ada").output

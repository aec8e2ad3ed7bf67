"""The examples of the documents run: each block of Python, and each command with what it prints.

A block that cannot run says why in a comment above it, ``<!-- not run: … -->``.  The commands of one document run in
order, then its Python as one session, in a checkout of links with a home of its own; ``...`` in what a command prints
stands for anything.
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.checkouts import linked_checkout

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = (
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").glob("*.md")),
    *(ROOT / name / "README.md" for name in ("benchmarks", "data", "languages")),
)
BLOCK = re.compile(r"^(?:<!-- not run: (?P<reason>.+?) -->\n)?```(?P<kind>\S*)\n(?P<text>.*?)^```$", re.M | re.S)
RUNS = ("python", "console")
SHOWN = ("toml", "text", "json", "ini")  # read, not run
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@dataclass(frozen=True)
class Block:
    """A fenced block of a document."""

    kind: str
    text: str
    line: int
    reason: str | None


def blocks(document: Path) -> list[Block]:
    text = document.read_text(encoding="utf-8")
    return [
        Block(found["kind"], found["text"], text[: found.start("kind")].count("\n") + 1, found["reason"])
        for found in BLOCK.finditer(text)
    ]


def named(document: Path) -> str:
    return str(document.relative_to(ROOT))


@pytest.mark.parametrize("document", DOCUMENTS, ids=named)
def test_every_block_says_what_it_is_and_commands_stand_in_blocks(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    assert text.count("\n```") % 2 == 0, "a block does not end"
    assert [f"line {block.line}" for block in blocks(document) if block.kind not in (*RUNS, *SHOWN)] == []
    outside = BLOCK.sub("", text)
    loose = re.findall(r"^ {4,}(?:\$ |>>> |(?:make|referent|python|pip|git) [^/\n]*$).*", outside, re.MULTILINE)
    assert loose == [], "written as code, never run: put it into ```console or ```python"
    for block in blocks(document):
        if block.kind == "console":
            assert block.text.startswith("$ "), f"line {block.line}: a command begins with $"


WITH_EXAMPLES = [each for each in DOCUMENTS if any(b.kind in RUNS and b.reason is None for b in blocks(each))]


def test_there_are_examples_that_run() -> None:
    assert {"README.md", "CONTRIBUTING.md", "docs/integration.md", "docs/languages.md"} <= {
        named(each) for each in WITH_EXAMPLES
    }


@pytest.mark.model
@pytest.mark.parametrize("document", WITH_EXAMPLES, ids=named)
def test_the_examples_run(document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checkout = linked_checkout(tmp_path / "checkout")
    home = tmp_path / "home"
    (home / "manuals").mkdir(parents=True)
    manual = ROOT / "data" / "demo" / "fr" / "dovanta-cairn-13.md"
    (home / "manuals" / manual.name).write_bytes(manual.read_bytes())
    commands = tmp_path / "bin"
    commands.mkdir()
    for name, start in (("python", ""), ("referent", "-m rag")):
        (commands / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {start} "$@"\n')
        (commands / name).chmod(0o755)
    monkeypatch.setenv("PYTHONPATH", str(checkout))
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("PATH", f"{commands}{os.pathsep}{os.environ['PATH']}")
    said = ""
    for block in blocks(document):
        if block.kind == "console" and block.reason is None:
            run_commands(block.text, checkout, f"{named(document)}, line {block.line}")
        elif block.kind == "python" and block.reason is None:
            said += f"{block.text}\n"
    run_python(said, checkout, named(document))


def run_commands(text: str, checkout: Path, where: str) -> None:
    """Run each command of a block and compare what it prints, where the block shows that."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        done = subprocess.run(
            ["bash", "-c", command], cwd=checkout, capture_output=True, encoding="utf-8", timeout=280, check=False
        )
        assert done.returncode == 0, f"{where}: {command}\n{done.stdout}{done.stderr}"
        matches = doctest.OutputChecker().check_output(expected, done.stdout, FLAGS)
        assert matches or not expected.strip(), f"{where}: {command}\n{done.stdout}"


def run_python(text: str, checkout: Path, where: str) -> None:
    """Run Python in a process of its own: as a session where it shows one, else as a program."""
    program = text
    if ">>> " in text:
        program = (
            "import doctest, sys\n"
            f"test = doctest.DocTestParser().get_doctest({text!r}, {{}}, {where!r}, None, 0)\n"
            f"sys.exit(doctest.DocTestRunner(optionflags={FLAGS}).run(test).failed)"
        )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=checkout,
        capture_output=True,
        encoding="utf-8",
        timeout=280,
        check=False,
    )
    assert done.returncode == 0, f"{where}\n{done.stdout}{done.stderr}"

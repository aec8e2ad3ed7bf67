"""The language of the terminal's own texts: that of the environment, or the one asked for."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from languages import load
from rag.command_documents import say_outcome
from rag.shelf.shelf import Outcome
from tests import forking


def run_in(locale: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run ``python -m rag`` with *arguments* where the environment asks for *locale*."""
    return forking.run("-m", "rag", *arguments, env=os.environ | {"LC_ALL": locale})


@pytest.mark.parametrize(
    ("locale", "language"),
    [("en_GB.UTF-8", "en"), ("fr_FR.UTF-8", "fr"), ("de_AT", "de"), ("ar_SA@x", "ar"), ("ja", "en")],
)
def test_the_terminal_speaks_the_language_of_the_environment(tmp_path: Path, locale: str, language: str) -> None:
    texts = load(language)
    arguments = ("documents", "--shelf", "x", "--data-dir", str(tmp_path / "data"))
    listed = subprocess.run(  # Python itself, started anew, may take a locale otherwise
        [sys.executable, "-m", "rag", *arguments],
        env=os.environ | {"LC_ALL": locale},
        capture_output=True,
        encoding="utf-8",
        timeout=280,
        check=False,
    )
    assert listed.stdout.strip() == texts.text("documents.empty")
    done = run_in(locale, "ingest", str(tmp_path / "none.md"), "--data-dir", str(tmp_path / "data"))
    refused = Outcome("none.md", "refused", key="error.document_missing", values={"name": "none.md"})
    assert done.stdout.splitlines() == [say_outcome(texts, refused), texts.text("outcome.summary", {"count": "1"})]
    assert done.returncode == 1
    (tmp_path / "file").write_text("x")
    closed = run_in(locale, "documents", "--data-dir", str(tmp_path / "file" / "inside"))
    assert (texts.text("error.data_folder") in closed.stderr) == (language != "en")
    assert ("expected" in closed.stderr) == (language == "en")


@pytest.mark.parametrize(
    ("given", "locale", "language"),
    [((), "fr_FR", "fr"), ((), "C", "de"), (("--lang", "ar"), "fr_FR", "ar"), ((), "en_US", "en")],
)
def test_what_goes_wrong_with_a_question_is_said_in_the_language_that_is_asked_for(
    tmp_path: Path, given: tuple[str, ...], locale: str, language: str
) -> None:
    question = "Wie lange ist die Garantie der Küchenmaschine?"
    done = run_in(locale, "ask", question, "--user", "*", *given, "--data-dir", str(tmp_path))
    assert done.returncode == 1
    assert (load(language).text("error.owner_unknown") in done.stderr) == (language != "en")
    assert ("expected" in done.stderr) == (language == "en")

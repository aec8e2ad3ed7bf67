"""``referent app`` answers on the page while ``referent ingest`` brings documents in, and is killed at it six times."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests import forking
from tests.pages.browsing import send, wait_until_idle
from tests.pages.serving import ROOT, started, surroundings

pytestmark = [pytest.mark.browser, pytest.mark.model]

FILES = 200
KILLS = (5, 20, 40, 70, 110, 150)  # the files reported by then; the last run has the other fifty to itself
MESSAGES = '[data-testid="stChatMessage"]'
ALERTS = '[data-testid="stAlert"]'
SOURCES = '[data-testid="stExpander"]'
WAIT = 120  # seconds for an answer: the first waits for the model

Start = Callable[..., forking.Forked]


def name_of(number: int) -> str:
    return f"kestor-{number:03}.md"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Two hundred documents of one passage each, in a folder."""
    folder = tmp_path / "files"
    folder.mkdir()
    for number in range(FILES):
        text = f"# Kestor {number}\n\nThe Kestor {number} weighs {1000 + number} g.\n"
        (folder / name_of(number)).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Return what starts a command of the product; what it says on the error channel stands among its lines."""
    processes = []

    def begin(*arguments: str) -> forking.Forked:
        process = forking.start(
            "-m",
            "rag",
            *arguments,
            cwd=ROOT,
            env=surroundings(tmp_path / "data"),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        processes.append(process)
        return process

    yield begin
    for process in processes:
        process.kill()  # where the test has failed; one that has ended takes no notice
        end(process)


def read_lines(process: forking.Forked, count: int = sys.maxsize) -> list[str]:
    """Return the next *count* lines of a process, fewer where it ends."""
    assert process.stdout is not None
    lines: list[str] = []
    while len(lines) < count and (line := process.stdout.readline()):
        lines.append(line.rstrip("\n"))
    return lines


def end(process: forking.Forked) -> list[str]:
    """Return the lines that a process still writes until it has ended."""
    if process.stdout is None or process.stdout.closed:
        return []
    with process:
        return read_lines(process)


def ask(page: Page, number: int) -> int:
    """Ask about a document, and do not wait for the answer; return how many messages will stand there then."""
    before = page.locator(MESSAGES).count()
    send(page, f"How much does the Kestor {number} weigh?")
    return before + 2


def check_answer(page: Page, number: int, messages: int) -> None:
    """Wait for the answer about a document: it comes from that document, and no failure is shown."""
    expect(page.locator(MESSAGES)).to_have_count(messages, timeout=WAIT * 1000)
    wait_until_idle(page, WAIT)
    expect(page.locator(ALERTS)).to_have_count(0)
    expect(page.locator(MESSAGES).last).to_contain_text(f"The Kestor {number} weighs {1000 + number} g.")
    expect(page.locator(SOURCES).last.locator("summary")).to_contain_text(name_of(number))


def check_run(lines: list[str], known: int, until: int) -> None:
    """Check what a run reports: what was there is unchanged, and the rest was added, one line a file.

    One document more may be there than was reported: the run before was killed after it was kept.
    """
    statuses = [line.removeprefix(f"{name_of(number)}: ") for number, line in enumerate(lines)]
    kept = statuses.count("unchanged")
    assert known <= kept <= known + 1
    assert statuses == ["unchanged"] * kept + ["added"] * (until - kept)


@pytest.mark.timeout(900)  # about a minute; far more where other programs take the processors
def test_killed_six_times_nothing_is_lost_and_the_page_answers_from_what_is_new(
    browser: Browser, tmp_path: Path, files: Path, start: Start
) -> None:
    ingest = start("ingest", str(files))  # both processes find the data folder empty
    with started(tmp_path) as address:
        page = browser.new_page(locale="en-GB")
        page.goto(address)
        wait_until_idle(page)
        known = 0
        for kill, due in enumerate(KILLS):
            lines = read_lines(ingest, due)
            messages = ask(page, due - 1)
            time.sleep(0.05 * kill)  # at another moment of the answer, and of the writing of a document
            ingest.send_signal(signal.SIGKILL)
            lines += end(ingest)
            assert ingest.returncode == -signal.SIGKILL, lines
            check_run(lines, known, len(lines))
            known = len(lines)
            ingest = start("ingest", str(files))
            check_answer(page, due - 1, messages)
        lines = read_lines(ingest, known + 10)
        check_answer(page, known + 9, ask(page, known + 9))
        assert ingest.poll() is None, "it had ended before it was asked about"
        lines += end(ingest)
        assert (ingest.returncode, lines.pop()) == (0, f"{FILES} files processed.")
        check_run(lines, known, FILES)
        for number in (FILES - 1, FILES - 2):
            check_answer(page, number, ask(page, number))
    listed = [line.split("\t")[1] for line in end(start("documents"))]
    assert listed == [name_of(number) for number in range(FILES)]
    assert end(start("documents", "rebuild"))[-1] == "0 files processed."  # no vector is missing

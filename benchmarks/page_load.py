"""How long the page of a long conversation takes to show its last answer, in a real browser.

usage: python -m benchmarks.page_load [--turns 200] [--runs 10]

The page is served as ``referent app`` serves it.  The conversation is kept in the store: each turn with an answer of
several sentences, two sources and eight passages, as an answer from documents leaves them.  Debian's chromium opens
it each time with nothing in its cache, after one visit that is not counted; a conversation of two turns is opened
beside it.  "last_s" is from asking for the address until the last answer is shown, "whole_s" until the page is
drawn and no run of it is under way.

Prints a row for each conversation and how often the long one takes as long as the short one; ends with 1 where a
figure is above its ceiling in ``floors.toml``.  Without chromium it says so and ends with 0.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from benchmarks.scoring import Benchmark, find_below, read_floors, table
from benchmarks.served import free_port, serving
from memory.store.conversations import LOCAL_PERSON, Conversations
from memory.store.database import open_database
from memory.types import Resolution
from rag.events import Answer, Citation, Hit, Passage, Turn
from rag.turns import new_turn

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SHORT: Final = 2
SHOWN: Final = ("last_s", "last_p95_s", "whole_s", "growth")
_SENTENCES: Final = (
    "The Velda {n} weighs {n} grams and comes in three colours.",
    "Its battery lasts {n} minutes longer than that of the one before.",
    "It is guaranteed for 36 months, parts and labour included.",
    "Whoever sends it back within 30 days gets the whole price.",
    "A second charger is in the box, with a cable of two metres.",
    "The list price is {n} euros; the shop in Kelsbury has it in stock.",
)


def main() -> int:
    """Measure, print the table, return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=200)
    parser.add_argument("--runs", type=int, default=10)
    given = parser.parse_args()
    chromium = shutil.which("chromium")
    if chromium is None:
        print("page: skipped, no chromium")
        return 0
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory(prefix="referent-") as place, sync_playwright() as playwright:
        folder = Path(place)
        opened = {turns: keep(folder, turns) for turns in (SHORT, given.turns)}
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        port = free_port()
        address = f"http://127.0.0.1:{port}"
        with serving(folder, port, {}):
            load(browser, f"{address}/?conversation={opened[SHORT]}", SHORT)
            times: dict[int, list[tuple[float, float]]] = {turns: [] for turns in opened}
            for _ in range(given.runs):
                for turns, conversation in opened.items():
                    times[turns].append(load(browser, f"{address}/?conversation={conversation}", turns))
        browser.close()
    figures = {f"{turns} turns": figures_of(found) for turns, found in times.items()}
    long = figures[f"{given.turns} turns"]
    long["growth"] = long["last_s"] / figures[f"{SHORT} turns"]["last_s"]
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores, {given.runs} runs")
    print(table(Benchmark("page", "", "", "", SHOWN), figures))
    below = find_below(figures, read_floors("page"))
    for line in below:
        print(line, file=sys.stderr)
    return 1 if below else 0


def figures_of(found: list[tuple[float, float]]) -> dict[str, float]:
    """Return the figures of the seconds that each load took, until the last answer and until the whole page."""
    last = sorted(taken for taken, _ in found)
    return {
        "last_s": statistics.median(last),
        "last_p95_s": last[min(len(last) - 1, round(0.95 * len(last)))],
        "whole_s": statistics.median(whole for _, whole in found),
    }


def keep(folder: Path, turns: int) -> str:
    """Return the id of a conversation of so many turns, kept in *folder*."""
    database = open_database(folder)
    conversations = Conversations(database)
    conversation = conversations.create(LOCAL_PERSON, "en")
    for number in range(turns):
        conversations.add_turn(conversation, LOCAL_PERSON, new_turn(turn(f"{conversation}-{number}", number, turns)))
    database.close()
    return conversation


def turn(id_: str, number: int, turns: int) -> Turn:
    """Return a turn as an answer from documents leaves it; the last one has a mark in it."""
    said = [sentence.format(n=100 + number) for sentence in _SENTENCES]
    passages = [
        Passage(f"p-{number}-{each}", f"list-{each}.md", " ".join(said * 2), heading="Velda > In short", language="en")
        for each in range(8)
    ]
    citations = tuple(
        Citation(place + 1, passage.document, said[place], passage.id, passage.heading)
        for place, passage in enumerate(passages[:2])
    )
    end = mark(turns) if number == turns - 1 else ""
    answer = Answer(f"{said[0]} [1] {said[1]} [2] {' '.join(said[2:])} {end}".strip(), True, citations, "extraction")
    question = f"And what about the Velda {100 + number}?"
    resolution = Resolution(question, question, "unchanged", language="en")
    hits = tuple(Hit(passage, 1.0) for passage in passages)
    return Turn(id_, number, question, "en", resolution, answer=answer, hits=hits)


def mark(turns: int) -> str:
    """Return the words that the last answer of a conversation ends with."""
    return f"This is the last of {turns} answers."


def load(browser: Browser, address: str, turns: int) -> tuple[float, float]:
    """Return the seconds until the last answer is shown, and until the page is drawn, with nothing in a cache."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    began = time.perf_counter()
    page.goto(address, wait_until="commit")
    page.get_by_text(mark(turns)).wait_for(timeout=120_000)
    last = time.perf_counter() - began
    page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]').wait_for(timeout=120_000)
    whole = time.perf_counter() - began
    context.close()
    return last, whole


if __name__ == "__main__":
    sys.exit(main())

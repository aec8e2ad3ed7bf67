"""The lexical index at 1,000, 10,000 and 100,000 passages: how long it takes to make and to ask, how much it holds.

usage: python -m benchmarks.lexical_scale [--sizes 1000 10000 100000] [--queries 200]

Passages are made of words drawn as a text draws them (few often, most seldom), 100 to a passage, in each language;
questions are 6 such words.  Prints seconds of the processor to make an
index and to make it anew with one document changed (ten passages), milliseconds of it to ask at the median and the
99th percentile, megabytes more in the process; ends with 1 where a figure is above its bound in ``floors.toml``.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import sys
import time
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from benchmarks.scoring import Benchmark, find_below, read_floors, table
from languages import codes
from languages.text import words
from rag.shelf.lexical import LexicalIndex

DEMO = Path(__file__).resolve().parents[1] / "data" / "demo"
LENGTH = 100  # words of a passage
ASKED = 6  # words of a question
SHOWN = ("make_s", "add_s", "p50_ms", "p99_ms", "added_mb")


@lru_cache
def vocabulary(code: str) -> tuple[tuple[str, ...], np.ndarray]:
    """Return the words of a language's demonstration documents, and how often each is drawn, summed up.

    Behind them stand 20,000 words with a number, so that the index has as many words as a real one.
    """
    text = " ".join(path.read_text(encoding="utf-8") for path in sorted((DEMO / code).glob("*.md")))
    known = sorted({token.text for token in words(text)})
    random.Random(code).shuffle(known)
    every = (*known, *(f"{known[number % len(known)]}{number}" for number in range(20_000)))
    shares = 1.0 / np.arange(1, len(every) + 1)
    return every, np.cumsum(shares / shares.sum())


def draw(code: str, count: int, length: int, seed: int) -> list[str]:
    """Return *count* texts of *length* words."""
    every, shares = vocabulary(code)
    places = np.searchsorted(shares, np.random.default_rng(seed).random((count, length)))
    return [" ".join(every[min(place, len(every) - 1)] for place in row) for row in places]


def resident() -> float:
    """Return the megabytes that this process holds now."""
    with Path("/proc/self/statm").open(encoding="ascii") as read:
        return int(read.read().split()[1]) * resource.getpagesize() / 1e6


def measure(code: str, size: int, queries: int) -> dict[str, float]:
    """Return the figures of an index of *size* passages in one language."""
    texts = draw(code, size, LENGTH, 1)
    ids = [f"{number // 10:032x}.{number % 10}" for number in range(size)]
    before, start = resident(), time.process_time()
    index = LexicalIndex(ids, texts, code)
    index.search(texts[0][:40], 40)
    made = time.process_time() - start
    held = resident() - before
    start = time.process_time()
    new = [f"{'f' * 32}.{number}" for number in range(10)]
    again = index.changed([*ids[10:], *new], lambda missing: draw(code, len(missing), LENGTH, 3))
    again.search(texts[0][:40], 40)
    added = time.process_time() - start
    times = []
    for question in draw(code, queries, ASKED, 2):
        start = time.process_time()
        again.search(question, 40)
        times.append(1000 * (time.process_time() - start))
    return {
        "make_s": made,
        "add_s": added,
        "p50_ms": float(np.percentile(times, 50)),
        "p99_ms": float(np.percentile(times, 99)),
        "added_mb": held,
    }


def main() -> int:
    """Measure, print the table, return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--only", choices=codes(), help="one language")
    given = parser.parse_args()
    languages: Sequence[str] = (given.only,) if given.only else codes()
    figures = {f"{code} {size}": measure(code, size, given.queries) for code in languages for size in given.sizes}
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(table(Benchmark("lexical", "", "", "", SHOWN), figures))
    below = find_below(figures, read_floors("lexical"))
    for line in below:
        print(line, file=sys.stderr)
    return 1 if below else 0


if __name__ == "__main__":
    sys.exit(main())

"""How long reference resolution takes: rules on one core, the encoder's pass on two, with 10,000 names known.

usage: python -m benchmarks.time_resolution [--names 10000] [--conversations 8] [--no-encoder]

The names are invented from a seed, the conversations are those of ``timing.toml`` with such names in them, in each
language; a shorter one is the end of a longer one.  After 2, 10, 40 and 100 turns each question is resolved once, every
number of turns in its turn, so that a slow second of the machine falls on all of them.  "rules" is the time of
``resolve`` with the analysis of the question, "rules beside the encoder" the same less the encoder's pass, "observing"
what a message costs when it enters the discourse.  "growth" is the median after 100 turns over that after 2,
"growth_10" over that after 10, when the bounded discourse is all but full.  Ends with 1 where a figure is on the wrong
side of its floor in ``floors.toml``; on a busy machine milliseconds say little, and the ratios more.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import statistics
import sys
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

from benchmarks.scoring import Benchmark, find_below, read_floors, table
from memory import Attribute, Discourse, Name, NameIndex, Reading, Scorer, observe, resolve
from memory.types import Role

SEED = 7
TURNS = (2, 10, 40, 100)
SHOWN = ("p50_ms", "p95_ms", "growth", "growth_10")
SAID = Path(__file__).with_name("timing.toml")
CORES = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_setaffinity") else []  # that this process may use
KINDS = {"laptop": "Notebook", "phone": "Telefon", "camera": "Kamera", "printer": "Drucker", "monitor": "Monitor"}
VARIANTS = ("", "", "", " Pro", " Lite", " Plus")
SOUNDS = ("bra dor fen gal hur kel lim mor nov per quin ros sel tan vel".split(), "da ka lo mi na ro ta vi".split())


@dataclass(slots=True)
class Timed:
    """A scorer that keeps the seconds of its last pass."""

    scorer: Scorer
    seconds: float = 0.0

    def read(self, question: str, history: tuple[tuple[Role, str], ...]) -> Reading | None:
        """Return what the scorer reads."""
        began = time.perf_counter()
        found = self.scorer.read(question, history)
        self.seconds = time.perf_counter() - began
        return found


@dataclass(slots=True)
class Talk:
    """A conversation: its discourse after each number of turns, and what is asked then."""

    language: str
    discourses: dict[int, Discourse] = field(default_factory=dict)
    questions: list[str] = field(default_factory=list)


def main() -> int:
    """Measure, print the table, return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--names", type=int, default=10_000)
    parser.add_argument("--conversations", type=int, default=8, help="a language")
    parser.add_argument("--no-encoder", action="store_true", help="the rules alone")
    given = parser.parse_args()
    pin(1)
    chance = random.Random(SEED)
    before, began = resident(), time.perf_counter()
    names = invent_names(given.names, chance)
    catalog = NameIndex.of(names)
    built, after = time.perf_counter() - began, resident()
    observed: list[float] = []
    talks = list(talk_all(names, catalog, given.conversations, chance, observed))
    for question, discourse, language in asked(talks[:: given.conversations], TURNS[:1]):
        resolve(question, discourse, catalog=catalog, language=language)  # lexicons and grammars are read once
    spent: dict[str, dict[int, list[float]]] = {"rules": time_rules(talks, catalog)}
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; {len(catalog.names)} names")
    print(f"index of the names: {built:.2f} s, {after - before:.0f} MiB; process {resident():.0f} MiB")
    sizes = [statistics.fmean(len(talk.discourses[turns].to_json()) for talk in talks) / 1000 for turns in TURNS]
    print(f"discourse after {TURNS} turns: {', '.join(f'{size:.1f}' for size in sizes)} kB as JSON")
    if not given.no_encoder:
        pin(2)
        spent |= time_encoder(
            talks[::3], catalog
        )  # some, of each language and end: a pass takes as long as 20 questions
        print(f"with the encoder: process {resident():.0f} MiB, load {os.getloadavg()[0]:.1f}")
    figures = {**as_figures(spent), "observing": quantiles(observed)}
    print(table(Benchmark("time", "", "", "", SHOWN), figures))
    floors = {key: floor for key, floor in read_floors("time").items() if key.lstrip("<").split("/")[0] in figures}
    below = find_below(figures, floors)
    for line in below:
        print(line, file=sys.stderr)
    return 1 if below else 0


def pin(cores: int) -> None:
    """Let this process run on that many cores and torch, once it is loaded, on as many threads."""
    if CORES:
        os.sched_setaffinity(0, CORES[:cores])
    os.environ["OMP_NUM_THREADS"] = str(cores)
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(cores)


def resident() -> float:
    """Return the memory of this process in MiB; at its highest where the system does not say how much it is now."""
    now = Path("/proc/self/statm")
    if now.exists():
        return int(now.read_text(encoding="ascii").split()[1]) * resource.getpagesize() / 2**20
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10


def invent_names(count: int, chance: random.Random) -> list[Name]:
    """Return that many names: nine of ten things in series of siblings, with a price, the others people."""
    first, last = SOUNDS
    makers = ["".join(parts).title() for parts in product(first, last, ("ra", "is"))]
    series = ["".join(parts).title() for parts in product(first, last)]
    kinds = list(KINDS.items())
    people = (
        (f"{given} {maker}mann", "PERSON") for given, maker in product(("Clara", "Nora", "Inès", "Salma"), makers)
    )
    things = (
        (f"{maker} {line} {number}{variant}", "PRODUCT")
        for maker, line in product(makers, chance.sample(series, 12))
        for number, variant in zip(chance.sample(range(2, 99), 6), chance.sample(VARIANTS, 6), strict=True)
    )
    found = [*(next(people) for _ in range(min(count // 10, 4 * len(makers)))), *things]
    names = []
    for text, kind in found[:count]:
        nouns = kinds[chance.randrange(len(kinds))] if kind == "PRODUCT" else ()
        facts = (Attribute("price", f"€{chance.randrange(90, 2000)}"),) if kind == "PRODUCT" else ()
        names.append(Name(text, kind, (), facts, nouns))
    return names


def talk_all(
    names: Sequence[Name], catalog: NameIndex, count: int, chance: random.Random, observed: list[float]
) -> Iterator[Talk]:
    """Yield that many conversations a language; *observed* gets the milliseconds of each message."""
    people = [name.name for name in names if name.type == "PERSON"]
    things = [name.name for name in names if name.type != "PERSON"]
    for language, said in tomllib.loads(SAID.read_text(encoding="utf-8")).items():
        words = Words(people, things, said["words"], chance)
        for number in range(count):
            yield talk(language, said, catalog, words, number, observed)


@dataclass(frozen=True, slots=True)
class Words:
    """What stands in the gaps of a conversation."""

    people: Sequence[str]
    things: Sequence[str]
    words: Sequence[str]
    chance: random.Random

    def fill(self, text: str, things: Mapping[str, str]) -> str:
        """Return *text* with its gaps filled."""
        other = {"n": str(self.chance.randrange(100, 990)), "w": self.chance.choice(self.words)}
        return text.format(**things, **other, p=self.chance.choice(self.people))

    def draw(self) -> dict[str, str]:
        """Return three things."""
        return dict(zip("abc", self.chance.sample(self.things, 3), strict=True))


def talk(
    language: str, said: Mapping[str, Any], catalog: NameIndex, words: Words, first: int, observed: list[float]
) -> Talk:
    """Return a conversation that begins with the turn *first* of the circle.

    A shorter one is the end of the longest, so that what is asked about stands at the same place in each.
    """
    things, script = words.draw(), []
    for turn in range(first, first + max(TURNS)):
        place = turn % len(said["turns"])
        things = words.draw() if place == 0 else things
        question, answer = said["turns"][place]
        script.append((words.fill(question, things), words.fill(answer, things)))
    questions = [words.fill(text, words.draw()) for text in said["questions"]]
    found = Talk(language, questions=questions)
    for turns in TURNS:
        found.discourses[turns] = listen(script[-turns:], language, catalog, observed)
    return found


def listen(script: Sequence[tuple[str, str]], language: str, catalog: NameIndex, observed: list[float]) -> Discourse:
    """Return the discourse after all turns of *script*."""
    discourse = Discourse()
    for question, answer in script:
        asked = resolve(question, discourse, catalog=catalog, language=language).standalone
        said: tuple[tuple[Role, str, str], ...] = (("user", question, asked), ("assistant", answer, ""))
        for role, text, meant in said:
            began = time.perf_counter()
            discourse = observe(discourse, role, text, language=language, catalogs=(catalog,), asked=meant)
            observed.append((time.perf_counter() - began) * 1000)
    return discourse


def asked(talks: Sequence[Talk], lengths: Sequence[int]) -> Iterator[tuple[str, Discourse, str]]:
    """Yield each question after each number of turns, the numbers changing fastest."""
    for one in talks:
        for question, turns in product(one.questions, lengths):
            yield question, one.discourses[turns], one.language


def time_rules(talks: Sequence[Talk], catalog: NameIndex) -> dict[int, list[float]]:
    """Return the milliseconds of each question, by number of turns, without a scorer."""
    spent: dict[int, list[float]] = {turns: [] for turns in TURNS}
    for number, (question, discourse, language) in enumerate(asked(talks, TURNS)):
        began = time.perf_counter()
        resolve(question, discourse, catalog=catalog, language=language)
        spent[TURNS[number % len(TURNS)]].append((time.perf_counter() - began) * 1000)
    return spent


def time_encoder(talks: Sequence[Talk], catalog: NameIndex) -> dict[str, dict[int, list[float]]]:
    """Return the milliseconds of the encoder's pass and those of the rules beside it, by number of turns."""
    from benchmarks.compare_baselines import open_scorer

    scorer = open_scorer()
    if scorer is None:
        raise SystemExit("time: the embedding model has no scorer; run with --no-encoder")
    timed = Timed(scorer)
    rules: dict[int, list[float]] = {turns: [] for turns in TURNS}
    passes: dict[int, list[float]] = {turns: [] for turns in TURNS}
    for number, (question, discourse, language) in enumerate(asked(talks, TURNS)):
        began = time.perf_counter()
        resolve(question, discourse, catalog=catalog, language=language, scorer=timed)
        whole = time.perf_counter() - began
        turns = TURNS[number % len(TURNS)]
        passes[turns].append(timed.seconds * 1000)
        rules[turns].append((whole - timed.seconds) * 1000)
    return {"rules beside the encoder": rules, "encoder": passes}


def as_figures(spent: Mapping[str, Mapping[int, Sequence[float]]]) -> dict[str, dict[str, float]]:
    """Return the rows: each part after each number of turns, then over all of them with its growth."""
    rows: dict[str, dict[str, float]] = {}
    for part, by_turns in spent.items():
        medians = {turns: statistics.median(times) for turns, times in by_turns.items()}
        rows |= {f"{part}, {turns} turns": quantiles(times) for turns, times in by_turns.items()}
        longest, shortest, settled = medians[TURNS[-1]], medians[TURNS[0]], medians[TURNS[1]]
        whole = quantiles([time for times in by_turns.values() for time in times])
        rows[part] = {**whole, "growth": longest / shortest, "growth_10": longest / settled}
    return rows


def quantiles(times: Sequence[float]) -> dict[str, float]:
    """Return median and 95th percentile.

    >>> quantiles([float(n) for n in range(1, 101)])
    {'p50_ms': 50.5, 'p95_ms': 95.0}
    """
    return {"p50_ms": statistics.median(times), "p95_ms": sorted(times)[int(0.95 * (len(times) - 1))]}


if __name__ == "__main__":
    sys.exit(main())

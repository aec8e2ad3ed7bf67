"""What remembering costs a turn: reading and writing by rules, from an empty memory to a large one.

    python -m benchmarks.memory_turn [--turns 10000] [--entities 100000] [--beside-langchain]

For each size the memory is filled, then turns are timed: ``read`` looks up what a prompt is told, ``write`` keeps a
message with three names, two facts and a relation, and an answer's names, within a transaction whose commit is not in
the figure (the turn commits anyway).  ``tokens`` is about how much a prompt is told.  ``growth`` is the last median
over the first.  With ``--beside-langchain`` the same conversation goes through langchain-classic's
ConversationEntityMemory over a scripted model that takes 300 ms a call.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memory import Heard
from memory.memory import EntityMemory, MemoryContext, Said
from memory.store.conversations import keep_person, utc_now
from memory.store.database import Database, open_database
from memory.store.entities import Named

FLOORS = Path(__file__).parent / "floors.toml"
PERSON = "someone"
TIMED = 200
FILLED_AT_ONCE = 500  # turns a transaction, while filling
MODEL_S = 0.3


@dataclass(frozen=True, slots=True)
class Figures:
    size: int
    read: tuple[float, float]
    write: tuple[float, float]
    turn: tuple[float, float]
    tokens: float


def said_in(number: int, things: int) -> tuple[Said, Said]:
    """Return what the person's and the assistant's message of turn *number* bring, about *things* things in all."""
    names = [f"Brevik Tern {(number * 3 + step) % things}" for step in range(3)]
    named = tuple(Named(name, "PRODUCT", "user", name, f"The {name} is number {number}.", ("n", "s")) for name in names)
    heard = (
        Heard("", "budget", f"{number} €", 0, 0, amount=float(number), unit="EUR"),
        Heard(names[0], "price", f"{number % 7} €", 0, 0),
    )
    asked = Said("c", f"t{number}", named, heard, ((names[0], "COMPARES_TO", names[1]),))
    answer = Named(names[2], "PRODUCT", "assistant", names[2], f"The {names[2]} weighs {number} g.")
    return asked, Said("c", f"t{number}", (answer,))


def fill(memory: EntityMemory, database: Database, turns: range, things: int) -> None:
    """Let *turns* happen, many a transaction."""
    with database.write() as connection:
        keep_person(connection, PERSON, now=utc_now())
    for start in range(turns.start, turns.stop, FILLED_AT_ONCE):
        with database.write() as connection:
            for number in range(start, min(start + FILLED_AT_ONCE, turns.stop)):
                for said in said_in(number, things):
                    memory.remember(PERSON, said, connection)


def timed(memory: EntityMemory, database: Database, first: int, things: int, size: int) -> Figures:
    """Return the milliseconds of ``TIMED`` turns, median and 95th percentile."""
    reads, writes, tokens = [], [], []
    for number in range(first, first + TIMED):
        asked, answer = said_in(number, things)
        began = time.perf_counter()
        context = memory.context_for(f"Is the {asked.named[0].name} as loud as the {asked.named[1].name}?",
                                     person=PERSON, heard=asked.heard)  # fmt: skip
        reads.append((time.perf_counter() - began) * 1000)
        tokens.append(tokens_of(context))
        with database.write() as connection:
            began = time.perf_counter()
            memory.remember(PERSON, asked, connection)
            memory.remember(PERSON, answer, connection)
            writes.append((time.perf_counter() - began) * 1000)
    turns = [read + write for read, write in zip(reads, writes, strict=True)]
    return Figures(size, spread(reads), spread(writes), spread(turns), statistics.mean(tokens))


def spread(times: list[float]) -> tuple[float, float]:
    """Return the median and the 95th percentile."""
    return statistics.median(times), sorted(times)[int(len(times) * 0.95)]


def tokens_of(context: MemoryContext) -> float:
    texts = [f"{fact.key}: {fact.value}" for fact in context.profile]
    for entity in context.entities:
        texts += [entity.name, *(f"{fact.key}: {fact.value}" for fact in entity.facts), *entity.snippets]
    return len("\n".join(texts)) / 3


def over(sizes: list[int], grow: Callable[[EntityMemory, Database, int, int], int]) -> Iterator[Figures]:
    """Yield the figures at each of *sizes*; *grow* brings the memory there and returns how many things there are."""
    with tempfile.TemporaryDirectory(prefix="referent-") as place:
        database = open_database(Path(place))
        memory = EntityMemory(database)
        before = first = 0
        for size in sizes:
            things = grow(memory, database, before, size)
            before = size
            timed(memory, database, 10_000_000 + first, things, size)  # once unseen: caches
            first += TIMED
            yield timed(memory, database, 10_000_000 + first, things, size)
            first += TIMED
        database.close()


def by_turns(memory: EntityMemory, database: Database, before: int, size: int) -> int:
    fill(memory, database, range(before, size), 30)
    return 30


def by_entities(memory: EntityMemory, database: Database, before: int, size: int) -> int:
    fill(memory, database, range(0), 1)
    for start in range(before, size, 5000):
        named = [Named(f"Brevik Tern {number}", "PRODUCT") for number in range(start, min(start + 5000, size))]
        with database.write() as connection:
            for place in range(0, len(named), 50):
                memory.remember(PERSON, Said("c", f"f{start + place}", tuple(named[place : place + 50])), connection)
    return size


def beside_langchain(turns: int = 5) -> None:
    """Print what langchain-classic's entity memory costs for the same turns, with a model of 300 ms a call."""
    from langchain_classic.memory import ConversationEntityMemory
    from langchain_core.language_models.fake_chat_models import GenericFakeChatModel  # noqa: F401 - says if it is there
    from langchain_core.language_models.llms import LLM

    class Scripted(LLM):
        calls: int = 0
        read: int = 0

        @property
        def _llm_type(self) -> str:
            return "scripted"

        def _call(self, prompt: str, *_given: Any, **_named: Any) -> str:
            self.calls += 1
            self.read += len(prompt) // 3
            time.sleep(MODEL_S)
            return "Brevik Tern 0, Brevik Tern 1, Brevik Tern 2" if "comma" in prompt else "It is loud."

    model = Scripted()
    memory = ConversationEntityMemory(llm=model)
    began = time.perf_counter()
    for number in range(turns):
        asked, answer = said_in(number, 3)
        text = " ".join(named.sentence for named in asked.named)
        memory.load_memory_variables({"input": text})
        memory.save_context({"input": text}, {"output": answer.named[0].sentence})
    seconds = (time.perf_counter() - began) / turns
    print("\n| memory | model calls a turn | tokens a turn | seconds a turn |")
    print("|---|---|---|---|")
    print(f"| langchain-classic | {model.calls / turns:.1f} | {model.read / turns:.0f} | {seconds:.3f} |")
    (ours,) = over([turns], by_turns)
    print(f"| ours, by rules | 0 | 0 | {ours.turn[0] / 1000:.4f} |")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=10_000)
    parser.add_argument("--entities", type=int, default=100_000)
    parser.add_argument("--beside-langchain", action="store_true")
    given = parser.parse_args()
    floors = tomllib.loads(FLOORS.read_text(encoding="utf-8")).get("memory_turn", {})
    found: dict[str, float] = {}
    print("| filled with | size | read p50 · p95 ms | write p50 · p95 ms | turn p50 · p95 ms | tokens |")
    print("|---|---|---|---|---|---|")
    for name, most, grow in (("turns", given.turns, by_turns), ("entities", given.entities, by_entities)):
        sizes = [size for size in (10, 100, 1000, 10_000, 100_000) if size <= most]
        figures = []
        for each in over(sizes, grow):
            columns = " | ".join(f"{p50:.2f} · {p95:.2f}" for p50, p95 in (each.read, each.write, each.turn))
            print(f"| {name} | {each.size} | {columns} | {each.tokens:.0f} |", flush=True)
            figures.append(each)
        found[f"{name}_p50_ms"] = max(each.turn[0] for each in figures)
        found[f"{name}_growth"] = figures[-1].turn[0] / figures[0].turn[0]
        found[f"{name}_tokens_growth"] = figures[-1].tokens / figures[0].tokens
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    for name, value in found.items():
        print(f"{name}: {value:.3f}")
    if given.beside_langchain:
        beside_langchain()
    above = [f"{name}: {found[name]:.3f}, at most {most}" for name, most in floors.items() if found[name] > most]
    for line in above:
        print("above its ceiling:", line)
    return 1 if above else 0


if __name__ == "__main__":
    sys.exit(main())

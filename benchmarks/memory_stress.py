"""Many processes that write turns of the same and of different people, killed at random points and begun again.

    python -m benchmarks.memory_stress [--processes 8] [--turns 200] [--kills 10] [--seed 1]

Each process writes turns with a fact and an entity of its own to one shared person and to one that is its own, and
prints each turn's number once it is confirmed.  Meanwhile some are killed and begun again where they had come to, and a
person is forgotten again and again.  At the end: every confirmed turn is there once, with its fact and its entity; no
person has anything of another; of the forgotten one no byte is left.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from memory import Heard
from memory.errors import ConversationNotFound
from memory.memory import EntityMemory, Said
from memory.store import people
from memory.store.conversations import Conversations, conversation_id
from memory.store.database import open_database

ROOT = Path(__file__).resolve().parents[1]
SHARED = "shared-person"
CANARY = "Nachtpfauenauge"

WRITES = """
import sys
from functools import partial
from memory import Heard
from memory.memory import EntityMemory, Said
from memory.store.entities import Named
from memory.store.conversations import Conversations, NewTurn, conversation_id
from memory.store.database import open_database
folder, who, first, last = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
database = open_database(folder, waiting_s=600)  # who waits long on a busy machine loses nothing
kept, memory = Conversations(database), EntityMemory(database)
for number in range(first, last):
    for person in ("shared-person", who):
        conversation = kept.create(person, "en", conversation=conversation_id(person, who))
        turn = NewTurn(f"{person}-{who}-{number}", f"{who} {number}", "en")
        named = (Named(f"Thing {who} {number}", "PRODUCT", sentence=f"Thing {who} {number} of {person}."),)
        likes = Heard("", "likes", f"value {who} {number}", 0, 0, "adds")
        heard = (likes, Heard("", f"count_{who}", str(number), 0, 0))
        said = Said(conversation, turn.id, named, heard)
        kept.add_turn(conversation, person, turn, partial(memory.remember, person, said))
    print(number, flush=True)
"""


@dataclass
class Writer:
    """A process that is begun again where it was killed; ``confirmed`` is how many turns it said were kept."""

    folder: Path
    who: str
    turns: int
    confirmed: int = 0
    process: subprocess.Popen[str] | None = None
    reader: threading.Thread | None = None
    failed: list[str] = field(default_factory=list)

    def begin(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", WRITES, str(self.folder), self.who, str(self.confirmed), str(self.turns)],
            env=os.environ | {"PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        self.reader = threading.Thread(target=self._read, args=(self.process,))
        self.reader.start()

    def kill(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
        self.join()

    def join(self) -> None:
        if self.process is not None and self.reader is not None:
            self.process.wait()
            self.reader.join()

    def _read(self, process: subprocess.Popen[str]) -> None:
        for line in process.stdout or ():
            self.confirmed = int(line) + 1
        errors = process.stderr.read() if process.stderr else ""
        if process.wait() > 0:
            self.failed.append(errors)


def run(folder: Path, *, processes: int, turns: int, kills: int, seed: int) -> list[str]:
    """Return what is wrong after the run, a sentence each; nothing where all is well."""
    chance = random.Random(seed)
    open_database(folder).close()
    writers = [Writer(folder, f"w{number}", turns) for number in range(processes)]
    for writer in writers:
        writer.begin()
    database = open_database(folder, waiting_s=600)
    memory = EntityMemory(database)
    for _ in range(kills):
        time.sleep(chance.uniform(0.2, 1.0))
        victim = chance.choice(writers)
        victim.kill()
        memory.remember("forgotten", Said("c", "t", heard=(Heard("", "name", CANARY, 0, 0),)))
        with database.write() as connection:
            people.erase(connection, "forgotten")
        victim.begin()
    for writer in writers:
        writer.join()
    problems = [f"{writer.who} failed: {error}" for writer in writers for error in writer.failed]
    kept = Conversations(database)
    for writer in writers:
        problems += check(memory, kept, writer)
    people.scrub(database)
    database.close()
    if any(CANARY.encode() in path.read_bytes() for path in folder.rglob("*") if path.is_file()):
        problems.append("a byte of the forgotten person is left")
    return problems


def check(memory: EntityMemory, kept: Conversations, writer: Writer) -> list[str]:
    """Return what is missing, doubled or mixed of a writer's turns."""
    problems = []
    numbers = list(range(writer.turns))
    if writer.confirmed != writer.turns:
        problems.append(f"{writer.who} confirmed {writer.confirmed} of {writer.turns}")
    for person in (SHARED, writer.who):
        try:
            turns = kept.turns(conversation_id(person, writer.who), person)
        except ConversationNotFound:  # whoever failed before their first turn
            turns = ()
        if [turn.question for turn in turns] != [f"{writer.who} {number}" for number in numbers]:
            problems.append(f"{person}: {len(turns)} turns of {writer.who}")
        history = memory.history(person, "")
        values = [fact.value for fact in history if fact.value.startswith(f"value {writer.who} ")]
        if sorted(values) != sorted(f"value {writer.who} {number}" for number in numbers):
            problems.append(f"{person}: {len(values)} facts of {writer.who}")
        current = [fact.value for fact in history if fact.key == f"count_{writer.who}" and fact.retired_at is None]
        if current != [str(numbers[-1])]:
            problems.append(f"{person}: {writer.who} counts {current}")
        things = {e.name: e.mentions for e in memory.entities(person) if e.name.startswith(f"Thing {writer.who} ")}
        if things != {f"Thing {writer.who} {number}": 1 for number in numbers}:
            problems.append(f"{person}: {len(things)} things of {writer.who}")
    foreign = [e.name for e in memory.entities(writer.who) if not e.name.startswith(f"Thing {writer.who} ")]
    return problems + [f"{writer.who} has {name} of another" for name in foreign]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--processes", type=int, default=8)
    parser.add_argument("--turns", type=int, default=200)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="referent-") as place:
        problems = run(
            Path(place) / "data", processes=given.processes, turns=given.turns, kills=given.kills, seed=given.seed
        )
    for problem in problems:
        print(problem)
    print(f"{given.processes} processes, {given.turns} turns each for two people, {given.kills} kills: "
          f"{len(problems)} problems, {time.monotonic() - began:.0f} s")  # fmt: skip
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

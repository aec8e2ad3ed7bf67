"""Thirty people at once at one server: each signed in, with a document and facts of their own, over real connections.

usage: python -m benchmarks.thirty_people [--people 30] [--rounds 2] [--seed 1]

The page is served as ``referent app`` serves it, answers are quoted from the documents (no chat model), the embedding
model is the bundled one.  Each person has one document that nobody else sees, about a product with a price and a
weight, and says an order number.  In each round they open the page anew, all at once, and ask for the three; a round
later their conversation goes on.  Every byte that the server sends to somebody is searched for what
belongs to the others; every answer that is kept is looked up for what it has to say.

Prints how long a question took (from sending it until the page is drawn), what failed, crossed or was wrong, and the
memory of the server: at rest, at most, and how much it grew from the first round to the last.  Ends with 1 where a
figure is on the wrong side of ``floors.toml``.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from benchmarks.scoring import Benchmark, Figures, find_below, read_floors, table
from benchmarks.served import free_port, resident, serving
from benchmarks.visitors import PageFailed, Visitor, cookies_of
from memory.store.conversations import Conversations, person_id
from rag.build import application
from rag.settings import Settings
from rag.shelf.owners import Owner
from rag.turns import turn_of

ISSUER: Final = "https://id.example"
SEAL: Final = "what the cookies of this benchmark are sealed with"
SHOWN: Final = ("questions", "p50_s", "p95_s", "failed", "crossed", "wrong", "rest_mib", "most_mib", "growth_mib")
_SYLLABLES: Final = "bal cor dun fen gar hol kir lam mor nel pol rin sav tor vel wex".split()


@dataclass
class Person:
    """One of them: what is theirs, and what happened to them."""

    number: int
    product: str
    price: str
    weight: str
    order: str
    times: list[float] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    sent: list[bytes] = field(default_factory=list)
    query: str = ""

    @property
    def subject(self) -> str:
        """Return what the provider calls them."""
        return f"person-{self.number}"

    @property
    def own(self) -> tuple[str, ...]:
        """Return what nobody else may see."""
        return self.product, self.price, self.weight, self.order

    def document(self) -> str:
        """Return the text of their document."""
        return (
            f"# {self.product}\n\nThe {self.product} costs {self.price} euros. "
            f"The {self.product} weighs {self.weight} grams.\n"
        )


def invent(count: int, seed: int) -> list[Person]:
    """Return so many people; no value of one is a part of another's, or of the numbers that a page has in it anyway."""
    chance = random.Random(seed)
    figures = iter(chance.sample(range(1_000_000, 9_999_999), 3 * count))
    names = [f"{a}{b}".capitalize() for a in _SYLLABLES for b in _SYLLABLES if a != b]
    return [
        Person(
            number,
            f"{name} {number + 100}",
            price=f"{next(figures) / 100:.2f}",
            weight=f"{next(figures) / 100:.2f}",
            order=f"{next(figures)}-{chance.randrange(10, 99)}",
        )
        for number, name in enumerate(chance.sample(names, count))
    ]


def prepare(folder: Path, people: list[Person]) -> None:
    """Put each person's document on their own shelf."""
    opened = application(Settings(data_dir=folder, shelves=("shared",)))
    try:
        for person in people:
            place = folder / "own" / person.subject / "product.md"
            place.parent.mkdir(parents=True)
            place.write_text(person.document(), encoding="utf-8")
            owner = Owner("person", person_id(ISSUER, person.subject))
            outcomes = [outcome.status for outcome in opened.library.ingest([place], owner)]
            assert outcomes == ["added"], outcomes
    finally:
        opened.close()


def settings_of(address: str) -> dict[str, str]:
    """Return the settings of a server at *address* to which people have signed in: nobody does so anew."""
    return {
        "REFERENT_SHELVES": "shared",
        "REFERENT_PUBLIC_URL": address,
        "REFERENT_OIDC_METADATA_URL": "http://127.0.0.1:9/none",
        "REFERENT_OIDC_CLIENT_ID": "referent",
        "REFERENT_OIDC_CLIENT_SECRET": "none",
        "REFERENT_COOKIE_SECRET": SEAL,
    }


class Watch:
    """The most memory that a process has had, looked at twice a second."""

    def __init__(self, process: int) -> None:
        self.most = 0.0
        self._process = process
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look)

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._over.wait(0.5):
            self.most = max(self.most, resident(self._process))


def talk(person: Person, address: str, first: bool, together: threading.Barrier) -> None:
    """Open the page as *person* and ask; all begin together."""
    cookies, token = cookies_of(person.subject, address=address, seal=SEAL, issuer=ISSUER)
    questions = [f"My order number is {person.order}."] if first else []
    questions += [f"How much does the {person.product} cost?", "How much does it weigh?", "What is my order number?"]
    together.wait()
    try:
        with Visitor(address, cookies, token, query=person.query) as visitor:
            try:
                for question in questions:
                    began = time.perf_counter()
                    visitor.ask(question)
                    person.times.append(time.perf_counter() - began)
            finally:
                person.query = visitor.query
                person.sent += visitor.frames
    except (PageFailed, OSError, TimeoutError) as error:
        person.failed.append(f"{person.subject}: {type(error).__name__}: {error}")


def crossed(people: list[Person]) -> list[str]:
    """Return what somebody was sent of another's."""
    found = []
    for person in people:
        sent = b"\0".join(person.sent)
        found += [
            f"{person.subject} was sent {value} of {other.subject}"
            for other in people
            if other is not person
            for value in other.own
            if value.encode() in sent
        ]
    return found


def wrong(folder: Path, people: list[Person], rounds: int) -> list[str]:
    """Return the answers that are not there or lack what they have to say."""
    settings = Settings(data_dir=folder, shelves=("shared",))
    opened = application(settings)
    found = []
    try:
        for person in people:
            answers = answers_of(opened.conversations, person_id(ISSUER, person.subject))
            expected = [("", ""), *((q, v) for _ in range(rounds) for q, v in asked_of(person))]
            if len(answers) != len(expected):
                found.append(f"{person.subject}: {len(answers)} turns; expected {len(expected)}")
            found += [
                f"{person.subject}: {question!r} was answered {answer!r}; expected {value}"
                for (question, answer), (_, value) in zip(answers, expected, strict=False)
                if value not in answer
            ]
    finally:
        opened.close()
    return found


def asked_of(person: Person) -> list[tuple[str, str]]:
    return [("price", person.price), ("weight", person.weight), ("order", person.order)]


def answers_of(conversations: Conversations, person: str) -> list[tuple[str, str]]:
    """Return the questions of a person, oldest first, each with its answer."""
    turns = [
        turn_of(stored)
        for conversation in reversed(conversations.list(person))
        for stored in conversations.turns(conversation.id, person)
    ]
    return [(turn.question, turn.answer.text if turn.answer else "") for turn in turns]


def run(folder: Path, people: list[Person], rounds: int) -> tuple[Figures, list[str]]:
    """Return the figures of a run, and what went wrong in it, a sentence each."""
    prepare(folder, people)
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    with serving(folder, port, settings_of(address)) as process:
        warm(address)
        rest, after = resident(process), []
        with Watch(process) as watch:
            for number in range(rounds):
                together = threading.Barrier(len(people))
                threads = [
                    threading.Thread(target=talk, args=(person, address, number == 0, together)) for person in people
                ]
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join()
                time.sleep(1)
                after.append(resident(process))
    failed = [each for person in people for each in person.failed]
    mixed, bad = crossed(people), wrong(folder, people, rounds)
    times = sorted(taken for person in people for taken in person.times) or [float("nan")] * 2
    figures = {
        "people": {
            "questions": float(len(times)),
            "p50_s": statistics.median(times),
            "p95_s": times[min(len(times) - 1, round(0.95 * len(times)))],
            "failed": float(len(failed)),
            "crossed": float(len(mixed)),
            "wrong": float(len(bad)),
            "rest_mib": rest,
            "most_mib": max(watch.most, *after),
            "growth_mib": after[-1] - after[0],
        }
    }
    return figures, [*failed, *mixed, *bad]


def warm(address: str) -> None:
    """Ask once as somebody else: what is loaded for the first question is no part of what is measured."""
    cookies, token = cookies_of("somebody-else", address=address, seal=SEAL, issuer=ISSUER)
    with Visitor(address, cookies, token) as visitor:
        visitor.ask("How much does the tent cost?")


def main() -> int:
    """Measure, print the table, return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="referent-") as place:
        figures, problems = run(Path(place), invent(given.people, given.seed), given.rounds)
    for problem in problems[:20]:
        print(problem)
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores, {given.people} people, {given.rounds} rounds")
    print(table(Benchmark("people", "", "", "", SHOWN), figures))
    below = find_below(figures, read_floors("people"))
    for line in below:
        print(line, file=sys.stderr)
    return 1 if below else 0


if __name__ == "__main__":
    sys.exit(main())

"""What a turn does before its answer beside the least that it needs, and what reading documents costs beside embedding.

usage: python -m benchmarks.time_retrieval [--sizes 1000 100000] [--questions 8] [--ingest 2000] [--kept FOLDER]

A library of that many passages, a quarter of them in each language, is made once (its vectors by chance: how long a
search takes does not depend on what they mean) and kept for the next run.  Then the questions of ``timing.toml`` are
asked after a turn of conversation, with the real embedder and scorer, and each turn is timed until a scripted model is
called.  Right after it the same texts are embedded as one batch, and Chroma's collections asked as often as the turn
did: "ratio" is the median of the first over that of the second.  "ratio_read" counts the scorer's pass over question
and history, a text that the encoder reads as well, on both sides.  "cpu_" is the same in the processor's time, of all
threads: on a machine with other work the clock counts that too, and says little.

"ingest" is the embedder's own time for that many passages in one call over the time of ``Library.ingest`` with the same
passages, in turns of a few documents, so that a slow second falls on both; "held_mb" is how much the process grew.
Ends with 1 where a figure is on the wrong side of its floor in ``floors.toml``.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import sys
import tempfile
import time
import tomllib
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks.lexical_scale import draw, resident
from benchmarks.scoring import Benchmark, find_below, read_floors, table
from benchmarks.time_resolution import SAID, SEED, Words, invent_names
from languages import codes
from memory import Name, Scorer
from memory import Reading as Found
from memory.memory import EntityMemory
from memory.store.conversations import Conversations
from memory.store.database import Database, open_database
from memory.types import Embedder, Message, Role, Vectors
from rag.events import Passage
from rag.limits import Limits, Models
from rag.pipeline import Pipeline
from rag.retrieve import DEPTH
from rag.settings import read_settings
from rag.shelf import records
from rag.shelf.blocks import Source
from rag.shelf.embedding import SentenceEmbedder, load_embedder
from rag.shelf.index import VectorIndex, collection_name
from rag.shelf.owners import Owner, Scope
from rag.shelf.places import Folder
from rag.shelf.reading import read_source
from rag.shelf.records import Derived, Record
from rag.shelf.shelf import Leg, Library
from rag.shelf.splitting import searched_text, split

SHELF: Final = "timed"
PERSON: Final = "someone"
LARGE: Final = 100  # passages of the documents of a library
SIZES: Final = (2, 4, 8, 26)  # of those that are read, in turn
LENGTH: Final = 100  # words of a passage
AT_ONCE: Final = 10  # documents that are ingested, then embedded
TURN_SHOWN: Final = (
    *(
        f"{clock}{figure}"
        for clock in ("", "cpu_")
        for figure in ("ratio", "ratio_read", "turn_ms", "least_ms", "read_ms")
    ),
    *("texts", "queries"),
)
INGEST_SHOWN: Final = ("ingest", "ingest_cpu", "per_s", "held_mb")


@dataclass(slots=True)
class Counting:
    """An embedder that counts what is asked of it; a stand-in for passages, whose vectors are drawn by chance."""

    embedder: SentenceEmbedder
    asked: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        """Return the name of the embedder behind."""
        return self.embedder.name

    @property
    def dimension(self) -> int:
        """Return the length of each vector."""
        return self.embedder.dimension

    def embed_queries(self, texts: tuple[str, ...]) -> Vectors:
        """Return one unit vector a question, by the embedder behind."""
        self.asked += [text for text in texts if text not in self.asked]
        return self.embedder.embed_queries(texts)

    def embed_passages(self, texts: tuple[str, ...]) -> Vectors:
        """Return one unit vector a passage."""
        chance = np.random.default_rng(len(texts[0]) if texts else 0)
        drawn = chance.standard_normal((len(texts), self.dimension), dtype=np.float32)
        unit: Vectors = drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
        return unit


class Scripted:
    """A chat model that answers at once, and keeps when it was asked."""

    name = "scripted"

    def __init__(self) -> None:
        self.began: Spent | None = None

    def stream(self, messages: tuple[Message, ...]) -> Iterator[str]:  # noqa: ARG002 - the shape of a chat model
        """Yield an answer."""
        self.began = Spent.now()
        yield "[1]"


def documents(language: str, names: Sequence[Name], passages: int, seed: int) -> Iterator[Source]:
    """Yield documents about *names* in turn, that have so many passages together."""
    made = number = 0
    while made < passages:
        count = min(SIZES[number % len(SIZES)], passages - made)
        text = "\n\n".join((f"# {names[number % len(names)].name}", *draw(language, count, LENGTH, seed + number)))
        yield Source(f"{language}-{number}.md", text.encode("utf-8"))
        made, number = made + count, number + 1


def fill(database: Database, folder: Path, size: int, names: Sequence[Name], embedder: Counting) -> None:
    """Put *size* passages into an empty library, a document of 100 for each name, without reading any file."""
    owner, index = Owner("shelf", SHELF), VectorIndex(Folder(folder / "chroma"), folder / "chroma.lock")
    with index.write_lock(), database.write() as connection:
        records.raise_generation(connection, owner)  # and makes the shelf
        for place, language in enumerate(codes()):
            texts = draw(language, size // len(codes()), LENGTH, seed=place)
            ids: list[str] = []
            for start in range(0, len(texts), LARGE):
                name = names[(start // LARGE * len(codes()) + place) % len(names)]
                key = f"{place}{start:031x}"
                parts = [
                    Passage(f"{key}.{n}", name.name, text, heading=name.name, language=language, shelf=SHELF)
                    for n, text in enumerate(texts[start : start + LARGE])
                ]
                title, model = f"{language} {start}.md", embedder.name
                record = Record(key, title, name.name, language, 0, len(parts), 1, key, model, records.now())
                records.insert_document(connection, owner, record, Derived("", tuple(parts), (name,)))
                ids += [part.id for part in parts]
            index.upsert(collection_name(owner.key, language, embedder.name), ids, embedder.embed_passages(tuple(ids)))
    index.close()


class Watched(Library):
    """A library that notes how many questions each search has."""

    searches: list[int]

    def search(self, vectors: Vectors, texts: Sequence[str], scope: Scope, k: int) -> tuple[Leg, ...]:
        """Return what the library finds."""
        self.searches.append(len(texts))
        return super().search(vectors, texts, scope, k)


@dataclass(frozen=True, slots=True)
class Spent:
    """Seconds of the clock and of the processor, of all threads."""

    clock: float
    processor: float

    @classmethod
    def since(cls, began: Spent) -> Spent:
        """Return what was spent since *began*, which is a moment."""
        now = cls.now()
        return cls(now.clock - began.clock, now.processor - began.processor)

    @classmethod
    def now(cls) -> Spent:
        """Return this moment."""
        return cls(time.perf_counter(), time.process_time())


@dataclass(slots=True)
class Reading:
    """A scorer that keeps what its last pass took."""

    scorer: Scorer
    spent: Spent = Spent(0.0, 0.0)

    def read(self, question: str, history: tuple[tuple[Role, str], ...]) -> Found | None:
        """Return what the scorer reads."""
        began = Spent.now()
        found = self.scorer.read(question, history)
        self.spent = Spent.since(began)
        return found


@dataclass(frozen=True, slots=True)
class Timed:
    """What one turn took until a model was asked, and what the least of it took, in seconds."""

    turn: Spent
    least: Spent
    read: Spent  # the scorer's pass over question and history
    texts: int
    queries: int


@dataclass(slots=True)
class Stage:
    """A library, its pipeline and what they report to."""

    library: Watched
    embedder: Counting
    conversations: Conversations
    pipeline: Pipeline
    model: Scripted
    scorer: Reading | None
    collections: Sequence[Any]

    def ask(self, said: Sequence[str], language: str) -> Timed | None:
        """Return the times of the last of the messages *said*; None where no model is asked about it."""
        conversation = self.conversations.create(PERSON, language)
        for question in said:
            before = self.conversations.last_discourse(conversation, PERSON)
            self.model.began, self.library.searches, self.embedder.asked = None, [], []
            self.embedder.embedder._kept.clear()  # a question that was asked before would cost nothing
            if self.scorer is not None:
                self.scorer.spent = Spent(0.0, 0.0)
            began = Spent.now()
            for _ in self.pipeline.stream(
                question, before, user=PERSON, conversation=conversation, turn_id=uuid.uuid4().hex
            ):
                pass
        if self.model.began is None:
            return None
        texts = tuple(self.embedder.asked)
        queries = len(self.library.searches) * len(self.collections)
        read = self.scorer.spent if self.scorer is not None else Spent(0.0, 0.0)
        called = self.model.began
        turn = Spent(called.clock - began.clock, called.processor - began.processor)
        return Timed(turn, self.least(texts), read, len(texts), queries)

    def least(self, texts: tuple[str, ...]) -> Spent:
        """Return what it takes to embed *texts* as one batch and to ask each collection as often."""
        began = Spent.now()
        vectors = self.embedder.embedder.embed_passages(texts)  # as long as questions, and never remembered
        for count in self.library.searches:
            for collection in self.collections:
                collection.query(query_embeddings=vectors[:count], n_results=DEPTH, include=["distances"])
        return Spent.since(began)


def time_turns(stage: Stage, names: Sequence[Name], count: int) -> dict[str, float]:
    """Return the figures over *count* questions a language, each after a turn about one of *names*."""
    chance = random.Random(SEED)
    things = [name.name for name in names]
    found: list[Timed] = []
    for language, said in tomllib.loads(SAID.read_text(encoding="utf-8")).items():
        words = Words(things, things, said["words"], chance)
        for number in range(count + 1):
            drawn = words.draw()
            first = words.fill(said["turns"][0][0], drawn)
            question = words.fill(said["questions"][number % len(said["questions"])], drawn)
            timed = stage.ask((first, question), language)
            if timed is not None and number:  # the first of a language reads its lexicons
                found.append(timed)
    return figures_of(found)


def figures_of(found: Sequence[Timed]) -> dict[str, float]:
    """Return the medians, and the medians of each turn's ratios."""
    return {
        **_ratios(found, "", lambda spent: spent.clock),
        **_ratios(found, "cpu_", lambda spent: spent.processor),
        "texts": statistics.fmean(each.texts for each in found),
        "queries": statistics.fmean(each.queries for each in found),
    }


def _ratios(found: Sequence[Timed], name: str, of: Callable[[Spent], float]) -> dict[str, float]:
    return {
        f"{name}ratio": statistics.median(of(each.turn) / of(each.least) for each in found),
        f"{name}ratio_read": statistics.median(of(each.turn) / (of(each.least) + of(each.read)) for each in found),
        f"{name}turn_ms": 1000 * statistics.median(of(each.turn) for each in found),
        f"{name}least_ms": 1000 * statistics.median(of(each.least) for each in found),
        f"{name}read_ms": 1000 * statistics.median(of(each.read) for each in found),
    }


@contextmanager
def staged(size: int, names: Sequence[Name], embedder: SentenceEmbedder, kept: Path) -> Iterator[Stage]:
    """Yield a pipeline over *size* passages, which are made where *kept* has them not."""
    import chromadb
    from chromadb.config import Settings as ChromaSettings

    folder = kept / str(size)
    folder.mkdir(parents=True, exist_ok=True)
    database = open_database(folder)
    counting = Counting(embedder)
    if not (folder / "filled").exists():
        fill(database, folder, size, names, counting)
        (folder / "filled").touch()
    library = Watched(database, counting, folder)
    library.searches = []
    scorer = embedder.scorer()
    timed = Reading(scorer) if scorer is not None else None
    model, conversations = Scripted(), Conversations(database)
    pipeline = Pipeline(
        conversations,
        library,
        embedder=counting,
        models=Models(chat=model, scorer=timed),
        limits=Limits((SHELF,)),
        memory=EntityMemory(database),
    )
    library.languages(Scope((SHELF,)))  # opened, and its words read
    client = chromadb.PersistentClient(str(folder / "chroma"), settings=ChromaSettings(anonymized_telemetry=False))
    collections = [client.get_collection(each.name, embedding_function=None) for each in client.list_collections()]
    try:
        yield Stage(library, counting, conversations, pipeline, model, timed, collections)
    finally:
        library.close()
        database.close()


def time_ingest(passages: int, names: Sequence[Name], embedder: Embedder) -> dict[str, float]:
    """Return the figures of reading that many passages into a library beside embedding the same ones."""
    owner = Owner("shelf", SHELF)
    sources = [
        source
        for number, language in enumerate(codes())
        for source in documents(language, names[number::4], passages // 4, seed=7 + number * 100_000)
    ]
    random.Random(SEED).shuffle(sources)
    with tempfile.TemporaryDirectory(prefix="referent-timed-") as place:
        database = open_database(Path(place) / "data")
        library = Library(database, embedder, Path(place) / "data")
        taken, own, held = [0.0, 0.0], [0.0, 0.0], resident()
        count = 0
        for start in range(0, len(sources), AT_ONCE):
            group = Path(place) / f"group-{start}"
            group.mkdir()
            for source in sources[start : start + AT_ONCE]:
                (group / source.name).write_bytes(source.data)
            texts = tuple(
                searched_text(part)
                for source in sources[start : start + AT_ONCE]
                for part in split(read_source(source), "key")
            )
            count += len(texts)
            clocks = (time.perf_counter(), time.process_time())
            outcomes = list(library.ingest([group], owner))
            middle = (time.perf_counter(), time.process_time())
            embedder.embed_passages(texts)
            ends = (time.perf_counter(), time.process_time())
            assert {outcome.status for outcome in outcomes} == {"added"}, outcomes
            for clock in range(2):
                taken[clock] += middle[clock] - clocks[clock]
                own[clock] += ends[clock] - middle[clock]
        grown = resident() - held
        library.close()
        database.close()
    return {
        "ingest": own[0] / taken[0],
        "ingest_cpu": own[1] / taken[1],
        "per_s": count / taken[0],
        "held_mb": grown,
    }


def main() -> int:
    """Measure, print the tables, return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="*", default=[1_000, 100_000], help="passages of a library")
    parser.add_argument("--questions", type=int, default=8, help="a language")
    parser.add_argument("--ingest", type=int, default=2_000, help="passages to read; 0 for none")
    parser.add_argument("--kept", type=Path, default=Path(tempfile.gettempdir()) / "referent-timed")
    given = parser.parse_args()
    settings = read_settings()
    embedder = load_embedder(settings.embedding_model, settings.cache_dir, dtype=settings.embedding_dtype)
    names = [name for name in invent_names(2_000, random.Random(SEED)) if name.type == "PRODUCT"]
    turns: dict[str, dict[str, float]] = {}
    for size in given.sizes:
        with staged(size, names, embedder, given.kept) as stage:
            turns[str(size)] = time_turns(stage, names, given.questions)
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    below = []
    if turns:
        print(table(Benchmark("before_answer", "", "", "", TURN_SHOWN), turns))
        below += find_below(turns, read_floors("before_answer"))
    if given.ingest:
        read = {str(given.ingest): time_ingest(given.ingest, names, embedder)}
        print(table(Benchmark("ingest", "", "", "", INGEST_SHOWN), read))
        below += find_below(read, read_floors("ingest"))
    for line in below:
        print(line, file=sys.stderr)
    return 1 if below else 0


if __name__ == "__main__":
    sys.exit(main())

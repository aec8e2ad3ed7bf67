"""What resolving references is worth to retrieval: ``python -m benchmarks.resolved_questions FOLDER``.

FOLDER holds ``conversations/<set>/`` with ``docs/`` and ``conversations.jsonl`` (the standalone question that a human
wrote beside each message); without it the script says so and ends with 0.  The conversations are replayed without a
chat model, then each message whose documents are known is searched for four times by the product's own retrieval:

    raw        as it was said
    resolved   as the product understood it, and nothing else
    turn       as the product searches: understood and raw, with the question before where it names nothing
    human      as the human wrote it

Prints recall at 1 and at 5 over all such messages, and over those that a human had to rewrite ("dep_"); "gain" is by
how much dep_r5 of a way is above that of the raw question.  The seeds claim 40 to 60 % where references recur.
``--results`` takes what ``referent replay`` wrote before, ``<set>.jsonl`` in a folder, instead of replaying again.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from benchmarks.scoring import Benchmark, find_below, read_floors, table
from languages import fold, words
from memory.store.database import open_database
from memory.types import Embedder
from rag.loading import lazy_embedder
from rag.replay import SHELF, Replay
from rag.retrieve import Query, retrieve
from rag.settings import Settings, read_settings
from rag.shelf.owners import Owner, Scope
from rag.shelf.shelf import Library

CLAIM: Final = "the seeds claim 40 to 60 % better where references recur"
WAYS: Final = ("raw", "resolved", "turn", "human")
SHOWN: Final = ("turns", "r1", "r5", "dep_turns", "dep_r1", "dep_r5", "gain")
SCOPE: Final = Scope((SHELF,))


@dataclass(frozen=True, slots=True)
class Asked:
    """A message whose documents are known, as it was said, understood, and written by a human."""

    said: str
    understood: str
    human: str
    language: str
    gold: frozenset[str]
    retrieved: tuple[str, ...]  # by the turn

    @property
    def depends(self) -> bool:
        """Return whether the human had to rewrite it."""
        return _plain(self.said) != _plain(self.human)


def _plain(text: str) -> list[str]:
    return [fold(token.text) for token in words(text)]


def read_asked(conversations: Sequence[Mapping[str, Any]], results: Sequence[Mapping[str, Any]]) -> Iterator[Asked]:
    """Yield the messages of *conversations* that documents answer, with what the product made of each."""
    by_turn = {(str(result["id"]), result.get("turn")): result for result in results}
    for conversation in conversations:
        for number, turn in enumerate(conversation["turns"]):
            if not turn.get("gold_docs") or turn.get("expects", "answer") != "answer":
                continue
            result = by_turn[str(conversation["id"]), number]
            yield Asked(
                turn["user"],
                result["standalone"],
                turn["standalone"],
                result["lang"],
                frozenset(turn["gold_docs"]),
                tuple(dict.fromkeys(Path(name).name for name in result["retrieved"])),
            )


def recall(gold: frozenset[str], found: Sequence[str], k: int) -> float:
    """Return the share of *gold* among the first *k* of *found*, of as many as may be there.

    >>> recall(frozenset("ab"), ["a", "c", "b"], 1), recall(frozenset("ab"), ["a", "c", "d"], 5)
    (1.0, 0.5)
    """
    return len(gold & set(found[:k])) / min(len(gold), k)


def find(library: Library, embedder: Embedder, text: str, language: str) -> tuple[str, ...]:
    """Return the documents that *text* alone finds, best first."""
    named = tuple(dict.fromkeys(match.name.name for match in library.catalog(SCOPE).find(text)))
    hits = retrieve(library, embedder, Query(text, text, language, SCOPE, named))
    return tuple(dict.fromkeys(Path(hit.passage.document).name for hit in hits))


def measure(asked: Sequence[Asked], library: Library, embedder: Embedder) -> dict[str, dict[str, float]]:
    """Return the figures of each way."""
    found = {
        "raw": [find(library, embedder, each.said, each.language) for each in asked],
        "resolved": [find(library, embedder, each.understood, each.language) for each in asked],
        "turn": [each.retrieved for each in asked],
        "human": [find(library, embedder, each.human, each.language) for each in asked],
    }
    figures = {way: _figures(asked, documents) for way, documents in found.items()}
    for row in figures.values():
        row["gain"] = row["dep_r5"] / (figures["raw"]["dep_r5"] or 1.0) - 1
    return figures


def _figures(asked: Sequence[Asked], found: Sequence[Sequence[str]]) -> dict[str, float]:
    pairs = list(zip(asked, found, strict=True))
    row: dict[str, float] = {}
    for prefix, chosen in (("", pairs), ("dep_", [pair for pair in pairs if pair[0].depends])):
        row[f"{prefix}turns"] = float(len(chosen))
        for k in (1, 5):
            row[f"{prefix}r{k}"] = sum(recall(each.gold, names, k) for each, names in chosen) / max(len(chosen), 1)
    return row


@contextmanager
def shelved(documents: Path, embedder: Embedder, settings: Settings, folder: Path) -> Iterator[Library]:
    """Yield a library in *folder* with the files of *documents*, read where they are not there yet."""
    folder.mkdir(parents=True, exist_ok=True)
    database = open_database(folder)
    library = Library(database, embedder, folder, limits=settings.reading)
    try:
        refused = [o.message for o in library.ingest([documents], Owner("shelf", SHELF)) if o.status == "refused"]
        assert not refused, refused
        yield library
    finally:
        library.close()
        database.close()


def results_of(
    replay: Replay, conversations: Sequence[Mapping[str, Any]], name: str, kept: Path | None
) -> list[dict[str, Any]]:
    """Return what the product makes of each message, as it is kept in the folder *kept* or by replaying it."""
    if kept is not None:
        lines = (kept / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines if line.strip()]
    feed = (
        json.dumps(
            {"id": each["id"], "lang": each["lang"], "turns": [{"user": turn["user"]} for turn in each["turns"]]}
        )
        for each in conversations
    )
    return [dict(result) for result in replay.lines(feed)]


def main() -> int:
    """Measure, print the table, return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, help="the folder that holds conversations/")
    parser.add_argument("--only", action="append", default=[], help="one set, such as a language; may be repeated")
    parser.add_argument("--results", type=Path, help="a folder with the output of a replay")
    parser.add_argument("--kept", type=Path, default=Path(tempfile.gettempdir()) / "referent-conversations")
    given = parser.parse_args()
    files = sorted(given.folder.glob("conversations/*/conversations.jsonl")) if given.folder else []
    files = [file for file in files if not given.only or file.parent.name in given.only]
    if not files:
        print(f"resolved: skipped, no conversations/*/conversations.jsonl in {given.folder or 'no folder'}")
        return 0
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "REFERENT_OPENAI_API_KEY", "REFERENT_OPENAI_BASE_URL"):
        os.environ.pop(name, None)  # these figures are those without a chat model
    settings = read_settings()
    embedder = lazy_embedder(settings)
    figures: dict[str, dict[str, float]] = {}
    for file in files:
        name = file.parent.name
        conversations = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
        with shelved(file.parent / "docs", embedder, settings, given.kept / name) as library:
            results = results_of(Replay(library, embedder, settings), conversations, name, given.results)
            found = measure(list(read_asked(conversations, results)), library, embedder)
        figures |= {f"{name} {way}": row for way, row in found.items()}
        print(f"{name}: the questions as the turn searches find {100 * found['turn']['gain']:.0f} % more; {CLAIM}")
    print(table(Benchmark("resolved", "", "", "", SHOWN), figures))
    below = find_below(figures, read_floors("resolved"))
    for line in below:
        print(line, file=sys.stderr)
    return 1 if below else 0


if __name__ == "__main__":
    sys.exit(main())

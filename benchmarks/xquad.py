"""Retrieval alone, over paragraphs in three languages: ``python -m benchmarks.xquad FOLDER``.

FOLDER holds ``xquad/<lang>.jsonl``, a paragraph with its questions a line, the same in each language; without it the
script says so and ends with 0.  Each paragraph is read into a shelf of its language as a document of its own, and each
question is put through the product's retrieval over one shelf: that of its language, then those of the others.  Prints,
a row a pair of languages, the share of the questions whose paragraph comes first, or among the first five, and the mean
reciprocal rank, for each leg and for what is made of them; "lead" is the least by which the fusion is above the better
leg in any of the three.  Ends with 1 where a figure is below its floor in ``floors.toml``.

The vectors of the questions and the index are kept in a folder (``--kept``) for the next run.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.kept_vectors import KeptVectors
from benchmarks.scoring import Benchmark, find_below, read_floors, table
from memory.store.database import open_database
from memory.types import Embedder
from rag.events import Hit
from rag.loading import lazy_embedder
from rag.retrieve import DEPTH, Query, retrieve
from rag.settings import read_settings
from rag.shelf.blocks import Source
from rag.shelf.owners import Owner, Scope
from rag.shelf.shelf import Library

WAYS: Final = ("dense", "lexical", "fused")
MEASURES: Final = ("r1", "r5", "mrr")
SHOWN: Final = (*(f"{way}_{measure}" for way in WAYS for measure in MEASURES), "lead")
AT_ONCE: Final = 64  # questions embedded together
ACROSS: Final = (("ar", "en"), ("de", "ar"), ("de", "en"))  # questions in one language, paragraphs in another


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph and the questions that it answers."""

    name: str  # the same in each language
    text: str
    questions: tuple[str, ...]


def read_paragraphs(file: Path) -> tuple[Paragraph, ...]:
    """Return the paragraphs of a file in order."""
    read = (json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip())
    return tuple(
        Paragraph(f"{number:03}.txt", row["paragraph"], tuple(asked["question"] for asked in row["questions"]))
        for number, row in enumerate(read)
    )


@contextmanager
def shelved(sets: Mapping[str, Sequence[Paragraph]], embedder: Embedder, folder: Path) -> Iterator[Library]:
    """Yield a library in *folder* with a shelf for each language, that has its name.

    A paragraph that is refused (one of the Arabic ones holds letters of another encoding) counts as not found.
    """
    folder.mkdir(parents=True, exist_ok=True)
    database = open_database(folder)
    library = Library(database, embedder, folder)
    try:
        for language, paragraphs in sets.items():
            for paragraph in paragraphs:
                source = Source(paragraph.name, paragraph.text.encode("utf-8"))
                outcome = library.add(source, Owner("shelf", language))
                if outcome.status == "refused":
                    print(f"{language}: {outcome.message}", file=sys.stderr)
        yield library
    finally:
        library.close()
        database.close()


def rank(hits: Sequence[Hit]) -> dict[str, tuple[str, ...]]:
    """Return the documents that each way finds, best first: each leg by its own scores, and what is made of them."""
    found = {
        kind: tuple(
            hit.passage.document
            for _, hit in sorted(
                ((score, hit) for hit in hits for leg, score in hit.legs if leg.startswith(kind)),
                key=lambda row: -row[0],
            )
        )
        for kind in ("dense", "lexical")
    }
    found["fused"] = tuple(hit.passage.document for hit in hits)
    return {way: tuple(dict.fromkeys(documents)) for way, documents in found.items()}


def measure(ranks: Mapping[str, Sequence[int]]) -> dict[str, float]:
    """Return the figures of a row from the rank, from 1, of each question's paragraph; 0 where it was not found."""
    figures: dict[str, float] = {}
    for way, found in ranks.items():
        figures[f"{way}_r1"] = sum(rank == 1 for rank in found) / len(found)
        figures[f"{way}_r5"] = sum(1 <= rank <= 5 for rank in found) / len(found)
        figures[f"{way}_mrr"] = sum(1 / rank for rank in found if rank) / len(found)
    figures["lead"] = min(
        figures[f"fused_{each}"] - max(figures[f"dense_{each}"], figures[f"lexical_{each}"]) for each in MEASURES
    )
    return figures


def compare(
    sets: Mapping[str, Sequence[Paragraph]], library: Library, embedder: Embedder
) -> Iterator[tuple[str, dict[str, float]]]:
    """Yield the row of each pair of languages: "en" within one, "ar-en" for Arabic questions on English paragraphs."""
    for asked, shelf in (*((language, language) for language in sets), *ACROSS):
        if asked not in sets or shelf not in sets:
            continue
        ranks: dict[str, list[int]] = {way: [] for way in WAYS}
        for paragraph in sets[asked]:
            for question in paragraph.questions:
                query = Query(question, question, asked, Scope((shelf,)), k=2 * DEPTH)  # all that the legs found
                for way, found in rank(retrieve(library, embedder, query)).items():
                    ranks[way].append(found.index(paragraph.name) + 1 if paragraph.name in found else 0)
        yield (asked if asked == shelf else f"{asked}-{shelf}"), measure(ranks)


def main() -> int:
    """Measure, print the table, return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, help="the folder that holds xquad/")
    parser.add_argument("--kept", type=Path, default=Path(tempfile.gettempdir()) / "referent-xquad")
    given = parser.parse_args()
    files = sorted((given.folder / "xquad").glob("*.jsonl")) if given.folder else []
    if not files:
        print(f"xquad: skipped, no xquad/*.jsonl in {given.folder or 'no folder'}")
        return 0
    sets = {file.stem: read_paragraphs(file) for file in files}
    embedder = KeptVectors(lazy_embedder(read_settings()), given.kept)
    questions = list(dict.fromkeys(q for each in sets.values() for paragraph in each for q in paragraph.questions))
    for start in range(0, len(questions), AT_ONCE):
        embedder.embed_queries(tuple(questions[start : start + AT_ONCE]))
    embedder.keep()
    with shelved(sets, embedder, given.kept) as library:
        figures = dict(compare(sets, library, embedder))
    print(table(Benchmark("xquad", "", "", "", SHOWN), figures))
    below = find_below(figures, read_floors("xquad"))
    for line in below:
        print(line, file=sys.stderr)
    return 1 if below else 0


if __name__ == "__main__":
    sys.exit(main())

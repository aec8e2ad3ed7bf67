"""Sets of documents and questions as examples for the answer selector: a question, its pieces, which of them answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.answer_units import questions
from languages import fold, words
from memory.types import Embedder
from rag.answer.evidence import read_as
from rag.answer.units import Unit
from rag.answer.units import split as units_of
from rag.events import Hit
from rag.shelf.blocks import Source
from rag.shelf.reading import read_source
from rag.shelf.splitting import split


@dataclass(frozen=True, slots=True)
class Example:
    """A question with pieces of its documents, the likeliest first by the embedding model; ``right`` are indices."""

    question: str
    language: str
    documents: str
    pieces: tuple[str, ...]
    right: frozenset[int]
    kind: str


def pieces_of(documents: Sequence[Mapping[str, str]]) -> tuple[list[Unit], list[str], list[str]]:
    """Return the units of *documents*, how the selector reads each, and which document each is of."""
    hits: list[Hit] = []
    names: list[str] = []
    for document in documents:
        read = read_source(Source(document["name"], document["text"].encode()))
        for part in split(read, document["name"], "set"):
            hits.append(Hit(part, 1.0))
            names.append(document["name"])
    units = list(units_of(tuple(hits)))
    return units, [read_as(unit, units) for unit in units], [names[unit.hit] for unit in units]


def examples(data: Mapping[str, Any], embedder: Embedder, *, most: int = 24) -> Iterator[Example]:
    """Yield the examples of one set, those in other languages as well."""
    units, texts, documents = pieces_of(data["documents"])
    plain = [set(folded(unit)) for unit in units]
    vectors = embedder.embed_passages(tuple(texts))
    asked = list(questions(data))
    queries = embedder.embed_queries(tuple(question["q"] for question, _ in asked))
    for (question, language), query in zip(asked, queries, strict=True):
        gold = [*question["gold"], *question.get("alt", [])]
        right = {n for text in gold for n in matching(text, question["doc"], plain, documents)}
        if gold and not right:
            continue
        order = sorted(range(len(units)), key=lambda n: -float(vectors[n] @ query))
        chosen = [*sorted(right), *[n for n in order if n not in right][: most - len(right)]]
        kind = question["kind"] if gold else "none"
        yield Example(
            question["q"], language, data["lang"], tuple(texts[n] for n in chosen), frozenset(range(len(right))), kind
        )


def folded(unit: Unit) -> Iterator[str]:
    return (fold(token.text) for token in words(f"{unit.plain} {' '.join(v for _, v in unit.cells)}"))


def matching(text: str, document: str, plain: Sequence[set[str]], documents: Sequence[str]) -> list[int]:
    """Return which units hold *text*, or most of it."""
    wanted = {fold(token.text) for token in words(text)}
    if not wanted:
        return []
    shares = [
        (len(wanted & held) / max(len(wanted), 1) * (documents[n] == document), -len(held), n)
        for n, held in enumerate(plain)
    ]
    best = max(shares)
    if best[0] >= 0.7:
        return [best[2]]
    # A text that is cut in two units: those that lie within it.
    return [
        n
        for n, held in enumerate(plain)
        if documents[n] == document and len(held) > 2 and len(held & wanted) / len(held) >= 0.9
    ][:2]

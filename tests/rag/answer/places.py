"""Passages of invented documents, and requests about them."""

from __future__ import annotations

from memory.types import Embedder, Fact, Name
from rag.answer.request import AnswerRequest
from rag.events import Hit, Passage


def hit(text: str, *, document: str = "a.md", heading: str = "", context: str = "", language: str = "en") -> Hit:
    kind = "row" if context else "text"
    number = abs(hash((text, document))) % 10**8
    passage = Passage(
        f"{document}:{number}", document, text, 0, len(text), heading, language, kind=kind, context=context
    )
    return Hit(passage, 0.03)


def ask(
    question: str,
    *hits: Hit,
    language: str = "en",
    entities: tuple[str, ...] = (),
    names: tuple[Name, ...] = (),
    raw: str = "",
    embedder: Embedder | None = None,
    facts: tuple[Fact, ...] = (),
    table: tuple[Hit, ...] = (),
) -> AnswerRequest:
    return AnswerRequest(question, raw or question, language, hits, entities, names, embedder, facts, table=table)

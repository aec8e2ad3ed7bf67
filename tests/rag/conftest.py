from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from memory import ChatModel
from memory.memory import EntityMemory
from memory.store.conversations import Conversations
from memory.store.database import open_database
from memory.types import Embedder, Message
from rag.events import Turn
from rag.limits import Limits, Models
from rag.loading import LazySelector
from rag.pipeline import Pipeline
from rag.shelf.owners import Owner
from rag.shelf.shelf import Library
from tests.rag.shelf.fakes import HashEmbedder
from tests.rag.shop import write_shop


@dataclass
class ScriptedModel:
    """A chat model that says what it is told, piece by piece, and keeps what it was asked."""

    pieces: tuple[str, ...]
    error: Exception | None = None
    asked: list[tuple[Message, ...]] = field(default_factory=list)

    @property
    def name(self) -> str:
        return "scripted"

    def stream(self, messages: tuple[Message, ...]) -> Iterator[str]:
        self.asked.append(messages)
        yield from self.pieces
        if self.error is not None:
            raise self.error


class Desk:
    """A pipeline over a small library, and a person who talks to it."""

    def __init__(self, folder: Path, *languages: str, embedder: Embedder | None = None) -> None:
        self.folder = folder
        self.database = open_database(folder / "data")
        self.embedder = embedder or HashEmbedder()
        self.selector = LazySelector(embedder) if embedder is not None else None
        self.library = Library(self.database, self.embedder, folder / "data")
        self.conversations = Conversations(self.database)
        self.memory = EntityMemory(self.database)
        if languages:
            documents = write_shop(folder / "documents", *languages)
            outcomes = list(self.library.ingest([documents], Owner("shelf", "shared")))
            assert {outcome.status for outcome in outcomes} == {"added"}, outcomes

    def pipeline(self, model: ChatModel | None = None, limits: Limits | None = None) -> Pipeline:
        return Pipeline(
            self.conversations,
            self.library,
            embedder=self.embedder,
            models=Models(chat=model, selector=self.selector),
            limits=limits,
            memory=self.memory,
        )

    def talk(
        self, *questions: str, language: str, person: str = "someone", pipeline: Pipeline | None = None
    ) -> list[Turn]:
        """Return the turns of one conversation, each from the discourse that the store gives."""
        answering = pipeline or self.pipeline()
        conversation = self.conversations.create(person, language)
        turns: list[Turn] = []
        for number, question in enumerate(questions):
            before = self.conversations.last_discourse(conversation, person)
            turns.append(
                answering.turn(
                    question, before, user=person, conversation=conversation, turn_id=f"{conversation}-{number}"
                )
            )
        return turns


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    opened = Desk(tmp_path, "en")
    yield opened
    opened.library.close()
    opened.database.close()

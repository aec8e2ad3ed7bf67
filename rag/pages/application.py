"""What the pages need of the application, and the one place that opens it.

The pages know these protocols only; ``rag.build.application`` gives the real thing, a test gives one that is scripted.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Protocol

import streamlit as st

from memory import NameIndex
from memory.editing import MemoryEditor
from memory.memory import EntityMemory
from memory.store.conversations import Conversations
from memory.store.thumbs import Thumbs
from memory.store.unanswered import UnansweredQuestions
from memory.store.uploads import PendingUploads
from rag import build
from rag.evaluation.casefiles import CaseFile
from rag.evaluation.results import Results
from rag.events import Event, Passage
from rag.settings import Settings, read_settings
from rag.shelf.owners import Owner, Scope
from rag.shelf.records import Record
from rag.shelf.shelf import Outcome
from rag.shelf.writing import Progress


class Pipeline(Protocol):
    """Answers questions, an event at a time."""

    def stream(
        self,
        question: str,
        discourse: str,
        *,
        user: str,
        conversation: str,
        turn_id: str,
        lang: str | None = None,
    ) -> Iterator[Event]:
        """Yield the events of one turn, ``Done`` last; closing the iterator keeps the turn as stopped."""
        ...

    def correct(
        self, turn_id: str, link: int, name: str | None, *, user: str, conversation: str
    ) -> Generator[Event, None, None]:
        """Yield the events of the latest turn answered anew, with another reading of its link number *link*."""
        ...


class Library(Protocol):
    """The documents, shelf by shelf."""

    def ingest(self, paths: Iterable[Path], owner: Owner, progress: Progress | None = None) -> Iterator[Outcome]:
        """Yield what became of each file, as it happens."""
        ...

    def documents(self, owner: Owner) -> tuple[Record, ...]:
        """Return the documents of *owner* by name."""
        ...

    def remove(self, name: str, owner: Owner) -> None:
        """Remove a document with everything derived from it."""
        ...

    def catalog(self, scope: Scope) -> NameIndex:
        """Return the names that the documents of *scope* make known."""
        ...

    def document_passages(self, name: str, scope: Scope) -> tuple[Passage, ...]:
        """Return the passages of the documents of that name that *scope* may see."""
        ...


class Application(Protocol):
    """Everything behind the pages."""

    @property
    def pipeline(self) -> Pipeline:
        """Return what answers."""
        ...

    @property
    def conversations(self) -> Conversations:
        """Return the stored conversations."""
        ...

    @property
    def thumbs(self) -> Thumbs:
        """Return what people say of answers."""
        ...

    @property
    def unanswered(self) -> UnansweredQuestions:
        """Return the questions that no document answered."""
        ...

    @property
    def library(self) -> Library:
        """Return the documents."""
        ...

    @property
    def uploads(self) -> PendingUploads:
        """Return the uploads under way."""
        ...

    @property
    def memory(self) -> EntityMemory:
        """Return what is remembered of people."""
        ...

    @property
    def editor(self) -> MemoryEditor:
        """Return what corrects it by hand."""
        ...

    @property
    def settings(self) -> Settings:
        """Return the settings in force."""
        ...

    @property
    def model_name(self) -> str | None:
        """Return the chat model's name, None where answers are quoted from the documents."""
        ...

    def measure(self, files: Sequence[CaseFile], progress: Callable[[float], None]) -> Results:
        """Return the results of a pilot's cases; *progress* hears the share that is done, from 0 to 1."""
        ...

    def forget(self, person: str) -> None:
        """Erase *person* everywhere."""
        ...


Opener = Callable[[], Application]


@st.cache_resource(show_spinner=False)
def settings_in_force() -> Settings:
    """Return the settings, read once; what is to be drawn before the application is open needs them.

    Raises: SettingsInvalid.
    """
    return read_settings()


@st.cache_resource(show_spinner=False)
def open_application() -> build.Application:
    """Return the application with the settings in force; one for the whole process."""
    return build.application(settings_in_force())

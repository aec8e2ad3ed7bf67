"""What the pages need of the application, and the one place that opens it.

The pages know these protocols only; ``rag.build.application`` gives the real thing, a test gives one that is scripted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Protocol

import streamlit as st

from memory.store.conversations import Conversations
from rag.events import Event


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


class Outcome(Protocol):
    """What became of one file: ``status`` is "added", "updated", "unchanged" or "refused"."""

    @property
    def name(self) -> str:
        """Return the document's name."""
        ...

    @property
    def status(self) -> str:
        """Return what happened."""
        ...

    @property
    def reason(self) -> str:
        """Return the key of the text that says why a file was refused, else ""."""
        ...


class Listed(Protocol):
    """A document as the list shows it."""

    @property
    def name(self) -> str:
        """Return its name on its shelf."""
        ...

    @property
    def title(self) -> str:
        """Return its title."""
        ...


class Library(Protocol):
    """The documents: shared shelves to read, and one's own to change."""

    def ingest(self, paths: Sequence[Path], person: str) -> Iterator[Outcome]:
        """Read files into the person's own documents, one outcome a file, in order."""
        ...

    def documents(self, person: str) -> Sequence[Listed]:
        """Return what is the person's own."""
        ...

    def shared(self) -> Sequence[Listed]:
        """Return what everybody may read."""
        ...

    def remove(self, name: str, person: str) -> None:
        """Remove one of the person's own documents with all that was derived from it."""
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
    def library(self) -> Library:
        """Return the documents."""
        ...

    @property
    def model_name(self) -> str | None:
        """Return the chat model's name, None where answers are quoted from the documents."""
        ...


Opener = Callable[[], Application]


@st.cache_resource(show_spinner=False)
def open_application() -> Application:
    """Return the application with the settings in force; one for the whole process."""
    from rag.build import application
    from rag.settings import read_settings

    opened: Application = application(read_settings())
    return opened

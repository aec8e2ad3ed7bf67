"""What an answer is made from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, overload

from languages import codes
from memory import Catalog
from memory.knowledge.ranking import EntityContext
from memory.types import Embedder, Fact, Name, NameMatch
from rag.events import Hit


class Selector(Protocol):
    """Says how well pieces of passages answer a question."""

    def score(self, question: str, pieces: Sequence[str]) -> tuple[float, ...] | None:
        """Return a logit for each of *pieces*: above 0 where it rather answers than not; None where it cannot say."""
        ...


class NamesFound(Sequence[tuple[NameMatch, ...]]):
    """The known names in the text of each hit, looked for when they are asked for: a chat model needs none of them."""

    def __init__(self, catalog: Catalog, hits: tuple[Hit, ...]) -> None:
        self._catalog = catalog
        self._hits = hits
        self._found: tuple[tuple[NameMatch, ...], ...] | None = None

    def __len__(self) -> int:
        return len(self._hits)

    @overload
    def __getitem__(self, index: int) -> tuple[NameMatch, ...]: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[tuple[NameMatch, ...], ...]: ...
    def __getitem__(self, index: int | slice) -> tuple[NameMatch, ...] | tuple[tuple[NameMatch, ...], ...]:
        if self._found is None:
            self._found = tuple(tuple(self._catalog.find(hit.passage.text)) for hit in self._hits)
        return self._found[index]


@dataclass(frozen=True, slots=True)
class AnswerRequest:
    """A question with all that answering it may rest on.

    ``names`` are the catalogue's entries of ``entities``; ``facts`` what the person said of themself;
    ``table`` all rows of the table that a question for the cheapest or the longest found, none for other questions;
    ``named`` the known names in the text of each hit; ``remembered`` what was talked about before and belongs to it;
    ``stated`` that the message only states something of the person.
    """

    standalone: str
    raw: str
    language: str
    hits: tuple[Hit, ...] = ()
    entities: tuple[str, ...] = ()
    names: tuple[Name, ...] = ()
    embedder: Embedder | None = None
    facts: tuple[Fact, ...] = ()
    table: tuple[Hit, ...] = ()
    named: Sequence[tuple[NameMatch, ...]] = ()
    remembered: tuple[EntityContext, ...] = ()
    selector: Selector | None = None
    stated: bool = False

    def language_of(self, hit: int) -> str:
        """Return the language in which a hit's passage is read: its own where that is known, else the question's."""
        spoken = self.hits[hit].passage.language
        return spoken if spoken in codes() else self.language

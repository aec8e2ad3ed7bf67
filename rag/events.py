"""The values of one turn: passages and hits, answers and citations, and the events that a turn streams.

A turn streams ``Understood``, ``Found``, ``Piece``s of the answer (or ``Asked``), perhaps ``Notice``s, then ``Done``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from memory.types import Resolution, Usage


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a document: ``text`` is ``visible_text[start:end]`` of the document, word for word."""

    id: str
    document: str  # the document's name on its shelf: a relative path with "/"
    text: str
    start: int = 0
    end: int = 0
    heading: str = ""  # "Title > Section"
    language: str = ""
    shelf: str = "shared"
    kind: str = "text"  # "text" | "row" (a table or CSV row) | "list"
    context: str = ""  # of a row: "Column: value; Column: value"; embedded and searched beside the text
    page: int = 0  # from 1, the page on which it begins; 0 where the document has no pages
    row: int = 0  # from 1, its row in a file of rows or of records a line; 0 where the document is none


@dataclass(frozen=True, slots=True)
class Hit:
    """A retrieved passage with its fused score (higher is better) and the score of each leg that found it."""

    passage: Passage
    score: float
    legs: tuple[tuple[str, float], ...] = ()  # ("dense standalone", 0.87), ("lexical raw", 0.31)


@dataclass(frozen=True, slots=True)
class Citation:
    """A source of an answer: ``quote`` stands word for word in the document's visible text."""

    number: int
    document: str
    quote: str
    passage: str = ""  # the passage's id
    heading: str = ""
    shelf: str = "shared"


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer with its sources.  ``answered`` is False where the documents do not say; ``text`` then says so."""

    text: str
    answered: bool
    citations: tuple[Citation, ...] = ()
    method: str = "extraction"  # or the chat model's name


@dataclass(frozen=True, slots=True)
class Clarification:
    """A question back to the person, with two to four options."""

    question: str
    options: tuple[str, ...]


Outcome = Literal["accepted", "refused", "late", "failed"]


@dataclass(frozen=True, slots=True)
class Rewriting:
    """What came of asking a chat model how a question is meant; its time is that of the stage "rewrite"."""

    model: str
    outcome: Outcome
    reason: str = ""  # what spoke against its words, or the failure's name


@dataclass(frozen=True, slots=True)
class Turn:
    """One finished turn, as stored and as shown."""

    id: str
    number: int  # from 0 in its conversation
    question: str
    language: str
    resolution: Resolution
    answer: Answer | None = None
    clarification: Clarification | None = None
    hits: tuple[Hit, ...] = ()
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    stopped: bool = False
    notices: tuple[str, ...] = ()  # keys of interface texts, such as "notice.model_unreachable"
    discourse: str = ""  # the discourse after the turn, versioned JSON
    rewriting: Rewriting | None = None  # None where no model was asked what the question refers to
    usage: Usage | None = None  # what the chat model has cost, where one was asked for the answer

    def passage_of(self, citation: Citation) -> Passage | None:
        """Return the passage that *citation* quotes; None where it was not kept with the turn."""
        return next((hit.passage for hit in self.hits if hit.passage.id == citation.passage), None)


@dataclass(frozen=True, slots=True)
class Understood:
    """The language and the resolution are known."""

    resolution: Resolution


@dataclass(frozen=True, slots=True)
class Found:
    """The passages that the answer will rest on."""

    hits: tuple[Hit, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """The turn asks back instead of answering."""

    clarification: Clarification


@dataclass(frozen=True, slots=True)
class Piece:
    """The next piece of the answer's text, ready to be shown."""

    text: str


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the person should know, by its key in the language packs' interface texts."""

    key: str


@dataclass(frozen=True, slots=True)
class Done:
    """The turn is over and kept."""

    turn: Turn


Event = Understood | Found | Asked | Piece | Notice | Done

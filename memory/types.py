"""The values that pass between memory, retrieval and the turn: names, mentions, links, resolutions.

All are frozen; tuples inside; offsets are code points of the text as received.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

Role = Literal["user", "assistant"]
Status = Literal["resolved", "unchanged", "ambiguous"]
Method = Literal["rules", "scorer", "model"]
Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Attribute:
    """One stated fact of a thing, as written: ("Preis", "1.199 €", "notebooks.csv")."""

    key: str
    value: str
    document: str = ""


@dataclass(frozen=True, slots=True)
class Name:
    """One known thing: its name as first spelt, its type, other spellings, and facts from the documents.

    ``nouns`` are the common nouns said of it ("laptop", "Notebook", "هاتف"): they give gender and
    let "the laptop" find it.
    """

    name: str
    type: str = "OTHER"
    aliases: tuple[str, ...] = ()
    attributes: tuple[Attribute, ...] = ()
    nouns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NameMatch:
    """A known name found in a text: ``text[start:end]`` is how it stands there."""

    start: int
    end: int
    text: str
    name: Name
    exact: bool = True  # False where only a short form of the name stands there ("the Ridge")


@dataclass(frozen=True, slots=True)
class FamilyMatch:
    """Words in a text that fit several known names and tell none apart: "the Ridge" of Ridge 4G and Ridge 5G."""

    start: int
    end: int
    text: str
    names: tuple[Name, ...]


class Catalog(Protocol):
    """The names an application knows; built at ingestion, or from a case's ``catalog``."""

    def find(self, text: str) -> tuple[NameMatch, ...]:
        """Return the longest known names in *text*, in order, not overlapping."""
        ...

    def families(self, text: str) -> tuple[FamilyMatch, ...]:
        """Return the runs of words in *text* that fit two or more names and that no name in it covers."""
        ...

    def get(self, name: str) -> Name | None:
        """Return the entry whose name or alias is *name* after folding, or None."""
        ...

    def siblings(self, words: str) -> tuple[Name, ...]:
        """Return the names of which *words* (a brand, series or first part) is a proper part."""
        ...

    def of_kind(self, noun: str) -> tuple[Name, ...]:
        """Return the names that are called *noun* (any of their ``nouns``, folded)."""
        ...


@dataclass(frozen=True, slots=True)
class Link:
    """One resolved expression: ``replacement`` in place of ``question[start:end]`` is its part of the standalone text.

    ``text`` is the referring expression at ``anchor`` = (start, end) as reported to people and scripts; ``start``
    and ``end`` of the *edit* may reach further (an article, an apostrophe) than the expression itself.  Without
    ``entities`` the expression was left as it stands, on the person's word.
    """

    text: str
    anchor: tuple[int, int]
    entities: tuple[str, ...]
    start: int
    end: int
    replacement: str
    evidence: tuple[str, ...] = ()  # keys of the language packs' "evidence" texts, with values after "|"
    alternatives: tuple[str, ...] = ()  # the other readings that agreed, the likelier first, at most three


@dataclass(frozen=True, slots=True)
class Candidate:
    """A reading that is offered when a reference is ambiguous."""

    name: str
    type: str = "OTHER"


@dataclass(frozen=True, slots=True)
class Resolution:
    """What a question was taken for.  ``replay(question, links)`` equals ``standalone``.

    ``confidence`` is how sure rules and scorer are of it, from 0 to 1 (``memory/reference/confidence.py``).
    ``referring`` are the places in the question, (start, end), of what seems to refer to the conversation.
    """

    question: str
    standalone: str
    status: Status
    links: tuple[Link, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    entities: tuple[str, ...] = ()  # all entities the standalone question is about, named or resolved, in order
    language: str = ""
    method: Method = "rules"
    expression: str = ""  # the expression that is ambiguous, "" otherwise
    confidence: float = 1.0
    referring: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Fact:
    """What a person said of themself or of a thing they have, in this conversation or before."""

    subject: str
    key: str
    value: str
    turn: int = 0


class Embedder(Protocol):
    """Turns texts into unit vectors, float32, shape (len(texts), dimension)."""

    @property
    def name(self) -> str:
        """Return the model's name and version; stored with every index."""
        ...

    @property
    def dimension(self) -> int:
        """Return the length of each vector."""
        ...

    def embed_queries(self, texts: tuple[str, ...]) -> Vectors:
        """Return one vector a question."""
        ...

    def embed_passages(self, texts: tuple[str, ...]) -> Vectors:
        """Return one vector a passage."""
        ...


class ChatModel(Protocol):
    """A chat model, reduced to what a turn needs."""

    @property
    def name(self) -> str:
        """Return the model's name, shown to people."""
        ...

    def stream(self, messages: tuple[Message, ...]) -> Iterator[str]:
        """Yield the pieces of the answer as they come."""
        ...


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a prompt."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Usage:
    """Calls of a chat model, and about how many tokens were sent and came back."""

    calls: int = 0
    prompt_tokens: int = 0
    answer_tokens: int = 0

    @property
    def tokens(self) -> int:
        """Return all tokens together."""
        return self.prompt_tokens + self.answer_tokens

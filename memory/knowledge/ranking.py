"""Which entities a prompt should see: by what the question names, what stands near it, how lately and how often."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Final

from memory.knowledge.facts import StoredFact
from memory.knowledge.identity import run_keys
from memory.spelling import split

if TYPE_CHECKING:
    from memory.store.entities import StoredEntity  # with a database library behind it

_RUN: Final = 5  # words of a name that is looked for in a question
_MOST_PIECES: Final = 60  # of a question
_HOUR: Final = 3600.0


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each sign counts; the threshold is above what lateness and frequency reach together.

    So an entity that neither stands in the question nor near one that does is left out, however often it was named.
    ``half_life_hours`` is after how long lateness counts half.
    """

    named: float = 1.0
    neighbour: float = 0.4
    recency: float = 0.3
    frequency: float = 0.1
    half_life_hours: float = 48.0
    threshold: float = 0.45


@dataclass(frozen=True, slots=True)
class EntityContext:
    """What a prompt is told of one entity: its current facts and what was said of it."""

    name: str
    type: str
    facts: tuple[StoredFact, ...] = ()
    snippets: tuple[str, ...] = ()
    score: float = 0.0
    id: str = field(default="", compare=False)


def candidate_keys(question: str) -> tuple[str, ...]:
    """Return the keys of all runs of words in *question* that may be a name.

    >>> "kestrel14" in candidate_keys("Is the Kestrel 14 loud?")
    True
    """
    return tuple(dict.fromkeys(_runs(question)))


def _runs(question: str) -> Iterator[str]:
    pieces = split(question)[:_MOST_PIECES]
    for start in range(len(pieces)):
        for end in range(start + 1, min(start + _RUN, len(pieces)) + 1):
            yield from run_keys(pieces[start:end])


def score(entity: StoredEntity, *, named: bool, neighbour: bool, now: datetime, weights: Weights) -> float:
    """Return how much *entity* belongs into the prompt, from 0 to about 1.8."""
    hours = max((now - entity.last_seen).total_seconds(), 0.0) / _HOUR
    recency: float = 0.5 ** (hours / weights.half_life_hours)
    frequency = min(math.log1p(max(entity.mentions, 0)) / math.log(20), 1.0)
    return (
        weights.named * named
        + weights.neighbour * neighbour
        + weights.recency * recency
        + weights.frequency * frequency
    )

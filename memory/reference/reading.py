"""What a learned scorer reads in a question and the messages before it, as plain numbers; and the scorer's protocol.

The rules ask it: does this question need the conversation at all, do these words refer, which of these is meant.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from memory.types import Role

Floats = NDArray[np.float32]
BELONGS: Final = 0.5  # probability of belonging from which a token is part of what is meant
Place = tuple[int, int, int]  # index of a message among those read, start and end in it


@dataclass(frozen=True, slots=True)
class Reading:
    """Probabilities for one question.  Offsets are code points of the question, and of the messages as they were read.

    ``referring`` holds (start, end, probability) of each token of the question; ``omitted`` (offset, probability) of
    something left out before it.  ``asks`` has shape (1 + question tokens, 3, width), its first row stands for what is
    left out; ``keys`` (1 + message tokens, 3, width), its first row for nothing; ``places`` belongs to the others.
    """

    resolved: float
    unchanged: float
    ambiguous: float
    referring: tuple[tuple[int, int, float], ...]
    omitted: tuple[tuple[int, float], ...]
    asks: Floats
    keys: Floats
    places: tuple[Place, ...]

    def refers(self, start: int, end: int) -> float:
        """Return how surely ``question[start:end]`` refers: its surest token's probability; 0.0 where none was read."""
        return max((p for first, last, p in self.referring if first < end and start < last), default=0.0)

    def pointer(self, start: int, end: int) -> Pointer:
        """Return where ``question[start:end]`` points; what is left out, where the two are equal."""
        rows = [i + 1 for i, (first, last, _) in enumerate(self.referring) if first < end and start < last]
        asked = self.asks[rows].mean(axis=0) if rows and end > start else self.asks[0]
        width = self.keys.shape[2]
        logits = np.einsum("pw,tpw->pt", asked, self.keys) / np.float32(width) ** 0.5
        return Pointer(_log_softmax(logits[0]), _log_softmax(logits[1]), _sigmoid(logits[2]), self.places)


@dataclass(frozen=True, slots=True)
class Pointer:
    """Where one expression points: log probabilities of start and end, probabilities of belonging, a token each."""

    starts: Floats
    ends: Floats
    inside: Floats
    places: tuple[Place, ...]

    def score(self, places: Iterable[Place]) -> float | None:
        """Return the log probability that the expression means what stands at *places*; None where none was read.

        What is named more often gathers the probability of all its places, as the scorer was fitted to give it.
        """
        rows = sorted({row for place in places for row in self._rows(place)})
        if not rows:
            return None
        return float(np.logaddexp.reduce(self.starts[rows]) + np.logaddexp.reduce(self.ends[rows]))

    def belongs(self, place: Place) -> float:
        """Return the mean probability that the tokens at *place* belong to what is meant; 0.0 where none was read."""
        rows = self._rows(place)
        return float(np.mean([self.inside[i] for i in rows])) if rows else 0.0

    def best(self, longest: int = 25) -> tuple[Place, float] | None:
        """Return the likeliest span and its log probability; None where nothing is likelier.

        It goes on to both sides as long as the tokens belong to what is meant: "a lease | for a shop on Tanner Street".
        """
        if len(self.places) == 0:
            return None
        first = int(self.starts.argmax())
        if first == 0:
            return None
        message = self.places[first - 1][0]
        last = first
        for i in range(first, min(first + longest, len(self.starts))):
            if self.places[i - 1][0] != message:
                break
            if self.ends[i] > self.ends[last]:
                last = i
        score = float(self.starts[first] + self.ends[last])
        while self._goes_on(last + 1, message):
            last += 1
        while self._goes_on(first - 1, message):
            first -= 1
        return (message, self.places[first - 1][1], self.places[last - 1][2]), score

    def _goes_on(self, row: int, message: int) -> bool:
        there = 0 < row <= len(self.places) and self.places[row - 1][0] == message
        return there and bool(self.inside[row] > BELONGS)

    def _rows(self, place: Place) -> list[int]:
        message, start, end = place
        return [
            i + 1 for i, (m, first, last) in enumerate(self.places) if m == message and first < end and start < last
        ]


class Scorer(Protocol):
    """A learned reading of questions; ``rag`` has one over the embedding model's own layers."""

    def read(self, question: str, history: tuple[tuple[Role, str], ...]) -> Reading | None:
        """Return the reading of *question* after *history*, oldest first; None where there is nothing to read."""
        ...


def _log_softmax(logits: Floats) -> Floats:
    shifted = logits - logits.max()
    result: Floats = (shifted - np.log(np.exp(shifted).sum())).astype(np.float32)
    return result


def _sigmoid(logits: Floats) -> Floats:
    result: Floats = np.exp(-np.logaddexp(0.0, -logits)).astype(np.float32)  # 1 / (1 + exp(-x)) overflows below -88
    return result

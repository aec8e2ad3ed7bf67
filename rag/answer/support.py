"""Whether the passages support an answer at all."""

from __future__ import annotations

import math

from rag.answer.evidence import Scored
from rag.answer.questions import Asked
from rag.answer.subjects import Subject

# Fitted by logistic regression on the best unit of 900 questions in four languages: answered right, without an answer in
# the documents, or with the units that answer taken away.  At this bound one right answer in fifteen is withheld, and
# half of the questions that no document answers are known as such; cosine alone parts nothing (gold .87, wrong .83).
_BOUND = 0.13
_BASE = -6.14


def supported(asked: Asked, found: tuple[Scored, ...], subject: Subject | None) -> bool:
    """Return whether the best unit answers: it speaks of the subject, and has the attribute's or the question's words."""
    best = found[0].features
    if subject is not None and subject.strict and best.foreign >= 1.0 and not best.subject:
        return False
    return probability(asked, found[0]) > _BOUND


def probability(asked: Asked, best: Scored) -> float:
    """Return how probable it is, in [0, 1], that the unit *best* answers."""
    given = best.features
    logit = (
        _BASE
        + 2.25 * given.overlap
        + 1.5 * given.around
        + 0.91 * (given.attribute if asked.attributes else 0.5)
        + 1.53 * given.value
        + 1.76 * given.similarity
        + 1.0 * (given.subject + given.inherited)
        - 3.0 * given.foreign
        + 2.29 * given.rank
        + 0.69 * given.digits
        - 0.37 * bool(asked.attributes)
        - 1.9 * best.uncovered
        + 1.56 * best.crossing
    )
    return 1 / (1 + math.exp(-logit))

"""Whether the passages support an answer at all."""

from __future__ import annotations

import math

from rag.answer.evidence import Scored
from rag.answer.questions import Asked
from rag.answer.subjects import Subject

# Fitted by logistic regression on the best unit of 900 questions in four languages: answered right, without an answer
# in the documents, or with the units that answer taken away.  At this bound one right answer in eighteen is withheld,
# and half of the questions that no document answers are known as such.  Cosine alone parts nothing: .87 against .83.
_BOUND = 0.12
_BASE = -5.5


def supported(asked: Asked, found: tuple[Scored, ...], subject: Subject | None) -> bool:
    """Return whether the best unit answers: it speaks of the subject, and is probably what is asked for."""
    best = found[0].features
    if subject is not None and subject.strict and best.foreign >= 1.0 and not best.subject:
        return False
    return probability(asked, found[0]) > _BOUND


def probability(asked: Asked, best: Scored) -> float:
    """Return how probable it is, in [0, 1], that the unit *best* answers."""
    given = best.features
    logit = (
        _BASE
        + 2.3 * given.overlap
        + 1.2 * given.around
        + 0.25 * (given.attribute if asked.attributes else 0.5)
        + 1.5 * given.value
        + 1.7 * given.similarity
        + 1.25 * (given.subject + given.inherited)
        - 2.5 * given.foreign
        + 2.2 * given.rank
        + 0.6 * given.digits
        - 0.4 * bool(asked.attributes)
        - 2.4 * best.uncovered
        + 1.25 * best.crossing
    )
    return 1 / (1 + math.exp(-logit))

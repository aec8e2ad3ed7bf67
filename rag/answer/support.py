"""Whether the passages support an answer at all."""

from __future__ import annotations

from rag.answer.evidence import Scored
from rag.answer.questions import Asked
from rag.answer.subjects import Subject


def supported(asked: Asked, found: tuple[Scored, ...], subject: Subject | None) -> bool:
    """Return whether the best unit answers: it speaks of the subject, and has the attribute's words or the question's."""
    best = found[0].features
    if subject is not None and subject.strict and best.foreign >= 1.0 and not best.subject:
        return False
    words = best.overlap + 0.6 * best.around
    if asked.attributes and best.attribute >= 0.5 and (best.value or words > 0.15):
        return True
    return words >= 0.2 or best.similarity > 0.6

"""Whether the passages support an answer at all."""

from __future__ import annotations

import math

from rag.answer.questions import Asked, understand
from rag.answer.reading import Scored
from rag.answer.subjects import Subject

# Fitted by logistic regression on the best unit of 1,900 questions in four languages: answered right, without an answer
# in the documents, or with the units that answer taken away.  Cosine alone parts nothing: .87 against .83.
# The bound is a choice between two faults.  With good questions .26 knows three quarters of those that no document
# answers and leaves .82 of the others right; .15 knows a third and leaves .84: an answer with its source, which the
# reader can judge, is worth more than a refusal.
_BOUND = 0.16
_DIRECT = 0.1  # where the thing itself, the attribute by its name and a value of its type stand in one unit
_BASE = -4.4
# Where there is a selector, its logit and that of the features are added: by this a right answer and a question without
# one lie in order in .86 of the pairs of 878 questions that it was not fitted on, by the features alone in .65.  At
# this bound .33 of the questions without an answer are refused, and .02 of the right answers.
_SELECTED = -4.0
_OF_ALL = frozenset(("returns", "delivery"))  # what a house says once of all that it sells


def supported(asked: Asked, found: tuple[Scored, ...], subject: Subject | None) -> bool:
    """Return whether the best unit answers: it speaks of the subject, and is probably what is asked for."""
    best = found[0].features
    if subject is not None and subject.strict and best.foreign >= 1.0 and not best.subject:
        return False
    if (
        set(asked.attributes[:1]) & _OF_ALL and not best.attribute
    ):  # how soon it is charged is not how soon it comes back
        return False
    if not found[0].measured:  # "how many watts" is answered by watts alone
        return False
    named = subject is not None and not subject.frame and best.subject + best.inherited >= 1.0
    if named and best.cell >= 1.0:  # the thing's own row, and the column asked for
        return True
    if found[0].logit is not None:
        return found[0].logit + log_odds(asked, found[0], subject) > _SELECTED
    direct = named and best.attribute >= 1.0 and best.value >= 1.0
    return 1 / (1 + math.exp(-log_odds(asked, found[0], subject))) > (_DIRECT if direct else _BOUND)


def log_odds(asked: Asked, best: Scored, subject: Subject | None) -> float:
    """Return how probable the features make it that the unit *best* answers, as a logit: above 0 rather than not."""
    given = best.features
    # What all documents are about, a firm or nothing in particular, is named in few sentences.
    about = 0.7 if subject is None or subject.frame else given.subject + given.inherited
    return (
        _BASE
        + 1.4 * given.overlap
        + 0.15 * given.around
        + 0.6 * (given.attribute if asked.attributes else 0.5)
        + 0.8 * given.value
        + 0.95 * given.similarity
        + 0.8 * given.meaning
        + 1.0 * about
        - 0.5 * given.foreign
        + 0.5 * given.rank
        + 1.0 * given.dense
        + 0.9 * given.lexical
        + 0.2 * given.label
        - 1.0 * best.uncovered
        + (0.35 + 0.45 * best.uncovered) * best.crossing
    )


def is_of_all(question: str, language: str) -> bool:
    """Return whether *question* is about what a house says once of all that it sells: returns, delivery.

    >>> is_of_all("How long do I have to return it?", "en"), is_of_all("How much does it weigh?", "en")
    (True, False)
    """
    return bool(_OF_ALL & set(understand(question, language).attributes[:1]))

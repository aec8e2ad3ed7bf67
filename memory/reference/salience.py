"""Which of the antecedents that agree is meant: the most salient; where two are equal, none is."""

from __future__ import annotations

from collections.abc import Sequence

from memory.reference.candidates import Antecedent
from memory.reference.discourse import Discourse, Mention
from memory.reference.expression import Expression

# Weights: recency carries most of it (work on salience ranking puts sentence recency first, then grammatical role);
# set by hand so that one message back outweighs any bonus within a message, and tried on the project's own cases.
_MESSAGE = 0.5  # lost with each message back
_ASKED = 0.4  # named in the person's last question
_SUBJECT = 0.2
_NAMED = 1.0
_KNOWN = 0.4  # a name of the catalogue: what the documents are about, not what a quotation happens to name
_AGREES = 0.2  # gender on evidence, where the expression asks for one; unknown gender only does not speak against it
_HOUSE = -0.3  # an organisation, for a singular pronoun: the house is the setting of the talk more often than its topic
_OBLIQUE = -0.2  # an untyped name that only ever stood behind a preposition: a place or an adjunct more often than not
_AGAIN = 0.1  # for each further mention among the last four messages
_SETTINGS = frozenset(("ORGANIZATION", "LOCATION", "OTHER", ""))  # what is around when something else is talked about
EQUAL = 0.26  # scores nearer than this are equal: less than a subject's bonus


def salience(antecedent: Antecedent, discourse: Discourse, expression: Expression | None = None) -> float:
    """Return how present *antecedent* is at the end of *discourse*, for *expression* where one is given."""
    newest = max(m.message for m in antecedent.mentions)
    back = discourse.messages - 1 - newest
    score = -_MESSAGE * back
    recent = [m for m in antecedent.mentions if discourse.messages - m.message <= 4]
    if discourse.frame_at >= 0 and any(m.message == discourse.frame_at for m in antecedent.mentions):
        score += _ASKED
    if any(m.subject or _group_has_subject(m, discourse) for m in antecedent.mentions if m.message == newest):
        score += _SUBJECT
    if antecedent.named:
        score += _NAMED
    if not antecedent.type and all(m.preposition for m in antecedent.mentions):
        score += _OBLIQUE
    if any(m.known for m in antecedent.mentions):
        score += _KNOWN
    if expression is not None:
        if expression.genders and antecedent.genders and antecedent.genders <= expression.genders:
            score += _AGREES
        if antecedent.type == "ORGANIZATION" and expression.numbers == {"s"} and not expression.noun:
            score += _HOUSE
    return score + _AGAIN * max(0, len(recent) - 1)


def _group_has_subject(mention: Mention, discourse: Discourse) -> bool:
    return mention.group >= 0 and any(m.group == mention.group and m.subject for m in discourse.mentions)


def ranked(
    candidates: Sequence[Antecedent], discourse: Discourse, expression: Expression | None = None
) -> list[tuple[float, Antecedent]]:
    """Return the candidates with their scores, the most salient first."""
    scored = [(salience(a, discourse, expression), a) for a in candidates]
    return sorted(scored, key=lambda pair: (-pair[0], -pair[1].last.message, pair[1].last.order))


def _alike(equal: Sequence[Antecedent]) -> list[Antecedent]:
    """Return those of the equally salient that a person would weigh against each other: things of one type.

    Of a house, a place and a product the product is meant; of a person and a product the more salient one.
    """
    types = {a.type for a in equal}
    if len(types) < 2:
        return list(equal)
    topics = [a for a in equal if a.type not in _SETTINGS]
    beside = [a for a in equal if a.type in ("", "OTHER") and any(_beside(a, topic) for topic in topics)]
    if not topics:
        return list(equal)
    return [*topics, *beside] if len({a.type for a in topics}) == 1 else topics[:1]


def _beside(antecedent: Antecedent, other: Antecedent) -> bool:
    """Return whether one coordination named both last."""
    return antecedent.last.group >= 0 and antecedent.last.group == other.last.group


def choose(
    candidates: Sequence[Antecedent], discourse: Discourse, expression: Expression | None = None
) -> tuple[Antecedent, ...]:
    """Return the one that is meant, or all that are equally salient, in the order in which they were named."""
    return foremost(ranked(candidates, discourse, expression), expression)


def foremost(order: Sequence[tuple[float, Antecedent]], expression: Expression | None = None) -> tuple[Antecedent, ...]:
    """Return the one that is meant of what ``ranked`` gave, or all that are equally salient, as they were named."""
    if not order:
        return ()
    best, first = order[0]
    equal = [a for score, a in order if best - score < EQUAL and a.named == first.named]
    if expression is not None:
        equal = _alike(equal)
    if len(equal) == 1:
        return (first,)
    return tuple(sorted(equal, key=lambda a: (a.last.message, a.last.order)))

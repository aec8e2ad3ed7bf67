"""Where the learned scorer corrects and completes what the rules found.

The rules know grammar and the catalogue, the scorer knows what is usually meant: it weighs candidates that agree, takes
back a rewrite of a question that is complete, and finds antecedents that no rule looks for ("a black jacket").
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from languages.grammar import DEFINITE
from languages.text import fold, fold_map
from memory.reference.analysis import analyse
from memory.reference.candidates import Antecedent, contradicts
from memory.reference.discourse import Mention
from memory.reference.expression import Expression, span_of
from memory.reference.observe import mentions_of
from memory.reference.reading import Place, Pointer, Reading
from memory.reference.referring import find_expressions
from memory.reference.rewrite import referent_of
from memory.reference.state import State, add_link
from memory.types import Link

# Set on cases that neither the weights nor the rules had seen; benchmarks/README.md has the figures.
WEIGHT: Final = 0.4  # of a log probability beside salience, of which a message back is worth 0.5
_FLOOR: Final = -5.0  # log probabilities below it are equal
_UNREAD: Final = -3.0  # of a candidate that stands nowhere in what was read
COMPLETE: Final = 0.9  # probability of "unchanged" from which a rewrite is taken back
DARE: Final = 0.6  # probability of "resolved" from which the scorer's own antecedent is written in
ASK: Final = 0.6  # probability of "ambiguous" from which two readings are asked back about
CLEAR: Final = 0.12  # probability of "ambiguous" below which the likelier of two equal ones is taken
_REFERS: Final = 0.5
_BELONGS: Final = 0.5
_AHEAD: Final = 1.5  # log probability by which a span must be likelier than the best known entity
_POINTED: Final = -3.0  # log probability of start and end together, at least
_CHOICES: Final = frozenset(("both", "former", "latter", "ordinal", "other", "comparison", "one"))


def leaning(state: State, expression: Expression, candidates: Sequence[Antecedent]) -> Mapping[str, float]:
    """Return what the scorer adds to the salience of each candidate, by entity; {} without a scorer."""
    if state.reading is None or len(candidates) < 2:
        return {}
    pointer = state.reading.pointer(expression.start, expression.end)
    scores = {a.entity: _score(state, pointer, a) for a in candidates}
    best = max(scores.values())
    return {entity: WEIGHT * max(_FLOOR, score - best) for entity, score in scores.items()}


def _score(state: State, pointer: Pointer, antecedent: Antecedent) -> float:
    found = [pointer.score(place) for place in places_of(state, antecedent)]
    return max((score for score in found if score is not None), default=_UNREAD + _FLOOR)


def places_of(state: State, antecedent: Antecedent) -> tuple[Place, ...]:
    """Return where *antecedent* stands in the messages that were read."""
    kept = state.places.get(antecedent.entity)
    if kept is None:
        wanted = {fold(antecedent.entity), *(fold(m.text) for m in antecedent.mentions)}
        kept = tuple(
            (index, *folded.original_span(start, start + len(text)))
            for index, (_, said) in enumerate(state.discourse.recent)
            for folded in (fold_map(said),)
            for text in wanted
            if text
            for start in _occurrences(folded.text, text)
        )
        state.places[antecedent.entity] = kept
    return kept


def _occurrences(text: str, part: str) -> list[int]:
    found, at = [], text.find(part)
    while at >= 0:
        found.append(at)
        at = text.find(part, at + 1)
    return found


def revise(state: State) -> None:
    """Correct and complete what the rules found by what the scorer read."""
    reading = state.reading
    if reading is None:
        return
    if state.links:
        if reading.unchanged > COMPLETE:
            state.links.clear()
        return
    if not state.ambiguous and reading.resolved > DARE:
        _complete(state, reading)


def _complete(state: State, reading: Reading) -> None:
    """Write in what the scorer points at: in place of what refers, else where something is left out."""
    expressions = [e for e in find_expressions(state.analysis) if e.kind not in _CHOICES]
    fitting = [e for e in expressions if reading.refers(e.start, e.end) > _REFERS] or _tagged(state, reading)
    for expression in fitting:
        picked = _meant(state, reading.pointer(expression.start, expression.end), expression)
        if picked:
            add_link(state, expression, picked)
    if not fitting:
        link = _left_out(state, reading)
        if link is not None:
            state.links.append(link)


def _tagged(state: State, reading: Reading) -> list[Expression]:
    """Return the words that refer by the scorer alone, as one definite expression."""
    words = [w.index for w in state.analysis.words if reading.refers(w.start, w.end) > _REFERS]
    if not words or words[-1] - words[0] >= len(words) + 1:
        return []
    start, end = span_of(state.analysis, words[0], words[-1])
    return [Expression("demonstrative", words[0], words[-1], start, end)]


def _meant(state: State, pointer: Pointer, expression: Expression | None) -> tuple[Antecedent, ...]:
    """Return what is pointed at: known entities, several for a plural, or what stands there without a name."""
    here = {fold(phrase.entity) for phrase in state.analysis.phrases if phrase.name}
    open_ = [a for a in state.known if fold(a.entity) not in here]
    if expression is not None:
        open_ = [a for a in open_ if not contradicts(expression, a)]
        if expression.numbers and expression.numbers <= {"p", "d"}:
            several = [a for a in open_ if any(pointer.belongs(place) > _BELONGS for place in places_of(state, a))]
            if len(several) > 1:
                return tuple(several)
    scores = sorted(((_score(state, pointer, a), n) for n, a in enumerate(open_)), reverse=True)
    best = pointer.best()
    if best is None or best[1] < _POINTED:
        return (open_[scores[0][1]],) if scores and scores[0][0] > _POINTED else ()
    if scores and scores[0][0] > best[1] - _AHEAD:
        return (open_[scores[0][1]],)
    found = _standing(state, best[0])
    if found is None or fold(found.entity) in here or (expression is not None and contradicts(expression, found)):
        return ()
    return (found,)


def _standing(state: State, place: Place) -> Antecedent | None:
    """Return what stands at *place* in the messages as an antecedent: the phrase there, else the words themselves."""
    index, start, end = place
    role, said = state.discourse.recent[index]
    message = state.discourse.messages - len(state.discourse.recent) + index
    analysis = analyse(said, state.discourse.language or state.analysis.tongue.code, state.catalogs)
    for phrase, mention in zip(analysis.phrases, mentions_of(analysis, message, role), strict=False):
        shared = min(end, phrase.end) - max(start, phrase.start)
        if shared > 0.6 * max(end - start, phrase.end - phrase.start):
            return _alone(mention)
    words = [w for w in analysis.words if w.start < end and start < w.end]
    determiner = words[0].text if len(words) > 1 and words[0].key in analysis.tongue.determiners else ""
    inner = words[1:] if determiner else words
    if not inner:
        return None
    entity = said[inner[0].start : inner[-1].end]
    mention = Mention(
        entity, said[words[0].start : words[-1].end], message, 0, role, named=False, article=DEFINITE,
        determined="definite" if determiner else "",
    )  # fmt: skip
    return _alone(mention)


def _alone(mention: Mention) -> Antecedent:
    return Antecedent(
        mention.entity, (mention,), mention.type, (mention.noun,) if mention.noun else (), frozenset(mention.genders),
        frozenset(mention.numbers), mention.article, mention.named,
    )  # fmt: skip


def _left_out(state: State, reading: Reading) -> Link | None:
    """Return the link of what is left out: its owner phrase where the scorer would put it."""
    picked = _meant(state, reading.pointer(0, 0), None)
    if not picked or not reading.omitted:
        return None
    text = state.analysis.text
    at = max(reading.omitted, key=lambda pair: pair[1])[0]
    body = len(text.rstrip(" ?؟!.\u00a0\u202f"))
    at = min(at, body)
    while 0 < at < body and text[at - 1] == " ":
        at -= 1
    at = at or body
    tongue = state.analysis.tongue
    words = tongue.hooks.phrase(referent_of(picked[0], tongue), "owner")
    return Link("", (at, at), (picked[0].entity,), at, at, f" {words}", ("ellipsis_new_attribute",))

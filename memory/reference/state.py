"""What one resolution has found so far, and how a link is added to it with what spoke for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType

from languages.text import Folded, fold, fold_map
from memory.reference.analysis import Analysis
from memory.reference.candidates import Antecedent
from memory.reference.discourse import Discourse
from memory.reference.expression import Expression
from memory.reference.reading import Place, Reading
from memory.reference.referring import find_expressions
from memory.reference.rewrite import link_of_choice, link_to, no_edit
from memory.reference.salience import ranked
from memory.types import Catalog, Link

OTHERS = 3  # readings beside the chosen one that a link carries, at most
_LIGHT = frozenset(("pronoun", "possessive", "demonstrative"))  # may repeat what the question names by now
_UNWEIGHED = -1e9  # what agreed and was not weighed comes last
_KINDS: Mapping[str, str] = MappingProxyType(
    {
        "pronoun": "subject_pronoun", "demonstrative": "demonstrative", "definite": "definite_noun", "one": "one_of",
        "other": "one_of", "comparison": "one_of", "adverb": "last_mentioned", "time": "last_mentioned",
    }
)  # fmt: skip


@dataclass
class State:
    """What one resolution has found so far."""

    analysis: Analysis
    discourse: Discourse
    known: tuple[Antecedent, ...]
    catalogs: tuple[Catalog, Catalog]  # what the application knows, then the names of the conversation
    links: list[Link] = field(default_factory=list)
    meant: dict[str, Antecedent] = field(default_factory=dict)
    agreed: dict[tuple[int, int], tuple[Antecedent, ...]] = field(default_factory=dict)  # by an expression's offsets
    weights: dict[tuple[int, int], dict[str, float]] = field(default_factory=dict)  # of what was weighed, by entity
    ambiguous: tuple[Antecedent, ...] = ()
    expression: str = ""
    reading: Reading | None = None  # of the learned scorer, where there is one
    told: bool = False  # the last answer says which of several is meant: no scorer asks back about them
    settled: bool = False  # the question is "Why?" alone, or all there is to an answer: no scorer adds a thing to it
    learned: bool = False  # the scorer decided something that the rules alone would not have

    @cached_property
    def expressions(self) -> tuple[Expression, ...]:
        """Return the question's referring expressions."""
        return find_expressions(self.analysis)

    @cached_property
    def named_here(self) -> frozenset[str]:
        """Return the folded names that stand in the question itself."""
        return frozenset(fold(phrase.entity) for phrase in self.analysis.phrases if phrase.name)

    @cached_property
    def places(self) -> dict[str, tuple[Place, ...]]:
        """Return where each entity of the conversation stands in the messages that were read.

        A name that stands only within the name of another one, as "Pad 10" does in "Pad 10 Kids", does not stand there.
        """
        texts = [fold_map(said) for _, said in self.discourse.recent]
        found = {antecedent.entity: tuple(_places(antecedent, texts)) for antecedent in self.known}
        folded = {entity: fold(entity) for entity in found}
        return {entity: _alone(own, _of_longer(entity, folded, found)) for entity, own in found.items()}


def _of_longer(entity: str, folded: Mapping[str, str], found: Mapping[str, Sequence[Place]]) -> list[Place]:
    """Return where the entities stand whose names hold that of *entity* and go on."""
    name = folded[entity]
    longer = (other for other, whole in folded.items() if len(whole) > len(name) and name in whole)
    return [place for other in longer for place in found[other]]


def _alone(places: Sequence[Place], longer: Sequence[Place]) -> tuple[Place, ...]:
    """Return those of *places* that lie in none of *longer*."""
    return tuple(
        (message, start, end)
        for message, start, end in places
        if not any(
            at == message and first <= start and end <= last and last - first > end - start
            for at, first, last in longer
        )
    )


def _places(antecedent: Antecedent, texts: Sequence[Folded]) -> Iterator[Place]:
    wanted = {fold(antecedent.entity), *(fold(m.text) for m in antecedent.mentions)} - {""}
    for index, folded in enumerate(texts):
        for text in sorted(wanted):
            for start in occurrences(folded.text, text):
                yield index, *folded.original_span(start, start + len(text))


def occurrences(text: str, part: str) -> Iterator[int]:
    """Yield where *part* begins in *text*."""
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + 1)


def others(state: State, expression: Expression | None, picked: Sequence[Antecedent]) -> tuple[str, ...]:
    """Return the readings beside *picked* that agreed, the likelier first; without an *expression* of what is left out.

    Neither what the question names itself nor, beside a name, things without one; for several only what is several.
    """
    span = (expression.start, expression.end) if expression is not None else (0, 0)
    said = {*state.named_here, *(fold(a.entity) for a in picked)}
    several = len(picked) > 1 or (expression is not None and bool(expression.numbers) and "s" not in expression.numbers)
    found = [
        a
        for a in state.agreed.get(span, ())
        if fold(a.entity) not in said
        and (a.named or not picked[0].named)
        and (not several or a.numbers == {"p"} or a.type == "ORGANIZATION")
    ]
    if len(found) > 1:
        weights = state.weights.get(span) or {a.entity: w for w, a in ranked(found, state.discourse, expression)}
        found.sort(key=lambda a: -weights.get(a.entity, _UNWEIGHED))
    return tuple(a.entity for a in found[:OTHERS])


def add_link(state: State, expression: Expression, picked: Sequence[Antecedent]) -> None:
    """Add the link of *expression* to *picked*: an edit, none where the question says it by now."""
    entities = tuple(a.entity for a in picked)
    evidence = _evidence(expression, picked, state.discourse)
    if expression.kind in _LIGHT and all(entity in state.meant for entity in entities):
        state.links.append(no_edit(state.analysis, expression, entities, evidence))
        return
    link = (link_of_choice if _asks_which(state.analysis, expression) else link_to)(
        state.analysis, expression, picked, evidence
    )
    if any(link.start < other.end and other.start < link.end for other in state.links):
        link = no_edit(state.analysis, expression, entities, evidence)
    else:
        link = replace(link, alternatives=others(state, expression, picked))
    state.links.append(link)
    state.meant.update({a.entity: a for a in picked})


def _asks_which(analysis: Analysis, expression: Expression) -> bool:
    """Return whether the expression itself asks for one of several: "which of the two", "lequel des deux", أيهما."""
    return expression.kind == "both" and analysis.tongue.asks(analysis.words[expression.first].key)


def _evidence(expression: Expression, picked: Sequence[Antecedent], discourse: Discourse) -> tuple[str, ...]:
    """Return what spoke for the reading, as keys of the language packs' evidence texts ("turns_ago|2")."""
    found = [_KINDS.get(expression.kind, expression.kind)]
    names = {"m": "agrees_masculine", "f": "agrees_feminine", "n": "agrees_neuter"}
    if len(expression.genders) == 1 and all(a.genders == expression.genders for a in picked):
        found.append(names[next(iter(expression.genders))])
    if expression.numbers == {"p"}:
        found.append("agrees_plural")
    back = (discourse.messages - max(a.last.message for a in picked) + 1) // 2
    return (*found, f"turns_ago|{max(1, back)}")

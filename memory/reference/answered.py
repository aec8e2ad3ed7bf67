"""What the last answer settled: the one thing that it names where the question was which, or who."""

from __future__ import annotations

from collections.abc import Sequence

from languages.text import fold
from memory.reference.analysis import analyse
from memory.reference.candidates import Antecedent
from memory.reference.expression import Expression, after_openers, asks_who
from memory.reference.state import State
from memory.reference.tongue import Tongue

THINGS = frozenset(("PRODUCT", "SERVICE", "DOCUMENT", "EVENT"))


def singled_out(state: State, candidates: Sequence[Antecedent]) -> Antecedent | None:
    """Return which of *candidates* the last answer names alone, where the question was which of several, or who."""
    discourse, tongue = state.discourse, state.analysis.tongue
    frame, newest = discourse.frame, discourse.messages - 1
    if frame is None or frame.language != tongue.code:
        return None
    asked = analyse(frame.text, frame.language, state.catalogs)
    told = [a for a in candidates if a.last.message == newest and a.last.role == "assistant"]
    if asks_who(asked):
        people = [a for a in told if a.type == "PERSON"]
        said = [fold(word.text) for word in asked.words if word.key not in tongue.closed]
        shares = sorted((sum(word in fold(a.last.sentence) for word in said), n) for n, a in enumerate(people))
        one = len(people) == 1 or (len(people) > 1 and shares[-1][0] > shares[-2][0])  # who else leads something else
        return people[shares[-1][1]] if one else None
    words = [word.key for word in after_openers(asked)]
    if not words or tongue.longest(words, 0, tongue.sets["which"]) is None:
        return None
    named = [a for a in state.known if a.named and a.type in THINGS and a.last.message == newest]
    several = len({span[2] for span in frame.spans}) != 1
    return named[0] if len(named) == 1 and several and named[0] in told else None


def is_thing(antecedent: Antecedent, tongue: Tongue) -> bool:
    """Return whether *antecedent* is a thing with a name, not somebody by name or role: «أمينة الصندوق»."""
    somebody = antecedent.type == "PERSON" or _is_role(antecedent, tongue)
    return antecedent.named and antecedent.type in (*THINGS, "OTHER", "") and not somebody


def of_its_sort(state: State, expression: Expression, options: Sequence[Antecedent]) -> tuple[Antecedent, ...]:
    """Return of *options* the things where the last question was about one: "And the other one?" asks for no person.

    Nor does "which of the two?", of the people that the answer between them names.
    """
    spans = state.discourse.frame.spans if state.discourse.frame is not None else ()
    tongue, said = state.analysis.tongue, {fold(span[2]) for span in spans}
    asked = [a for a in state.known if fold(a.entity) in said]
    if not asked or not all(is_thing(a, tongue) for a in asked):
        return tuple(options)
    left = tuple(a for a in options if is_thing(a, tongue))
    if expression.kind in ("other", "both") or len(left) > 1:
        return left if len(left) > 1 or len(left) == len(options) else ()
    return tuple(a for a in options if a.type != "PERSON")


def _is_role(antecedent: Antecedent, tongue: Tongue) -> bool:
    role = tongue.lexicon.kind(antecedent.entity.partition(" ")[0])
    return role is not None and role.type == "PERSON"

"""What the last answer settled: the one thing that it names where the question was which, or who."""

from __future__ import annotations

from collections.abc import Sequence

from memory.reference.analysis import analyse
from memory.reference.candidates import Antecedent
from memory.reference.state import State

_THINGS = frozenset(("PRODUCT", "SERVICE", "DOCUMENT", "EVENT"))


def singled_out(state: State, candidates: Sequence[Antecedent]) -> Antecedent | None:
    """Return what alone the last answer names where the question was which of several: "Which is lighter?"."""
    discourse, tongue = state.discourse, state.analysis.tongue
    frame, newest = discourse.frame, discourse.messages - 1
    if frame is None or frame.language != tongue.code:
        return None
    asked = analyse(frame.text, frame.language, state.catalogs)
    words = [word for word in asked.words if not tongue.has("openers", word.key)]
    if words and tongue.has("whos", words[0].key):
        people = [a for a in candidates if a.type == "PERSON" and a.last.message == newest]
        return people[0] if len(people) == 1 else None
    if not words or tongue.longest([word.key for word in words], 0, tongue.sets["which"]) is None:
        return None
    named = [a for a in state.known if a.named and a.type in _THINGS and a.last.message == newest]
    several = len({span[2] for span in frame.spans}) != 1
    return named[0] if len(named) == 1 and several and named[0].last.role == "assistant" else None

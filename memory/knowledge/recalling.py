"""The facts that answer a question to the memory: what holds now, held before, at first or at a past date."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from languages.text import fold
from memory.knowledge.asking import AskedOfSelf
from memory.knowledge.facts import SELF, StoredFact, holds_at

# Keys that answer for one another where nothing stands under the one asked for.
_INSTEAD: Final[Mapping[str, str]] = MappingProxyType(
    {"name": "call_name", "call_name": "name", "plan": "contract", "contract": "plan"}
)


def facts_asked(asked: AskedOfSelf, history: Sequence[StoredFact]) -> tuple[StoredFact, ...]:
    """Return the facts of the person that *asked* asks for, the newest last; *history* is theirs, oldest first."""
    own = [fact for fact in history if fact.entity == SELF and not fact.withdrawn and fact.act != "retracts"]
    for key in (asked.key, _INSTEAD.get(asked.key, "")):
        under = [fact for fact in own if fact.key == key and _is_about(fact, asked.detail)]
        if under:
            return _then(asked, under)
    return ()


def _is_about(fact: StoredFact, detail: str) -> bool:
    return not detail or fold(fact.detail) == fold(detail)


def _then(asked: AskedOfSelf, under: Sequence[StoredFact]) -> tuple[StoredFact, ...]:
    moment = asked.moment
    if moment is None:
        return tuple(fact for fact in under if fact.retired_at is None)
    if moment.at is not None:
        at = moment.at
        return tuple(fact for fact in under if holds_at(fact, at))
    held = [fact for fact in under if fact.retired_at is None or fact.retired_at > fact.valid_from]
    if moment.kind == "first":
        return tuple(held[:1])
    ended = [fact for fact in held if fact.retired_at is not None]
    return tuple(sorted(ended, key=lambda fact: (fact.retired_at or fact.valid_from, fact.id))[-1:])

"""What a statement says of entities: the relation that a fact's key draws, and the names that its value introduces."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Final

from memory.knowledge.heard import Heard
from memory.knowledge.identity import UNTYPED, compare
from memory.store.entities import Named

# The keys whose value is an entity, with the relation from the subject to it.
_PREDICATES: Final = MappingProxyType(
    {
        "owns": "OWNS",
        "prefers": "PREFERS",
        "dislikes": "DISLIKES",
        "wants": "INTERESTED_IN",
        "employer": "WORKS_AT",
        "place": "LOCATED_IN",
        "plan": "SUBSCRIBES_TO",
        "compares_to": "COMPARES_TO",
        "part_of": "PART_OF",
        "maker": "MADE_BY",
        "uses": "USES",
        "leads": "LEADS",
    }
)
# Keys whose value is surely a name, and of which type of thing.
NAMED_BY: Final = MappingProxyType({"employer": "ORGANIZATION", "place": "LOCATION"})


def predicate_of(key: str) -> str:
    """Return the relation that facts under *key* draw, "" where they draw none.

    >>> predicate_of("employer"), predicate_of("budget")
    ('WORKS_AT', '')
    """
    return _PREDICATES.get(key, "")


def spoken_of(heard: Sequence[Heard], named: Sequence[Named]) -> tuple[Named, ...]:
    """Return the names that *heard* brings beside those *named* already.

    A subject is a name; a value is one where its key says so, where it is written as one of *named*, or has a capital
    and a figure as models have.  What is taken back brings nothing new.
    """
    names = {each.name for each in named}
    found: dict[str, Named] = {}
    for each in heard:
        if each.subject and each.subject not in names:
            found.setdefault(each.subject, Named(each.subject))
        if not predicate_of(each.key) or each.value in names or each.act == "retracts":
            continue
        type_ = NAMED_BY.get(each.key, UNTYPED)
        known = next((other for other in named if compare(other.name, each.value) in ("same", "short")), None)
        if type_ != UNTYPED or known is not None or _is_name(each.value):
            found.setdefault(each.value, Named(each.value, known.type if known else type_))
    return tuple(found.values())


def _is_name(value: str) -> bool:
    return any(map(str.isdigit, value)) and any(map(str.isupper, value))

"""What extractors find in a message, their one interface, and how the findings of several are made one.

An extractor is slower than the rules of a turn and never needed; what it finds is of the message alone.  Each outcome
has a name that is counted, so that a failure is seen and never taken for "nothing found".
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, Protocol

from languages.remembering import canonical_predicate
from memory.knowledge.graph import Triple
from memory.knowledge.heard import Heard
from memory.knowledge.identity import LONGEST, UNTYPED, compare

Outcome = Literal["found", "nothing", "chatty", "truncated", "malformed", "failed", "unavailable"]

MOST: Final = 50  # entities of one message
_FENCE: Final = re.compile(r"\A```[\w-]*\s*\n(.*?)\n?\s*```\Z", re.DOTALL)
_NOTHING: Final = frozenset({"none", "null", "nil", "n/a", "nothing", "no entities", "[]", "{}", ""})


@dataclass(frozen=True, slots=True)
class FoundEntity:
    """An entity in a message: its name as written there, its type, attributes as written."""

    name: str
    type: str = UNTYPED
    attributes: Mapping[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Found:
    """What one extractor found, and how that ended."""

    entities: tuple[FoundEntity, ...] = ()
    relations: tuple[Triple, ...] = ()
    heard: tuple[Heard, ...] = ()
    outcome: Outcome = "nothing"


@dataclass(frozen=True, slots=True)
class Request:
    """A message to be read: its language, the names known already, the types and fields that are looked for."""

    text: str
    language: str
    known: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    fields: Mapping[str, str] = field(default_factory=dict, hash=False)  # id → what it means


class Extractor(Protocol):
    """Reads a message; of two that disagree the one of the higher priority is believed."""

    @property
    def name(self) -> str:
        """Return the name under which outcomes are counted."""
        ...

    @property
    def priority(self) -> int:
        """Return how much it is believed; rules have 10."""
        ...

    def extract(self, request: Request) -> Found:
        """Return what stands in the message; failures are outcomes, nothing is raised."""
        ...


def read_answer(text: str) -> tuple[Any, Outcome]:
    r"""Return the JSON value that a model's whole answer is, in a fence perhaps, and how reading it ended.

    >>> read_answer('```json\n["Weber"]\n```')
    (['Weber'], 'found')
    >>> [read_answer(text)[1] for text in ("NONE.", "Sure! Here they are: []", '[{"name": "Web', "")]
    ['nothing', 'chatty', 'truncated', 'nothing']
    """
    plain = text.strip()
    fenced = _FENCE.match(plain)
    plain = fenced[1].strip() if fenced else plain
    if plain.casefold().strip(" .!") in _NOTHING:
        return None, "nothing"
    if plain[0] not in "[{":
        return None, "truncated" if plain.startswith("```") else "chatty"
    try:
        return json.loads(plain), "found"
    except RecursionError:
        return None, "malformed"
    except json.JSONDecodeError as error:
        if error.msg == "Extra data":
            return None, "chatty"
        ends = error.pos >= len(plain.rstrip()) - 1 or error.msg.startswith("Unterminated")
        return None, "truncated" if ends else "malformed"


def entities_in(value: object, text: str) -> tuple[FoundEntity, ...]:
    """Return the entities of a model's answer: a list of names or objects, or an object with such a list.

    What does not stand in *text* was made up, and is left out.
    """
    if isinstance(value, Mapping):
        listed = value.get("entities")
        if listed is None:  # {"Weber 7": {"type": …, "attributes": …}}
            listed = [{"name": name, **each} for name, each in value.items() if isinstance(each, Mapping)]
        value = listed
    if not isinstance(value, list):
        return ()
    folded = " ".join(text.split()).casefold()
    found = (each for item in value[:MOST] if (each := _entity(item)) is not None)
    return tuple({each.name: each for each in found if each.name.casefold() in folded}.values())


def relations_in(value: object, names: Sequence[str]) -> tuple[Triple, ...]:
    """Return the relations of a model's answer whose ends are among *names*; predicates made canonical."""
    listed = value.get("relations") if isinstance(value, Mapping) else None
    return tuple(dict.fromkeys(_relations(listed, set(names)))) if isinstance(listed, list) else ()


def merged(found: Sequence[tuple[int, Found]]) -> Found:
    """Return what several extractors found, given with their priorities, as one: of each thing the best believed."""
    entities: list[FoundEntity] = []
    relations: dict[Triple, None] = {}
    heard: dict[tuple[str, str, str], Heard] = {}
    for _, each in sorted(found, key=lambda item: -item[0]):
        for new in each.entities:
            place = next((n for n, old in enumerate(entities) if _is_one(old, new)), None)
            if place is None:
                entities.append(new)
                continue
            old = entities[place]
            type_ = old.type if old.type != UNTYPED else new.type
            entities[place] = replace(old, type=type_, attributes={**new.attributes, **old.attributes})
        relations |= dict.fromkeys(each.relations)
        for said in each.heard:
            heard.setdefault((said.subject, said.key, said.detail), said)
    outcome: Outcome = "found" if entities or relations or heard else "nothing"
    return Found(tuple(entities), tuple(relations), tuple(heard.values()), outcome)


def _is_one(old: FoundEntity, new: FoundEntity) -> bool:
    same_words = compare(old.name, new.name) in ("same", "short")
    return same_words and (old.type == new.type or UNTYPED in (old.type, new.type) or old.name == new.name)


def _entity(item: object) -> FoundEntity | None:
    if isinstance(item, str):
        item = {"name": item}
    if not isinstance(item, Mapping) or not isinstance(item.get("name"), str):
        return None
    name = " ".join(str(item["name"]).split())
    if not 0 < len(name) <= LONGEST or name.casefold().strip(" .") in _NOTHING or not any(map(str.isalnum, name)):
        return None
    attributes = item.get("attributes")
    kept = {
        str(key): str(value)
        for key, value in (attributes.items() if isinstance(attributes, Mapping) else ())
        if isinstance(value, str | int | float) and str(value).strip()
    }
    type_ = item.get("type")
    return FoundEntity(name, type_.upper() if isinstance(type_, str) and type_.strip() else UNTYPED, kept)


def _relations(listed: list[object], names: set[str]) -> Iterator[Triple]:
    for item in listed[:MOST]:
        if not isinstance(item, Mapping):
            continue
        subject = item.get("source", item.get("subject"))
        said = item.get("relation", item.get("predicate"))
        target = item.get("target", item.get("object"))
        if (
            all(isinstance(each, str) and each.strip() for each in (subject, said, target))
            and {subject, target} <= names
        ):
            yield str(subject), canonical_predicate(str(said)), str(target)

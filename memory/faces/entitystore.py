"""EntityStore: entities upserted by name, with the turns that mention them; and a model's list merged into it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from languages.detect import detect
from languages.pack import default_code
from languages.remembering import remembering
from memory.faces.profile import Invokes
from memory.faces.shapes import Entity, merge_entity_attribute
from memory.knowledge.extraction import FoundEntity, entities_in, read_answer
from memory.knowledge.identity import UNTYPED, compare, keys_of


class EntityStore:
    """Entities by name, whatever its spelling; the first one is shown."""

    def __init__(self) -> None:
        self._entities: dict[str, Entity] = {}

    def upsert(self, name: str, entity_type: str, attributes: Mapping[str, Any], turn: int = 0) -> None:
        """Make the entity, or take over what is new of it; the value before is kept beside."""
        key = keys_of(name, entity_type.upper()).own
        entity = self._entities.get(key)
        if entity is None:
            self._entities[key] = Entity(name, entity_type, attributes=dict(attributes), mentioned_in_turns=[turn])
            return
        for attribute, value in attributes.items():
            merge_entity_attribute(entity, attribute, value)
        entity.mentions += 1
        if turn not in entity.mentioned_in_turns:
            entity.mentioned_in_turns.append(turn)

    def get(self, name: str) -> Entity | None:
        """Return the entity of that name; a short name finds its only bearer."""
        for type_ in ("OTHER", *{entity.entity_type.upper() for entity in self._entities.values()}):
            if (found := self._entities.get(keys_of(name, type_).own)) is not None:
                return found
        own = keys_of(name).own
        bearers = [e for e in self._entities.values() if own in keys_of(e.name, e.entity_type.upper()).shorts]
        return bearers[0] if len(bearers) == 1 else None

    def get_context_for_prompt(self, relevant_entities: Sequence[str]) -> str:
        """Return a line each for those that are known: the current attributes, not those before."""
        lines = []
        for name in relevant_entities:
            entity = self.get(name)
            if entity is not None:
                told = ", ".join(f"{k}: {v}" for k, v in entity.attributes.items() if not k.endswith("_previous"))
                lines.append(f"{entity.name} ({entity.entity_type}): {told}")
        return "\n".join(lines)


def extract_entities(
    text: str, existing_entities: Mapping[str, Mapping[str, Any]], llm: Invokes, language: str = ""
) -> dict[str, dict[str, Any]]:
    """Return *existing_entities* with what *llm* finds in *text*; as they were where its answer cannot be read."""
    words = remembering(language or detect(text, previous=default_code()).code).extract
    known = json.dumps(existing_entities, ensure_ascii=False)
    answer = llm.invoke(
        f'{words.rules.strip()}\n\n{{"name": {{"type": "…", "attributes": {{}}}}}}\n\n{words.known}: {known}\n\n'
        f"{words.message}: {text}"
    )
    value, _ = read_answer(answer)
    merged = {
        name: {**each, "attributes": dict(each.get("attributes", {}))} for name, each in existing_entities.items()
    }
    seen = f"{text}\n" + "\n".join(merged)
    for found in entities_in(value, seen):
        name = next((each for each in merged if _is_one(found, each, str(merged[each].get("type", "")))), found.name)
        entry = merged.setdefault(name, {"type": found.type.lower(), "attributes": {}})
        entry["attributes"].update(found.attributes)
    return merged


def _is_one(found: FoundEntity, name: str, type_: str) -> bool:
    """Return whether *found* is the entity *name*, or a short name of it."""
    types = found.type if found.type != UNTYPED else type_.upper(), type_.upper()
    return compare(found.name, name, types=types) in ("same", "short")

"""EntityProfile by a schema, and the model call that fills it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from languages.detect import detect
from languages.pack import default_code
from languages.remembering import remembering
from memory.faces.kept import Home
from memory.knowledge.extraction import read_answer
from memory.knowledge.profile import EntityProfile as StoredProfile
from memory.knowledge.profile import Schema, extraction_prompt, known_fields
from memory.memory import EntityMemory


class Invokes(Protocol):
    """A model that answers a prompt."""

    def invoke(self, prompt: str) -> str:
        """Return the model's answer."""
        ...


class EntityProfile:
    """One person's profile by a schema given as {field: description}."""

    def __init__(self, user_id: str, schema: Schema, *, folder: Path | str | None = None) -> None:
        self.user_id = user_id
        self._home = Home(folder)
        self._profile = StoredProfile(EntityMemory(self._home.database), user_id, schema)

    @property
    def fields(self) -> dict[str, str | None]:
        """Return the value of each field, None where it is not known."""
        return self._profile.fields

    @property
    def history(self) -> list[tuple[int, str, str | None, str | None]]:
        """Return every change: turn, field, old, new."""
        return [(int(each.turn), each.field, each.old, each.new) for each in self._profile.history]

    def update(self, facts: Mapping[str, Any], turn: int) -> list[str]:
        """Return the fields that changed; unknown ones are dropped and counted."""
        return list(self._profile.update(facts, str(turn)))

    def format_for_injection(self, language: str = "") -> str:
        """Return what a prompt is told, in *language*."""
        return self._profile.format_for_injection(language or default_code())

    @property
    def dropped(self) -> Counter[str]:
        """Return how often a field was given that the schema does not know."""
        return self._profile.dropped

    def close(self) -> None:
        """Let go of the database."""
        self._home.close()


def extract(message: str, schema: Schema, llm: Invokes, language: str = "") -> dict[str, str]:
    """Return the fields of *schema* that *llm* reads out of *message*; {} for an answer that is no JSON object."""
    code = language or detect(message, previous=default_code()).code
    answer = llm.invoke(f"{extraction_prompt(schema, code)}\n\n{remembering(code).extract.message}: {message}")
    value, outcome = read_answer(answer)
    return known_fields(schema, value) if outcome == "found" and isinstance(value, dict) else {}

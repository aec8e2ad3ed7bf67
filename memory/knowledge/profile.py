"""A person's profile by a schema: which fields are kept, what is known of them, and how a prompt is told.

The schema is a file (``data/profiles``); the values are the person's facts, so that what is heard by rules fills it
too, a change keeps what stood before, and the history stays out of every prompt.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from languages.pack import load
from languages.remembering import remembering
from memory.knowledge.heard import Heard
from memory.knowledge.typesets import read_tables

if TYPE_CHECKING:
    from memory.memory import EntityMemory

FOLDER = Path(__file__).parents[2] / "data" / "profiles"


@dataclass(frozen=True, slots=True)
class Field:
    """A field: what a model answers with (``id``), the fact it is kept under, what it is called and what it means."""

    id: str
    key: str
    description: Mapping[str, str] = field(hash=False)
    label: Mapping[str, str] = field(default_factory=dict, hash=False)

    def called(self, language: str) -> str:
        """Return what people read before the value."""
        return self.label.get(language) or remembering(language).key(self.key)


@dataclass(frozen=True, slots=True)
class Schema:
    """The fields of a profile, in the order in which they are shown."""

    name: str
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A change of a field in a turn; ``old`` is None where nothing stood there, ``new`` where nothing does now."""

    turn: str
    field: str
    old: str | None
    new: str | None


@lru_cache(maxsize=16)
def read_schema(source: str | Path) -> Schema:
    """Return the schema of that name, or of that file.

    >>> [each.id for each in read_schema("support").fields][:3]
    ['name', 'call_name', 'customer_number']

    Raises: TypeSetInvalid.
    """
    path = source if isinstance(source, Path) else FOLDER / f"{source}.toml"
    fields = read_tables(path, "field", _field_of, "schema", "id and description; see data/profiles")
    return Schema(path.stem, fields)


def _field_of(table: Mapping[str, Any]) -> Field:
    return Field(
        str(table["id"]),
        str(table.get("key", table["id"])),
        MappingProxyType(dict(table["description"])),
        MappingProxyType(dict(table.get("label", {}))),
    )


class EntityProfile:
    """The profile of one person; reads and writes their facts."""

    def __init__(self, memory: EntityMemory, person: str, schema: Schema) -> None:
        self._memory = memory
        self._person = person
        self.schema = schema
        self.dropped: Counter[str] = Counter()  # fields that no schema knows, by name

    @property
    def fields(self) -> dict[str, str | None]:
        """Return the value of each field, None where it is not known."""
        current = {fact.key: fact.value for fact in self._memory.facts(self._person)}
        return {each.id: current.get(each.key) for each in self.schema.fields}

    @property
    def known(self) -> tuple[int, int]:
        """Return how many fields are known, and of how many."""
        values = self.fields.values()
        return sum(value is not None for value in values), len(values)

    @property
    def history(self) -> tuple[FieldChange, ...]:
        """Return every change in order; it is never part of a prompt."""
        names = {each.key: each.id for each in self.schema.fields}
        last: dict[str, str | None] = {}
        found = []
        for fact in self._memory.history(self._person, ""):
            if fact.key not in names or fact.withdrawn:
                continue
            new = None if fact.act == "retracts" else fact.value
            found.append(FieldChange(fact.turn, names[fact.key], last.get(fact.key), new))
            last[fact.key] = new
        return tuple(found)

    def update(self, values: Mapping[str, object], turn: str = "", *, conversation: str = "") -> tuple[str, ...]:
        """Return the fields that changed, in the schema's order; values are kept as they are written.

        None says nothing.  Fields that the schema does not know are dropped and counted (``dropped``).
        """
        from memory.memory import Said

        known = {each.id: each.key for each in self.schema.fields}
        self.dropped.update(name for name in values if name not in known)
        given = {name: str(values[name]) for name in known if values.get(name) is not None}
        heard = tuple(Heard("", known[name], value, 0, 0) for name, value in given.items())
        changed = {change.key for change in self._memory.remember(self._person, Said(conversation, turn, (), heard))}
        return tuple(name for name in given if known[name] in changed)

    def format_for_injection(self, language: str) -> str:
        """Return what a prompt is told, one known field a line, in *language*; "" where nothing is known."""
        values = self.fields
        texts = load(language)
        lines = [
            texts.text("label.fact", {"attribute": each.called(language), "value": value})
            for each in self.schema.fields
            if (value := values[each.id]) is not None
        ]
        return "\n".join((texts.text("label.profile"), *lines)) if lines else ""

    def summary(self, language: str) -> str:
        """Return how much is known, as a sentence: "3 of 10 details known"."""
        texts = load(language)
        known, total = (texts.number(str(count)) for count in self.known)
        return remembering(language).known.replace("{known}", known).replace("{total}", total)


def extraction_prompt(schema: Schema, language: str) -> str:
    """Return what a model is told that reads a message for the fields of *schema*; the message follows it."""
    words = remembering(language).extract
    listed = "\n".join(f'- "{each.id}": {each.description.get(language, each.id)}' for each in schema.fields)
    return f"{words.rules.strip()}\n\n{words.fields}:\n{listed}"


def known_fields(schema: Schema, answer: Mapping[str, object]) -> dict[str, str]:
    """Return the values of *answer* that are a text or a number for a field of *schema*, as they are written.

    >>> known_fields(read_schema("finance"), {"age": 41, "pet": "a cat", "name": None, "goal": ["x"]})
    {'age': '41'}
    """
    return {
        each.id: str(value)
        for each in schema.fields
        if isinstance(value := answer.get(each.id), str | int | float) and str(value).strip()
    }

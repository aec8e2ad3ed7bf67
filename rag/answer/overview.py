"""The comparison of things without an attribute asked for: what the documents give of each, attribute by attribute."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from languages import load
from rag.answer.measures import first_of
from rag.answer.question_file import read_file
from rag.answer.questions import DISTINCT, VALUES, Asked
from rag.answer.reading import Reader, Scored
from rag.answer.request import AnswerRequest
from rag.answer.subjects import Subject
from rag.answer.units import Unit
from rag.answer.wording import cells_of, cite, marked
from rag.events import Answer, Citation

# What people compare things by, in this order; each has values that can be set side by side.
ATTRIBUTES = (
    "price",
    "weight",
    "screen",
    "battery",
    "charging",
    "memory",
    "storage",
    "data",
    "speed",
    "term",
    "warranty",
)
_MOST = 5  # attributes in one answer


@dataclass(frozen=True, slots=True)
class _Value:
    subject: Subject
    text: str
    unit: Unit


def overview(request: AnswerRequest, subjects: tuple[Subject, ...], units: tuple[Unit, ...]) -> Answer | None:
    """Return a line for each attribute of which the documents give a value of every thing; None where there is none."""
    read = {each.name: _read(request, each, subjects, units=units) for each in subjects}
    rows: list[tuple[str, tuple[_Value, ...]]] = []
    for attribute in ATTRIBUTES:
        values = tuple(
            value for each in subjects if (value := _value(request, attribute, each, read[each.name])) is not None
        )
        if len(values) == len(subjects) and len({value.unit for value in values}) == len(values):
            rows.append((attribute, values))
    if not rows:
        return None
    language = load(request.language)
    numbers: dict[Unit, int] = {}
    citations: list[Citation] = []
    lines: list[str] = []
    for attribute, values in rows[:_MOST]:
        parts: list[str] = []
        for value in values:
            if value.unit not in numbers:
                numbers[value.unit] = len(numbers) + 1
                citations.append(cite(request, value.unit, numbers[value.unit]))
            parts.append(marked(f"{value.subject.name} {value.text}", (numbers[value.unit],)))
        label = read_file(request.language).attributes[attribute].words[0]
        lines.append(
            language.text("answer.value", {"entity": label[:1].upper() + label[1:], "value": " · ".join(parts)})
        )
    return Answer("\n".join(lines), answered=True, citations=tuple(citations))


def _read(
    request: AnswerRequest, each: Subject, subjects: tuple[Subject, ...], *, units: tuple[Unit, ...]
) -> tuple[Scored, ...]:
    """Return the units that speak of *each*, the surest first."""
    rivals = tuple(other for other in subjects if other is not each)
    reader = Reader(request, Asked(), each, units=units, rivals=rivals)
    scored = [reader.read(number) for number in range(len(units))]
    own = [one for one in scored if one.features.foreign == 0 and one.features.subject + one.features.inherited]
    return tuple(sorted(own, key=lambda one: -one.features.rank))


def _value(request: AnswerRequest, attribute: str, each: Subject, read: Iterable[Scored]) -> _Value | None:
    """Return the first value of *attribute* that is stated of *each* by the attribute's name or by its unit alone."""
    wanted = VALUES[attribute] - {"free", "number", "shots"}
    for one in read:
        spoken = request.language_of(one.unit.hit)
        if one.unit.cells:
            texts = cells_of(one.unit, attribute, spoken)
        else:
            named = one.attributes.get(attribute, 0.0) >= 1 or attribute in DISTINCT
            texts = [one.unit.plain] if named else []
        for text in texts:
            quantity = first_of(text, spoken, wanted)
            if quantity is not None:
                return _Value(each, quantity.text, one.unit)
    return None

"""The cheapest, the lightest, the longest of a whole table: a superlative that asks about no thing by its name."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from languages import load
from rag.answer.comparison import ENDS
from rag.answer.measures import first_of
from rag.answer.questions import Asked, degree_words
from rag.answer.request import AnswerRequest
from rag.answer.stems import stems, stop_stems
from rag.answer.units import Unit
from rag.answer.wording import cells_of, cite, marked
from rag.events import Answer

_LEAST = 3  # rows that make a table


def extreme(request: AnswerRequest, asked: Asked, *, units: tuple[Unit, ...]) -> Answer | None:
    """Return which row of a table has the least or greatest value asked for; None where it cannot be told.

    The question has to say what is compared ("phone"), and a cell or the table's heading to call it so: "which is
    cheaper?" is about what was talked of before, and about no table.
    """
    table = [unit for unit in units if unit.cells]
    if not asked.degree or not asked.attributes or len(table) < _LEAST:
        return None
    rows = _of_kind(table, request, asked)
    valued = [(value, unit) for unit in rows if (value := _value(request, asked, unit)) is not None]
    if len(valued) < 2 or len({base for (_, base, _), _ in valued}) != 1:
        return None
    ordered = sorted(valued, key=lambda pair: asked.degree * pair[0][0], reverse=True)
    ((amount, _, text), unit), ((second, _, _), _) = ordered[:2]
    if amount == second:
        return None
    low, high = ENDS.get(asked.attributes[0], ("lowest", "highest"))
    said = load(request.language).text(
        f"answer.{low if asked.degree < 0 else high}", {"entity": unit.cells[0][1], "value": text}
    )
    return Answer(marked(said, (1,)), answered=True, citations=(cite(request, unit, 1),))


def _of_kind(rows: Sequence[Unit], request: AnswerRequest, asked: Asked) -> Sequence[Unit]:
    """Return the rows of what the question calls the things: by a cell of theirs, else all by their heading."""
    language = request.language
    said = set(stems(request.standalone, language)) - stop_stems(language) - asked.used
    said -= degree_words(language) | {word for words in asked.concepts.values() for word in words}

    def called(unit: Unit) -> bool:
        """Return whether a cell but the first is all said by the question."""
        spoken = request.language_of(unit.hit)
        return any(held and held <= said for _, cell in unit.cells[1:] if (held := set(stems(cell, spoken))))

    kept = [unit for unit in rows if called(unit)]
    if not kept:  # "Which mower is the lightest?" among rows called "Small mower", "Large mower", "Tent"
        named = [unit for unit in rows if said & set(stems(unit.cells[0][1], request.language_of(unit.hit)))]
        kept = named if len(named) > 1 else []
    return kept or [unit for unit in rows if said & set(stems(unit.heading, request.language_of(unit.hit)))]


def _value(request: AnswerRequest, asked: Asked, unit: Unit) -> tuple[Decimal, str, str] | None:
    """Return the value that the row has in the column asked for: in its base unit, that unit, and as it is written."""
    spoken = request.language_of(unit.hit)
    for text in cells_of(unit, asked.attributes[0], spoken):
        quantity = first_of(text, spoken, asked.values)
        if quantity is not None:
            return (*quantity.in_base(), text)
    return None

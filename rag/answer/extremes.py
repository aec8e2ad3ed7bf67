"""The cheapest, the lightest, the longest of a whole table: a superlative that asks about no thing by its name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from languages import codes, load
from rag.answer.comparison import ENDS
from rag.answer.measures import first_of
from rag.answer.questions import Asked, stated
from rag.answer.request import AnswerRequest
from rag.answer.stems import stems
from rag.answer.units import Unit, split
from rag.answer.wording import cite, marked, united
from rag.events import Answer

_LEAST = 3  # rows that make a table


def extreme(request: AnswerRequest, asked: Asked) -> Answer | None:
    """Return which row of ``request.table`` has the least or greatest value asked for; None where it cannot be told.

    What the question calls the things ("phone", "jacket") must stand in a cell of its own where any row has it.
    """
    if not asked.degree or not asked.attributes or len(request.table) < _LEAST:
        return None
    whole = replace(request, hits=request.table)
    rows = _of_kind([unit for unit in split(request.table) if unit.cells], request)
    valued = [(value, unit) for unit in rows if (value := _value(whole, asked, unit)) is not None]
    if len(valued) < 2 or len({base for (_, base, _), _ in valued}) != 1:
        return None
    ordered = sorted(valued, key=lambda pair: asked.degree * pair[0][0], reverse=True)
    (amount, _, text), unit = ordered[0]
    best = [pair for pair in ordered if pair[0][0] == amount]
    if len(best) > 1:
        return None
    low, high = ENDS.get(asked.attributes[0], ("lowest", "highest"))
    said = load(request.language).text(
        f"answer.{low if asked.degree < 0 else high}", {"entity": unit.cells[0][1], "value": text}
    )
    return Answer(marked(said, (1,)), answered=True, citations=(cite(whole, unit, 1),))


def _of_kind(rows: Sequence[Unit], request: AnswerRequest) -> Sequence[Unit]:
    """Return the rows with a cell that is all said by a word of the question; all of them where none has one."""
    asked = set(stems(request.standalone, request.language))

    def fits(unit: Unit) -> bool:
        """Return whether a cell but the first is of the kind asked for."""
        spoken = _spoken(request.table[unit.hit].passage.language, request.language)
        return any(held and held <= asked for _, cell in unit.cells[1:] if (held := set(stems(cell, spoken))))

    kept = [unit for unit in rows if fits(unit)]
    return kept or rows


def _value(request: AnswerRequest, asked: Asked, unit: Unit) -> tuple[Decimal, str, str] | None:
    """Return the value that the row has in the column asked for: in its base unit, that unit, and as it is written."""
    spoken = _spoken(request.hits[unit.hit].passage.language, request.language)
    for column, cell in unit.cells:
        if stated(stems(column, spoken), spoken).get(asked.attributes[0], 0.0) < 1:
            continue
        text = united((column, cell))[1]
        quantity = first_of(text, spoken, asked.values)
        if quantity is not None:
            return (*quantity.in_base(), text)
    return None


def _spoken(language: str, otherwise: str) -> str:
    return language if language in codes() else otherwise

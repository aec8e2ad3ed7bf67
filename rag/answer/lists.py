"""The answer to "which boats do you have?": what the rows of a table, or the lines of a list, are called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from languages import load
from rag.answer.focus import question_part
from rag.answer.questions import Asked
from rag.answer.reading import found_in
from rag.answer.request import AnswerRequest
from rag.answer.stems import stems, stop_stems
from rag.answer.units import Unit, split
from rag.answer.wording import cite, marked
from rag.events import Answer, Citation, Hit

LIST = "list"  # the kind of question, in questions.toml
_MOST = 12  # things in one answer
_SHORT = 4  # words of a cell that says what sort of thing a row is


def asks_for_list(asked: Asked) -> bool:
    """Return whether a question asks what there is, and not what something of it costs or weighs."""
    return LIST in asked.kinds and not asked.attributes and not asked.degree


def with_rows_first(hits: Sequence[Hit], question: str, language: str, asked: Asked) -> tuple[Hit, ...]:
    """Return those of *hits* that are rows of what a question for a list calls its things, the best first."""
    wanted = _wanted(question_part(question), language, asked)
    rows = [unit for unit in split(tuple(hits)) if unit.cells and _fits(unit, wanted, _language(hits, unit, language))]
    rows.sort(key=lambda unit: not _heads(unit, wanted, _language(hits, unit, language)))
    return tuple(hits[unit.hit] for unit in rows)


def listed(request: AnswerRequest, asked: Asked, *, rows: Sequence[Unit], lines: Sequence[Unit]) -> Answer | None:
    """Return the names of what the question asks for, each with its source; None where no table or list has them.

    *rows* are those of the whole table, units of ``request.table``; *lines* the units of the passages.
    """
    wanted = _wanted(question_part(request.standalone), request.language, asked)
    if not wanted:
        return None
    tabled = request.table
    of_table = [unit for unit in rows if unit.cells and _fits(unit, wanted, _language(tabled, unit, request.language))]
    found = _names_of(of_table)
    if len(found) > 1:
        return _said(replace(request, hits=tabled), found)
    found = _labels(request, lines, wanted)
    return _said(request, found) if len(found) > 1 else None


def _labels(request: AnswerRequest, lines: Sequence[Unit], wanted: frozenset[str]) -> Mapping[str, Unit]:
    """Return the labels of the lines under the first heading that says what is asked for."""
    under: dict[tuple[int, str], dict[str, Unit]] = {}
    for unit in lines:
        spoken = request.language_of(unit.hit)
        if unit.labelled and unit.label and _has_all(stems(unit.heading, spoken), wanted):
            under.setdefault((unit.hit, unit.heading), {})[unit.label] = unit
    return next((found for found in under.values() if len(found) > 1), {})


def _said(request: AnswerRequest, found: Mapping[str, Unit]) -> Answer:
    citations: list[Citation] = []
    parts: list[str] = []
    for number, (name, unit) in enumerate(list(found.items())[:_MOST], 1):
        citations.append(cite(request, unit, number))
        parts.append(marked(name, (number,)))
    if len(found) > _MOST:
        parts.append("…")
    return Answer(load(request.language).join(parts, style="standard"), answered=True, citations=tuple(citations))


def _wanted(question: str, language: str, asked: Asked) -> frozenset[str]:
    """Return the stems of what the question calls the things that it asks for."""
    return frozenset(
        word for word in stems(question, language) if word not in asked.used and word not in stop_stems(language)
    )


def _names_of(rows: Sequence[Unit]) -> Mapping[str, Unit]:
    """Return what the rows are called, each with its row; of a table with a column a thing, what the columns are."""
    if rows and not rows[0].cells[0][0] and len(rows[0].cells) > 2:
        return {column: rows[0] for column, _ in rows[0].cells[1:] if column}
    return {unit.cells[0][1]: unit for unit in rows}


def _fits(unit: Unit, wanted: frozenset[str], language: str) -> bool:
    """Return whether a row is one of the things: its heading, its first column or a short cell says all of it.

    A table with a column a thing is one by what these are called.  Where the first column is called otherwise, what
    begins with a figure or in small letters is no name: "up to 14 days before".
    """
    first, *others = unit.cells
    if not first[0]:
        columns = [stems(column, language) for column, _ in others]
        above = stems(unit.heading, language)
        named = any(found_in(word, column) for word in wanted for column in columns)
        return named and all(found_in(word, (*above, *sum(columns, ()))) for word in wanted)
    if not _heads(unit, wanted, language) and not first[1][:1].isupper() and first[1].lower() != first[1].upper():
        return False
    said = [unit.heading, first[0], *(cell for _, cell in others if len(cell.split()) <= _SHORT)]
    head = stems(f"{unit.heading} {first[0]}", language)
    if not any(found_in(word, head) for word in wanted) or first[1][:1].isdigit():
        return False
    text = stems(" ".join(said), language)
    found = sum(found_in(word, text) > 0 for word in wanted)
    return found == len(wanted) or (_heads(unit, wanted, language) and 2 * found >= len(wanted))


def _heads(unit: Unit, wanted: frozenset[str], language: str) -> bool:
    """Return whether the head of the first column is one of the words asked for: "Boat"."""
    head = stems(unit.cells[0][0], language)
    return any(found_in(word, head) for word in wanted)


def _has_all(text: Sequence[str], wanted: frozenset[str]) -> bool:
    return all(found_in(word, text) for word in wanted)


def _language(hits: Sequence[Hit], unit: Unit, language: str) -> str:
    return hits[unit.hit].passage.language or language

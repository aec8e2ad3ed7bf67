"""Excel workbooks (XLSX) to blocks: the visible sheets as tables, numbers and dates as they are shown.

Taken: each visible sheet under its name, its tables with their heads, merged cells for all the rows and columns that
they stand for, formulas by the values they had when the file was saved.  Left out: hidden sheets, rows and columns,
comments, charts, macros.  The rows are read apart (``xlsxrows``): a hostile file can neither hang nor fill this
process.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import Any

from languages import default_code, detect, load
from rag.errors import DocumentTooComplex, DocumentUnreadable
from rag.shelf.apart import read_source
from rag.shelf.blocks import Draft, Source, one_line
from rag.shelf.numberforms import Value, displayed
from rag.shelf.officefile import SHEETS, open_office
from rag.shelf.tables import add_notes, add_table, check_rows

_PROGRAM = "rag.shelf.xlsxrows"
_SAMPLE = 4000  # characters from which the language is told
_FIRST_ROWS = 20  # from which the width of a table is told
_MOST_FILLED = 1_000_000  # cells that merged ones stand for
_Cell = list[Any] | None


@dataclass(slots=True)
class _Sheet:
    """A sheet as the program gives it: its rows by number, each cell as kind, value and format."""

    name: str
    merged: Sequence[Sequence[int]]
    hidden: frozenset[int]  # columns
    rows: dict[int, list[_Cell]] = field(default_factory=dict)


def read_xlsx(source: Source) -> Draft:
    """Return the blocks of an Excel workbook.

    Raises: DocumentMislabelled, DocumentLocked, DocumentTooComplex, DocumentTooManyRows, DocumentUnreadable.
    """
    draft = Draft()
    with open_office(source, SHEETS) as file:
        draft.title = one_line(file.title)
        draft.pictures = file.has_pictures
    sheets = [sheet for sheet in _sheets(source) if sheet.rows]
    locale = _locale(sheets)
    for sheet in sheets:
        several = len(sheets) > 1
        if several:
            draft.add("heading", sheet.name, level=2)
        _add_sheet(draft, sheet, locale, level=3 if several else 1)
    return draft


def _sheets(source: Source) -> list[_Sheet]:
    sheets: list[_Sheet] = []
    expected = "an ordinary workbook. Split it."
    with closing(read_source(_PROGRAM, source, source.limits.rows, _refusal, expected)) as reading:
        for found in reading:
            if "sheet" in found:
                hidden = (range(first, min(last, 20_000) + 1) for first, last in found["columns"])
                columns = frozenset(column for each in hidden for column in each)
                sheets.append(_Sheet(str(found["sheet"]), found["merged"], columns))
            else:
                sheets[-1].rows[int(found["row"])] = found["cells"]
    return sheets


def _refusal(source: Source, found: Mapping[str, Any]) -> DocumentTooComplex | DocumentUnreadable:
    if found["refused"] == "rows":
        check_rows(source, source.limits.rows + 1)
    if found["refused"] == "damaged":
        return DocumentUnreadable(
            f"{source.name} is damaged ({found['reason']}); expected a whole XLSX. Open it in Excel and save it again.",
            {"name": source.name},
        )
    return DocumentTooComplex(
        f"{source.name} has more cells than an ordinary workbook; expected a table of modest width. Split it.",
        {"name": source.name},
    )


def _locale(sheets: Sequence[_Sheet]) -> str:
    """Return the locale of the language of the cells' words."""
    words = (cell[1] for sheet in sheets for row in sheet.rows.values() for cell in row if cell and cell[0] == "s")
    sample = ""
    for word in words:
        sample += f" {word}"
        if len(sample) > _SAMPLE:
            break
    return load(detect(sample, previous=default_code()).code).locale


def _add_sheet(draft: Draft, sheet: _Sheet, locale: str, *, level: int) -> None:
    """Add the tables of a sheet: parted by empty rows where what follows has heads of its own."""
    shown = {number: [_shown(cell, locale) for cell in row] for number, row in sheet.rows.items()}
    heads = _merge(sheet, shown)
    width = max(map(len, shown.values()))
    full = {number: row + [""] * (width - len(row)) for number, row in shown.items()}
    used = [
        column
        for column in range(width)
        if column + 1 not in sheet.hidden and any(row[column] for row in full.values())
    ]
    tables: list[list[list[str]]] = []
    numbers: list[list[int]] = []  # of the rows of each table
    before = 0
    for number in sorted(full):
        row = [full[number][column] for column in used]
        if not any(row):
            continue
        if number in heads and tables and before == number - 1 and len(tables[-1]) and before in heads:
            tables[-1][-1] = _two_heads(tables[-1][-1], row)
        elif not tables or (number > before + 1 and _opens(row, tables[-1])):
            tables.append([row])
            numbers.append([number])
        else:
            tables[-1].append(row)
            numbers[-1].append(number)
        before = number
    widths = [max(sum(map(bool, row)) for row in table) for table in tables]
    widest = max(widths)
    for place, (table, wide) in enumerate(zip(tables, widths, strict=True)):
        if wide == 1:
            add_notes(draft, table, level=level if place == 0 and len(tables) > 1 else 0)
        elif wide == 2 < widest and place < widths.index(widest):  # above the first real table
            add_notes(draft, table, level=level)
        else:
            add_table(draft, table, level=level, numbers=numbers[place])


def _opens(row: Sequence[str], table: Sequence[Sequence[str]]) -> bool:
    """Return whether *row*, below an empty one, begins a table of its own: a title, or heads of words alone."""
    filled = [cell for cell in row if cell]
    widest = max(sum(map(bool, each)) for each in table[:_FIRST_ROWS])
    if len(filled) == 1 or widest == 1 or len(filled) > widest:
        return True
    return not any(any(map(str.isdigit, cell)) for cell in filled) and any(
        any(map(str.isdigit, cell)) for cell in table[-1]
    )


def _two_heads(above: Sequence[str], below: Sequence[str]) -> list[str]:
    """Return the names of columns that stand in two rows: "Price" over "net" and "gross"."""
    return [f"{top} {low}" if top and low and top != low else top or low for top, low in zip(above, below, strict=True)]


def _merge(sheet: _Sheet, shown: dict[int, list[str]]) -> frozenset[int]:
    """Fill in *shown* the cells that a merged one stands for; return the rows with heads over several columns.

    What is merged over columns alone, and over nearly all of them, is a title: it stays in its first cell.
    """
    heads: set[int] = set()
    first, last = min(shown), max(shown)
    width = max(map(len, shown.values()))
    budget = _MOST_FILLED
    for top, left, bottom, right in sheet.merged:
        row = shown.get(top, [])
        words = row[left - 1] if left <= len(row) else ""
        if not words or right - left > 200:
            continue
        across = right > left
        if across and right - left + 1 >= max(2, width - 1):
            continue
        budget -= (min(bottom, last) - top + 1) * (right - left + 1)
        if budget < 0:
            break
        for number in range(top, min(bottom, last) + 1):
            cells = shown.get(number, [])
            cells += [""] * (right - len(cells))
            for column in range(left - 1, right):
                cells[column] = cells[column] or words
        if top < first + 10 and top + 1 in shown and top == bottom and across and _is_words(shown[top + 1]):
            heads |= {top, top + 1}
    return frozenset(heads)


def _is_words(row: Sequence[str]) -> bool:
    return not any(any(map(str.isdigit, cell)) for cell in row)


def _shown(cell: _Cell, locale: str) -> str:
    """Return what a cell shows."""
    if cell is None:
        return ""
    kind, value, form = cell
    if kind == "s":
        return one_line(str(value))
    if kind == "b":
        return str(value).upper()
    made: Value
    if kind == "t":
        made = timedelta(seconds=value)
    elif kind == "d":
        text = str(value)
        made = (
            datetime.fromisoformat(text)
            if "T" in text
            else date.fromisoformat(text)
            if "-" in text
            else time.fromisoformat(text)
        )
    else:
        made = value
    return one_line(displayed(made, form, locale))

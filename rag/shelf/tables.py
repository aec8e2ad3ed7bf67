"""Tables of values to blocks: files of cells (CSV, TSV), and rows that another reader has found.

The row with the names of the columns is told by its form: what stands above it in a cell or two is a title or a note.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from statistics import median_high

from rag.errors import DocumentTooManyRows, DocumentUnreadable
from rag.shelf.blocks import Draft, Source, one_line

_DELIMITERS = ",;\t|"
_SAMPLE_LINES = 20
_TOLD = re.compile(r"\Asep=(?P<mark>[,;\t|])[ \t]*\n", re.IGNORECASE)  # as Excel writes it for itself


def read_table(text: str) -> Draft:
    """Return the rows of a CSV or TSV file; its first full row names the columns.

    Raises: DocumentUnreadable, where a quoted cell never ends or is longer than the csv module takes.
    """
    draft = Draft()
    told = _TOLD.match(text)
    body = text[told.end() :] if told else text
    mark = told["mark"] if told else delimiter_of(body)
    try:
        rows = [[one_line(cell) for cell in row] for row in csv.reader(io.StringIO(body, newline=""), delimiter=mark)]
    except csv.Error as error:
        raise DocumentUnreadable(
            f"The table breaks off ({error}); expected rows of cells parted by a comma, semicolon or tab. "
            "Save it again as CSV."
        ) from error
    add_table(draft, rows, numbers=range(1, len(rows) + 1))
    return draft


def add_table(
    draft: Draft, rows: Sequence[Sequence[str]], *, level: int = 1, numbers: Sequence[int] | None = None
) -> None:
    """Add a table to *draft*: what stands above its heads, a title at that *level*; the heads; its rows.

    *numbers* are those of the rows in the file, from 1, where it has any that a person sees.
    """
    kept = [(number, row) for number, row in zip(numbers or [0] * len(rows), rows, strict=True) if any(row)]
    above = _lines_above([row for _, row in kept])
    add_notes(draft, [row for _, row in kept[:above]], level=level)
    if len(kept) == above:
        return
    columns = tuple(kept[above][1])
    draft.add("columns", " | ".join(filter(None, columns)))
    for draft.row, row in kept[above + 1 :]:
        missing = max(0, len(row) - len(columns))
        draft.add_row(columns[: len(row)] if not missing else (*columns, *[""] * missing), row)
    draft.row = 0


def add_notes(draft: Draft, rows: Sequence[Sequence[str]], *, level: int = 0) -> None:
    """Add what stands above a table: a cell alone as a heading of that *level*, as text at 0; several as one line."""
    for row in rows:
        cells = [cell for cell in row if cell]
        if len(cells) == 1 and level:
            draft.add("heading", cells[0], level=level)
        else:
            draft.add_lines(_noted(cells))


def _lines_above(rows: Sequence[Sequence[str]]) -> int:
    """Return how many rows stand above the heads: those that fill half of the usual width at most."""
    filled = [sum(map(bool, row)) for row in rows]
    usual = median_high(filled) if filled else 0
    count = 0
    while count < len(rows) - 1 and filled[count] < filled[count + 1] and filled[count] * 2 <= max(usual, 2):
        count += 1
    if count == 0:  # several notes of one width, one below the other
        wide = next((n for n, fill in enumerate(filled) if fill * 2 > usual), 0)
        count = wide if usual > 2 else 0
    return count


def _noted(cells: Sequence[str]) -> str:
    """Return the cells of a note in one line: "As of: 1 March 2026"."""
    first, *others = cells
    gap = " " if first.endswith((":", "：")) or len(others) != 1 else ": "
    return first + gap + " ".join(others)


def check_rows(source: Source, count: int) -> None:
    """Refuse what has more rows than *source* may have.

    Raises: DocumentTooManyRows.
    """
    most = source.limits.rows
    if count > most:
        raise DocumentTooManyRows(
            f"{source.name} has more than {most} rows; expected at most so many. Split it, or raise REFERENT_MAX_ROWS.",
            {"name": source.name, "limit": str(most)},
        )


def delimiter_of(text: str) -> str:
    r"""Return what parts the cells: the mark that parts the first lines into the same number of cells, above one.

    >>> delimiter_of("Name;Preis\nLumen 40;749,00\n")
    ';'
    """
    lines = [line for line in text.splitlines() if line.strip()][:_SAMPLE_LINES]
    best, best_score = ",", (0.0, 0)
    for mark in _DELIMITERS:
        try:
            counts = [len(row) for row in csv.reader(lines, delimiter=mark)]
        except csv.Error:
            continue
        # A title above the table has no marks: the last line speaks for the table then.
        usual = counts[0] if counts and counts[0] > 1 else counts[-1] if counts else 0
        if usual < 2:
            continue
        score = (sum(count == usual for count in counts) / len(counts), usual)
        if score > best_score:
            best, best_score = mark, score
    return best

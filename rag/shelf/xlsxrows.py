"""The rows of an Excel workbook; ``xlsx.py`` runs this as a program of its own (``apart``).

    in    the file on standard input; the most rows as the argument
    out   a JSON object a line: each visible sheet ("sheet", "merged", hidden "rows" and "columns"), then each of its
          rows ("row", "cells"), a cell as [kind, value, format]; or why the file is "refused"

openpyxl reads the cells, a row at a time, with the values that formulas had when the file was saved.  What it does not
say while it reads so (merged cells, what is hidden) is read from the same part beside it.
"""

from __future__ import annotations

import json
import sys
import zipfile
import zlib
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from io import BytesIO
from typing import Any, Final
from xml.etree.ElementTree import ParseError

from lxml import etree

_MAIN: Final = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_MOST_CELLS: Final = 3_000_000  # empty ones too: a cell in the last column brings all before it
_MOST_MERGED: Final = 20_000
# What openpyxl raises over a file that is not as it should be.
_BROKEN: Final = (
    *(KeyError, ValueError, TypeError, AttributeError, IndexError, OverflowError, NotImplementedError),
    *(ParseError, etree.XMLSyntaxError, zipfile.BadZipFile, zlib.error, EOFError, OSError),
)


def main() -> None:
    """Write the sheets and rows of the workbook on standard input."""
    data, most = sys.stdin.buffer.read(), int(sys.argv[1])
    try:
        for found in _sheets(data, most):
            sys.stdout.write(json.dumps(found) + "\n")
    except _BROKEN as error:
        sys.stdout.write(json.dumps({"refused": "damaged", "reason": type(error).__name__}) + "\n")
    sys.stdout.flush()


def _sheets(data: bytes, most: int) -> Iterator[dict[str, Any]]:
    from openpyxl import load_workbook

    book = load_workbook(BytesIO(data), read_only=True, data_only=True)
    rows = cells = 0
    with zipfile.ZipFile(BytesIO(data)) as archive:
        for sheet in book.worksheets:
            if sheet.sheet_state != "visible":
                continue
            sheet.reset_dimensions()  # what the file says of its size need not be so
            look = _look(archive, sheet._worksheet_path)
            yield {"sheet": sheet.title, **look}
            hidden = frozenset(look["rows"])
            for number, row in enumerate(sheet.iter_rows(), 1):
                kept = [_cell(cell) for cell in row]
                cells += len(kept)
                if cells > _MOST_CELLS:
                    yield {"refused": "cells"}
                    return
                if number in hidden or not any(kept):
                    continue
                rows += 1
                if rows > most + 1000:  # titles and heads are rows here too
                    yield {"refused": "rows"}
                    return
                yield {"row": number, "cells": kept}


def _look(archive: zipfile.ZipFile, path: str) -> dict[str, Any]:
    """Return the merged ranges of a sheet as [row, column, last row, last column], its hidden rows and columns."""
    from openpyxl.utils import range_boundaries

    merged: list[list[int]] = []
    rows: list[int] = []
    columns: list[list[int]] = []
    with archive.open(path) as part:
        tags = [f"{_MAIN}{name}" for name in ("mergeCell", "row", "col")]
        for _, element in etree.iterparse(part, tag=tags, resolve_entities=False, no_network=True, load_dtd=False):
            tag = element.tag
            if tag == f"{_MAIN}mergeCell" and len(merged) < _MOST_MERGED:
                left, top, right, bottom = range_boundaries(element.get("ref", ""))
                merged.append([top, left, bottom, right])
            elif tag == f"{_MAIN}row":
                if element.get("hidden") in ("1", "true") and element.get("r"):
                    rows.append(int(element.get("r", "0")))
                element.clear()
            elif tag == f"{_MAIN}col" and element.get("hidden") in ("1", "true"):
                columns.append([int(element.get("min", "0")), int(element.get("max", "0"))])
    return {"merged": merged, "rows": rows, "columns": columns}


def _cell(cell: Any) -> list[Any] | None:
    """Return a cell as kind, value and format; None for an empty one, and for an error such as #REF!."""
    value = cell.value
    if value is None or cell.data_type == "e":
        return None
    if isinstance(value, bool):
        return ["b", value, ""]
    if isinstance(value, (int, float)):
        return ["n", value, str(cell.number_format)]
    if isinstance(value, timedelta):
        return ["t", value.total_seconds(), str(cell.number_format)]
    if isinstance(value, (datetime, date, time)):
        return ["d", value.isoformat(), str(cell.number_format)]
    return ["s", str(value), ""]

"""Lines of JSON to blocks: records as rows of a table, or, where they hold prose, as sections.

A record is an object a line.  Objects inside it become columns of their own ("size.width"), lists one cell.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from rag.errors import DocumentUnreadable
from rag.shelf.blocks import Draft, one_line

_LONG: Final = 300  # characters; what is longer is prose, and split into passages as prose is
_MOST_COLUMNS: Final = 60
_TITLES: Final = ("title", "name", "question", "subject", "heading", "id")
_LONGEST_TITLE: Final = 120
Record = Mapping[str, str]


def read_json_lines(text: str) -> Draft:
    """Return the blocks of a file with a JSON value a line.

    Raises: DocumentUnreadable, naming the first line that is no JSON.
    """
    draft = Draft()
    records: list[tuple[int, Record]] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except ValueError as error:
            raise DocumentUnreadable(
                f"Line {number} is no JSON ({str(error)[:60]}); expected a value a line. Correct that line."
            ) from error
        records.append((number, dict(_flat("", value))))
    if any(len(value) > _LONG or "\n" in value.strip() for _, record in records for value in record.values()):
        _add_sections(draft, records)
    else:
        _add_rows(draft, records)
    return draft


def _flat(key: str, value: Any) -> Iterator[tuple[str, str]]:
    """Yield the cells of a value: its plain parts under their path."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield from _flat(f"{key}.{name}" if key else str(name), part)
    elif isinstance(value, list):
        if any(isinstance(part, (dict, list)) for part in value):
            for number, part in enumerate(value, 1):
                yield from _flat(f"{key}.{number}" if key else str(number), part)
        else:
            yield key, ", ".join(filter(None, map(_said, value)))
    else:
        yield key, _said(value)


def _said(value: object) -> str:
    """Return a plain value in words: a number as JSON has it, nothing for null."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value)


def _add_rows(draft: Draft, records: Sequence[tuple[int, Record]]) -> None:
    columns = tuple(dict.fromkeys(key for _, record in records for key in record))
    if len(columns) > _MOST_COLUMNS:  # records of many shapes: each has its own
        for draft.row, record in records:
            draft.add_row(tuple(record), tuple(record.values()))
        return
    draft.add("columns", " | ".join(map(one_line, filter(None, columns))))
    for draft.row, record in records:
        draft.add_row(columns, [record.get(column, "") for column in columns])


def _add_sections(draft: Draft, records: Sequence[tuple[int, Record]]) -> None:
    for draft.row, record in records:
        named = {key.lower(): key for key in record if key}
        title = next((named[key] for key in _TITLES if key in named and _is_title(record[named[key]])), "")
        if title:
            draft.add("heading", one_line(record[title]), level=2)
        for key, value in record.items():
            if key == title or not value.strip():
                continue
            if len(value) > _LONG or "\n" in value.strip():
                for paragraph in value.split("\n\n"):
                    draft.add_lines(paragraph)
            else:
                draft.add("fact", one_line(f"{key}: {value}") if key else one_line(value), label=key)


def _is_title(value: str) -> bool:
    return bool(value.strip()) and len(value) <= _LONGEST_TITLE and "\n" not in value.strip()

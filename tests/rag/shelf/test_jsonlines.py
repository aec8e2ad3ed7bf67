"""Lines of JSON are rows of a table, or sections where they hold prose; a line that is no JSON is named."""

from __future__ import annotations

import json

import pytest

from rag.errors import DocumentTooManyRows, DocumentUnreadable
from rag.shelf.blocks import Document, ReadingLimits, Source
from rag.shelf.reading import read_source
from rag.shelf.splitting import split


def document(*records: object, name: str = "list.jsonl") -> Document:
    text = "\n".join(json.dumps(record, ensure_ascii=False) for record in records)
    return read_source(Source(name, text.encode()))


def kinds(found: Document) -> list[tuple[str, str]]:
    return [(block.kind, found.words_of(block)) for block in found.blocks]


def test_records_are_rows_under_all_their_keys() -> None:
    found = document({"name": "Borva", "price": 49, "size": {"width": 12}}, {"name": "Sorvel", "tags": ["red", "new"]})
    assert kinds(found) == [
        ("columns", "name | price | size.width | tags"),
        ("row", "Borva | 49 | 12"),
        ("row", "Sorvel | red, new"),
    ]
    assert split(found, "k")[1].context == "name: Sorvel; tags: red, new"


def test_prose_is_split_into_sections_with_their_titles() -> None:
    prose = "The kettle was made for people who are in a hurry. " * 20
    found = document({"title": "Cleaning", "text": prose, "author": "Jana"}, {"title": "Repair", "text": "Call us."})
    passages = split(found, "k")
    assert len(passages) > 2
    assert passages[0].heading.endswith("Cleaning")
    assert passages[-1].heading.endswith("Repair")
    assert ("fact", "author: Jana") in kinds(found)


def test_values_that_are_no_objects_are_rows_too() -> None:
    found = document("Borva", ["a", "b"], {"x": None, "y": True}, 7)
    assert [words for kind, words in kinds(found) if kind == "row"] == ["Borva", "a, b", "true", "7"]


@pytest.mark.parametrize("text", ['{"a": 1}\n{"a": \n', "{'a': 1}", '{"a": ' + "9" * 5000 + "}"])
def test_a_line_that_is_no_json_is_named(text: str) -> None:
    with pytest.raises(DocumentUnreadable, match=r"Line [12] is no JSON"):
        read_source(Source("list.jsonl", text.encode()))


def test_nesting_without_end_is_refused() -> None:
    with pytest.raises(DocumentUnreadable):
        read_source(Source("list.ndjson", b"[" * 100_000 + b"]" * 100_000))


def test_lines_count_as_rows() -> None:
    data = b'{"a": "x"}\n' * 12
    with pytest.raises(DocumentTooManyRows):
        read_source(Source("list.jsonl", data, ReadingLimits(rows=11)))

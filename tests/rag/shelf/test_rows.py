"""A row is cited with the number that a person sees beside it in the file; what is no row of a file has none."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
import xlsxwriter

from memory.store.database import open_database
from rag.shelf.owners import Owner, Scope
from rag.shelf.reading import Source, read_source
from rag.shelf.shelf import Library
from rag.shelf.splitting import split
from tests.rag.shelf.fakes import HashEmbedder


def numbered(name: str, data: bytes) -> list[tuple[int, str]]:
    """Return the row and the first words of each passage."""
    return [(each.row, each.text.split(" | ")[0][:20]) for each in split(read_source(Source(name, data)), "k")]


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("a.csv", "Name,Price\nLid,9\nFilter,12\n", [(2, "Lid"), (3, "Filter")]),
        ("a.tsv", "Name\tPreis\nDeckel\t9\nFilter\t12\n", [(2, "Deckel"), (3, "Filter")]),
        ("empty lines.csv", "Nom;Prix\n\nCouvercle;9\n\n\nFiltre;12\n", [(3, "Couvercle"), (6, "Filtre")]),
        ("note.csv", "Stand: März\n\nName;Preis;Farbe\nDeckel;9;rot\n", [(4, "Deckel")]),
        ("told.csv", "sep=;\nName;Price\nLid;9\n", [(2, "Lid")]),
        ("lines in a cell.csv", 'Name,Note\nLid,"one\ntwo"\nFilter,none\n', [(2, "Lid"), (3, "Filter")]),
        ("a.jsonl", '{"name": "غطاء"}\n\n{"name": "مرشح"}\n', [(1, "غطاء"), (3, "مرشح")]),
        ("a.md", "| Name | Price |\n|---|---|\n| Lid | 9 |\n", [(0, "Lid")]),
    ],
)
def test_rows_have_their_numbers(name: str, text: str, found: list[tuple[int, str]]) -> None:
    assert numbered(name, text.encode()) == found


def test_a_record_of_prose_is_cited_by_its_line_and_shares_no_passage() -> None:
    prose = "The lid was made to last. " * 15
    text = f'{{"text": "{prose}"}}\n{{"text": "Short."}}\n{{"text": "Short too."}}\n'
    assert numbered("a.jsonl", text.encode())[-2:] == [(2, "text: Short."), (3, "text: Short too.")]


def test_rows_of_a_sheet_keep_their_numbers_beside_hidden_ones_and_in_a_second_table() -> None:
    out = io.BytesIO()
    with xlsxwriter.Workbook(out, {"in_memory": True}) as book:
        sheet = book.add_worksheet()
        for row, cells in {
            0: ("Name", "Price"),
            1: ("Lid", 9),
            2: ("Hidden", 1),
            3: ("Filter", 12),
            6: ("Country", "Days"),
            7: ("Malta", 4),
        }.items():
            sheet.write_row(row, 0, cells)
        sheet.set_row(2, None, None, {"hidden": True})
    assert numbered("a.xlsx", out.getvalue()) == [(2, "Lid"), (4, "Filter"), (8, "Malta")]


def test_the_row_is_kept_on_the_shelf(tmp_path: Path) -> None:
    library = Library(open_database(tmp_path), HashEmbedder(), tmp_path)
    library.add(Source("a.csv", b"Name,Price\nLid,9\nFilter,12\n"), Owner("shelf", "shared"))
    (record,) = library.documents(Owner("shelf", "shared"))
    found = library.passages(record.passage_ids, Scope(("shared",)))
    assert [found[id_].row for id_ in record.passage_ids] == [2, 3]
    library.close()

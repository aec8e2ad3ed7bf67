"""A workbook is read as it is shown: visible sheets, heads, merged cells, numbers; or refused by name."""

from __future__ import annotations

import io
import time
import zipfile
from collections.abc import Callable
from datetime import date

import pytest
import xlsxwriter
from xlsxwriter.worksheet import Worksheet

from languages import codes, load
from rag.errors import (
    DocumentEmpty,
    DocumentLocked,
    DocumentMislabelled,
    DocumentRefused,
    DocumentTooComplex,
    DocumentTooManyRows,
    DocumentUnreadable,
)
from rag.shelf.blocks import Document, ReadingLimits, Source
from rag.shelf.reading import read_source
from rag.shelf.splitting import split

Book = xlsxwriter.Workbook


def made(*sheets: Callable[[Book, Worksheet], object], names: tuple[str, ...] = ()) -> bytes:
    """Return a workbook with a sheet by each of *sheets*."""
    out = io.BytesIO()
    with Book(out, {"in_memory": True}) as book:
        for number, fill in enumerate(sheets):
            fill(book, book.add_worksheet(names[number] if names else None))
    return out.getvalue()


def rows(*cells: tuple[object, ...]) -> Callable[[Book, Worksheet], None]:
    def fill(_book: Book, sheet: Worksheet) -> None:
        for number, row in enumerate(cells):
            for column, value in enumerate(row):
                if value is not None:
                    sheet.write(number, column, value)

    return fill


def document(data: bytes, limits: ReadingLimits | None = None) -> Document:
    return read_source(Source("list.xlsx", data, limits or ReadingLimits()))


def kinds(data: bytes) -> list[tuple[str, str]]:
    found = document(data)
    return [(block.kind, found.words_of(block)) for block in found.blocks]


def test_a_row_keeps_the_names_of_its_columns() -> None:
    data = made(rows(("Name", "Price"), ("Borva Uno", 49), ("Borva Due", 59.5)))
    found = document(data)
    assert kinds(data) == [("columns", "Name | Price"), ("row", "Borva Uno | 49"), ("row", "Borva Due | 59.5")]
    assert found.blocks[-1].columns == ("Name", "Price")
    assert [passage.context for passage in split(found, "k")] == [
        "Name: Borva Uno; Price: 49",
        "Name: Borva Due; Price: 59.5",
    ]


def test_each_visible_sheet_stands_under_its_name() -> None:
    def hidden(_book: Book, sheet: Worksheet) -> None:
        sheet.write(0, 0, "secret")
        sheet.hide()

    data = made(
        rows(("Name", "Price"), ("Uno", 1)),
        hidden,
        rows(("Place", "Hours"), ("Tours", "9–18")),
        names=("Goods", "x", "Shops"),
    )
    assert [words for kind, words in kinds(data) if kind == "heading"] == ["Goods", "Shops"]
    assert "secret" not in document(data).text
    assert split(document(data), "k")[-1].heading.endswith("Shops")


def test_numbers_and_dates_are_those_that_are_shown() -> None:
    def fill(book: Book, sheet: Worksheet) -> None:
        rows(("Gerät", "Preis", "Nachlass", "Lieferbar ab"), ("Lumen 40 mit Ladegerät und Kabel",))(book, sheet)
        sheet.write(1, 1, 1199, book.add_format({"num_format": '#,##0.00 "€"'}))
        sheet.write(1, 2, 0.4, book.add_format({"num_format": "0%"}))
        sheet.write(1, 3, date(2026, 3, 1), book.add_format({"num_format": "dd.mm.yyyy"}))

    assert kinds(made(fill))[-1] == ("row", "Lumen 40 mit Ladegerät und Kabel | 1.199,00 € | 40% | 01.03.2026")


def test_a_formula_gives_the_value_that_it_had() -> None:
    def fill(book: Book, sheet: Worksheet) -> None:
        rows(("Name", "Sum"), ("Borva",))(book, sheet)
        sheet.write_formula(1, 1, '=CONCAT(40,"2")', None, "402")
        sheet.write_formula(2, 0, "=1/0", None, "#DIV/0!")

    assert kinds(made(fill))[-1] == ("row", "Borva | 402")


def test_a_title_and_a_note_stand_above_the_heads() -> None:
    data = made(rows(("Prices",), ("As of:", "March"), (), ("Name", "Net", "Gross"), ("Uno", 1, 2), ("Due", 3, 4)))
    assert kinds(data)[:3] == [("heading", "Prices"), ("fact", "As of: March"), ("columns", "Name | Net | Gross")]


def test_two_tables_on_a_sheet_have_their_own_heads() -> None:
    data = made(rows(("Name", "Price"), ("Uno", 1), (), ("Due", 2), (), ("Shop", "Town"), ("North", "Tours")))
    found = document(data)
    assert [block.columns for block in found.blocks if block.kind == "row"] == [
        ("Name", "Price"),
        ("Name", "Price"),
        ("Shop", "Town"),
    ]


def test_a_merged_cell_stands_for_all_its_rows_and_columns() -> None:
    def fill(book: Book, sheet: Worksheet) -> None:
        plain = book.add_format()
        sheet.merge_range("A1:E1", "Opening hours", plain)
        sheet.merge_range("A2:A3", "Day", plain)
        sheet.merge_range("B2:C2", "North", plain)
        sheet.merge_range("D2:E2", "South", plain)
        for column, head in enumerate(("from", "to", "from", "to"), 1):
            sheet.write(2, column, head)
        sheet.merge_range("A4:A5", "Monday", plain)
        for row in (3, 4):
            for column in range(1, 5):
                sheet.write(row, column, 8 + row + column)

    assert kinds(made(fill)) == [
        ("heading", "Opening hours"),
        ("columns", "Day | North from | North to | South from | South to"),
        ("row", "Monday | 12 | 13 | 14 | 15"),
        ("row", "Monday | 13 | 14 | 15 | 16"),
    ]


def test_hidden_rows_and_columns_are_not_shown() -> None:
    def fill(book: Book, sheet: Worksheet) -> None:
        rows(("Name", "Cost", "Price"), ("Uno", 1, 2), ("Due", 3, 4))(book, sheet)
        sheet.set_column("B:B", 10, None, {"hidden": True})
        sheet.set_row(1, None, None, {"hidden": True})

    assert kinds(made(fill)) == [("columns", "Name | Price"), ("row", "Due | 4")]


def test_arabic_cells_and_sheet_names_are_kept() -> None:
    data = made(
        rows(("الاسم", "السعر"), ("حاسوب Borva", "٩٩ ريالًا")),
        rows(("المتجر", "المدينة"), ("شمال", "الرياض")),
        names=("المنتجات", "الفروع"),
    )
    found = document(data)
    assert found.language == "ar"
    assert ("row", "حاسوب Borva | ٩٩ ريالًا") in kinds(data)


def changed(part: str, find: bytes, put: bytes) -> bytes:
    out = io.BytesIO()
    source = io.BytesIO(made(rows(("Name", "Price"), ("Uno", 1))))
    with zipfile.ZipFile(source) as archive, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as other:
        for name in archive.namelist():
            data = archive.read(name)
            other.writestr(name, data.replace(find, put) if name == part else data)
    return out.getvalue()


SHEET = "xl/worksheets/sheet1.xml"
FAR = b"".join(b'<row r="%d"><c r="XFD%d"><v>1</v></c></row>' % (n, n) for n in range(2, 400))
LAUGHS = b'?><!DOCTYPE w [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"words", DocumentMislabelled),
        (b"\xd0\xcf\x11\xe0" + bytes(2000), DocumentMislabelled),
        (b"\xd0\xcf\x11\xe0" + "EncryptedPackage".encode("utf-16-le"), DocumentLocked),
        (made(rows(("a", "b")))[:-200], DocumentUnreadable),
        (changed("[Content_Types].xml", b"sheet.main", b"template.main"), DocumentMislabelled),
        (changed(SHEET, b"</sheetData>", b""), DocumentUnreadable),
        (changed(SHEET, b"<row ", b"<row x='&b;' "), DocumentUnreadable),
        (changed("xl/workbook.xml", b"?>", LAUGHS), DocumentUnreadable),
        (changed(SHEET, b"</sheetData>", FAR + b"</sheetData>"), DocumentTooComplex),
        (changed(SHEET, b"</sheetData>", b" " * 70_000_000 + b"</sheetData>"), DocumentTooComplex),
        (made(rows()), DocumentEmpty),
    ],
    ids="text old locked cut template broken entity laughs far bomb empty".split(),
)
def test_what_is_no_whole_workbook_is_refused_by_name(data: bytes, error: type[DocumentRefused]) -> None:
    start = time.monotonic()
    with pytest.raises(error) as caught:
        document(data)
    assert time.monotonic() - start < 30
    for code in codes():
        assert "list.xlsx" in load(code).text(caught.value.key, caught.value.values)


def test_a_sheet_that_says_it_is_huge_is_read_by_what_it_holds() -> None:
    data = changed(SHEET, b'<dimension ref="A1:B2"/>', b'<dimension ref="A1:XFD1048576"/>')
    assert kinds(data)[-1] == ("row", "Uno | 1")


def test_more_rows_than_the_setting_allows_are_refused() -> None:
    data = made(rows(("Name", "Price"), *(("Uno", n) for n in range(30))))
    assert len(document(data, ReadingLimits(rows=30)).blocks) == 31
    with pytest.raises(DocumentTooManyRows) as caught:
        document(data, ReadingLimits(rows=29))
    assert caught.value.values["limit"] == "29"


def test_what_a_file_may_grow_to_is_a_setting() -> None:
    data = changed("docProps/app.xml", b"<Properties", b" " * 61_000_000 + b"<Properties")
    with pytest.raises(DocumentTooComplex, match="REFERENT_MAX_EXPANSION"):
        document(data)
    assert document(data, ReadingLimits(expansion=100_000)).text

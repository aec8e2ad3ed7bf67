"""A PDF is read as a person reads it: in reading order, without what the paper adds; what cannot be read is named."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from languages import codes, load
from rag.errors import (
    DocumentEmpty,
    DocumentGarbled,
    DocumentLocked,
    DocumentMislabelled,
    DocumentRefused,
    DocumentScanned,
    DocumentTooComplex,
    DocumentTooLong,
    DocumentUnreadable,
)
from rag.shelf.apart import ReadingStopped, read_apart
from rag.shelf.blocks import Document, ReadingLimits, Source
from rag.shelf.reading import read_source
from rag.shelf.splitting import split
from tests.rag.shelf import papers
from tests.rag.shelf.papers import Paper

FILES = Path(__file__).parent / "files"
PROSE = (
    "The Sorvel kettle was made for people who are in a hurry and for those who are not, and it switches itself off "
    "when the water boils."
)


def document(data: bytes, max_pages: int = 2000) -> Document:
    return read_source(Source("paper.pdf", data, ReadingLimits(pages=max_pages)))


def blocks(data: bytes) -> list[tuple[int, str, str]]:
    found = document(data)
    return [(block.page, block.kind, found.words_of(block)) for block in found.blocks]


def test_headings_paragraphs_lists_facts_and_tables_are_told_by_their_form() -> None:
    paper = Paper()
    paper.heading("Sorvel kettle", 20)
    paper.paragraph(PROSE)
    paper.heading("Technical data", 14)
    paper.lines("Weight: 1.2 kg", "Cable: 75 cm")
    paper.lines("• Rinse it twice.", "• Dry the lid.")
    paper.table(("Part", "Price", "Stock"), ("Lid", "£9", "yes"), ("Filter set", "£12", "no"))
    assert blocks(paper.data()) == [
        (1, "heading", "Sorvel kettle"),
        (1, "paragraph", PROSE),
        (1, "heading", "Technical data"),
        (1, "fact", "Weight: 1.2 kg"),
        (1, "fact", "Cable: 75 cm"),
        (1, "item", "Rinse it twice."),
        (1, "item", "Dry the lid."),
        (1, "columns", "Part | Price | Stock"),
        (1, "row", "Lid | £9 | yes"),
        (1, "row", "Filter set | £12 | no"),
    ]
    found = document(paper.data())
    assert found.title == "Sorvel kettle"
    assert [block.level for block in found.blocks if block.kind == "heading"] == [1, 2]
    assert found.blocks[-1].columns == ("Part", "Price", "Stock")


def test_an_empty_cell_keeps_its_column() -> None:
    paper = Paper()
    paper.table(("Part", "Price", "Stock"), ("Lid", "£9", "yes"))
    row = ("Filter set", "", "no")
    paper = Paper()
    paper.table(("Part", "Price", "Stock"), ("Lid", "£9", "yes"), row)
    assert document(paper.data()).blocks[-1].cells == row


def test_a_passage_is_cited_with_its_page() -> None:
    paper = Paper()
    for number in range(1, 4):
        paper.heading(f"Part {number}")
        paper.paragraph(f"Word{number}. {PROSE}")
        paper.page()
    found = document(paper.data())
    passages = split(found, "k")
    assert [(passage.page, passage.text[:5]) for passage in passages] == [(1, "Word1"), (2, "Word2"), (3, "Word3")]
    assert all(found.text[passage.start : passage.end] == passage.text for passage in passages)


def test_a_paragraph_goes_on_over_the_end_of_a_page() -> None:
    paper = Paper()
    paper.lines("The Sorvel kettle was made for people who are in a hurry and")
    paper.page()
    paper.lines("for those who are not.", "It has a lid.")
    assert blocks(paper.data()) == [
        (1, "paragraph", "The Sorvel kettle was made for people who are in a hurry and for those who are not."),
        (2, "paragraph", "It has a lid."),
    ]


def test_passages_do_not_run_over_two_pages() -> None:
    paper = Paper()
    paper.paragraph("The first page says copper.")
    paper.page()
    paper.paragraph("The second page says brass.")
    assert [(p.page, p.text) for p in split(document(paper.data()), "k")] == [
        (1, "The first page says copper."),
        (2, "The second page says brass."),
    ]


@pytest.mark.parametrize(
    ("written", "read_as"),
    [
        ("the new heating ele|ment of this", "element"),
        ("die neue Be|triebs|an|leitung dazu", "Betriebsanleitung"),
        ("le nouvel appa|reil de la marque", "appareil"),
    ],
)
def test_a_word_that_a_hyphen_broke_is_whole(written: str, read_as: str) -> None:
    paper = Paper()
    paper.paragraph(" ".join(["xx"] * 22) + " " + written)
    paper.paragraph(" ".join(["xx"] * 24) + " " + written)
    paper.paragraph(" ".join(["xxx"] * 17) + " " + written)
    text = document(paper.data()).text
    assert text.count(read_as) == 3


def test_what_stands_on_every_page_is_left_out() -> None:
    paper = Paper()
    for number in range(1, 5):
        paper.margin("Sorvel Ltd · Terms of sale", 545)
        paper.margin(f"Page {number} of 4", 15)
        paper.paragraph(f"Clause {number}. {PROSE}")
        paper.page()
    text = document(paper.data()).text
    assert "Terms of sale" not in text
    assert "Page" not in text
    assert [f"Clause {number}." in text for number in range(1, 5)] == [True] * 4


def test_a_price_list_that_fills_the_pages_keeps_every_row_and_its_columns() -> None:
    paper = Paper()
    for page in range(3):
        paper.table(("Model", "Price", "Stock"), *((f"K{page}{n}", f"£{n}9", f"{n}") for n in range(1, 29)))
        paper.page()
    found = document(paper.data())
    rows = [block for block in found.blocks if block.kind == "row"]
    assert len(rows) == 84
    assert {row.columns for row in rows} == {("Model", "Price", "Stock")}


def test_an_arabic_page_is_in_reading_order() -> None:
    """The file was printed by a browser, which draws every line from the left."""
    found = document((FILES / "arabic.pdf").read_bytes())
    assert (found.title, found.language) == ("غلاية سورفيل M2", "ar")
    assert [found.words_of(block) for block in found.blocks] == [
        "غلاية سورفيل M2",
        (
            "تتسع غلاية سورفيل M2 لـ 1.7 لتر وتغلي في أربع دقائق، وتُباع بسعر 1,199 ريالًا في كل فرع (ومنها فرع الميناء)."
            " وهي تتصل بشبكة Wi-Fi 6 وبتطبيق Sorvel Home."
        ),
        "الضمان",
        (
            "مدة الضمان 24 شهرًا من تاريخ الشراء. هل يُستثنى شيء؟ نعم: الأضرار الناتجة عن سوء الاستخدام (المادة 5)؛ راجع "
            "الفاتورة قبل الاتصال بالرقم ٩٢٠٠."
        ),
        "القطعة | السعر | التوفّر",
        "الغطاء | 49.50 ريال | متوفر",
        "طقم مرشحات | 65 ريالًا | غير متوفر",
    ]
    assert found.blocks[-1].columns == ("القطعة", "السعر", "التوفّر")


def test_thousands_keep_their_blank_where_the_language_parts_them_so() -> None:
    paper = Paper()
    paper.paragraph("Le prix de la bouilloire est de 1 299 euros et la garantie est de deux ans dans toute la France.")
    assert "1\u202f299 euros" in document(paper.data()).text
    paper = Paper()
    paper.paragraph("The warranty of the kettle is two years, and in 1 299 shops people sell it to everybody.")
    assert "1 299 shops" in document(paper.data()).text


@pytest.mark.parametrize("title", ["Microsoft Word - plan.doc", "untitled", "https://x.example/a", "print.html"])
def test_a_title_that_nobody_gave_is_none(title: str) -> None:
    paper = Paper(title=title)
    paper.paragraph(PROSE)
    assert document(paper.data()).title == "paper"
    paper = Paper(title="The Sorvel kettle")
    paper.paragraph(PROSE)
    assert document(paper.data()).title == "The Sorvel kettle"


def plain_paper() -> bytes:
    paper = Paper()
    paper.paragraph(PROSE)
    return paper.data()


def locked_paper() -> bytes:
    paper = Paper(password="secret")
    paper.paragraph(PROSE)
    return paper.data()


def scanned_paper() -> bytes:
    paper = Paper()
    paper.picture()
    paper.page()
    paper.picture()
    return paper.data()


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"<html>words</html>", DocumentMislabelled),
        (b"PK\x03\x04words", DocumentMislabelled),
        (plain_paper()[:-400], DocumentUnreadable),
        (plain_paper()[:300] + b"%%EOF", DocumentUnreadable),
        (locked_paper(), DocumentLocked),
        (scanned_paper(), DocumentScanned),
        (papers.without_letters(), DocumentGarbled),
        (papers.many_pages(3), DocumentEmpty),
        (papers.many_pages(10_000), DocumentTooLong),
        (papers.endless_tree(), DocumentUnreadable),
        (papers.bomb(600), DocumentTooComplex),
        (papers.self_drawing(), DocumentTooComplex),
    ],
    ids="html zip truncated cut locked scanned garbled empty long endless bomb self-drawing".split(),
)
def test_what_cannot_be_read_is_refused_in_time_and_in_every_language(
    data: bytes, error: type[DocumentRefused]
) -> None:
    start = time.monotonic()
    with pytest.raises(error) as caught:
        document(data)
    assert time.monotonic() - start < 60
    assert "paper.pdf" in str(caught.value)
    for code in codes():
        assert "paper.pdf" in load(code).text(caught.value.key, caught.value.values)


def test_a_pdf_with_an_owners_password_alone_opens() -> None:
    paper = Paper(password="")
    paper.paragraph(PROSE)
    assert PROSE in document(paper.data()).text


def test_the_limit_of_pages_is_a_setting_and_is_said() -> None:
    with pytest.raises(DocumentTooLong) as caught:
        document(papers.many_pages(4), max_pages=3)
    assert (caught.value.values["pages"], caught.value.values["limit"]) == ("4", "3")
    assert "REFERENT_MAX_PAGES" in str(caught.value)


def test_a_program_that_is_silent_is_stopped() -> None:
    start = time.monotonic()
    with pytest.raises(ReadingStopped):
        list(read_apart("rag.shelf.pdfpages", papers.bomb(50), "10", silence=0.3))
    assert time.monotonic() - start < 5


def test_the_program_that_reads_pages_loads_nothing_heavy() -> None:
    listed = "import sys, rag.shelf.pdfpages; print(sorted(m for m in sys.modules if m.startswith('rag')))"
    start = "import sys, types\nfor n in ('rag', 'rag.shelf'):\n    sys.modules[n] = types.ModuleType(n)\n"
    root = Path(__file__).parents[3]
    paths = f"sys.modules['rag'].__path__ = [{str(root / 'rag')!r}]\n"
    paths += f"sys.modules['rag.shelf'].__path__ = [{str(root / 'rag/shelf')!r}]\n"
    done = subprocess.run(
        [sys.executable, "-I", "-c", start + paths + listed], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "['rag', 'rag.shelf', 'rag.shelf.glyphs', 'rag.shelf.pdfpages']"

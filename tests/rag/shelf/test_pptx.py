"""A presentation is read slide by slide, as it is shown; what is none is refused by name."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

import pptx
import pytest
from pptx.presentation import Presentation
from pptx.util import Inches

from languages import codes, load
from rag.errors import (
    DocumentEmpty,
    DocumentMislabelled,
    DocumentRefused,
    DocumentScanned,
    DocumentTooComplex,
    DocumentTooLong,
    DocumentUnreadable,
)
from rag.shelf.blocks import Document, ReadingLimits, Source
from rag.shelf.reading import read_source
from rag.shelf.splitting import split
from tests.rag.shelf.papers import small_picture

TITLE, BULLETS, BARE = 0, 1, 6  # layouts of the empty presentation


def saved(shown: Presentation) -> bytes:
    out = io.BytesIO()
    shown.save(out)
    return out.getvalue()


def two_slides() -> Presentation:
    shown = pptx.Presentation()
    first = shown.slides.add_slide(shown.slide_layouts[TITLE])
    first.shapes.title.text = "The Borva kettle"
    first.placeholders[1].text = "A short introduction"
    second = shown.slides.add_slide(shown.slide_layouts[BULLETS])
    second.shapes.title.text = "Key facts"
    second.placeholders[1].text = "Weight: 1.2 kg\nIt switches itself off."
    return shown


def document(data: bytes, limits: ReadingLimits | None = None) -> Document:
    return read_source(Source("talk.pptx", data, limits or ReadingLimits()))


def blocks(data: bytes) -> list[tuple[int, str, str]]:
    found = document(data)
    return [(block.page, block.kind, found.words_of(block)) for block in found.blocks]


def test_titles_and_lists_stand_on_their_slides() -> None:
    data = saved(two_slides())
    assert blocks(data) == [
        (1, "heading", "The Borva kettle"),
        (1, "paragraph", "A short introduction"),
        (2, "heading", "Key facts"),
        (2, "item", "Weight: 1.2 kg"),
        (2, "item", "It switches itself off."),
    ]
    assert document(data).blocks[3].label == "Weight"
    last = split(document(data), "k")[-1]
    assert (last.heading, last.page) == ("The Borva kettle > Key facts", 2)


def test_notes_stand_after_their_slide() -> None:
    shown = two_slides()
    shown.slides[0].notes_slide.notes_text_frame.text = "Say that it is made of copper."
    assert blocks(saved(shown))[2] == (1, "paragraph", "Say that it is made of copper.")


def test_a_table_keeps_its_heads_and_what_is_merged() -> None:
    shown = two_slides()
    slide = shown.slides.add_slide(shown.slide_layouts[BARE])
    table = slide.shapes.add_table(3, 2, Inches(1), Inches(1), Inches(4), Inches(2)).table
    for row, cells in enumerate((("Part", "Price"), ("Lid", "£4"), ("", "£5"))):
        for column, words in enumerate(cells):
            table.cell(row, column).text = words
    table.cell(1, 0).merge(table.cell(2, 0))
    found = document(saved(shown))
    rows = [(found.words_of(block), block.columns, block.page) for block in found.blocks if block.kind == "row"]
    assert rows == [("Lid | £4", ("Part", "Price"), 3), ("Lid | £5", ("Part", "Price"), 3)]


def test_groups_and_text_boxes_are_read_and_hidden_slides_are_not() -> None:
    shown = two_slides()
    slide = shown.slides.add_slide(shown.slide_layouts[BARE])
    box = slide.shapes.add_textbox(Inches(1), Inches(1), Inches(2), Inches(1))
    group = slide.shapes.add_group_shape([box])
    box.text_frame.text = "Free words"
    assert len(group.shapes) == 1
    shown.slides[1]._element.set("show", "0")
    assert [words for _, _, words in blocks(saved(shown))] == ["The Borva kettle", "A short introduction", "Free words"]


def test_arabic_slides_keep_their_order() -> None:
    shown = pptx.Presentation()
    slide = shown.slides.add_slide(shown.slide_layouts[BULLETS])
    slide.shapes.title.text = "غلاية Borva"
    slide.placeholders[1].text = "تزن 1.2 كغ\nالضمان: سنتان"
    found = document(saved(shown))
    assert found.language == "ar"
    assert [found.words_of(block) for block in found.blocks] == ["غلاية Borva", "تزن 1.2 كغ", "الضمان: سنتان"]


def of_pictures() -> bytes:
    shown = pptx.Presentation()
    slide = shown.slides.add_slide(shown.slide_layouts[BARE])
    slide.shapes.add_picture(io.BytesIO(small_picture()), Inches(1), Inches(1))
    return saved(shown)


def changed(part: str, change: Callable[[bytes], bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(saved(two_slides()))) as archive, zipfile.ZipFile(out, "w", 8) as other:
        for name in archive.namelist():
            data = archive.read(name)
            other.writestr(name, change(data) if name == part else data)
    return out.getvalue()


SLIDE = "ppt/slides/slide1.xml"


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"words", DocumentMislabelled),
        (b"\xd0\xcf\x11\xe0" + bytes(2000), DocumentMislabelled),
        (saved(two_slides())[:-300], DocumentUnreadable),
        (
            changed("[Content_Types].xml", lambda data: data.replace(b"presentation.main", b"slideshow.main")),
            DocumentMislabelled,
        ),
        (changed(SLIDE, lambda data: data[:-30]), DocumentUnreadable),
        (changed(SLIDE, lambda data: data.replace(b"?>", b'?><!DOCTYPE p [<!ENTITY a "ha">]>', 1)), DocumentUnreadable),
        (changed(SLIDE, lambda data: data + b" " * 50_000_000), DocumentTooComplex),
        (of_pictures(), DocumentScanned),
        (saved(pptx.Presentation()), DocumentEmpty),
    ],
    ids="text old cut show broken laughs bomb pictures empty".split(),
)
def test_what_is_no_whole_presentation_is_refused_by_name(data: bytes, error: type[DocumentRefused]) -> None:
    with pytest.raises(error) as caught:
        document(data)
    for code in codes():
        assert "talk.pptx" in load(code).text(caught.value.key, caught.value.values)


def test_more_slides_than_the_setting_allows_are_refused() -> None:
    with pytest.raises(DocumentTooLong) as caught:
        document(saved(two_slides()), ReadingLimits(pages=1))
    assert (caught.value.values["pages"], caught.value.values["limit"]) == ("2", "1")

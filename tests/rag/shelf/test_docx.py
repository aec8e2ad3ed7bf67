"""A Word document is read as it stands on the page with every change accepted; what is none is refused by name."""

from __future__ import annotations

import io
import re
import time
import zipfile
from collections.abc import Callable, Mapping

import docx
import pytest
from docx.document import Document as WordDocument
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls, qn

from languages import codes, load
from rag.errors import (
    DocumentEmpty,
    DocumentLocked,
    DocumentMislabelled,
    DocumentRefused,
    DocumentTooComplex,
    DocumentUnreadable,
)
from rag.shelf.blocks import Document, Source
from rag.shelf.reading import read_source

NS = nsdecls("w") + ' xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
NS += ' xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"'
NS += ' xmlns:v="urn:schemas-microsoft-com:vml"'


def saved(word: WordDocument) -> bytes:
    out = io.BytesIO()
    word.save(out)
    return out.getvalue()


def document(data: bytes) -> Document:
    return read_source(Source("paper.docx", data))


def blocks(word: WordDocument) -> list[tuple[str, str]]:
    found = document(saved(word))
    return [(block.kind, found.words_of(block)) for block in found.blocks]


def with_paragraph(inside: str) -> list[tuple[str, str]]:
    """Return the blocks of a document with one paragraph of this XML."""
    word = docx.Document()
    word.element.body.insert(0, parse_xml(f"<w:p {NS}>{inside}</w:p>"))
    return blocks(word)


def text_of(inside: str) -> list[str]:
    return [words for _, words in with_paragraph(inside)]


def test_headings_lists_and_tables_are_told_by_their_styles() -> None:
    word = docx.Document()
    word.add_heading("Sorvel kettle", 0)
    word.add_heading("Care", 1)
    word.add_paragraph("Rinse it.")
    word.add_heading("Filter", 2)
    for step in ("Open the lid.", "Change the filter."):
        word.add_paragraph(step, style="List Number")
    word.add_paragraph("Use vinegar.", style="List Bullet")
    table = word.add_table(3, 3)
    for row, texts in zip(
        table.rows, (("Part", "Price", "2025 stock"), ("Lid", "£9", "yes"), ("Filter", "", "no")), strict=True
    ):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text
    found = document(saved(word))
    assert [(b.kind, b.level, found.words_of(b)) for b in found.blocks] == [
        ("heading", 1, "Sorvel kettle"),
        ("heading", 1, "Care"),
        ("paragraph", 0, "Rinse it."),
        ("heading", 2, "Filter"),
        ("item", 0, "1. Open the lid."),
        ("item", 0, "2. Change the filter."),
        ("item", 0, "Use vinegar."),
        ("columns", 0, "Part | Price | 2025 stock"),
        ("row", 0, "Lid | £9 | yes"),
        ("row", 0, "Filter | no"),
    ]
    assert found.title == "Sorvel kettle"
    assert found.blocks[-1].columns == ("Part", "Price", "2025 stock")
    assert found.blocks[-1].cells == ("Filter", "", "no")


def test_a_style_that_rests_on_a_heading_is_one_in_any_language() -> None:
    word = docx.Document()
    style = word.styles.add_style("Kapitelüberschrift", 1)
    style.base_style = word.styles["Heading 2"]
    word.add_paragraph("Pflege", style="Kapitelüberschrift")
    word.add_paragraph("Mit Essig.")
    found = document(saved(word))
    assert [(b.kind, b.level) for b in found.blocks] == [("heading", 2), ("paragraph", 0)]


def test_bold_words_label_a_paragraph_or_head_one() -> None:
    word = docx.Document()
    word.add_paragraph().add_run("Warranty").bold = True
    line = word.add_paragraph()
    line.add_run("Exceptions:").bold = True
    line.add_run(" the lid.")
    word.add_paragraph("Weight: 1.2 kg\nCable: 75 cm")
    found = document(saved(word))
    assert [(b.kind, b.label, found.words_of(b)) for b in found.blocks] == [
        ("heading", "", "Warranty"),
        ("fact", "Exceptions", "Exceptions: the lid."),
        ("fact", "Weight", "Weight: 1.2 kg"),
        ("fact", "Cable", "Cable: 75 cm"),
    ]


def test_tracked_changes_are_read_as_if_accepted() -> None:
    run = "<w:r><w:t xml:space='preserve'>{}</w:t></w:r>"
    gone = "<w:del w:id='1'><w:r><w:delText>ten</w:delText></w:r></w:del>"
    moved = "<w:moveFrom w:id='2'><w:r><w:t>away</w:t></w:r></w:moveFrom>"
    come = f"<w:ins w:id='3'>{run.format('twelve')}</w:ins><w:moveTo w:id='4'>{run.format(' here')}</w:moveTo>"
    assert text_of(run.format("It costs ") + gone + moved + come) == ["It costs twelve here"]


def test_links_fields_and_controls_give_their_words() -> None:
    inside = (
        "<w:hyperlink><w:r><w:t xml:space='preserve'>our shop </w:t></w:r></w:hyperlink>"
        "<w:r><w:fldChar w:fldCharType='begin'/></w:r><w:r><w:instrText>PAGEREF secret</w:instrText></w:r>"
        "<w:fldSimple w:instr='DATE'><w:r><w:t xml:space='preserve'>in May </w:t></w:r></w:fldSimple>"
        "<w:sdt><w:sdtContent><w:r><w:t>sells</w:t></w:r></w:sdtContent></w:sdt>"
        "<w:r><w:tab/><w:t>it</w:t><w:noBreakHyphen/><w:t>all</w:t></w:r>"
        "<w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r>"
    )
    assert text_of(inside) == ["our shop in May sells it\u2011all"]


def test_a_text_box_is_read_once_after_its_paragraph() -> None:
    box = "<w:txbxContent><w:p><w:r><w:t>{}</w:t></w:p></w:txbxContent>".replace("</w:t>", "</w:t></w:r>")
    inside = (
        "<w:r><w:t>Beside it.</w:t><mc:AlternateContent>"
        f"<mc:Choice Requires='wps'><w:drawing><wps:txbx>{box.format('In the box.')}</wps:txbx></w:drawing></mc:Choice>"
        f"<mc:Fallback><w:pict><v:textbox>{box.format('In the box.')}</v:textbox></w:pict></mc:Fallback>"
        "</mc:AlternateContent></w:r>"
    )
    assert text_of(inside) == ["Beside it.", "In the box."]


def test_heads_feet_and_contents_are_left_out() -> None:
    word = docx.Document()
    word.sections[0].header.paragraphs[0].text = "Sorvel Ltd"
    word.sections[0].footer.paragraphs[0].text = "Page 1"
    style = word.styles.add_style("toc 1", 1)
    word.add_paragraph("Care 5", style=style)
    word.add_paragraph("Rinse it.")
    assert blocks(word) == [("paragraph", "Rinse it.")]


def test_arabic_paragraphs_keep_their_order() -> None:
    word = docx.Document()
    for text in ("سعر الغلاية Sorvel M2 هو 1,199 ريالًا (شامل الضريبة).", "الضمان: سنتان"):
        paragraph = word.add_paragraph()
        paragraph._p.get_or_add_pPr().append(parse_xml(f"<w:bidi {NS}/>"))
        run = paragraph.add_run(text)
        run._r.get_or_add_rPr().append(parse_xml(f"<w:rtl {NS}/>"))
    found = document(saved(word))
    assert found.language == "ar"
    assert [found.words_of(block) for block in found.blocks] == [
        "سعر الغلاية Sorvel M2 هو 1,199 ريالًا (شامل الضريبة).",
        "الضمان: سنتان",
    ]


def test_merged_deleted_and_framed_cells() -> None:
    word = docx.Document()
    table = word.add_table(3, 3)
    for number, row in enumerate(table.rows):
        for place, cell in enumerate(row.cells):
            cell.text = f"{'abc'[number]}{place}" if number else "Part Price Stock".split()[place]
    table.cell(1, 0).merge(table.cell(1, 1))
    table.cell(1, 0).text = "both"
    table.rows[2]._tr.get_or_add_trPr().append(parse_xml(f"<w:del {NS} w:id='1'/>"))
    frame = word.add_table(1, 1)
    frame.cell(0, 0).text = "Note: read this first."
    found = document(saved(word))
    assert [found.words_of(block) for block in found.blocks] == [
        "Part | Price | Stock",
        "both | b2",
        "Note: read this first.",
    ]
    assert found.blocks[1].cells == ("both", "", "b2")
    assert found.blocks[2].kind == "fact"


def plain_document() -> bytes:
    word = docx.Document()
    word.add_paragraph("The Sorvel kettle is made of copper.")
    return saved(word)


def changed(change: Callable[[dict[str, bytes]], Mapping[str, bytes]]) -> bytes:
    """Return a document with its parts changed."""
    with zipfile.ZipFile(io.BytesIO(plain_document())) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in change(parts).items():
            archive.writestr(name, data)
    return out.getvalue()


def of_a_later_zip() -> bytes:
    """Return a document whose directory says that unpacking it takes version 20.6."""
    data = plain_document()
    at = data.index(b"PK\x01\x02") + 6
    return data[:at] + bytes([206]) + data[at + 1 :]


def with_main(find: str, put: str) -> bytes:
    def change(parts: dict[str, bytes]) -> Mapping[str, bytes]:
        text = parts["word/document.xml"].decode()
        return parts | {"word/document.xml": re.sub(find, lambda _: put, text, count=1, flags=re.DOTALL).encode()}

    return changed(change)


def typed(kind: str) -> bytes:
    types = "[Content_Types].xml"
    main = b"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    return changed(lambda parts: parts | {types: parts[types].replace(main, kind.encode())})


LAUGHS = '<!DOCTYPE w [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><w:document'
OUTSIDE = '<!DOCTYPE w [<!ENTITY a SYSTEM "file:///etc/hostname">]><w:document'


@pytest.mark.parametrize(
    ("data", "error", "said"),
    [
        (b"words", DocumentMislabelled, "no Word document"),
        (b"\xd0\xcf\x11\xe0" + bytes(2000), DocumentMislabelled, "an old Word document"),
        (b"\xd0\xcf\x11\xe0" + "EncryptedPackage".encode("utf-16-le"), DocumentLocked, "password"),
        (plain_document()[:-300], DocumentUnreadable, "breaks off"),
        (plain_document()[:300], DocumentUnreadable, "breaks off"),
        (of_a_later_zip(), DocumentUnreadable, "breaks off"),
        (typed("application/vnd.ms-word.document.macroEnabled.main+xml"), DocumentMislabelled, "macros"),
        (
            typed("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"),
            DocumentMislabelled,
            "Excel",
        ),
        (changed(lambda parts: {"mimetype": b"application/vnd.oasis", "a": b"b"}), DocumentMislabelled, "OpenDocument"),
        (changed(lambda parts: {"a.txt": b"words"}), DocumentMislabelled, "ZIP"),
        (changed(lambda parts: {n: d for n, d in parts.items() if "document" not in n}), DocumentUnreadable, "missing"),
        (changed(lambda parts: {n: d for n, d in parts.items() if n != "_rels/.rels"}), DocumentUnreadable, "missing"),
        (with_main("<w:document", LAUGHS), DocumentUnreadable, "entities"),
        (with_main("<w:document", OUTSIDE), DocumentUnreadable, "entities"),
        (with_main("</w:body>", ""), DocumentUnreadable, "word/document.xml"),
        (with_main("<w:body>", "<w:body>" + "<w:sdt>" * 600), DocumentUnreadable, "word/document.xml"),
        (with_main("<w:body>", "<w:body>" + " " * 50_000_000), DocumentTooComplex, "40 MB"),
        (with_main("<w:body>.*</w:body>", "<w:body/>"), DocumentEmpty, "no words"),
    ],
    ids=(
        "text doc locked cut start later macros excel odt zip no-main no-links laughs outside broken deep bomb empty"
    ).split(),
)
def test_what_is_no_whole_document_is_refused_by_name(data: bytes, error: type[DocumentRefused], said: str) -> None:
    start = time.monotonic()
    with pytest.raises(error, match=re.escape(said)) as caught:
        document(data)
    assert time.monotonic() - start < 20
    for code in codes():
        assert "paper.docx" in load(code).text(caught.value.key, caught.value.values)


def test_a_document_without_styles_and_numbers_is_still_read() -> None:
    def change(parts: dict[str, bytes]) -> Mapping[str, bytes]:
        return {
            n: d for n, d in parts.items() if n not in ("word/styles.xml", "word/numbering.xml", "docProps/core.xml")
        }

    assert "copper" in document(changed(change)).text


def test_footnotes_stand_after_the_paragraph_that_holds_them() -> None:
    notes = f"<w:footnotes {NS}><w:footnote w:id='-1' w:type='separator'><w:p/></w:footnote>"
    notes += "<w:footnote w:id='2'><w:p><w:r><w:t>Except the lid.</w:t></w:r></w:p></w:footnote></w:footnotes>"
    mark = "<w:r><w:footnoteReference w:id='2'/></w:r></w:p>"

    def change(parts: dict[str, bytes]) -> Mapping[str, bytes]:
        main = parts["word/document.xml"].decode().replace("</w:p>", mark, 1)
        return parts | {"word/document.xml": main.encode(), "word/footnotes.xml": notes.encode()}

    found = document(changed(change))
    assert [found.words_of(b) for b in found.blocks] == ["The Sorvel kettle is made of copper.", "Except the lid."]


def test_qualified_names_are_those_of_word() -> None:
    from rag.shelf.wordstyles import w

    assert w("tbl") == qn("w:tbl")

"""The PDF and DOCX documents of the demonstration corpora, made from the Markdown beside this script.

``python data/printed/build.py`` writes ``data/demo/LANGUAGE/NAME.pdf`` from ``LANGUAGE/NAME.pdf.md``, and so for docx.
Headings, paragraphs, lists and tables are what the Markdown may hold.  DOCX comes out the same byte for byte
everywhere; PDF is printed by Debian's chromium in DejaVu Sans (fonts-dejavu-core), a free font that may be embedded,
and differs between versions of them.  Neither holds a date or a path.
"""

from __future__ import annotations

import html
import io
import re
import sys
import zipfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

HERE: Final = Path(__file__).resolve().parent
ROOT: Final = HERE.parents[1]
sys.path.insert(0, str(ROOT))  # run as a script, from anywhere

from languages import Language, load  # noqa: E402 - after the path is set

if TYPE_CHECKING:
    from docx.document import Document
    from docx.text.paragraph import Paragraph

DEMO: Final = ROOT / "data" / "demo"
SHOP: Final = "Tolvane"
RELEASED: Final = datetime(2025, 3, 1, tzinfo=UTC)  # of every DOCX, so that the same text gives the same file
ZIP_EPOCH: Final = (1980, 1, 1, 0, 0, 0)

PAGE: Final = """<!doctype html>
<html lang="{code}" dir="{direction}"><head><meta charset="utf-8"><title>{title}</title><style>
body {{ font: 9.5pt/1.5 "DejaVu Sans"; color: #222; margin: 0 }}
h1 {{ font-size: 17pt; line-height: 1.25; color: #14385c; margin: 0 0 10pt }}
h2 {{ font-size: 11.5pt; color: #14385c; margin: 12pt 0 3pt; break-after: avoid }}
p, ul, ol {{ margin: 0 0 6pt; orphans: 3; widows: 3 }}
ul, ol {{ padding-inline-start: 16pt }}
[dir=ltr] {{ font-variant-ligatures: none }} /* a ligature is one character to a reader of PDF: ﬁ */
</style></head><body>{body}</body></html>
"""
FOOTER: Final = (
    '<div style="font: 7pt DejaVu Sans; color: #777; width: 100%; text-align: center">'
    f'{SHOP} · <span class="pageNumber"></span>/<span class="totalPages"></span></div>'
)


def sources() -> Iterator[tuple[Path, Path]]:
    """Yield each Markdown source with the document that is made of it."""
    for source in sorted(HERE.glob("*/*.md")):
        yield source, DEMO / source.parent.name / source.stem


def parse(source: Path) -> list[Token]:
    """Return the blocks of *source*."""
    return MarkdownIt("commonmark").enable("table").parse(source.read_text(encoding="utf-8"))


# ------------------------------------------------------------------ DOCX


def docx(tokens: list[Token], language: Language) -> bytes:
    """Return a DOCX file of *tokens*; its paragraphs and tables run in the direction of *language*."""
    import docx as word
    from docx.oxml import OxmlElement

    document = word.Document()
    for section in document.sections:
        section.header.paragraphs[0].text = SHOP
    about = document.core_properties
    about.author = about.last_modified_by = SHOP
    about.title = next(token.content for token in tokens if token.type == "inline")
    about.comments = ""
    about.language = language.locale.replace("_", "-")
    about.created = about.modified = RELEASED.replace(tzinfo=None)
    about.revision = 1
    style = ""
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            style = "Title" if token.tag == "h1" else "Heading 1"
        elif token.type in {"bullet_list_open", "ordered_list_open"}:
            style = "List Bullet" if token.type.startswith("bullet") else "List Number"
        elif token.type in {"heading_close", "bullet_list_close", "ordered_list_close"}:
            style = ""
        elif token.type == "table_open":
            _fill(document, list(_rows(tokens[at:])))
        elif token.type == "inline" and tokens[at - 1].type in {"paragraph_open", "heading_open"}:
            document.add_paragraph(token.content, style or None)
    if language.direction == "rtl":
        for paragraph in _paragraphs(document):
            _turn(paragraph)
        for table in document.tables:
            table._tbl.tblPr.insert(1, OxmlElement("w:bidiVisual"))  # after the style, as the schema has it
    return _undated(document)


def _rows(tokens: list[Token]) -> Iterator[list[str]]:
    """Yield the cells of each row of the table that *tokens* begin with."""
    row: list[str] = []
    for before, token in pairwise(tokens):
        if token.type == "table_close":
            return
        if token.type == "tr_open":
            row = []
        elif token.type == "inline" and before.type in {"th_open", "td_open"}:
            row.append(token.content)
        elif token.type == "tr_close":
            yield row


def _fill(document: Document, rows: list[list[str]]) -> None:
    table = document.add_table(rows=len(rows), cols=len(rows[0]), style="Light Grid Accent 1")
    for cells, texts in zip(table.rows, rows, strict=True):
        for cell, text in zip(cells.cells, texts, strict=True):
            cell.text = text


def _paragraphs(document: Document) -> Iterator[Paragraph]:
    yield from document.paragraphs
    for section in document.sections:
        yield from section.header.paragraphs
    for table in document.tables:
        for row in table.rows:
            for cell in row.cells:
                yield from cell.paragraphs


def _turn(paragraph: Paragraph) -> None:
    """Let a paragraph run from right to left."""
    from docx.enum.text import WD_ALIGN_PARAGRAPH
    from docx.oxml import OxmlElement

    properties = paragraph._p.get_or_add_pPr()
    properties.append(OxmlElement("w:bidi"))
    paragraph.alignment = WD_ALIGN_PARAGRAPH.LEFT  # the leading side: the right one, in such a paragraph
    for run in paragraph.runs:
        run.font.rtl = True


def _undated(document: Document) -> bytes:
    """Return the file of *document* with its parts in order and no time of writing."""
    draft, final = io.BytesIO(), io.BytesIO()
    document.save(draft)
    with zipfile.ZipFile(draft) as parts, zipfile.ZipFile(final, "w", zipfile.ZIP_DEFLATED) as kept:
        for name in parts.namelist():
            part = zipfile.ZipInfo(name, ZIP_EPOCH)
            part.compress_type = zipfile.ZIP_DEFLATED
            kept.writestr(part, parts.read(name))
    return final.getvalue()


# ------------------------------------------------------------------ PDF


def page(tokens: list[Token], language: Language) -> str:
    """Return the HTML page of *tokens* that is printed."""
    title = next(token.content for token in tokens if token.type == "inline")
    renderer = MarkdownIt("commonmark").enable("table")
    body = renderer.renderer.render(tokens, renderer.options, {})
    return PAGE.format(code=language.code, direction=language.direction, title=html.escape(title), body=body)


def undated(content: bytes) -> bytes:
    """Return a printed file without dates and makers; blanks stand where they stood, as its table of places expects.

    >>> undated(b"<</Title (A)\\n/Producer (Skia/PDF)>>")
    b'<</Title (A)\\n                    >>'
    """
    told = re.compile(rb"/(?:Creator|Producer|CreationDate|ModDate) \((?:[^()\\]|\\.)*\)")
    return told.sub(lambda found: b" " * len(found[0]), content)


def print_pages(pages: list[tuple[str, Path]]) -> None:
    """Print each of *pages*: its HTML, the file to write."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium")
        for markup, target in pages:
            tab = browser.new_page()
            tab.set_content(markup)
            printed = tab.pdf(
                format="A5",
                margin={"top": "14mm", "bottom": "16mm", "left": "14mm", "right": "14mm"},
                display_header_footer=True,
                header_template="<span></span>",
                footer_template=FOOTER,
                tagged=False,
            )
            target.write_bytes(undated(printed))
            tab.close()
        browser.close()


def build(only: Sequence[str] = ()) -> None:
    """Write the documents, or those alone whose name or language is among *only*."""
    pages: list[tuple[str, Path]] = []
    for source, target in sources():
        if only and not {target.name, source.parent.name} & set(only):
            continue
        language = load(source.parent.name)
        if target.suffix == ".docx":
            target.write_bytes(docx(parse(source), language))
        else:
            pages.append((page(parse(source), language), target))
    if pages:
        print_pages(pages)


if __name__ == "__main__":
    build(sys.argv[1:])

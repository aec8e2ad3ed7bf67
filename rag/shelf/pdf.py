"""PDF to blocks: its pages read apart, refused where they hold no text that can be used, and laid out.

PDFium reads the pages (``pdfpages``), in a process of its own; what stands on them becomes blocks in ``layout``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any

from babel.numbers import get_group_symbol

from languages import default_code, detect, load
from rag.errors import (
    DocumentGarbled,
    DocumentLocked,
    DocumentMislabelled,
    DocumentRefused,
    DocumentScanned,
    DocumentTooLong,
    DocumentUnreadable,
)
from rag.shelf.apart import read_source
from rag.shelf.blocks import Draft, Source
from rag.shelf.glyphs import Cell, Line, is_arabic
from rag.shelf.layout import Page, lay_out

_PROGRAM = "rag.shelf.pdfpages"
_HEAD = 1024  # bytes within which "%PDF-" stands, and "%%EOF" from the end: so readers of PDF look for them
_FOOT = 4096

# A page with fewer letters than this and a picture is taken for a scan; measured on title pages, which have some 30.
_FEW_LETTERS = 25
_MOST_SIGNS = 0.03  # share of signs without a meaning; some programs draw a bullet or a logo so
_MOST_ALONE = 0.35  # share of Arabic words of one letter; a sound text has about 0.02
_LEAST_WORDS = 20
_SAMPLE = 4000
_THOUSANDS = re.compile(r"(?<![\d.,])\d{1,3}(?: \d{3})+(?!\d)")

# "Microsoft Word - plan.docx", "print.html", "untitled": titles that nobody has given.
_NO_TITLE = re.compile(r"\w+://|.*\.\w{2,5}\Z|(?i:microsoft word\b|untitled|unbenannt|sans titre)")


def read_pdf(source: Source) -> Draft:
    """Return the blocks of a PDF, each with its page.

    Raises: DocumentMislabelled, DocumentUnreadable, DocumentLocked, DocumentTooLong, DocumentTooComplex,
        DocumentScanned, DocumentGarbled.
    """
    name = source.name
    if b"%PDF-" not in source.data[:_HEAD]:
        raise DocumentMislabelled(
            f"{name} does not begin as a PDF does; expected one, as its ending says. Give it its right ending, or "
            "export it as PDF again.",
            {"name": name, "found": "no PDF"},
        )
    if b"%%EOF" not in source.data[-_FOOT:]:
        raise DocumentUnreadable(f"{name} breaks off; expected a whole PDF. Copy or export it again.", {"name": name})
    draft = Draft()
    pages: list[Page] = []
    pictures: list[bool] = []
    expected = "an ordinary PDF. Export it again, or split it."
    with closing(read_source(_PROGRAM, source, source.limits.pages, _refusal, expected)) as reading:
        for found in reading:
            if "lines" in found:
                pages.append(_page(found, len(pages) + 1))
                pictures.append(bool(found["pictures"]))
            elif not _NO_TITLE.match(found["title"]):
                draft.title = str(found["title"])
    _check(name, pages, pictures)
    lay_out(_grouped(pages), draft)
    return draft


def _grouped(pages: Sequence[Page]) -> list[Page]:
    """Return *pages* with the blanks in "1 299" as no-break spaces, where their language groups digits so.

    The fonts of many PDFs have one blank for all.
    """
    sample = " ".join(line.text for page in pages for line in page.lines[:40])[:_SAMPLE]
    mark = get_group_symbol(load(detect(sample, previous=default_code()).code).locale)
    if not mark.isspace():
        return list(pages)

    def whole(cell: Cell) -> Cell:
        """Return a cell with its thousands whole."""
        return replace(cell, text=_THOUSANDS.sub(lambda found: found[0].replace(" ", mark), cell.text))

    def joined(line: Line) -> Line:
        """Return a line of such cells."""
        return replace(line, cells=tuple(map(whole, line.cells)))

    return [replace(page, lines=tuple(map(joined, page.lines))) for page in pages]


def _page(found: Mapping[str, Any], number: int) -> Page:
    lines = (
        Line(tuple(Cell(str(text), left, right) for text, left, right in cells), base, size, bold)
        for cells, base, size, bold in found["lines"]
    )
    return Page(number, float(found["height"]), tuple(lines))


def _refusal(source: Source, found: Mapping[str, Any]) -> DocumentRefused:
    name = source.name
    match found["refused"]:
        case "locked":
            return DocumentLocked(
                f"{name} is protected by a password; expected a PDF that opens without one. Remove it.", {"name": name}
            )
        case "pages":
            pages, limit = str(found["pages"]), str(source.limits.pages)
            return DocumentTooLong(
                f"{name} has {pages} pages; expected at most {limit}. Split it, or raise REFERENT_MAX_PAGES.",
                {"name": name, "pages": pages, "limit": limit},
            )
        case _:
            where = f" on page {found['page']}" if "page" in found else ""
            return DocumentUnreadable(
                f"{name} is damaged{where}; expected a whole PDF. Open it in another program and save it again.",
                {"name": name},
            )


def _check(name: str, pages: Sequence[Page], pictures: Sequence[bool]) -> None:
    """Refuse pages that show text without holding it: scans, and signs that stand for no letters."""
    texts = [" ".join(line.text for line in page.lines) for page in pages]
    letters = [sum(map(str.isalnum, text)) for text in texts]
    scans = sum(count < _FEW_LETTERS and picture for count, picture in zip(letters, pictures, strict=True))
    if scans > 0.5 * len(pages):
        raise DocumentScanned(
            f"{name} holds pictures of text on {scans} of {len(pages)} pages; expected text. Run text recognition "
            "(OCR) on it first.",
            {"name": name},
        )
    lost = sum(_is_lost(character) for text in texts for character in text)
    words = [word for text in texts for word in text.split() if is_arabic(word[0])]
    alone = sum(len(word) == 1 for word in words)
    if lost > _MOST_SIGNS * (sum(letters) + lost) or (len(words) >= _LEAST_WORDS and alone > _MOST_ALONE * len(words)):
        raise DocumentGarbled(
            f"{name} does not say which letters it draws: {lost} signs without a meaning, {alone} letters apart; "
            "expected text that can be copied. Export it again, or run text recognition (OCR) on it.",
            {"name": name},
        )


# Bullets of the fonts Symbol and Wingdings, which are no letters in any document.
_BULLETS = frozenset("\uf0b7\uf0a7\uf076\uf0d8\uf0fc\uf0a8")


def _is_lost(character: str) -> bool:
    private = "\ue000" <= character <= "\uf8ff" or character >= "\U000f0000"
    return (private and character not in _BULLETS) or character in "\ufffd\0"

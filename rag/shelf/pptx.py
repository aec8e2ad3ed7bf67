"""PowerPoint presentations (PPTX) to blocks: what stands on the slides, each with its number as its page.

Taken: titles, text, lists, tables, the words of diagrams, and the speaker's notes after their slide.  Left out: hidden
slides, dates, footers and slide numbers, pictures, charts, comments.  How the file is opened: ``officefile``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from lxml import etree

from rag.errors import DocumentTooLong
from rag.shelf.blocks import Draft, Source, fact_of, one_line
from rag.shelf.officefile import SLIDES, OfficeFile, open_office
from rag.shelf.tables import add_table

_P: Final = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_A: Final = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_D: Final = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
_R: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_CHOICES: Final = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_TITLES: Final = ("title", "ctrTitle")
_PASSED: Final = ("dt", "ftr", "sldNum", "hdr", "sldImg")  # placeholders of what stands on every slide
_FIRST_TITLE: Final = 1
_SLIDE_TITLE: Final = 2


def read_pptx(source: Source) -> Draft:
    """Return the blocks of a PowerPoint presentation.

    Raises: DocumentMislabelled, DocumentLocked, DocumentTooComplex, DocumentTooLong, DocumentUnreadable.
    """
    draft = Draft()
    with open_office(source, SLIDES) as file:
        paths = _slides(file)
        if len(paths) > source.limits.pages:
            pages, limit = str(len(paths)), str(source.limits.pages)
            raise DocumentTooLong(
                f"{source.name} has {pages} slides; expected at most {limit}. Split it, or raise REFERENT_MAX_PAGES.",
                {"name": source.name, "pages": pages, "limit": limit},
            )
        for number, path in enumerate(paths, 1):
            slide = file.at(path)
            if slide.get("show") not in ("0", "false"):
                draft.page = number
                _Walk(draft, file, path).slide(slide)
        draft.title = one_line(file.title)
        draft.pictures = file.has_pictures
    return draft


def _slides(file: OfficeFile) -> list[str]:
    """Return the paths of the slides in the order in which they are shown."""
    links = file.links(file.main)
    ids = (str(slide.get(f"{_R}id")) for slide in file.document.iter(f"{_P}sldId"))
    return [links[id_][1] for id_ in ids if id_ in links]


class _Walk:
    """One pass over a slide."""

    def __init__(self, draft: Draft, file: OfficeFile, path: str) -> None:
        self.draft = draft
        self.file = file
        self.links = file.links(path)

    def slide(self, slide: etree._Element) -> None:
        """Add the title, what stands below it, and the notes."""
        shapes = list(_shapes(slide))
        titles = [shape for shape in shapes if _placeholder(shape) in _TITLES]
        for shape in titles:
            self._title(shape)
        for shape in shapes:
            if shape not in titles:
                self._shape(shape)
        for kind, path in self.links.values():
            if kind == "notesSlide":
                self._notes(self.file.at(path))

    def _title(self, shape: etree._Element) -> None:
        words = " ".join(filter(None, (text for text, _ in _paragraphs(shape))))
        first = not any(block.kind == "heading" for block in self.draft.blocks)
        self.draft.add("heading", one_line(words), level=_FIRST_TITLE if first else _SLIDE_TITLE)

    def _shape(self, shape: etree._Element) -> None:
        if shape.tag == f"{_P}graphicFrame":
            self._frame(shape)
            return
        kind = _placeholder(shape)
        if kind in _PASSED:
            return
        found = [(text, bulleted) for text, bulleted in _paragraphs(shape) if text.strip()]
        # The text of the layout's own body has bullets unless it says otherwise.
        body = kind in ("", "body", "obj") and len(found) > 1
        for text, bulleted in found:
            if bulleted if bulleted is not None else body:
                line = one_line(text)
                fact = fact_of(line)
                self.draft.add("item", line, label=fact[0] if fact else "")
            else:
                self.draft.add_lines(text)

    def _frame(self, frame: etree._Element) -> None:
        for table in frame.iter(f"{_A}tbl"):
            self._table(table)
        for diagram in frame.iter(f"{_D}relIds"):
            link = self.links.get(str(diagram.get(f"{_R}dm")))
            if link is not None:
                for point in self.file.at(link[1]).iter(f"{_D}pt"):
                    if point.get("type") != "pres":
                        words = " ".join(text for text, _ in _paragraphs(point))
                        self.draft.add("item", one_line(words))

    def _table(self, table: etree._Element) -> None:
        rows: list[list[str]] = []
        for row in table.iterchildren(f"{_A}tr"):
            cells: list[str] = []
            for cell in row.iterchildren(f"{_A}tc"):
                words = one_line(" ".join(text for text, _ in _paragraphs(cell)))
                if cell.get("vMerge") in ("1", "true") and rows and len(cells) < len(rows[-1]):
                    words = rows[-1][len(cells)]  # it stands for this row too
                cells.append(words)
            rows.append(cells)
        looks = table.find(f"{_A}tblPr")
        if looks is None or looks.get("firstRow") not in ("1", "true"):
            for cells in rows:
                self.draft.add_row((), cells)
        else:
            add_table(self.draft, rows, level=3)

    def _notes(self, notes: etree._Element) -> None:
        for shape in _shapes(notes):
            if _placeholder(shape) == "body":
                for text, _ in _paragraphs(shape):
                    self.draft.add_lines(text)


def _shapes(slide: etree._Element) -> Iterator[etree._Element]:
    """Yield the shapes of a slide in their order, those of groups too; of a drawing in two forms the first."""
    tree = slide.find(f"{_P}cSld/{_P}spTree")
    if tree is not None:
        yield from _inside(tree)


def _inside(parent: etree._Element) -> Iterator[etree._Element]:
    for child in parent:
        if child.tag in (f"{_P}sp", f"{_P}graphicFrame"):
            if not _is_hidden(child):
                yield child
        elif child.tag in (f"{_P}grpSp", f"{_CHOICES}AlternateContent", f"{_CHOICES}Choice"):
            yield from _inside(child)


def _is_hidden(shape: etree._Element) -> bool:
    named = shape.find(f"*/{_P}cNvPr")
    return named is not None and named.get("hidden") in ("1", "true")


def _placeholder(shape: etree._Element) -> str | None:
    """Return what a shape takes the place of: "title", "body", "" for any content; None for a shape of its own."""
    found = shape.find(f"*/{_P}nvPr/{_P}ph")
    return None if found is None else str(found.get("type", ""))


def _paragraphs(shape: etree._Element) -> Sequence[tuple[str, bool | None]]:
    """Return the paragraphs inside *shape* with whether each has a bullet, None where it does not say."""
    found: list[tuple[str, bool | None]] = []
    for paragraph in shape.iter(f"{_A}p"):
        looks = paragraph.find(f"{_A}pPr")
        bullet: bool | None = None
        if looks is not None:
            if looks.find(f"{_A}buNone") is not None:
                bullet = False
            elif looks.find(f"{_A}buChar") is not None or looks.find(f"{_A}buAutoNum") is not None:
                bullet = True
        inside = paragraph.iter(f"{_A}t", f"{_A}br")
        parts = ["\n" if part.tag == f"{_A}br" else part.text or "" for part in inside]
        found.append(("".join(parts).replace("\v", "\n"), bullet))
    return found

"""Word documents (DOCX) to blocks: what stands on the page when every tracked change is accepted.

Taken: text, headings by their style, lists with their numbers, tables, text boxes and footnotes after the paragraph
that holds them.  Left out: headers and footers, tables of contents, comments, deleted and hidden text.  How the file
is opened, and what is refused: ``officefile``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from lxml import etree

from rag.shelf.blocks import Draft, Source, fact_of, one_line
from rag.shelf.markup import BOLD_LINE, LONGEST_BOLD_LINE
from rag.shelf.officefile import WORD, OfficeFile, open_office
from rag.shelf.wordstyles import Styles, attribute, read_styles, w

_LABEL_END = (".", ":", "?", "!", "؟", "：")
_CHOICES = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_MATHS = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
# What is not read: changes that take away, other forms of the same drawing, codes of fields, properties.
_PASSED: Final = frozenset(
    {w(name) for name in "del moveFrom pPr rPr delText instrText delInstrText fldData rt tblPr trPr tcPr".split()}
    | {f"{_CHOICES}Fallback"}
)
_BOXES: Final = w("txbxContent")
_ON: Final = ("", "1", "true", "on")


def read_docx(source: Source) -> Draft:
    """Return the blocks of a Word document.

    Raises: DocumentMislabelled, DocumentLocked, DocumentTooComplex, DocumentUnreadable.
    """
    with open_office(source, WORD) as file:
        draft = Draft()
        body = file.document.find(w("body"))
        walk = _Walk(draft, read_styles(file), _footnotes(file))
        if body is not None:
            walk.blocks(body)
        draft.title = one_line(file.title)
        draft.pictures = file.has_pictures
    return draft


def _footnotes(file: OfficeFile) -> Mapping[str, etree._Element]:
    notes = file.part("footnotes.xml")
    found = notes.iter(w("footnote")) if notes is not None else ()
    return {attribute(note, "id"): note for note in found if attribute(note, "type") in ("", "normal")}


@dataclass(slots=True)
class _Words:
    """The text of a paragraph, with what is in bold, and what hangs on it."""

    parts: list[str] = field(default_factory=list)
    bold: list[bool] = field(default_factory=list)
    boxes: list[etree._Element] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, text: str, bold: bool) -> None:
        """Add *text*."""
        self.parts.append(text)
        self.bold.append(bold)

    @property
    def text(self) -> str:
        """Return the words."""
        return "".join(self.parts)

    def marked(self) -> list[str]:
        """Return the runs of bold words."""
        runs: list[str] = []
        before = False
        for text, bold in zip(self.parts, self.bold, strict=True):
            if bold and before:
                runs[-1] += text
            elif bold:
                runs.append(text)
            before = bold or (before and not text.strip())
        return [run.strip() for run in runs if run.strip()]


class _Walk:
    """One pass over a document."""

    def __init__(self, draft: Draft, styles: Styles, notes: Mapping[str, etree._Element]) -> None:
        self.draft = draft
        self.styles = styles
        self.notes = dict(notes)
        self.counts: Counter[tuple[str, int]] = Counter()

    def blocks(self, parent: etree._Element) -> None:
        """Add the paragraphs and tables inside *parent*, in order."""
        for child in parent:
            if child.tag == w("p"):
                self._paragraph(child)
            elif child.tag == w("tbl"):
                self._table(child)
            elif child.tag not in _PASSED and child.tag != w("sectPr"):
                self.blocks(child)  # content controls, insertions, custom XML

    def _paragraph(self, paragraph: etree._Element) -> None:
        style = self.styles.of_paragraph(paragraph)
        words = self._words(paragraph)
        text = words.text
        if text.strip() and not style.contents:
            self._add(text, words.marked(), style.level, self._marker(paragraph))
        self._hanging(words)

    def _add(self, text: str, marked: list[str], level: int, marker: str | None) -> None:
        line = one_line(text)
        alone = (
            len(marked) == 1
            and len(line) <= LONGEST_BOLD_LINE
            and line.rstrip(".:?!؟：") == marked[0].rstrip(".:?!؟：")
        )
        if level:
            self.draft.add("heading", line, level=level)
        elif marker is None and alone:
            self.draft.add("heading", line, level=BOLD_LINE)
        else:
            opens = marked[0] if marked and line.startswith(marked[0]) else ""
            label = opens.rstrip(".:?!؟：") if opens.endswith(_LABEL_END) or line[len(opens) :].startswith(":") else ""
            marked = [mark.rstrip(".:?!؟：") for mark in marked]
            if marker is None:
                self.draft.add_lines(text, label=label if opens else "", marked=marked)
            else:
                fact = fact_of(line)
                self.draft.add("item", marker + line, label=fact[0] if fact else label if opens else "", marked=marked)

    def _marker(self, paragraph: etree._Element) -> str | None:
        """Return what stands before a list item, such as "2. "; "" for a bullet, None where it is no item."""
        place = self.styles.list_of(paragraph)
        if place is None:
            return None
        number, depth = place
        self.counts[place] += 1
        for deeper in range(depth + 1, 9):
            self.counts[number, deeper] = 0
        first, form = self.styles.numbering_of(number, depth)
        return form.replace(f"%{depth + 1}", str(first - 1 + self.counts[place])) + " " if form else ""

    def _hanging(self, words: _Words) -> None:
        """Add the text boxes and footnotes that hang on a paragraph."""
        for box in words.boxes:
            self.blocks(box)
        for name in words.notes:
            note = self.notes.pop(name, None)
            if note is not None:
                self.blocks(note)

    def _words(self, element: etree._Element) -> _Words:
        words = _Words()
        self._collect(element, words, bold=False)
        return words

    def _collect(self, element: etree._Element, words: _Words, *, bold: bool) -> None:
        for child in element:
            tag = child.tag
            if tag in _PASSED:
                continue
            if tag == w("r"):
                if not _is_on(child, "vanish"):
                    self._collect(child, words, bold=_is_on(child, "b"))
            elif tag in (w("t"), f"{_MATHS}t"):
                words.add(child.text or "", bold)
            elif tag == _BOXES:
                words.boxes.append(child)
            elif tag == w("footnoteReference"):
                words.notes.append(attribute(child, "id"))
            elif tag in _SIGNS:
                words.add(_SIGNS[tag], bold)
            elif tag == w("br"):
                words.add("\n" if attribute(child, "type") in ("", "textWrapping") else " ", bold)
            else:
                self._collect(child, words, bold=bold)

    def _table(self, table: etree._Element) -> None:
        rows = [
            row for row in _inside(table, w("tr")) if not any(True for _ in row.iterfind(f"{w('trPr')}/{w('del')}"))
        ]
        if len(rows) == 1 and len(cells := list(_inside(rows[0], w("tc")))) == 1:
            self.blocks(cells[0])  # a frame around text
            return
        hanging = _Words()
        texts: list[list[str]] = []
        bold: list[bool] = []
        for row in rows:
            found = [self._cell(cell, hanging) for cell in _inside(row, w("tc"))]
            texts.append([text for cell, spans, _ in found for text in (cell, *[""] * (spans - 1))])
            bold.append(all(strong for cell, _, strong in found if cell))
        columns: list[str] = []
        if texts and _has_head(table, texts, bold):
            columns = texts.pop(0)
            self.draft.add("columns", " | ".join(filter(None, columns)))
        for cells_of_row in texts:
            self.draft.add_row(columns if len(columns) == len(cells_of_row) else (), cells_of_row)
        self._hanging(hanging)

    def _cell(self, cell: etree._Element, hanging: _Words) -> tuple[str, int, bool]:
        """Return the words of a cell, how many columns it spans, and whether all are in bold."""
        parts: list[str] = []
        strong = True
        for paragraph in _inside(cell, w("p"), deep=True):
            words = self._words(paragraph)
            parts.append(one_line(words.text))
            strong = strong and all(b for text, b in zip(words.parts, words.bold, strict=True) if text.strip())
            hanging.boxes += words.boxes
            hanging.notes += words.notes
        span = cell.find(f"{w('tcPr')}/{w('gridSpan')}")
        spans = attribute(span, "val") if span is not None else ""
        return " ".join(filter(None, parts)), min(int(spans), 64) if spans.isdecimal() and int(spans) else 1, strong


_SIGNS: Final[Mapping[str, str]] = {
    w("tab"): " ",
    w("ptab"): " ",
    w("cr"): "\n",
    w("noBreakHyphen"): "\u2011",
    w("softHyphen"): "",
}


def _inside(parent: etree._Element, tag: str, *, deep: bool = False) -> Iterator[etree._Element]:
    """Yield what has *tag* inside *parent*, also in content controls and insertions; *deep*: in tables as well."""
    for child in parent:
        if child.tag == tag:
            yield child
        elif child.tag not in _PASSED and (deep or child.tag not in (w("tbl"), w("tc"), w("p"))):
            yield from _inside(child, tag, deep=deep)


def _is_on(run: etree._Element, name: str) -> bool:
    """Return whether a property of a run is set on it."""
    found = run.find(f"{w('rPr')}/{w(name)}")
    return found is not None and attribute(found, "val") in _ON


def _has_head(table: etree._Element, texts: list[list[str]], bold: list[bool]) -> bool:
    """Return whether the first row names the columns: marked so, in bold alone, or set apart in a table of three.

    Word sets the first row of every table apart unless told otherwise, so in a table of two columns that says nothing.
    """
    if next(table.iter(w("tblHeader")), None) is not None:
        return True
    if len(texts) < 2 or not any(texts[0]):
        return False
    if bold[0] and not all(bold[1:]):
        return True
    if len(texts[0]) < 3:
        return False
    look = table.find(f"{w('tblPr')}/{w('tblLook')}")
    if look is not None and attribute(look, "firstRow") in ("1", "true"):
        return True
    plain = not any(re.search(r"\d", cell) for cell in texts[0])
    return plain and any(re.search(r"\d", cell) for row in texts[1:] for cell in row[1:])

"""The lines of pages to blocks: running heads dropped, paragraphs joined, headings and table rows told by their form.

What a line is: ``glyphs``.  Nothing here knows of PDF.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, pairwise
from statistics import median

from rag.shelf.blocks import Draft, fact_of
from rag.shelf.glyphs import Cell, Line, runs_from_right
from rag.shelf.hyphens import joined
from rag.shelf.markup import BOLD_LINE, LONGEST_BOLD_LINE

_HEADING = 1.12  # how much larger than the text a heading is at least
_MOST_HEADING = 200  # characters; larger print that goes on for longer is text
_SAME_SIZE = 0.06
_GAP = 1.25  # times the usual step from line to line: a new paragraph
_EDGE = 2  # how many lines at the top and at the foot of a page may be running heads
_ITEM = re.compile(r"(?:(?P<bullet>[•●▪■‣◦○·*–—-]|[\uf0a7\uf0b7\uf076\uf0d8])\s+|\(?\d{1,3}[.)]\s+|[A-Za-z][.)]\s+)\S")
# How far off the estimate of a word's width may be, in letters' sizes; more where the line goes on in small letters.
_NEAR = 0.3
_AMID = 3.0
_RAGGED = 6.0  # how far before the edge the lines of running text may end
_PROSE = 25  # characters a line of running text has at least; narrower columns are lists
_CLOSED = (".", "!", "?", "؟", ":", ";", "؛", "…", "»", "”", '"')


@dataclass(frozen=True, slots=True)
class Page:
    """The lines of a page, numbered from 1, and how high it is."""

    number: int
    height: float
    lines: tuple[Line, ...]


@dataclass(slots=True)
class _Form:
    """What is usual in this document: the size of its text, its steps from line to line, the sizes of headings."""

    body: float
    headings: tuple[float, ...]
    bold: bool  # most of the text is
    steps: dict[float, float] = field(default_factory=dict)
    edges: dict[tuple[bool, int], float] = field(default_factory=dict)

    def level(self, line: Line) -> int:
        """Return the level of the heading that a line of this size is, 0 where it is none."""
        if line.size <= self.body * _HEADING:
            return 0
        return next((place for place, size in enumerate(self.headings, 1) if line.size >= size * 0.96), 0)

    def step(self, size: float) -> float:
        """Return the usual step between lines of *size*."""
        return self.steps.get(round(size), 1.25 * size)

    def edge(self, line: Line, rtl: bool) -> float:
        """Return how far the lines of the text go that begin where *line* does."""
        start, end = (line.right, line.left) if rtl else (line.left, line.right)
        known = [self.edges.get((rtl, round(start / 10) + near), end) for near in (-1, 0, 1)]
        return min(known) if rtl else max(known)


def lay_out(pages: Sequence[Page], draft: Draft) -> None:
    """Add what stands on *pages* to *draft*, block by block, each with the page on which it begins."""
    kept = without_running_lines(pages)
    form = _form_of(kept)
    words = frozenset(word.lower() for page in kept for line in page.lines for word in re.findall(r"[\w-]+", line.text))
    walk = _Walk(draft, form, words)
    for page in kept:
        walk.page(page)
    walk.close()


def without_running_lines(pages: Sequence[Page]) -> tuple[Page, ...]:
    """Return *pages* without what stands at the same height of most of them: heads, feet, page numbers.

    Numbers count as the same where they count the pages; a price list that goes on is no head.
    """
    if len(pages) == 1:
        return (replace(pages[0], lines=tuple(line for line in pages[0].lines if not _printed_margin(line, pages[0]))),)
    seen: Counter[tuple[str, int]] = Counter()
    for page in pages:
        seen.update({mark for line in _edges(page) for mark in _marks(line, page)})
    least = max(2, 0.4 * len(pages))
    return tuple(
        replace(
            page,
            lines=tuple(
                line
                for line in page.lines
                if line not in _edges(page) or not any(seen[mark] >= least for mark in _marks(line, page))
            ),
        )
        for page in pages
    )


def _printed_margin(line: Line, page: Page) -> bool:
    """Return whether a line is what a browser prints in the margin of a page: the date, the address, "1/1"."""
    outer = line.base < 0.05 * page.height or line.base > 0.95 * page.height
    body = max(other.size for other in page.lines)
    return outer and line.size < body and re.search(r"://|\b1/1\Z|\d{1,2}[/.]\d{1,2}[/.]\d{2}", line.text) is not None


def _edges(page: Page) -> list[Line]:
    """Return the lines next to the margins, without the head of a table: rows follow close below it."""
    ordered = sorted(page.lines, key=lambda line: -line.base)
    if len(ordered) <= 2 * _EDGE:
        return ordered
    rows = {
        id(line)
        for before, after in pairwise(ordered)
        if len(before.cells) == len(after.cells) > 1 and before.base - after.base < 2.2 * after.size
        for line in (before, after)
    }
    return [line for line in (*ordered[:_EDGE], *ordered[-_EDGE:]) if id(line) not in rows]


def _marks(line: Line, page: Page) -> Iterator[tuple[str, int]]:
    """Yield the line as it stands and, near the edge, with a number as what it adds to the page's; with its height."""
    margin = min(line.base, page.height - line.base)
    texts = set()
    if margin < 0.15 * page.height:
        texts.add(line.text)
    if margin < 0.1 * page.height:
        texts.add(re.sub(r"\d{1,6}", lambda found: f"#{int(found[0]) - page.number}", line.text, count=1))
    for text in texts:
        for near in (round(margin / 4), round(margin / 4) + 1):
            yield text, near


def _form_of(pages: Sequence[Page]) -> _Form:
    sizes: Counter[float] = Counter()
    bold = 0
    steps: dict[float, list[float]] = {}
    for page in pages:
        for line in page.lines:
            sizes[round(line.size, 1)] += len(line.text)
            bold += len(line.text) * line.bold
        for before, line in pairwise(page.lines):
            step = before.base - line.base
            if _alike(before, line) and 0.8 * line.size < step < 2.2 * line.size:
                steps.setdefault(round(line.size), []).append(step)
    edges: dict[tuple[bool, int], float] = {}
    body = max(sizes, key=lambda size: (sizes[size], size), default=10.0)
    headings: list[float] = []
    for size in sorted((size for size in sizes if size > body * _HEADING), reverse=True):
        if not headings or size < headings[-1] * 0.96:
            headings.append(size)
    usual = {size: _usual(found) for size, found in steps.items()}
    for line in (line for page in pages for line in page.lines):
        if abs(line.size - body) <= _SAME_SIZE * body and len(line.cells) == 1:
            right, left = (False, round(line.left / 10)), (True, round(line.right / 10))
            edges[right] = max(edges.get(right, line.right), line.right)
            edges[left] = min(edges.get(left, line.left), line.left)
    return _Form(body, tuple(headings[:6]), bold > 0.5 * sizes.total(), usual, edges)


def _usual(steps: Sequence[float]) -> float:
    """Return the step within a paragraph: the commonest, else the smaller ones' middle."""
    value, count = Counter(round(step, 1) for step in steps).most_common(1)[0]
    return value if count > 0.3 * len(steps) else median(sorted(steps)[: len(steps) // 2 + 1])


def _alike(before: Line, line: Line) -> bool:
    return abs(before.size - line.size) <= _SAME_SIZE * max(before.size, line.size) and before.bold == line.bold


class _Walk:
    """One pass over the lines; a paragraph may go on over the end of a page."""

    def __init__(self, draft: Draft, form: _Form, words: frozenset[str]) -> None:
        self.draft = draft
        self.form = form
        self.words = words
        self.columns: tuple[Cell, ...] = ()  # of the table that the last line belonged to
        self.open: list[str] = []  # the paragraph that may go on
        self.open_page = 0
        self.last: Line | None = None

    def page(self, page: Page) -> None:
        """Add the lines of a page."""
        first = True
        for rows, lines in groupby(page.lines, key=lambda line: len(line.cells) > 1):
            if rows:
                self.close()
                self.draft.page = page.number
                self._table(list(lines), goes_on=first)
            else:
                self._texts(list(lines), page, first)
            first = False

    def close(self) -> None:
        """Add the paragraph that is open."""
        if self.open:
            page, self.draft.page = self.draft.page, self.open_page
            _add_text(self.draft, joined(self.open, self.words))
            self.draft.page = page
        self.open = []

    def _texts(self, lines: Sequence[Line], page: Page, first: bool) -> None:
        for group in _groups(lines, self.form):
            self.columns = ()
            level = self._level(group)
            if level:
                self.close()
                self.draft.page = page.number
                self.draft.add("heading", joined([line.text for line in group], self.words), level=level)
                self.last = None
                continue
            edge = _edge(group, self.form)
            for place, line in enumerate(group):
                if not self._goes_on(line, edge, fresh=place == 0, turned=first and place == 0):
                    self.close()
                    self.open_page = page.number
                self.open.append(line.text)
                self.last = line
            self.draft.page = page.number

    def _level(self, group: Sequence[Line]) -> int:
        text = " ".join(line.text for line in group)
        if len(text) > _MOST_HEADING or not any(character.isalpha() for character in text):
            return 0
        level = self.form.level(group[0])
        if level:
            return level
        short = len(text) <= LONGEST_BOLD_LINE and len(group) <= 2 and not text.endswith((".", ";", ",", "،", "؛"))
        alone = group[0].bold and not self.form.bold and short and fact_of(text) is None and not _ITEM.match(text)
        return BOLD_LINE if alone else 0

    def _goes_on(self, line: Line, edge: float, *, fresh: bool, turned: bool) -> bool:
        """Return whether the open paragraph goes on in *line*: its last line was broken for want of room."""
        before = self.last
        if not self.open or before is None or _ITEM.match(line.text) or (fresh and not turned):
            return False
        if fact_of(line.text) and fact_of(self.open[0]):  # a list of facts
            return False
        if turned:  # over the end of a page
            return _alike(before, line) and not before.text.endswith(_CLOSED) and line.text[:1].islower()
        if joined((before.text, line.text), self.words) != f"{before.text} {line.text}":
            return True  # a word is broken
        rtl = runs_from_right(before.text)
        indent = (before.right - line.right) if rtl else (line.left - before.left)
        if indent > line.size and len(self.open) > 1:
            return False
        room = before.left - edge if rtl else edge - before.right
        word = line.text.split(" ", 1)[0]
        need = (len(word) + 1) * (line.right - line.left) / max(1, len(line.text))
        amid = not before.text.endswith(_CLOSED) and not (line.text[0].isupper() or line.text[0].isdigit())
        return need > room - (_AMID if amid and not rtl else _NEAR) * line.size

    def _table(self, lines: Sequence[Line], *, goes_on: bool) -> None:
        """Add rows of cells; a head is in bold, or has no numbers where the rows below have."""
        rows = list(lines)
        if not (goes_on and self.columns and len(rows[0].cells) <= len(self.columns)):
            self.columns = ()
        if not self.columns and _has_head(rows):
            head = rows.pop(0)
            self.columns = head.cells
            self.draft.add("columns", " | ".join(cell.text for cell in head.cells))
        if self.columns and rows and [c.text for c in rows[0].cells] == [c.text for c in self.columns]:
            rows.pop(0)  # the head again, on the next page
        names = [cell.text for cell in self.columns]
        for row in rows:
            placed = _placed(row.cells, self.columns)
            self.draft.add_row(names if placed else (), placed or [cell.text for cell in row.cells])
        self.last = None


def _groups(lines: Sequence[Line], form: _Form) -> Iterator[list[Line]]:
    """Yield runs of lines of one size, one below the other."""
    group: list[Line] = []
    for line in lines:
        if group:
            before = group[-1]
            step = before.base - line.base
            overlap = min(before.right, line.right) - max(before.left, line.left)
            if not (_alike(before, line) and 0 < step <= _GAP * form.step(line.size) and overlap > 0):
                yield group
                group = []
        group.append(line)
    if group:
        yield group


def _edge(group: Sequence[Line], form: _Form) -> float:
    """Return where lines like these are broken: their own edge where several reach it, else the document's."""
    rtl = runs_from_right(" ".join(line.text for line in group))
    ends = [line.left if rtl else line.right for line in group]
    edge = min(ends) if rtl else max(ends)
    full = sum(abs(end - edge) < _RAGGED * group[0].size for end in ends[:-1])
    if len(ends) > 2 and full >= 0.7 * (len(ends) - 1) and sum(len(line.text) for line in group) > _PROSE * len(group):
        return edge
    known = [form.edge(line, rtl) for line in group]
    return min(known) if rtl else max(known)


def _has_head(rows: Sequence[Line]) -> bool:
    if len(rows) < 2 or len(rows[0].cells) < len(rows[1].cells):
        return False
    if rows[0].bold and not rows[1].bold:
        return True
    plain = not any(character.isdigit() for cell in rows[0].cells for character in cell.text)
    counted = any(character.isdigit() for row in rows[1:] for cell in row.cells[1:] for character in cell.text)
    return plain and counted and len(rows[0].cells) > 2


def _placed(cells: Sequence[Cell], columns: Sequence[Cell]) -> list[str]:
    """Return the texts of *cells* in the places of the *columns* above them; nothing where they do not fit."""
    if len(cells) > len(columns):
        return []
    if len(cells) == len(columns):
        return [cell.text for cell in cells]
    texts = [""] * len(columns)
    for cell in cells:
        place = min(range(len(columns)), key=lambda at: _distance(cell, columns[at]))
        if texts[place]:
            return []
        texts[place] = cell.text
    return texts


def _distance(cell: Cell, column: Cell) -> float:
    middle = abs((cell.left + cell.right) - (column.left + column.right)) / 2
    return min(abs(cell.left - column.left), abs(cell.right - column.right), middle)


def _add_text(draft: Draft, text: str) -> None:
    """Add a paragraph, list item or "key: value" line."""
    item = _ITEM.match(text)
    if item and item["bullet"]:
        text = text[len(item["bullet"]) :].strip()
    fact = fact_of(text) if len(text) <= _MOST_HEADING else None
    label = fact[0] if fact else ""
    draft.add("item" if item else "fact" if fact else "paragraph", text, label=label)

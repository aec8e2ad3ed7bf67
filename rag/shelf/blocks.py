"""A document as it is read: its bytes, its visible text, and the blocks of which the text is made.

Readers write into a ``Draft``; ``Document`` is what comes out.  The visible text keeps the words of the file in
their order; markup is dropped and the cells of a table row are parted by " | ".
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal

from languages.text import clean

BlockKind = Literal["heading", "paragraph", "item", "fact", "columns", "row"]

CELL_GAP = " | "

# "Weight: 1.2 kg", "Prix : 99 €", "الوزن: 200 غرام"; not "9:30", not "http://x", not a whole sentence with a colon.
_FACT = re.compile(r"(?P<key>[^\W_][^:：.!?؟;؛|\n]{0,48}?)[ \t\u00a0\u202f]*[:：][ \t\u00a0\u202f]+(?P<value>\S.*)")
_MOST_KEY_WORDS = 6
_SPACES = re.compile(r"[ \t\n\r\f\v]+")


@dataclass(frozen=True, slots=True)
class ReadingLimits:
    """How much a file may hold: its size in bytes, its pages or slides, its table rows, its growth when unpacked."""

    bytes: int = 25_000_000
    pages: int = 2000
    rows: int = 50_000
    expansion: int = 200  # times the size of the file; a workbook of like rows grows some 20 times, a bomb 1000


@dataclass(frozen=True, slots=True)
class Source:
    """A file's bytes under the name that it has on its shelf, and how much of it is read.

    ``origin`` is the path of the file, "" where it is not one that stays, such as an upload.
    """

    name: str
    data: bytes
    limits: ReadingLimits = ReadingLimits()
    origin: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """A heading, paragraph, list item, "key: value" line or table row: ``text[start:end]`` of its document."""

    kind: BlockKind
    start: int
    end: int
    level: int = 0  # of a heading, from 1
    label: str = ""  # the key of a fact, or the bold words that open a paragraph
    marked: tuple[str, ...] = ()  # words in bold
    columns: tuple[str, ...] = ()  # of a row: the headings above its cells
    cells: tuple[str, ...] = ()  # of a row
    page: int = 0  # from 1, where the document has pages or slides: the one on which it begins
    row: int = 0  # from 1, where the file is a table or has a record a line: the row that it was


@dataclass(frozen=True, slots=True)
class Document:
    """A document that was read; offsets are code points of ``text``."""

    name: str
    title: str
    text: str
    blocks: tuple[Block, ...]
    language: str
    metadata: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def words_of(self, block: Block) -> str:
        """Return the text of *block* as it stands in the document."""
        return self.text[block.start : block.end]


class Draft:
    """A document while it is read: blocks are added in the order of the file."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self.blocks: list[Block] = []
        self.title = ""
        self.page = 0  # the page that is being read; blocks added now are on it
        self.row = 0  # the row or line of a file of records that is being read
        self.language = ""  # as the file declares it
        self.pictures = False  # whether the file shows pictures, which may be of text
        self.metadata: dict[str, str] = {}

    @property
    def text(self) -> str:
        """Return the visible text so far."""
        return "".join(self._parts)

    def add(self, kind: BlockKind, text: str, *, level: int = 0, label: str = "", marked: Sequence[str] = ()) -> None:
        """Add a block; white space around it goes, an empty one is left out."""
        words = clean(text).strip()
        if not words:
            return
        start, end = self._place(words, kind)
        self.blocks.append(
            Block(
                kind,
                start,
                end,
                level=level,
                label=one_line(label),
                marked=tuple(filter(None, map(one_line, marked))),
                page=self.page,
                row=self.row,
            )
        )

    def add_lines(self, text: str, *, label: str = "", marked: Sequence[str] = ()) -> None:
        """Add a paragraph; its lines of the form "key: value" become facts of their own."""
        for line in join_wrapped(text.splitlines()):
            fact = fact_of(line)
            if fact:
                self.add("fact", line, label=fact[0], marked=marked)
            else:
                self.add("paragraph", line, label=label, marked=marked)
            label = ""

    def add_row(self, columns: Sequence[str], cells: Sequence[str]) -> None:
        """Add a table row under *columns*; its text is its cells that hold something."""
        kept = [one_line(cell) for cell in cells]
        words = CELL_GAP.join(filter(None, kept))
        if words:
            start, end = self._place(words, "row")
            names = tuple(map(one_line, columns))
            self.blocks.append(Block("row", start, end, columns=names, cells=tuple(kept), page=self.page, row=self.row))

    def include(self, other: Draft, *, deeper: int = 0) -> None:
        """Add the blocks of *other*, its headings *deeper* by so many levels."""
        text = other.text
        for block in other.blocks:
            start, end = self._place(text[block.start : block.end], block.kind)
            level = block.level + deeper if block.level else 0
            self.blocks.append(replace(block, start=start, end=end, level=level))

    def _place(self, words: str, kind: BlockKind) -> tuple[int, int]:
        if self._parts:
            close = kind in ("item", "row", "fact") and self.blocks[-1].kind in ("item", "row", "columns", "fact")
            gap = "\n" if close else "\n\n"
            self._parts.append(gap)
            self._length += len(gap)
        start = self._length
        self._parts.append(words)
        self._length += len(words)
        return start, self._length


def fact_of(line: str) -> tuple[str, str] | None:
    """Return key and value of a "key: value" line, or None.

    >>> fact_of("Poids\u202f: 1,2 kg")
    ('Poids', '1,2 kg')
    >>> fact_of("Open from 9:30 to 18:00.")
    """
    match = _FACT.fullmatch(line.strip())
    if match is None or len(match["key"].split()) > _MOST_KEY_WORDS:
        return None
    return match["key"].strip(), match["value"].strip()


# A line that begins a new unit even where the one above seems to run on into it.
_OPENS = re.compile(r"\s*(?:[-*+•–—▪‣]\s+|\(?\d{1,3}[.)]\s+|[A-Za-z][.)]\s+)")
# Lines shorter than this are not broken for want of room.
_WRAP_WIDTH = 55


def join_wrapped(lines: Sequence[str]) -> list[str]:
    """Return the lines of one paragraph with those joined that were only broken for want of room.

    >>> join_wrapped(["Height: 3 cm", "Weight: 2 kg"])
    ['Height: 3 cm', 'Weight: 2 kg']
    """
    kept = [line.strip() for line in lines if line.strip()]
    width = max(map(len, kept), default=0)
    joined: list[str] = []
    before = ""
    for line in kept:
        full = width >= _WRAP_WIDTH and len(before) >= 0.62 * width
        lower = line[:1].islower() and not before.endswith((".", "!", "?", ":"))
        goes_on = (full or lower) and not _OPENS.match(line) and not (fact_of(line) and _ends_sentence(before))
        if joined and goes_on:
            joined[-1] = f"{joined[-1]} {line}"
        else:
            joined.append(line)
        before = line
    return joined


def _ends_sentence(line: str) -> bool:
    return line.rstrip("\"'»”)]").endswith((".", "!", "?", "؟", ":", ";", "؛"))


def one_line(text: str) -> str:
    r"""Return *text* on one line; no-break spaces stay, they belong to numbers and French punctuation.

    >>> one_line(" 1\u202f199 \n €")
    '1\u202f199 €'
    """
    return _SPACES.sub(" ", clean(text)).strip(" ")

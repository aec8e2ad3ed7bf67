"""Documents to passages: what is embedded, searched and quoted.

A passage is some 120 words of one section, a table row, or the piece of a longer paragraph.  Its text is the
document's visible text from ``start`` to ``end``; what only helps to find it stands in ``heading`` and ``context``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from languages.text import fold, sentences
from rag.events import Passage
from rag.shelf.blocks import Block, Document, one_line

# Passages of about 120 words find a document as well as a search over whole sections does, and stay short enough
# to quote from and to put several of them into a prompt.
TARGET = 120
LONGEST = 170
SHORTEST = 30
HEADING_GAP = " > "


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch of the visible text that is not split further."""

    start: int
    end: int
    words: int
    listed: bool
    page: int
    row: int


def split(document: Document, key: str, shelf: str = "shared") -> tuple[Passage, ...]:
    """Return the passages of *document* in order; their ids are *key* and their number."""
    made: list[Passage] = []
    for heading, blocks in _sections(document):
        for passage in _of_section(document, blocks):
            made.append(
                Passage(
                    id=f"{key}.{len(made)}",
                    document=document.name,
                    text=document.text[passage.start : passage.end],
                    start=passage.start,
                    end=passage.end,
                    heading=heading,
                    language=document.language,
                    shelf=shelf,
                    kind=passage.kind,
                    context=passage.context,
                    page=passage.page,
                    row=passage.row,
                )
            )
    return tuple(made)


def searched_text(passage: Passage) -> str:
    """Return what of *passage* is embedded and indexed: where it stands, and what it says.

    >>> searched_text(Passage("", "a.csv", "Aria | 249", heading="Catalogue", context="Name: Aria; Price: 249"))
    'Catalogue: Name: Aria; Price: 249'
    """
    return (
        f"{passage.heading}: {passage.context or passage.text}" if passage.heading else passage.context or passage.text
    )


@dataclass(frozen=True, slots=True)
class _Cut:
    """A passage to be: its place, its kind, its context."""

    start: int
    end: int
    kind: str
    context: str = ""
    page: int = 0
    row: int = 0


def _sections(document: Document) -> Iterator[tuple[str, list[Block]]]:
    """Yield each run of blocks between two headings with its heading path, the title first."""
    path: list[tuple[int, str]] = []
    run: list[Block] = []
    for block in document.blocks:
        if block.kind != "heading":
            run.append(block)
            continue
        if run:
            yield _path(document.title, path), run
            run = []
        while path and path[-1][0] >= block.level:
            path.pop()
        path.append((block.level, one_line(document.words_of(block))))
    if run:
        yield _path(document.title, path), run
    elif path and not any(block.kind != "heading" for block in document.blocks):
        # A document of headings alone still has something to find.
        yield document.title, list(document.blocks)


def _path(title: str, path: Iterable[tuple[int, str]]) -> str:
    parts = [title]
    for _, words in path:
        if fold(words) not in {fold(part) for part in parts}:
            parts.append(words)
    return HEADING_GAP.join(parts)


def _of_section(document: Document, blocks: list[Block]) -> Iterator[_Cut]:
    pieces: list[_Piece] = []
    for block in blocks:
        if block.kind == "row":
            yield from _packed(pieces)
            pieces = []
            yield _Cut(block.start, block.end, "row", row_context(block), block.page, block.row)
        elif block.kind != "columns":  # the column headings go along with each row
            if pieces and (pieces[-1].page, pieces[-1].row) != (block.page, block.row):  # a passage is cited with them
                yield from _packed(pieces)
                pieces = []
            pieces += _pieces(document, block)
    yield from _packed(pieces)


def row_context(block: Block) -> str:
    """Return "column: value; …" of a table row; a cell without a heading stands for itself."""
    pairs = []
    for number, cell in enumerate(block.cells):
        column = block.columns[number] if number < len(block.columns) else ""
        if cell:
            pairs.append(f"{column}: {cell}" if column else cell)
    return "; ".join(pairs)


def _pieces(document: Document, block: Block) -> Iterator[_Piece]:
    """Yield *block* whole, or its sentences where it is too long, or slices of a sentence that never ends."""
    listed = block.kind in ("item", "fact")
    text = document.words_of(block)
    count = _length(text)
    if count <= LONGEST:
        yield _Piece(block.start, block.end, count, listed, block.page, block.row)
        return
    at = 0
    spans = sentences(text)
    for number in range(len(spans)):
        # What stands between two sentences goes with the one before: nothing of the text is lost.
        end = spans[number + 1].start if number + 1 < len(spans) else len(text)
        yield from _slices(text, block, at, end)
        at = end


def _length(text: str) -> int:
    """Return how many words *text* has; where there are no spaces, as many as would fill it."""
    return max(len(text.split()), len(text) // 10)


def _slices(text: str, block: Block, start: int, end: int) -> Iterator[_Piece]:
    while start < end:
        stop = min(end, start + LONGEST * 6)
        if stop < end:
            space = text.rfind(" ", start, stop)
            stop = space + 1 if space > start else stop
        words = text[start:stop]
        kept = words.rstrip()
        if kept:
            begin = block.start + start
            yield _Piece(begin, begin + len(kept), _length(kept), False, block.page, block.row)
        start = stop


def _packed(pieces: list[_Piece]) -> Iterator[_Cut]:
    """Yield pieces joined to passages near the target length."""
    groups: list[list[_Piece]] = []
    count = 0
    for piece in pieces:
        over = count + piece.words > TARGET and count >= TARGET - SHORTEST
        if not groups or over or count + piece.words > LONGEST:
            groups.append([])
            count = 0
        groups[-1].append(piece)
        count += piece.words
    if len(groups) > 1 and _count(groups[-1]) < SHORTEST and _count(groups[-2]) + _count(groups[-1]) <= LONGEST:
        last = groups.pop()
        groups[-1] += last
    for group in groups:
        listed = all(piece.listed for piece in group)
        yield _Cut(group[0].start, group[-1].end, "list" if listed else "text", page=group[0].page, row=group[0].row)


def _count(group: list[_Piece]) -> int:
    return sum(piece.words for piece in group)

"""Characters with their places on a page to lines in reading order.

Right-to-left lines are drawn from the left, so their order is made anew from the places: by what stands to the right
of what, with numbers and Latin words turned back.  What this does not do: tell paragraphs, headings or tables.

Imports nothing of the project: the program that reads PDFs (``pdfpages``) starts with it, once a file.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

# In shares of the font size.  Arabic words part at 0.25 to 0.35, and beside an alef letters of one word do at up to
# 0.18 (DejaVu Sans, Noto Sans, Naskh and Kufi Arabic); columns of a table part at a wide letter or more.
_SPACE: Final = 0.22
_COLUMN: Final = 1.0
_SAME_LINE: Final = 0.3

_MIRRORED: Final = str.maketrans("()[]{}«»<>‹›", ")(][}{»«><›‹")
_CLOSING: Final = frozenset(".:!…،؛؟")
_JOINS_DIGITS: Final = frozenset(".,:/٫٬")
# Formulas that are one sign with blanks within, such as ﷺ; what PDFium makes of it has lost the blanks.
_FORMULAS: Final = {
    "".join(words.split()): words for words in (unicodedata.normalize("NFKC", sign) for sign in "\ufdfa\ufdfb")
}


@dataclass(frozen=True, slots=True)
class Glyph:
    """A character on the page: ``left`` to ``right`` along its line, ``base`` the height of the line, upwards."""

    text: str
    left: float
    right: float
    base: float
    size: float = 10.0
    bold: bool = False

    @property
    def middle(self) -> float:
        """Return where along the line it stands."""
        return (self.left + self.right) / 2


@dataclass(frozen=True, slots=True)
class Cell:
    """What stands between two wide gaps of a line."""

    text: str
    left: float
    right: float


@dataclass(frozen=True, slots=True)
class Line:
    """A line in reading order; more than one cell where wide gaps part it, as in a table."""

    cells: tuple[Cell, ...]
    base: float
    size: float
    bold: bool = False

    @property
    def text(self) -> str:
        """Return the words of the line."""
        return " ".join(cell.text for cell in self.cells)

    @property
    def left(self) -> float:
        """Return where the line begins on the paper, whatever its direction."""
        return min(cell.left for cell in self.cells)

    @property
    def right(self) -> float:
        """Return where the line ends on the paper."""
        return max(cell.right for cell in self.cells)


def lines_of(runs: Iterable[Sequence[Glyph]]) -> list[Line]:
    """Return the lines of a page from its runs of glyphs; runs at one height that follow one another are one line."""
    joined: list[list[Glyph]] = []
    for run in runs:
        glyphs = [glyph for glyph in run if glyph.text]
        if not any(glyph.text.strip() for glyph in glyphs):
            continue
        if joined and _beside(joined[-1], glyphs):
            joined[-1] += glyphs
        else:
            joined.append(glyphs)
    strong = Counter(_kind(glyph.text) for glyphs in joined for glyph in glyphs)
    rtl_page = strong["R"] > strong["L"]
    if strong["R"]:
        joined = _with_whole_letters(joined)
    return [line for glyphs in joined if (line := _line_of(glyphs, rtl_page)) is not None]


def runs_from_right(text: str) -> bool:
    """Return whether *text* has more letters that are read from the right than others.

    >>> runs_from_right("هاتف Norda"), runs_from_right("12 kg")
    (False, False)
    """
    kinds = Counter(map(_kind, text))
    return kinds["R"] > kinds["L"]


def _beside(before: Sequence[Glyph], after: Sequence[Glyph]) -> bool:
    """Return whether two runs are parts of one line: at one height, and neither printed over the other.

    PDFium begins a new run where a line is not drawn from one end to the other.
    """
    first, second = _inked(before), _inked(after)
    if abs(first[-1].base - second[0].base) > _SAME_LINE * max(first[-1].size, second[0].size):
        return False
    return not any(min(a.right, b.right) - max(a.left, b.left) > 0.2 * a.size for a in first for b in second)


def _inked(glyphs: Sequence[Glyph]) -> list[Glyph]:
    return [glyph for glyph in glyphs if glyph.text.strip()]


def _with_whole_letters(runs: Sequence[list[Glyph]]) -> list[list[Glyph]]:
    """Return the runs with those letters widened that have but the place of their mark, above the line.

    Some fonts draw a letter and its mark as two signs, of which PDFium knows the mark's place alone; without its own
    width the letter seems to stand apart.  It gets that of its narrowest form on the page.
    """
    bases = [Counter(glyph.base for glyph in run).most_common(1)[0][0] for run in runs]
    narrowest: dict[tuple[str, float], float] = {}
    for run, base in zip(runs, bases, strict=True):
        for glyph in run:
            key = glyph.text, round(glyph.size)
            if glyph.base == base and glyph.right > glyph.left and _kind(glyph.text) == "R":
                narrowest[key] = min(narrowest.get(key, glyph.right - glyph.left), glyph.right - glyph.left)

    def whole(glyph: Glyph, base: float) -> Glyph:
        """Return a glyph as wide as its letter."""
        more = narrowest.get((glyph.text, round(glyph.size)), 0.0) - (glyph.right - glyph.left)
        if glyph.base == base or more <= 0 or _is_mark(glyph.text):
            return glyph
        return replace(glyph, left=glyph.left - more / 2, right=glyph.right + more / 2)

    return [[whole(glyph, base) for glyph in run] for run, base in zip(runs, bases, strict=True)]


def _line_of(glyphs: Sequence[Glyph], rtl_page: bool) -> Line | None:
    inked = _inked(glyphs)
    kinds = Counter(_kind(glyph.text) for glyph in inked)
    # ".Norda Halo" on an Arabic page: the full stop ends the line.
    ends_left = rtl_page and min(inked, key=lambda glyph: glyph.middle).text in _CLOSING
    if kinds["R"] or ends_left:
        rtl = rtl_page or kinds["R"] >= kinds["L"]
        cells = _placed_cells(inked, rtl)
    else:
        cells = _written_cells(glyphs)
    kept = tuple(replace(cell, text=words) for cell in cells if (words := _plain(cell.text)))
    if not kept:
        return None
    size = Counter(round(glyph.size, 1) for glyph in inked).most_common(1)[0][0]
    return Line(kept, inked[0].base, size, all(g.bold for g in inked if g.text.isalnum()))


def _written_cells(glyphs: Sequence[Glyph]) -> Iterator[Cell]:
    """Yield the cells of a line that runs from the left, its characters and blanks as the file has them."""
    cell: list[Glyph] = []
    for glyph in glyphs:
        inked = _inked(cell)
        if inked and glyph.text.strip():
            gap = glyph.left - inked[-1].right
            if gap > _COLUMN * glyph.size or gap < -4 * glyph.size:
                yield _cell("".join(g.text for g in cell), inked)
                cell = []
            elif gap > _SPACE * glyph.size and cell[-1].text.strip() and gap > 0.25 * glyph.size:
                cell.append(Glyph(" ", glyph.left, glyph.left, glyph.base))
        cell.append(glyph)
    if _inked(cell):
        yield _cell("".join(g.text for g in cell), _inked(cell))


def _placed_cells(inked: Sequence[Glyph], rtl: bool) -> Iterator[Cell]:
    """Yield the cells of a line with right-to-left letters, in reading order."""
    cells: list[list[Glyph]] = [[]]
    for glyph in _from_left(inked):
        if cells[-1]:
            gap = glyph.left - max(other.right for other in cells[-1][-4:])
            if gap > _COLUMN * glyph.size:
                cells.append([])
            elif gap > _SPACE * glyph.size:
                cells[-1].append(Glyph(" ", glyph.left - gap, glyph.left, glyph.base, glyph.size))
        cells[-1].append(glyph)
    for cell in reversed(cells) if rtl else cells:
        yield _cell(_rtl_text(cell) if rtl else _mixed_text(cell), cell)


def _from_left(inked: Sequence[Glyph]) -> list[Glyph]:
    """Return glyphs as they stand from left to right; a mark comes before its letter, as a reader from right sees it.

    Characters at one place are one drawn sign.  PDFium gives them backwards where it has turned the word around.
    """
    numbered = list(enumerate(inked))
    places: dict[tuple[float, float], list[int]] = {}
    for number, glyph in numbered:
        places.setdefault((glyph.left, glyph.right), []).append(number)
    signs: list[Glyph] = []
    for numbers in places.values():
        parts = [inked[number] for number in numbers]
        if len(parts) > 1 and all(_kind(part.text) == "R" for part in parts):
            text = "".join(part.text for part in parts)
            signs.append(replace(parts[0], text=_sign_text(text, backwards=_falls(inked, numbers))))
        else:
            signs += parts
    signs.sort(key=lambda glyph: glyph.middle)
    for at in range(len(signs) - 1):  # a mark right of its letter's middle
        letter, mark = signs[at], signs[at + 1]
        if _is_mark(mark.text) and not _is_mark(letter.text) and letter.left <= mark.middle <= letter.right:
            signs[at], signs[at + 1] = mark, letter
    return signs


def _falls(inked: Sequence[Glyph], numbers: Sequence[int]) -> bool:
    """Return whether the neighbours in the file come from the right: PDFium has turned this word."""
    first, last = numbers[0], numbers[-1]
    before = inked[first - 1].middle > inked[first].middle if first else None
    after = inked[last].middle > inked[last + 1].middle if last + 1 < len(inked) else None
    return (after if before is None else before) or False


def _sign_text(text: str, *, backwards: bool) -> str:
    """Return what one drawn sign says; lam with alef is such a sign, alef with lam never is.

    >>> _sign_text("ال", backwards=False), _sign_text("هلل", backwards=True)
    ('لا', 'لله')
    """
    if text in _FORMULAS:
        return _FORMULAS[text]
    turned = text[::-1] if backwards else text
    return turned[::-1] if len(turned) == 2 and turned[0] in "اأإآ" and turned[1] == "ل" else turned


def _rtl_text(cell: Sequence[Glyph]) -> str:
    """Return a cell of a right-to-left line in reading order.

    Source: Unicode Standard Annex 9, read backwards: numbers and left-to-right words keep the order of the paper.
    """
    text = ""
    for kind, run in reversed(_runs(cell)):
        kept = kind == "L"
        text += "".join(glyph.text if kept else glyph.text.translate(_MIRRORED) for glyph in run[:: 1 if kept else -1])
    opened, closed = text.find("("), text.find(")")
    if -1 < closed < opened:  # some programs write the bracket that is meant, not the one that is seen
        return text.translate(str.maketrans("()", ")("))
    return text


def _runs(cell: Sequence[Glyph]) -> list[tuple[str, list[Glyph]]]:
    """Return the glyphs from the left, cut into runs that keep that order ("L") and those that are turned ("R")."""
    kinds = [_kind(glyph.text) for glyph in cell]
    kept = [False] * len(cell)
    at = 0
    while at < len(cell):
        end = _kept_until(cell, kinds, at)
        for place in range(at, end):
            kept[place] = True
        at = max(end, at + 1)
    runs: list[tuple[str, list[Glyph]]] = []
    for glyph, keep in zip(cell, kept, strict=True):
        kind = "L" if keep else "R"
        if runs and runs[-1][0] == kind:
            runs[-1][1].append(glyph)
        else:
            runs.append((kind, [glyph]))
    return runs


def _kept_until(cell: Sequence[Glyph], kinds: Sequence[str], at: int) -> int:
    """Return where a run in the order of the paper that begins at *at* ends; *at* itself where none begins.

    Latin words run on over blanks and numbers to the last of them ("Wi-Fi 6E"); a number is its digits and what
    joins two of them ("9:30", "1.199,50").
    """
    if kinds[at] == "N":
        end = at + 1
        while end < len(cell) and (
            kinds[end] == "N" or (cell[end].text in _JOINS_DIGITS and end + 1 < len(cell) and kinds[end + 1] == "N")
        ):
            end += 1
        if end == len(cell) or kinds[end] != "L":
            return end
        at = end  # "5G": the letters go along
    sign = cell[at].text == "+" and at + 1 < len(cell) and kinds[at + 1] == "N"
    if kinds[at] != "L" and not sign:
        return at
    end = last = at
    while end < len(cell) and kinds[end] != "R":
        if kinds[end] in "LN":
            last = end
        end += 1
    return last + 1


def _mixed_text(cell: Sequence[Glyph]) -> str:
    """Return a cell of a left-to-right line in which words run the other way."""
    out: list[str] = []
    at = 0
    kinds = [_kind(glyph.text) for glyph in cell]
    while at < len(cell):
        if kinds[at] != "R":
            out.append(cell[at].text)
            at += 1
            continue
        end = last = at
        while end < len(cell) and kinds[end] != "L":
            if kinds[end] == "R":
                last = end
            end += 1
        out.append(_rtl_text(cell[at : last + 1]))
        at = last + 1
    return "".join(out)


def _kind(text: str) -> str:
    """Return R for a right-to-left letter or mark, L for another letter, N for a digit, O for the rest."""
    way = unicodedata.bidirectional(text[:1]) if text else ""
    if way in ("R", "AL") or (way == "NSM" and "\u0600" <= text[:1] <= "\u08ff"):
        return "R"
    return "L" if way == "L" else "N" if way in ("EN", "AN") else "O"


def is_arabic(character: str) -> bool:
    """Return whether *character* is a letter of the Arabic script."""
    return "\u0620" <= character <= "\u06d3" and character.isalpha()


def _is_mark(text: str) -> bool:
    return unicodedata.combining(text[:1]) > 0


def _cell(text: str, glyphs: Sequence[Glyph]) -> Cell:
    return Cell(text, min(glyph.left for glyph in glyphs), max(glyph.right for glyph in glyphs))


def _plain(text: str) -> str:
    r"""Return *text* on one line, drawn forms as letters: only those of Arabic and Latin ligatures, so that m² stays.

    >>> _plain("ﺳﻌﺮ  e\ufb03cient m²")
    'سعر efficient m²'
    """
    shown = "".join(
        unicodedata.normalize("NFKC", c)
        if "\ufb00" <= c <= "\ufb06" or "\ufb50" <= c <= "\ufdff" or "\ufe70" <= c <= "\ufefc"
        else c
        for c in text
    )
    shown = shown.replace("\u0002", "-").replace("\ufffe", "-").replace("\t", " ")
    return " ".join(part for part in shown.split(" ") if part)

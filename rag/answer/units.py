"""The pieces of a passage that can answer by themselves: sentences, labelled lines, list items and table rows.

A piece knows where it stands in its passage, so that a quote of it is word for word, and the label it stands under
("Battery:", a bold lead-in, a question of a list of questions and answers).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from babel.numbers import list_currencies

from languages import codes, sentences, words
from languages.quantities import quantities
from rag.events import Hit, Passage

_WRAPPED = 56  # characters: a line at least this long without an end mark goes on in the next line
_LABEL_WORDS = 7
_END = re.compile(r"[.!?:;…؟؛。][)\]\"'”»“]*\s*$")
_BULLET = re.compile(r"\s*(?:[-*+•‣▪◦–]|\(?\d{1,2}[.)]|#{1,6})\s+")
# As in "Weight: 9.8 ounces", in "price ......... $89", in "SOUND - better than it looks".
_LABEL = re.compile(
    r"""\s*(?:[-*+•‣▪◦–]\s+|\(?\d{1,2}[.)]\s+)?
        (?P<label>[^\s:.!?؟،,;][^:\n!?؟]{0,59}?)
        \s*(?:[ \u00a0\u202f]?:(?=\s)|[ ]\.{2,}|…{1,}|[ ][–—-](?=[ ]))""",
    re.VERBOSE,
)
# "15.6 inches Weight ........ 2.3 kg": the blank before the capitalised label
_LEADER = re.compile(r"(?<=\S)\s(?=[^\W\d_a-z]\w*(?: [^\W\d_A-Z]\w*,?){0,3} \.{3,} )")
# "It costs 399 riyals, and comes in three colours: …": a statement that goes on, not a label
_STATING = re.compile(r"\d.*[,،;؛]")
_CURRENCY = 3  # letters of ISO 4217
_ASKING = re.compile(r"[?؟][)\]\"'”»“]*\s*$")


@dataclass(frozen=True, slots=True)
class Unit:
    """One piece of a passage: ``hits[hit].passage.text[start:end]`` is ``text``.

    ``cells`` are the (column, value) pairs of a row.  ``label`` is what the piece stands under within its passage;
    ``heading`` the passage's own "Title > Section".
    """

    hit: int
    start: int
    end: int
    text: str
    label: str = ""
    heading: str = ""
    cells: tuple[tuple[str, str], ...] = ()
    follows: bool = False  # whether the unit before stands in the same paragraph
    labelled: bool = False  # whether the text itself begins with its label

    @property
    def plain(self) -> str:
        """Return the text on one line."""
        return " ".join(self.text.split())

    @property
    def labelled_once(self) -> str:
        """Return the text with its label before it: "Phone: 12" has it already."""
        return self.plain if self.labelled else f"{self.label} {self.plain}"


def split(hits: tuple[Hit, ...]) -> tuple[Unit, ...]:
    """Return the units of all passages, in the order of the hits and of the text."""
    return tuple(unit for number, hit in enumerate(hits) for unit in _units(number, hit.passage))


def cells(passage: Passage) -> tuple[tuple[str, str], ...]:
    """Return the (column, value) pairs of a row; ("", value) where a cell has no column."""
    pairs = []
    for part in passage.context.split("; "):
        column, colon, value = part.partition(": ")
        pairs.append((headed(column.strip()), value.strip()) if colon else ("", part.strip()))
    return tuple((column, value) for column, value in pairs if value)


def columns_of(unit: Unit) -> str:
    """Return the heads of the columns of a row, "" for another piece."""
    return " ".join(column for column, _ in unit.cells)


@lru_cache(maxsize=4096)
def headed(column: str) -> str:
    """Return the head of a column as it is read: a unit at its end in brackets, blanks for what stands for them.

    >>> headed("week_gbp"), headed("length_ft"), headed("year_built"), headed("Price")
    ('week (GBP)', 'length (ft)', 'year built', 'Price')
    """
    if "_" not in column:
        return column
    *said, last = [part for part in column.split("_") if part]
    if said and len(last) == _CURRENCY and last.upper() in list_currencies():
        return f"{' '.join(said)} ({last.upper()})"
    measured = said and not any(map(str.isdigit, last)) and any(quantities(f"7 {last}", code) for code in codes())
    return f"{' '.join(said)} ({last})" if measured else " ".join((*said, last))


def _units(number: int, passage: Passage) -> list[Unit]:
    if passage.kind == "row":
        return [
            Unit(
                hit=number,
                start=0,
                end=len(passage.text),
                text=passage.text,
                heading=passage.heading,
                cells=cells(passage),
            )
        ]
    units: list[Unit] = []
    asked = ""
    for start, end in _paragraphs(passage.text):
        block = passage.text[start:end].replace("\n", " ")
        label, labelled = _label(block)
        if _ASKING.search(block) and len(words(block)) <= 16:
            asked = block.strip()  # a question of the document's own: a heading to what follows
            continue
        first = True
        for span in sentences(block):
            if len(words(span.text)) <= 4 and first and span.end < len(block.rstrip()) and not labelled:
                label = label or span.text.strip(" .:*_")  # "Battery." before the sentences about it
                continue
            begin = start if first and labelled else start + span.start
            text = passage.text[begin : start + span.end]
            bullet = _BULLET.match(text) if first else None
            lead = bullet.end() if bullet else 0
            units.append(
                Unit(
                    hit=number,
                    start=begin + lead,
                    end=start + span.end,
                    text=text[lead:],
                    label=" ".join(part for part in (asked, label) if part),
                    heading=passage.heading,
                    follows=not first,
                    labelled=first and labelled,
                )
            )
            first = False
    return units


def _paragraphs(text: str) -> list[tuple[int, int]]:
    """Return the spans of logical lines, parted again where dotted leaders show several labels in one."""
    parted: list[tuple[int, int]] = []
    for start, end in _lines(text):
        cuts = list(_LEADER.finditer(text, start, end))
        heads = [start, *(match.end() for match in cuts)]
        ends = [*(match.start() for match in cuts), end]
        parted.extend(zip(heads, ends, strict=True))
    return parted


def _lines(text: str) -> list[tuple[int, int]]:
    """Return the spans of lines: a line that was wrapped is one with the lines that go on with it."""
    spans: list[tuple[int, int]] = []
    position = 0
    open_line = ""
    for line in text.split("\n"):
        end = position + len(line)
        if not line.strip():
            open_line = ""
        elif open_line and not _BULLET.match(line) and _goes_on(open_line, line):
            spans[-1] = (spans[-1][0], end)
            open_line = line
        else:
            spans.append((position, end))
            open_line = line
        position = end + 1
    return spans


def _goes_on(before: str, line: str) -> bool:
    if _LABEL.match(line) and _label(line)[1]:
        return False
    first = line.lstrip()[:1]
    if first.islower() and not _END.search(before):
        return True
    return len(before) >= _WRAPPED and (not _END.search(before) or line[:1].isspace() or first.islower())


def _label(block: str) -> tuple[str, bool]:
    """Return the label that a line begins with and whether it has one; a full sentence before a colon is none."""
    match = _LABEL.match(block)
    if match is None or len(words(match["label"])) > _LABEL_WORDS or ". " in match["label"]:
        return "", False
    if not block[match.end() :].strip() or _STATING.search(match["label"]):
        return "", False
    if len(re.findall(r"[,،]", match["label"])) > 1:  # "Trains, offices, neighbours: the A silences them"
        return "", False
    return match["label"].strip(" *_"), True

"""What a message lists, whatever it is called: lines, numbered items, parts between semicolons, "A, B or C".

Names are found elsewhere; here stands what has none ("par virement ou par chèque-vacances"), and what is said of each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from languages.text import fold
from memory.reference.analysis import Analysis
from memory.reference.discourse import Discourse
from memory.reference.reading import Place
from memory.reference.tongue import Tongue

_BACK: Final = 4  # messages in which a list is looked for
_MOST: Final = 9
_LONGEST: Final = 60  # characters of what an item is called
_LINE: Final = re.compile(r"^[ \t]*(?:[-–—*•▪]|\(?\d{1,2}[.)])[ \t]+(?=\S)", re.MULTILINE)
_NUMBER: Final = re.compile(r"(?:(?<=^)|(?<=[\s:(]))\(?(\d{1,2})[.)]\s+(?=[^\W\d_])")
# What follows what an item is called: a bracket, a dash, a colon, a comma, a preposition with a number.
_FACTS: Final = re.compile(
    r"\s*(?:\(|[–—](?=\s)|\s-\s|:|[,،](?=\s)|\s(?:\w{1,4}\s)?(?=[$€£]?\d+(?:[.,]\d+)*\s*[$€£%]|\d+\s*\w))"
)
_DASHED: Final = re.compile(r"\s[–—]\s")
_BRACKETS: Final = re.compile(r"\([^()\n]*\)")
_CLAUSE: Final = re.compile(r"[.!?؟:;؛\n(«„“\"]")


@dataclass(frozen=True, slots=True)
class Item:
    """One item of a list: where in the recent messages what it is called stands, and all that is said of it."""

    place: Place
    part: str


def listed(analysis: Analysis, discourse: Discourse) -> tuple[tuple[Item, ...], bool]:
    """Return the items of the newest message with a list, in order, and whether its form shows that it is one."""
    for index in range(len(discourse.recent) - 1, max(-1, len(discourse.recent) - 1 - _BACK), -1):
        text = discourse.recent[index][1]
        parts, formal = _formal(text), True
        if len(parts) < 2:
            parts, formal = _coordinated(text, analysis), False
        items = tuple(_items(parts, text, index))
        called = {fold(text[item.place[1] : item.place[2]]) for item in items}
        if 2 <= len(items) <= _MOST and len(called) == len(items) == len(parts):
            return items, formal
    return (), False


def _items(parts: Sequence[str], text: str, index: int) -> Iterator[Item]:
    at = 0
    starts = [text.find(part[:8]) for part in parts]
    ends = [*starts[1:], len(text)][: len(parts)]
    for part, first, end in zip(parts, starts, ends, strict=True):
        match = _FACTS.search(part)
        called = (part[: match.start()] if match and match.start() else part).strip(" ,;.?!؟*_")
        start = text.find(called, at)
        if called and start >= 0 and len(called) <= _LONGEST:
            at = start + len(called)
            said = text[first:end].split("\n", 1)[0] if 0 <= first < end else part
            yield Item((index, start, at), said)


def _formal(text: str) -> list[str]:
    """Return the items of a list that is written as one."""
    starts = [match.end() for match in _LINE.finditer(text)]
    if len(starts) >= 2:
        return [text[start:].split("\n", 1)[0].strip() for start in starts]
    rows = list(_rows(text))
    if len(rows) >= 3 and not re.search(r"\d", "".join(rows[0])):
        return [f"{name}: {rest}" for name, rest in rows[1:]]
    numbers = list(_NUMBER.finditer(text))
    if len(numbers) >= 2 and [int(match[1]) for match in numbers] == list(range(1, len(numbers) + 1)):
        ends = [*(match.start() for match in numbers[1:]), len(text)]
        return [text[match.end() : end].strip(" ,;.?!\n") for match, end in zip(numbers, ends, strict=True)]
    dashed = _DASHED.split(text)
    if len(dashed) >= 3 and dashed[0].rstrip().endswith((":", "：")):
        return [part.strip(" .,;") for part in dashed[1:]]
    parts = [part.strip() for part in re.split(r"[;؛]", text)]
    head = parts[0].rpartition(":")[2].strip() or parts[0]
    stating = all(re.search(r"\d", part) and part[:1].isupper() for part in (head, *parts[1:]))
    return [head, *parts[1:]] if len(parts) >= 2 and stating else []


def _rows(text: str) -> Iterator[tuple[str, str]]:
    """Yield what each row of a table names, and the rest of the row.

    >>> list(_rows("| Model | Price |\\nPlain words\\nVelda 12 | 40 €"))
    [('Model', ' Price |'), ('Velda 12', ' 40 €')]
    """
    # By hand: an expression that skips blanks in three places tries all ways to part a row of nothing but blanks.
    for line in text.split("\n"):
        name, bar, rest = line.strip(" \t").removeprefix("|").partition("|")
        if bar and name.strip(" \t"):
            yield name.strip(" \t"), rest


def _coordinated(text: str, analysis: Analysis) -> list[str]:
    """Return the items of "A, B or C" in *text*, without what leads to the first."""
    tongue = analysis.tongue
    plain = _BRACKETS.sub(lambda match: " " * len(match.group()), text)  # what is said of an item parts no items
    if tongue.grammar.letters_folded and tongue.grammar.prefixes:
        return _joined_in_front(plain, analysis)
    joints = tongue.sets["disjunctions"] | tongue.sets["conjunctions"]
    pattern = "|".join(sorted(map(re.escape, (j for j in joints if len(j) > 1)), key=len, reverse=True))
    found: list[str] = []
    for match in re.finditer(rf"\s(?:{pattern})\s", plain) if pattern else ():
        left = _CLAUSE.split(plain[: match.start()])[-1]
        right = _CLAUSE.split(plain[match.end() :])[0]
        pieces = [piece.strip() for piece in re.split(r"[,،]\s", left)]
        opening = _opening(right, analysis)
        heads = [_from_opening(piece, opening, analysis) for piece in pieces]
        if len(pieces) > 1 and not any(heads) and not opening:
            bare = [_from_lead(pieces[0], analysis), *pieces[1:]]
            heads = bare if all(item and not _has_small_words(item, tongue) for item in (*bare, right)) else heads
        run: list[str] = []
        for head in reversed(heads):  # those nearest to the joint that open alike
            if head is None:
                break
            run.insert(0, head)
        if run and len(run) + 1 > len(found):
            found = [*run, right.strip()]
    return found


def _joined_in_front(text: str, analysis: Analysis) -> list[str]:
    """Return the items of «أ، ب، وج» and «أ وب» where "and" is written on the next word and all open by one noun."""
    mark = re.escape(analysis.tongue.grammar.prefixes[0])
    found: list[str] = []
    for clause in _CLAUSE.split(text):
        pieces = [
            piece
            for piece in re.split(rf"\s*[,،]\s+(?:{mark}(?=\w{{3}}))?|\s{mark}(?=\w{{3}})", clause)
            if piece.strip()
        ]
        words = [fold(piece.split()[0]) for piece in pieces]
        for first in range(len(pieces) - 1):
            opening = words[first + 1]
            size = next((n for n, word in enumerate(words[first + 1 :]) if word != opening), len(words) - first - 1)
            lead = pieces[first].split(" ")
            at = next((n for n, word in enumerate(lead) if fold(word) == opening), None)
            if at is not None and size + 1 > max(len(found), 1):
                found = [" ".join(lead[at:]), *(piece.strip() for piece in pieces[first + 1 : first + 1 + size])]
    return found


def _has_small_words(item: str, tongue: Tongue) -> bool:
    return any(fold(word) in tongue.closed for word in item.split())


def _from_lead(piece: str, analysis: Analysis) -> str | None:
    """Return the end of *piece* behind its last verb, preposition or small word: "It covers | meteorology"."""
    tongue, words = analysis.tongue, piece.split(" ")
    for at in range(len(words) - 1, -1, -1):
        word = fold(words[at])
        small = tongue.grammar.noun_capitals and words[at][:1].islower()
        if small or word in tongue.closed or (tongue.may_be_verb(word) and not tongue.may_be_noun(word)):
            return " ".join(words[at + 1 :]) or None
    return piece


def _opening(item: str, analysis: Analysis) -> str:
    """Return by what an item opens: "determiner", a preposition itself, "capital", or "" for neither."""
    tongue = analysis.tongue
    first = fold(item.strip().split(" ", 1)[0]) if item.strip() else ""
    if tongue.has("prepositions", first):
        return first
    if first in tongue.determiners:
        return "determiner"
    return "capital" if item.strip()[:1].isupper() and not tongue.grammar.noun_capitals else ""


def _from_opening(piece: str, opening: str, analysis: Analysis) -> str | None:
    """Return *piece* from its last word that opens as *opening* says; None where none does."""
    words = piece.split(" ")
    tongue = analysis.tongue
    for at in range(len(words) - 1, -1, -1):
        word = fold(words[at])
        fits = word in tongue.determiners if opening == "determiner" else word == opening
        if opening == "capital":
            fits = words[at][:1].isupper() and (at == 0 or not words[at - 1][:1].isupper())
        if fits and at < len(words) - (opening != "capital"):
            return " ".join(words[at:])
    return None


def parted(text: str, tongue: Tongue) -> tuple[tuple[int, int], ...]:
    """Return where the parts of "A, B and C" stand in *text*, without what joins them; one part where nothing does."""
    joints = tongue.sets["disjunctions"] | tongue.sets["conjunctions"]
    words = "|".join(sorted(map(re.escape, joints), key=len, reverse=True))
    glued = "".join(tongue.grammar.prefixes[:1]) if tongue.grammar.letters_folded else ""
    joined = rf"\s*[,،]\s+(?:(?:{words})\s)?|\s(?:{words})\s"
    joined += rf"|\s{glued}(?=\w{{3}})" if glued else ""
    ends = [0]
    for match in re.finditer(joined, text):
        ends += [match.start(), match.end()]
    ends.append(len(text))
    pairs = list(zip(ends[::2], ends[1::2], strict=True))
    return tuple(
        (first + len(text[first:last]) - len(text[first:last].lstrip()), last) for first, last in pairs if first < last
    )

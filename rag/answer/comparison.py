"""The answer about several things at once: a line for each with its source, and which has the lower or higher value."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import dropwhile

from languages import load
from languages.quantities import Quantity
from rag.answer.evidence import weigh
from rag.answer.measures import first_of
from rag.answer.overview import overview
from rag.answer.questions import Asked, more_or_less
from rag.answer.reading import Scored
from rag.answer.request import AnswerRequest
from rag.answer.stems import stems
from rag.answer.subjects import About, Subject, about
from rag.answer.support import supported
from rag.answer.units import Unit
from rag.answer.wording import LONGEST, cite, marked, say, shorten
from rag.events import Answer, Citation

_MOST = 4  # things compared in one answer

# The texts of prompts.toml under "answer." that name the smaller and the greater value of an attribute.
ENDS = {
    "price": ("cheapest", "dearest"),
    "weight": ("lightest", "heaviest"),
    "battery": ("shortest", "longest"),
    "warranty": ("shortest", "longest"),
    "charging": ("shortest", "longest"),
    "delivery": ("shortest", "longest"),
    "size": ("smallest", "largest"),
    "screen": ("smallest", "largest"),
    "memory": ("smallest", "largest"),
    "storage": ("smallest", "largest"),
}
_NEAR = 2  # words between a difference and the word that says so


@dataclass(frozen=True, slots=True)
class _Line:
    subject: Subject
    found: Scored
    text: str  # without the subject's name before it


def compare(
    request: AnswerRequest, asked: Asked, subjects: tuple[Subject, ...], *, units: tuple[Unit, ...]
) -> Answer | None:
    """Return one line a subject, or None where the documents say nothing of any of them.

    One unit that answers for several is quoted once.  Where a degree is asked for and the values can be compared, the
    first line says which it is, and yes or no where that is asked.  Where no attribute is asked for, those are set side
    by side that the documents give of all.
    """
    language = load(request.language)
    several = subjects[:_MOST]
    if asked.compares and not asked.attributes:
        table = overview(request, several, units)
        if table is not None:
            return table
    lines = [line for each in several if (line := _line(request, asked, each, rivals=several, units=units))]
    if not lines:
        return None
    share = max((LONGEST - 40) // len(several), 90)
    rows: list[str] = []
    citations: list[Citation] = []
    numbers: dict[Unit, int] = {}
    for each in several:
        line = next((line for line in lines if line.subject is each), None)
        if line is None:
            rows.append(language.text("answer.compare_missing", {"entity": each.name}))
            continue
        text = line.text if each.name in line.text else _named(request, each, line.text)
        number = numbers.get(line.found.unit)
        if number is not None and not line.found.unit.cells:
            continue  # said already, for both
        if number is None:
            number = numbers[line.found.unit] = len(citations) + 1
            citations.append(cite(request, line.found.unit, number))
        rows.append(marked(shorten(text, share), (number,)))
    conclusion = _conclusion(request, asked, lines)
    return Answer("\n".join([conclusion, *rows] if conclusion else rows), answered=True, citations=tuple(citations))


def _line(
    request: AnswerRequest,
    asked: Asked,
    each: Subject,
    *,
    rivals: tuple[Subject, ...],
    units: tuple[Unit, ...],
) -> _Line | None:
    others = tuple(other for other in rivals if other is not each)
    own = (one for one in weigh(request, asked, each, units=units, rivals=others) if one.features.foreign < 1)
    ranked = tuple(dropwhile(lambda one: _is_of_rival(request, asked, one, each), own))
    if not ranked or not supported(asked, ranked, each):
        return None
    best = ranked[0]
    if asked.degree:  # its own row says the value alone; a sentence may state a difference, or an accessory's
        rows = (one for one in ranked if one.features.cell >= 1 and one.features.value >= 1 and not one.crossing)
        stated = (one for one in ranked if one.unit.cells or not _is_difference(request, asked, one))
        best = next(rows, None) or next(stated, best)
    return _Line(each, best, say(request, asked, best, each))


def _is_of_rival(request: AnswerRequest, asked: Asked, found: Scored, each: Subject) -> bool:
    """Return whether the first value that a sentence states is another's: "the 15 for 36 months, unlike the 13"."""
    if found.unit.cells:
        return False
    quantity = first_of(found.unit.plain, request.language_of(found.unit.hit), asked.values)
    if quantity is None or about(found.unit.plain, each) < About.SHORT:
        return False
    return about(found.unit.plain[: quantity.end], each) < About.SHORT


def _is_difference(request: AnswerRequest, asked: Asked, found: Scored) -> bool:
    """Return whether the first value of a sentence is by how much a thing has more or less: "costs £230 less"."""
    language = request.language_of(found.unit.hit)
    text = found.unit.plain
    quantity = first_of(text, language, asked.values)
    if quantity is None:
        return False
    before, after = stems(text[: quantity.start], language), stems(text[quantity.end :], language)
    return bool({*before[-_NEAR:], *after[:_NEAR]} & more_or_less(language))


def _named(request: AnswerRequest, subject: Subject, text: str) -> str:
    return load(request.language).text("answer.compare_row", {"entity": subject.name, "value": text})


def _conclusion(request: AnswerRequest, asked: Asked, lines: list[_Line]) -> str:
    """Return which of the things has the value asked for, "" where that cannot be told."""
    if not asked.degree or len(lines) < 2:
        return ""
    values: list[tuple[_Line, Quantity]] = []
    for line in lines:
        quantity = first_of(line.text, request.language_of(line.found.unit.hit), asked.values)
        if quantity is None:
            return ""
        values.append((line, quantity))
    if len({quantity.in_base()[1] for _, quantity in values}) != 1:
        return ""
    language = load(request.language)
    low, high = ENDS.get(asked.attributes[0] if asked.attributes else "", ("lowest", "highest"))
    ordered = sorted(values, key=lambda pair: pair[1].in_base()[0])
    if ordered[0][1].in_base()[0] == ordered[-1][1].in_base()[0]:
        return language.text("answer.equal", {"value": ordered[0][1].text})
    line, quantity = ordered[0] if asked.degree < 0 else ordered[-1]
    key = low if asked.degree < 0 else high
    said = language.text(f"answer.{key}", {"entity": line.subject.name, "value": quantity.text})
    if not asked.yes_no or len(lines) != 2:
        return said
    verdict = (
        "answer.yes" if line.subject is lines[0].subject else "answer.no"
    )  # "is the first lighter than the other?"
    return f"{language.text(verdict)} {said}"

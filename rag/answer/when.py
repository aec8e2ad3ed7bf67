"""Whether what a unit says is of the time and the range that a question is about, and whether it is so still."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from languages import codes, fold
from rag.answer import ranges
from rag.answer.periods import agreement, periods
from rag.answer.questions import patterns
from rag.answer.request import AnswerRequest
from rag.answer.units import Unit, columns_of

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_OLDER = 0.8  # how surely a document of an earlier year is out of date


class When:
    """What one question says of days, months, measures and years, to hold units against.

    *documents* are those that name the thing asked about, where any does: a later edition without it is no newer word.
    """

    def __init__(self, request: AnswerRequest, units: Sequence[Unit], documents: Collection[str] = ()) -> None:
        question, language = request.standalone, request.language
        self._request = request
        self._periods = periods(question, language)
        self._measured = ranges.measured(question, language)
        self._of_the_past = patterns(language).past_asked.search(fold(question)) is not None
        self._of_a_year = _YEAR.search(question) is not None
        documents = documents or {hit.passage.document for hit in request.hits}
        held = (unit for unit in units if request.hits[unit.hit].passage.document in documents)
        self._newest = max(map(self._edition, held), default=0)

    def agreement(self, unit: Unit, code: str) -> float:
        """Return how the days, months and ranges of a unit agree with what is asked: by its text, else its columns.

        1 where they hold it, -1 where they are others, 0 where nothing is said or asked of them.
        """
        if not (self._periods or self._measured) or code not in codes():
            return 0.0
        return self.of_text(f"{unit.label} {unit.plain}", code) or max(self.of_text(columns_of(unit), code), 0.0)

    def of_text(self, text: str, code: str) -> float:
        """Return the same of a *text* in the language *code*."""
        days = agreement(self._periods, periods(text, code)) if self._periods else 0.0
        held = ranges.agreement(self._measured, ranges.spans(text, code)) if self._measured else 0.0
        return min(days, held) or max(days, held)

    def past(self, unit: Unit, code: str) -> float:
        """Return 1 for what was so once, less for an older edition, less than 0 where the past is asked for."""
        said = code in codes() and patterns(code).past.search(fold(unit.plain)) is not None
        if self._of_the_past:
            return -0.5 * said
        if self._of_a_year:
            return 0.0
        if said:
            return 1.0
        return _OLDER if 0 < self._edition(unit) < self._newest else 0.0

    def _edition(self, unit: Unit) -> int:
        """Return the latest year in the name and the headings of a unit's document, 0 where they have none."""
        name = self._request.hits[unit.hit].passage.document
        return max(map(int, _YEAR.findall(f"{name} {unit.heading}".replace("_", " "))), default=0)

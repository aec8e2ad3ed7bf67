"""The answer about several things at once: a line for each with its own source, and which has the lower or higher value."""

from __future__ import annotations

from languages import load
from rag.answer.evidence import Scored, weigh
from rag.answer.questions import Asked
from rag.answer.request import AnswerRequest
from rag.answer.subjects import Subject
from rag.answer.support import supported
from rag.answer.units import split
from rag.answer.wording import LONGEST, cite, marked, say, shorten
from rag.events import Answer, Citation

_MOST = 4  # things compared in one answer


def compare(request: AnswerRequest, asked: Asked, subjects: tuple[Subject, ...]) -> Answer | None:
    """Return one line a subject, or None where the documents say nothing of any of them.

    A line is at most as long as a whole answer; the lines together stay below 350 characters where they can.
    """
    language = load(request.language)
    units = split(request.hits)
    lines: list[str] = []
    citations: list[Citation] = []
    found: list[tuple[Subject, Scored]] = []
    share = (LONGEST - 40) // min(len(subjects), _MOST)
    for each in subjects[:_MOST]:
        rivals = tuple(other for other in subjects if other is not each)
        ranked = weigh(request, asked, each, units=units, rivals=rivals)
        if not ranked or not supported(asked, ranked, each):
            lines.append(language.text("answer.compare_missing", {"entity": each.name}))
            continue
        best = ranked[0]
        text = shorten(say(request, asked, best, each), max(share, 120))
        if each.name not in text:
            text = language.text("answer.compare_row", {"entity": each.name, "value": text})
        citations.append(cite(request, best.unit, len(citations) + 1))
        lines.append(marked(text, (len(citations),)))
        found.append((each, best))
    if not found:
        return None
    return Answer("\n".join(lines), answered=True, citations=tuple(citations))

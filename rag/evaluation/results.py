"""What measuring comes to: a result a case, and the figures of any group of them.

The figures are those that the cases' format defines.  Shares are in [0, 1]; None stands where nothing counts for one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean, median
from typing import Any, Final, TypeVar

from rag.evaluation.casefiles import Conversation, Problem, Question
from rag.evaluation.casefiles import Turn as Wanted
from rag.evaluation.judging import Verdict, closeness_of, has_links, is_rewritten, standalone_of
from rag.events import Turn

_LATER: Final = ("answer", "remember")  # stages that come with the answer, or after it
_PERCENTILE: Final = 0.95

Figures = Mapping[str, float | None]


@dataclass(frozen=True, slots=True)
class Resolved:
    """A case of reference resolution with what came of it, as ``referent resolve`` writes it."""

    file: str
    case: Question
    result: Mapping[str, Any]
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Answered:
    """A message of a conversation with the turn that came of it; ``turn`` is None where it failed."""

    file: str
    conversation: Conversation
    number: int  # from 0
    turn: Turn | None
    verdict: Verdict
    recall: float | None
    cited: bool | None
    crossing: bool  # asked in another language than that of the documents that answer

    @property
    def wanted(self) -> Wanted:
        """Return what was expected."""
        return self.conversation.turns[self.number]

    @property
    def language(self) -> str:
        """Return the language of the message."""
        return self.conversation.language_of(self.wanted)

    @property
    def kinds(self) -> tuple[str, ...]:
        """Return the groups that the turn counts for."""
        wanted = self.wanted
        told = self.conversation.is_told(self.number)
        place = "later_turn" if self.number else "first_turn"
        return (wanted.expects, *(["told_fact"] if told else ()), *(["cross_lingual"] if self.crossing else ()), place)


@dataclass(frozen=True, slots=True)
class Row:
    """The figures of a language and a kind; "" stands for all of them."""

    language: str
    kind: str
    figures: Figures


@dataclass(frozen=True, slots=True)
class Results:
    """All that was measured, and the lines that could not be."""

    resolved: tuple[Resolved, ...] = ()
    answered: tuple[Answered, ...] = ()
    problems: tuple[Problem, ...] = ()
    settings: Mapping[str, str] = field(default_factory=dict)  # what was measured: the models by name

    @property
    def failures(self) -> tuple[Resolved | Answered, ...]:
        """Return what is not right, in the order of the cases."""
        return (
            *(each for each in self.resolved if not each.verdict.right),
            *(each for each in self.answered if not each.verdict.right),
        )


def resolution_rows(results: Results) -> tuple[Row, ...]:
    """Return the figures of reference resolution: of all, of each language, of each kind in it."""
    return _rows(results.resolved, lambda each: each.case.lang, lambda each: (each.case.kind,), resolution_figures)


def turn_rows(results: Results) -> tuple[Row, ...]:
    """Return the figures of conversations: of all, of each language, of each kind in it."""
    return _rows(results.answered, lambda each: each.language, lambda each: each.kinds, turn_figures)


def resolution_figures(results: Sequence[Resolved]) -> Figures:
    """Return how many cases there are, which shares are right, how near rewrites are, the milliseconds.

    ``links`` counts resolved cases whose every written expression is reported with its place and one of its entities.
    """
    of = {status: [each for each in results if each.case.status == status] for status in _STATUSES}
    asked = [each for each in results if each.result.get("status") == "ambiguous"]
    due = of["ambiguous"]
    needless = [each for each in asked if each.case.status != "ambiguous"]
    written = [each for each in of["resolved"] if any(reference.text for reference in each.case.references)]
    times = sorted(each.result["ms"] for each in results if "ms" in each.result)
    return {
        "cases": len(results),
        "right": _share(each.verdict.right for each in results),
        "resolved_right": _share(each.verdict.right for each in of["resolved"]),
        "false_rewrites": _share(is_rewritten(each.case, each.result) for each in of["unchanged"]),
        "asked_when_due": _share(each.result.get("status") == "ambiguous" for each in due),
        "asked_needlessly": len(needless) / (len(results) - len(due)) if len(results) > len(due) else None,
        "standalone_f1": _mean([closeness_of(each.case, standalone_of(each.result)) for each in of["resolved"]]),
        "links": _share(has_links(each.case, each.result) for each in written),
        "ms_p50": median(times) if times else None,
        "ms_p95": times[int(_PERCENTILE * (len(times) - 1))] if times else None,
    }


_STATUSES: Final = ("resolved", "unchanged", "ambiguous")


def turn_figures(results: Sequence[Answered]) -> Figures:
    """Return how many turns there are, which shares are right, found, cited and in the right language.

    ``ms`` is the median time before the answer.
    """
    crossing = [each for each in results if each.crossing]
    times = [
        sum(ms for stage, ms in each.turn.timings_ms.items() if stage not in _LATER) for each in results if each.turn
    ]
    return {
        "turns": len(results),
        "right": _share(each.verdict.right for each in results),
        "recall_at_5": _mean([each.recall for each in results if each.recall is not None]),
        "cross_lingual_recall_at_5": _mean([each.recall for each in crossing if each.recall is not None]),
        "cited": _share(each.cited for each in results if each.cited is not None),
        "lang": _share(each.turn is not None and each.turn.language == each.language for each in results),
        "ms": median(times) if times else None,
    }


_Result = TypeVar("_Result")


def _rows(
    results: Sequence[_Result],
    language_of: Callable[[_Result], str],
    kinds_of: Callable[[_Result], Iterable[str]],
    figures_of: Callable[[Sequence[_Result]], Figures],
) -> tuple[Row, ...]:
    """Return a row for all results, with those of their kinds, then the same for each language where there are two."""
    languages = list(dict.fromkeys(map(language_of, results)))

    def rows(language: str, group: Sequence[_Result]) -> Iterator[Row]:
        """Yield the row of *group*, then one for each kind in it."""
        yield Row(language, "", figures_of(group))
        for kind in sorted({kind for each in group for kind in kinds_of(each)}):
            yield Row(language, kind, figures_of([each for each in group if kind in kinds_of(each)]))

    found = list(rows("", results)) if results else []
    for language in languages:
        found += rows(language, [each for each in results if language_of(each) == language])
    return tuple(found)


def as_json(results: Results) -> dict[str, Any]:
    """Return the figures, the failures and the lines that are no cases as plain JSON values."""

    def rows(found: Iterable[Row]) -> list[dict[str, Any]]:
        return [{"language": row.language or None, "kind": row.kind or None, **row.figures} for row in found]

    return {
        "settings": dict(results.settings),
        "resolution": rows(resolution_rows(results)),
        "conversations": rows(turn_rows(results)),
        "failures": [_failure(each) for each in results.failures],
        "problems": [{"file": each.file, "line": each.line, "reason": each.reason} for each in results.problems],
    }


def _failure(result: Resolved | Answered) -> dict[str, Any]:
    said = {"why": result.verdict.why.rpartition(".")[2], **result.verdict.values, "file": result.file}
    if isinstance(result, Resolved):
        case = result.case
        return {
            **said,
            "id": case.id,
            "question": case.question,
            "expected": {"status": case.status, "standalone": list(case.standalone), "entities": list(case.entities)},
            "result": dict(result.result),
        }
    return {
        **said,
        "id": result.conversation.id,
        "turn": result.number,
        "question": result.wanted.user,
        "expected": result.wanted.model_dump(mode="json", exclude={"user", "judge"}, exclude_defaults=True),
        "result": _turn(result.turn) if result.turn else None,
    }


def _turn(turn: Turn) -> dict[str, Any]:
    answer, asked = turn.answer, turn.clarification
    return {
        "lang": turn.language,
        "status": turn.resolution.status,
        "standalone": turn.resolution.standalone,
        "links": [{"text": link.text, "entities": list(link.entities)} for link in turn.resolution.links],
        "passages": [
            {"document": hit.passage.document, "score": hit.score, "text": hit.passage.text} for hit in turn.hits
        ],
        "answer": answer.text if answer else None,
        "answered": answer.answered if answer else False,
        "options": list(asked.options) if asked else [],
        "citations": [{"document": each.document, "quote": each.quote} for each in answer.citations] if answer else [],
    }


def _share(found: Iterable[bool | None]) -> float | None:
    return _mean([float(bool(each)) for each in found])


def _mean(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None

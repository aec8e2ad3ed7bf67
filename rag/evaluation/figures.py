"""Figures, kinds and verdicts in words, for the terminal and the page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from babel.numbers import format_percent

from languages import Language, UnknownText, codes
from rag.evaluation.casefiles import Problem
from rag.evaluation.judging import Verdict
from rag.evaluation.results import Row

_COUNTED: Final = frozenset({"cases", "turns"})
_TIMED: Final = frozenset({"ms", "ms_p50", "ms_p95"})


def shown(texts: Language, figure: str, value: float | None) -> str:
    r"""Return a figure as it is read: a count, milliseconds, else a percentage; a dash where nothing counts for it.

    >>> from languages import load
    >>> shown(load("de"), "right", 0.8712), shown(load("en"), "cases", 1200), shown(load("en"), "cited", None)
    ('87\xa0%', '1,200', '–')
    """
    if value is None:
        return "–"
    if figure in _COUNTED:
        return texts.number(str(int(value)))
    if figure in _TIMED:
        return texts.number(str(round(value)))
    return str(format_percent(value, locale=texts.locale))


def kind_of(texts: Language, kind: str) -> str:
    """Return what a kind of case is called: its own name where it is none of the turns' kinds."""
    try:
        return texts.text(f"evaluation.kind.{kind}")
    except UnknownText:
        return kind


def why(texts: Language, verdict: Verdict, written: Callable[[str], str] = str) -> str:
    """Return what speaks against a result, with its values as *written* there."""
    values = {key: value if key == "count" else written(value) for key, value in verdict.values.items()}
    return texts.text(verdict.why, values) if verdict.why else ""


def isolated(text: str) -> str:
    """Return *text* as a part of a line that runs in its own direction, whatever the line's is."""
    return f"\u2068{text}\u2069"


def row_name(texts: Language, row: Row) -> str:
    """Return what a row is of: its kind within a language, else the language."""
    if row.kind:
        return kind_of(texts, row.kind)
    return texts.name_of(row.language) if row.language in codes() else texts.text("evaluation.all")


def problem_line(texts: Language, problem: Problem) -> str:
    """Return what is said of a line that is no case."""
    values = {"file": problem.file, "line": str(problem.line), "reason": problem.reason}
    return texts.text("evaluation.line" if problem.line else "evaluation.file", values)

"""Asking which one is meant, where what the documents answer differs from one to the next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from memory import Name
from memory.reference.observe import observe
from rag.events import Answer
from rag.run import Run
from rag.underspecified import ambiguous, differ, fitting, sorts

AnswerAbout = Callable[[Run, Name], Answer]


def narrow(run: Run, answer_about: AnswerAbout, prepare: Callable[[tuple[str, ...]], object]) -> None:
    """Take the question for one to ask back about where it fits several known things whose answers differ.

    *prepare* gets the questions that are going to be asked about them, to embed them in one batch.
    """
    if not _is_open(run):
        return
    resolution, said = run.turn.resolution, run.turn.question
    expression, names = fitting(resolution.standalone, run.turn.language, run.catalog)
    if names:
        prepare((said, *(about(said, name) for name in names)))
    if names and differ(names, [answer_about(run, name) for name in names]):
        run.turn = replace(run.turn, resolution=ambiguous(resolution, expression, names))


def narrow_found(run: Run, answer_about: AnswerAbout) -> bool:
    """Return whether the passages found have several rows that the question fits, whose answers differ.

    The turn's resolution is then ambiguous, and the discourse is left where a question back leaves it.
    """
    if not _is_open(run):
        return False
    resolution, hits = run.turn.resolution, run.turn.hits
    expression, names = sorts(resolution.standalone, run.turn.language, run.catalog, hits)
    open_ = bool(names) and differ(names, [answer_about(run, name) for name in names])
    run.turn = replace(run.turn, hits=hits)
    if open_:
        run.turn = replace(run.turn, resolution=ambiguous(resolution, expression, names))
        said = run.turn.question
        run.after = observe(run.before, "user", said, language=run.turn.language, catalogs=(run.catalog,), asked="")
    return open_


def about(said: str, name: Name) -> str:
    """Return the question *said* as it is looked for where it is about *name*."""
    return f"{said} {name.name}"


def _is_open(run: Run) -> bool:
    return run.turn.resolution.status == "unchanged" and not (run.recalled or run.topic or run.compares_all)

"""Asking which one is meant, where what the documents answer differs from one to the next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from memory import Name
from memory.reference.observe import observe
from rag.events import Answer
from rag.run import Run
from rag.underspecified import ambiguous, differ, fitting, sorts, unnamed

AnswerAbout = Callable[[Run, Name], Answer]


def narrow(run: Run, answer_about: AnswerAbout, prepare: Callable[[tuple[str, ...]], object]) -> None:
    """Take the question for one to ask back about where it fits several known things whose answers differ.

    *prepare* gets the questions that are going to be asked about them, to embed them in one batch.
    """
    if not _is_open(run):
        return
    resolution, said = run.turn.resolution, run.turn.question
    run.asked = unnamed(resolution.standalone, run.turn.language, run.catalog)
    expression, names = fitting(run.asked, run.catalog) if run.asked is not None else ("", ())
    if names:
        prepare((said, *(about(said, name) for name in names)))
    if names and differ(names, [answer_about(run, name) for name in names]):
        run.turn = replace(run.turn, resolution=ambiguous(resolution, expression, names))


def narrow_found(run: Run, answer_about: AnswerAbout) -> bool:
    """Return whether the passages found have several rows that the question fits, whose answers differ.

    The turn's resolution is then ambiguous, and the discourse is left where a question back leaves it.
    """
    if run.asked is None or not _is_open(run):
        return False
    turn = run.turn
    expression, names = sorts(run.asked, turn.hits)
    if not names:
        return False
    open_ = differ(names, [answer_about(run, name) for name in names])
    run.turn = turn  # with the passages of the question itself
    if open_:
        run.turn = replace(turn, resolution=ambiguous(turn.resolution, expression, names))
        run.after = observe(
            run.before, "user", turn.question, language=turn.language, catalogs=(run.catalog,), asked=""
        )
    return open_


def about(said: str, name: Name) -> str:
    """Return the question *said* as it is looked for where it is about *name*."""
    return f"{said} {name.name}"


def _is_open(run: Run) -> bool:
    return run.turn.resolution.status == "unchanged" and not (run.recalled or run.topic or run.compares_all)

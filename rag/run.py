"""A turn while it is being made: what is known of it so far, and what follows from that."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from languages import fold
from memory import Catalog, Discourse, Heard
from memory.memory import MemoryContext
from memory.reference.analysis import Analysis
from rag.answer.questions import understand
from rag.errors import QuestionEmpty, QuestionTooLong
from rag.events import Answer, Turn
from rag.hearing import topic_of
from rag.shelf.owners import Scope

log = logging.getLogger("rag.pipeline")

_OF_A_SORT: Final = frozenset(("PRODUCT", "SERVICE", "LOCATION"))
STAGES: Final = ("detect", "resolve", "rewrite", "listen", "retrieve", "render", "answer", "remember")


@dataclass(slots=True)
class Run:
    """A turn while it is being made."""

    turn: Turn
    user: str
    conversation: str
    before: Discourse  # the last turn's
    after: Discourse  # as far as it is known
    catalog: Catalog
    scope: Scope
    ms: dict[str, float]
    recalled: Answer | None = None  # to a question about what was said before
    asked: Analysis | None = None  # the question taken apart, where it names no known thing
    compares_all: bool = False  # "Which laptop is the lightest?" is about no one thing
    topic: str = ""  # what a question that names nothing is probably about: "Until when?"
    heard: tuple[Heard, ...] = ()  # what the person's message states
    stated: bool = False  # it states something of the person and nothing else
    known: MemoryContext = field(default_factory=MemoryContext)  # what the prompt is told of the past
    shown: list[str] = field(default_factory=list)
    corrects: bool = False  # it takes the place of a turn that was understood otherwise
    as_said: bool = False  # the person wants the question taken as it stands: nothing is guessed
    added: bool = False
    finished: bool = False

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Add the time spent within to the stage *name*."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self.ms[name] += (time.perf_counter() - began) * 1000


def check(question: str, limit: int) -> None:
    """Raise where *question* says nothing, or is longer than *limit* characters.

    Raises: QuestionEmpty, QuestionTooLong.
    """
    if not any(character.isalnum() for character in question):  # signs and emoji alone match any passage
        raise QuestionEmpty("found a question without words; expected a few; write what you would like to know")
    if len(question) > limit:
        raise QuestionTooLong(
            f"found a question of {len(question)} characters; expected at most {limit}; shorten it, or put what it "
            "quotes into a document",
            {"limit": str(limit), "length": str(len(question))},
        )


def guess_topic(run: Run) -> None:
    """Tell whether the question compares all there is, and what it is probably about where it names nothing."""
    resolution = run.turn.resolution
    named = any(run.catalog.get(entity) for entity in resolution.entities)
    asked = understand(resolution.standalone, run.turn.language)
    run.compares_all = not named and asked.degree != 0 and "which" in asked.kinds
    if not (named or run.compares_all or run.as_said):
        run.topic = topic_of(resolution.standalone, run.before, run.catalog)


def asked_about(run: Run) -> tuple[str, ...]:
    """Return the things asked about: known ones and those that the question names; else the topic."""
    said = fold(run.turn.question)
    entities = run.turn.resolution.entities
    found = tuple(entity for entity in entities if run.catalog.get(entity) or fold(entity) in said)
    return (run.topic,) if run.topic else found


def context_of(run: Run) -> str:
    """Return the last question with this one, where this one names nothing that is known; else ""."""
    frame = run.before.frame
    if frame is None or run.as_said or any(run.catalog.get(entity) for entity in run.turn.resolution.entities):
        return ""
    return f"{frame.text} {run.turn.resolution.standalone}"


def general_of(run: Run) -> str:
    """Return the question with what its known things are called in place of their names; "" where it names none.

    What holds for all boats is said of "boats", and of none by its name.
    """
    text = run.turn.resolution.standalone
    named = [match for match in run.catalog.find(text) if match.name.type in _OF_A_SORT and match.name.nouns]
    for match in reversed(named):
        text = f"{text[: match.start]}{match.name.nouns[0]}{text[match.end :]}"
    return text if named else ""


def report(run: Run) -> None:
    """Write one line on a turn to the log: what became of it and how long each stage took."""
    stages = " ".join(f"{name}={run.ms[name]:.1f}" for name in STAGES)
    answer = run.turn.answer
    log.info(
        "turn %s language=%s status=%s rewriting=%s answered=%s method=%s tokens=%s ms: %s",
        run.turn.id,
        run.turn.language,
        run.turn.resolution.status,
        run.turn.rewriting.outcome if run.turn.rewriting else None,
        answer.answered if answer else None,
        answer.method if answer else None,
        run.turn.usage.tokens if run.turn.usage else None,
        stages,
    )

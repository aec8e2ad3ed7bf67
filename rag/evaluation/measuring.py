"""A pilot's cases measured with what an application has: for the command line, and for the page."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rag.build import Application
from rag.evaluation.casefiles import CaseFile
from rag.evaluation.results import Results
from rag.evaluation.running import OpenReplay, Runner
from rag.loading import LazyEmbedder, lazy_scorer
from rag.replay import Replay, open_replay
from rag.settings import Settings
from rag.shelf.shelf import Outcome

_log = logging.getLogger(__name__)

Progress = Callable[[float], None]  # hears the share that is done, from 0 to 1


def measure(
    files: Sequence[CaseFile],
    settings: Settings,
    embedder: LazyEmbedder,
    *,
    replaying: OpenReplay,
    progress: Progress,
    rules_alone: bool = False,
) -> Results:
    """Return the results of *files*, with what they were measured with; *rules_alone*, no scorer reads questions.

    Raises: ReferentError, ReferentMemoryError where an index cannot be opened or made.
    """
    scorer = None if rules_alone else lazy_scorer(settings, embedder)
    used = {"model": settings.chat_model} if settings.chat_model_set else {}
    return Runner(replaying, scorer, progress).run(files, {**used, "embedding": settings.embedding_model})


def measure_in(application: Application, files: Sequence[CaseFile], progress: Progress) -> Results:
    """Return the results of *files* within *application*, whose documents and models they are run with.

    Raises: ReferentError, ReferentMemoryError where an index cannot be opened or made.
    """
    settings, embedder = application.settings, application.embedder

    @contextmanager
    def replaying(documents: Path | None) -> Iterator[Replay]:
        """Yield a replay over the folder *documents*, else over the shelves of *application*."""
        if documents is None:
            yield Replay(application.library, embedder, settings, shelves=settings.shelves)
            return
        with open_replay(documents, settings, report=_refused, progress=lambda _: None, embedder=embedder) as opened:
            yield opened

    return measure(files, settings, embedder, replaying=replaying, progress=progress)


def _refused(outcome: Outcome) -> None:
    """Log a document of the cases that was not read."""
    if outcome.status == "refused":
        _log.warning("A document of the cases was refused: %s", outcome.key)

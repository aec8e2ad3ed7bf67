"""The passages found, put in order anew by a cross-encoder, which reads question and passage together; by setting.

It is slower than the search by far (one pass a passage), so it reads the first ones alone.  No weights come with the
program: a folder or a name that sentence-transformers knows is set by whoever has one.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from rag.errors import RerankerUnavailable
from rag.events import Hit
from rag.shelf.embedding import leave_processors_free, plain
from rag.shelf.splitting import searched_text

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder

log = logging.getLogger(__name__)

LEG: Final = "reranked"
READ: Final = 24  # passages; three times as many as an answer rests on
BATCH: Final = 8


class Reranker(Protocol):
    """Says how well each of some texts answers a question."""

    def score(self, question: str, texts: Sequence[str]) -> tuple[float, ...]:
        """Return a score for each of *texts*: the higher, the better."""
        ...


def rerank(reranker: Reranker, question: str, hits: Sequence[Hit]) -> list[Hit]:
    """Return *hits*, which come best first, with the first of them in the order of *reranker*; the rest follows.

    A hit keeps its fused score; that of the reranker is one leg more.
    """
    head, tail = hits[:READ], hits[READ:]
    scores = reranker.score(question, [searched_text(hit.passage) for hit in head]) if head else ()
    order = sorted(range(len(head)), key=lambda number: -scores[number])
    return [*(replace(head[n], legs=(*head[n].legs, (LEG, scores[n]))) for n in order), *tail]


class CrossEncoderReranker:
    """A loaded cross-encoder of sentence-transformers; safe to share between threads."""

    def __init__(self, model: CrossEncoder) -> None:
        self._model = model
        self._lock = threading.Lock()  # fast tokenizers are not thread-safe

    def score(self, question: str, texts: Sequence[str]) -> tuple[float, ...]:
        """Return the model's score for each of *texts*."""
        asked = plain(question)
        pairs = [(asked, plain(text)) for text in texts]
        if not pairs:
            return ()
        with self._lock:
            scores = self._model.predict(pairs, batch_size=BATCH, show_progress_bar=False)
        return tuple(float(score) for score in scores)


class LazyReranker:
    """The cross-encoder named *model*, loaded at its first question, once, whichever thread comes first."""

    def __init__(self, model: str) -> None:
        self._name = model
        self._loaded: Reranker | None = None
        self._lock = threading.Lock()

    def score(self, question: str, texts: Sequence[str]) -> tuple[float, ...]:
        """Return the model's score for each of *texts*.

        Raises: RerankerUnavailable.
        """
        with self._lock:
            if self._loaded is None:
                self._loaded = load_reranker(self._name)
        return self._loaded.score(question, texts)


def load_reranker(model: str) -> CrossEncoderReranker:
    """Return the cross-encoder of that name or in that folder.

    Raises: RerankerUnavailable, where it cannot be loaded, or gives other than one number a pair.
    """
    leave_processors_free()
    from sentence_transformers import CrossEncoder
    from transformers.utils import logging as transformers_logging

    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]  # untyped library
    try:
        # A folder needs no network; a name may be fetched from its hub, unless HF_HUB_OFFLINE forbids it.
        loaded = CrossEncoder(model, device="cpu", local_files_only=Path(model).is_dir())
    except (OSError, ValueError, ImportError, RuntimeError) as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
        raise _unavailable(model, f"cannot be loaded ({reason})") from error
    if loaded.num_labels != 1:
        raise _unavailable(model, f"gives {loaded.num_labels} numbers for a question and a passage instead of one")
    loaded.eval()
    log.info("reranker %s loaded", Path(model).name)
    return CrossEncoderReranker(loaded)


def _unavailable(model: str, problem: str) -> RerankerUnavailable:
    return RerankerUnavailable(
        f"The cross-encoder {model!r} {problem}. Expected a folder or a name that sentence-transformers knows as a "
        "cross-encoder with one output. Correct REFERENT_RERANKER, or leave it empty to go on without one.",
        {"model": model},
    )

"""What takes seconds to load, loaded when it is first used: the embedding model, and what reads over it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from memory import Reading, Scorer
from memory.types import Embedder, Role, Vectors
from rag.answer.request import Selector
from rag.errors import EmbeddingError
from rag.reranking import LazyReranker
from rag.settings import BUNDLED, Settings
from rag.shelf.weights import MODEL, bundled_file, file_hash

log = logging.getLogger(__name__)

Opened = TypeVar("Opened")


class LazyEmbedder:
    """An embedder that is loaded at the first text, once, whichever thread comes first.

    *name* may be known before: what is indexed already is then recognised without loading anything.
    """

    def __init__(self, load: Callable[[], Embedder], name: Callable[[], str] | None = None) -> None:
        self._load = load
        self._name = name
        self._known_name = ""
        self._loaded: Embedder | None = None
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """Return the model's name and a hash of its weights."""
        if self._loaded is None and self._name is not None:
            self._known_name = self._known_name or self._name()
            return self._known_name
        return self.loaded().name

    @property
    def dimension(self) -> int:
        """Return the length of each vector."""
        return self.loaded().dimension

    def embed_queries(self, texts: tuple[str, ...]) -> Vectors:
        """Return one unit vector a question."""
        return self.loaded().embed_queries(texts)

    def embed_passages(self, texts: tuple[str, ...]) -> Vectors:
        """Return one unit vector a passage."""
        return self.loaded().embed_passages(texts)

    def scorer(self) -> Scorer | None:
        """Return the learned scorer over the model; None where the model has none.

        Raises: EmbeddingError.
        """
        return scorer_of(self.loaded())

    def selector(self) -> Selector | None:
        """Return the answer selector over the model; None where the model has none.

        Raises: EmbeddingError.
        """
        return selector_of(self.loaded())

    def loaded(self) -> Embedder:
        """Return the embedder itself, loaded by now.

        Raises: EmbeddingError.
        """
        with self._lock:
            if self._loaded is None:
                self._loaded = self._load()
            return self._loaded


class _Lazy(Generic[Opened]):
    """What *opening* gives, opened at its first use, once; None for good where it fails, and the log says *without*."""

    def __init__(self, opening: Callable[[], Opened | None], without: str) -> None:
        self._opening = opening
        self._without = without
        self._opened: Opened | None = None
        self._tried = False
        self._lock = threading.Lock()

    def opened(self) -> Opened | None:
        """Return what was opened, None where there is none."""
        with self._lock:
            if not self._tried:
                self._tried = True
                try:
                    self._opened = self._opening()
                except EmbeddingError as error:
                    log.warning("%s: %s", self._without, error)
            return self._opened


class LazyScorer:
    """The learned scorer, opened with the embedding model at the first question that has a history.

    Where it cannot be opened the rules decide alone, and the log says why: a reference costs no answer.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._lazy = _Lazy(lambda: scorer_of(embedder), "no scorer, the rules decide alone")

    def read(self, question: str, history: tuple[tuple[Role, str], ...]) -> Reading | None:
        """Return what the scorer reads; None where there is none."""
        scorer = self._lazy.opened()
        return scorer.read(question, history) if scorer is not None else None


def scorer_of(embedder: Embedder) -> Scorer | None:
    """Return the learned scorer over *embedder*; None where it has none, as embedders of other models have.

    Raises: EmbeddingError.
    """
    opened = getattr(embedder, "scorer", None)
    return opened() if opened is not None else None


class LazySelector:
    """The answer selector, opened with the embedding model at the first question that is answered without a chat model.

    Where it cannot be opened the weights fitted by hand decide alone, and the log says why.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._lazy = _Lazy(lambda: selector_of(embedder), "no answer selector")

    def score(self, question: str, pieces: Sequence[str]) -> tuple[float, ...] | None:
        """Return the logit of each of *pieces*; None where there is no selector."""
        selector = self._lazy.opened()
        return selector.score(question, pieces) if selector is not None else None


def selector_of(embedder: Embedder) -> Selector | None:
    """Return the answer selector over *embedder*; None where it has none, as embedders of other models have.

    Raises: EmbeddingError.
    """
    opened = getattr(embedder, "selector", None)
    return opened() if opened is not None else None


def lazy_selector(settings: Settings, embedder: Embedder) -> LazySelector | None:
    """Return the answer selector, not opened yet; None where *settings* leave it out."""
    return LazySelector(embedder) if settings.selector == "auto" else None


def lazy_scorer(settings: Settings, embedder: Embedder) -> LazyScorer | None:
    """Return the learned scorer, not opened yet; None where *settings* leave it out."""
    return LazyScorer(embedder) if settings.scorer == "auto" else None


def lazy_reranker(settings: Settings) -> LazyReranker | None:
    """Return the cross-encoder that *settings* name, not loaded yet; None where they name none."""
    return LazyReranker(settings.reranker.strip()) if settings.reranker.strip() else None


def lazy_embedder(settings: Settings) -> LazyEmbedder:
    """Return the embedder that *settings* name, not loaded yet."""

    def load() -> Embedder:
        """Return the embedder, loaded."""
        from rag.shelf.embedding import load_embedder

        return load_embedder(settings.embedding_model, settings.cache_dir, dtype=settings.embedding_dtype)

    return LazyEmbedder(load, bundled_name if settings.embedding_model == BUNDLED else None)


def bundled_name() -> str:
    """Return the name of the bundled model, as its embedder gives it.

    Raises: WeightsMissing.
    """
    return f"{MODEL}@{file_hash(bundled_file())}"

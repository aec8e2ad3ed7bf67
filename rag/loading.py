"""What takes seconds to load, loaded when it is first used: the embedding model."""

from __future__ import annotations

import threading
from collections.abc import Callable

from memory.types import Embedder, Vectors
from rag.settings import BUNDLED, Settings
from rag.shelf.weights import MODEL, bundled_file, file_hash


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

    def loaded(self) -> Embedder:
        """Return the embedder itself, loaded by now.

        Raises: EmbeddingError.
        """
        with self._lock:
            if self._loaded is None:
                self._loaded = self._load()
            return self._loaded


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

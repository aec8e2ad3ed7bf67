"""Vectors kept in a folder from one run of a benchmark to the next: the search is measured, not the embedding."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import numpy as np

from memory.types import Embedder, Vectors


class KeptVectors:
    """An embedder in front of another one, that asks it only for texts that it has not met in *folder*."""

    def __init__(self, embedder: Embedder, folder: Path) -> None:
        self._embedder = embedder
        self._folder = folder
        self._known: dict[str, dict[str, Vectors]] = {kind: self._read(kind) for kind in ("query", "passage")}
        self._new: set[str] = set()

    @property
    def name(self) -> str:
        """Return the name of the embedder behind."""
        return self._embedder.name

    @property
    def dimension(self) -> int:
        """Return the length of each vector."""
        return self._embedder.dimension

    def embed_queries(self, texts: tuple[str, ...]) -> Vectors:
        """Return one unit vector a question."""
        return self._embed("query", texts, self._embedder.embed_queries)

    def embed_passages(self, texts: tuple[str, ...]) -> Vectors:
        """Return one unit vector a passage."""
        return self._embed("passage", texts, self._embedder.embed_passages)

    def keep(self) -> None:
        """Write what was embedded since the start."""
        self._folder.mkdir(parents=True, exist_ok=True)
        for kind in self._new:
            known = self._known[kind]
            np.savez(self._file(kind), keys=np.array(list(known)), vectors=np.stack(list(known.values())))
        self._new.clear()

    def _embed(self, kind: str, texts: tuple[str, ...], embed: Callable[[tuple[str, ...]], Vectors]) -> Vectors:
        known = self._known[kind]
        keys = [hashlib.sha256(text.encode("utf-8", "replace")).hexdigest() for text in texts]
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if missing:
            self._new.add(kind)
            known.update(zip(missing, embed(tuple(missing.values())), strict=True))
        rows = [known[key] for key in keys]
        return np.stack(rows) if rows else np.zeros((0, self.dimension), dtype=np.float32)

    def _file(self, kind: str) -> Path:
        return self._folder / f"{hashlib.sha256(self.name.encode()).hexdigest()[:16]}-{kind}.npz"

    def _read(self, kind: str) -> dict[str, Vectors]:
        if not self._file(kind).is_file():
            return {}
        with np.load(self._file(kind)) as kept:
            return dict(zip(map(str, kept["keys"]), kept["vectors"], strict=True))

"""An embedder of true shape that needs no model: texts with words in common have vectors that are near."""

from __future__ import annotations

import hashlib

import numpy as np

from languages.text import fold, words
from memory.types import Vectors
from rag.shelf.embedding import plain

DIMENSION = 256


class HashEmbedder:
    """Hashes the first letters of each word into one of 256 places; counts its calls."""

    def __init__(self, name: str = "hash@1") -> None:
        self._name = name
        self.batches = 0
        self.fail_after: int | None = None

    @property
    def name(self) -> str:
        return self._name

    @property
    def dimension(self) -> int:
        return DIMENSION

    def embed_queries(self, texts: tuple[str, ...]) -> Vectors:
        return self._embed(texts)

    def embed_passages(self, texts: tuple[str, ...]) -> Vectors:
        return self._embed(texts)

    def _embed(self, texts: tuple[str, ...]) -> Vectors:
        self.batches += 1
        if self.fail_after is not None and self.batches > self.fail_after:
            raise RuntimeError("the model is gone")
        rows = np.full((len(texts), DIMENSION), 1e-3, dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for token in words(plain(text)):
                key = fold(token.text)[:6].encode()
                row[int.from_bytes(hashlib.sha256(key).digest()[:2], "big") % DIMENSION] += 1.0
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

"""Words to passages: BM25 over stems, one index for each shelf and language.

It holds ids and stems in memory, not texts.  Without stemming, fusing it with dense retrieval makes that worse.
"""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Iterable, Sequence

import numpy as np
import Stemmer

from languages import load
from languages.text import fold, words
from rag.shelf.embedding import plain
from rag.shelf.index import Ranked

_PARTS = re.compile(r"[-‐‑/.,]+")


class Stems:
    """Texts of one language to stems; shared by threads, although PyStemmer's objects are not made for it."""

    def __init__(self, language: str) -> None:
        pack = load(language)
        self._stemmer = Stemmer.Stemmer(pack.stemmer)
        self._stop = pack.stop_words
        self._lock = threading.Lock()

    def of(self, text: str) -> list[str]:
        """Return the stems of the content words of *text* in order.

        A model name with a hyphen is found by its parts and in one: "V-40" gives "v", "40" and "v40".
        """
        tokens: list[str] = []
        for token in words(plain(text)):
            word = token.text.lower()
            if word.endswith(("'", "’")) or fold(word) in self._stop:
                continue
            tokens.append(word)
            parts = [part for part in _PARTS.split(word) if part]
            if len(parts) > 1 and any(character.isalpha() for character in word):
                tokens += [*parts, "".join(parts)]
        with self._lock:
            stems = self._stemmer.stemWords(tokens)
        return [fold(stem) for stem in stems]


class LexicalIndex:
    """BM25 over the passages of one shelf and language.

    Source: Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009, as in Lucene
    (k1 = 1.5, b = 0.75, bm25s' defaults).
    """

    def __init__(self, ids: Sequence[str], texts: Iterable[str], language: str) -> None:
        import bm25s

        logging.getLogger(bm25s.__name__).setLevel(logging.WARNING)  # it sets itself to DEBUG
        self._ids = tuple(ids)
        self._stems = Stems(language)
        corpus = [self._stems.of(text) for text in texts]
        self._known = frozenset(stem for stems in corpus for stem in stems)
        self._scorer = None
        if self._known:
            self._scorer = bm25s.BM25(method="lucene")
            self._scorer.index(corpus, show_progress=False)

    def search(self, text: str, k: int) -> Ranked:
        """Return the *k* best passages that share a stem with *text*, with their BM25 score, best first."""
        stems = [stem for stem in self._stems.of(text) if stem in self._known]
        if self._scorer is None or not stems:
            return ()
        scores = np.asarray(self._scorer.get_scores(stems), dtype=np.float32)
        count = min(k, len(self._ids))
        best = np.argpartition(-scores, count - 1)[:count]
        order = best[np.argsort(-scores[best], kind="stable")]
        return tuple((self._ids[i], float(scores[i])) for i in order if scores[i] > 0)

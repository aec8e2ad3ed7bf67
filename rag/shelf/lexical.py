"""Words to passages: BM25 over stems, one index for each shelf and language.

It holds ids and counts of stems in memory, not texts.  Without stemming, fusing it with dense retrieval makes that
worse.  An index is never changed: ``changed`` makes the next one from it, in which only new passages are stemmed.
"""

from __future__ import annotations

import re
import threading
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np
import Stemmer

from languages import load
from languages.text import fold, spellings
from rag.shelf.embedding import plain
from rag.shelf.index import Ranked

_PARTS = re.compile(r"[-‐‑/.,]+")
_MOST_KNOWN: Final = 300_000  # words whose stems are remembered; the words of a language, names and figures with them

K1: Final = 1.5
B: Final = 0.75


class Stems:
    """Texts of one language to stems; shared by threads, although PyStemmer's objects are not made for it."""

    def __init__(self, language: str) -> None:
        pack = load(language)
        self._stemmer = Stemmer.Stemmer(pack.stemmer)
        self._stop = pack.stop_words
        self._endings = pack.endings
        self._lock = threading.Lock()
        self._known: dict[str, tuple[str, ...]] = {}

    def of(self, text: str) -> list[str]:
        """Return the stems of the content words of *text* in order.

        A model name with a hyphen is found by its parts and in one: "V-40" gives "v", "40" and "v40"; a word with an
        ending that is often written for another (Arabic ه for ة) by both.
        """
        stems: list[str] = []
        for word in spellings(plain(text)):
            found = self._known.get(word)
            stems += self._learnt(word) if found is None else found
        return stems

    def _learnt(self, written: str) -> tuple[str, ...]:
        """Return the stems of one word, and remember them."""
        word = written.lower()
        tokens: list[str] = []
        if not word.endswith(("'", "’")) and fold(word) not in self._stop:
            tokens.append(word)
            parts = [part for part in _PARTS.split(word) if part]
            if len(parts) > 1 and any(character.isalpha() for character in word):
                tokens += [*parts, "".join(parts)]
            tokens += [word.removesuffix(end) + meant for end, meant in self._endings.items() if word.endswith(end)]
        with self._lock:
            found = tuple(dict.fromkeys(fold(stem) for stem in self._stemmer.stemWords(tokens)))
            if len(self._known) < _MOST_KNOWN:
                self._known[written] = found
        return found


class LexicalIndex:
    """BM25 over the passages of one shelf and language.

    Source: Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009, with the inverse
    document frequency of Lucene, which is never negative.
    """

    def __init__(self, ids: Sequence[str], texts: Iterable[str], language: str) -> None:
        import scipy.sparse

        self._ids: tuple[str, ...] = ()
        self._stems = Stems(language)
        self._columns: dict[str, int] = {}  # by stem; shared by the indexes made from one another, and only added to
        self._counts: Any = scipy.sparse.csc_matrix((0, 0), dtype=np.float32)
        self._weigh()
        self._take(tuple(ids), self._rows(texts))

    def changed(self, ids: Sequence[str], texts: Callable[[Sequence[str]], Iterable[str]]) -> LexicalIndex:
        """Return the index of the passages *ids*; *texts* gives the texts of those that this one does not hold.

        Call it for one index from one thread at a time.
        """
        places = {id_: place for place, id_ in enumerate(self._ids)}
        new = [id_ for id_ in ids if id_ not in places]
        rows = self._rows(texts(new)) if new else None
        made = LexicalIndex.__new__(LexicalIndex)
        made._stems, made._columns, made._counts = self._stems, self._columns, self._counts
        order = dict(zip(new, range(len(self._ids), len(self._ids) + len(new)), strict=True))
        made._take(tuple(ids), rows, [places[id_] if id_ in places else order[id_] for id_ in ids])
        return made

    def search(self, text: str, k: int) -> Ranked:
        """Return the *k* best passages that share a stem with *text*, best first.

        Their score is BM25 over the most that *text* could reach, in (0, 1): about .4 for all of its words once in a
        passage of usual length.  Words that no passage has count as the rarest ones, so that a question in another
        language has low scores for the few words that it shares.
        """
        scores = np.zeros(len(self._ids), dtype=np.float32)
        starts, rows, counts = self._counts.indptr, self._counts.indices, self._counts.data
        asked: Mapping[str, int] = Counter(self._stems.of(text))
        most = 0.0
        for stem, times in asked.items():
            column = self._columns.get(stem, -1)
            known = 0 <= column < len(starts) - 1  # a later index may have added it
            found = slice(starts[column], starts[column + 1]) if known else slice(0, 0)
            holding = found.stop - found.start
            rarity = np.log1p((len(self._ids) - holding + 0.5) / (holding + 0.5))
            most += times * rarity
            scores[rows[found]] += times * rarity * counts[found] / (counts[found] + self._lengths[rows[found]])
        if most:
            scores /= most
        count = min(k, len(self._ids))
        if not count:
            return ()
        best = np.argpartition(-scores, count - 1)[:count]
        order = best[np.argsort(-scores[best], kind="stable")]
        return tuple((self._ids[i], float(scores[i])) for i in order if scores[i] > 0)

    def _rows(self, texts: Iterable[str]) -> Any:
        """Return how often each stem stands in each of *texts*, a row a text, a column a stem."""
        import scipy.sparse

        columns, counts, starts = array("i"), array("f"), array("q", [0])
        for text in texts:
            found = Counter(self._stems.of(text))
            for stem, count in found.items():
                columns.append(self._columns.setdefault(stem, len(self._columns)))
                counts.append(count)
            starts.append(len(columns))
        shape = (len(starts) - 1, len(self._columns))
        return scipy.sparse.csr_matrix((np.asarray(counts), np.asarray(columns), np.asarray(starts)), shape=shape)

    def _take(self, ids: tuple[str, ...], new: Any, order: Sequence[int] | None = None) -> None:
        """Hold *ids*: our rows and the *new* ones below them, in that *order* where one is given."""
        import scipy.sparse

        rows = self._counts.tocsr()
        rows.resize(rows.shape[0], len(self._columns))
        if new is not None:
            rows = scipy.sparse.vstack([rows, new], format="csr") if rows.shape[0] else new
        if order is not None:
            rows = rows[np.asarray(order, dtype=np.int64)]
        self._ids, self._counts = ids, rows.tocsc()
        self._weigh()

    def _weigh(self) -> None:
        """Work out what a passage's length takes from each of its words."""
        lengths = np.asarray(self._counts.sum(axis=1), dtype=np.float32).ravel()
        usual = float(lengths.mean()) if lengths.size else 1.0
        self._lengths = (K1 * (1 - B + B * lengths / (usual or 1.0))).astype(np.float32)

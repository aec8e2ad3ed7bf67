"""Passage vectors in Chroma: one collection for each shelf, language and embedding model.

Chroma is only an index, SQL is the truth: an id that SQL does not know is ignored by whoever reads.  Tried: two
processes that write through clients left open lose vectors; writers that reopen under a lock lose none.  So every
write happens under ``write_lock`` and after ``refresh`` with the generation that SQL holds.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np
from filelock import FileLock, Timeout

from memory.types import Vectors
from rag.errors import IndexBusy
from rag.shelf.places import Place

if TYPE_CHECKING:
    from chromadb.api.client import Client
    from chromadb.api.collection_configuration import CreateHNSWConfiguration
    from chromadb.api.models.Collection import Collection

Ranked = tuple[tuple[str, float], ...]  # passage ids with their score, best first

LOCK_SECONDS: Final = 120.0
_NEVER: Final = -1
_Found = TypeVar("_Found")


def _graph() -> CreateHNSWConfiguration:
    """Return how a collection's vectors are linked.

    Texts that differ in a number alone lie so close together that a graph of 16 neighbours, Chroma's default, loses
    its way: of 400 such vectors 44 could not be found at all.  With 48 neighbours and more none was lost.
    """
    return {"space": "cosine", "max_neighbors": 64, "ef_construction": 200, "ef_search": 200}


def collection_name(*parts: str) -> str:
    """Return the name of the collection of *parts* (shelf, language, model): a hash, so that any name will do.

    >>> collection_name("shared", "x") == collection_name("shared", "y")
    False
    """
    return "p" + hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:40]


class VectorIndex:
    """The vectors of a data folder, in *place*; all threads of a process share one.

    *lock* is the file that every process which writes them locks.
    """

    def __init__(self, place: Place, lock: Path) -> None:
        self._place = place
        self._lock = threading.RLock()
        self._client: Client | None = None
        self._collections: dict[str, Collection] = {}
        self._generation = _NEVER
        self._state: object = None  # of the place when it was opened
        self._opening = 0
        self._file_lock = FileLock(lock, timeout=LOCK_SECONDS, mode=0o600)

    @contextmanager
    def write_lock(self) -> Iterator[None]:
        """Keep every other process and thread from writing; hold it for one write only.

        Raises: IndexBusy, after two minutes of waiting.
        """
        try:
            self._file_lock.acquire()
        except Timeout as error:
            raise IndexBusy(
                f"The index in {self._place.shown} has been written by another process for {LOCK_SECONDS:.0f} seconds; "
                "expected it to be free sooner. Try again when it has finished."
            ) from error
        try:
            with self._lock:
                yield
        finally:
            self._file_lock.release()

    def refresh(self, generation: int) -> None:
        """Open the place anew where another process has written since: *generation* is newer than ours.

        So too where a folder has been deleted or replaced: what is open then is read and written by nobody else.

        Raises: ShelfIndexError.
        """
        with self._lock:
            if generation > self._generation or (self._client is not None and self._state != self._place.state()):
                self.close()
                self._generation = max(generation, self._generation)
            self._open()

    @property
    def opening(self) -> int:
        """Return how often the place has been opened: another number, another look at what is there."""
        return self._opening

    def noted(self, generation: int) -> None:
        """Take *generation* for ours: we are the one who wrote it."""
        with self._lock:
            self._generation = max(self._generation, generation)

    def close(self) -> None:
        """Let go of the place; the next use opens it."""
        with self._lock:
            if self._client is not None:
                self._client.close()
            self._client = None
            self._collections.clear()

    def upsert(self, name: str, ids: Sequence[str], vectors: Vectors) -> None:
        """Put unit *vectors* under *ids*; what stood there before is replaced."""

        def put(collection: Collection) -> None:
            """Put all of them, as many at once as Chroma takes."""
            step = self._open().get_max_batch_size()
            for start in range(0, len(ids), step):
                part = slice(start, start + step)
                collection.upsert(ids=list(ids[part]), embeddings=np.ascontiguousarray(vectors[part], dtype=np.float32))

        self._on(name, put, create=True)

    def delete(self, name: str, ids: Sequence[str]) -> None:
        """Remove *ids*; those that are not there do not matter."""

        def remove(collection: Collection) -> None:
            """Remove all of them, as many at once as Chroma takes."""
            step = self._open().get_max_batch_size()
            for start in range(0, len(ids), step):
                collection.delete(ids=list(ids[start : start + step]))

        self._on(name, remove)

    def drop(self, name: str) -> None:
        """Remove a collection with all that is in it."""
        with self._reached():
            if self._collection(name) is not None:
                self._open().delete_collection(self._place.prefix + name)
                self._collections.pop(name, None)

    def scrub(self) -> None:
        """Leave no trace of what was removed where the vectors lie.

        Raises: IndexBusy where another process reads them for too long.
        """
        with self._lock:
            self.close()
            self._place.scrub()

    def names(self) -> tuple[str, ...]:
        """Return the names of all our collections."""
        prefix = self._place.prefix
        with self._reached():
            found = [str(collection.name) for collection in self._open().list_collections()]
        return tuple(name.removeprefix(prefix) for name in found if name.startswith(prefix))

    def ids(self, name: str) -> tuple[str, ...]:
        """Return all ids in a collection, in no order."""
        return self._on(name, lambda collection: tuple(collection.get(include=[])["ids"])) or ()

    def count(self, name: str) -> int:
        """Return how many vectors a collection holds."""
        return self._on(name, lambda collection: int(collection.count())) or 0

    def query(self, name: str, vectors: Vectors, k: int) -> tuple[Ranked, ...]:
        """Return, for each of the unit *vectors*, the *k* nearest ids with their cosine, best first; one query."""
        if k < 1 or not len(vectors):
            return ((),) * len(vectors)
        asked = np.ascontiguousarray(vectors, dtype=np.float32)
        found = self._on(
            name, lambda collection: collection.query(query_embeddings=asked, n_results=k, include=["distances"])
        )
        if found is None:
            return ((),) * len(vectors)
        return tuple(
            tuple((str(id_), 1.0 - float(distance)) for id_, distance in zip(ids, row, strict=True))
            for ids, row in zip(found["ids"], found["distances"] or [], strict=True)
        )

    def _on(self, name: str, action: Callable[[Collection], _Found], *, create: bool = False) -> _Found | None:
        """Return what *action* gives on a collection, None where there is none of that name.

        One that is no longer there is looked for anew, once: another process has made it anew, or it is lost.
        """
        from chromadb.errors import NotFoundError

        with self._reached():
            for _ in range(2):
                collection = self._collection(name, create=create)
                if collection is None:
                    return None
                try:
                    return action(collection)
                except NotFoundError:
                    self.close()
        return None

    @contextmanager
    def _reached(self) -> Iterator[None]:
        """Keep other threads off; a place that fails is let go of, and its failure said in plain words."""
        with self._lock:
            try:
                yield
            except self._place.failures() as error:
                self.close()
                raise self._place.failure(error) from error

    def _open(self) -> Client:
        if self._client is None:
            self._client = self._place.open()
            self._state = self._place.state()
            self._opening += 1
        return self._client

    def _collection(self, name: str, *, create: bool = False) -> Collection | None:
        """Return a collection, or None where there is none of that name."""
        from chromadb.errors import NotFoundError

        if name not in self._collections:
            client, full = self._open(), self._place.prefix + name
            try:
                # Without embedding_function=None Chroma attaches a model of its own, and downloads it.
                self._collections[name] = (
                    client.get_or_create_collection(full, embedding_function=None, configuration={"hnsw": _graph()})
                    if create
                    else client.get_collection(full, embedding_function=None)
                )
            except NotFoundError:
                return None
        return self._collections[name]

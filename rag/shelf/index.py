"""Passage vectors in Chroma: one collection for each shelf, language and embedding model.

Chroma is only an index, SQL is the truth: an id that SQL does not know is ignored by whoever reads.  Tried: two
processes that write through clients left open lose vectors; writers that reopen under a lock lose none.  So every
write happens under ``write_lock`` and after ``refresh`` with the generation that SQL holds.
"""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

import numpy as np
from filelock import FileLock, Timeout

from memory.types import Vectors
from rag.errors import IndexBusy, ShelfIndexError

if TYPE_CHECKING:
    from chromadb.api.client import Client
    from chromadb.api.collection_configuration import CreateHNSWConfiguration
    from chromadb.api.models.Collection import Collection

Ranked = tuple[tuple[str, float], ...]  # passage ids with their score, best first

LOCK_SECONDS: Final = 120.0
_NEVER: Final = -1
_FILE: Final = "chroma.sqlite3"
# A topic of the log ends with its collection's id.
_FORGET_LOG: Final = (
    "DELETE FROM embeddings_queue WHERE NOT EXISTS"
    " (SELECT 1 FROM collections WHERE embeddings_queue.topic LIKE '%' || collections.id)"
)


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
    """The Chroma folder of a data folder; all threads of a process share one."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.RLock()
        self._client: Client | None = None
        self._collections: dict[str, Collection] = {}
        self._generation = _NEVER
        self._file: tuple[int, int] | None = None  # which file is open: its device and number
        self._opening = 0
        self._file_lock = FileLock(folder.parent / f"{folder.name}.lock", timeout=LOCK_SECONDS, mode=0o600)

    @contextmanager
    def write_lock(self) -> Iterator[None]:
        """Keep every other process and thread from writing; hold it for one write only.

        Raises: IndexBusy, after two minutes of waiting.
        """
        try:
            self._file_lock.acquire()
        except Timeout as error:
            raise IndexBusy(
                f"The index in {self._folder} has been written by another process for {LOCK_SECONDS:.0f} seconds; "
                "expected it to be free sooner. Try again when it has finished."
            ) from error
        try:
            with self._lock:
                yield
        finally:
            self._file_lock.release()

    def refresh(self, generation: int) -> None:
        """Open the folder anew where another process has written since: *generation* is newer than ours.

        So too where the folder has been deleted or replaced: what is open then is read and written by nobody else.
        """
        with self._lock:
            if generation > self._generation or (self._client is not None and self._file != self._file_now()):
                self.close()
                self._generation = max(generation, self._generation)
            self._open()

    @property
    def opening(self) -> int:
        """Return how often the folder has been opened: another number, another look at what is there."""
        return self._opening

    def _file_now(self) -> tuple[int, int] | None:
        try:
            found = (self._folder / _FILE).stat()
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def noted(self, generation: int) -> None:
        """Take *generation* for ours: we are the one who wrote it."""
        with self._lock:
            self._generation = max(self._generation, generation)

    def close(self) -> None:
        """Let go of the folder; the next use opens it."""
        with self._lock:
            if self._client is not None:
                self._client.close()
            self._client = None
            self._collections.clear()

    def upsert(self, name: str, ids: Sequence[str], vectors: Vectors) -> None:
        """Put unit *vectors* under *ids*; what stood there before is replaced."""
        with self._lock:
            client, collection = self._open(), self._collection(name, create=True)
            if collection is None:
                return
            step = client.get_max_batch_size()
            for start in range(0, len(ids), step):
                part = slice(start, start + step)
                collection.upsert(ids=list(ids[part]), embeddings=np.ascontiguousarray(vectors[part], dtype=np.float32))

    def delete(self, name: str, ids: Sequence[str]) -> None:
        """Remove *ids*; those that are not there do not matter."""
        with self._lock:
            client, collection = self._open(), self._collection(name)
            if collection is None:
                return
            step = client.get_max_batch_size()
            for start in range(0, len(ids), step):
                collection.delete(ids=list(ids[start : start + step]))

    def drop(self, name: str) -> None:
        """Remove a collection with all that is in it."""
        with self._lock:
            if self._collection(name) is not None:
                self._open().delete_collection(name)
                self._collections.pop(name, None)

    def scrub(self) -> None:
        """Leave no trace of what was removed in Chroma's file.

        Raises: IndexBusy where another process reads it for longer than a minute.
        """
        with self._lock:
            self.close()
            file = self._folder / _FILE
            if not file.exists():
                return
            try:
                with closing(sqlite3.connect(file, timeout=LOCK_SECONDS, isolation_level=None)) as connection:
                    connection.execute("PRAGMA secure_delete=ON")
                    # Chroma keeps a log of what is written, also of collections that are gone.
                    connection.execute(_FORGET_LOG)
                    connection.execute("VACUUM")
                    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            except sqlite3.OperationalError as error:
                raise IndexBusy(
                    f"The index in {self._folder} is being read by another process; expected it to be free sooner. "
                    "Try again in a moment."
                ) from error

    def names(self) -> tuple[str, ...]:
        """Return the names of all collections."""
        with self._lock:
            return tuple(str(collection.name) for collection in self._open().list_collections())

    def ids(self, name: str) -> tuple[str, ...]:
        """Return all ids in a collection, in no order."""
        with self._lock:
            collection = self._collection(name)
            return () if collection is None else tuple(collection.get(include=[])["ids"])

    def count(self, name: str) -> int:
        """Return how many vectors a collection holds."""
        with self._lock:
            collection = self._collection(name)
            return 0 if collection is None else int(collection.count())

    def query(self, name: str, vectors: Vectors, k: int) -> tuple[Ranked, ...]:
        """Return, for each of the unit *vectors*, the *k* nearest ids with their cosine, best first; one query."""
        with self._lock:
            collection = self._collection(name)
            if collection is None or k < 1 or not len(vectors):
                return ((),) * len(vectors)
            found = collection.query(
                query_embeddings=np.ascontiguousarray(vectors, dtype=np.float32), n_results=k, include=["distances"]
            )
        distances = found["distances"] or []
        return tuple(
            tuple((str(id_), 1.0 - float(distance)) for id_, distance in zip(ids, row, strict=True))
            for ids, row in zip(found["ids"], distances, strict=True)
        )

    def _open(self) -> Client:
        if self._client is None:
            import chromadb
            from chromadb.api.shared_system_client import SharedSystemClient
            from chromadb.config import Settings
            from chromadb.errors import ChromaError

            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            settings = Settings(anonymized_telemetry=False)
            try:
                self._client = cast("Client", chromadb.PersistentClient(str(self._folder), settings=settings))
            except ChromaError as error:
                # Chroma keeps what it failed to start, and would hand it to the next who opens the folder.
                SharedSystemClient._identifier_to_system.pop(str(self._folder), None)
                raise ShelfIndexError(
                    f"found an index in {self._folder} that cannot be opened; expected one written by this program; "
                    "move that folder away and run `referent documents rebuild`, which makes it anew"
                ) from error
            self._file = self._file_now()
            self._opening += 1
        return self._client

    def _collection(self, name: str, *, create: bool = False) -> Collection | None:
        """Return a collection, or None where there is none of that name."""
        from chromadb.errors import NotFoundError

        if name not in self._collections:
            client = self._open()
            try:
                # Without embedding_function=None Chroma attaches a model of its own, and downloads it.
                self._collections[name] = (
                    client.get_or_create_collection(name, embedding_function=None, configuration={"hnsw": _graph()})
                    if create
                    else client.get_collection(name, embedding_function=None)
                )
            except NotFoundError:
                return None
        return self._collections[name]

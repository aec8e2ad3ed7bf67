"""Writing to a shelf: SQL and Chroma together, so that a kill at any point leaves the old state or the new one.

    read, split, embed                 no lock; the old version answers
    lock
      raise the generation             others will reopen, even if we die in the next step
      write vectors                    ids that SQL does not know: nobody sees them
      one SQL transaction              new document, passages and names in, old ones out: the swap
      remove the old vectors           if we die before: ids that SQL does not know, removed by the next write
    unlock

The lock is held for one document.  Nothing here reads files or answers questions.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from sqlalchemy import Connection

from memory.store.database import Database
from memory.types import Embedder, Vectors
from rag.errors import DocumentNotFound
from rag.shelf import records
from rag.shelf.blocks import Document, Source
from rag.shelf.index import VectorIndex, collection_name
from rag.shelf.naming import names_in
from rag.shelf.owners import Owner
from rag.shelf.records import Record
from rag.shelf.splitting import searched_text, split

log = logging.getLogger(__name__)

Progress = Callable[[float], None]  # called with the share done, from 0.0 to 1.0, never falling

CHUNK = 32  # passages embedded between two calls of progress


class ShelfWriter:
    """The one place that changes what is on a shelf."""

    def __init__(self, database: Database, index: VectorIndex, embedder: Embedder) -> None:
        self._database = database
        self._index = index
        self._embedder = embedder

    def collection(self, owner: Owner, language: str) -> str:
        """Return the name of the collection with the passages of *owner* in *language* under this model."""
        return collection_name(owner.key, language, self._embedder.name)

    def put(self, document: Document, owner: Owner, *, source: Source, digest: str, progress: Progress | None) -> int:
        """Put *document* on the shelf of *owner*, in the place of the one of its name; return its passages' number."""
        key = hashlib.sha256(f"{owner.key}\0{document.name}\0{digest}".encode()).hexdigest()[:32]
        parts = split(document, key, owner.shelf)
        vectors = self._embed([searched_text(part) for part in parts], progress)
        known = names_in(document)
        with self._index.write_lock():
            self._announce(owner)
            self._index.upsert(self.collection(owner, document.language), [part.id for part in parts], vectors)
            with self._database.write() as connection:
                old = records.find_records(connection, owner, document.name)
                record = Record(
                    id=key,
                    name=document.name,
                    title=document.title,
                    language=document.language,
                    size=len(source.data),
                    passages=len(parts),
                    version=max((found.version for found in old), default=0) + 1,
                    content_hash=digest,
                    embedding_model=self._embedder.name,
                    created=records.now(),
                    origin=source.origin,
                )
                records.delete_documents(connection, [found.id for found in old])
                records.insert_document(connection, owner, record, records.Derived(document.text, parts, known))
                generation = records.raise_generation(connection, owner)
            self._index.noted(generation)
            self._forget_vectors(owner, old, kept={part.id for part in parts})
            self._tidy(owner, document.language)
        log.info("document %s: %d passages, version %d", key, len(parts), record.version)
        return len(parts)

    def remove(self, name: str, owner: Owner) -> None:
        """Remove a document with everything derived from it.

        Raises: DocumentNotFound.
        """
        with self._index.write_lock():
            with self._database.read() as connection:
                old = records.find_records(connection, owner, name)
            if not old:
                raise DocumentNotFound(
                    f"No document {name[:100]!r} is on this shelf; expected one that `referent documents` lists.",
                    {"name": name[:100]},
                )
            self._announce(owner)
            with self._database.write() as connection:
                records.delete_documents(connection, [found.id for found in old])
                generation = records.raise_generation(connection, owner)
            self._index.noted(generation)
            self._forget_vectors(owner, old, kept=set())

    def forget(self, owner: Owner, erase: Callable[[Connection], None]) -> None:
        """Remove the shelf of *owner* with all that is on it, and every trace of its vectors.

        *erase* deletes its rows, and what else is to go in the same transaction.

        Raises: IndexBusy, ShelfIndexError.
        """
        with self._index.write_lock():
            self._announce(owner)
            with self._database.write() as connection:
                generation = records.raise_generation(connection, owner)
                erase(connection)
            self._index.noted(generation)
            self._drop_unused()
            self._index.scrub()

    def rebuild(self, progress: Progress | None = None) -> int:
        """Embed anew every document that another model embedded or whose vectors are lost; return how many there were.

        Passages come from SQL: the files are not needed.  All documents change over to the new vectors at once: where
        this breaks off, those of the old model still answer.
        """
        with self._database.read() as connection:
            due = [
                (owner, record)
                for owner in records.all_owners(connection)
                for record in records.find_records(connection, owner)
                if record.embedding_model != self._embedder.name or not self._complete(owner, record)
            ]
        left = due
        while left:
            for number, (owner, record) in enumerate(left):
                self._embed_anew(owner, record)
                if progress:
                    progress((len(due) - len(left) + number + 1) / len(due))
            left = self._change_over(due)
        self._drop_unused()
        return len(due)

    def _embed_anew(self, owner: Owner, record: Record) -> None:
        with self._database.read() as connection:
            parts = records.document_passages(connection, owner, record)
        vectors = self._embed([searched_text(part) for part in parts], None)
        with self._index.write_lock():
            self._announce(owner)
            self._index.upsert(self.collection(owner, record.language), [part.id for part in parts], vectors)

    def _change_over(self, due: list[tuple[Owner, Record]]) -> list[tuple[Owner, Record]]:
        """Let the vectors of this model count for the documents *due*; return those whose vectors are lacking first.

        Until then SQL does not know them, and another process that writes may have tidied them away.
        """
        with self._index.write_lock():
            with self._database.read() as connection:
                self._index.refresh(records.index_generation(connection))
                there = {
                    found.id for owner in dict(due) for found in records.find_records(connection, owner)
                }  # fmt: skip
            due = [(owner, record) for owner, record in due if record.id in there]
            lacking = [(owner, record) for owner, record in due if not self._complete(owner, record)]
            if lacking or not due:
                return lacking
            with self._database.write() as connection:
                for _, record in due:
                    records.set_model(connection, record, self._embedder.name)
                generation = max(records.raise_generation(connection, owner) for owner in dict(due))
            self._index.noted(generation)
        return []

    def _complete(self, owner: Owner, record: Record) -> bool:
        """Return whether all vectors of a document are there: its folder may have been lost or moved away."""
        return set(record.passage_ids) <= set(self._index.ids(self.collection(owner, record.language)))

    def _drop_unused(self) -> None:
        """Remove the collections that no document in SQL belongs to any more."""
        with self._index.write_lock():
            with self._database.read() as connection:
                used = {
                    collection_name(owner.key, record.language, record.embedding_model)
                    for owner in records.all_owners(connection)
                    for record in records.find_records(connection, owner)
                }
                generation = records.index_generation(connection)
            self._index.refresh(generation)
            for name in set(self._index.names()) - used:
                self._index.drop(name)

    def _embed(self, texts: Sequence[str], progress: Progress | None) -> Vectors:
        vectors = [np.zeros((0, self._embedder.dimension), dtype=np.float32)]
        for start in range(0, len(texts), CHUNK):
            vectors.append(self._embedder.embed_passages(tuple(texts[start : start + CHUNK])))
            if progress:
                progress(min(1.0, (start + CHUNK) / len(texts)))
        return np.concatenate(vectors)

    def _announce(self, owner: Owner) -> None:
        """Say in SQL that the index is about to be written, and write through a client that is up to date."""
        with self._database.write() as connection:
            self._index.refresh(records.index_generation(connection))
            generation = records.raise_generation(connection, owner)
        self._index.noted(generation)

    def _forget_vectors(self, owner: Owner, old: Iterable[Record], *, kept: set[str]) -> None:
        for record in old:
            stale = [id_ for id_ in record.passage_ids if id_ not in kept]
            self._index.delete(collection_name(owner.key, record.language, record.embedding_model), stale)

    def _tidy(self, owner: Owner, language: str) -> None:
        """Remove vectors that SQL does not know: a process was killed between its two writes."""
        name = self.collection(owner, language)
        with self._database.read() as connection:  # in one transaction: a count, and where it is another one, the ids
            if self._index.count(name) == records.count_passages(connection, owner, language, self._embedder.name):
                return
            known = self._known(connection, owner, language)
        self._index.delete(name, [id_ for id_ in self._index.ids(name) if id_ not in known])

    def _known(self, connection: Connection, owner: Owner, language: str) -> set[str]:
        return {
            id_
            for record in records.find_records(connection, owner)
            if record.language == language and record.embedding_model == self._embedder.name
            for id_ in record.passage_ids
        }

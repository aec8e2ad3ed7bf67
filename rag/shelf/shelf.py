"""The library: documents in, kept, found, and out again.

SQL is the truth, Chroma and the lexical index are made from it.  How a document is swapped: ``writing``.
"""

from __future__ import annotations

import filecmp
import hashlib
import os.path
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from sqlalchemy import Connection

from memory.catalog import NameIndex
from memory.store.database import Database
from memory.types import Embedder, Vectors
from rag.errors import DocumentNameTaken, DocumentNotFound, DocumentRefused, IndexOfAnotherModel, ShelfIndexError
from rag.events import Passage
from rag.shelf import records
from rag.shelf.blocks import ReadingLimits, Source
from rag.shelf.index import Ranked, VectorIndex
from rag.shelf.lexical import LexicalIndex
from rag.shelf.merging import merge_names
from rag.shelf.owners import Owner, Scope
from rag.shelf.places import Folder, Place, Server
from rag.shelf.reading import find_files, load_source, read_source, shelf_name
from rag.shelf.records import Record
from rag.shelf.splitting import searched_text
from rag.shelf.writing import Progress, ShelfWriter

Status = Literal["added", "updated", "unchanged", "refused"]

# Raised when reading or splitting changes, so that files in hand are read again.
READING = "4"
_READ_AT_ONCE = 500  # passages
REBUILD_COMMAND = "referent documents rebuild"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one file; for a refusal, the text ``key`` with ``values`` says why, ``message`` in English."""

    name: str
    status: Status
    passages: int = 0
    key: str = ""
    values: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    message: str = ""


@dataclass(frozen=True, slots=True)
class Leg:
    """One ranking of one collection, for the query of that number."""

    kind: Literal["dense", "lexical"]
    query: int
    shelf: str
    language: str
    ranked: Ranked


@dataclass(frozen=True, slots=True)
class _Contents:
    """What is searched of one shelf, as of a generation: its languages, each with its words."""

    generation: int
    lexical: Mapping[str, LexicalIndex]
    opening: int = 0  # of the index, for which its vectors are known to be there


class Library:
    """All shelves of a data folder; shared by all threads of a process, of which each needs one only."""

    def __init__(
        self,
        database: Database,
        embedder: Embedder,
        data_dir: Path,
        *,
        limits: ReadingLimits = ReadingLimits(),  # noqa: B008 - a frozen value
        chroma_url: str = "",
    ) -> None:
        self._database = database
        self._embedder = embedder
        self._limits = limits
        place: Place = Folder(data_dir / "chroma")
        if chroma_url:
            with database.write() as connection:
                place = Server(chroma_url, records.index_space(connection))
        self._index = VectorIndex(place, data_dir / "chroma.lock")
        self._writer = ShelfWriter(database, self._index, embedder)
        self._lock = threading.RLock()
        self._contents: dict[Owner, _Contents] = {}
        self._catalogs: dict[tuple[Owner, ...], tuple[tuple[int, ...], NameIndex]] = {}

    def ingest(self, paths: Iterable[Path], owner: Owner, progress: Progress | None = None) -> Iterator[Outcome]:
        """Yield what became of each file of *paths*, as it happens; folders are walked.

        A file inside a folder is named by its path from that folder.  Unchanged files are left alone, changed ones
        swapped when their new version is whole; where one is refused, what stood there before stays.  A file is
        refused where another one has its name: the same name in another folder, or in another spelling of Unicode.

        Raises: IndexBusy, EmbeddingError, and what the store raises; a refused file is an outcome, not an error.
        """
        files = find_files(paths)
        taken: dict[str, Path] = {}
        # Unlike its Path, os.path takes a path that cannot be followed (too long, forbidden) for that of no file.
        sizes = [path.stat().st_size if os.path.isfile(path) else 0 for path, _ in files]  # noqa: PTH113
        total, done = max(1, sum(sizes)), 0
        for (path, name), size in zip(files, sizes, strict=True):

            def report(share: float, done: int = done, size: int = size) -> None:
                if progress:
                    progress(min(1.0, (done + share * size) / total))

            try:
                source = load_source(path, name, self._limits)
                self._check_name(source.name, path, owner, taken.setdefault(source.name, path))
                outcome = self.add(replace(source, origin=str(path.resolve())), owner, report)
            except DocumentRefused as error:
                outcome = _refusal(name, error)
            done += size
            report(0.0, done)
            yield outcome
        if progress:
            progress(1.0)

    def _check_name(self, name: str, path: Path, owner: Owner, first: Path) -> None:
        """Refuse a file whose name belongs to another one: *first*, of this call, or that of the document there.

        A file that was moved, or uploaded, is no longer where the document's origin says: then this is its new version.
        """
        with self._database.read() as connection:
            known = [Path(old.origin) for old in records.find_records(connection, owner, name) if old.origin]
        for other in (first, *known):
            if os.path.isfile(other) and not _same(other, path):  # noqa: PTH113
                raise DocumentNameTaken(
                    f"{name} is the name of {other} already; expected a name of its own for {path}. Rename one of the "
                    "two, or remove the other document first.",
                    {"name": name, "other": str(other)},
                )

    def add(self, source: Source, owner: Owner, progress: Progress | None = None) -> Outcome:
        """Return what became of one file that is in memory already, such as an upload.

        Raises: IndexBusy, EmbeddingError, and what the store raises; a refusal is an outcome.
        """
        digest = f"{READING}:{hashlib.sha256(source.data).hexdigest()}"
        with self._database.read() as connection:
            old = records.find_records(connection, owner, source.name)
        if old and old[0].content_hash == digest and old[0].embedding_model == self._embedder.name:
            return Outcome(source.name, "unchanged", old[0].passages)
        try:
            document = read_source(source)
        except DocumentRefused as error:
            return _refusal(source.name, error)
        count = self._writer.put(document, owner, source=source, digest=digest, progress=progress)
        return Outcome(source.name, "updated" if old else "added", count)

    def remove(self, name: str, owner: Owner) -> None:
        """Remove a document with everything derived from it.

        Raises: DocumentNotFound.
        """
        self._writer.remove(shelf_name(name), owner)

    def forget(self, owner: Owner, erase: Callable[[Connection], None]) -> None:
        """Remove all documents of *owner*, and every trace of them in the index; *erase* deletes their rows.

        Raises: IndexBusy, ShelfIndexError.
        """
        self._writer.forget(owner, erase)
        with self._lock:
            self._contents.pop(owner, None)
            self._catalogs = {owners: found for owners, found in self._catalogs.items() if owner not in owners}

    def rebuild(self, progress: Progress | None = None) -> int:
        """Embed anew every document that another model embedded or whose vectors are lost; return their number."""
        return self._writer.rebuild(progress)

    def documents(self, owner: Owner) -> tuple[Record, ...]:
        """Return the documents of *owner* by name."""
        with self._database.read() as connection:
            return records.find_records(connection, owner)

    def document_text(self, name: str, owner: Owner) -> str:
        """Return the visible text of a document, in which passages and quotes stand word for word.

        Raises: DocumentNotFound.
        """
        with self._database.read() as connection:
            text = records.find_text(connection, owner, shelf_name(name))
        if text is None:
            raise DocumentNotFound(
                f"No document {name[:100]!r} stands on this shelf; it may have been removed.", {"name": name[:100]}
            )
        return text

    def passages(self, ids: Sequence[str], scope: Scope) -> dict[str, Passage]:
        """Return those of the passages *ids* that *scope* may see, by id."""
        with self._database.read() as connection:
            return records.find_passages(connection, scope.owners, ids)

    def document_passages(self, name: str, scope: Scope) -> tuple[Passage, ...]:
        """Return the passages of the documents of that name that *scope* may see, in order; () where there is none."""
        with self._database.read() as connection:
            return tuple(
                passage
                for owner in scope.owners
                for record in records.find_records(connection, owner, name)
                for passage in records.document_passages(connection, owner, record)
            )

    def rows(self, row: Passage, scope: Scope) -> tuple[Passage, ...]:
        """Return all rows of the table of which *row* is one, in order; () where its document is gone.

        Raises: OwnerUnknown, where *scope* may not see it.
        """
        owner = scope.owner_of(row.shelf)
        with self._database.read() as connection:
            found = records.find_records(connection, owner, row.document)
            every = records.document_passages(connection, owner, found[0]) if found else ()
        return tuple(each for each in every if each.kind == "row" and each.heading == row.heading)

    def catalog(self, scope: Scope) -> NameIndex:
        """Return the names that the documents of *scope* make known; made anew when one of its shelves changed."""
        owners = scope.owners
        with self._lock, self._database.read() as connection:
            generations = tuple(records.shelf_generations(connection, owners).values())
            kept = self._catalogs.get(owners)
            if kept is None or kept[0] != generations:
                kept = (generations, NameIndex.of(merge_names(records.all_names(connection, owners))))
                self._catalogs[owners] = kept
        return kept[1]

    def search(self, vectors: Vectors, texts: Sequence[str], scope: Scope, k: int) -> tuple[Leg, ...]:
        """Return the rankings of the *k* best passages a collection, for each query by its vector and by its words.

        One Chroma query a shelf and language.  Ids may be of passages that were removed meanwhile: ``passages``
        knows which are there.

        Raises: IndexOfAnotherModel, IndexUnreachable, and ShelfIndexError where vectors are lost.
        """
        legs: list[Leg] = []
        current = self._current(scope)
        opening = self._index.opening
        for owner, contents in current:
            for language, lexical in contents.lexical.items():
                dense = self._index.query(self._writer.collection(owner, language), vectors, k)
                legs += [Leg("dense", n, owner.shelf, language, ranked) for n, ranked in enumerate(dense)]
                found = (lexical.search(text, k) for text in texts)
                legs += [Leg("lexical", n, owner.shelf, language, ranked) for n, ranked in enumerate(found)]
        if self._index.opening != opening:  # a collection was gone: made anew by another process, or lost
            self._current(scope)
        return tuple(legs)

    def languages(self, scope: Scope) -> tuple[str, ...]:
        """Return the languages that the documents of *scope* are written in."""
        found = (language for _, contents in self._current(scope) for language in contents.lexical)
        return tuple(dict.fromkeys(found))

    def close(self) -> None:
        """Let go of the index."""
        self._index.close()

    def _current(self, scope: Scope) -> list[tuple[Owner, _Contents]]:
        """Return what is searched of each shelf of *scope*, read again where another generation is in SQL."""
        with self._lock, self._database.read() as connection:
            self._index.refresh(records.index_generation(connection))
            found = []
            for owner, generation in records.shelf_generations(connection, scope.owners).items():
                contents = self._contents.get(owner)
                if contents is None or contents.generation != generation:
                    contents = self._read_contents(connection, owner, generation)
                if contents.opening != self._index.opening:
                    contents = self._with_vectors(connection, owner, contents)
                self._contents[owner] = contents
                found.append((owner, contents))
        return found

    def _with_vectors(self, connection: Connection, owner: Owner, contents: _Contents) -> _Contents:
        """Return *contents* as checked against the index as it is open now: its folder may have been deleted.

        More vectors than passages may be there for a moment, while another process writes; fewer only where it has
        removed some since *connection* began to read, which the next search sees.
        """
        for language in contents.lexical:
            known = records.count_passages(connection, owner, language, self._embedder.name)
            found = self._index.count(self._writer.collection(owner, language))
            if found < known and self._is_overtaken(owner, contents):
                return contents
            if found < known:
                raise ShelfIndexError(
                    f"The index of the shelf {owner.shelf!r} holds {found} of {known} passages; expected all. Run "
                    f"`{REBUILD_COMMAND}`, which makes it anew from the documents that are kept."
                )
        return replace(contents, opening=self._index.opening)

    def _is_overtaken(self, owner: Owner, contents: _Contents) -> bool:
        with self._database.read() as connection:
            return records.shelf_generations(connection, (owner,))[owner] != contents.generation

    def _read_contents(self, connection: Connection, owner: Owner, generation: int) -> _Contents:
        models = {record.embedding_model for record in records.find_records(connection, owner)}
        other = sorted(models - {self._embedder.name})
        if other:
            raise IndexOfAnotherModel(
                f"The shelf {owner.shelf!r} was indexed with {other[0]}; the embedding model is now "
                f"{self._embedder.name}. Run `{REBUILD_COMMAND}`, or set REFERENT_EMBEDDING_MODEL back.",
                {"found": other[0], "expected": self._embedder.name, "command": REBUILD_COMMAND},
            )
        by_language: dict[str, list[str]] = {}
        for id_, language in records.passage_languages(connection, owner):
            by_language.setdefault(language, []).append(id_)
        known = self._contents[owner].lexical if owner in self._contents else {}

        def texts(ids: Sequence[str]) -> Iterator[str]:
            """Yield the text by which each of *ids* is searched, some hundreds read at once."""
            for start in range(0, len(ids), _READ_AT_ONCE):
                part = ids[start : start + _READ_AT_ONCE]
                found = records.find_passages(connection, (owner,), part)
                yield from (searched_text(found[id_]) for id_ in part)

        return _Contents(
            generation,
            {
                language: known[language].changed(ids, texts)
                if language in known
                else LexicalIndex(ids, texts(ids), language)
                for language, ids in by_language.items()
            },
        )


def _same(one: Path, other: Path) -> bool:
    """Return whether two paths lead to one file, or to two with the same bytes: then nothing would be lost."""
    try:
        return one.samefile(other) or filecmp.cmp(one, other, shallow=False)
    except OSError:
        return False


def _refusal(name: str, error: DocumentRefused) -> Outcome:
    return Outcome(shelf_name(name), "refused", key=error.key, values=error.values, message=str(error))

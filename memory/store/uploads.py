"""Uploads under way: a row for each file that is being read, until it is known what became of it.

A row that outlives its reader is a file that its person believes to be in: the server was killed, or the browser
closed.  Whether a reader still lives is told by a lock on a file of its process, which the system lets go of however
the process ends; a process number or a time would be another's, or too short, on some machine.
"""

from __future__ import annotations

import threading
import uuid
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from filelock import FileLock, Timeout
from sqlalchemy import delete, insert, select, update

from memory.errors import DataFolderError
from memory.store.conversations import keep_person
from memory.store.database import Database
from memory.store.tables import uploads

NOBODY = ""  # the run of what is read no more


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that is being read, or was when its reader went away."""

    id: str
    name: str
    begun: datetime


class PendingUploads:
    """The uploads under way over one data folder; every call names the person, and sees only what is theirs."""

    def __init__(self, database: Database, folder: Path) -> None:
        self._database = database
        self._folder = folder
        self._run = uuid.uuid4().hex
        self._guard = threading.Lock()
        self._alive: FileLock | None = None
        # (person, id); a full disk may keep this process from writing what became of them
        self._reading: set[tuple[str, str]] = set()

    def begin(self, person: str, files: Mapping[str, str]) -> None:
        """Note that *files*, names by upload id, are being read for *person* by this process.

        Raises: DataFolderError, StoreError.
        """
        if not files:
            return
        self._show_life()
        now = datetime.now(UTC)
        rows = [
            {"id": id_, "person": person, "run": self._run, "name": name, "begun": now} for id_, name in files.items()
        ]
        with self._database.write() as connection:
            keep_person(connection, person, now=now)
            connection.execute(delete(uploads).where(uploads.c.id.in_(files), uploads.c.person == person))
            connection.execute(insert(uploads), rows)
        self._reading |= {(person, id_) for id_ in files}

    def end(self, person: str, ids: Iterable[str]) -> None:
        """Forget uploads whose outcome *person* is told."""
        ids = tuple(ids)
        self._reading.difference_update((person, id_) for id_ in ids)
        with self._database.write() as connection:
            connection.execute(delete(uploads).where(uploads.c.id.in_(ids), uploads.c.person == person))

    def leave(self, person: str, ids: Iterable[str]) -> None:
        """Note that uploads are read no more though nothing came of them; ``begin`` takes them up again."""
        ids = tuple(ids)
        self._reading.difference_update((person, id_) for id_ in ids)
        with self._database.write() as connection:
            left = uploads.c.id.in_(ids) & (uploads.c.person == person)
            connection.execute(update(uploads).where(left).values(run=NOBODY))

    def under_way(self, person: str) -> tuple[Upload, ...]:
        """Return what is being read for *person* now, by any process."""
        return tuple(upload for upload, alive in self._found(person).items() if alive)

    def take_lost(self, person: str) -> tuple[Upload, ...]:
        """Return the files of *person* whose reader went away, and forget them: it is said once."""
        lost = {upload.id: upload for upload, alive in self._found(person).items() if not alive}
        if not lost:
            return ()
        gone = uploads.c.id.in_(lost) & (uploads.c.person == person)
        with self._database.write() as connection:
            taken = set(connection.scalars(delete(uploads).where(gone).returning(uploads.c.id)))
        return tuple(upload for id_, upload in lost.items() if id_ in taken)

    def _found(self, person: str) -> dict[Upload, bool]:
        """Return the uploads of *person*, the oldest first, and whether somebody reads them."""
        query = select(uploads).where(uploads.c.person == person).order_by(uploads.c.begun, uploads.c.name)
        with self._database.read() as connection:
            rows = connection.execute(query).all()
        others = {run: self._lives(run) for run in {row.run for row in rows} - {self._run, NOBODY}}
        return {
            Upload(row.id, row.name, row.begun): (person, row.id) in self._reading
            if row.run == self._run
            else others.get(row.run, False)
            for row in rows
        }

    def _show_life(self) -> None:
        """Hold the lock of this process from its first upload on, and remove those of processes that have ended."""
        with self._guard:
            if self._alive is not None:
                return
            try:
                for left in self._folder.glob(_lock_file("*")):
                    self._lives(left.stem.partition("-")[2])
                lock = FileLock(self._folder / _lock_file(self._run), mode=0o600, thread_local=False)
                lock.acquire()
            except OSError as error:
                raise DataFolderError(
                    f"found {str(self._folder)!r}: {error.strerror or error}; expected a folder that can be written; "
                    "free some space, or correct its rights",
                    {"folder": str(self._folder)},
                ) from error
            self._alive = lock

    def _lives(self, run: str) -> bool:
        """Return whether another process is there, that of *run*; the lock file of one that has ended is removed."""
        file = self._folder / _lock_file(run)
        if not file.exists():
            return False
        lock = FileLock(file, timeout=0, thread_local=False)
        try:
            lock.acquire()
        except Timeout:
            return True
        except OSError:  # who cannot look does not say that a file is lost
            return True
        with suppress(OSError):
            file.unlink()
        lock.release()
        return False


def _lock_file(run: str) -> str:
    return f"upload-{run}.lock"

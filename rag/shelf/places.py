"""Where Chroma keeps the vectors: in a folder of its own, or with a server that is named by its address.

A place opens a client, says whether what is there is still the same, and puts failures into words.  An address may
hold a name and a password for a proxy in front of the server; messages show it without them.
"""

from __future__ import annotations

import base64
import errno
import hashlib
import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol, cast
from urllib.parse import unquote, urlsplit

from rag.disk import no_room
from rag.errors import IndexBusy, IndexUnreachable, ReferentError, ShelfIndexError

if TYPE_CHECKING:
    from chromadb.api.client import Client

SECONDS: Final = 120.0  # that the server may be silent; on a busy machine a batch of 5,461 vectors took it above thirty
_FILE: Final = "chroma.sqlite3"
_ROOM: Final = 1_000_000  # bytes: with less, what Chroma fails at without a reason is that (a page of its log is 4 kB)
# A topic of the log ends with its collection's id.
_FORGET_LOG: Final = (
    "DELETE FROM embeddings_queue WHERE NOT EXISTS"
    " (SELECT 1 FROM collections WHERE embeddings_queue.topic LIKE '%' || collections.id)"
)


class Place(Protocol):
    """What an index needs of where its vectors lie."""

    @property
    def shown(self) -> str:
        """Return the place in words, without secrets."""
        ...

    @property
    def prefix(self) -> str:
        """Return what the names of our collections begin with: others may use the same place."""
        ...

    def open(self) -> Client:
        """Return a client.

        Raises: ShelfIndexError.
        """
        ...

    def state(self) -> object:
        """Return a value that changes where what is there was replaced by something else."""
        ...

    def scrub(self) -> None:
        """Leave no trace of what was removed; nobody of this process has the place open.

        Raises: IndexBusy.
        """
        ...

    def failures(self) -> tuple[type[Exception], ...]:
        """Return the exceptions by which a client says that the place cannot be used."""
        ...

    def failure(self, error: Exception) -> ReferentError:
        """Return *error* in plain words."""
        ...


class Folder:
    """A folder of this machine, read and written by Chroma within this process."""

    prefix = ""

    def __init__(self, path: Path) -> None:
        self._path = path

    @property
    def shown(self) -> str:
        """Return its path."""
        return str(self._path)

    def open(self) -> Client:
        """Return a client over the folder, made where missing.

        Raises: ShelfIndexError.
        """
        import chromadb
        from chromadb.api.shared_system_client import SharedSystemClient
        from chromadb.config import Settings
        from chromadb.errors import ChromaError

        self._path.mkdir(mode=0o700, parents=True, exist_ok=True)
        settings = Settings(anonymized_telemetry=False)
        try:
            return cast("Client", chromadb.PersistentClient(str(self._path), settings=settings))
        except ChromaError as error:
            # Chroma keeps what it failed to start, and would hand it to the next who opens the folder.
            SharedSystemClient._identifier_to_system.pop(str(self._path), None)
            raise self.failure(error) from error

    def state(self) -> object:
        """Return which file is there: its device and number."""
        try:
            found = (self._path / _FILE).stat()
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def scrub(self) -> None:
        """Rebuild Chroma's file, so that what was deleted is overwritten.

        Raises: IndexBusy where another process reads it for longer than two minutes.
        """
        file = self._path / _FILE
        if not file.exists():
            return
        try:
            with closing(sqlite3.connect(file, timeout=SECONDS, isolation_level=None)) as connection:
                connection.execute("PRAGMA secure_delete=ON")
                # Chroma keeps a log of what is written, also of collections that are gone.
                connection.execute(_FORGET_LOG)
                connection.execute("VACUUM")
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except sqlite3.OperationalError as error:
            raise IndexBusy(
                f"The index in {self._path} is being read by another process; expected it to be free sooner. "
                "Try again in a moment."
            ) from error

    def failures(self) -> tuple[type[Exception], ...]:
        """Return what Chroma raises within this process: for a full disk, and for an index that is not sound."""
        from chromadb.errors import ChromaError

        return (ChromaError,)

    def failure(self, error: Exception) -> ReferentError:
        """Return that the disk is full where *error* says so, or says nothing and it is; else that this is no index."""
        full = no_room(error)
        if full is None and shutil.disk_usage(self._path).free < _ROOM:
            full = no_room(OSError(errno.ENOSPC, "", str(self._path)))
        return full or ShelfIndexError(
            f"found an index in {self._path} that cannot be used ({type(error).__name__}); expected one written by "
            "this program; move that folder away and run `referent documents rebuild`, which makes it anew"
        )


class Server:
    """A Chroma server (``chroma run``) at *url*; *space* tells our collections from those of others there."""

    def __init__(self, url: str, space: str) -> None:
        self._url = urlsplit(url)
        self._prefix = f"r{hashlib.sha256(space.encode()).hexdigest()[:12]}-"

    @property
    def prefix(self) -> str:
        """Return a hash of the space."""
        return self._prefix

    @property
    def shown(self) -> str:
        """Return the address without a name and a password."""
        return f"{self._url.scheme}://{self._host}:{self._port}"

    @property
    def _host(self) -> str:
        return self._url.hostname or "localhost"

    @property
    def _port(self) -> int:
        return self._url.port or (443 if self._url.scheme == "https" else 8000)

    def open(self) -> Client:
        """Return a client that waits for an answer no longer than SECONDS.

        Raises: IndexUnreachable.
        """
        import chromadb
        from chromadb.config import Settings

        # The last two are Chroma's own words for no answer, and for another's.
        failures: tuple[type[Exception], ...] = (*self.failures(), ValueError, KeyError)
        headers = {}
        if self._url.username:
            secret = f"{unquote(self._url.username)}:{unquote(self._url.password or '')}"
            headers["Authorization"] = f"Basic {base64.b64encode(secret.encode()).decode()}"
        try:
            client = chromadb.HttpClient(
                self._host,
                self._port,
                ssl=self._url.scheme == "https",
                headers=headers,
                settings=Settings(anonymized_telemetry=False),
            )
        except failures as error:
            raise self.failure(error) from error
        session = getattr(getattr(client, "_server", None), "_session", None)
        if session is not None:
            session.timeout = SECONDS  # Chroma sets none, and offers no setting for it
        return cast("Client", client)

    def state(self) -> object:
        """Return the same always: a server that was replaced is noticed by what it no longer holds."""
        return self.shown

    def scrub(self) -> None:
        """Do nothing: the collections are deleted, and how the server keeps its files is its own matter."""

    def failures(self) -> tuple[type[Exception], ...]:
        """Return what a server that is absent, slow, or no Chroma server gives."""
        import httpx
        from chromadb.errors import ChromaError

        return httpx.HTTPError, ChromaError, OSError, json.JSONDecodeError

    def failure(self, error: Exception) -> ShelfIndexError:
        """Return that the server cannot be used, with the kind of what went wrong."""
        return IndexUnreachable(
            f"The index at {self.shown} cannot be reached ({type(error).__name__}); expected a Chroma server there. "
            "Start it with `chroma run`, or correct REFERENT_CHROMA_URL.",
            {"address": self.shown},
        )

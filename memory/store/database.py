"""The one database of a data folder: opening, migrating, transactions, and what its failures are called.

Several processes may have it open: SQLite in WAL mode, every writing transaction begun with ``BEGIN IMMEDIATE``
so that two writers wait for each other instead of failing half way.  No query is written here.
"""

from __future__ import annotations

import json
import logging
import os
import random
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, nullcontext
from functools import partial
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from filelock import FileLock, Timeout
from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.pool import ConnectionPoolEntry

from memory.errors import DataFolderError, SchemaTooNew, StoreBusy, StoreDamaged, StoreError, StoreFull
from memory.store import remembered as _remembered  # noqa: F401 - its tables belong to the metadata too
from memory.store.tables import storable

log = logging.getLogger(__name__)

FILE = "referent.db"
# How long a writer waits for another.  Ingestion writes a document at a time, in milliseconds; on a machine with other
# work to do, whoever holds the lock may itself be kept waiting for more than ten seconds (seen, at a load of nine).
WAITING_S = 30.0
OPENING_S = 60.0  # how long a process waits while another migrates
MIGRATIONS = Path(__file__).parent / "migrations"
_LOOKS_S = (0.001, 0.006)  # between two looks of a writer that waits
_WRITES = "BEGIN IMMEDIATE"
MODE = "memory_begin"  # the execution option that says how SQLite begins a transaction

BUSY = (
    "found the database locked by another process, which did not finish in time; expected it to be free sooner; "
    "try again in a moment"
)
CLOSED = (
    "found a database that cannot be opened or written; expected a data folder open to this account; correct its "
    "rights, or choose another with --data-dir"
)
UNREACHABLE = "found a database server that does not answer; expected a running one; start it, or correct the URL"
CROWDED = "found every connection to the database in use; expected a free one sooner; try again in a moment"
FAILING = (
    "found a disk that fails to read or write; expected a working one; check it, or choose another with --data-dir"
)
INCOMPLETE = (
    f"found a database {FILE} without one of its tables or columns; expected all of them; restore a copy "
    "of it, or choose another data folder with --data-dir"
)
MISSING = ("no such table", "no such column")  # as SQLite says it, without a code of its own
FOREIGN = (
    f"found a file {FILE} that is no database; expected one written by this program; move it away, or choose another "
    "data folder with --data-dir"
)


class Database:
    """An open database; shared by all threads of a process, not carried over a fork."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._reading = engine.execution_options(**{MODE: "BEGIN", "postgresql_readonly": True})
        self._writing = engine.execution_options(**{MODE: _WRITES})
        self._alone = engine.execution_options(**{MODE: ""})

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Yield a connection that sees one state of the database throughout and cannot write.

        Raises:
            StoreError: one of its kinds, for any failure of the database.
        """
        with _named_failures(writing=False), self._reading.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Yield a connection whose changes are all kept at the end, or none where the block raises.

        Raises:
            StoreBusy: another process kept the database locked for longer than the waiting time.
            StoreError: another kind, for any other failure of the database.
        """
        with _named_failures(writing=True), self._writing.begin() as connection:
            yield connection

    def scrub(self) -> None:
        """Leave no trace of deleted rows in the files: rebuild the database and empty its write-ahead log.

        Raises:
            StoreBusy: another process is reading what is to go, or writing.
        """
        if self.engine.dialect.name != "sqlite":
            return  # a server does it by itself, by its own schedule
        with _named_failures(writing=True), self._alone.connect() as connection:
            connection.exec_driver_sql("VACUUM")
            busy, *_ = connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").one()
        if busy:
            raise StoreBusy(BUSY)

    def close(self) -> None:
        """Close the connections that are not in use."""
        self.engine.dispose()


def open_database(place: Path | str, *, waiting_s: float = WAITING_S) -> Database:
    """Return the database in the folder *place* (made when missing), or behind the URL *place*, migrated.

    A writer waits *waiting_s* seconds for another before it gives up.

    Raises:
        DataFolderError: the folder or the file cannot be made or written, or the URL cannot be read.
        SchemaTooNew: a newer version of this program wrote it.
        StoreError: one of its other kinds, for any failure of the database.
    """
    lock: FileLock | None = None
    if isinstance(place, str) and "://" in place:
        engine = _make_engine(place)
        if engine.dialect.name == "sqlite" and engine.url.database:
            file = Path(engine.url.database)
            lock = _make_folder(file.parent, file=file.name)
    else:
        lock = _make_folder(Path(place), file=FILE)
        engine = _make_engine(URL.create("sqlite", database=str(Path(place) / FILE)))
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", partial(_prepare_sqlite, round(waiting_s * 1000)))
        event.listen(engine, "begin", partial(_begin_sqlite, waiting_s))
    database = Database(engine)
    try:
        with lock or nullcontext():
            _migrate(database)
    except Timeout as error:
        engine.dispose()
        raise StoreBusy(
            f"found {place} held by another process for {OPENING_S:.0f} seconds; expected it to finish preparing "
            "the database; try again, or end the other process"
        ) from error
    except StoreError:
        engine.dispose()
        raise
    return database


def _make_engine(url: URL | str) -> Engine:
    try:
        return create_engine(url, json_serializer=_write_json, hide_parameters=True)
    except (ArgumentError, ValueError, ImportError) as error:
        raise DataFolderError(  # the message leaves the URL out: it may hold a password
            "found a database URL that cannot be used; expected one such as sqlite:////folder/referent.db or "
            "postgresql+pg8000://user@host/name, and its driver installed; correct the setting"
        ) from error


def _make_folder(folder: Path, *, file: str) -> FileLock:
    """Make the folder and the file, closed to other accounts, and return the lock under which to migrate."""
    try:
        if not folder.is_dir():
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        # SQLite gives its -wal and -shm files the rights of the database file.
        os.close(os.open(folder / file, os.O_CREAT | os.O_RDWR, 0o600))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise DataFolderError(
            f"found {str(folder)!r}: {reason}; expected a folder that can be written; "
            "choose another with --data-dir or REFERENT_DATA_DIR, or correct its rights",
            {"folder": str(folder)},
        ) from error
    return FileLock(folder / f"{file}.lock", timeout=OPENING_S, mode=0o600)


def _prepare_sqlite(waiting_ms: int, connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    # The driver's own BEGIN comes too late and is never IMMEDIATE; with None it leaves transactions to us.
    # Source: SQLAlchemy, "Serializable isolation / Savepoints / Transactional DDL" of its SQLite dialect.
    connection.isolation_level = None
    with closing(connection.cursor()) as cursor:
        cursor.execute(f"PRAGMA busy_timeout={waiting_ms}")  # first: the next line may meet another process
        cursor.execute("PRAGMA journal_mode=WAL")
        cursor.execute("PRAGMA synchronous=FULL")  # a confirmed turn survives a power cut as well as a kill
        cursor.execute("PRAGMA foreign_keys=ON")
        cursor.execute("PRAGMA secure_delete=ON")  # what is deleted is overwritten


def _begin_sqlite(waiting_s: float, connection: Connection) -> None:
    begin = connection.get_execution_options().get(MODE, _WRITES)
    connection.exec_driver_sql(f"PRAGMA query_only={'ON' if begin == 'BEGIN' else 'OFF'}")
    if begin == _WRITES:
        _begin_writing(connection, waiting_s)
    elif begin:
        connection.exec_driver_sql(begin)


def _begin_writing(connection: Connection, waiting_s: float) -> None:
    """Begin once no other process writes, looking often.

    SQLite itself looks ten times a second: between two turns of a process that goes on writing nobody else comes in.
    (Seen: of eight writers at a load of eleven, four wrote nothing in thirty seconds.)
    """
    until = time.monotonic() + waiting_s
    connection.exec_driver_sql("PRAGMA busy_timeout=0")
    try:
        while True:
            try:
                connection.exec_driver_sql(_WRITES)
            except OperationalError as error:
                busy = getattr(error.orig, "sqlite_errorname", "").startswith("SQLITE_BUSY")
                if not busy or time.monotonic() >= until:
                    raise
            else:
                return
            time.sleep(random.uniform(*_LOOKS_S))  # noqa: S311 - nothing secret: so that two do not meet again
    finally:
        connection.exec_driver_sql(f"PRAGMA busy_timeout={round(waiting_s * 1000)}")


def _migrate(database: Database) -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    scripts = ScriptDirectory.from_config(config)
    known = {script.revision for script in scripts.walk_revisions()}
    # A look first: an up-to-date database is opened without waiting for whoever is writing.
    with database.read() as connection:
        found = MigrationContext.configure(connection).get_current_revision()
    if found == scripts.get_current_head():
        return
    if found is not None and found not in known:
        raise SchemaTooNew(
            f"found a database of revision {found}; expected {scripts.get_current_head()} or older; "
            "update the program, or choose another data folder",
            {"found": found},
        )
    with database.write() as connection:
        if connection.dialect.name == "postgresql":  # no file to lock: two processes wait here instead
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock(7236)")
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
    log.info("database migrated from %s to %s", found, scripts.get_current_head())


def _write_json(value: object) -> str:
    return storable(json.dumps(value, ensure_ascii=False, allow_nan=False))


@contextmanager
def _named_failures(*, writing: bool) -> Iterator[None]:
    """Give the driver's failures their names; a mistake in a statement, such as writing to read, stays as it is."""
    try:
        yield
    except DBAPIError as error:
        code = str(getattr(error.orig, "sqlite_errorname", ""))
        if code == "SQLITE_READONLY" and not writing:
            raise
        for prefix, (kind, message) in FAILURES.items():
            if code.startswith(prefix):
                raise kind(message) from error
        if any(words in str(error.orig) for words in MISSING):
            raise StoreDamaged(INCOMPLETE) from error
        if isinstance(error, InterfaceError) or error.connection_invalidated:
            raise StoreError(UNREACHABLE) from error
        raise
    except PoolTimeout as error:
        raise StoreBusy(CROWDED) from error


# By the beginning of SQLite's name for the failure, as sqlite3 gives it: what is raised, and its message.
FAILURES: Mapping[str, tuple[type[StoreError | DataFolderError], str]] = {
    "SQLITE_BUSY": (StoreBusy, BUSY),
    "SQLITE_PROTOCOL": (StoreBusy, BUSY),
    "SQLITE_FULL": (StoreFull, "found no room left on the disk; expected room to write; free some, then try again"),
    "SQLITE_READONLY": (DataFolderError, CLOSED),
    "SQLITE_CANTOPEN": (DataFolderError, CLOSED),
    "SQLITE_IOERR": (DataFolderError, FAILING),
    "SQLITE_NOTADB": (StoreDamaged, FOREIGN),
    "SQLITE_CORRUPT": (StoreDamaged, "found a damaged database; expected a sound one; restore a copy of it"),
}

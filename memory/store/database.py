"""The one database of a data folder: opening, migrating, transactions, and what its failures are called.

Several processes may have it open: SQLite in WAL mode, every writing transaction begun with ``BEGIN IMMEDIATE``
so that two writers wait for each other instead of failing half way.  No query is written here.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from filelock import FileLock, Timeout
from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.pool import ConnectionPoolEntry

from memory.errors import DataFolderError, SchemaTooNew, StoreBusy, StoreDamaged, StoreError, StoreFull
from memory.store.tables import storable

log = logging.getLogger(__name__)

FILE = "referent.db"
LOCK = "referent.db.lock"
WAITING_MS = 10_000  # how long a writer waits for another; ingestion writes a document at a time, well below that
OPENING_S = 60.0  # how long a process waits while another migrates
MIGRATIONS = Path(__file__).parent / "migrations"
MODE = "memory_begin"  # the execution option that says how SQLite begins a transaction


class Database:
    """An open database; shared by all threads of a process, not carried over a fork."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._reading = engine.execution_options(**{MODE: "BEGIN", "postgresql_readonly": True})
        self._writing = engine.execution_options(**{MODE: "BEGIN IMMEDIATE"})

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
            StoreBusy: another process kept the database locked for ten seconds.
            StoreError: another kind, for any other failure of the database.
        """
        with _named_failures(writing=True), self._writing.begin() as connection:
            yield connection

    def close(self) -> None:
        """Close the connections that are not in use."""
        self.engine.dispose()


def open_database(place: Path | str) -> Database:
    """Return the database in the folder *place* (made when missing), or behind the URL *place*, migrated.

    Raises:
        DataFolderError: the folder or the file cannot be made or written, or the URL cannot be read.
        SchemaTooNew: a newer version of this program wrote it.
        StoreError: one of its other kinds, for any failure of the database.
    """
    if isinstance(place, str) and "://" in place:
        url, lock = _read_url(place), None
        if url.get_backend_name() == "sqlite" and url.database:
            place = Path(url.database).parent
            lock = _make_folder(place, file=Path(url.database).name)
    else:
        folder = Path(place)
        lock = _make_folder(folder, file=FILE)
        url = URL.create("sqlite", database=str(folder / FILE))
    engine = create_engine(url, json_serializer=_write_json, hide_parameters=True)
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
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


def _read_url(place: str) -> URL:
    try:
        return make_url(place)
    except ArgumentError as error:
        raise DataFolderError(
            "found a database URL that cannot be read; expected one such as postgresql+pg8000://user@host/name; "
            "correct the setting"
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


def _prepare_sqlite(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    # The driver's own BEGIN comes too late and is never IMMEDIATE; with None it leaves transactions to us.
    # Source: SQLAlchemy, "Serializable isolation / Savepoints / Transactional DDL" of its SQLite dialect.
    connection.isolation_level = None
    with closing(connection.cursor()) as cursor:
        cursor.execute(f"PRAGMA busy_timeout={WAITING_MS}")  # first: the next line may meet another process
        cursor.execute("PRAGMA journal_mode=WAL")
        cursor.execute("PRAGMA synchronous=FULL")  # a confirmed turn survives a power cut as well as a kill
        cursor.execute("PRAGMA foreign_keys=ON")
        cursor.execute("PRAGMA secure_delete=ON")  # what is deleted is overwritten


def _begin_sqlite(connection: Connection) -> None:
    begin = connection.get_execution_options().get(MODE, "BEGIN IMMEDIATE")
    connection.exec_driver_sql(f"PRAGMA query_only={'ON' if begin == 'BEGIN' else 'OFF'}")
    connection.exec_driver_sql(begin)


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
        raise


FAILURES: Mapping[str, tuple[type[StoreError | DataFolderError], str]] = {
    "SQLITE_BUSY": (
        StoreBusy,
        f"found the database locked by another process for {WAITING_MS // 1000} seconds; expected it to be free "
        "sooner; try again when the other process has finished",
    ),
    "SQLITE_FULL": (StoreFull, "found no room left on the disk; expected room to write; free some and try again"),
    "SQLITE_READONLY": (
        DataFolderError,
        "found a database that cannot be written; expected a writable data folder; correct its rights or choose "
        "another with --data-dir",
    ),
    "SQLITE_CANTOPEN": (
        DataFolderError,
        "found a database that cannot be opened; expected a readable and writable data folder; correct its rights "
        "or choose another with --data-dir",
    ),
    "SQLITE_IOERR": (
        DataFolderError,
        "found a disk that fails to read or write; expected a working one; check it, or choose another data folder",
    ),
    "SQLITE_NOTADB": (
        StoreDamaged,
        "found a file referent.db that is no database; expected one written by this program; move it away or "
        "choose another data folder",
    ),
    "SQLITE_CORRUPT": (
        StoreDamaged,
        "found a damaged database; expected a sound one; restore a copy, or choose another data folder",
    ),
}

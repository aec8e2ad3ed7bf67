import os
import sqlite3
import stat
from contextlib import ExitStack, closing
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, func, insert, inspect, select
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlalchemy.pool import QueuePool

from memory.errors import DataFolderError, SchemaTooNew, StoreBusy, StoreDamaged
from memory.store.database import MIGRATIONS, Database, open_database
from memory.store.tables import documents, meta, metadata, names, passages, people, shelves

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def add_person(connection: Connection, person: str) -> None:
    connection.execute(insert(people).values(id=person, created=NOW))


def count_people(database: Database) -> int:
    with database.read() as connection:
        return connection.scalar(select(func.count()).select_from(people)) or 0


def test_the_folder_is_made_and_closed_to_other_accounts(tmp_path: Path) -> None:
    folder = tmp_path / "ein Ordner" / "50% ünïcode"
    open_database(folder).close()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / "referent.db").stat().st_mode) == 0o600


def test_the_migrated_tables_are_those_of_the_metadata(database: Database) -> None:
    with database.read() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
        found = inspect(connection)
        for table in metadata.sorted_tables:
            checks = {str(check["name"]) for check in found.get_check_constraints(table.name)}
            wanted = {str(c.name) for c in table.constraints if type(c).__name__ == "CheckConstraint"}
            assert checks == wanted, table.name
            for key in found.get_foreign_keys(table.name):
                assert key["options"]["ondelete"] == "CASCADE"


def test_opening_twice_migrates_once_and_keeps_what_is_there(tmp_path: Path) -> None:
    first = open_database(tmp_path)
    with first.write() as connection:
        add_person(connection, "local")
    second = open_database(tmp_path)
    assert count_people(second) == 1
    first.close()
    second.close()


def test_a_url_opens_the_same_file(tmp_path: Path) -> None:
    first = open_database(tmp_path)
    with first.write() as connection:
        add_person(connection, "local")
    first.close()
    second = open_database(f"sqlite:///{tmp_path / 'referent.db'}")
    assert count_people(second) == 1
    second.close()


def test_a_database_of_a_newer_version_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    open_database(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / "referent.db")) as raw, raw:
        raw.execute("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(SchemaTooNew, match=r"9999.*update the program"):
        open_database(tmp_path)
    with closing(sqlite3.connect(tmp_path / "referent.db")) as raw:
        assert raw.execute("SELECT version_num FROM alembic_version").fetchall() == [("9999",)]


def test_migrations_form_one_line() -> None:
    scripts = ScriptDirectory(str(MIGRATIONS))
    assert len(scripts.get_heads()) == 1
    assert len(scripts.get_bases()) == 1


@pytest.mark.parametrize("blocker", ["file", "under a file", "null"])
def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path, blocker: str) -> None:
    (tmp_path / "taken").write_text("x")
    place = {
        "file": tmp_path / "taken",
        "under a file": tmp_path / "taken" / "in",
        "null": tmp_path / "a\0b",
    }
    with pytest.raises(DataFolderError, match="--data-dir"):
        open_database(place[blocker])


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_rights_is_named(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(DataFolderError, match="rights"):
        open_database(tmp_path / "data")


@pytest.mark.parametrize("url", ["postgresql://me:secret@host:port:7/x", "nonesuch://me:secret@host/x"])
def test_a_url_that_cannot_be_used_is_named_without_its_password(url: str) -> None:
    with pytest.raises(DataFolderError, match="correct the setting") as caught:
        open_database(url)
    assert "secret" not in str(caught.value)


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    (tmp_path / "referent.db").write_bytes(b"a letter to a friend, " * 300)
    with pytest.raises(StoreDamaged, match="move it away"):
        open_database(tmp_path)


def test_a_failing_block_keeps_nothing(database: Database) -> None:
    def stumble(connection: Connection) -> None:
        add_person(connection, "local")
        raise RuntimeError("half way")

    with pytest.raises(RuntimeError, match="half way"), database.write() as connection:
        stumble(connection)
    assert count_people(database) == 0


def test_a_reader_cannot_write(database: Database) -> None:
    with pytest.raises(OperationalError, match="readonly"), database.read() as connection:
        add_person(connection, "local")
    with database.write() as connection:  # and the same connection, from the pool, can write again
        add_person(connection, "local")
    assert count_people(database) == 1


def test_a_reader_sees_one_state_throughout(database: Database) -> None:
    with database.read() as reading:
        before = reading.scalar(select(func.count()).select_from(people))
        with database.write() as writing:
            add_person(writing, "local")
        assert reading.scalar(select(func.count()).select_from(people)) == before
    assert count_people(database) == 1


def test_a_lock_that_is_not_given_up_is_named(tmp_path: Path) -> None:
    database = open_database(tmp_path, waiting_s=0.2)
    with closing(sqlite3.connect(tmp_path / "referent.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusy, match="try again"), database.write() as connection:
            add_person(connection, "never")
        assert count_people(database) == 0  # reading goes on meanwhile
        open_database(tmp_path).close()  # and so does opening
    with database.write() as connection:
        add_person(connection, "local")
    database.close()


def test_a_mistake_in_a_statement_is_not_taken_for_a_failing_store(database: Database) -> None:
    with database.write() as connection:
        add_person(connection, "local")
    with pytest.raises(IntegrityError), database.write() as connection:
        add_person(connection, "local")


def test_failures_do_not_show_what_a_person_wrote(database: Database) -> None:
    with database.write() as connection:
        add_person(connection, "a secret")
    with pytest.raises(IntegrityError) as caught, database.write() as connection:
        add_person(connection, "a secret")
    assert "a secret" not in str(caught.value)


def test_moments_keep_their_instant_and_their_order(database: Database) -> None:
    east = timezone(timedelta(hours=9))
    with database.write() as connection:
        connection.execute(insert(people).values(id="late", created=datetime(2026, 3, 1, 1, tzinfo=UTC)))
        connection.execute(insert(people).values(id="early", created=datetime(2026, 3, 1, 9, tzinfo=east)))
    with database.read() as connection:
        rows = connection.execute(select(people).order_by(people.c.created)).all()
    assert [row.id for row in rows] == ["early", "late"]
    assert rows[0].created == datetime(2026, 3, 1, 9, tzinfo=east)
    assert rows[0].created.utcoffset() == timedelta(0)


def test_a_moment_without_time_zone_is_refused(database: Database) -> None:
    with pytest.raises(Exception, match="aware datetime"), database.write() as connection:
        connection.execute(insert(people).values(id="x", created=NOW.replace(tzinfo=None)))


def test_text_that_databases_refuse_is_kept_at_the_same_length(database: Database) -> None:
    value = "a\0b\ud800c هل"
    with database.write() as connection:
        connection.execute(insert(meta).values(key="k", value=value))
    with database.read() as connection:
        kept = connection.scalar(select(meta.c.value))
    assert kept == "a�b�c هل"
    assert len(kept) == len(value)


def add_document(connection: Connection) -> None:
    connection.execute(insert(shelves).values(id="s", owner_kind="shelf", owner="shared"))
    connection.execute(
        insert(documents).values(
            id="d", shelf="s", name="a/b.md", name_key="k", content_hash="h", state="ready", created=NOW
        )
    )
    connection.execute(insert(passages).values(id="p", document="d", position=0, start=0, end=5, text="Guten"))
    connection.execute(
        insert(names).values(document="d", name="Ulm 7", aliases=["U7"], nouns=["هاتف"], attributes=[["Preis", "5 €"]])
    )


def test_a_shelf_takes_its_documents_with_it(database: Database) -> None:
    with database.write() as connection:
        add_document(connection)
    with database.read() as connection:
        row = connection.execute(select(names)).one()
        assert (row.type, row.aliases, row.nouns, row.attributes) == ("OTHER", ["U7"], ["هاتف"], [["Preis", "5 €"]])
    with database.write() as connection:
        connection.execute(shelves.delete())
    with database.read() as connection:
        for table in (documents, passages, names):
            assert connection.execute(select(table)).all() == []


def test_unknown_states_and_owners_are_refused(database: Database) -> None:
    with pytest.raises(IntegrityError), database.write() as connection:
        connection.execute(insert(shelves).values(id="s", owner_kind="everyone", owner="x"))


def test_more_callers_than_connections_are_told_so(tmp_path: Path) -> None:
    database = open_database(tmp_path)
    pool = database.engine.pool
    assert isinstance(pool, QueuePool)
    pool._timeout = 0.05
    with ExitStack() as held:
        for _ in range(pool.size() + pool._max_overflow):
            held.enter_context(database.read())
        with pytest.raises(StoreBusy, match="in use"):
            held.enter_context(database.read())
    assert count_people(database) == 0
    database.close()


def test_a_database_without_one_of_its_tables_is_named(tmp_path: Path) -> None:
    open_database(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / "referent.db")) as raw, raw:
        raw.execute("DROP TABLE passages")
    opened = open_database(tmp_path)
    with pytest.raises(StoreDamaged, match="without one of its tables"), opened.read() as connection:
        connection.execute(select(passages))
    opened.close()

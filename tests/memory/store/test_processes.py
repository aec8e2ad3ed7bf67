"""Two processes, many threads, and processes killed half way: what was confirmed is there, and nothing else."""

import os
import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from sqlalchemy import select

from memory.store.conversations import Conversations, NewTurn
from memory.store.database import Database, open_database
from memory.store.tables import meta
from tests.memory.store.conftest import Processes

OPENS = """
import sys
from memory.store.database import open_database
open_database(sys.argv[1]).close()
"""

WRITES = """
import sys
from memory.store.conversations import Conversations, NewTurn
from memory.store.database import open_database
kept = Conversations(open_database(sys.argv[1]))
for n in range(int(sys.argv[4])):
    turn = NewTurn(id=f"{sys.argv[3]}-{n}", question="q", language="en")
    print(kept.add_turn(sys.argv[2], "local", turn), flush=True)
"""

HANGS = """
import sys, time
from sqlalchemy import insert, update
from memory.store.conversations import Conversations, NewTurn
from memory.store.database import open_database
from memory.store.tables import meta, turns
database = open_database(sys.argv[1])
with database.write() as connection:
    connection.execute(update(turns).values(question="overwritten"))
    connection.execute(insert(meta), [{"key": str(n), "value": "x" * 4000} for n in range(2000)])
    print("half way", flush=True)
    time.sleep(60)
"""

BREAKS_OFF = """
import sys, time
import sqlalchemy as sa
from alembic import op
import memory.store.migrations.versions.v0001_first_tables as first
from memory.store.database import open_database
make = op.create_table
def slow(name, *columns):
    make(name, *columns)
    if name == "turns":
        print("half way", flush=True)
        time.sleep(60)
op.create_table = slow
open_database(sys.argv[1])
"""


def test_processes_that_start_at_once_open_one_database(tmp_path: Path, processes: Processes) -> None:
    started = [processes.start(OPENS, str(tmp_path / "data")) for _ in range(4)]
    for process in started:
        processes.finish(process)
    database = open_database(tmp_path / "data")
    with database.read() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM alembic_version").scalar() == 1
    database.close()


def test_two_processes_write_every_turn_once_and_number_them_without_gaps(
    tmp_path: Path, database: Database, kept: Conversations, processes: Processes
) -> None:
    conversation = kept.create("local", "en")
    started = [processes.start(WRITES, str(tmp_path / "data"), conversation, who, "40") for who in "ab"]
    numbers = [int(line) for process in started for line in processes.finish(process).split()]
    assert sorted(numbers) == list(range(80))
    assert [turn.number for turn in kept.turns(conversation, "local")] == list(range(80))


def test_threads_write_every_turn_once(database: Database, kept: Conversations) -> None:
    conversation = kept.create("local", "en")

    def add(n: int) -> int:
        # Each id twice, from two threads: an impatient second press of a button.
        return kept.add_turn(conversation, "local", NewTurn(id=f"t{n // 2}", question="q", language="en"))

    with ThreadPoolExecutor(8) as pool:
        numbers = list(pool.map(add, range(60)))
    assert sorted(set(numbers)) == list(range(30))
    assert numbers[0::2] == numbers[1::2]
    assert len(kept.turns(conversation, "local")) == 30


def test_people_made_at_once_are_made_once(database: Database, kept: Conversations) -> None:
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: kept.create("local", "en"), range(24)))
    assert len(set(made)) == 24
    assert {found.id for found in kept.list("local")} == set(made)


def test_a_process_killed_while_writing_leaves_what_was_confirmed(
    tmp_path: Path, database: Database, kept: Conversations, processes: Processes
) -> None:
    conversation = kept.create("local", "en")
    kept.add_turn(conversation, "local", NewTurn(id="t", question="before", language="en"))
    process = processes.start(HANGS, str(tmp_path / "data"))
    assert process.stdout is not None
    assert process.stdout.readline() == "half way\n"
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    again = open_database(tmp_path / "data")
    with again.read() as connection:
        assert connection.execute(select(meta)).all() == []
        assert connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
    after = Conversations(again)
    assert [turn.question for turn in after.turns(conversation, "local")] == ["before"]
    assert after.add_turn(conversation, "local", NewTurn(id="u", question="after", language="en")) == 1
    again.close()


def test_every_turn_that_a_killed_process_confirmed_is_there(
    tmp_path: Path, database: Database, kept: Conversations, processes: Processes
) -> None:
    conversation = kept.create("local", "en")
    process = processes.start(WRITES, str(tmp_path / "data"), conversation, "a", "100000")
    assert process.stdout is not None
    confirmed = [int(process.stdout.readline()) for _ in range(25)]
    os.kill(process.pid, signal.SIGKILL)
    confirmed += [int(line) for line in process.communicate()[0].split("\n")[:-1] if line]
    numbers = [turn.number for turn in kept.turns(conversation, "local")]
    assert numbers == list(range(len(numbers)))
    assert set(confirmed) <= set(numbers)


def test_a_migration_killed_half_way_is_done_anew(tmp_path: Path, processes: Processes) -> None:
    process = processes.start(BREAKS_OFF, str(tmp_path / "data"))
    assert process.stdout is not None
    assert process.stdout.readline() == "half way\n"
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    database = open_database(tmp_path / "data")
    assert Conversations(database).create("local", "en")
    database.close()

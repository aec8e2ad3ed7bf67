"""Who asks to be forgotten leaves no byte in the data folder; nobody else loses anything."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from memory import Heard
from memory.errors import ConversationNotFound
from memory.memory import EntityMemory, Said
from memory.store import people
from memory.store.conversations import Conversations, NewTurn
from memory.store.database import open_database
from memory.store.entities import Named
from memory.types import Vectors
from rag.shelf.owners import Owner, Scope
from rag.shelf.shelf import Library
from tests.rag.shelf.fakes import HashEmbedder

CANARY = "Zwiebelfalter"
OTHER = "Quittenbaum"


class NoiseEmbedder(HashEmbedder):
    """Gives every text a vector with which no other shares a byte."""

    def _embed(self, texts: tuple[str, ...]) -> Vectors:
        rows = [np.random.default_rng(list(text.encode())).standard_normal(self.dimension) for text in texts]
        return np.array([row / np.linalg.norm(row) for row in rows], dtype=np.float32)


class House:
    """A data folder with people in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "data"
        self.database = open_database(self.folder)
        self.embedder = NoiseEmbedder()
        self.library = Library(self.database, self.embedder, self.folder)
        self.conversations = Conversations(self.database)
        self.memory = EntityMemory(self.database)

    def live(self, person: str, word: str, documents: Path) -> str:
        """Let *word* stand in everything that is kept of *person*: turns, facts, history, names, documents."""
        conversation = self.conversations.create(person, "de")
        said = Said(
            conversation,
            f"{word}-1",
            (Named(f"{word} 14", "PRODUCT", sentence=f"Mein {word} 14 ist laut."),),
            tuple(Heard("", key, f"{word} 14", 0, 0) for key in ("name", "budget", "owns")),
            (("", "adores", f"{word} 14"),),
        )  # fmt: skip
        turn = NewTurn(f"{word}-1", f"Was kostet {word}?", "de", {"answer": word}, discourse=word)
        self.conversations.add_turn(conversation, person, turn, lambda c: self.memory.remember(person, said, c))
        again = Said(conversation, f"{word}-2", (), (Heard("", "budget", f"{word} 1000", 0, 0, "corrects"),))
        self.memory.remember(person, again)
        path = documents / f"{word}.csv"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"Produkt;Preis\n{word} 14;30 €\n{word} 15;40 €\n", encoding="utf-8")
        assert [each.status for each in self.library.ingest([path], Owner("person", person))] == ["added"]
        return conversation

    def forget(self, person: str) -> None:
        self.library.forget(Owner("person", person), lambda connection: people.erase(connection, person))
        people.scrub(self.database)

    def close(self) -> None:
        self.library.close()
        self.database.close()


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    opened = House(tmp_path)
    yield opened
    opened.close()


def traces(folder: Path, *needles: bytes) -> list[str]:
    """Return the files of *folder* in which any of *needles* stands."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [path.name for path in files if any(needle in path.read_bytes() for needle in needles)]


def vectors_in(house: House) -> dict[str, bytes]:
    """Return the vectors that Chroma's log holds, by the id of their passage."""
    with closing(sqlite3.connect(house.folder / "chroma" / "chroma.sqlite3")) as connection:
        return dict(connection.execute("SELECT id, vector FROM embeddings_queue ORDER BY seq_id"))


def piece_in(folder: Path, vector: bytes) -> bytes:
    """Return some bytes of *vector* that stand in a file as they are: pages of a database part others."""
    pieces = (vector[start : start + 40] for start in range(0, len(vector) - 40, 40))
    return next(each for each in pieces if traces(folder, each))


def test_no_byte_is_left_of_who_is_forgotten(house: House, tmp_path: Path) -> None:
    house.live("zoe", CANARY, tmp_path / "documents")
    house.live("quentin", OTHER, tmp_path / "documents")
    mine, *_, theirs = vectors_in(house).values()  # in the order in which they were written
    vector, others = piece_in(house.folder, mine), piece_in(house.folder, theirs)
    needles = CANARY.encode(), CANARY.lower().encode(), b"zoe", vector
    assert traces(house.folder, CANARY.encode())
    assert traces(house.folder, vector)
    before = house.memory.export("quentin")
    house.forget("zoe")
    assert traces(house.folder, *needles) == []
    house.close()
    assert traces(house.folder, *needles) == []
    assert traces(house.folder, others)
    again = House(tmp_path)
    assert again.memory.export("quentin") == before
    assert again.library.documents(Owner("person", "quentin"))
    assert again.memory.facts("zoe") == again.memory.entities("zoe") == ()
    assert again.library.documents(Owner("person", "zoe")) == ()
    again.close()


def test_work_begun_before_is_dropped_and_a_new_life_begins_empty(house: House, tmp_path: Path) -> None:
    conversation = house.live("zoe", CANARY, tmp_path / "documents")
    with house.database.read() as connection:
        epoch = people.epoch_of(connection, "zoe")
    house.forget("zoe")
    with pytest.raises(ConversationNotFound):
        house.conversations.update_turn(conversation, "zoe", NewTurn(f"{CANARY}-1", CANARY, "de"))
    house.conversations.create("zoe", "de")
    with house.database.read() as connection:
        assert people.epoch_of(connection, "zoe") not in (None, "", epoch)
    assert house.memory.history("zoe") == ()


def test_others_write_meanwhile_and_lose_nothing(house: House, tmp_path: Path) -> None:
    house.live("zoe", CANARY, tmp_path / "documents")
    conversation = house.conversations.create("quentin", "fr")
    stop, written, failed = threading.Event(), [0], list[BaseException]()

    def write() -> None:
        kept = Conversations(house.database)
        try:
            while not stop.is_set():
                turn = NewTurn(f"q-{written[0]}", "Combien ?", "fr")
                said = Said(conversation, turn.id, (Named(f"Vega {written[0]}", "PRODUCT"),))
                kept.add_turn(conversation, "quentin", turn, lambda c: house.memory.remember("quentin", said, c))  # noqa: B023 - called at once
                written[0] += 1
        except BaseException as error:  # noqa: BLE001 - shown below
            failed.append(error)

    thread = threading.Thread(target=write)
    thread.start()
    try:
        house.forget("zoe")
    finally:
        stop.set()
        thread.join()
    assert failed == []
    assert len(house.conversations.turns(conversation, "quentin")) == written[0] > 0
    assert len(house.memory.entities("quentin")) == written[0]
    people.scrub(house.database)
    assert traces(house.folder, CANARY.encode(), b"zoe") == []


def test_a_shelf_that_is_made_again_is_read_again(house: House, tmp_path: Path) -> None:
    house.live("zoe", CANARY, tmp_path / "documents")
    scope = Scope(("shared",), "zoe")
    assert house.library.catalog(scope).find(f"{CANARY} 14")
    house.forget("zoe")
    (tmp_path / "new.csv").write_text(f"Produkt;Preis\n{OTHER} 14;30 €\n{OTHER} 15;40 €\n", encoding="utf-8")
    list(house.library.ingest([tmp_path / "new.csv"], Owner("person", "zoe")))
    assert house.library.catalog(scope).find(f"{OTHER} 14")
    assert not house.library.catalog(scope).find(f"{CANARY} 14")

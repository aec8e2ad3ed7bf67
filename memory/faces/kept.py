"""What the faces share: a database of their own, the person it is about, and how a message is kept."""

from __future__ import annotations

import tempfile
import threading
import uuid
import weakref
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from languages.text import fold, sentences
from memory.catalog import NameIndex
from memory.faces.shapes import Entity
from memory.knowledge.extraction import Found
from memory.knowledge.heard import Heard
from memory.memory import EntityMemory, Rules, Said
from memory.store import people
from memory.store.conversations import utc_now
from memory.store.database import Database, open_database
from memory.store.entities import SNIPPETS, Named, StoredEntity
from memory.types import Name, Role

PERSON: Final = "seed"  # whose memory it is where no one is named


class Home:
    """A database in a folder, or in a temporary one that goes with it."""

    def __init__(self, folder: Path | str | None = None) -> None:
        self._temporary = tempfile.TemporaryDirectory(prefix="referent-") if folder is None else None
        self.database = open_database(Path(self._temporary.name if self._temporary else str(folder)))
        self._end = weakref.finalize(self, _leave, self.database, self._temporary)

    def clear(self, person: str) -> None:
        """Erase *person*."""
        with self.database.write() as connection:
            people.erase(connection, person)

    def close(self) -> None:
        """Let go of the database; a temporary one is deleted."""
        self._end()


def _leave(database: Database, temporary: tempfile.TemporaryDirectory[str] | None) -> None:
    database.close()
    if temporary is not None:
        temporary.cleanup()


@dataclass(frozen=True, slots=True)
class Keeping:
    """Where a memory lies (None is a temporary folder), whose it is, by which rules and which clock it is kept."""

    folder: Path | str | None = None
    person: str = PERSON
    rules: Rules | None = None
    now: Callable[[], datetime] = utc_now


class Kept:
    """What the memories share: their database, their person, and how a message is read and kept."""

    def __init__(self, keeping: Keeping | None = None) -> None:
        given = keeping or Keeping()
        self._home = Home(given.folder)
        self.memory = EntityMemory(self._home.database, rules=given.rules, now=given.now)
        self._person = given.person
        self._lock = threading.RLock()
        self.outcomes: Counter[str] = Counter()  # how extractions ended

    def close(self) -> None:
        """Let go of the database; a temporary one is deleted."""
        self._home.close()

    def _keep(self, found: Found, *, role: Role, text: str) -> tuple[StoredEntity, ...]:
        """Return the entities of *found*, kept as named in *text*."""
        named = tuple(
            Named(each.name, each.type, role, each.name, sentence_of(text, each.name)) for each in found.entities
        )
        facts = tuple(
            Heard(each.name, key, str(value), 0, 0) for each in found.entities for key, value in each.attributes.items()
        )
        turn = uuid.uuid4().hex
        self.memory.remember(self._person, Said("", turn, named, (*found.heard, *facts), found.relations))
        kept = (self.memory.entity(self._person, each.name, each.type) for each in found.entities)
        return tuple({each.id: each for each in kept if each is not None}.values())

    def _entity(self, stored: StoredEntity) -> Entity:
        """Return a stored entity in the shape people know."""
        attributes = {fact.key: fact.value for fact in self.memory.facts(self._person, stored.name)}
        contexts = list(self.memory.snippets(self._person, stored.name, limit=SNIPPETS))
        return Entity(
            stored.name, stored.type, contexts, stored.first_seen.timestamp(), stored.last_seen.timestamp(), attributes,
            mentions=stored.mentions,
        )  # fmt: skip

    def _named_in(self, text: str) -> list[StoredEntity]:
        """Return the remembered entities that *text* names, in order."""
        known = self.memory.entities(self._person)
        index = NameIndex.of([Name(each.name, each.type, each.aliases) for each in known])
        found = dict.fromkeys(match.name.name for match in index.find(text))
        return [each for name in found for each in known if each.name == name]


def sentence_of(text: str, name: str) -> str:
    """Return the first sentence of *text* with *name* in it, "" where there is none."""
    wanted = fold(name)
    return next((span.text for span in sentences(text) if wanted in fold(span.text)), "")

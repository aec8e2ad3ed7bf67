"""The rows of documents, passages and names in SQL, read and written; each function works in a transaction given.

SQL is the truth of the shelf: what is not here is not there, whatever an index says.
"""

from __future__ import annotations

import hashlib
import secrets
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Select, delete, func, insert, select, update
from sqlalchemy.engine import RowMapping

from memory.store.tables import documents, meta, names, passages, shelves
from memory.types import Attribute, Name
from rag.events import Passage
from rag.shelf.owners import OWN, Owner

GENERATION = "index.generation"
SPACE = "index.space"
READY = "ready"
_ASKED_AT_ONCE = 500  # SQLite takes 32,766 parameters, older builds 999


@dataclass(frozen=True, slots=True)
class Record:
    """A document on its shelf, without its text."""

    id: str
    name: str
    title: str
    language: str
    size: int  # bytes of the file
    passages: int
    version: int
    content_hash: str
    embedding_model: str
    created: datetime
    origin: str = ""  # the path of the file, "" where it is not known

    @property
    def passage_ids(self) -> tuple[str, ...]:
        """Return the ids of its passages: its own id and their number."""
        return tuple(f"{self.id}.{number}" for number in range(self.passages))


def name_key(name: str) -> str:
    """Return the hash by which a document's name is looked up; NFC and NFD are one name."""
    return hashlib.sha256(unicodedata.normalize("NFC", name).encode("utf-8", "replace")).hexdigest()


def index_generation(connection: Connection) -> int:
    """Return how often any shelf's index has been written."""
    value = connection.execute(select(meta.c.value).where(meta.c.key == GENERATION)).scalar_one_or_none()
    return int(value) if value else 0


def index_space(connection: Connection) -> str:
    """Return what tells this store's collections from those of others on one server; made at the first call."""
    value = connection.execute(select(meta.c.value).where(meta.c.key == SPACE)).scalar_one_or_none()
    if value is None:
        value = secrets.token_hex(16)
        connection.execute(insert(meta).values(key=SPACE, value=value))
    return str(value)


def shelf_generations(connection: Connection, owners: Sequence[Owner]) -> dict[Owner, int]:
    """Return the generation of each owner's shelf; 0 for one that nothing was ever put on."""
    keys = [owner.key for owner in owners]
    rows = connection.execute(select(shelves.c.id, shelves.c.generation).where(shelves.c.id.in_(keys)))
    found = {str(row.id): int(row.generation) for row in rows}
    return {owner: found.get(owner.key, 0) for owner in owners}


def raise_generation(connection: Connection, owner: Owner) -> int:
    """Raise the generation of *owner*'s shelf, made where missing, and of the index; return the index's."""
    known = connection.execute(select(shelves.c.id).where(shelves.c.id == owner.key)).scalar_one_or_none()
    if known is None:
        # Never a number that this shelf had before it was forgotten: whoever holds its contents of then reads again.
        first = index_generation(connection) + 1
        row = {"id": owner.key, "owner_kind": owner.kind, "owner": owner.name, "generation": first}
        connection.execute(insert(shelves).values(row))
    else:
        raised = update(shelves).where(shelves.c.id == owner.key).values(generation=shelves.c.generation + 1)
        connection.execute(raised)
    generation = index_generation(connection) + 1
    if generation == 1:
        connection.execute(insert(meta).values(key=GENERATION, value="1"))
    else:
        connection.execute(update(meta).where(meta.c.key == GENERATION).values(value=str(generation)))
    return generation


_RECORD = (
    documents.c.id,
    documents.c.name,
    documents.c.title,
    documents.c.language,
    documents.c.size,
    documents.c.passages,
    documents.c.version,
    documents.c.content_hash,
    documents.c.embedding_model,
    documents.c.created,
    documents.c.origin,
)


def find_records(connection: Connection, owner: Owner, name: str | None = None) -> tuple[Record, ...]:
    """Return the documents of *owner* by name; only the one called *name* where that is given."""
    query = select(*_RECORD).where(documents.c.shelf == owner.key, documents.c.state == READY)
    if name is not None:
        query = query.where(documents.c.name_key == name_key(name))
    rows = connection.execute(query.order_by(documents.c.name)).mappings()
    return tuple(Record(**{str(key): value for key, value in row.items()}) for row in rows)


def find_text(connection: Connection, owner: Owner, name: str) -> str | None:
    """Return the visible text of a document, or None where *owner* has none of that name."""
    query = select(documents.c.text).where(
        documents.c.shelf == owner.key, documents.c.state == READY, documents.c.name_key == name_key(name)
    )
    found = connection.execute(query).scalar_one_or_none()
    return None if found is None else str(found)


@dataclass(frozen=True, slots=True)
class Derived:
    """What was made of a document's file: its visible text, its passages, the names it makes known."""

    text: str
    passages: tuple[Passage, ...]
    names: tuple[Name, ...]


def insert_document(connection: Connection, owner: Owner, record: Record, derived: Derived) -> None:
    """Write a document that is ready, with its passages and names."""
    row = {column.name: getattr(record, column.name) for column in _RECORD}
    row |= {"shelf": owner.key, "name_key": name_key(record.name), "state": READY, "text": derived.text}
    connection.execute(insert(documents).values(row))
    if derived.passages:
        rows = [_passage_row(part, record.id, number) for number, part in enumerate(derived.passages)]
        connection.execute(insert(passages), rows)
    if derived.names:
        connection.execute(insert(names), [_name_row(name, record.id) for name in derived.names])


def set_model(connection: Connection, record: Record, model: str) -> None:
    """Note that the vectors of a document come from *model*."""
    connection.execute(update(documents).where(documents.c.id == record.id).values(embedding_model=model))


def delete_documents(connection: Connection, ids: Sequence[str]) -> None:
    """Remove documents with all that was made of them."""
    for table, column in ((passages, passages.c.document), (names, names.c.document), (documents, documents.c.id)):
        connection.execute(delete(table).where(column.in_(list(ids))))


def find_passages(connection: Connection, owners: Iterable[Owner], ids: Sequence[str]) -> dict[str, Passage]:
    """Return those of the passages *ids* that stand on the shelves of *owners*, by id."""
    keys = [owner.key for owner in owners]
    found: dict[str, Passage] = {}
    wanted = list(dict.fromkeys(ids))
    for start in range(0, len(wanted), _ASKED_AT_ONCE):
        query = _passages_query(keys).where(passages.c.id.in_(wanted[start : start + _ASKED_AT_ONCE]))
        for row in connection.execute(query).mappings():
            found[str(row["id"])] = _passage(row)
    return found


def count_passages(connection: Connection, owner: Owner, language: str, model: str) -> int:
    """Return how many passages of *owner* in *language* have a vector of *model*."""
    query = select(func.coalesce(func.sum(documents.c.passages), 0)).where(
        documents.c.shelf == owner.key,
        documents.c.state == READY,
        documents.c.language == language,
        documents.c.embedding_model == model,
    )
    return int(connection.execute(query).scalar_one())


def passage_languages(connection: Connection, owner: Owner) -> tuple[tuple[str, str], ...]:
    """Return the id and the language of every passage of *owner*, in the order of the documents."""
    query = (
        select(passages.c.id, passages.c.language)
        .join(documents, passages.c.document == documents.c.id)
        .where(documents.c.shelf == owner.key, documents.c.state == READY)
        .order_by(documents.c.name, passages.c.position)
    )
    return tuple((str(row.id), str(row.language)) for row in connection.execute(query))


def document_passages(connection: Connection, owner: Owner, record: Record) -> tuple[Passage, ...]:
    """Return the passages of one document in order."""
    query = _passages_query([owner.key]).where(documents.c.id == record.id).order_by(passages.c.position)
    return tuple(_passage(row) for row in connection.execute(query).mappings())


def all_owners(connection: Connection) -> tuple[Owner, ...]:
    """Return everyone who has a shelf."""
    rows = connection.execute(select(shelves.c.owner_kind, shelves.c.owner).order_by(shelves.c.id))
    return tuple(Owner(row.owner_kind, row.owner) for row in rows)


def all_names(connection: Connection, owners: Iterable[Owner]) -> tuple[Name, ...]:
    """Return the names of all documents of *owners*, as often as documents speak of them."""
    query = (
        select(names, documents.c.name.label("source"))
        .join(documents, names.c.document == documents.c.id)
        .where(documents.c.shelf.in_([owner.key for owner in owners]), documents.c.state == READY)
        .order_by(documents.c.name, names.c.id)
    )
    return tuple(
        Name(
            name=row["name"],
            type=row["type"],
            aliases=tuple(row["aliases"]),
            attributes=tuple(Attribute(key, value, row["source"]) for key, value in row["attributes"]),
            nouns=tuple(row["nouns"]),
        )
        for row in connection.execute(query).mappings()
    )


def _passages_query(keys: Sequence[str]) -> Select[Any]:
    return (
        select(passages, documents.c.name.label("name"), shelves.c.owner_kind, shelves.c.owner)
        .join(documents, passages.c.document == documents.c.id)
        .join(shelves, documents.c.shelf == shelves.c.id)
        .where(documents.c.shelf.in_(keys), documents.c.state == READY)
    )


def _passage(row: RowMapping) -> Passage:
    return Passage(
        id=row["id"],
        document=row["name"],
        text=row["text"],
        start=row["start"],
        end=row["end"],
        heading=row["heading"],
        language=row["language"],
        shelf=row["owner"] if row["owner_kind"] == "shelf" else OWN,
        kind=row["kind"],
        context=row["context"],
        page=row["page"],
        row=row["table_row"],
    )


def _passage_row(passage: Passage, document: str, position: int) -> Mapping[str, object]:
    return {
        "id": passage.id,
        "document": document,
        "position": position,
        "start": passage.start,
        "end": passage.end,
        "heading": passage.heading,
        "context": passage.context,
        "text": passage.text,
        "kind": passage.kind,
        "language": passage.language,
        "page": passage.page,
        "table_row": passage.row,
    }


def _name_row(name: Name, document: str) -> Mapping[str, object]:
    return {
        "document": document,
        "name": name.name,
        "type": name.type,
        "aliases": list(name.aliases),
        "nouns": list(name.nouns),
        "attributes": [[attribute.key, attribute.value] for attribute in name.attributes],
    }


def now() -> datetime:
    """Return this moment, in UTC."""
    return datetime.now(UTC)

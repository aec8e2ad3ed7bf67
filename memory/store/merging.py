"""Merging and splitting entities by hand, with a record from which a merge is taken back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, and_, delete, func, insert, select, update

from languages.text import fold
from memory.errors import EntityNotFound
from memory.knowledge.facts import MANY
from memory.knowledge.identity import compare, keys_of
from memory.store.entities import Named, StoredEntity, add_alias, cap_snippets, note, recent
from memory.store.facts import Place
from memory.store.remembered import entities, entity_keys, facts, identity_changes, mentions, relations, snippets

_MOST_COMPARED = 300  # of the entities spoken of last: every pair of them is compared
_MOVED = (mentions, snippets, facts)


@dataclass(frozen=True, slots=True)
class Merge:
    """A merge under its number: the entity that stayed and the other, by id, and the name that this one had."""

    number: int
    kept: str
    other: str
    name: str


def suggest(connection: Connection, person: str) -> tuple[tuple[StoredEntity, StoredEntity], ...]:
    """Return the pairs of entities that may be one, for the person to decide."""
    known = recent(connection, person, limit=_MOST_COMPARED)
    return tuple(
        (one, other)
        for place, one in enumerate(known)
        for other in known[place + 1 :]
        if compare(one.name, other.name, types=(one.type, other.type)) in ("proposed", "short")
    )


def merge(connection: Connection, person: str, kept: StoredEntity, other: StoredEntity, at: datetime) -> int:
    """Return the number of the change by which *other* became a name of *kept*, with all that is known of it."""
    record: dict[str, Any] = {"name": other.name, "type": other.type, "first_seen": other.first_seen.isoformat()}
    record["keys"] = [
        [row.key, row.kind] for row in connection.execute(_of(entity_keys, person, other.id).order_by(entity_keys.c.id))
    ]
    _drop_doubles(connection, person, kept.id, other.id)
    for table in _MOVED:
        record[table.name] = [row.id for row in connection.execute(_of(table, person, other.id))]
        connection.execute(_move(table, person, "entity", other.id, kept.id))
    record["ended"] = _end_doubles(connection, person, kept.id, at)
    record["relations"] = _move_relations(connection, person, kept.id, other.id)
    connection.execute(delete(entities).where(entities.c.person == person, entities.c.id == other.id))
    add_alias(connection, person, kept, other.name)
    mine = and_(entities.c.person == person, entities.c.id == kept.id)
    seen = {
        "mentions": entities.c.mentions + other.mentions,
        "first_seen": min(kept.first_seen, other.first_seen),
        "last_seen": max(kept.last_seen, other.last_seen),
    }
    connection.execute(update(entities).where(mine).values(seen))
    cap_snippets(connection, person, [kept.id])
    return _record(connection, person, "merge", (kept.id, other.id), record=record, at=at)


def take_back(connection: Connection, person: str, change: int, at: datetime) -> StoredEntity:
    """Return the entity that a merge had made a name of another, on its own again.

    Raises: EntityNotFound where there is no such merge.
    """
    mine = and_(identity_changes.c.person == person, identity_changes.c.id == change)
    row = connection.execute(select(identity_changes).where(mine, identity_changes.c.kind == "merge")).one_or_none()
    if row is None:
        raise EntityNotFound(f"found no merge {change} of this person; expected one from the history; look there")
    record = dict(row.record)
    first = datetime.fromisoformat(record["first_seen"])
    values = {
        "id": row.other, "person": person, "name": record["name"], "type": record["type"], "aliases": [],
        "key": keys_of(record["name"], record["type"]).own, "evidence": {}, "mentions": len(record["mentions"]),
        "first_seen": first, "last_seen": at,
    }  # fmt: skip
    connection.execute(insert(entities).values(values))
    own = [key for key, _ in record["keys"]]
    shared = and_(entity_keys.c.person == person, entity_keys.c.entity == row.entity, entity_keys.c.key.in_(own))
    connection.execute(delete(entity_keys).where(shared, entity_keys.c.kind != "name"))
    rows = [{"person": person, "entity": row.other, "key": key, "kind": kind} for key, kind in record["keys"]]
    connection.execute(insert(entity_keys), rows)
    for table in _MOVED:
        moved = and_(table.c.person == person, table.c.id.in_(record[table.name]))
        connection.execute(update(table).where(moved).values(entity=row.other))
    ended = and_(facts.c.person == person, facts.c.id.in_(record["ended"]))
    connection.execute(update(facts).where(ended).values(retired_at=None, replaced_by=None))
    for identifier, column in record["relations"]:
        again = and_(relations.c.person == person, relations.c.id == identifier)
        connection.execute(update(relations).where(again).values({column: row.other}))
    kept = and_(entities.c.person == person, entities.c.id == row.entity)
    aliases = connection.scalar(select(entities.c.aliases).where(kept)) or []
    left = {"mentions": entities.c.mentions - len(record["mentions"])}
    connection.execute(
        update(entities).where(kept).values(left | {"aliases": [each for each in aliases if each != record["name"]]})
    )
    _record(connection, person, "split", (row.entity, row.other), record={"of": change}, at=at)
    return StoredEntity(row.other, record["name"], record["type"], (), {}, len(record["mentions"]), first, at)


def split(connection: Connection, person: str, entity: StoredEntity, into: Named, at: datetime) -> StoredEntity | None:
    """Return a new entity with the mentions of *entity* that are written as *into*, and their sentences.

    None where its name cannot be told from that of *entity* or of another one.
    """
    if keys_of(into.name, into.type).own == keys_of(entity.name, entity.type).own:
        return None
    texts = select(mentions.c.id, mentions.c.text, mentions.c.turn).where(
        mentions.c.person == person, mentions.c.entity == entity.id
    )
    moved = [row for row in connection.execute(texts) if fold(row.text) == fold(into.name)]
    key = keys_of(into.name, into.type)
    shared = and_(entity_keys.c.person == person, entity_keys.c.entity == entity.id)
    connection.execute(delete(entity_keys).where(shared, entity_keys.c.key.in_((*key.lookup, *key.shorts))))
    (made,) = note(connection, person, [Named(into.name, into.type)], Place("", "", at))
    if made is None or made.id == entity.id:
        return None
    ids = [row.id for row in moved]
    connection.execute(
        update(mentions).where(mentions.c.person == person, mentions.c.id.in_(ids)).values(entity=made.id)
    )
    about = and_(snippets.c.person == person, snippets.c.entity == entity.id)
    sentences = connection.execute(select(snippets.c.id, snippets.c.text).where(about)).all()
    own = [row.id for row in sentences if fold(into.name) in fold(row.text).replace(fold(entity.name), "")]
    connection.execute(
        update(snippets).where(snippets.c.person == person, snippets.c.id.in_(own)).values(entity=made.id)
    )
    for identifier, count in ((entity.id, -len(ids)), (made.id, len(ids) - 1)):
        mine = and_(entities.c.person == person, entities.c.id == identifier)
        connection.execute(update(entities).where(mine).values(mentions=entities.c.mentions + count))
    connection.execute(  # the mention by which it was made is no turn's
        delete(mentions).where(mentions.c.person == person, mentions.c.entity == made.id, mentions.c.turn == "")
    )
    _record(connection, person, "split", (entity.id, made.id), record={"mentions": ids}, at=at)
    return made


def changes(connection: Connection, person: str) -> tuple[tuple[int, str, str, str], ...]:
    """Return the merges and splits so far: number, kind, the entity that stayed, the other."""
    query = select(identity_changes).where(identity_changes.c.person == person).order_by(identity_changes.c.id)
    return tuple((row.id, row.kind, row.entity, row.other) for row in connection.execute(query))


def merges(connection: Connection, person: str) -> tuple[Merge, ...]:
    """Return the merges so far, the latest first; one that was taken back is among them."""
    mine = and_(identity_changes.c.person == person, identity_changes.c.kind == "merge")
    rows = connection.execute(select(identity_changes).where(mine).order_by(identity_changes.c.id.desc()))
    return tuple(Merge(row.id, row.entity, row.other, str(row.record["name"])) for row in rows)


def _of(table: Any, person: str, entity: str) -> Any:
    return select(table).where(table.c.person == person, table.c.entity == entity)


def _move(table: Any, person: str, column: str, source: str, target: str) -> Any:
    mine = and_(table.c.person == person, table.c[column] == source)
    return update(table).where(mine).values({column: target})


def _drop_doubles(connection: Connection, person: str, kept: str, other: str) -> None:
    """Remove the sentences that both have."""
    keys = select(snippets.c.key).where(snippets.c.person == person, snippets.c.entity == kept)
    known = [row.key for row in connection.execute(keys)]
    double = and_(snippets.c.person == person, snippets.c.entity == other, snippets.c.key.in_(known))
    connection.execute(delete(snippets).where(double))


def _end_doubles(connection: Connection, person: str, entity: str, at: datetime) -> list[int]:
    """End all but the latest value under each key of one value; return which were ended."""
    mine = and_(facts.c.person == person, facts.c.entity == entity, facts.c.retired_at.is_(None))
    newest = select(facts.c.key, facts.c.detail, func.max(facts.c.id).label("id"), func.count().label("size"))
    ended: list[int] = []
    for row in connection.execute(newest.where(mine).group_by(facts.c.key, facts.c.detail)).all():
        if row.size < 2 or row.key in MANY:
            continue
        older = and_(mine, facts.c.key == row.key, facts.c.detail == row.detail, facts.c.id != row.id)
        ended += [each.id for each in connection.execute(select(facts.c.id).where(older))]
        connection.execute(update(facts).where(older).values(retired_at=at, replaced_by=row.id))
    return ended


def _move_relations(connection: Connection, person: str, kept: str, other: str) -> list[tuple[int, str]]:
    """Let the relations of *other* be those of *kept*; what both have stays once.  Return what moved."""
    touching = select(relations).where(relations.c.person == person)
    every = connection.execute(touching.where((relations.c.subject == other) | (relations.c.object == other))).all()
    moved: list[tuple[int, str]] = []
    for row in every:
        column = "subject" if row.subject == other else "object"
        subject = kept if row.subject == other else row.subject
        target = kept if row.object == other else row.object
        same = touching.where(
            relations.c.subject == subject, relations.c.predicate == row.predicate, relations.c.object == target
        )
        mine = and_(relations.c.person == person, relations.c.id == row.id)
        if subject == target or connection.execute(same).first() is not None:
            connection.execute(delete(relations).where(mine))
        else:
            connection.execute(update(relations).where(mine).values(subject=subject, object=target))
            moved.append((row.id, column))
    return moved


def _record(
    connection: Connection, person: str, kind: str, pair: Sequence[str], *, record: dict[str, Any], at: datetime
) -> int:
    values = {"person": person, "kind": kind, "entity": pair[0], "other": pair[1], "record": record, "at": at}
    key = connection.execute(insert(identity_changes).values(values)).inserted_primary_key
    return int(key[0]) if key else 0

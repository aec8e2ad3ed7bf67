"""Entities in SQL: found again by their keys, made where they are new, with mentions and the sentences about them.

Every function is given a connection and a person, and sees only what is theirs.  The work of one turn is a fixed number
of statements, each by an index: it costs the same with ten entities and with a hundred thousand.
"""

from __future__ import annotations

import hashlib
import uuid
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import (
    BindParameter,
    Connection,
    Integer,
    Row,
    and_,
    bindparam,
    case,
    delete,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from languages.text import fold
from memory.knowledge.identity import UNTYPED, Keys, compatible, keys_of
from memory.store.facts import Place
from memory.store.remembered import entities, entity_keys, mentions, snippets
from memory.store.tables import Instant
from memory.types import Role

SNIPPETS = 20  # kept of an entity, the newest
SNIPPET_LENGTH = 300  # characters
NEVER = datetime.min.replace(tzinfo=UTC)
MOST_NAMED = 60  # mentions of one message that are kept; more is a list, not talk


@dataclass(frozen=True, slots=True)
class Named:
    """A name in a message: of which type, as it stood there, in which sentence; what was seen of gender and number."""

    name: str
    type: str = UNTYPED
    role: Role = "user"
    text: str = ""
    sentence: str = ""
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StoredEntity:
    """An entity as kept; ``evidence`` counts what was seen of its gender and number."""

    id: str
    name: str
    type: str
    aliases: tuple[str, ...] = ()
    evidence: Mapping[str, int] = field(default_factory=dict, hash=False)
    mentions: int = 0
    first_seen: datetime = NEVER
    last_seen: datetime = NEVER
    zone: str = "+00:00"


# Built once: to put a statement together costs about as much as to run it.
_WHO: Final[BindParameter[Any]] = bindparam("who")
_IDS: Final[BindParameter[Any]] = bindparam("ids", expanding=True)
_KEYS: Final[BindParameter[Any]] = bindparam("keys", expanding=True)
_JOINED: Final = entity_keys.join(entities, entities.c.id == entity_keys.c.entity)
_LED_TO: Final = and_(entity_keys.c.person == _WHO, entity_keys.c.key.in_(_KEYS), entities.c.person == _WHO)
_LOOK_UP: Final = (
    select(entities, entity_keys.c.key.label("found_by"), entity_keys.c.kind).select_from(_JOINED).where(_LED_TO)
)
_NAMED_IN: Final = (
    select(entities)
    .select_from(_JOINED)
    .where(_LED_TO)
    .order_by(entities.c.last_seen.desc())
    .limit(bindparam("most", type_=Integer))
)
_BY_IDS: Final = select(entities).where(entities.c.person == _WHO, entities.c.id.in_(_IDS))
_RECENT: Final = select(entities).where(entities.c.person == _WHO).order_by(entities.c.last_seen.desc(), entities.c.id)
_RECENT_FEW: Final = _RECENT.limit(bindparam("most", type_=Integer))
_ABOUT: Final = (
    select(snippets.c.entity, snippets.c.text)
    .where(snippets.c.person == _WHO, snippets.c.entity.in_(_IDS))
    .order_by(snippets.c.id.desc())
)
_ABOUT_BY: Final = _ABOUT.where(snippets.c.role == bindparam("by"))
_SEEN: Final = bindparam("seen", type_=Instant)  # of a turn that comes back, before what was seen since
_TOUCH: Final = (
    update(entities)
    .where(entities.c.person == _WHO, entities.c.id == bindparam("which"))
    .values(
        mentions=entities.c.mentions + bindparam("count", type_=Integer),
        last_seen=case((entities.c.last_seen > _SEEN, entities.c.last_seen), else_=_SEEN),
        zone=bindparam("offset"),
        evidence=bindparam("shown"),
    )
)
_PLACES: Final = (
    select(
        snippets.c.id,
        func.row_number().over(partition_by=snippets.c.entity, order_by=snippets.c.id.desc()).label("place"),
    )
    .where(snippets.c.person == _WHO, snippets.c.entity.in_(_IDS))
    .subquery()
)
_CAP: Final = delete(snippets).where(
    snippets.c.person == _WHO, snippets.c.id.in_(select(_PLACES.c.id).where(_PLACES.c.place > SNIPPETS))
)


@dataclass(frozen=True, slots=True)
class _Known:
    """An entity that one of the looked-up keys leads to."""

    entity: StoredEntity
    key: str
    kind: str


def find(connection: Connection, person: str, names: Sequence[tuple[str, str]]) -> tuple[StoredEntity | None, ...]:
    """Return for each (name, type) the one entity that it names, None where there is none or several."""
    known = _look_up(connection, person, [keys_of(name, type_) for name, type_ in names])
    return tuple(_choose(known, keys_of(name, type_), type_)[0] for name, type_ in names)


def note(
    connection: Connection, person: str, named: Sequence[Named], place: Place, *, again: bool = False
) -> tuple[StoredEntity | None, ...]:
    """Return the entity of each of *named*, kept with its mentions and sentences; None where the name is ambiguous.

    Where the turn is read *again*, what it mentions already is not counted a second time.
    """
    named = named[:MOST_NAMED]
    counted = _mentioned(connection, person, place.turn) if again else frozenset[str]()
    keys = [keys_of(each.name, each.type) for each in named]
    known = _look_up(connection, person, keys)
    chosen: list[StoredEntity | None] = []
    seen: Counter[str] = Counter()
    evidence: dict[str, Counter[str]] = {}
    for each, own in zip(named, keys, strict=True):
        entity, ambiguous = _choose(known, own, each.type)
        if entity is None and not ambiguous and own.own:
            entity = _make(connection, person, each, own, place)
            known += _known_as(entity, own)
        if entity is not None:
            if entity.type == UNTYPED and each.type not in ("", UNTYPED):
                entity = _give_type(connection, person, entity, each.type)
            seen[entity.id] += entity.id not in counted
            evidence.setdefault(entity.id, Counter(entity.evidence)).update(each.evidence)
        chosen.append(entity)
    _touch(connection, person, seen, evidence=evidence, place=place)
    fresh = [entity if entity is not None and entity.id not in counted else None for entity in chosen]
    _keep_mentions(connection, person, named, fresh, place=place)
    _keep_snippets(connection, person, named, chosen, place=place)
    return tuple(chosen)


def _mentioned(connection: Connection, person: str, turn: str) -> frozenset[str]:
    query = select(mentions.c.entity).where(mentions.c.person == person, mentions.c.turn == turn)
    return frozenset(row.entity for row in connection.execute(query))


def by_ids(connection: Connection, person: str, ids: Iterable[str]) -> dict[str, StoredEntity]:
    """Return the entities of *ids* that are this person's, by id."""
    wanted = tuple(set(ids))
    if not wanted:
        return {}
    return {row.id: _read(row) for row in connection.execute(_BY_IDS, {"who": person, "ids": wanted})}


def recent(connection: Connection, person: str, *, limit: int | None = 20) -> tuple[StoredEntity, ...]:
    """Return the entities spoken of last, the newest first; all of them where *limit* is None."""
    if limit is None:
        return tuple(_read(row) for row in connection.execute(_RECENT, {"who": person}))
    return tuple(_read(row) for row in connection.execute(_RECENT_FEW, {"who": person, "most": limit}))


def named_in(connection: Connection, person: str, keys: Iterable[str], *, limit: int = 50) -> dict[str, StoredEntity]:
    """Return the entities that any of *keys* leads to, by id."""
    wanted = tuple(set(keys))
    if not wanted:
        return {}
    found = connection.execute(_NAMED_IN, {"who": person, "keys": wanted, "most": limit})
    return {row.id: _read(row) for row in found}


def snippets_of(
    connection: Connection, person: str, ids: Iterable[str], *, each: int = 3, role: Role | None = None
) -> dict[str, tuple[str, ...]]:
    """Return the newest sentences about each of *ids*, at most *each*, oldest first; only those of *role* if given."""
    wanted = tuple(set(ids))
    if not wanted or each <= 0:
        return {}
    asked = {"who": person, "ids": wanted}
    rows = connection.execute(_ABOUT, asked) if role is None else connection.execute(_ABOUT_BY, asked | {"by": role})
    found: dict[str, list[str]] = {}
    for row in rows:
        held = found.setdefault(row.entity, [])
        if len(held) < each:
            held.append(row.text)
    return {entity: tuple(reversed(texts)) for entity, texts in found.items()}


def add_alias(connection: Connection, person: str, entity: StoredEntity, alias: str) -> None:
    """Let *alias* lead to *entity* as well."""
    keys = keys_of(alias, entity.type)
    rows = [(key, "alias") for key in keys.lookup] + [(key, "short") for key in sorted(keys.shorts)]
    _insert_keys(connection, person, entity.id, rows)
    if alias != entity.name and alias not in entity.aliases:
        mine = and_(entities.c.person == person, entities.c.id == entity.id)
        connection.execute(update(entities).where(mine).values(aliases=[*entity.aliases, alias]))


def _look_up(connection: Connection, person: str, keys: Sequence[Keys]) -> list[_Known]:
    wanted = {key for each in keys for key in each.lookup if key}
    if not wanted:
        return []
    found = connection.execute(_LOOK_UP, {"who": person, "keys": tuple(wanted)})
    return [_Known(_read(row), row.found_by, row.kind) for row in found]


def _choose(known: Sequence[_Known], keys: Keys, type_: str) -> tuple[StoredEntity | None, bool]:
    """Return the entity that a name means, and whether several bear it as a short name."""
    fits = [each for each in known if each.key in keys.lookup and compatible(each.entity.type, type_)]
    exact = {each.entity.id: each.entity for each in fits if each.kind != "short"}
    if exact:
        # Of one name and several types the one of this type is meant, else the one spoken of last.
        return max(exact.values(), key=lambda entity: (entity.type == type_, entity.last_seen, entity.id)), False
    short = {} if keys.whole else {each.entity.id: each.entity for each in fits}
    return next(iter(short.values())) if len(short) == 1 else None, len(short) > 1


def _known_as(entity: StoredEntity, keys: Keys) -> list[_Known]:
    found = [_Known(entity, key, "name") for key in (keys.own,)]
    return found + [_Known(entity, key, "short") for key in keys.shorts]


def _make(connection: Connection, person: str, each: Named, keys: Keys, place: Place) -> StoredEntity:
    identifier = uuid.uuid4().hex
    type_ = each.type or UNTYPED
    values = {
        "id": identifier,
        "person": person,
        "name": each.name,
        "key": keys.own,
        "type": type_,
        "aliases": [],
        "evidence": {},
        "first_seen": place.at,
        "last_seen": place.at,
        "zone": zone_of(place.at),
    }
    connection.execute(insert(entities).values(values))
    _insert_keys(connection, person, identifier, [(keys.own, "name"), *((key, "short") for key in sorted(keys.shorts))])
    return StoredEntity(identifier, each.name, type_, (), {}, 0, place.at, place.at, zone_of(place.at))


def _insert_keys(connection: Connection, person: str, entity: str, rows: Sequence[tuple[str, str]]) -> None:
    make = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    values = [{"person": person, "entity": entity, "key": key, "kind": kind} for key, kind in rows if key]
    if values:
        connection.execute(make(entity_keys).on_conflict_do_nothing(), values)


def _give_type(connection: Connection, person: str, entity: StoredEntity, type_: str) -> StoredEntity:
    mine = and_(entities.c.person == person, entities.c.id == entity.id)
    connection.execute(update(entities).where(mine).values(type=type_))
    return StoredEntity(
        entity.id, entity.name, type_, entity.aliases, entity.evidence, entity.mentions, entity.first_seen,
        entity.last_seen, entity.zone,
    )  # fmt: skip


def _touch(
    connection: Connection,
    person: str,
    seen: Mapping[str, int],
    *,
    evidence: Mapping[str, Mapping[str, int]],
    place: Place,
) -> None:
    rows = [
        {
            "who": person,
            "which": identifier,
            "count": count,
            "seen": place.at,
            "offset": zone_of(place.at),
            "shown": dict(evidence[identifier]),
        }
        for identifier, count in seen.items()
    ]
    if rows:
        connection.execute(_TOUCH, rows)


def _keep_mentions(
    connection: Connection,
    person: str,
    named: Sequence[Named],
    chosen: Sequence[StoredEntity | None],
    *,
    place: Place,
) -> None:
    rows = [
        {
            "person": person,
            "entity": entity.id,
            "conversation": place.conversation,
            "turn": place.turn,
            "role": each.role,
            "text": (each.text or each.name)[:SNIPPET_LENGTH],
            "at": place.at,
        }
        for each, entity in zip(named, chosen, strict=True)
        if entity is not None
    ]
    if rows:
        connection.execute(insert(mentions), rows)


def _keep_snippets(
    connection: Connection,
    person: str,
    named: Sequence[Named],
    chosen: Sequence[StoredEntity | None],
    *,
    place: Place,
) -> None:
    rows = {}
    for each, entity in zip(named, chosen, strict=True):
        text = shorten(each.sentence)
        if entity is None or not text:
            continue
        key = hashlib.sha256(fold(text).encode()).hexdigest()[:32]
        rows[entity.id, key] = {
            "person": person,
            "entity": entity.id,
            "conversation": place.conversation,
            "turn": place.turn,
            "role": each.role,
            "text": text,
            "key": key,
            "at": place.at,
        }
    if not rows:
        return
    make = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    connection.execute(make(snippets).on_conflict_do_nothing(), list(rows.values()))
    cap_snippets(connection, person, {entity for entity, _ in rows})


def cap_snippets(connection: Connection, person: str, ids: Iterable[str]) -> None:
    """Keep the newest sentences about each of *ids* alone."""
    connection.execute(_CAP, {"who": person, "ids": tuple(ids)})


def shorten(sentence: str) -> str:
    """Return a sentence as it is kept: one line, cut between words.

    >>> shorten("  The Kestrel\\n is loud. "), len(shorten("word " * 200)) <= SNIPPET_LENGTH
    ('The Kestrel is loud.', True)
    """
    line = " ".join(sentence.split())
    return line if len(line) <= SNIPPET_LENGTH else line[: SNIPPET_LENGTH - 2].rsplit(" ", 1)[0] + " …"


def zone_of(moment: datetime) -> str:
    """Return the offset from UTC of an aware moment.

    >>> zone_of(datetime.fromisoformat("2026-03-01T10:00:00+05:30"))
    '+05:30'
    """
    return moment.strftime("%z")[:3] + ":" + moment.strftime("%z")[3:5]


def _read(row: Row[tuple[object, ...]]) -> StoredEntity:
    return StoredEntity(
        row.id, row.name, row.type, tuple(row.aliases), dict(row.evidence), row.mentions, row.first_seen,
        row.last_seen, row.zone,
    )  # fmt: skip

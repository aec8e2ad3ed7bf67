"""What was learnt from a turn, noted before it is taken back, and learnt again when the turn comes back.

Only what had been learnt comes back: nothing of a turn said while the memory was paused, nothing that the person has
deleted by hand.  What was said elsewhere since then stands: the later word holds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import Connection, Row, Table, and_, delete, insert, select, update

from memory.knowledge.facts import MANY, SELF, Statement, StoredFact, decide, slot
from memory.knowledge.identity import UNTYPED
from memory.knowledge.stating import predicate_of
from memory.store import entities as store
from memory.store.entities import Named
from memory.store.facts import Place, read_fact
from memory.store.queue import enqueue
from memory.store.relations import Relation, relate, unrelate
from memory.store.remembered import entities, facts, jobs, mentions, relation_evidence, relations, snippets
from memory.store.tables import Instant, thumbs, unanswered

Learnt = Mapping[str, Any]  # plain JSON values

_SAID_OF: Final = (thumbs, unanswered)  # go with the turn's row, and come back with it


def learnt_from(connection: Connection, person: str, turn: str) -> Learnt:
    """Return what *turn* has brought, as plain JSON values; what is noted of it for others included."""
    held = select(facts.c.id).where(facts.c.person == person, facts.c.turn == turn, facts.c.withdrawn.is_(False))
    queued = select(jobs.c.id).where(jobs.c.person == person, jobs.c.turn == turn).limit(1)
    rows = {table.name: [_plain(row) for row in _rows(connection, table, turn)] for table in _SAID_OF}
    found: dict[str, Any] = {
        "facts": [row.id for row in connection.execute(held.order_by(facts.c.id))],
        "named": _named(connection, person, turn),
        "relations": _related(connection, person, turn),
        "queued": [] if connection.execute(queued).one_or_none() is None else [turn],
    }
    return {key: value for key, value in (found | rows).items() if value}


def revive(connection: Connection, person: str, conversation: str, *, turn: str, learnt: Learnt) -> None:
    """Learn from *turn* again what was *learnt* from it; the turn stands in its conversation again."""
    moments = [datetime.fromisoformat(each["at"]) for key in ("named", "relations") for each in learnt.get(key, ())]
    place = Place(conversation, turn, min(moments, default=datetime.now(UTC)))
    named = tuple(
        Named(each["name"], each["type"], each["role"], each["text"], each["sentence"])
        for each in learnt.get("named", ())
    )
    store.note(connection, person, named, place)
    for identifier in learnt.get("facts", ()):
        _hold_again(connection, person, identifier)
    _relate(connection, person, learnt.get("relations", ()), place)
    if learnt.get("queued"):
        enqueue(connection, person, conversation, turn, place.at)
    for table in _SAID_OF:
        for row in learnt.get(table.name, ()):
            connection.execute(insert(table).values(_read(table, row)))


def _named(connection: Connection, person: str, turn: str) -> list[dict[str, Any]]:
    """Return what the turn mentioned, each entity with the first sentence that was kept of it from this turn."""
    said = select(snippets.c.entity, snippets.c.role, snippets.c.text)
    said = said.where(snippets.c.person == person, snippets.c.turn == turn).order_by(snippets.c.id.desc())
    sentences = {(row.entity, row.role): row.text for row in connection.execute(said)}
    query = select(mentions, entities.c.name, entities.c.type).join(entities, entities.c.id == mentions.c.entity)
    query = query.where(mentions.c.person == person, mentions.c.turn == turn).order_by(mentions.c.id)
    return [
        {
            "name": row.name,
            "type": row.type,
            "role": row.role,
            "text": row.text,
            "sentence": sentences.pop((row.entity, row.role), ""),
            "at": row.at.isoformat(),
        }
        for row in connection.execute(query).all()
    ]


def _related(connection: Connection, person: str, turn: str) -> list[dict[str, Any]]:
    joined = relation_evidence.join(relations, relations.c.id == relation_evidence.c.relation)
    query = select(relations, relation_evidence.c.said, relation_evidence.c.at.label("then")).select_from(joined)
    mine = relation_evidence.c.person == person, relation_evidence.c.turn == turn
    rows = connection.execute(query.where(*mine).order_by(relation_evidence.c.id)).all()
    known = store.by_ids(connection, person, {end for row in rows for end in (row.subject, row.object)} - {SELF})
    return [
        {
            "subject": _called(known, row.subject),
            "predicate": row.predicate,
            "object": _called(known, row.object),
            "said": row.said,
            "at": row.then.isoformat(),
        }
        for row in rows
        if row.object in known and (row.subject == SELF or row.subject in known)
    ]


def _called(known: Mapping[str, store.StoredEntity], identifier: str) -> list[str]:
    """Return the name and type by which an entity is found again, [] for the person."""
    return [known[identifier].name, known[identifier].type] if identifier != SELF else []


def _relate(connection: Connection, person: str, found: Sequence[Mapping[str, Any]], place: Place) -> None:
    ends = list({tuple(end) for each in found for end in (each["subject"], each["object"]) if end})
    ids = dict(zip(ends, store.find(connection, person, ends), strict=True))
    again = []
    for each in found:
        subject = ids.get(tuple(each["subject"])) if each["subject"] else None
        target = ids.get(tuple(each["object"]))
        if target is not None and (subject is not None or not each["subject"]):
            again.append(Relation(subject.id if subject else SELF, each["predicate"], target.id, each["said"]))
    relate(connection, person, again, place)


def _hold_again(connection: Connection, person: str, identifier: int) -> None:
    """Let a fact that was taken back hold as it did, and end what it ended; nothing if it is gone for good."""
    mine = and_(facts.c.person == person, facts.c.id == identifier, facts.c.withdrawn.is_(True))
    row = connection.execute(select(facts).where(mine)).one_or_none()
    if row is None:
        return
    fact = read_fact(row)
    living = and_(facts.c.person == person, facts.c.entity == fact.entity, facts.c.key == fact.key)
    rows = connection.execute(select(facts).where(living, facts.c.retired_at.is_(None)).order_by(facts.c.id))
    current = [found for found in map(read_fact, rows) if slot(found) == slot(fact)]
    later = [each for each in current if each.valid_from > fact.valid_from] if fact.key not in MANY else []
    stated = Statement(fact.entity, fact.key, fact.value, fact.source, fact.act, fact.amount, fact.unit, fact.detail)
    decision = decide(current, stated)
    if decision.repeats is not None:
        again = and_(facts.c.person == person, facts.c.id == decision.repeats)
        connection.execute(update(facts).where(again).values(said=facts.c.said + 1))
        connection.execute(delete(facts).where(mine))
        return
    over = decision.overruled_by if decision.overruled_by is not None else next((each.id for each in later), None)
    ended = later[0].valid_from if later else fact.valid_from
    is_over = fact.act == "retracts" or over is not None
    values = {"withdrawn": False, "retired_turn": "", "replaced_by": over, "retired_at": ended if is_over else None}
    connection.execute(update(facts).where(mine).values(values))
    if not later:
        _end(connection, person, [each for each in current if each.id in decision.retire], fact)


def _end(connection: Connection, person: str, gone: Sequence[StoredFact], by: StoredFact) -> None:
    """End the facts *gone* where *by* begins, with the relations that they had drawn."""
    if not gone:
        return
    these = and_(facts.c.person == person, facts.c.id.in_([each.id for each in gone]))
    end = {"retired_at": by.valid_from, "retired_turn": by.turn, "replaced_by": by.id}
    connection.execute(update(facts).where(these).values(end))
    for each in gone:
        predicate = predicate_of(each.key)
        target = store.find(connection, person, [(each.value, UNTYPED)])[0] if predicate else None
        if target is not None:
            unrelate(connection, person, [Relation(each.entity, predicate, target.id)])


def _rows(connection: Connection, table: Table, turn: str) -> Sequence[Row[Any]]:
    return connection.execute(select(table).where(table.c.turn == turn)).all()


def _plain(row: Row[Any]) -> dict[str, Any]:
    return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in row._mapping.items()}


def _read(table: Table, row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row as its table takes it: moments are no text there."""
    return {
        name: datetime.fromisoformat(value) if isinstance(table.c[name].type, Instant) else value
        for name, value in row.items()
    }

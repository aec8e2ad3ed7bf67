"""Relations in SQL: who owns, prefers, compares what, with the turns that said so; and the graph that they make.

Every function is given a connection and a person, and sees only what is theirs.  The subject "" is the person.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import BindParameter, Connection, and_, bindparam, delete, insert, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite

from memory.store.facts import Place
from memory.store.remembered import relation_evidence, relations

MOST = 500  # relations of one thing that are looked at


# Built once: to put a statement together costs about as much as to run it.
_WHO: Final[BindParameter[Any]] = bindparam("who")
_IDS: Final[BindParameter[Any]] = bindparam("ids", expanding=True)
_BETWEEN: Final = select(relations).where(
    relations.c.person == _WHO,
    relations.c.subject.in_(bindparam("subjects", expanding=True)),
    relations.c.object.in_(bindparam("objects", expanding=True)),
)
_SEEN: Final = (
    update(relations).where(relations.c.person == _WHO, relations.c.id.in_(_IDS)).values(last_seen=bindparam("seen"))
)
_ALL: Final = select(relations).where(relations.c.person == _WHO).order_by(relations.c.id)
_TOUCHING: Final = (
    select(relations)
    .where(relations.c.person == _WHO, or_(relations.c.subject.in_(_IDS), relations.c.object.in_(_IDS)))
    .order_by(relations.c.id)
    .limit(MOST)
)


@dataclass(frozen=True, slots=True)
class Relation:
    """A directed relation between two entities by id; ``predicate`` is canonical, or as it was said."""

    subject: str
    predicate: str
    object: str
    said: str = ""


def relate(connection: Connection, person: str, found: Sequence[Relation], place: Place) -> None:
    """Keep *found* with this turn as evidence; what is known already gains a piece of evidence, once a turn."""
    wanted = [each for each in dict.fromkeys(found) if each.subject != each.object]
    if not wanted:
        return
    ends = {"who": person, "subjects": tuple({e.subject for e in wanted}), "objects": tuple({e.object for e in wanted})}
    known = {(row.subject, row.predicate, row.object): row.id for row in connection.execute(_BETWEEN, ends)}
    make = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    rows = []
    for each in wanted:
        identifier = known.get((each.subject, each.predicate, each.object))
        if identifier is None:
            values = {"person": person, "subject": each.subject, "predicate": each.predicate, "object": each.object}
            times = {"first_seen": place.at, "last_seen": place.at}
            key = connection.execute(insert(relations), values | times).inserted_primary_key
            identifier = key[0] if key else 0
            known[each.subject, each.predicate, each.object] = identifier  # said twice in one turn, in other words
        rows.append(
            {
                "person": person,
                "relation": identifier,
                "conversation": place.conversation,
                "turn": place.turn,
                "said": each.said or each.predicate,
                "at": place.at,
            }
        )
    connection.execute(_SEEN, {"who": person, "ids": tuple(row["relation"] for row in rows), "seen": place.at})
    connection.execute(make(relation_evidence).on_conflict_do_nothing(), rows)


def unrelate(connection: Connection, person: str, gone: Iterable[Relation]) -> None:
    """Remove relations that no longer hold: what was owned is sold."""
    for each in gone:
        connection.execute(
            delete(relations).where(
                relations.c.person == person,
                relations.c.subject == each.subject,
                relations.c.predicate == each.predicate,
                relations.c.object == each.object,
            )
        )


def relations_of(connection: Connection, person: str, ids: Iterable[str] | None = None) -> tuple[Relation, ...]:
    """Return the relations that touch any of *ids*, all of the person's where None."""
    if ids is None:
        rows = connection.execute(_ALL, {"who": person})
    else:
        rows = connection.execute(_TOUCHING, {"who": person, "ids": tuple(set(ids))})
    return tuple(Relation(row.subject, row.predicate, row.object) for row in rows)


def evidence_of(connection: Connection, person: str, relation: Relation) -> tuple[tuple[str, str], ...]:
    """Return the turns that said *relation*, and the words it was said in."""
    joined = relation_evidence.join(relations, relations.c.id == relation_evidence.c.relation)
    query = (
        select(relation_evidence.c.turn, relation_evidence.c.said)
        .select_from(joined)
        .where(
            relation_evidence.c.person == person,
            relations.c.person == person,
            relations.c.subject == relation.subject,
            relations.c.predicate == relation.predicate,
            relations.c.object == relation.object,
        )
        .order_by(relation_evidence.c.id)
    )
    return tuple((row.turn, row.said) for row in connection.execute(query))


def withdraw_relations(connection: Connection, person: str, turns: Sequence[str]) -> None:
    """Take back what was said of relations in *turns*; one without any evidence left goes."""
    of_turns = and_(relation_evidence.c.person == person, relation_evidence.c.turn.in_(tuple(turns)))
    touched = [row.relation for row in connection.execute(select(relation_evidence.c.relation).where(of_turns))]
    if not touched:
        return
    connection.execute(delete(relation_evidence).where(of_turns))
    left = select(relation_evidence.c.relation).where(relation_evidence.c.person == person)
    gone = and_(relations.c.person == person, relations.c.id.in_(touched), relations.c.id.not_in(left))
    connection.execute(delete(relations).where(gone))

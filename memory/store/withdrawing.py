"""Taking back what was learnt from turns that are answered anew, cut off or deleted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from sqlalchemy import Connection, and_, delete, func, not_, or_, select, update

from memory.knowledge.facts import StoredFact
from memory.knowledge.identity import UNTYPED
from memory.knowledge.stating import NAMED_BY, predicate_of
from memory.store import entities as store
from memory.store.facts import Place, withdraw_facts
from memory.store.relations import Relation, relate, withdraw_relations
from memory.store.remembered import entities, facts, jobs, mentions, relations, snippets


def withdraw(connection: Connection, person: str, turns: Sequence[str], *, erase: bool, at: datetime) -> None:
    """Take back what was learnt from *turns*, so that what held before holds again.

    With *erase* nothing of it stays in the history either: the turns are being deleted.
    """
    if not turns:
        return
    again = withdraw_facts(connection, person, turns, erase=erase, at=at)
    withdraw_relations(connection, person, turns)
    for fact in again:
        relate_again(connection, person, fact)
    _drop_unused(connection, person, _withdraw_mentions(connection, person, turns))
    connection.execute(delete(jobs).where(jobs.c.person == person, jobs.c.turn.in_(tuple(turns))))


def relate_again(connection: Connection, person: str, fact: StoredFact) -> None:
    """Draw the relation of a fact that holds again."""
    predicate = predicate_of(fact.key)
    target = store.find(connection, person, [(fact.value, NAMED_BY.get(fact.key, UNTYPED))])[0]
    if predicate and target is not None:
        place = Place(fact.conversation, fact.turn, fact.valid_from)
        relate(connection, person, [Relation(fact.entity, predicate, target.id, fact.key)], place)


def _withdraw_mentions(connection: Connection, person: str, turns: Sequence[str]) -> tuple[str, ...]:
    """Return the entities that were mentioned in *turns*, once those mentions are taken back."""
    of_turns = and_(mentions.c.person == person, mentions.c.turn.in_(tuple(turns)))
    counted = connection.execute(select(mentions.c.entity, func.count()).where(of_turns).group_by(mentions.c.entity))
    gone = {entity: int(count) for entity, count in counted}
    if not gone:
        return ()
    connection.execute(delete(mentions).where(of_turns))
    connection.execute(delete(snippets).where(snippets.c.person == person, snippets.c.turn.in_(tuple(turns))))
    for entity, count in gone.items():
        mine = and_(entities.c.person == person, entities.c.id == entity)
        connection.execute(update(entities).where(mine).values(mentions=entities.c.mentions - count))
    return tuple(gone)


def _drop_unused(connection: Connection, person: str, ids: Iterable[str]) -> None:
    """Remove those of *ids* that are mentioned nowhere and of which nothing is known."""
    stated = select(facts.c.entity).where(facts.c.person == person)
    begun = select(relations.c.subject).where(relations.c.person == person)
    ended = select(relations.c.object).where(relations.c.person == person)
    unused = and_(entities.c.person == person, entities.c.mentions <= 0, entities.c.id.in_(tuple(ids)))
    known = or_(*(entities.c.id.in_(query) for query in (stated, begun, ended)))
    connection.execute(delete(entities).where(unused, not_(known)))

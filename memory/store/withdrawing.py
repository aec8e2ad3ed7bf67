"""Taking back what was learnt from turns that are answered anew, cut off or deleted."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, delete

from memory.knowledge.facts import StoredFact
from memory.knowledge.identity import UNTYPED
from memory.knowledge.stating import NAMED_BY, predicate_of
from memory.store import entities as store
from memory.store.facts import Place, withdraw_facts
from memory.store.relations import Relation, relate, withdraw_relations
from memory.store.remembered import jobs


def withdraw(connection: Connection, person: str, turns: Sequence[str], *, erase: bool, at: datetime) -> None:
    """Take back what was learnt from *turns*, so that what held before holds again.

    With *erase* nothing of it stays in the history either: the turns are being deleted.
    """
    if not turns:
        return
    again = withdraw_facts(connection, person, turns, erase=erase, at=at)
    withdraw_relations(connection, person, turns)
    for fact in again:
        _relate_again(connection, person, fact)
    store.drop_unused(connection, person, store.withdraw_mentions(connection, person, turns))
    connection.execute(delete(jobs).where(jobs.c.person == person, jobs.c.turn.in_(tuple(turns))))


def _relate_again(connection: Connection, person: str, fact: StoredFact) -> None:
    """Draw the relation of a fact that holds again."""
    predicate = predicate_of(fact.key)
    target = store.find(connection, person, [(fact.value, NAMED_BY.get(fact.key, UNTYPED))])[0]
    if predicate and target is not None:
        place = Place(fact.conversation, fact.turn, fact.valid_from)
        relate(connection, person, [Relation(fact.entity, predicate, target.id, fact.key)], place)

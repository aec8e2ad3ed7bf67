"""Contradictions between facts as they are kept, and what a verdict makes of them."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, and_, select, update

from memory.knowledge.arbitration import Contradiction, Holds
from memory.knowledge.facts import MANY
from memory.knowledge.identity import UNTYPED
from memory.knowledge.stating import NAMED_BY, predicate_of
from memory.store import entities as store
from memory.store.facts import read_fact
from memory.store.relations import Relation, unrelate
from memory.store.remembered import facts
from memory.store.withdrawing import relate_again

_MOST = 8  # contradictions of one turn that are settled


def contradictions(connection: Connection, person: str, turn: str) -> tuple[Contradiction, ...]:
    """Return the facts that *turn* replaced, each with what replaced it and holds now, oldest first."""
    mine = and_(facts.c.person == person, facts.c.withdrawn.is_(False))
    said = and_(mine, facts.c.turn == turn, facts.c.retired_at.is_(None), facts.c.act != "retracts")
    later = {row.id: read_fact(row) for row in connection.execute(select(facts).where(said))}
    if not later:
        return ()
    query = select(facts).where(mine, facts.c.replaced_by.in_(tuple(later)), facts.c.key.not_in(tuple(MANY)))
    earlier = [read_fact(row) for row in connection.execute(query.order_by(facts.c.id).limit(_MOST))]
    return tuple(Contradiction(each, later[each.replaced_by]) for each in earlier if each.replaced_by is not None)


def settle(connection: Connection, person: str, found: Contradiction, holds: Holds, at: datetime) -> bool:
    """Return whether *found* was settled: not where the facts have changed since, or the later one is to hold."""
    earlier, later = found.earlier, found.later
    one = and_(facts.c.person == person, facts.c.id == earlier.id, facts.c.replaced_by == later.id)
    other = and_(facts.c.person == person, facts.c.id == later.id, facts.c.retired_at.is_(None))
    stands = [connection.scalar(select(facts.c.id).where(which)) for which in (one, other)]
    if holds == "later" or None in stands:
        return False
    again = {"retired_at": None, "retired_turn": "", "replaced_by": None}
    connection.execute(update(facts).where(one).values(again))
    if holds == "earlier":
        over = {"retired_at": at, "retired_turn": later.turn, "replaced_by": earlier.id}
        connection.execute(update(facts).where(other).values(over))
        predicate = predicate_of(later.key)
        target = store.find(connection, person, [(later.value, NAMED_BY.get(later.key, UNTYPED))])[0]
        if predicate and target is not None:
            unrelate(connection, person, [Relation(later.entity, predicate, target.id)])
    relate_again(connection, person, earlier)
    return True

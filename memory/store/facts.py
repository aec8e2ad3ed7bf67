"""Facts in SQL: stating, looking up now and at a past date, the history, and withdrawing with a turn.

Every function is given a connection and a person, and sees only what is theirs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, cast

from sqlalchemy import BindParameter, Connection, Integer, Row, and_, bindparam, delete, insert, or_, select, update

from memory.knowledge.facts import SELF, Statement, StoredFact, decide, slot
from memory.store.remembered import facts

# Built once: to put a statement together costs about as much as to run it.
_WHO: Final[BindParameter[Any]] = bindparam("who")
_IDS: Final[BindParameter[Any]] = bindparam("ids", expanding=True)
_LIVING: Final = select(facts).where(facts.c.person == _WHO, facts.c.entity.in_(_IDS), facts.c.retired_at.is_(None))
_STANDING: Final = _LIVING.where(facts.c.key.in_(bindparam("keys", expanding=True))).order_by(facts.c.id)
_CURRENT: Final = _LIVING.order_by(facts.c.id.desc()).limit(bindparam("most", type_=Integer))
_INSERT: Final = insert(facts)
_AGAIN: Final = (
    update(facts).where(facts.c.person == _WHO, facts.c.id == bindparam("which")).values(said=facts.c.said + 1)
)
_END: Final = (
    update(facts)
    .where(facts.c.person == _WHO, facts.c.id.in_(_IDS))
    .values(retired_at=bindparam("ended"), retired_turn=bindparam("by_turn"), replaced_by=bindparam("by"))
)


@dataclass(frozen=True, slots=True)
class Place:
    """Where something was said: in which turn of which conversation, and when."""

    conversation: str
    turn: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Change:
    """A fact that changed: the value before ("" where there was none) and now ("" where it was retracted)."""

    entity: str
    key: str
    old: str
    new: str


def state(connection: Connection, person: str, statements: Sequence[Statement], place: Place) -> tuple[Change, ...]:
    """Return what *statements* changed, kept in their order; what is said again is counted, not kept twice."""
    if not statements:
        return ()
    rows = connection.execute(
        _STANDING,
        {
            "who": person,
            "ids": tuple({each.entity for each in statements}),
            "keys": tuple({each.key for each in statements}),
        },
    )
    current = [read_fact(row) for row in rows]
    changes: list[Change] = []
    for each in statements:
        found = [fact for fact in current if slot(fact) == slot(each)]
        decision = decide(found, each)
        if decision.repeats is not None and not (place.turn and _turn_of(found, decision.repeats) == place.turn):
            connection.execute(_AGAIN, {"who": person, "which": decision.repeats})
        kept = _insert(connection, person, each, place, current=found) if decision.keep else None
        if decision.retire:
            by = kept.id if kept else decision.repeats
            _retire(connection, person, decision.retire, place=place, by=by)
        old = next((fact.value for fact in found if fact.id in decision.retire), "")
        current = [fact for fact in current if fact.id not in decision.retire]
        if kept is not None and kept.retired_at is None:
            current.append(kept)
        if decision.retire or (kept is not None and kept.retired_at is None):
            changes.append(Change(each.entity, each.key, old, "" if each.act == "retracts" else each.value))
    return tuple(changes)


def current_facts(
    connection: Connection, person: str, entities: Iterable[str] = (SELF,), *, limit: int = 200
) -> tuple[StoredFact, ...]:
    """Return what holds now of *entities*, the newest *limit*, oldest first."""
    rows = connection.execute(_CURRENT, {"who": person, "ids": tuple(entities), "most": limit}).all()
    return tuple(read_fact(row) for row in reversed(rows))


def facts_at(
    connection: Connection, person: str, moment: datetime, entities: Iterable[str] = (SELF,)
) -> tuple[StoredFact, ...]:
    """Return what held of *entities* at *moment*, oldest first."""
    query = select(facts).where(
        facts.c.person == person,
        facts.c.entity.in_(tuple(entities)),
        facts.c.valid_from <= moment,
        or_(facts.c.retired_at.is_(None), facts.c.retired_at > moment),
        facts.c.withdrawn.is_(False),
        facts.c.act != "retracts",
    )
    return tuple(read_fact(row) for row in connection.execute(query.order_by(facts.c.id)))


def fact_history(
    connection: Connection, person: str, entity: str | None = None, *, limit: int | None = None
) -> tuple[StoredFact, ...]:
    """Return all that was ever stated of *entity*, or of everything (None), oldest first; the newest *limit* of it."""
    query = select(facts).where(facts.c.person == person)
    if entity is not None:
        query = query.where(facts.c.entity == entity)
    rows = connection.execute(query.order_by(facts.c.id.desc()).limit(limit)).all()
    return tuple(read_fact(row) for row in reversed(rows))


def withdraw_facts(
    connection: Connection, person: str, turns: Sequence[str], *, erase: bool, at: datetime
) -> tuple[StoredFact, ...]:
    """Return the facts that hold again, once what was stated in *turns* is taken back.

    It stays in the history as withdrawn, or is erased where the turns themselves are.
    """
    if erase:  # what had been taken back before, when the turn was put aside
        gone_before = and_(facts.c.person == person, facts.c.turn.in_(tuple(turns)), facts.c.withdrawn.is_(True))
        connection.execute(delete(facts).where(gone_before))
    of_turns = and_(facts.c.person == person, facts.c.turn.in_(tuple(turns)), facts.c.withdrawn.is_(False))
    # What was said in another turn too stays, on that turn's word.
    elsewhere = {"said": facts.c.said - 1, "turn": "", "conversation": ""}
    connection.execute(update(facts).where(of_turns, facts.c.said > 1).values(elsewhere))
    gone = [read_fact(row) for row in connection.execute(select(facts).where(of_turns).order_by(facts.c.id.desc()))]
    again: list[StoredFact] = []
    for fact in gone:
        # What it had ended is ended by what ended it, if anything did.
        ended = and_(facts.c.person == person, facts.c.replaced_by == fact.id)
        if fact.replaced_by is None:
            again += [read_fact(row) for row in connection.execute(select(facts).where(ended))]
        end = {
            "retired_at": fact.retired_at if fact.replaced_by is not None else None,
            "retired_turn": fact.retired_turn if fact.replaced_by is not None else "",
            "replaced_by": fact.replaced_by,
        }
        connection.execute(update(facts).where(ended).values(end))
    if not gone:
        return ()
    ids = [fact.id for fact in gone]
    mine = and_(facts.c.person == person, facts.c.id.in_(ids))
    if erase:
        connection.execute(delete(facts).where(mine))
        return _living(again, ids)
    connection.execute(update(facts).where(mine).values(withdrawn=True, replaced_by=None))
    connection.execute(update(facts).where(mine, facts.c.retired_at.is_(None)).values(retired_at=at))
    return _living(again, ids)


def _living(again: Sequence[StoredFact], gone: Sequence[int]) -> tuple[StoredFact, ...]:
    return tuple(fact for fact in again if fact.id not in gone and not fact.withdrawn)


def _turn_of(found: Sequence[StoredFact], identifier: int) -> str:
    return next(fact.turn for fact in found if fact.id == identifier)


def _insert(
    connection: Connection, person: str, each: Statement, place: Place, *, current: Sequence[StoredFact]
) -> StoredFact:
    overruled = decide(current, each).overruled_by
    over = each.act == "retracts" or overruled is not None
    values = {
        "person": person,
        "entity": each.entity,
        "key": each.key,
        "detail": each.detail,
        "value": each.value,
        "amount": each.amount,
        "unit": each.unit,
        "source": each.source,
        "act": each.act,
        "conversation": place.conversation,
        "turn": place.turn,
        "valid_from": place.at,
        "retired_at": place.at if over else None,
        "retired_turn": place.turn if over else "",
        "replaced_by": overruled,
    }
    key = connection.execute(_INSERT, values).inserted_primary_key
    identifier = int(key[0]) if key else 0
    return StoredFact(
        identifier, each.entity, each.key, each.detail, each.value, each.amount, each.unit, each.source, each.act, 1,
        place.conversation, place.turn, place.at, place.at if over else None,
    )  # fmt: skip


def _retire(connection: Connection, person: str, ids: Sequence[int], *, place: Place, by: int | None) -> None:
    connection.execute(
        _END, {"who": person, "ids": tuple(ids), "ended": place.at, "by_turn": place.turn, "by": by}
    )  # fmt: skip


def read_fact(row: Row[tuple[object, ...]]) -> StoredFact:
    """Return a row of the table as a value."""
    values = dict(row._mapping)
    values.pop("person")
    return StoredFact(**cast("dict[str, object]", values))  # type: ignore[arg-type]

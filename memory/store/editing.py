"""What a person changes by hand in what is remembered of them: names, types, facts, single entities, the pause.

Every function is given a connection and a person, and sees only what is theirs.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import ColumnElement, Connection, and_, delete, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite

from languages.text import fold
from memory.errors import FactNotFound, NameTaken
from memory.knowledge.facts import MANY, Statement, StoredFact, slot
from memory.knowledge.identity import keys_of
from memory.knowledge.stating import predicate_of
from memory.store.entities import StoredEntity, find
from memory.store.facts import Place, current_facts, fact_history, state
from memory.store.relations import Relation, unrelate
from memory.store.remembered import entities, entity_keys, facts, identity_changes, mentions, relations
from memory.store.tables import conversations, people
from memory.types import Role

MENTIONS_SHOWN: Final = 50  # of one entity, the newest


@dataclass(frozen=True, slots=True)
class StoredMention:
    """Where an entity was mentioned: as what, by whom, in which turn of which conversation.

    ``title`` is the conversation's, None where there is no such conversation to open.
    """

    text: str
    role: Role
    conversation: str
    turn: str
    at: datetime
    title: str | None = None


def is_paused(connection: Connection, person: str) -> bool:
    """Return whether nothing new is learnt of *person* for now."""
    return bool(connection.scalar(select(people.c.paused).where(people.c.id == person)))


def pause(connection: Connection, person: str, paused: bool) -> None:
    """Learn nothing new of *person* from now on, or learn again."""
    connection.execute(update(people).where(people.c.id == person).values(paused=paused))


def mentions_of(connection: Connection, person: str, entity: str) -> tuple[StoredMention, ...]:
    """Return where *entity* was mentioned, the newest first, at most ``MENTIONS_SHOWN``."""
    theirs = and_(conversations.c.id == mentions.c.conversation, conversations.c.person == person)
    query = (
        select(mentions, conversations.c.title)
        .select_from(mentions.outerjoin(conversations, theirs))
        .where(mentions.c.person == person, mentions.c.entity == entity)
        .order_by(mentions.c.at.desc(), mentions.c.id.desc())
        .limit(MENTIONS_SHOWN)
    )
    return tuple(
        StoredMention(row.text, row.role, row.conversation, row.turn, row.at, row.title)
        for row in connection.execute(query)
    )


def mentioned_when(connection: Connection, person: str) -> tuple[tuple[datetime, str], ...]:
    """Return the moment of every mention with the type of what was mentioned, in order."""
    query = (
        select(mentions.c.at, entities.c.type)
        .join(entities, entities.c.id == mentions.c.entity)
        .where(mentions.c.person == person, entities.c.person == person)
        .order_by(mentions.c.at)
    )
    return tuple((row.at, row.type) for row in connection.execute(query))


def rename(connection: Connection, person: str, entity: StoredEntity, *, name: str, type_: str) -> None:
    """Give *entity* another name or type; it is still found under the name that it had.

    Raises: NameTaken where another entity of that type has the name.
    """
    keys = keys_of(name, type_)
    others = and_(entities.c.person == person, entities.c.type == type_, entities.c.id != entity.id)
    if not keys.own or connection.scalar(select(entities.c.id).where(others, entities.c.key == keys.own)) is not None:
        raise NameTaken(
            f"found another entity called {name[:80]!r}; expected a name of its own; merge the two instead",
            {"name": name},
        )
    aliases = [each for each in dict.fromkeys((*entity.aliases, entity.name)) if each != name]
    values = {"name": name, "key": keys.own, "type": type_, "aliases": aliases}
    connection.execute(update(entities).where(_mine(person, entity.id)).values(values))
    _set_keys(connection, person, entity.id, name=name, aliases=aliases, type_=type_)


def set_aliases(connection: Connection, person: str, entity: StoredEntity, aliases: Iterable[str]) -> None:
    """Let *entity* be found under its name and *aliases*, and under nothing else."""
    kept = [each for each in dict.fromkeys(aliases) if each != entity.name and keys_of(each, entity.type).own]
    connection.execute(update(entities).where(_mine(person, entity.id)).values(aliases=kept))
    _set_keys(connection, person, entity.id, name=entity.name, aliases=kept, type_=entity.type)


def forget_entity(connection: Connection, person: str, entity: str) -> None:
    """Delete *entity* with its names, mentions, facts and relations, and what its merges and splits have noted."""
    connection.execute(delete(facts).where(facts.c.person == person, facts.c.entity == entity))
    ends = or_(relations.c.subject == entity, relations.c.object == entity)
    connection.execute(delete(relations).where(relations.c.person == person, ends))
    either = or_(identity_changes.c.entity == entity, identity_changes.c.other == entity)
    connection.execute(delete(identity_changes).where(identity_changes.c.person == person, either))
    connection.execute(delete(entities).where(_mine(person, entity)))  # names, mentions and sentences go with it


def restate(connection: Connection, person: str, fact: int, value: str, at: datetime) -> None:
    """Let *value* hold where the fact of that id held; what stood there stays in the history.

    Raises: FactNotFound where that fact does not hold any more.
    """
    old = _holding(connection, person, fact)
    place = Place("", "", at)
    if fold(old.value) == fold(value) and old.value != value:  # the same in another spelling is a correction as well
        connection.execute(update(facts).where(facts.c.person == person, facts.c.id == fact).values(value=value))
        return
    if old.key in MANY:  # this value alone, not those beside it
        gone = Statement(old.entity, old.key, old.value, act="retracts", detail=old.detail)
        new = Statement(old.entity, old.key, value, act="adds", detail=old.detail)
        state(connection, person, (gone, new), place)
    else:
        state(connection, person, (Statement(old.entity, old.key, value, act="corrects", detail=old.detail),), place)
    _undraw(connection, person, old)


def forget_fact(connection: Connection, person: str, fact: int) -> None:
    """Delete a fact that holds, with what it had replaced.

    Raises: FactNotFound where that fact does not hold any more.
    """
    old = _holding(connection, person, fact)
    alike = [each for each in fact_history(connection, person, old.entity) if slot(each) == slot(old)]
    if old.key in MANY:
        alike = [each for each in alike if each.id == old.id or fold(each.value) == fold(old.value)]
    gone = tuple(each.id for each in alike)
    connection.execute(delete(facts).where(facts.c.person == person, facts.c.id.in_(gone)))
    _undraw(connection, person, old)


def _holding(connection: Connection, person: str, fact: int) -> StoredFact:
    row = connection.execute(select(facts.c.entity).where(facts.c.person == person, facts.c.id == fact)).one_or_none()
    held = current_facts(connection, person, (row.entity,)) if row is not None else ()
    found = next((each for each in held if each.id == fact), None)
    if found is None:
        raise FactNotFound(f"found that fact {fact} does not hold; expected one that does; load the page again")
    return found


def _undraw(connection: Connection, person: str, old: StoredFact) -> None:
    """Remove the relation that a fact had drawn."""
    predicate = predicate_of(old.key)
    target = find(connection, person, [(old.value, "OTHER")])[0] if predicate else None
    if target is not None:
        unrelate(connection, person, [Relation(old.entity, predicate, target.id)])


def _set_keys(
    connection: Connection, person: str, entity: str, *, name: str, aliases: Iterable[str], type_: str
) -> None:
    mine = and_(entity_keys.c.person == person, entity_keys.c.entity == entity)
    connection.execute(delete(entity_keys).where(mine))
    kinds: dict[str, str] = {keys_of(name, type_).own: "name"}
    for each in (name, *aliases):
        keys = keys_of(each, type_)
        for key in keys.lookup:
            kinds.setdefault(key, "alias")
        for key in sorted(keys.shorts):
            kinds.setdefault(key, "short")
    rows = [{"person": person, "entity": entity, "key": key, "kind": kind} for key, kind in kinds.items() if key]
    make = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    connection.execute(make(entity_keys).on_conflict_do_nothing(), rows)


def _mine(person: str, entity: str) -> ColumnElement[bool]:
    return and_(entities.c.person == person, entities.c.id == entity)

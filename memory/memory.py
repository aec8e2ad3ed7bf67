"""What is known of each person: who and what was talked about, which facts hold, and what a prompt should see of it.

``EntityMemory`` ties the stores together; it holds no state of a person.  Reading takes a fixed number of statements,
writing as many again, within the transaction that keeps the turn: the cost does not grow with the memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final, Protocol

from sqlalchemy import Connection

from languages.remembering import canonical_predicate
from memory.errors import EntityNotFound
from memory.knowledge import graph
from memory.knowledge.facts import SELF, Statement, StoredFact, placed, with_heard
from memory.knowledge.graph import Triple
from memory.knowledge.heard import Heard
from memory.knowledge.identity import UNTYPED
from memory.knowledge.ranking import EntityContext, Weights, candidate_keys, score
from memory.knowledge.stating import predicate_of, spoken_of
from memory.knowledge.typesets import TypeSet, read_types
from memory.store import entities as store
from memory.store import merging, people, queue
from memory.store.conversations import keep_person, utc_now
from memory.store.database import Database
from memory.store.editing import is_paused
from memory.store.entities import Named, StoredEntity
from memory.store.facts import Change, Place, current_facts, fact_history, facts_at, state
from memory.store.relations import Relation, evidence_of, relate, relations_of, unrelate
from memory.store.withdrawing import withdraw
from memory.types import Catalog

RECENT: Final = 12  # entities that are looked at though the question does not name them


class Listener(Protocol):
    """Hears what one message states, by the rules of its language."""

    def __call__(self, message: str, *, language: str, catalog: Catalog | None, focus: str) -> tuple[Heard, ...]:
        """Return what *message* states; *catalog* knows names, *focus* is what the conversation is about."""
        ...


@dataclass(frozen=True, slots=True)
class Said:
    """What one message, or one turn, brings: who and what is named, what is stated, which relations are drawn.

    A relation is (subject, predicate, object), by name; the subject "" is the person.
    """

    conversation: str = ""
    turn: str = ""
    named: tuple[Named, ...] = ()
    heard: tuple[Heard, ...] = ()
    relations: tuple[Triple, ...] = ()
    at: datetime | None = None
    again: bool = False  # the turn was kept already and is being read once more


@dataclass(frozen=True, slots=True)
class MemoryContext:
    """What a prompt is told: the person's facts, then entities, the most relevant first."""

    profile: tuple[StoredFact, ...] = ()
    entities: tuple[EntityContext, ...] = ()


@dataclass(frozen=True, slots=True)
class Rules:
    """What the memory of an application does: its types, how it ranks, how much it tells a prompt.

    ``tokens`` is the budget of what a prompt is told; a token is about three characters.
    """

    types: TypeSet = field(default_factory=read_types)
    weights: Weights = field(default_factory=Weights)
    entities: int = 6
    snippets: int = 3
    profile: int = 24
    tokens: int = 600


class EntityMemory:
    """The memory of a database, for any number of people; safe to share between threads."""

    def __init__(
        self,
        database: Database,
        *,
        listener: Listener | None = None,
        rules: Rules | None = None,
        queued: bool = False,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        self._database = database
        self._listener = listener
        self.rules = rules or Rules()
        self._queued = queued  # slower extractors read the turns afterwards
        self._now = now

    def listen(
        self, message: str, *, language: str, catalog: Catalog | None = None, focus: str = ""
    ) -> tuple[Heard, ...]:
        """Return what *message* states, by the rules of *language*; nothing where no listener was given."""
        return self._listener(message, language=language, catalog=catalog, focus=focus) if self._listener else ()

    def remember(self, person: str, said: Said, connection: Connection | None = None) -> tuple[Change, ...]:
        """Return which facts *said* changed, once all of it is kept; within *connection*'s transaction if given.

        Nothing is kept while the person has paused their memory.

        Raises: StoreError.
        """
        place = Place(said.conversation, said.turn, said.at or self._now())
        with self._writing(connection) as writing:
            if connection is None:  # a turn's conversation has its person
                keep_person(writing, person, now=place.at)
            if is_paused(writing, person):
                return ()
            named = (*said.named, *spoken_of(said.heard, said.named))
            found = store.note(writing, person, named, place, again=said.again)
            ids = {each.name: entity.id for each, entity in zip(named, found, strict=True) if entity}
            statements = [
                Statement.of(each, entity=ids[each.subject] if each.subject else SELF)
                for each in self._placed(writing, person, said.heard)
                if not each.subject or each.subject in ids
            ]
            changes = state(writing, person, statements, place)
            self._relate(writing, person, said, ids, changes, place)
        return changes

    def enqueue(self, person: str, conversation: str, turn: str, connection: Connection) -> None:
        """Let slower extractors read a kept turn, where there are any."""
        if self._queued and not is_paused(connection, person):
            queue.enqueue(connection, person, conversation, turn, self._now())

    def withdraw(
        self, person: str, turns: Sequence[str], connection: Connection | None = None, *, erase: bool = False
    ) -> None:
        """Take back what was learnt from *turns*, so that what held before holds again.

        With *erase* nothing of it stays in the history either: the turns are being deleted.
        """
        with self._writing(connection) as writing:
            withdraw(writing, person, turns, erase=erase, at=self._now())

    def context_for(
        self, question: str, *, person: str, heard: Sequence[Heard] = (), tokens: int | None = None
    ) -> MemoryContext:
        """Return what a prompt about *question* is told of *person*, what they are just saying (*heard*) included."""
        now = self._now()
        with self._database.read() as connection:
            known = store.named_in(connection, person, candidate_keys(question))
            ranked = self._ranked(connection, person, known, now)
            ids = [entity.id for entity, _ in ranked]
            facts = current_facts(connection, person, (SELF, *ids))
            about = store.snippets_of(connection, person, ids, each=self.rules.snippets, role="user")
        own = with_heard([fact for fact in facts if fact.entity == SELF], heard, now)[-self.rules.profile :]
        contexts = [
            EntityContext(
                entity.name, entity.type, tuple(fact for fact in facts if fact.entity == entity.id),
                about.get(entity.id, ()), points, entity.id,
            )
            for entity, points in ranked
        ]  # fmt: skip
        return _within(own, contexts, tokens if tokens is not None else self.rules.tokens)

    def facts(self, person: str, subject: str = "", *, as_of: datetime | None = None) -> tuple[StoredFact, ...]:
        """Return what holds of *subject* ("" for the person) now, or held at *as_of*; expired entities included."""
        with self._database.read() as connection:
            entity = self._id(connection, person, subject) if subject else SELF
            if entity is None:
                return ()
            if as_of is None:
                return current_facts(connection, person, (entity,))
            return facts_at(connection, person, as_of, (entity,))

    def history(self, person: str, subject: str | None = None, *, limit: int | None = None) -> tuple[StoredFact, ...]:
        """Return what was ever stated of *subject*, or of everything (None), oldest first; the newest *limit* of it."""
        with self._database.read() as connection:
            entity = self._id(connection, person, subject) if subject else subject
            return () if subject and entity is None else fact_history(connection, person, entity, limit=limit)

    def entities(self, person: str) -> tuple[StoredEntity, ...]:
        """Return all entities of *person*, those spoken of last first."""
        with self._database.read() as connection:
            return store.recent(connection, person, limit=None)

    def recent(self, person: str, limit: int = RECENT) -> tuple[StoredEntity, ...]:
        """Return the entities spoken of last, the newest first."""
        with self._database.read() as connection:
            return store.recent(connection, person, limit=limit)

    def entity(self, person: str, name: str, type_: str = UNTYPED) -> StoredEntity | None:
        """Return the one entity that *name* means, None where there is none or several."""
        with self._database.read() as connection:
            return store.find(connection, person, [(name, type_)])[0]

    def snippets(self, person: str, name: str, *, limit: int = 3) -> tuple[str, ...]:
        """Return the newest sentences about the entity, oldest first; none for a *limit* of 0."""
        with self._database.read() as connection:
            entity = self._id(connection, person, name)
            return store.snippets_of(connection, person, [entity], each=limit).get(entity, ()) if entity else ()

    def get_triples(self, person: str) -> tuple[Triple, ...]:
        """Return the relations as (subject, predicate, object) by name; "" is the person."""
        with self._database.read() as connection:
            found = relations_of(connection, person)
            known = store.by_ids(connection, person, {end for each in found for end in (each.subject, each.object)})
        name = {identifier: entity.name for identifier, entity in known.items()} | {SELF: ""}
        return tuple(
            (name[each.subject], each.predicate, name[each.object])
            for each in found
            if each.subject in name and each.object in name
        )

    def evidence(self, person: str, triple: Triple) -> tuple[tuple[str, str], ...]:
        """Return the turns that said *triple*, and the words for its predicate there."""
        with self._database.read() as connection:
            subject = self._id(connection, person, triple[0]) if triple[0] else SELF
            target = self._id(connection, person, triple[2])
            if subject is None or target is None:
                return ()
            return evidence_of(connection, person, Relation(subject, canonical_predicate(triple[1]), target))

    def neighbours(self, person: str, name: str, *, steps: int = 1) -> tuple[str, ...]:
        """Return the names of what is at most *steps* relations away from *name* ("" for the person)."""
        return graph.neighbours(self.get_triples(person), self._name(person, name), steps=steps)

    def paths(self, person: str, start: str, end: str) -> tuple[tuple[Triple, ...], ...]:
        """Return the ways over relations from *start* to *end*, the shortest first."""
        names = self._name(person, start), self._name(person, end)
        return graph.paths(self.get_triples(person), *names)

    def suggestions(self, person: str) -> tuple[tuple[StoredEntity, StoredEntity], ...]:
        """Return the pairs of entities that may be one."""
        with self._database.read() as connection:
            return merging.suggest(connection, person)

    def merge(self, person: str, kept: str, other: str) -> int:
        """Return the number under which the merge of *other* into *kept*, both by id, can be taken back.

        Raises: EntityNotFound.
        """
        with self._database.write() as connection:
            found = store.by_ids(connection, person, (kept, other))
            if len(found) < 2:
                raise EntityNotFound("found fewer than two of these entities; expected two; look at what is remembered")
            return merging.merge(connection, person, found[kept], found[other], self._now())

    def take_back(self, person: str, change: int) -> StoredEntity:
        """Return the entity that merge *change* had made a name of another, on its own again.

        Raises: EntityNotFound.
        """
        with self._database.write() as connection:
            return merging.take_back(connection, person, change, self._now())

    def split(self, person: str, entity: str, into: Named) -> StoredEntity | None:
        """Return a new entity with the mentions of *entity* (an id) that are written as *into*.

        Raises: EntityNotFound.
        """
        with self._database.write() as connection:
            found = store.by_ids(connection, person, (entity,))
            if not found:
                raise EntityNotFound("found no such entity; expected one of this person; look at what is remembered")
            return merging.split(connection, person, found[entity], into, self._now())

    def identity_history(self, person: str) -> tuple[tuple[int, str, str, str], ...]:
        """Return the merges and splits so far: number, kind, the entity that stayed, the other, both by id."""
        with self._database.read() as connection:
            return merging.changes(connection, person)

    def merges(self, person: str) -> tuple[merging.Merge, ...]:
        """Return the merges so far, the latest first, with the name that the other one had."""
        with self._database.read() as connection:
            return merging.merges(connection, person)

    def export(self, person: str) -> dict[str, Any]:
        """Return all that is kept of *person* as plain JSON values."""
        with self._database.read() as connection:
            return people.export(connection, person)

    @contextmanager
    def _writing(self, connection: Connection | None) -> Iterator[Connection]:
        if connection is not None:
            yield connection
            return
        with self._database.write() as own:
            yield own

    def _id(self, connection: Connection, person: str, name: str) -> str | None:
        found = store.find(connection, person, [(name, UNTYPED)])[0]
        return found.id if found else None

    def _name(self, person: str, name: str) -> str:
        found = self.entity(person, name) if name else None
        return found.name if found else name

    def _placed(self, connection: Connection, person: str, heard: Sequence[Heard]) -> list[Heard]:
        """Return *heard* with the key that a bare correction ("no, I meant 900 €") stands for."""
        if all(each.key for each in heard):
            return list(heard)
        current = current_facts(connection, person)
        return [found for each in heard if (found := placed(each, current)) is not None]

    def _relate(
        self,
        connection: Connection,
        person: str,
        said: Said,
        ids: dict[str, str],
        changes: Sequence[Change],
        place: Place,
    ) -> None:
        ended = [(change, predicate_of(change.key)) for change in changes if change.old]
        names = [name for triple in said.relations for name in (triple[0], triple[2]) if name]
        names += [change.old for change, predicate in ended if predicate]
        wanted = [name for name in dict.fromkeys(names) if name not in ids]
        for name, entity in zip(wanted, store.find(connection, person, [(n, UNTYPED) for n in wanted]), strict=True):
            if entity is not None:
                ids[name] = entity.id
        gone = [
            Relation(change.entity, predicate, ids[change.old])
            for change, predicate in ended
            if predicate and change.old in ids
        ]
        unrelate(connection, person, gone)
        drawn = [
            Relation(
                ids.get(subject, SELF) if subject else SELF, canonical_predicate(predicate), ids[target], predicate
            )
            for subject, predicate, target in said.relations
            if target in ids and (not subject or subject in ids)
        ]
        for each in said.heard:
            predicate = predicate_of(each.key)
            if predicate and each.act != "retracts" and each.value in ids:
                subject = ids.get(each.subject, "") if each.subject else SELF
                drawn.append(Relation(subject, predicate, ids[each.value], each.key))
        relate(connection, person, drawn, place)

    def _ranked(
        self, connection: Connection, person: str, known: dict[str, StoredEntity], now: datetime
    ) -> list[tuple[StoredEntity, float]]:
        """Return the entities that a prompt may see with their scores, the highest first."""
        related = relations_of(connection, person, known) if known else ()
        near = {end for each in related for end in (each.subject, each.object)} - known.keys() - {SELF}
        others = store.by_ids(connection, person, near) | {
            each.id: each for each in store.recent(connection, person, limit=RECENT)
        }
        ranked = []
        for entity in (others | known).values():
            ttl = self.rules.types.ttl(entity.type)
            if ttl is not None and now - entity.last_seen > ttl:
                continue
            points = score(
                entity, named=entity.id in known, neighbour=entity.id in near, now=now, weights=self.rules.weights
            )  # fmt: skip
            if points > self.rules.weights.threshold:
                ranked.append((entity, points))
        ranked.sort(key=lambda each: (-each[1], each[0].name))
        return ranked[: self.rules.entities]


def _within(own: Sequence[StoredFact], contexts: Sequence[EntityContext], tokens: int) -> MemoryContext:
    """Return what fits into *tokens*: the profile first, of entities their facts before what was said of them."""
    left = tokens * 3
    profile: list[StoredFact] = []
    for fact in reversed(own):  # the newest first
        left -= len(fact.key) + len(fact.value) + 4
        if left < 0:
            break
        profile.insert(0, fact)
    kept: list[EntityContext] = []
    for each in contexts:
        left -= len(each.name) + sum(len(fact.key) + len(fact.value) + 4 for fact in each.facts) + 20
        if left < 0:
            break
        snippets: list[str] = []
        for snippet in reversed(each.snippets):
            if left - len(snippet) < 0:
                break
            left -= len(snippet)
            snippets.insert(0, snippet)
        if each.facts or snippets:
            kept.append(replace(each, snippets=tuple(snippets)))
    return MemoryContext(tuple(profile), tuple(kept))

"""EntityMemory and its kin: related, kept on disk, expiring, and in front of a retriever."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final, Protocol

from languages.detect import detect
from languages.pack import default_code, load
from memory.attempt import Failed, attempt
from memory.catalog import NameIndex
from memory.faces.kept import Keeping, Kept
from memory.faces.profile import Invokes
from memory.faces.shapes import Entity
from memory.knowledge.extraction import Found, Request, entities_in, read_answer, relations_in
from memory.knowledge.extractors import RuleExtractor, messages_of
from memory.knowledge.identity import keys_of
from memory.knowledge.ranking import Weights, candidate_keys, score
from memory.knowledge.typesets import read_types
from memory.reference.discourse import Discourse
from memory.reference.observe import observe
from memory.reference.resolve import resolve
from memory.store.conversations import utc_now
from memory.types import Name, Resolution, Role

_CONTEXT: Final = 5  # entities of a context


class Searches(Protocol):
    """A vector store, reduced to what is asked of it."""

    def similarity_search(self, query: str, k: int) -> Sequence[Any]:
        """Return the *k* nearest documents; each has ``page_content``."""
        ...


def entity_types(domain: str) -> list[str]:
    """Return the types of a domain: commerce, support, hr or general.

    >>> "SKILL" in entity_types("hr"), "ISSUE" in entity_types("support")
    (True, True)
    """
    return [each.id for each in read_types(domain).types]


class EntityMemory(Kept):
    """The entities of a conversation, found by a model or by rules, and what a reference word means."""

    def __init__(
        self,
        llm: Invokes | None = None,
        entity_types: list[str] | None = None,
        *,
        language: str = "",
        keeping: Keeping | None = None,
    ) -> None:
        keeping = keeping or Keeping()
        super().__init__(keeping)
        self.llm = llm
        self.entity_types = entity_types or [each.id for each in read_types("general").types]
        self.recent_messages: list[dict[str, str]] = []
        self._now = keeping.now
        self._given = language
        self._discourse = Discourse(language=language or default_code())

    @property
    def entities(self) -> dict[str, Entity]:
        """Return the entities by name, in their first spelling."""
        return {each.name: self._entity(each) for each in self.memory.entities(self._person)}

    def add_message(self, role: Role, content: str) -> None:
        """Keep a message: what it names, as said by the person or by the assistant."""
        with self._lock:
            language = self._given or detect(content, previous=self._discourse.language).code
            self.recent_messages.append({"role": role, "content": content, "timestamp": self._now().isoformat()})
            self._discourse = observe(self._discourse, role, content, language=language, catalogs=(self._catalog(),))
            found = self._extract(content, language)
            self.outcomes[found.outcome] += 1
            self._keep(found, role=role, text=content)

    def get_recent_entities(self, limit: int = 5) -> list[Entity]:
        """Return the entities spoken of last, the newest first."""
        return [self._entity(each) for each in self.memory.recent(self._person, limit=max(limit, 0))]

    def get_prioritized_entities(self, query: str, limit: int = 5) -> list[Entity]:
        """Return the entities that matter most for *query*: named in it, lately, often; those alone that matter."""
        keys = set(candidate_keys(query))
        ranked = []
        for each in self.memory.entities(self._person):
            own = keys_of(each.name, each.type)
            named = bool(keys & {*own.lookup, *own.shorts})
            points = score(each, named=named, neighbour=False, now=self._now(), weights=Weights())
            ranked.append((points, each))
        ranked.sort(key=lambda pair: -pair[0])
        return [self._entity(each) for _, each in ranked[: max(limit, 0)]]

    def resolve(self, text: str) -> Resolution:
        """Return what *text* refers to, by grammar and by what was said; words within words are no references."""
        language = self._given or detect(text, previous=self._discourse.language).code
        return resolve(text, self._discourse, catalog=self._catalog(), language=language)

    def resolve_reference(self, reference: str) -> str | None:
        """Return the one entity that a reference such as "it" or "ce produit" means, or None."""
        found = self.resolve(reference)
        return found.entities[0] if found.status == "resolved" and len(found.entities) == 1 else None

    def get_context(self) -> str:
        """Return what a prompt is told: the entities spoken of last, with their type and attributes."""
        recent = [each for each in self.get_recent_entities(_CONTEXT) if not self._has_expired(each)]
        code = self._given or self._discourse.language
        texts, types = load(code), self.memory.rules.types
        lines = []
        for each in recent:
            label = texts.text("label.entity", {"entity": each.name, "type": types.label(each.entity_type, code)})
            told = ", ".join(f"{key}: {value}" for key, value in each.attributes.items())
            lines.append(f"- {label}{': ' if told else ''}{told}")
        return "\n".join((f"{texts.text('label.entities')}:", *lines)) if lines else ""

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._home.clear(self._person)
            self.recent_messages.clear()
            self._discourse = Discourse(language=self._discourse.language)

    def _has_expired(self, entity: Entity) -> bool:
        ttl = self.memory.rules.types.ttl(entity.entity_type)
        return ttl is not None and self._now().timestamp() - entity.last_seen > ttl.total_seconds()

    def _catalog(self) -> NameIndex:
        known = self.memory.entities(self._person)
        return NameIndex.of([Name(each.name, each.type, each.aliases) for each in known])

    def _extract(self, content: str, language: str) -> Found:
        known = tuple(each.name for each in self.memory.recent(self._person))
        request = Request(content, language, known, tuple(self.entity_types))
        model = self.llm
        if model is None:
            return RuleExtractor().extract(request)
        answer = attempt(lambda: model.invoke("\n\n".join(message.content for message in messages_of(request))))
        if isinstance(answer, Failed):  # an outcome that is counted
            return Found(outcome="failed")
        value, outcome = read_answer(answer)
        if outcome != "found":
            return Found(outcome=outcome)
        entities = entities_in(value, content)
        relations = relations_in(value, [each.name for each in entities])
        return Found(entities, relations, outcome="found" if entities else "nothing")


class RelationalEntityMemory(EntityMemory):
    """Also knows how entities are related."""

    @property
    def relations(self) -> list[dict[str, str]]:
        """Return the relations, each once, by canonical names."""
        triples = self.memory.get_triples(self._person)
        return [{"source": source, "relation": said, "target": target} for source, said, target in triples]

    def get_related_entities(self, entity_name: str) -> list[dict[str, str]]:
        """Return what the entity is related to, in either direction, and how."""
        stored = self.memory.entity(self._person, entity_name)
        name = stored.name if stored else entity_name
        return [
            {"entity": triple[2] if triple[0] == name else triple[0], "relation": triple[1]}
            for triple in self.memory.get_triples(self._person)
            if name in (triple[0], triple[2])
        ]


class PersistentEntityMemory(EntityMemory):
    """Keeps its entities on disk, for any number of users and processes; no file is named after a user."""

    def __init__(
        self, llm: Invokes | None, user_id: str, storage_dir: Path | str = "entity_store", *, language: str = ""
    ) -> None:
        super().__init__(llm, language=language, keeping=Keeping(storage_dir, user_id))
        self.user_id = user_id

    def save(self) -> None:
        """Do nothing: every message is kept as soon as it is added."""


class ExpiringEntityMemory(EntityMemory):
    """Leaves what was not spoken of for a while out of the context; it is remembered still."""

    def __init__(
        self,
        llm: Invokes | None = None,
        ttl_minutes: float = 30,
        *,
        language: str = "",
        folder: Path | str | None = None,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        super().__init__(llm, language=language, keeping=Keeping(folder, now=now))
        self.ttl = timedelta(minutes=ttl_minutes)

    def _has_expired(self, entity: Entity) -> bool:
        return self._now().timestamp() - entity.last_seen > self.ttl.total_seconds()


class RAGWithEntityMemory:
    """A question resolved, documents retrieved for it, and an answer that knows the entities."""

    def __init__(self, vector_store: Searches, llm: Invokes, memory: EntityMemory | None = None) -> None:
        self.vector_store = vector_store
        self.llm = llm
        self.memory = memory or EntityMemory()

    def query(self, user_message: str) -> str:
        """Return the answer; what it names is kept as the assistant's words."""
        resolution = self.memory.resolve(user_message)
        documents = self.vector_store.similarity_search(resolution.standalone, k=3)
        self.memory.add_message("user", resolution.standalone)
        texts = load(resolution.language)
        found = "\n\n".join(str(document.page_content) for document in documents)
        parts = (
            texts.prompts.system,
            self.memory.get_context(),
            f"{texts.text('label.passages')}:\n{found}" if found else texts.text("label.no_passages"),
            f"{texts.text('label.question')}: {user_message}",
            f"{texts.text('label.standalone')}: {resolution.standalone}",
            texts.text("label.answer_language"),
        )
        answer = self.llm.invoke("\n\n".join(part for part in parts if part))
        self.memory.add_message("assistant", answer)
        return answer

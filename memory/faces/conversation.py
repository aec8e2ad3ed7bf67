"""ConversationEntityMemory: whom and what a conversation names, with the last sentences about each."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from typing import Any, Final, Protocol

from languages.pack import default_code
from languages.remembering import remembering
from languages.text import fold
from memory.attempt import Failed, attempt
from memory.faces.kept import Kept
from memory.knowledge.extraction import Extractor, Found, FoundEntity, Request, entities_in, read_answer
from memory.knowledge.extractors import RuleExtractor, messages_of, stanza_extractor
from memory.knowledge.identity import compare
from memory.store.entities import SNIPPETS

_SHORTEST: Final = 2  # characters: a fragment of a list that is no longer is no name
_LONGEST_NAME: Final = 6  # words: more is a sentence


class Generates(Protocol):
    """A model that completes a prompt."""

    def generate(self, prompt: str, max_tokens: int = 256) -> str:
        """Return the model's answer."""
        ...


class ConversationEntityMemory(Kept):
    """Tracks who and what a conversation names; made with a model that lists names, or none."""

    def __init__(
        self,
        llm: Generates | None = None,
        memory_key: str = "entity_info",
        input_key: str = "input",
        output_key: str = "output",
        lang: str = "",
        entity_extraction_prompt: str | None = None,
    ) -> None:
        super().__init__()
        self.llm = llm
        self.memory_key = memory_key
        self.input_key = input_key
        self.output_key = output_key
        self.lang = lang or default_code()
        self.entity_extraction_prompt = entity_extraction_prompt
        self.chat_memory: list[dict[str, Any]] = []
        stanza = stanza_extractor()
        self._extractor: Extractor = stanza if stanza.installed else RuleExtractor()

    def save_context(self, inputs: Mapping[str, str], outputs: Mapping[str, str]) -> None:
        """Keep one turn: whom it names, and the sentences about them."""
        said, answered = inputs.get(self.input_key, ""), outputs.get(self.output_key, "")
        with self._lock:
            found = self._extract(f"{said}\n{answered}")
            kept = self._keep(found, role="user", text=f"{said}\n{answered}")
            names = [entity.name for entity in kept]
            self.chat_memory.append({"input": said, "output": answered, "entities": names})

    def load_memory_variables(self, inputs: Mapping[str, str]) -> dict[str, Any]:
        """Return under ``memory_key`` the last three sentences about each entity that the input names."""
        text = inputs.get(self.input_key, "")
        with self._lock:
            context = remembering(self.lang).context
            blocks = [
                context.replace("{entity}", entity.name) + "\n" + "\n".join(told)
                for entity in self._named_in(text)
                if (told := self.memory.snippets(self._person, entity.name, limit=3))
            ]
        return {self.memory_key: "\n\n".join(blocks)}

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._home.clear(self._person)
            self.chat_memory.clear()
            self.outcomes.clear()

    def get_memory_stats(self) -> dict[str, Any]:
        """Return how many entities, messages and sentences are kept, and how extractions ended."""
        entities = self.memory.entities(self._person)
        contexts = sum(len(self.memory.snippets(self._person, each.name, limit=SNIPPETS)) for each in entities)
        return {
            "type": type(self).__name__,
            "entity_count": len(entities),
            "message_count": len(self.chat_memory),
            "total_contexts": contexts,
            "extraction_outcomes": dict(self.outcomes),
        }

    def get_entity_info(self, entity_name: str) -> dict[str, Any] | None:
        """Return what is known of an entity by any spelling of its name; None where it is unknown or ambiguous."""
        stored = self.memory.entity(self._person, entity_name)
        if stored is None:
            return None
        entity = self._entity(stored)
        return {
            "name": entity.name,
            "type": entity.entity_type,
            "contexts_count": len(entity.contexts),
            "first_seen": entity.first_seen,
            "last_seen": entity.last_seen,
            "recent_contexts": entity.get_recent_contexts(),
        }

    def list_entities(self) -> list[str]:
        """Return the names, in their first spelling, in the order in which they were first seen."""
        return [each.name for each in sorted(self.memory.entities(self._person), key=lambda each: each.first_seen)]

    async def asave_context(self, inputs: Mapping[str, str], outputs: Mapping[str, str]) -> None:
        """Keep one turn, in a thread."""
        await asyncio.to_thread(self.save_context, inputs, outputs)

    async def aload_memory_variables(self, inputs: Mapping[str, str]) -> dict[str, Any]:
        """Return what ``load_memory_variables`` does, from a thread."""
        return await asyncio.to_thread(self.load_memory_variables, inputs)

    def _extract(self, text: str) -> Found:
        request = Request(text, self.lang)
        rules = RuleExtractor().extract(request)
        found = self._asked(text, rules) if self.llm is not None else self._extractor.extract(request)
        self.outcomes[found.outcome] += 1
        return found

    def _asked(self, text: str, rules: Found) -> Found:
        """Return the names that the model lists, with the types that the rules see."""
        prompt = self.entity_extraction_prompt or "\n\n".join(
            message.content for message in messages_of(Request(text, self.lang))
        )
        model = self.llm
        answer = attempt(lambda: model.generate(prompt.replace("{text}", text), max_tokens=100) if model else "")
        if isinstance(answer, Failed):  # an outcome, shown in the stats
            return Found(outcome="failed")
        value, outcome = read_answer(answer)
        if outcome == "found":
            listed: Iterable[FoundEntity] = entities_in(value, text)
        elif outcome == "chatty":
            listed = [FoundEntity(name) for name in _listed(answer)]
        else:
            return Found(outcome=outcome)
        types = {each.name: each.type for each in rules.entities}
        typed = tuple(
            FoundEntity(each.name, each.type if each.type != "OTHER" else _type_of(each.name, types), each.attributes)
            for each in listed
        )
        return Found(typed, outcome="found" if typed else "nothing")


def _listed(answer: str) -> list[str]:
    """Return the names of an answer that is a list with commas; none where it is prose.

    >>> _listed("Mira Olsen, Ostrava"), _listed("Sure, I found two of them in what you wrote to me.")
    (['Mira Olsen', 'Ostrava'], [])
    """
    parts = [part.strip(" .\n") for part in answer.split(",")]
    if any(len(part.split()) > _LONGEST_NAME for part in parts):
        return []
    return [part for part in parts if len(part) > _SHORTEST and fold(part) not in ("none", "n/a")]


def _type_of(name: str, types: Mapping[str, str]) -> str:
    return next((type_ for known, type_ in types.items() if compare(known, name) in ("same", "short")), "OTHER")

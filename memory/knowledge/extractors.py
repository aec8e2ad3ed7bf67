"""Extractors: the rules of reference resolution, a chat model, and spaCy, GLiNER or stanza where they are installed.

None of the three libraries is needed; each is imported when it first reads a message.
"""

from __future__ import annotations

import importlib
import importlib.util
import threading
from collections.abc import Callable, Iterator
from types import MappingProxyType
from typing import Any, Final

from languages.remembering import remembering
from memory.knowledge.extraction import (
    Extractor,
    Found,
    FoundEntity,
    Request,
    entities_in,
    read_answer,
    relations_in,
)
from memory.knowledge.fencing import fenced
from memory.knowledge.heard import Heard
from memory.reference.discourse import Discourse
from memory.reference.observe import observe
from memory.types import ChatModel, Message

Read = Callable[[str], list[tuple[str, str]]]  # a text in, names with their labels out

RULES: Final = 10
MODEL: Final = 5
LIBRARIES: Final = 3

# What the libraries call the types of things.
_TYPES: Final = MappingProxyType(
    {
        "PER": "PERSON",
        "PERSON": "PERSON",
        "ORG": "ORGANIZATION",
        "ORGANIZATION": "ORGANIZATION",
        "LOC": "LOCATION",
        "GPE": "LOCATION",
        "FAC": "LOCATION",
        "LOCATION": "LOCATION",
        "PRODUCT": "PRODUCT",
        "EVENT": "EVENT",
        "WORK_OF_ART": "DOCUMENT",
        "LAW": "DOCUMENT",
    }
)
_NOT_NAMES: Final = frozenset(
    {"DATE", "TIME", "MONEY", "PERCENT", "QUANTITY", "CARDINAL", "ORDINAL", "NORP", "LANGUAGE"}
)


class RuleExtractor:
    """Finds names by the analysis that reference resolution uses; needs no model."""

    name = "rules"
    priority = RULES

    def extract(self, request: Request) -> Found:
        """Return the names in the message."""
        after = observe(Discourse(), "user", request.text, language=request.language)
        named = {
            mention.entity: FoundEntity(mention.entity, mention.type or "OTHER")
            for mention in after.mentions
            if mention.named and mention.type not in ("TIME", "MONEY")
        }
        return Found(tuple(named.values()), outcome="found" if named else "nothing")


class ModelExtractor:
    """Asks a chat model for entities, relations and fields as JSON."""

    priority = MODEL

    def __init__(self, model: ChatModel, *, failures: type[Exception] | tuple[type[Exception], ...] = ()) -> None:
        self._model = model
        self._failures = failures
        self.name = f"model {model.name}"

    def extract(self, request: Request) -> Found:
        """Return what the model says stands in the message; an answer that is no JSON finds nothing."""
        try:
            answer = "".join(self._model.stream(messages_of(request)))
        except self._failures:
            return Found(outcome="failed")
        value, outcome = read_answer(answer)
        if outcome != "found":
            return Found(outcome=outcome)
        entities = entities_in(value, request.text)
        names = [each.name for each in entities]
        heard = tuple(_fields(value, request))
        relations = relations_in(value, names)
        return Found(entities, relations, heard, "found" if entities or heard else "nothing")


def messages_of(request: Request) -> tuple[Message, ...]:
    """Return the prompt for a model: the rules with the shape of the answer, then the message as data."""
    words = remembering(request.language).extract
    parts = [words.rules.strip(), _SHAPE]
    if request.types:
        parts.append(f"{words.types}: {', '.join(request.types)}")
    if request.fields:
        listed = "\n".join(f'- "{name}": {meaning}' for name, meaning in request.fields.items())
        parts.append(f"{words.fields}:\n{listed}")
    if request.known:
        parts.append(f"{words.known}: {', '.join(request.known)}")
    return (
        Message("system", "\n\n".join(parts)),
        Message("user", f"{words.message}:\n{fenced(request.text)}"),
    )


_SHAPE: Final = (
    '{"entities": [{"name": "…", "type": "…", "attributes": {"…": "…"}}], '
    '"relations": [{"source": "…", "relation": "OWNS | PREFERS | COMPARES_TO | INTERESTED_IN | WORKS_AT | LOCATED_IN | '
    'PART_OF | …", "target": "…"}], "fields": {"…": "…"}}'
)


def _fields(value: Any, request: Request) -> Iterator[Heard]:
    """Yield the fields of an answer whose value stands in the message as it is written."""
    given = value.get("fields") if isinstance(value, dict) else None
    for name, each in given.items() if isinstance(given, dict) else ():
        text = str(each).strip() if isinstance(each, str | int | float) else ""
        start = request.text.find(text)
        if name in request.fields and text and start >= 0:
            yield Heard("", name, text, start, start + len(text))


class LibraryExtractor:
    """Finds names with a library that may be installed; the pipeline is made once, by whichever thread comes first."""

    priority = LIBRARIES

    def __init__(self, library: str, open_pipeline: Callable[[Any, str], Read]) -> None:
        self.name = library
        self._open = open_pipeline
        self._pipelines: dict[str, Read] = {}
        self._lock = threading.Lock()

    @property
    def installed(self) -> bool:
        """Return whether the library can be imported."""
        try:
            return importlib.util.find_spec(self.name) is not None
        except ValueError:  # a module without a spec, as some stubs are: it is there
            return True

    def extract(self, request: Request) -> Found:
        """Return the names that the library finds; its absence and its failures are outcomes."""
        if not self.installed:
            return Found(outcome="unavailable")
        try:
            with self._lock:
                if request.language not in self._pipelines:
                    self._pipelines[request.language] = self._open(importlib.import_module(self.name), request.language)
                read = self._pipelines[request.language]
            spans = read(request.text)
        except (ImportError, OSError, ValueError, RuntimeError, AttributeError, KeyError):  # no model, none to fetch
            return Found(outcome="failed")
        found = {
            text.strip(): FoundEntity(text.strip(), _TYPES.get(label.upper(), "OTHER"))
            for text, label in spans
            if label.upper() not in _NOT_NAMES and any(map(str.isalnum, text))
        }
        return Found(tuple(found.values()), outcome="found" if found else "nothing")


def stanza_extractor() -> LibraryExtractor:
    """Return an extractor by stanza, without downloading anything."""

    def open_pipeline(stanza: Any, language: str) -> Read:
        pipeline = stanza.Pipeline(lang=language, processors="tokenize,ner", verbose=False, download_method=None)
        return lambda text: [(each.text, each.type) for each in pipeline(text).ents]

    return LibraryExtractor("stanza", open_pipeline)


def spacy_extractor(model: str = "xx_ent_wiki_sm") -> LibraryExtractor:
    """Return an extractor by spaCy and the installed *model*."""

    def open_pipeline(spacy: Any, _language: str) -> Read:
        pipeline = spacy.load(model)
        return lambda text: [(each.text, each.label_) for each in pipeline(text).ents]

    return LibraryExtractor("spacy", open_pipeline)


def gliner_extractor(model: str, labels: tuple[str, ...]) -> LibraryExtractor:
    """Return an extractor by GLiNER and a *model* that lies on this machine, for *labels*."""

    def open_pipeline(gliner: Any, _language: str) -> Read:
        loaded = gliner.GLiNER.from_pretrained(model, local_files_only=True)
        return lambda text: [(each["text"], each["label"]) for each in loaded.predict_entities(text, list(labels))]

    return LibraryExtractor("gliner", open_pipeline)


def all_of(*extractors: Extractor) -> tuple[Extractor, ...]:
    """Return the extractors that can run here: libraries that are not installed are left out."""
    return tuple(each for each in extractors if not isinstance(each, LibraryExtractor) or each.installed)

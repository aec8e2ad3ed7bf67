"""Whole conversations for scripts: one a line in, one JSON result a turn out (``referent replay --documents DIR``).

Each conversation is a new person with an empty memory, kept in a temporary place.  The index of the folder is kept in
the cache under a hash of its content, so that the next run over the same documents starts at once.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from filelock import FileLock
from pydantic import BaseModel, Field, ValidationError

import rag.shelf
from languages import codes
from memory import Discourse
from memory.errors import ReferentMemoryError
from memory.store.conversations import Conversations
from memory.store.database import open_database
from memory.types import Embedder
from rag.build import limits, models, remembering
from rag.cases import unknown_language
from rag.errors import DocumentMissing, ReferentError
from rag.events import Rewriting, Turn
from rag.loading import LazyEmbedder, lazy_embedder
from rag.pipeline import Pipeline
from rag.rewriting import count
from rag.run import STAGES
from rag.settings import Settings
from rag.shelf.owners import Owner
from rag.shelf.reading import find_files
from rag.shelf.shelf import Library, Outcome

SHELF: Final = "documents"
KEPT: Final = 12  # indexes in the cache; of some 28 documents each has about 5 MB
_READY: Final = "ready"
_Talk = Callable[[str, Sequence[str]], Iterator[Turn | str]]  # a language and what is said in, the turns out


class _TurnLine(BaseModel):
    user: str


class _ConversationLine(BaseModel):
    id: str | int
    lang: str | None = None
    turns: list[_TurnLine] = Field(min_length=1)


class Replay:
    """Conversations over the documents of one folder."""

    def __init__(
        self, library: Library, embedder: Embedder, settings: Settings, *, shelves: tuple[str, ...] = (SHELF,)
    ) -> None:
        self._library = library
        self._embedder = embedder
        self._settings = settings
        self._shelves = shelves
        self._asked: list[Rewriting] = []

    @property
    def asked(self) -> Mapping[str, int]:
        """Return how often the chat model was asked so far what a question refers to, and what came of it."""
        return count(self._asked)

    def lines(self, lines: Iterable[str]) -> Iterator[Mapping[str, Any]]:
        """Yield one result a turn, in order; {"id", "error"} where a line is no conversation."""
        with self._talking() as talk:
            for line in filter(str.strip, lines):
                case, bad = _read(line)
                if case is None:
                    yield bad
                    continue
                said = talk(case.lang or codes()[0], [turn.user for turn in case.turns])
                for number, turn in enumerate(said):
                    yield (
                        {"id": case.id, "turn": number, "error": turn}
                        if isinstance(turn, str)
                        else result_of(turn, case.id, number)
                    )

    def talks(self, talks: Iterable[tuple[str, Sequence[str]]]) -> Iterator[tuple[Turn | str, ...]]:
        """Yield the turns of each conversation, given by its language and what is said; a failure is its message."""
        with self._talking() as talk:
            for language, said in talks:
                yield tuple(talk(language, said))

    def texts(self) -> Mapping[str, str]:
        """Return the visible text of each document, by its name; of two of one name, the text of the first shelf."""
        found: dict[str, str] = {}
        for owner in (Owner("shelf", name) for name in self._shelves):
            for record in self._library.documents(owner):
                found.setdefault(record.name, self._library.document_text(record.name, owner))
        return found

    def languages(self) -> Mapping[str, str]:
        """Return the language of each document, by its name; of two of one name, that of the first shelf."""
        found: dict[str, str] = {}
        for owner in (Owner("shelf", name) for name in self._shelves):
            for record in self._library.documents(owner):
                found.setdefault(record.name, record.language)
        return found

    @contextmanager
    def _talking(self) -> Iterator[_Talk]:
        """Yield what holds a conversation, each with a new person; all are kept in a place that goes afterwards."""
        with tempfile.TemporaryDirectory(prefix="referent-") as place:
            database = open_database(Path(place))
            allowed = limits(self._settings.model_copy(update={"shelves": self._shelves}))
            conversations = Conversations(database)
            memory, worker = remembering(self._settings, database)
            pipeline = Pipeline(
                conversations,
                self._library,
                embedder=self._embedder,
                models=models(self._settings, self._embedder),
                limits=allowed,
                memory=memory,
            )

            def talk(language: str, said: Sequence[str]) -> Iterator[Turn | str]:
                """Yield a turn a message."""
                for turn in _talk(pipeline, conversations, language, said):
                    if not isinstance(turn, str) and turn.rewriting is not None:
                        self._asked.append(turn.rewriting)
                    yield turn
                if worker is not None:
                    worker.drain()

            try:
                yield talk
            finally:
                database.close()


def _read(line: str) -> tuple[_ConversationLine | None, dict[str, Any]]:
    """Return the conversation of a line; where it is none, what is answered in its place."""
    identifier: object = None
    try:
        data = json.loads(line)
        identifier = data.get("id") if isinstance(data, dict) else None
        case = _ConversationLine.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the line"
        problem = f'{where}: {first["msg"]}; expected {{"id", "lang", "turns": [{{"user"}}]}}'
    except (ValueError, RecursionError) as error:  # brackets nested too deeply recurse without end
        problem = f"this line is not JSON ({error}); expected one object a line"
    else:
        if case.lang is None or case.lang in codes():
            return case, {}
        problem = unknown_language(case.lang)
    return None, {"id": identifier, "error": problem}


def _talk(pipeline: Pipeline, conversations: Conversations, language: str, said: Sequence[str]) -> Iterator[Turn | str]:
    """Yield the turns of one conversation; where one fails, why."""
    person = f"replay-{uuid.uuid4().hex}"
    conversation = conversations.create(person, language)
    discourse = Discourse(language=language)
    for message in said:
        try:
            turn = pipeline.turn(
                message, discourse, user=person, conversation=conversation, turn_id=uuid.uuid4().hex
            )  # fmt: skip
        except (ReferentError, ReferentMemoryError) as error:
            yield str(error)
            continue
        discourse = Discourse.from_json(turn.discourse)
        yield turn


def result_of(turn: Turn, identifier: str | int, number: int) -> Mapping[str, Any]:
    """Return what scripts read of a turn, as plain JSON values."""
    answer, asked = turn.answer, turn.clarification
    return {
        "id": identifier,
        "turn": number,
        "lang": turn.language,
        "user": turn.question,
        "standalone": turn.resolution.standalone,
        "status": turn.resolution.status,
        "answer": answer.text if answer else None,
        "answered": answer.answered if answer else False,
        "clarification": {"question": asked.question, "options": list(asked.options)} if asked else None,
        "citations": [{"document": c.document, "quote": c.quote} for c in answer.citations] if answer else [],
        "retrieved": list(dict.fromkeys(hit.passage.document for hit in turn.hits)),
        "timings_ms": {stage: round(turn.timings_ms.get(stage, 0.0), 3) for stage in STAGES},
        **(
            {"rewriting": {"outcome": turn.rewriting.outcome, "reason": turn.rewriting.reason}}
            if turn.rewriting
            else {}
        ),
    }


@contextmanager
def open_replay(
    documents: Path,
    settings: Settings,
    *,
    report: Callable[[Outcome], None],
    progress: Callable[[float], None],
    embedder: LazyEmbedder | None = None,
) -> Iterator[Replay]:
    """Yield a replay over the folder *documents*; *report* hears of each file where the index is made anew.

    Without *embedder* the one that *settings* name is loaded.

    Raises:
        DocumentMissing: there is no such folder, or no file in it.
        ReferentError, ReferentMemoryError: the index cannot be made.
    """
    if not documents.is_dir() or not find_files([documents]):
        raise DocumentMissing(
            f"found no documents at {documents}; expected a folder with files in it; check the path",
            {"name": str(documents)},
        )
    embedder = embedder or lazy_embedder(settings)
    home = settings.cache_dir / "replay"
    place = home / folder_hash(documents, embedder.name)
    home.mkdir(parents=True, exist_ok=True)
    with FileLock(home / f"{place.name}.lock"):
        database = open_database(place)
        library = Library(database, embedder, place, limits=settings.reading)
        if not (place / _READY).exists():
            for outcome in library.ingest([documents], Owner("shelf", SHELF), progress):
                report(outcome)
            (place / _READY).touch()
        (place / _READY).touch()  # its time is when the index was last used
        _prune(home, place)
    try:
        yield Replay(library, embedder, settings)
    finally:
        library.close()
        database.close()


def folder_hash(documents: Path, embedder: str) -> str:
    """Return a hash of all that the index of *documents* is made from: files, their names, how they are read.

    The program's own reading is part of it, so that a newer version never answers from what an older one read.
    """
    digest = hashlib.sha256(embedder.encode())
    own = sorted(Path(rag.shelf.__file__).parent.glob("*.py"))
    for path, name in [*find_files([documents]), *((path, path.name) for path in own)]:
        digest.update(name.encode("utf-8", "surrogateescape") + b"\0")
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()[:32]


def _prune(home: Path, current: Path) -> None:
    """Remove the indexes that were not used for longest."""
    ready = sorted(home.glob(f"*/{_READY}"), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in ready[KEPT:]:
        if path.parent != current:
            shutil.rmtree(path.parent, ignore_errors=True)

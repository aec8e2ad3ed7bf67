"""A scripted application: the real store of conversations, and a pipeline and a library that say what they are told."""

from __future__ import annotations

import errno
import time
import uuid
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from pydantic import TypeAdapter

from memory import Discourse, NameIndex, reread
from memory.editing import MemoryEditor
from memory.knowledge.typesets import read_types
from memory.memory import EntityMemory, Rules
from memory.store import people
from memory.store.conversations import Conversations, NewTurn, not_latest
from memory.store.database import Database, open_database
from memory.store.thumbs import Thumbs
from memory.store.unanswered import UnansweredQuestions
from memory.store.uploads import PendingUploads
from memory.types import Candidate, Link, Name, Resolution
from rag.errors import IndexBusy, ReferentError
from rag.evaluation.casefiles import CaseFile
from rag.evaluation.results import Results
from rag.evaluation.running import Runner
from rag.events import (
    Answer,
    Asked,
    Citation,
    Clarification,
    Done,
    Event,
    Found,
    Hit,
    Notice,
    Passage,
    Piece,
    Turn,
    Understood,
)
from rag.settings import Settings, read_settings
from rag.shelf.owners import DEMO, Owner, Scope
from rag.shelf.records import Record
from rag.shelf.shelf import Outcome
from rag.shelf.writing import Progress
from tests.pages.products import CATALOGUE, DALIL, KATALOG, PASSAGES, PRODUCTS
from tests.pages.scripted import SCRIPT, Line

TURN = TypeAdapter(Turn)
CASES = "pilot.jsonl"  # the file of cases in the data folder that the page offers, where there is one


@dataclass
class FakePipeline:
    """Answers from the script, and keeps turns as the real pipeline does."""

    conversations: Conversations
    script: dict[str, Line] = field(default_factory=lambda: dict(SCRIPT))
    asked: list[tuple[str, str]] = field(default_factory=list)
    corrected: list[tuple[str, int, str | None]] = field(default_factory=list)

    def stream(
        self,
        question: str,
        discourse: str,
        *,
        user: str,
        conversation: str,
        turn_id: str,
        lang: str | None = None,
    ) -> Iterator[Event]:
        self.asked.append((question, discourse))
        line = self.script.get(question, Line(answer=f"Nothing is written about “{question}”.", answered=False))
        if line.error is not None and self.asked.count((question, discourse)) <= line.failures:
            raise line.error
        if line.crash:
            raise RuntimeError(f"boom at {question}")
        resolution = self._resolve(question, line)
        number = len(self.conversations.turns(conversation, user))
        turn = Turn(turn_id, number, question, line.language, resolution, stopped=True, discourse='{"version": 1}')
        self._keep(turn, conversation, user, first=True)
        finished = False
        text = ""
        try:
            yield Understood(resolution)
            hits = tuple(Hit(passage, 1.0) for passage in line.passages)
            yield Found(hits)
            turn = replace(turn, hits=hits)
            if line.notice:
                yield Notice(line.notice)
                turn = replace(turn, notices=(line.notice,))
            if line.options:
                clarification = Clarification(line.back, line.options)
                yield Asked(clarification)
                turn = replace(turn, clarification=clarification)
            for word in line.answer.split(" ") if line.answer else ():
                piece = word if not text else f" {word}"
                text += piece
                yield Piece(piece)
                time.sleep(line.slow)
            if line.answer:
                turn = replace(turn, answer=self._answer(line))
            turn = replace(turn, stopped=False)
            finished = True
            self._keep(turn, conversation, user)
            yield Done(turn)
        finally:
            if not finished:
                stopped = replace(turn, answer=Answer(text, bool(text), method=line.method), stopped=True)
                self._keep(stopped, conversation, user)

    def correct(
        self, turn_id: str, link: int, name: str | None, *, user: str, conversation: str
    ) -> Generator[Event, None, None]:
        kept = self.conversations.turns(conversation, user)[-1]
        if kept.id != turn_id:
            raise not_latest(turn_id)
        turn = TURN.validate_python(dict(kept.record))
        again = reread(turn.resolution, link, name, discourse=Discourse(), catalog=NameIndex.of(()))
        self.corrected.append((turn_id, link, name))
        line = self.script.get(
            again.standalone if name else "as written", Line(answer=f"About {name}.", answered=False)
        )
        if line.error is not None and len(self.corrected) <= line.failures:
            raise line.error
        yield Understood(again)
        yield Piece(line.answer)
        turn = replace(turn, resolution=again, answer=self._answer(line), hits=())
        self._keep(turn, conversation, user)
        yield Done(turn)

    def _resolve(self, question: str, line: Line) -> Resolution:
        if line.options:
            candidates = tuple(Candidate(option, "PRODUCT") for option in line.options)
            return Resolution(question, question, "ambiguous", candidates=candidates, language=line.language)
        standalone = line.standalone or question
        if standalone == question:
            return Resolution(question, question, "unchanged", language=line.language)
        evidence = ("possessive", "turns_ago|1", "of a kind that no pack knows")
        start = question.find(line.expression)
        anchor = start, start + len(line.expression)
        named = ("Veltara 13",)
        link = Link(line.expression, anchor, named, 0, len(question), standalone, evidence, line.others)
        return Resolution(question, standalone, "resolved", (link,), language=line.language)

    def _answer(self, line: Line) -> Answer:
        citations = tuple(
            Citation(number, passage.document, quote, passage.id, passage.heading)
            for number, (passage, quote) in enumerate(zip(line.passages, line.quotes, strict=False), start=1)
        )
        return Answer(line.answer, line.answered, citations, line.method)

    def _keep(self, turn: Turn, conversation: str, user: str, *, first: bool = False) -> None:
        record = TURN.dump_python(turn, mode="json")
        kept = NewTurn(turn.id, turn.question, turn.language, record, turn.discourse, turn.stopped)
        if first:
            self.conversations.add_turn(conversation, user, kept)
        else:
            self.conversations.update_turn(conversation, user, kept)


def record(name: str, title: str, language: str = "en", passages: int = 3) -> Record:
    return Record(name, name, title, language, 100, passages, 1, "hash", "model", datetime(2026, 1, 1, tzinfo=UTC))


SHARED = (
    record("support/returns.md", "Returns"),
    record("products/veltara-13.md", "Veltara 13"),
    record("المنتجات/veltara-13.md", "حاسوب Veltara 13", "ar"),
    record(CATALOGUE, "Catalogue"),
    record(KATALOG, "Katalog", "de"),
    record(DALIL, "دليل المنتجات", "ar"),
    record("conditions/garantiebestimmungen_und_reparaturbedingungen_2025.pdf", "Garantiebestimmungen", "de", 120),
)


@dataclass
class FakeLibrary:
    """Keeps names; refuses what is empty; is told by a file's name to be busy, slow, or on a full disk."""

    kept: dict[Owner, dict[str, Record]] = field(default_factory=dict)
    names: tuple[Name, ...] = PRODUCTS
    read: list[str] = field(default_factory=list)  # the names of all files that came in, in order

    def ingest(self, paths: Iterable[Path], owner: Owner, progress: Progress | None = None) -> Iterator[Outcome]:
        for path in paths:
            kept = self.kept.setdefault(owner, {})
            self.read.append(path.name)
            if progress:
                progress(0.5)
            if path.stem == "busy":
                raise IndexBusy("another process writes; expected to be alone; try again")
            if path.stem == "full":
                raise OSError(errno.ENOSPC, "No space left on device", str(path))
            if path.stem == "slow":
                time.sleep(3)
            if not path.read_bytes().strip():
                yield Outcome(path.name, "refused", key="error.document_empty", values={"name": path.name})
            elif path.name in kept:
                yield Outcome(path.name, "unchanged")
            else:
                kept[path.name] = record(path.name, path.stem)
                yield Outcome(path.name, "added", 3)

    def documents(self, owner: Owner) -> tuple[Record, ...]:
        shared = owner in (Owner("shelf", "shared"), Owner("shelf", DEMO))
        return SHARED if shared else tuple(self.kept.get(owner, {}).values())

    def remove(self, name: str, owner: Owner) -> None:
        del self.kept[owner][name]

    def catalog(self, scope: Scope) -> NameIndex:
        return NameIndex.of(self.names)

    def document_passages(self, name: str, scope: Scope) -> tuple[Passage, ...]:
        return tuple(passage for passage in PASSAGES if passage.document == name)


@dataclass
class FakeReplay:
    """Holds the conversations of cases over the scripted pipeline."""

    pipeline: FakePipeline
    passages: tuple[Passage, ...] = tuple(passage for line in SCRIPT.values() for passage in line.passages)

    def texts(self) -> dict[str, str]:
        return {passage.document: passage.text for passage in self.passages}

    def languages(self) -> dict[str, str]:
        return {passage.document: passage.language for passage in self.passages}

    def talks(self, talks: Iterable[tuple[str, Sequence[str]]]) -> Iterator[tuple[Turn | str, ...]]:
        for language, said in talks:
            person = uuid.uuid4().hex
            conversation = self.pipeline.conversations.create(person, language)
            yield tuple(self._turn(message, person, conversation) for message in said)

    def _turn(self, message: str, person: str, conversation: str) -> Turn | str:
        try:
            events = self.pipeline.stream(message, "", user=person, conversation=conversation, turn_id=uuid.uuid4().hex)
            return next(event.turn for event in events if isinstance(event, Done))
        except ReferentError as error:
            return str(error)


@dataclass
class FakeApplication:
    pipeline: FakePipeline
    conversations: Conversations
    library: FakeLibrary
    settings: Settings
    uploads: PendingUploads
    thumbs: Thumbs
    memory: EntityMemory
    editor: MemoryEditor
    database: Database
    unanswered: UnansweredQuestions
    model_name: str | None = None
    measured: list[Sequence[CaseFile]] = field(default_factory=list)

    def measure(self, files: Sequence[CaseFile], progress: Callable[[float], None]) -> Results:
        """Run questions by the rules, conversations by the script."""
        self.measured.append(files)
        with TemporaryDirectory() as folder:
            database = open_database(Path(folder))
            replay = FakeReplay(FakePipeline(Conversations(database)))
            opened = nullcontext(replay)
            results = Runner(lambda _: opened, None, progress).run(files, {"embedding": "bundled"})  # type: ignore[arg-type,return-value]
            database.close()
        return results

    def forget(self, person: str) -> None:
        self.library.kept.pop(Owner("person", person), None)
        with self.database.write() as connection:
            people.erase(connection, person)


def open_fake(folder: Path, model_name: str | None = None) -> FakeApplication:
    """Return a scripted application that keeps its conversations in *folder*."""
    database = open_database(folder)
    conversations, uploads = Conversations(database), PendingUploads(database, folder)
    pipeline, library = FakePipeline(conversations), FakeLibrary()
    memory = EntityMemory(database, rules=Rules(types=read_types("commerce")))
    editor, thumbs = MemoryEditor(database), Thumbs(database)
    settings = read_settings(folder)
    if (folder / CASES).exists():
        settings = settings.model_copy(update={"cases": folder / CASES})
    return FakeApplication(
        pipeline, conversations, library, settings, uploads, thumbs, memory, editor, database,
        UnansweredQuestions(database), model_name,
    )  # fmt: skip

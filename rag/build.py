"""Where the concrete classes meet: settings in, the application out.

Nothing heavy happens here: the embedding model is loaded at its first use, the index opened at the first search.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from memory.editing import MemoryEditor
from memory.knowledge.arbitration import Arbiter
from memory.knowledge.extractors import ModelExtractor, RuleExtractor
from memory.knowledge.listening import listen
from memory.knowledge.typesets import read_types
from memory.knowledge.worker import Worker
from memory.memory import EntityMemory, Rules
from memory.store import people
from memory.store.conversations import Conversations
from memory.store.database import Database, open_database
from memory.store.thumbs import Thumbs
from memory.store.unanswered import UnansweredQuestions
from memory.store.uploads import PendingUploads
from memory.store.usage import Ledger
from memory.types import ChatModel, Embedder
from rag.answer.manner import Manner
from rag.errors import ModelError
from rag.evaluation.casefiles import CaseFile
from rag.evaluation.results import Results
from rag.limits import Limits, Models
from rag.loading import LazyEmbedder, lazy_embedder, lazy_reranker, lazy_scorer, lazy_selector
from rag.metering import Budget
from rag.pacing import Pace
from rag.pipeline import Pipeline
from rag.rewriting import Rewriter
from rag.settings import Settings
from rag.shelf.owners import Owner
from rag.shelf.shelf import Library


@dataclass(frozen=True, slots=True)
class Application:
    """Everything behind the page and the commands; one for a process."""

    settings: Settings
    database: Database
    conversations: Conversations
    library: Library
    embedder: LazyEmbedder
    pipeline: Pipeline
    uploads: PendingUploads
    memory: EntityMemory
    thumbs: Thumbs
    unanswered: UnansweredQuestions
    editor: MemoryEditor
    model: ChatModel | None = None
    worker: Worker | None = None

    @property
    def model_name(self) -> str | None:
        """Return the chat model's name, None where answers are quoted from the documents."""
        return self.model.name if self.model else None

    def warm(self) -> None:
        """Load what the first question would wait for.

        Raises: EmbeddingError.
        """
        self.embedder.embed_queries(("?",))

    def forget(self, person: str) -> None:
        """Erase *person* everywhere in the data folder.

        Work that was begun for them before is dropped: it carries an epoch that is over.  It may be done again.

        Raises: StoreBusy, IndexBusy where another process reads for too long; all rows are gone by then.
        """
        self.library.forget(Owner("person", person), lambda connection: people.erase(connection, person))
        people.scrub(self.database)

    def measure(self, files: Sequence[CaseFile], progress: Callable[[float], None]) -> Results:
        """Return the results of a pilot's cases; *progress* hears the share that is done, from 0 to 1.

        Raises: ReferentError, ReferentMemoryError where an index cannot be opened or made.
        """
        from rag.evaluation.measuring import measure_in  # it knows this class, and replays conversations with it

        return measure_in(self, files, progress)

    def close(self) -> None:
        """Let go of the index and the database."""
        if self.worker is not None:
            self.worker.stop()
        self.library.close()
        self.database.close()


def application(settings: Settings) -> Application:
    """Return the application over the data folder of *settings*.

    Raises: DataFolderError, StoreError.
    """
    database = open_database(settings.data_dir)
    embedder = lazy_embedder(settings)
    library = Library(database, embedder, settings.data_dir, limits=settings.reading, chroma_url=settings.chroma_url)
    conversations = Conversations(database)
    memory, worker = remembering(settings, database)
    asked, allowed = models(settings, embedder), limits(settings, Ledger(database))
    pipeline = Pipeline(conversations, library, embedder=embedder, models=asked, limits=allowed, memory=memory)
    if worker is not None:
        worker.start()
    return Application(
        settings,
        database,
        conversations,
        library,
        embedder,
        pipeline,
        PendingUploads(database, settings.data_dir),
        memory,
        Thumbs(database),
        UnansweredQuestions(database),
        MemoryEditor(database),
        asked.chat,
        worker,
    )


def remembering(settings: Settings, database: Database) -> tuple[EntityMemory, Worker | None]:
    """Return the memory, and the worker that reads turns afterwards, or settles contradictions, by setting.

    Raises: TypeSetInvalid.
    """
    named = settings.entity_types
    rules = Rules(types=read_types(Path(named) if named.endswith(".toml") else named))
    reads = settings.chat_model_set and bool(settings.extraction_model)
    settles = settings.chat_model_set and settings.arbitration == "auto"
    memory = EntityMemory(database, listener=listen, rules=rules, queued=reads or settles)
    if not (reads or settles):
        return memory, None
    from rag.answer.model import open_model

    chosen = settings.model_copy(update={"chat_model": settings.extraction_model or settings.chat_model})
    model = open_model(chosen)
    extractors = (RuleExtractor(), ModelExtractor(model, failures=ModelError)) if reads else ()
    arbiter = Arbiter(model, failures=ModelError) if settles else None
    return memory, Worker(database, memory, extractors, arbiter=arbiter)


def models(settings: Settings, embedder: Embedder) -> Models:
    """Return what a turn may ask, none of it loaded yet; scorer and selector read over *embedder*."""
    return Models(
        chat_model(settings),
        lazy_scorer(settings, embedder),
        rewriter(settings),
        lazy_selector(settings, embedder),
        lazy_reranker(settings),
    )


def chat_model(settings: Settings) -> ChatModel | None:
    """Return the chat model that *settings* name, None where neither a key nor an address is set."""
    if not settings.chat_model_set:
        return None
    from rag.answer.model import open_model

    return open_model(settings)


def rewriter(settings: Settings) -> Rewriter | None:
    """Return what asks the chat model how an unsure question is meant; None without a model, and by setting."""
    if not settings.chat_model_set or settings.rewrite == "off":
        return None
    from rag.answer.model import open_model

    return Rewriter(open_model(settings, timeout_s=settings.rewrite_timeout))


def limits(settings: Settings, ledger: Ledger | None = None) -> Limits:
    """Return what a turn may use, and how it speaks; what a person may use a day is counted in *ledger*.

    Without one nobody is in front of a page, and nobody is slowed down.
    """
    manner = Manner(settings.assistant_name.strip(), settings.tone, settings.formality, settings.escalation)
    budget = Budget(settings.turn_tokens, settings.day_tokens, ledger)
    size = settings.passages, settings.prompt_tokens, settings.question_characters
    pace = Pace(settings.questions_per_minute if ledger is not None else 0)
    return Limits(settings.shelves, *size, manner, budget, pace)

"""The worker that reads queued turns with slower extractors, in a thread of its own; one a process.

The lease is taken in one transaction, the extractors run without any, and their result is kept in another together with
the job's end: a kill at any point leaves the job to be done again, never half done or twice.
"""

from __future__ import annotations

import logging
import threading
import uuid
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Final

from memory.attempt import Failed, attempt
from memory.errors import StoreError
from memory.knowledge import arbitration
from memory.knowledge.arbitration import Arbiter
from memory.knowledge.extraction import Extractor, Found, Request, merged
from memory.knowledge.heard import Heard
from memory.memory import EntityMemory, Said
from memory.store import queue
from memory.store.conversations import utc_now
from memory.store.database import Database
from memory.store.entities import Named
from memory.store.queue import Job
from memory.store.settling import contradictions, settle

log = logging.getLogger(__name__)

_PAUSE_S: Final = 1.0


class Worker:
    """Reads queued turns, one after the other."""

    def __init__(
        self,
        database: Database,
        memory: EntityMemory,
        extractors: Sequence[Extractor],
        *,
        now: Callable[[], datetime] = utc_now,
        fields: dict[str, str] | None = None,
        arbiter: Arbiter | None = None,
    ) -> None:
        self._database = database
        self._memory = memory
        self._extractors = tuple(extractors)
        self._now = now
        self._fields = fields or {}
        self._arbiter = arbiter
        self._id = uuid.uuid4().hex
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin to work in a thread, unless it runs already."""
        if self._thread is None or not self._thread.is_alive():
            self._stop.clear()
            self._thread = threading.Thread(target=self._run, name="extraction", daemon=True)
            self._thread.start()

    def stop(self, *, waiting_s: float = 5.0) -> None:
        """Let the job at hand end, for *waiting_s* seconds at most; what is left waits for the next process."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(waiting_s)

    def drain(self, *, most: int = 1000) -> int:
        """Return how many jobs were done, until none is due."""
        return next((number for number in range(most) if not self.step()), most)

    def step(self) -> bool:
        """Return whether there was a job: the next one is read, kept and done.

        Raises: StoreError.
        """
        with self._database.write() as connection:
            job = queue.lease(connection, self._id, self._now())
        if job is None:
            return False
        found = [(each, each.extract(self._request(job))) for each in self._extractors]
        whole = merged([(each.priority, result) for each, result in found])
        with self._database.write() as connection:
            kept = queue.finish(connection, job, self._id)
            for each, result in found:
                queue.count(connection, each.name, result.outcome)
            if kept:
                self._memory.remember(job.person, _said(job, whole), connection)
            else:
                queue.count(connection, "queue", "dropped")
        if kept and self._arbiter is not None:
            self._settle(job, self._arbiter)
        return True

    def _settle(self, job: Job, arbiter: Arbiter) -> None:
        """Ask which fact holds where the turn contradicts one, outside of any transaction, and keep what comes of it.

        A kill in between leaves what the rules decided.
        """
        with self._database.read() as connection:
            found = contradictions(connection, job.person, job.turn)
        if not found:
            return
        verdicts, outcome = arbiter.decide(job.question, job.language, found)
        with self._database.write() as connection:
            queue.count(connection, arbitration.NAME, outcome)
            for number, holds in verdicts.items():
                if settle(connection, job.person, found[number], holds, self._now()):
                    queue.count(connection, arbitration.NAME, holds)

    def _request(self, job: Job) -> Request:
        names = tuple(entity.name for entity in self._memory.recent(job.person))
        types = tuple(each.id for each in self._memory.rules.types.types)
        return Request(job.question, job.language, names, types, self._fields)

    def _run(self) -> None:
        while not self._stop.is_set():
            busy = attempt(self.step)
            if isinstance(busy, Failed):
                self._record(busy.error)
            if busy is not True:
                self._stop.wait(_PAUSE_S)

    def _record(self, error: Exception) -> None:
        """Write to the log, and count, that a job could not be done."""
        if isinstance(error, StoreError):
            log.warning("extraction waits: %s", error)
            return
        log.error("extraction failed: %s", type(error).__name__, exc_info=error)
        with suppress(StoreError), self._database.write() as connection:
            queue.count(connection, "queue", "failed")


def _said(job: Job, found: Found) -> Said:
    """Return what was found as said in its turn: attributes are facts of their entity."""
    named = tuple(Named(each.name, each.type, "user", each.name) for each in found.entities)
    attributes = tuple(
        Heard(each.name, key, value, 0, 0) for each in found.entities for key, value in each.attributes.items()
    )
    return Said(job.conversation, job.turn, named, (*found.heard, *attributes), found.relations, again=True)

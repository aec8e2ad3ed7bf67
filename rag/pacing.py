"""How fast each person may ask: a bound on questions a minute keeps one person from taking all the processors."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Final

from memory.store.conversations import LOCAL_PERSON
from rag.errors import QuestionsTooFast

MINUTE_S: Final = 60.0
_KEPT: Final = 1000  # people; above it those who have been silent for a minute are left out


class Pace:
    """At most *questions* of each person within any minute, 0 for no bound; counted in this process, for all threads.

    The local person has the machine to themself and is not bounded.
    """

    def __init__(self, questions: int = 0, *, now: Callable[[], float] = time.monotonic) -> None:
        self._questions = questions
        self._now = now
        self._asked: dict[str, deque[float]] = {}
        self._lock = threading.Lock()

    def take(self, person: str) -> None:
        """Count a question of *person*.

        Raises: QuestionsTooFast, and the question is not counted.
        """
        if not self._questions or person == LOCAL_PERSON:
            return
        with self._lock:
            now = self._now()
            if len(self._asked) > _KEPT:
                self._asked = {who: times for who, times in self._asked.items() if times[-1] > now - MINUTE_S}
            times = self._asked.setdefault(person, deque())
            while times and times[0] <= now - MINUTE_S:
                times.popleft()
            if len(times) >= self._questions:
                raise QuestionsTooFast(
                    f"found more than {self._questions} questions of one person in a minute; expected fewer; "
                    "wait a moment, or raise REFERENT_QUESTIONS_PER_MINUTE",
                    {"limit": str(self._questions)},
                )
            times.append(now)

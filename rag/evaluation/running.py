"""Cases in, results out: questions through the resolver, conversations through the whole pipeline."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from memory import Scorer
from rag.cases import resolve_lines
from rag.evaluation.casefiles import CaseFile, Conversation, Question
from rag.evaluation.judging import Verdict, is_cited, is_crossing, judge_resolution, judge_turn, recall_of
from rag.evaluation.results import Answered, Resolved, Results
from rag.events import Turn
from rag.replay import Replay

OpenReplay = Callable[[Path | None], AbstractContextManager[Replay]]  # over a folder; None: what was ingested


@dataclass(frozen=True, slots=True)
class Runner:
    """What cases are run with; ``progress`` hears the share that is done, from 0 to 1."""

    open_replay: OpenReplay
    scorer: Scorer | None = None
    progress: Callable[[float], None] = lambda _: None

    def run(self, files: Sequence[CaseFile], settings: Mapping[str, str] | None = None) -> Results:
        """Return the results of all cases of *files*; *settings* is what they were measured with.

        Raises: ReferentError, ReferentMemoryError where an index cannot be opened or made.
        """
        total = sum(len(file.questions) + sum(len(each.turns) for each in file.conversations) for file in files)
        resolved: list[Resolved] = []
        answered: list[Answered] = []
        for file in files:
            for found in self._resolve(file):
                resolved.append(found)
                self.progress((len(resolved) + len(answered)) / total)
            for turns in self._talk(file):
                answered += turns
                self.progress((len(resolved) + len(answered)) / total)
        problems = tuple(problem for file in files for problem in file.problems)
        judged = tuple(each for each in answered if each.wanted.judge)
        return Results(tuple(resolved), judged, problems, settings or {})

    def _resolve(self, file: CaseFile) -> Iterator[Resolved]:
        lines = (json.dumps(_given(case), ensure_ascii=False) for case in file.questions)
        for case, result in zip(file.questions, resolve_lines(lines, self.scorer), strict=True):
            yield Resolved(file.name, case, result, judge_resolution(case, result))

    def _talk(self, file: CaseFile) -> Iterator[list[Answered]]:
        if not file.conversations:
            return
        with self.open_replay(file.documents) as replay:
            judge = _Judge(file, replay)
            said = ((each.lang, [turn.user for turn in each.turns]) for each in file.conversations)
            for conversation, turns in zip(file.conversations, replay.talks(said), strict=True):
                yield [judge.judge(conversation, number, found) for number, found in enumerate(turns)]


class _Judge:
    """Judges the turns of a file's conversations beside its documents."""

    def __init__(self, file: CaseFile, replay: Replay) -> None:
        self._file = file.name
        self._texts = replay.texts()
        self._languages = replay.languages()

    def judge(self, conversation: Conversation, number: int, found: Turn | str) -> Answered:
        """Return the result of a turn; *found* is the turn, or why it failed."""
        wanted = conversation.turns[number]
        turn = None if isinstance(found, str) else found
        failed = Verdict("evaluation.why.no_result", {"reason": str(found)})
        return Answered(
            self._file,
            conversation,
            number,
            turn,
            failed if turn is None else judge_turn(wanted, turn),
            recall_of(wanted, turn),
            is_cited(wanted, turn, lambda name: self._texts.get(name, "")),
            is_crossing(wanted, conversation.language_of(wanted), self._languages),
        )


def _given(case: Question) -> Mapping[str, object]:
    """Return what resolution sees of a case: nothing of what is right."""
    return case.model_dump(mode="json", include={"id", "lang", "catalog", "history", "question"})

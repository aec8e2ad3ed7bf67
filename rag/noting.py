"""What a pilot's staff hears of a turn: a question that no document answered is put on their list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sqlalchemy import Connection

from memory.store import thumbs, unanswered
from memory.store.conversations import Also, utc_now
from memory.store.unanswered import Unanswered
from rag.events import Answer
from rag.run import Run
from rag.shelf.owners import OWN

CUT: Final = "notice.model_cut"


def noting(run: Run, also: Also | None) -> Also:
    """Return what notes how the turn ended, and does *also*, in the transaction of the turn.

    A turn that was answered anew is another one: what was said of its first answer no longer holds.
    """
    question = _unanswered(run)

    def keep(connection: Connection) -> None:
        """Put the question on the list, or take it off."""
        if also is not None:
            also(connection)
        if run.corrects:
            thumbs.drop(connection, run.turn.id)
            unanswered.drop(connection, run.turn.id)
        if question is not None:
            unanswered.put(connection, question)

    return keep


def lacks_answer(answer: Answer, notices: Sequence[str]) -> bool:
    """Return whether *answer* says that the documents do not: one that was cut off had no time to."""
    return not answer.answered and CUT not in notices


def _unanswered(run: Run) -> Unanswered | None:
    """Return the question as it is listed, None where it was answered, asked back, or asked of the person's own words.

    Of what the person alone may read nothing is listed: the nearest document is one that all may read.
    """
    turn = run.turn
    if run.recalled is not None or turn.answer is None or not lacks_answer(turn.answer, turn.notices):
        return None
    shared = (hit.passage.document for hit in turn.hits if hit.passage.shelf != OWN)
    return Unanswered(
        turn.id,
        run.user,
        turn.question,
        turn.resolution.standalone,
        turn.language,
        run.scope.shelves,
        next(shared, ""),
        utc_now(),
    )

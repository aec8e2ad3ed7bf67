"""What a pilot's staff hears of a turn: a question that no document answered is put on their list."""

from __future__ import annotations

from sqlalchemy import Connection

from memory.store import thumbs, unanswered
from memory.store.conversations import Also, utc_now
from memory.store.unanswered import Unanswered
from rag.run import Run
from rag.shelf.owners import OWN


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


def _unanswered(run: Run) -> Unanswered | None:
    """Return the question as it is listed, None where it was answered, asked back, or asked of the person's own words.

    Of what the person alone may read nothing is listed: the nearest document is one that all may read.
    """
    turn = run.turn
    if run.recalled is not None or turn.answer is None or turn.answer.answered:
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

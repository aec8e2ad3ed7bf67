"""Thumbs and unanswered questions as cases: a conversation up to the turn in question, in the format that is measured.

What is known to be right is written as expected.  Where somebody first has to say it, the turn is not judged until
``"judge": false`` is taken out; ``feedback`` says what the person said and what was answered.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from languages import fold
from languages.quantities import quantities
from memory.store.conversations import Conversations
from memory.store.thumbs import GivenThumb, Thumb
from memory.store.unanswered import Unanswered
from rag.answer.citations import without_markers
from rag.events import Turn
from rag.turns import turn_of

_FEW: Final = 2  # figures by which an answer is known; of more, most are not what was asked for

Case = Mapping[str, Any]


def thumbs_as_cases(given: Iterable[GivenThumb], conversations: Conversations) -> Iterator[Case]:
    """Yield a case a conversation in which there are thumbs: all its turns up to the last of them."""
    for (conversation, person), group in groupby(given, key=lambda each: (each.conversation, each.person)):
        thumbs = {each.turn: each.thumb for each in group}
        turns = [turn_of(stored) for stored in conversations.turns(conversation, person)]
        last = max((place for place, turn in enumerate(turns) if turn.id in thumbs), default=-1)
        turns = turns[: last + 1]
        written = [_judged(turn, thumbs[turn.id]) if turn.id in thumbs else _context(turn) for turn in turns]
        if written:
            yield {"id": conversation, "lang": turns[0].language, "turns": _spoken(turns, written)}


def unanswered_as_cases(questions: Iterable[Unanswered], conversations: Conversations) -> Iterator[Case]:
    """Yield a case a question: its conversation up to it; an answer is expected, as soon as there are documents."""
    for question in questions:
        turns = [turn_of(stored) for stored in conversations.turns(question.conversation, question.person)]
        before = turns[: question.number]
        last = {"user": question.question, "standalone": question.standalone, "expects": "answer"}
        written = [*map(_context, before), last]
        spoken = [*before, *turns[question.number : question.number + 1]]
        yield {"id": question.turn, "lang": spoken[0].language, "turns": _spoken(spoken, written)}


def _spoken(turns: Sequence[Turn], written: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return *written* with the language of each turn that is not in the first one's."""
    first = turns[0].language
    return [
        ({"lang": turn.language} if turn.language != first and "lang" not in each else {}) | each
        for turn, each in zip(turns, written, strict=True)
    ]


def _context(turn: Turn) -> dict[str, Any]:
    """Return a turn that is only said: nobody has said whether it was right."""
    return {"user": turn.question, "judge": False}


def _judged(turn: Turn, thumb: Thumb) -> dict[str, Any]:
    said = {"user": turn.question, "standalone": turn.resolution.standalone}
    told = {"verdict": thumb.verdict, "reason": thumb.reason, "note": thumb.note, "answer": _said(turn)}
    feedback = {"feedback": {key: value for key, value in told.items() if value}}
    expected = _as_it_was(turn) if thumb.verdict == "up" else _as_it_should_be(turn, thumb)
    return {**said, **expected, **feedback}


def _as_it_was(turn: Turn) -> dict[str, Any]:
    """Return what to expect of a turn that was right."""
    answer, asked = turn.answer, turn.clarification
    if asked is not None:
        return {"expects": "clarify", "options": list(asked.options)}
    if answer is None or not answer.answered:
        return {"expects": "no_answer"}
    documents = list(dict.fromkeys(citation.document for citation in answer.citations))
    return {"expects": "answer", "gold_docs": documents, "gold_answer_any": _values(turn)}


def _as_it_should_be(turn: Turn, thumb: Thumb) -> dict[str, Any]:
    """Return what to expect of a turn that was wrong, as far as the person said it."""
    note = thumb.note
    if thumb.reason == "language" and thumb.language not in ("", turn.language):
        return {"expects": "answer", "lang": thumb.language}
    if thumb.reason == "fact":
        wrong = {"gold_answer_none": [_said(turn)]} if _said(turn) else {}
        return {"expects": "answer", **wrong, **({"gold_answer_any": [note]} if note else {"judge": False})}
    if thumb.reason == "reference" and note:
        return {"expects": "answer", "standalone": note, "judge": False}
    found = {hit.passage.document for hit in turn.hits}
    if thumb.reason == "source" and note in found:
        return {"expects": "answer", "gold_docs": [note]}
    return {"expects": "answer", "judge": False}


def _said(turn: Turn) -> str:
    return without_markers(turn.answer.text).strip() if turn.answer is not None else ""


def _values(turn: Turn) -> list[str]:
    """Return the figures by which a right answer is known, else its words.

    Figures of the question are none: they stand in the name of what was asked about.
    """
    said, asked = _said(turn), fold(turn.resolution.standalone)
    found = [each.text for each in quantities(said, turn.language) if fold(each.text) not in asked]
    return list(dict.fromkeys(found)) if 0 < len(found) <= _FEW else [said]

"""Which part of a message is the question, and which of the things it names that part asks about."""

from __future__ import annotations

import re
from enum import IntEnum
from itertools import pairwise
from types import MappingProxyType

from languages import fold, sentences
from rag.answer.question_file import read_file
from rag.answer.questions import Asked
from rag.answer.request import AnswerRequest
from rag.answer.subjects import About, Subject, about, between, mention, subject

_ASKING = re.compile(r"[?؟]\W*$")


def question_part(message: str) -> str:
    """Return the sentences of *message* that ask, else the last one; all of it where it is one sentence.

    >>> question_part("I carry a Ridge 4. What would the Ridge 5 cost?")
    'What would the Ridge 5 cost?'
    """
    spans = sentences(message)
    if len(spans) < 2:
        return message
    asking = [span.text for span in spans if _ASKING.search(span.text)]
    return " ".join(asking) if asking else spans[-1].text


class _Rank(IntEnum):
    """How sure it is that a question asks about a thing that it names, and not merely mentions it."""

    UNKNOWN = 0  # the catalogue has no such name: a word that looks like one
    FRAME = 1  # a firm or the like: all of its documents are about it
    PLACE = 2
    THING = 3


_TYPES = MappingProxyType(
    {"PRODUCT": _Rank.THING, "SERVICE": _Rank.THING, "PERSON": _Rank.THING, "ORGANIZATION": _Rank.FRAME}
)
_BETWEEN = 7  # words that may stand between two names asked about alike


def subjects_of(request: AnswerRequest, part: str, asked: Asked) -> tuple[Subject, ...]:
    """Return what the question asks about: one thing, several where it sets them side by side, or none.

    Of the things that the asking *part* of the message names, the most particular are meant: the plan and not the firm
    that sells it, the person and not the town.  What the documents do not name is no subject, but a word like others.
    """
    known = {each.name: each for each in (*request.names, *(m.name for found in request.named for m in found))}
    every = tuple(subject(name, known.values(), request.hits) for name in dict.fromkeys(request.entities))
    every = tuple(each for each in every if each.spellings and (each.known or _looks_named(each, request)))
    named = tuple(each for each in every if about(part, each) >= About.SHORT)
    if not any(_rank(each) > _Rank.FRAME for each in named):
        named = named + tuple(each for each in every if each not in named)
    if not named:
        return ()
    best = max(_rank(each) for each in named)
    top = tuple(each for each in named if _rank(each) is best)
    text = part if all(about(part, each) >= About.SHORT for each in top) else request.standalone
    if len(top) > 1 and best > _Rank.UNKNOWN and _side_by_side(request, text, asked, top):
        return tuple(sorted(top, key=lambda each: _place(text, each)))
    return (min(top, key=lambda each: _spread(each, request)),)


def _rank(each: Subject) -> _Rank:
    if not each.known:
        return _Rank.PLACE if any(map(str.isdigit, each.name)) else _Rank.UNKNOWN
    if each.type in _TYPES:
        return _TYPES[each.type]
    return _Rank.THING if each.strict else _Rank.PLACE


def _looks_named(each: Subject, request: AnswerRequest) -> bool:
    """Return whether a name that the catalogue does not have is one: a passage has it, or it has a number."""
    if any(map(str.isdigit, each.name)):
        return True
    return any(about(f"{hit.passage.heading}. {hit.passage.text}", each) is About.SAME for hit in request.hits)


def _spread(each: Subject, request: AnswerRequest) -> int:
    """Return in how many passages a thing is named: the fewer, the more particular; in none, it is the last."""
    found = sum(about(f"{hit.passage.heading}. {hit.passage.text}", each) is About.SAME for hit in request.hits)
    return found or len(request.hits) + 1


def _place(text: str, each: Subject) -> int:
    """Return where *text* first names a thing; far behind where it has but a part of its name."""
    found = mention(text, each)
    return found[0].start if found else len(text)


def _side_by_side(request: AnswerRequest, text: str, asked: Asked, things: tuple[Subject, ...]) -> bool:
    """Return whether *text* compares the things or joins them: "A or B", not "A in B"."""
    if asked.compares:
        return True
    file = read_file(request.language).joining
    words = {fold(word) for word in file.words}
    attached = {fold(prefix) for prefix in file.attached}
    places = sorted((found for each in things if (found := mention(text, each))), key=lambda pair: pair[0].start)
    for (one, _), (other, glued) in pairwise(places):
        held = between(text, one, other)
        if glued in attached or (len(held) <= _BETWEEN and (not held or words & set(held))):
            return True
    return False

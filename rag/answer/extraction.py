"""The answer without a chat model: the sentence, row or line of the documents that answers, quoted with its source."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from languages import fold, load
from rag.answer.comparison import compare
from rag.answer.evidence import weigh, without_names
from rag.answer.extremes import extreme
from rag.answer.focus import question_part, subjects_of
from rag.answer.lists import asks_for_list, listed
from rag.answer.measures import every
from rag.answer.questions import Asked, is_planted, patterns, understand
from rag.answer.reading import Scored
from rag.answer.request import AnswerRequest
from rag.answer.smalltalk import small_talk
from rag.answer.subjects import Subject
from rag.answer.support import supported
from rag.answer.units import Unit, split
from rag.answer.wording import LONGEST, cite, leans, marked, named, say
from rag.events import Answer

# A second unit is quoted beside the best where their scores are this close: the reader then sees both readings.
# Chosen on English and French questions: it adds a sentence to a third of the answers and mends a third of the misses.
_CLOSE = 1.2
_SOME = "X"  # in place of a name
_LEAST_SECOND = -2.5  # of the selector's logit: below it a sentence is about something else


def extract(request: AnswerRequest) -> Answer:
    """Return the answer to *request* from its passages alone; ``answered`` is False where they do not say.

    The text is at most 350 characters long (a line more for each thing compared), ends in citation markers, and each
    citation's quote stands word for word in its passage.
    """
    sort = small_talk(request.raw, request.language) or ("telling" if request.stated else None)
    if sort is not None:
        return Answer(patterns(request.language).replies[sort], answered=True)
    part = question_part(request.standalone)
    asked = understand(without_names(part, request, _SOME), request.language)  # a name may be an attribute's word
    subjects = subjects_of(request, part, asked)
    if len(subjects) > 1:
        answer = compare(request, asked, subjects, units=quotable(request))
        if answer is not None:
            return answer
    if asks_for_list(asked) and not any(each.known and not each.frame for each in subjects):
        rows = quotable(replace(request, hits=request.table))
        answer = listed(request, asked, rows=rows, lines=quotable(request))
        if answer is not None:
            return answer
    if request.table and all(each.frame for each in subjects):  # "the cheapest phone": about no thing by its name
        whole = replace(request, hits=request.table)
        answer = extreme(whole, asked, units=quotable(whole))
        if answer is not None:
            return answer
    return _single(request, part, asked, subjects)


def absent(request: AnswerRequest, subjects: tuple[Subject, ...]) -> Answer:
    """Return the sentence that the documents do not say, in the question's language."""
    language = load(request.language)
    if not subjects:
        return Answer(language.text("not_found.general"), answered=False)
    names = language.join([each.name for each in subjects], style="standard")
    return Answer(language.text("not_found.subject", {"subject": names}), answered=False)


def quotable(request: AnswerRequest) -> tuple[Unit, ...]:
    """Return the units of the passages but those that speak to a chat model, with the rest of their paragraph."""
    kept: list[Unit] = []
    planted = False
    for unit in split(request.hits):
        planted = is_planted(f"{unit.label} {unit.plain}", request.language) or (planted and unit.follows)
        if not planted:
            kept.append(unit)
    return tuple(kept)


def _single(request: AnswerRequest, part: str, asked: Asked, subjects: tuple[Subject, ...]) -> Answer:
    units = quotable(request)
    about_it = subjects[0] if len(subjects) == 1 else None
    found = weigh(request, asked, about_it, units=units, part=part)
    if about_it is not None and about_it.strict:  # what is said of a sibling answers nothing where the thing is known
        found = tuple(each for each in found if each.features.foreign < 1) or found
    if not found or not supported(asked, found, about_it):
        return absent(request, subjects)
    found = _own_language_first(asked, found)
    best = found[0]
    bare = say(request, asked, best, about_it)
    text = named(request, best, bare, about_it)
    second = _second(request, asked, found)
    if second is None:
        return _said(request, [(text, best)])
    more = say(request, asked, second, about_it)
    if _gives_the_same(request, asked, best, second):
        if request.hits[second.unit.hit].passage.document == request.hits[best.unit.hit].passage.document:
            return _said(request, [(text, best)])
        return _said_by_both(request, text, best, second)
    if text != bare and fold(more) == fold(text):  # "Red" in the thing's own document and in a list
        return _said_by_both(request, text, best, second)
    if len(text) + len(more) + 2 * len(" [1]") + 1 > LONGEST or fold(more) in fold(text):
        return _said(request, [(text, best)])
    if _is_before(second, best) and second.unit.hit == best.unit.hit:  # numbered in the order of reading
        return _said(request, [(more, second), (text, best)])
    return _said(request, [(text, best), (more, second)])


def _said(request: AnswerRequest, parts: list[tuple[str, Scored]]) -> Answer:
    """Return the answer of *parts*, each with its marker and its citation."""
    text = " ".join(marked(part, (number,)) for number, (part, _) in enumerate(parts, 1))
    citations = tuple(cite(request, found.unit, number) for number, (_, found) in enumerate(parts, 1))
    return Answer(text, answered=True, citations=citations)


def _said_by_both(request: AnswerRequest, text: str, best: Scored, second: Scored) -> Answer:
    """Return the answer that two sources give in the same words."""
    both = (cite(request, best.unit, 1), cite(request, second.unit, 2))
    return Answer(marked(text, (1, 2)), answered=True, citations=both)


def _own_language_first(asked: Asked, found: tuple[Scored, ...]) -> tuple[Scored, ...]:
    """Return *found* led by the unit in the question's language that says the same as a slightly better one in another.

    A catalogue stands in each language with the prices of its market: the reader's own is the one that is asked for.
    """
    best = found[0]
    if not best.crossing:
        return found
    for each in found:
        if best.score - each.score >= _CLOSE:
            return found
        if not each.crossing and _states_the_same(asked, best, each):
            return (each, *(other for other in found if other is not each))
    return found


def _states_the_same(asked: Asked, one: Scored, other: Scored) -> bool:
    """Return whether both state the first attribute asked for, of the thing itself."""
    wanted = asked.attributes[:1]
    return bool(wanted) and all(each.attributes.get(wanted[0], 0.0) >= 1 and _is_of_it(each) for each in (one, other))


def _gives_the_same(request: AnswerRequest, asked: Asked, one: Scored, other: Scored) -> bool:
    """Return whether *other* has no value of what is asked for that *one* does not have."""

    def values(found: Scored) -> frozenset[tuple[Decimal, str]]:
        return every(say(request, asked, found, None), request.language_of(found.unit.hit), asked.values)

    own = values(other)
    return bool(own) and own <= values(one) and _states_the_same(asked, one, other)


def _second(request: AnswerRequest, asked: Asked, found: tuple[Scored, ...]) -> Scored | None:
    """Return what is quoted beside the best: the sentence it leans on, else a runner-up that is about as good.

    What says the same in another language than the question's is no other reading.
    """
    best = found[0].unit
    if best.follows and leans(best, request.hits[best.hit].passage.language or request.language):
        before = [each for each in found if each.unit.hit == best.hit and each.unit.end <= best.start]
        if before:
            return max(before, key=lambda each: each.unit.end)
    if len(found) < 2 or found[0].score - found[1].score >= _CLOSE or _answers_nothing(found[1]):
        return None
    if _is_of_it(found[0]) and not _is_of_it(found[1]) and found[1].features.foreign > 0:
        return None
    abroad = found[1].crossing and not found[0].crossing
    return None if abroad and _states_the_same(asked, found[0], found[1]) else found[1]


def _answers_nothing(found: Scored) -> bool:
    return found.logit is not None and found.logit < _LEAST_SECOND


def _is_of_it(found: Scored) -> bool:
    """Return whether the unit is about the thing asked about, by its name or by what stands before it."""
    return max(found.features.subject, found.features.inherited) >= 1


def _is_before(one: Scored, other: Scored) -> bool:
    return one.unit.start < other.unit.start

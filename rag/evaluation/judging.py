"""Whether what came is right: a resolution beside its case, a turn of a conversation beside what was expected of it.

A verdict says why it is not, by the key of an interface text and its values, so that it can be read in any language.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Any, Final

from rag.evaluation.casefiles import Question
from rag.evaluation.casefiles import Turn as Wanted
from rag.evaluation.matching import (
    added_terms,
    closeness,
    holds,
    is_equal,
    is_named,
    is_same,
    name_terms,
    pair_up,
    stands_in,
    terms,
)
from rag.events import Turn

# A rewrite may say things at more length than the good ones do; what adds more has pasted something in.
MOST_ADDED: Final = 6
LEAST_OVERLAP: Final = 0.5  # with the nearest good rewrite: what is further from it is another question
LONGEST_STANDALONE: Final = 2000  # characters
LONGEST_ANSWER: Final = 350  # characters: an answer that quotes half a document is none
LONGEST_COMPARISON: Final = 4 * LONGEST_ANSWER
FIRST_CITATIONS: Final = 3
FIRST_OF_COMPARISON: Final = 6
FIRST_DOCUMENTS: Final = 5
_OFFERS: Final = (2, 4)  # so many readings can be chosen from
_WAS: Final = MappingProxyType(
    {
        "resolved": "evaluation.why.was_resolved",
        "unchanged": "evaluation.why.was_unchanged",
        "ambiguous": "evaluation.why.was_ambiguous",
    }
)

Texts = Callable[[str], str]  # the visible text of a document, by its name


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether something is right; ``why`` is the key of what speaks against it, "" where nothing does."""

    why: str = ""
    values: Mapping[str, str] = field(default_factory=dict)

    @property
    def right(self) -> bool:
        """Return whether nothing speaks against it."""
        return not self.why


RIGHT: Final = Verdict()


def judge_resolution(case: Question, result: Mapping[str, Any]) -> Verdict:
    """Return whether *result*, as ``referent resolve`` writes it, is the resolution that *case* expects."""
    standalone = standalone_of(result)
    if not standalone:
        return Verdict("evaluation.why.no_result", {"reason": str(result.get("error", ""))})
    if case.status == "unchanged" and is_rewritten(case, result):
        return Verdict("evaluation.why.rewritten")
    if result["status"] != case.status:
        return Verdict(_WAS[result["status"]])
    if case.status == "ambiguous":
        return _judge_offer(tuple(dict.fromkeys(case.entities)), [each["name"] for each in result["candidates"]])
    return _judge_rewrite(case, result, standalone) if case.status == "resolved" else RIGHT


def _judge_offer(wanted: Sequence[str], offered: Sequence[str]) -> Verdict:
    """Return whether exactly *wanted* was offered to choose from."""
    few, many = _OFFERS
    if few <= len(offered) <= many and len(offered) == len(wanted) and pair_up(wanted, offered):
        return RIGHT
    return Verdict("evaluation.why.offered", {"found": _list(offered), "expected": _list(wanted)})


def _judge_rewrite(case: Question, result: Mapping[str, Any], standalone: str) -> Verdict:
    """Return whether *standalone* asks what the good rewrites of *case* ask, of the same things."""
    taken = tuple(name for each in result["references"] for name in each["entities"])
    lacking = [name for name in case.entities if not _is_there(name, case, standalone, taken)]
    if lacking:
        return Verdict("evaluation.why.lacks", {"expected": _list(lacking), "found": _list(taken)})
    room = max(len(added_terms(case.question, good)) for good in case.standalone) + MOST_ADDED
    if len(added_terms(case.question, standalone)) > room:
        return Verdict("evaluation.why.pasted")
    if closeness_of(case, standalone) < LEAST_OVERLAP:
        return Verdict("evaluation.why.far")
    if any(_is_doubled(name, standalone) for name in case.entities):
        return Verdict("evaluation.why.doubled")
    wrong = _intruders(case, standalone, taken)
    return Verdict("evaluation.why.also", {"found": _list(wrong)}) if wrong else RIGHT


def _is_there(name: str, case: Question, standalone: str, taken: Sequence[str]) -> bool:
    """Return whether *name* is in the rewrite, or taken where no good rewrite needs to say it."""
    if is_named(name, standalone):
        return True
    if any(is_named(name, good) for good in case.standalone):
        return False
    return is_named(name, case.question) or any(is_same(name, each) for each in taken)


def _is_doubled(name: str, standalone: str) -> bool:
    said, twice = terms(standalone), terms(name) * 2
    return bool(twice) and any(
        said[place : place + len(twice)] == twice for place in range(1, len(said) - len(twice) + 1)
    )


def _intruders(case: Question, standalone: str, taken: Sequence[str]) -> list[str]:
    """Return the names of other things that *standalone* says, or that were taken, though nothing good says them.

    A longer sibling of what is meant is another thing; a name that the question begins to say may be spelt out.
    """
    good = (case.question, *case.standalone)
    said = {term for text in good for term in terms(text)}
    begun = {term for term in terms(case.question) if len(term) > 2 and not term.isdigit()}
    rivals = [each.name for each in case.catalog if not any(is_named(each.name, text) for text in good)]

    def is_rival_said(name: str) -> bool:
        """Return whether the rival *name* stands in *standalone*, and more of it than the question begins to say."""
        own = set(name_terms(name))
        return is_named(name, standalone) and bool(own - said or not begun & own)

    def is_wrongly_taken(name: str) -> bool:
        """Return whether *name*, which was taken for an expression, is another thing than any that may be meant."""
        if any(is_same(each, name) for each in case.entities) or any(is_named(name, text) for text in good):
            return False
        looks_like_a_name = any(character.isupper() or character.isdigit() for character in name)
        known = any(is_same(name, rival) for rival in rivals)
        return not begun & set(name_terms(name)) and (known or looks_like_a_name)

    return [*filter(is_rival_said, rivals), *filter(is_wrongly_taken, taken)]


def standalone_of(result: Mapping[str, Any]) -> str:
    """Return the standalone question of a result, "" where there is none to read."""
    found = result.get("standalone")
    usable = isinstance(found, str) and len(found) <= LONGEST_STANDALONE and "error" not in result
    return str(found) if usable else ""


def is_rewritten(case: Question, result: Mapping[str, Any]) -> bool:
    """Return whether the standalone question is another than the question."""
    return not is_equal(standalone_of(result), case.question)


def closeness_of(case: Question, standalone: str) -> float:
    """Return how near *standalone* is to the nearest good rewrite: the F1 of their words, 1 for the same."""
    return closeness(case.standalone, standalone)


def has_links(case: Question, result: Mapping[str, Any]) -> bool:
    """Return whether each expression of *case* is reported where it stands, with one of its entities."""
    return all(
        any(_is_link(case.question, each.text, each.entities, found) for found in result.get("references", ()))
        for each in case.references
        if each.text
    )


def _is_link(question: str, text: str, entities: Sequence[str], found: Mapping[str, Any]) -> bool:
    start, end = found["start"], found["end"]
    written = question[start:end]
    stands = 0 <= start < end <= len(question) and written == found["text"] and _fits(text, written)
    return stands and any(is_same(name, other) for name in entities for other in found["entities"])


def _fits(text: str, written: str) -> bool:
    return " ".join(terms(text)) in " ".join(terms(written))


def judge_turn(wanted: Wanted, turn: Turn) -> Verdict:
    """Return whether *turn* is what was expected."""
    asked, answer = turn.clarification, turn.answer
    if wanted.expects == "clarify":
        return Verdict("evaluation.why.not_asked") if asked is None else _judge_options(wanted, asked.options)
    answered = answer is not None and answer.answered
    if wanted.expects == "no_answer":
        silent = asked is None and answer is not None and not answered and bool(answer.text)
        return RIGHT if silent else Verdict("evaluation.why.answered")
    if asked is not None:
        return Verdict("evaluation.why.asked")
    if answer is None or not answered:
        return Verdict("evaluation.why.unanswered")
    return _judge_answer(wanted, answer.text)


def _judge_options(wanted: Wanted, options: Sequence[str]) -> Verdict:
    """Return whether what may be chosen has all that was to be offered; any reading will do where none is named."""
    offered = [each for each in dict.fromkeys(options) if each.strip()]
    few, many = _OFFERS
    if few <= len(offered) <= many and pair_up(wanted.options, offered):
        return RIGHT
    return Verdict("evaluation.why.offered", {"found": _list(offered), "expected": _list(wanted.options)})


def _judge_answer(wanted: Wanted, text: str) -> Verdict:
    longest = LONGEST_COMPARISON if wanted.gold_answer_all else LONGEST_ANSWER
    if len(text) > longest:
        return Verdict("evaluation.why.too_long", {"count": str(len(text))})
    stale = [value for value in wanted.gold_answer_none if holds(text, value)]
    if stale:
        return Verdict("evaluation.why.stale", {"found": _list(stale)})
    missing = [value for value in wanted.gold_answer_all if not holds(text, value)]
    if missing:
        return Verdict("evaluation.why.missing", {"expected": _list(missing)})
    if wanted.gold_answer_any and not any(holds(text, value) for value in wanted.gold_answer_any):
        return Verdict("evaluation.why.missing_any", {"expected": _list(dict.fromkeys(wanted.gold_answer_any))})
    return RIGHT


def recall_of(wanted: Wanted, turn: Turn | None) -> float | None:
    """Return the share of the right documents among the first five found; None where none is named, or needed."""
    if wanted.expects != "answer" or not wanted.gold_docs:
        return None
    right = set(wanted.gold_docs)
    hits = turn.hits if turn is not None else ()
    first = list(dict.fromkeys(_known_as(hit.passage.document, right) for hit in hits))[:FIRST_DOCUMENTS]
    return len(right & set(first)) / min(len(right), FIRST_DOCUMENTS)


def is_cited(wanted: Wanted, turn: Turn | None, texts: Texts) -> bool | None:
    """Return whether one of the first citations quotes a right document; None where ``recall_of`` is.

    *texts* gives the visible text of a document.
    """
    if wanted.expects != "answer" or not wanted.gold_docs:
        return None
    answer = turn.answer if turn is not None else None
    first = answer.citations[: FIRST_OF_COMPARISON if wanted.gold_answer_all else FIRST_CITATIONS] if answer else ()
    return any(
        _known_as(each.document, wanted.gold_docs) in wanted.gold_docs and stands_in(each.quote, texts(each.document))
        for each in first
    )


def is_crossing(wanted: Wanted, language: str, documents: Mapping[str, str]) -> bool:
    """Return whether a message in *language* asks for what documents have in other languages alone.

    *documents* gives the language of each, "" where nothing tells it.  Where no right document is named, or none of
    them is known, it is asked whether any document is in *language*.
    """
    right = set(wanted.gold_docs)
    spoken = {spoken for name, spoken in documents.items() if _known_as(name, right) in right}
    spoken = spoken or set(documents.values())
    return bool(spoken) and not {language, ""} & spoken


def _known_as(document: str, right: Sequence[str] | set[str]) -> str:
    """Return *document* as the case calls it: by its whole path, else by its last part."""
    return document if document in right else PurePosixPath(document).name


def _list(names: Sequence[str] | Mapping[str, object]) -> str:
    return " · ".join(dict.fromkeys(names)) or "–"

"""A question about "the router" or "a Brevik notebook" where several known things, or rows of a table, are called so.

Nothing in the conversation tells which is meant.  They are asked about one by one: where their answers are the same,
that is the answer; where they differ, the person is asked which one they mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from languages import fold
from memory import Catalog, Name, Resolution
from memory.reference.analysis import Analysis, analyse
from memory.reference.phrases import Phrase
from memory.types import Candidate
from rag.answer.citations import without_markers
from rag.answer.stems import stems, stop_stems
from rag.answer.units import split
from rag.events import Answer, Hit

MOST: Final = 4  # things to choose from; more are a list, and no question
_THINGS: Final = frozenset(("PRODUCT", "SERVICE"))
_NO_SORTS: Final = frozenset(("TIME", "MONEY", "PERSON"))
_LONGEST: Final = 7  # words of what a row or a section is called
_MEANT: Final = frozenset(("definite", "demonstrative", "own", "possessive"))


def unnamed(question: str, language: str, catalog: Catalog) -> Analysis | None:
    """Return *question* taken apart; None where it names a known thing, and is about that."""
    if any(match.name.type in _THINGS for match in catalog.find(question)) or catalog.families(question):
        return None
    return analyse(question, language, (catalog,))


def fitting(analysis: Analysis, catalog: Catalog) -> tuple[str, tuple[Name, ...]]:
    """Return the words of a question that fit two to four known things, and these; ("", ()) where none do."""
    for phrase in analysis.phrases:
        found = _called(analysis, phrase, catalog)
        if 1 < len(found) <= MOST:
            return _without_determiner(analysis, phrase), found
    return "", ()


def sorts(analysis: Analysis, hits: Sequence[Hit]) -> tuple[str, tuple[Name, ...]]:
    """Return the words of a question that fit two to four rows, lines or sections of one document, and these as names.

    "What does the service cost?" where a table has "Service, small" and "Service, large"; ("", ()) where none do, and
    where the question tells them apart or one of them is called so and no more.
    """
    language = analysis.tongue.code
    open_ = list(_open_phrases(analysis))
    said, heads = set(stems(analysis.text, language)), _heads(hits, language) if open_ else {}
    for words, wanted in open_:
        found = _sorts_of(wanted, heads)
        more = [set(heads[head][1]) - wanted - stop_stems(language) for head in found]
        if 1 < len(found) <= MOST and all(more) and not any(said & each for each in more):
            return words, tuple(Name(head) for head in found)
    return "", ()


def _open_phrases(analysis: Analysis) -> Iterator[tuple[str, set[str]]]:
    """Yield the words of each noun phrase in the singular that may mean one of several, with their stems."""
    language = analysis.tongue.code
    for phrase in analysis.phrases:
        if phrase.name or phrase.numbers == {"p"} or phrase.determined not in _MEANT or phrase.type in _NO_SORTS:
            continue
        words = _without_determiner(analysis, phrase)
        wanted = set(stems(words, language)) - stop_stems(language)
        if wanted and not analysis.tongue.is_property(phrase.noun):
            yield words, wanted


def _heads(hits: Sequence[Hit], language: str) -> dict[str, tuple[dict[str, None], tuple[str, ...]]]:
    """Return what rows, labelled lines and sections are called, each with the documents it stands in and its stems.

    The section above a row is none of what its rows are: "Mowers and hedge trimmers".
    """
    found: dict[str, tuple[dict[str, None], tuple[str, ...]]] = {}
    units = split(tuple(hits))
    above = {unit.heading for unit in units if unit.cells}
    for unit in units:
        called = [value for _, value in unit.cells[:2]] if len(unit.cells) > 1 else []
        called += [unit.label] if unit.labelled else []
        called += [unit.heading.rpartition(" > ")[2]] if " > " in unit.heading and unit.heading not in above else []
        for head in called:
            if head and len(head.split()) <= _LONGEST:
                documents, _ = found.setdefault(head, ({}, stems(head, language)))
                documents[hits[unit.hit].passage.document] = None
    return found


def _sorts_of(wanted: set[str], heads: Mapping[str, tuple[dict[str, None], tuple[str, ...]]]) -> list[str]:
    """Return those of *heads* that have all of *wanted*, of the first document with two."""
    found: dict[str, dict[str, str]] = {}
    for head, (documents, words) in heads.items():
        for document in documents if _has_all(wanted, words) else ():
            found.setdefault(document, {}).setdefault(fold(head), head)
    return sorted(next((called for called in found.values() if len(called) > 1), {}).values())


def _has_all(wanted: set[str], head: Sequence[str]) -> bool:
    return all(any(word == each or each.endswith(word) for each in head) for word in wanted)


def _called(analysis: Analysis, phrase: Phrase, catalog: Catalog) -> tuple[Name, ...]:
    """Return the known things that a noun phrase in the singular may mean, by its noun and by the brand beside it."""
    if not phrase.noun or phrase.numbers == {"p"} or phrase.type not in _THINGS:
        return ()
    called = tuple(name for name in catalog.of_kind(phrase.noun) if name.type in _THINGS)
    brands = [
        {fold(name.name) for name in siblings}
        for word in analysis.words[phrase.first : phrase.last + 2]
        if word.text != phrase.noun and (siblings := catalog.siblings(word.text))
    ]
    if brands:
        return tuple(name for name in called if all(fold(name.name) in brand for brand in brands))
    return called if phrase.determined in _MEANT else ()


def _without_determiner(analysis: Analysis, phrase: Phrase) -> str:
    first = analysis.words[phrase.first]
    apart = phrase.determiner and phrase.last > phrase.first and fold(first.text) == fold(phrase.determiner)
    return analysis.text[analysis.words[phrase.first + 1].start if apart else phrase.start : phrase.end]


def ambiguous(resolution: Resolution, expression: str, names: Sequence[Name]) -> Resolution:
    """Return *resolution* as one whose *expression* has several readings, *names*."""
    candidates = tuple(Candidate(name.name, name.type) for name in names)
    return replace(
        resolution, standalone=resolution.question, status="ambiguous", candidates=candidates, expression=expression
    )


def differ(names: Sequence[Name], answers: Sequence[Answer]) -> bool:
    """Return whether *answers* to one question about *names* are not all the same, and one is an answer."""
    said = [_said(name, answer) if answer.answered else "" for name, answer in zip(names, answers, strict=True)]
    return any(said) and len(set(said)) > 1


def _said(name: Name, answer: Answer) -> str:
    """Return what *answer* quotes first, without the name of what it is about."""
    text = answer.citations[0].quote if answer.citations else without_markers(answer.text)
    for form in sorted((name.name, *name.aliases), key=len, reverse=True):
        text = re.sub(re.escape(form), "", text, flags=re.IGNORECASE)
    return " ".join(fold(text).split())

"""A verdict agrees with a careful reader, says what speaks against a result, and says it in each language."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from languages import codes, load
from memory.types import Resolution
from rag.evaluation.casefiles import Question
from rag.evaluation.casefiles import Turn as Wanted
from rag.evaluation.figures import why
from rag.evaluation.judging import (
    LONGEST_ANSWER,
    Verdict,
    has_links,
    is_cited,
    judge_resolution,
    judge_turn,
    recall_of,
)
from rag.events import Answer, Citation, Clarification, Hit, Passage, Turn

ASKED = "Quelle est sa garantie ?"
CASE = Question.model_validate(
    {
        "id": "a",
        "lang": "fr",
        "catalog": [{"name": "Lumen 20"}, {"name": "Lumen 20 Éco"}, {"name": "Brenta 4"}],
        "question": ASKED,
        "status": "resolved",
        "references": [{"text": "sa", "entities": ["Lumen 20"]}],
        "standalone": ["Quelle est la garantie du Lumen 20 ?"],
    }
)


def result(standalone: str, *taken: str, status: str = "resolved") -> dict[str, Any]:
    links = [{"text": "sa", "start": 11, "end": 13, "entities": list(taken)}] if taken else []
    return {"id": "a", "status": status, "standalone": standalone, "references": links, "candidates": []}


@pytest.mark.parametrize(
    ("found", "reason"),
    [
        (result("Quelle est la garantie du Lumen 20 ?", "Lumen 20"), ""),
        (result("Quelle est la garantie de la Brenta 4 ?", "Brenta 4"), "lacks"),
        (result("Quelle est la garantie du Lumen 20 Éco ?", "Lumen 20 Éco"), "also"),
        (result("Quelle est la garantie du Lumen 20 et de la Brenta 4 ?", "Lumen 20", "Brenta 4"), "also"),
        (result(ASKED, status="unchanged"), "was_unchanged"),
        (result(ASKED, status="ambiguous"), "was_ambiguous"),
        (result("Lumen 20 Lumen 20 Quelle est la garantie du Lumen 20 Lumen 20 ?", "Lumen 20"), "doubled"),
        (result("Je pose une question : le Lumen 20, lui, donc", "Lumen 20"), "far"),
        (result("Quelle est la garantie du Lumen 20 " + "a b c d e f g h i j k l m ?", "Lumen 20"), "pasted"),
        ({"id": "a", "error": "no case"}, "no_result"),
        (result("x" * 3000, "Lumen 20"), "no_result"),
    ],
)
def test_a_resolved_question_is_judged_by_what_it_names(found: dict[str, Any], reason: str) -> None:
    assert judge_resolution(CASE, found).why.rpartition(".")[2] == reason


def test_a_complete_question_has_to_stay_as_it_is() -> None:
    case = CASE.model_copy(update={"status": "unchanged", "references": (), "standalone": ()})
    assert judge_resolution(case, result(ASKED.replace(" ?", "\u202f?"), status="unchanged")).right
    changed = judge_resolution(case, result("Quelle est la garantie du Lumen 20 ?", "Lumen 20"))
    assert changed.why == "evaluation.why.rewritten"


@pytest.mark.parametrize(
    ("offered", "right"),
    [
        (["Lumen 20", "Brenta 4"], True),
        (["Brenta 4", "Lumen 20"], True),
        (["Lumen 20"], False),
        (["Lumen 20", "Brenta 4", "Lumen 20 Éco"], False),
        (["Lumen 20", "Lumen 20 Éco"], False),
    ],
)
def test_exactly_the_readings_there_are_have_to_be_offered(offered: list[str], right: bool) -> None:
    case = CASE.model_copy(
        update={
            "status": "ambiguous",
            "references": (CASE.references[0].model_copy(update={"entities": ("Lumen 20", "Brenta 4")}),),
        }
    )
    found = result(ASKED, status="ambiguous") | {"candidates": [{"name": name} for name in offered]}
    assert judge_resolution(case, found).right is right


@pytest.mark.parametrize(
    ("start", "end", "text", "entity", "linked"),
    [(11, 13, "sa", "Lumen 20", True), (0, 6, "Quelle", "Lumen 20", False), (11, 13, "sa", "Brenta 4", False),
     (10, 12, "sa", "Lumen 20", False), (-3, 200, "sa", "Lumen 20", False)],
)  # fmt: skip
def test_a_link_has_its_place_and_its_entity(start: int, end: int, text: str, entity: str, linked: bool) -> None:
    found = {"references": [{"text": text, "start": start, "end": end, "entities": [entity]}]}
    assert has_links(CASE, found) is linked


def turn(text: str | None, *, answered: bool = True, options: tuple[str, ...] = ()) -> Turn:
    made = Turn("t", 0, "Q?", "en", Resolution("Q?", "Q?", "unchanged"))
    answer = Answer(text, answered) if text is not None else None
    return replace(made, answer=answer, clarification=Clarification("Which?", options) if options else None)


@pytest.mark.parametrize(
    ("wanted", "made", "reason"),
    [
        ({"gold_answer_any": ["€9", "9 €"]}, turn("It costs 9 €. [1]"), ""),
        ({"gold_answer_any": ["9 €"]}, turn("It costs 19 €. [1]"), "missing_any"),
        ({"gold_answer_all": ["9 €", "2 kg"]}, turn("It costs 9 €. [1]"), "missing"),
        ({"gold_answer_any": ["9 €"], "gold_answer_none": ["8 €"]}, turn("9 €, before 8 €"), "stale"),
        ({"gold_answer_any": ["9 €"]}, turn("9 € " + "x" * LONGEST_ANSWER), "too_long"),
        ({"gold_answer_all": ["9 €"]}, turn("9 € " + "x" * LONGEST_ANSWER), ""),
        ({"gold_answer_all": ["9 €"]}, turn("9 € " + "x" * 4 * LONGEST_ANSWER), "too_long"),
        ({}, turn("The documents do not say.", answered=False), "unanswered"),
        ({}, turn(None, options=("A", "B")), "asked"),
        ({"expects": "no_answer"}, turn("The documents do not say.", answered=False), ""),
        ({"expects": "no_answer"}, turn("It costs 9 €."), "answered"),
        ({"expects": "no_answer"}, turn(None, options=("A", "B")), "answered"),
        ({"expects": "clarify"}, turn("It costs 9 €."), "not_asked"),
        ({"expects": "clarify"}, turn(None, options=("Lumen 20", "Brenta 4")), ""),
        ({"expects": "clarify", "options": ["Brenta 4"]}, turn(None, options=("Lumen 20", "Brenta 4")), ""),
        ({"expects": "clarify", "options": ["Brenta 5"]}, turn(None, options=("Lumen 20", "Brenta 4")), "offered"),
        ({"expects": "clarify"}, turn(None, options=("A", "B", "C", "D", "E")), "offered"),
    ],
)
def test_a_turn_is_judged_by_what_was_expected(wanted: dict[str, Any], made: Turn, reason: str) -> None:
    assert judge_turn(Wanted(user="Q?", **wanted), made).why.rpartition(".")[2] == reason


def found(*documents: str) -> Turn:
    hits = tuple(Hit(Passage(f"{place}", name, "text"), 1.0) for place, name in enumerate(documents))
    return replace(turn("It costs 9 €."), hits=hits)


def test_recall_counts_the_first_five_documents_by_path_or_by_name() -> None:
    wanted = Wanted(user="Q?", gold_docs=("prices.md", "de/terms.md"))
    assert recall_of(wanted, found("shop/prices.md", "a.md", "a.md", "de/terms.md")) == 1
    assert recall_of(wanted, found("fr/terms.md", "a.md", "b.md", "c.md", "d.md", "prices.md")) == 0
    assert recall_of(wanted, None) == 0
    assert recall_of(Wanted(user="Q?"), found("prices.md")) is None
    assert recall_of(Wanted(user="Q?", gold_docs=("a",), expects="no_answer"), found("a")) is None


def test_a_source_counts_where_its_words_stand_in_a_right_document() -> None:
    wanted = Wanted(user="Q?", gold_docs=("prices.md",))
    texts = {"shop/prices.md": "The lamp costs 9 euros.", "other.md": "The lamp costs 9 euros."}

    def cited(*sources: tuple[str, str], wanted: Wanted = wanted) -> bool | None:
        citations = tuple(Citation(place, *source) for place, source in enumerate(sources, start=1))
        made = replace(turn(None), answer=Answer("9 € [1]", answered=True, citations=citations))
        return is_cited(wanted, made, lambda name: texts.get(name, ""))

    right, wrong = ("shop/prices.md", "The lamp costs 9 euros."), ("other.md", "The lamp costs 9 euros.")
    assert cited(right)
    assert not cited(wrong)
    assert not cited(("shop/prices.md", "The lamp costs 8 euros."))
    assert not cited(wrong, wrong, wrong, right)
    assert cited(wrong, wrong, wrong, right, wanted=Wanted(user="Q?", gold_docs=("prices.md",), gold_answer_all=("9",)))
    assert cited(right, wanted=Wanted(user="Q?")) is None
    assert is_cited(wanted, None, lambda _: "") is False


@pytest.mark.parametrize("code", codes())
def test_what_speaks_against_a_result_is_said_in_each_language(code: str) -> None:
    values = {"reason": "r", "found": "f", "expected": "e", "count": "9"}
    keys = [key for key in load(code).texts if key.startswith("evaluation.why.")]
    assert len(keys) == 19
    assert all(why(load(code), Verdict(key, values)) for key in keys)

"""Answers to a question back: the option takes the expression's place as a whole, whatever the answer looks like."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memory import Discourse, Name, NameIndex, Pending, observe, resolve

_EDITIONS = NameIndex.of([Name("Pelorin Esker 14 (2023)", "PRODUCT"), Name("Pelorin Esker 14 (2025)", "PRODUCT")])


@pytest.mark.parametrize(
    ("answer", "edition"),
    [("The 2025 one.", "2025"), ("2025", "2025"), ("the first one", "2023"), ("Pelorin Esker 14 (2025)", "2025")],
)
def test_an_answer_completes_the_question_that_was_asked(answer: str, edition: str) -> None:
    question = "How much is the Esker 14?"
    asked = resolve(question, Discourse(), catalog=_EDITIONS, language="en")
    assert asked.status == "ambiguous"
    discourse = observe(Discourse(), "user", question, language="en", catalogs=(_EDITIONS,))
    back = "Which one do you mean: Pelorin Esker 14 (2023) or Pelorin Esker 14 (2025)?"
    discourse = observe(discourse, "assistant", back, language="en", catalogs=(_EDITIONS,))
    start = question.index(asked.expression)
    options = tuple(candidate.name for candidate in asked.candidates)
    discourse = replace(discourse, pending=Pending(question, start, start + len(asked.expression), options))
    meant = resolve(answer, discourse, catalog=_EDITIONS, language="en")
    assert meant.status == "resolved"
    assert meant.standalone.removesuffix("?").endswith(f"Pelorin Esker 14 ({edition})")


def test_a_new_question_cancels_the_one_that_waits() -> None:
    pending = Pending("How much is the Esker 14?", 16, 24, ("Pelorin Esker 14 (2023)", "Pelorin Esker 14 (2025)"))
    discourse = Discourse(messages=2, pending=pending, language="en")
    meant = resolve("Where is your shop in Leeds?", discourse, catalog=_EDITIONS, language="en")
    assert meant.standalone == "Where is your shop in Leeds?"


_FAMILY = NameIndex.of(
    [Name(name, "PRODUCT") for name in ("Talvo Fern 7", "Talvo Fern 7 Lite", "Talvo Fern 7 Pro", "Talvo Moss 15")]
)


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("What does the Pro cost?", "What does the Talvo Fern 7 Pro cost?"),
        ("And the Lite?", "Is the Talvo Fern 7 Lite waterproof?"),
        ("Do you sell the Echo?", "Do you sell the Echo?"),
    ],
)
def test_a_word_that_tells_a_sibling_apart_names_it(question: str, meant: str) -> None:
    first = "Is Talvo Fern 7 waterproof?"
    discourse = observe(Discourse(), "user", first, language="en", catalogs=(_FAMILY,))
    assert resolve(question, discourse, catalog=_FAMILY, language="en").standalone == meant


@pytest.mark.parametrize(
    ("language", "question"),
    [("en", "What does the Esker 14 cost?"), ("de", "Was kostet das Esker 14?"), ("ar", "كم سعر Esker 14؟")],
)
def test_a_name_of_two_editions_is_asked_back_about(language: str, question: str) -> None:
    asked = resolve(question, Discourse(), catalog=_EDITIONS, language=language)
    assert asked.status == "ambiguous"
    assert len(asked.candidates) == 2


@pytest.mark.parametrize(
    ("language", "question"),
    [("en", "Which Esker 14 can I order?"), ("de", "Welche Farben haben die beiden Esker 14?")],
)
def test_a_question_about_the_whole_family_is_not_asked_back_about(language: str, question: str) -> None:
    assert resolve(question, Discourse(), catalog=_EDITIONS, language=language).status == "unchanged"

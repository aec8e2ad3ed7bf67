"""Questions about what the person said themself."""

from __future__ import annotations

import pytest

from rag.answer.questions import asks_what_was_said
from rag.answer.recalled import introduces, recall, statements
from tests.rag.shelf.fakes import HashEmbedder

ASKED = {
    "en": ("What did I say my budget was?", "What's my name again?", "Which plan am I on now?"),
    "fr": ("Quel budget est-ce que je vous avais indiqué ?", "Vous vous souvenez de mon prénom ?"),
    "de": ("Was hatte ich zu meinem Budget gesagt?", "Wissen Sie noch, wie ich heiße?", "In welcher Stadt wohne ich?"),
    "ar": ("كم قلت لك إن ميزانيتي؟", "هل تتذكر اسمي؟"),
}
NOT_ASKED = {
    "en": (
        "What does the manual say about my battery?",
        "What is the budget version called?",
        "How do I reset it again?",
    ),
    "fr": ("Que dit la notice de ma batterie ?", "Où est-ce que je trouve le numéro de série ?"),
    "de": ("Was sagt die Anleitung zu meinem Akku?", "Wo finde ich die Seriennummer?"),
    "ar": ("ماذا يقول الدليل عن بطاريتي؟", "أين أجد الرقم التسلسلي؟"),
}


@pytest.mark.parametrize(("language", "question"), [(c, q) for c, group in ASKED.items() for q in group])
def test_a_question_about_ones_own_words_is_told(language: str, question: str) -> None:
    assert asks_what_was_said(question, language)


@pytest.mark.parametrize(("language", "question"), [(c, q) for c, group in NOT_ASKED.items() for q in group])
def test_a_question_about_a_document_is_none(language: str, question: str) -> None:
    assert not asks_what_was_said(question, language)


def test_the_statement_that_fits_is_quoted() -> None:
    said = ["It rains a lot here. Is the jacket waterproof?", "My budget is 300 euros. Which one fits?"]
    answer = recall("What did I say my budget was?", said, "en", HashEmbedder())
    assert answer.answered
    assert "My budget is 300 euros." in answer.text
    assert "rains" not in answer.text


def test_a_correction_takes_the_place_of_what_it_takes_back() -> None:
    said = ["We are moving to Harlow in June.", "Sorry, it is Wexcombe and not Harlow. Does that change the fee?"]
    assert "Wexcombe" in recall("Where did I say we are moving?", said, "en", HashEmbedder()).text


def test_the_last_introduction_answers_a_question_for_the_name() -> None:
    said = ["Bonjour, je m'appelle Inès. Combien coûte la lampe ?", "Elle me plaît beaucoup."]
    assert "Inès" in recall("Vous vous souvenez de mon prénom ?", said, "fr", HashEmbedder()).text


def test_nothing_said_is_said_so() -> None:
    answer = recall("What's my name?", ["How much is the lamp?"], "en", HashEmbedder())
    assert not answer.answered
    assert answer.text


def test_questions_are_no_statements() -> None:
    assert list(statements(["Hello there. Is it open? أنا ريم. كم السعر؟"])) == ["Hello there.", "أنا ريم."]


@pytest.mark.parametrize(
    ("statement", "expected"),
    [("Hi, I'm Odette.", True), ("I'm tired.", False), ("Je suis fatiguée.", False), ("Ich heiße Anneliese.", True)],
)
def test_an_introduction_names_the_person(statement: str, expected: bool) -> None:
    assert introduces(statement) is expected


def test_what_says_nothing_about_the_person_is_not_quoted() -> None:
    said = ["The 2025 one.", "Good to know."]
    assert not recall("What did I say my budget was?", said, "en", HashEmbedder()).answered


def test_a_sentence_without_a_pronoun_that_shares_a_word_is_quoted() -> None:
    assert "900" in recall("What did I say my budget was?", ["Budget: 900 euros."], "en", HashEmbedder()).text

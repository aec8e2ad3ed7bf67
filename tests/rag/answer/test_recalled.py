"""Questions about what the person said themself."""

from __future__ import annotations

import pytest

from rag.answer.pastquestions import asks_what_was_said
from rag.answer.recalled import Judge, Told, introduces, recall, statements, without_denied
from tests.rag.shelf.fakes import HashEmbedder

JUDGE = Judge(HashEmbedder())


def told(*messages: str) -> list[Told]:
    return [Told(text) for text in statements(messages)]


ASKED = {
    "en": ("What did I say my budget was?", "What's my name again?", "Remind me of my plan"),
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
    said = told("It rains a lot here. Is the jacket waterproof?", "My budget is 300 euros. Which one fits?")
    assert recall("What did I say my budget was?", said, "en", JUDGE) == "My budget is 300 euros."


def test_a_correction_takes_the_place_of_what_it_takes_back() -> None:
    said = told("We are moving to Harlow in June.", "Sorry, it is Wexcombe and not Harlow. Does that change the fee?")
    assert recall("Where did I say we are moving?", said, "en", JUDGE) == "Sorry, it is Wexcombe."


def test_nothing_said_is_nothing_recalled() -> None:
    assert recall("What's my name?", told("How much is the lamp?"), "en", JUDGE) == ""


def test_questions_are_no_statements() -> None:
    assert list(statements(["Hello there. Is it open? أنا ريم. كم السعر؟"])) == ["Hello there.", "أنا ريم."]


@pytest.mark.parametrize(
    ("language", "message", "stated"),
    [
        ("en", "I'm in Basel, do you deliver here?", ["I'm in Basel"]),
        ("fr", "J'ai quarante ans, quel tarif me va ?", ["J'ai quarante ans"]),
        ("de", "Ich habe 20 Gäste, welcher Saal passt?", ["Ich habe 20 Gäste"]),
        ("ar", "أنا في عمّان، هل توصلون هنا؟", ["أنا في عمّان"]),
        ("en", "If I lived in Basel, would you deliver?", []),
        ("en", "In Basel, do you deliver?", []),
    ],
)
def test_what_a_question_states_before_it_asks_is_a_statement(language: str, message: str, stated: list[str]) -> None:
    assert list(statements([message], language)) == stated


@pytest.mark.parametrize(
    ("language", "said", "held", "left"),
    [
        ("en", "It's Wexcombe, not Harlow.", "Harlow", "It's Wexcombe."),
        ("fr", "C'est Vannes, pas Auray.", "Auray", "C'est Vannes."),
        ("de", "Es wird doch nicht Soltau, sondern Uelzen.", "Soltau", "Es wird doch …, sondern Uelzen."),
        ("en", "I do not like Harlow.", "Wexcombe", "I do not like Harlow."),
    ],
)
def test_what_is_denied_is_left_out(language: str, said: str, held: str, left: str) -> None:
    assert without_denied(said, {held.casefold()}, language) == left


@pytest.mark.parametrize(
    ("statement", "expected"),
    [("Hi, I'm Odette.", True), ("I'm tired.", False), ("Je suis fatiguée.", False), ("Ich heiße Anneliese.", True)],
)
def test_an_introduction_names_the_person(statement: str, expected: bool) -> None:
    assert introduces(statement) is expected


def test_what_says_nothing_about_the_person_is_not_quoted() -> None:
    assert recall("What did I say my budget was?", told("The 2025 one.", "Good to know."), "en", JUDGE) == ""


def test_what_is_about_something_else_is_not_quoted() -> None:
    assert recall("What did I say my budget was?", told("I live in Harlow."), "en", JUDGE) == ""


def test_a_sentence_without_a_pronoun_that_shares_a_word_is_quoted() -> None:
    assert "900" in recall("What did I say my budget was?", told("Budget: 900 euros."), "en", JUDGE)

"""A row or a labelled line as an answer: whose it is first, then what was asked, in the words of the document."""

from __future__ import annotations

import pytest

from memory import Name
from rag.answer.extraction import extract
from tests.rag.answer.places import ask, hit

STAFF = {
    "en": (
        "Who is Marta Reyes?",
        "Name: Marta Reyes; Role: adviser; Extension: 214",
        " – Role: adviser; Extension: 214",
    ),
    "fr": (
        "Qui est Marta Reyes ?",
        "Nom: Marta Reyes; Rôle: conseillère; Poste: 214",
        " – Rôle : conseillère ; Poste : 214",
    ),
    "de": (
        "Wer ist Marta Reyes?",
        "Name: Marta Reyes; Aufgabe: Beratung; Durchwahl: 214",
        " – Aufgabe: Beratung; Durchwahl: 214",
    ),
    "ar": (
        "من هي Marta Reyes؟",
        "الاسم: Marta Reyes; الوظيفة: مستشارة; التحويلة: 214",
        " – الوظيفة: مستشارة؛ التحويلة: 214",
    ),
}


def spaced(text: str) -> str:
    return text.replace("\u00a0", " ").replace("\u202f", " ")


@pytest.mark.parametrize("code", STAFF)
def test_a_whole_row_is_a_list_after_its_name(code: str) -> None:
    question, cells, said = STAFF[code]
    row = hit("Marta Reyes,x,214", heading="staff", context=cells, language=code)
    answer = extract(ask(question, row, language=code, entities=("Marta Reyes",)))
    assert spaced(answer.text) == f"Marta Reyes{said} [1]"
    assert answer.citations[0].quote == "Marta Reyes,x,214"


@pytest.mark.parametrize(
    ("known", "question"), [(True, "What is Marta Reyes's extension?"), (False, "The extension of Marta Reyes?")]
)
def test_a_cell_that_is_asked_for_stands_after_the_name_of_its_row(known: bool, question: str) -> None:
    row = hit("Marta Reyes,adviser,214", heading="staff", context=STAFF["en"][1])
    answer = extract(ask(question, row, entities=("Marta Reyes",) if known else ()))
    assert answer.text == "Marta Reyes – Extension: 214 [1]"


def test_a_table_with_a_column_for_each_thing_still_names_the_thing_first() -> None:
    row = hit("Price | £17 | £25", heading="plans", context="Plan: Price; Brook: £17; Fjord: £25")
    for entities in ((), ("Brook",)):
        answer = extract(ask("What is the price of Brook?", row, entities=entities))
        assert answer.text == "Brook – Price: £17 [1]"


@pytest.mark.parametrize(
    ("code", "question", "line"),
    [
        ("en", "How much is the Oriel 5?", "Price: £59"),
        ("fr", "Combien coûte la Oriel 5 ?", "Prix : 59 €"),
        ("de", "Was kostet die Oriel 5?", "Preis: 59 €"),
        ("ar", "كم سعر Oriel 5؟", "السعر: 59 ريالًا"),
    ],
)
def test_a_bare_line_is_led_by_the_thing_that_it_stands_under(code: str, question: str, line: str) -> None:
    answer = extract(ask(question, hit(line, heading="Oriel 5", language=code), language=code, entities=("Oriel 5",)))
    assert answer.text == f"Oriel 5 – {line} [1]"
    assert answer.citations[0].quote == line


def test_a_row_of_a_table_about_one_thing_is_led_by_it_too() -> None:
    row = hit("Price | £41", heading="Oriel 5", context="Item: Price; Value: £41")
    answer = extract(ask("How much is the Oriel 5?", row, entities=("Oriel 5",)))
    assert answer.text == "Oriel 5 – Price: £41 [1]"


def test_what_names_the_thing_itself_is_not_led_by_it_again() -> None:
    line = "Oriel 5: price £59"
    answer = extract(ask("How much is the Oriel 5?", hit(line, heading="Oriel 5"), entities=("Oriel 5",)))
    assert answer.text == f"{line} [1]"


def test_the_only_cell_that_fits_the_question_answers_alone() -> None:
    row = hit(
        "Harbour tour,9 €,45 minutes,Ada Blom",
        document="tours.csv",
        heading="tours",
        context="Tour: Harbour tour; Price: 9 €; Length: 45 minutes; Guide: Ada Blom",
    )
    names = (Name("Harbour tour", "SERVICE"),)
    text = extract(ask("How long does the harbour tour take?", row, entities=("Harbour tour",), names=names)).text
    assert "45 minutes" in text
    assert "9 €" not in text

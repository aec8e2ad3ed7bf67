"""Of which thing a sentence speaks, where several stand side by side in one document."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memory import Name, NameIndex
from rag.answer.extraction import extract
from rag.answer.request import AnswerRequest
from tests.rag.answer.places import ask, hit

NAMES = (
    Name("Avocet", "PRODUCT", nouns=("kayak",)),
    Name("Dunlin", "PRODUCT", nouns=("kayak",)),
    Name("Brook 13", "PRODUCT"),
    Name("Brook 15", "PRODUCT"),
    Name("Branch Osthafen", "OTHER"),
)
BOATS = hit(
    "The Dunlin is our beginner's kayak. It weighs 21 kg and carries up to 110 kg.\n"
    "The Avocet is a sea kayak. It weighs 26 kg and has two compartments.",
    document="boats.md",
    heading="Kayak club > Boats",
)
WARRANTY = hit(
    "The warranty of the Brook 15 is 36 months, a year longer than that of the Brook 13.",
    document="brook-15.md",
    heading="Brook 15 > Warranty",
)
ROW = hit(
    "Brook 13,red,24 months",
    document="stock.csv",
    heading="stock",
    context="Model: Brook 13; Colour: red; Warranty: 24 months",
)


def known(request: AnswerRequest) -> AnswerRequest:
    """Return *request* with the names in its passages and of its entities."""
    index = NameIndex.of(NAMES)
    found = tuple(name for entity in request.entities if (name := index.get(entity)))
    return replace(request, names=found, named=tuple(index.find(each.passage.text) for each in request.hits))


@pytest.mark.parametrize(("thing", "weight"), [("Dunlin", "21 kg"), ("Avocet", "26 kg")])
def test_a_sentence_after_the_naming_one_is_of_that_thing(thing: str, weight: str) -> None:
    answer = extract(known(ask(f"What does the {thing} weigh?", BOATS, entities=(thing,))))
    assert weight in answer.text
    assert answer.text.count("kg") == answer.text.count(weight) + answer.text.count("110 kg")


def test_a_sentence_that_opens_with_another_thing_is_of_that_one() -> None:
    answer = extract(known(ask("How long is the warranty of the Brook 13?", WARRANTY, ROW, entities=("Brook 13",))))
    assert "24 months" in answer.text
    assert "36" not in answer.text


@pytest.mark.parametrize(
    ("language", "question", "text"),
    [
        ("en", "What does the Avocet cost?", "The paddle can be changed; a spare pair costs £15.\n\nPrice: £89"),
        ("de", "Was kostet das Avocet?", "Das Paddel ist wechselbar; ein Ersatzpaar kostet 15 €.\n\nPreis: 89 €"),
        ("fr", "Combien coûte le Avocet ?", "La pagaie se change ; une paire coûte 15 €.\n\nPrix : 89 €"),
    ],
)
def test_the_price_of_something_else_is_not_the_things(language: str, question: str, text: str) -> None:
    found = hit(text, document="avocet.md", heading="Avocet", language=language)
    answer = extract(known(ask(question, found, language=language, entities=("Avocet",))))
    assert "89" in answer.text
    assert "15" not in answer.text


def test_a_place_that_opens_with_its_noun_is_no_person() -> None:
    team = hit(
        "Swantje Dellmann leads the branch since 2016. Jannis Ober runs the workshop.",
        document="branch.md",
        heading="Branch Osthafen > Team",
    )
    answer = extract(known(ask("Who leads Branch Osthafen?", team, entities=("Branch Osthafen",))))
    assert "Swantje Dellmann" in answer.text


def test_the_price_of_something_else_is_given_where_it_is_asked_for() -> None:
    found = hit("The paddle can be changed; a spare pair costs £15.\n\nPrice: £89", document="b.md", heading="Avocet")
    answer = extract(known(ask("What does a spare pair for the Avocet cost?", found, entities=("Avocet",))))
    assert "£15" in answer.text


def test_a_difference_is_no_price() -> None:
    small = hit("The Brook 13 is light and costs £230 less.\n\nPrice: £349", document="13.md", heading="Brook 13")
    large = hit("The Brook 15 costs £579.", document="15.md", heading="Brook 15")
    question = "Which is cheaper, the Brook 13 or the Brook 15?"
    answer = extract(known(ask(question, small, large, entities=("Brook 13", "Brook 15"))))
    assert "£349" in answer.text.split("\n")[0]


def test_the_price_of_the_pair_is_not_the_things() -> None:
    found = hit(
        "يمكن تبديل الوسائد، وسعر الزوج منها 65 ريالًا.\n\nالسعر: 399 ريالًا",
        document="a.md",
        heading="Avocet",
        language="ar",
    )
    answer = extract(known(ask("كم سعر Avocet؟", found, language="ar", entities=("Avocet",))))
    assert "399" in answer.text
    assert "65" not in answer.text


@pytest.mark.parametrize(
    ("language", "text", "question", "name", "number"),
    [
        (
            "de",
            (
                "Mara Holm leitet das Haus. Ihre Telefonnummer ist 0341 555 201.\n\n"
                "Nils Aber führt durch den Garten. Seine Telefonnummer ist 0341 555 214."
            ),
            "Wie ist die Telefonnummer von Mara Holm?",
            "Mara Holm",
            "0341 555 201",
        ),
        (
            "ar",
            (
                "سلمى القرني هي مدربة السباحة. رقم هاتفها 0550 111 204.\n\n"
                "هند القرني هي مديرة النادي. رقم هاتفها 0550 111 200."
            ),
            "ما رقم هاتف سلمى القرني؟",
            "سلمى القرني",
            "0550 111 204",
        ),
    ],
)
def test_a_number_is_of_the_person_in_its_paragraph(
    language: str, text: str, question: str, name: str, number: str
) -> None:
    people = (Name(name, "PERSON"),)
    request = ask(question, hit(text, language=language), language=language, entities=(name,), names=people)
    assert number in extract(request).text


def test_what_the_next_paragraph_says_is_of_no_person_before() -> None:
    text = "سلمى القرني هي مدربة السباحة. رقم هاتفها 0550 111 204.\n\nرقم هاتف الطوارئ 0550 111 200."
    people = (Name("سلمى القرني", "PERSON"),)
    found = hit(text, language="ar")
    request = ask("ما رقم هاتف سلمى القرني؟", found, language="ar", entities=("سلمى القرني",), names=people)
    answer = extract(request).text
    assert "0550 111 204" in answer
    assert "0550 111 200" not in answer


def test_a_word_in_a_name_asks_for_nothing() -> None:
    found = hit("سليم الحداد هو مدرب الخبز. رقم هاتفه 0550 111 219.", language="ar")  # «سليم» is a word for deliveries
    people = (Name("سليم الحداد", "PERSON"),)
    request = ask("ما هاتف سليم الحداد؟", found, language="ar", entities=("سليم الحداد",), names=people)
    assert "0550 111 219" in extract(request).text

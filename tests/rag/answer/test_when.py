"""Days, months and ranges that hold what is asked about, what was so once, and lists of what there is."""

from __future__ import annotations

from decimal import Decimal

import pytest

from memory.types import Name
from rag.answer.extraction import extract
from rag.answer.pastquestions import asks_what_was_said
from rag.answer.periods import agreement, periods
from rag.answer.ranges import Span, spans
from rag.events import Hit
from tests.rag.answer.places import ask, hit


@pytest.mark.parametrize(
    ("text", "code", "held"),
    [
        ("Open Tuesday to Friday.", "en", [[1, 2, 3, 4]]),
        ("Sa–Mo geschlossen", "de", [[0, 5, 6]]),
        ("So ist das, und Mi auch.", "de", []),
        ("freitags und am Wochenende", "de", [[4], [5, 6]]),
        ("du 1er juin au 15 septembre", "fr", [[5, 6, 7, 8]]),
        ("Juillet et août", "fr", [[6], [7]]),
        ("من الأحد إلى الخميس", "ar", [[0, 1, 2, 3, 6]]),
        ("الاثنين والأربعاء", "ar", [[0], [2]]),
        ("Dogs may come in winter.", "en", [[0, 1, 11]]),
    ],
)
def test_reads_days_and_months_and_stretches_of_them(text: str, code: str, held: list[list[int]]) -> None:
    assert [sorted(period.held) for period in periods(text, code)] == held


def test_a_stretch_agrees_with_a_day_in_it_and_not_with_another() -> None:
    said = periods("Tuesday to Friday", "en")
    asked = [periods(f"on {day}?", "en") for day in ("Wednesday", "Monday")]
    assert [agreement(each, said) for each in asked] == [1.0, -1.0]
    assert agreement(periods("in May?", "en"), said) == 0.0


@pytest.mark.parametrize(
    ("text", "code", "expected"),
    [
        ("6,50 m bis 9,49 m", "de", [Span(Decimal(6500), Decimal(9490), "mm")]),
        ("42 to 15 kg", "en", [Span(Decimal(15000), Decimal(42000), "g")]),
        ("moins de 5 m", "fr", [Span(None, Decimal(5000), "mm")]),
        ("more than 3 kg", "en", [Span(Decimal(3000), None, "g")]),
        ("3 kg and over", "en", [Span(Decimal(3000), None, "g")]),
        ("كلب صغير (حتى 10 كغ)", "ar", [Span(None, Decimal(10000), "g")]),
        ("It weighs 3 kg.", "en", []),
        ("over $30", "en", []),
    ],
)
def test_reads_ranges_of_values(text: str, code: str, expected: list[Span]) -> None:
    assert list(spans(text, code)) == expected


MONTHS = [
    hit(
        f"{months} | {days}",
        document="cafe.md",
        heading="The Kettle > Hours",
        context=f"Months: {months}; Hours: {days}",
    )
    for months, days in (("April to September", "8:30 to 18:00"), ("October to March", "10:00 to 15:30"))
]


@pytest.mark.parametrize(("month", "hours"), [("July", "8:30"), ("January", "10:00"), ("winter", "10:00")])
def test_the_row_whose_months_hold_the_one_asked_about_answers(month: str, hours: str) -> None:
    answer = extract(ask(f"When is the Kettle open in {month}?", *MONTHS))
    assert answer.text.startswith(("April", "October"))
    assert hours in answer.text.partition("[1]")[0]


@pytest.mark.parametrize(("length", "price"), [("9,20", "1710"), ("12", "2480")])
def test_the_row_whose_range_holds_the_measure_answers(length: str, price: str) -> None:
    rows = [
        hit(
            f"{span},{price_}",
            document="places.csv",
            heading="places",
            language="fr",
            context=f"longueur: {span}; prix_annuel_eur: {price_}",
        )
        for span, price_ in (("de 6,50 m à 9,49 m", "1710"), ("de 9,50 m à 12,99 m", "2480"))
    ]
    answer = extract(ask(f"Quel est le prix annuel pour un bateau de {length} m ?", *rows, language="fr"))
    assert f"{price} EUR" in answer.text.partition("[1]")[0]


@pytest.mark.parametrize(
    ("question", "holds", "first"),
    [
        ("Was kostet der Tarif Dohle?", "36 €", True),
        ("Was kostete der Tarif Dohle früher?", "32 €", True),
    ],
)
def test_what_was_so_once_answers_where_the_past_is_asked_for(question: str, holds: str, first: bool) -> None:
    page = hit(
        "Der Tarif Dohle kostet im Monat 36 €. Bis zum letzten Jahr kostete der Tarif Dohle 32 €.",
        document="tarife.md",
        heading="Tarife",
        language="de",
    )
    dohle = Name("Dohle", type="SERVICE", nouns=("Tarif",))
    answer = extract(ask(question, page, entities=("Dohle",), names=(dohle,), language="de"))
    assert (holds in answer.text.partition("[1]")[0]) is first


def test_an_edition_of_a_later_year_comes_before_an_older_one() -> None:
    old = hit("Mooring for a night: 18 pounds.", document="charges-2025.txt", heading="CHARGES 2025")
    new = hit("Mooring for a night: 22 pounds.", document="charges-2026.txt", heading="CHARGES 2026")
    for hits in ((old, new), (new, old)):
        assert extract(ask("How much is a mooring for a night?", *hits)).text.startswith("Mooring for a night: 22")
    asked = extract(ask("How much was a mooring for a night in 2025?", old, new)).text
    assert asked.startswith("Mooring for a night: 18")


def rows_of(heading: str, column: str, names: list[str], language: str) -> tuple[Hit, ...]:
    return tuple(
        hit(f"{name} | 9", document="list.md", heading=heading, language=language, context=f"{column}: {name}; €: 9")
        for name in names
    )


@pytest.mark.parametrize(
    ("question", "language", "heading", "column", "names", "text"),
    [
        ("Which boats do you have?", "en", "Hire", "Boat", ["Wagtail", "Dipper"], "Wagtail [1] and Dipper [2]"),
        ("Welche Kurse gibt es?", "de", "Herbst", "Kurs", ["Weben", "Filzen"], "Weben [1] und Filzen [2]"),
        (
            "Vous avez quoi comme salles ?", "fr", "Location", "Salle", ["Verger", "Fontaine"],
            "Verger [1] et Fontaine [2]",
        ),
        (
            "ما الغرف المتوفرة لديكم؟", "ar", "الأسعار", "الغرفة", ["غرفة زيتون", "غرفة رمان"],
            "غرفة زيتون [1] وغرفة رمان [2]",
        ),
    ],
)  # fmt: skip
def test_a_question_for_what_there_is_gets_the_whole_list(
    question: str, language: str, heading: str, column: str, names: list[str], text: str
) -> None:
    rows = rows_of(heading, column, names, language)
    answer = extract(ask(question, *rows, language=language, table=rows))
    assert answer.text == text
    assert [citation.quote for citation in answer.citations] == [row.passage.text for row in rows]


def test_a_question_for_the_price_of_them_is_none_for_a_list() -> None:
    rows = rows_of("Hire", "Boat", ["Wagtail", "Dipper"], "en")
    answer = extract(ask("What do the boats that you have cost?", *rows, table=rows))
    assert answer.text != "Wagtail [1] and Dipper [2]"


def test_what_holds_for_all_of_a_kind_holds_for_each() -> None:
    team = hit(
        "Tarn Ellery mends the boats. All courses are taught by Jessamy Wickel.", document="team.md", heading="Team"
    )
    own = hit("The Evening Course ends with a supper in the hall.", document="evening.md", heading="Evening Course")
    course = Name("Evening Course", type="SERVICE", nouns=("course",))
    answer = extract(ask("Who teaches the Evening Course?", own, team, entities=("Evening Course",), names=(course,)))
    assert "Jessamy Wickel" in answer.text


def test_a_labelled_line_after_a_person_is_still_about_them() -> None:
    page = hit(
        "Wiebold Kranz leitet die Werkstatt.\n\n- Telefon: 555 310 220\n- Sprachen: Deutsch, Dänisch",
        document="team.md",
        heading="Team > Wiebold Kranz, Werkstattleiter",
        language="de",
        context="",
    )
    other = hit(
        "Gerät: Säge; Leitung: Wiebold Kranz", document="kurse.csv", heading="kurse", language="de",
        context="Kurs: Sägen; Leitung: Wiebold Kranz",
    )  # fmt: skip
    person = Name("Wiebold Kranz", type="PERSON")
    answer = extract(
        ask(
            "Welche Sprachen spricht Wiebold Kranz?", page, other,
            entities=("Wiebold Kranz",), names=(person,), language="de",
        )
    )  # fmt: skip
    assert "Dänisch" in answer.text


@pytest.mark.parametrize(
    ("question", "own"), [("كم عمري؟", True), ("كم عمر القطة؟", False), ("ما اسم المدربة؟", False)]
)
def test_an_arabic_age_is_ones_own_only_where_it_says_so(question: str, own: bool) -> None:
    assert asks_what_was_said(question, "ar") is own

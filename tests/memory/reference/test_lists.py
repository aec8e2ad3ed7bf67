"""What a message lists and what is said of each: the second of it, the cheapest, the last one."""

from __future__ import annotations

import pytest

from memory import Name
from tests.memory.reference.talking import taken_for


@pytest.mark.parametrize(
    ("language", "before", "question", "meant"),
    [
        (
            "en",
            "You could take 1. the ferry from Olde Quay, 2. the coach from Mere Street, 3. the night train.",
            "How long does the second one take?",
            "the coach from Mere Street",
        ),
        (
            "en",
            "The Larch Line takes 35 minutes, the Birch Line 20 and the Maple Line 28.",
            "Where does the fastest one stop?",
            "Birch Line",
        ),
        ("en", "Tilda Moss, 31, potter; Ruth Vane, 58, joiner.", "Where does the older one live?", "Ruth Vane"),
        (
            "en",
            "We have two mild kinds, Gorse Honey and Lime Blossom Honey.",
            "Is the second one clear?",
            "Lime Blossom Honey",
        ),
        ("en", "It covers botany, soil science and grafting.", "Are these three examined together?", "soil science"),
        (
            "de",
            "Es gibt den Saal Erle, den Saal Ulme und den Saal Esche.",
            "Hat der erste freitags Licht?",
            "Saal Erle",
        ),
        ("ar", "لدينا ورشة الخزف، وورشة النسيج، وورشة الحفر.", "كم تستغرق الثالثة؟", "ورشة الحفر"),
        ("ar", "عندنا غرفتين: غرفة التوت مع شرفة، وغرفة اللوز على الحديقة.", "الثانية فيها مكيف؟", "غرفة اللوز"),
        ("fr", "Par virement ou par chèque.", "Le premier, il est gratuit ?", "virement"),
        (
            "fr",
            "Gîte Les Aubiers, 6 places, 410 € ; Gîte Le Moulin, 4 places, 290 € ; Gîte du Pré, 9 places, 520 €.",
            "Le moins cher accepte les chiens ?",
            "Gîte Le Moulin",
        ),
        (
            "de",
            "Frei sind noch:\n- Montag um 9 Uhr\n- Mittwoch um 11 Uhr\n- Freitag um 16 Uhr",
            "Geht der zweite auch online?",
            "Mittwoch",
        ),
        (
            "de",
            "Raum | Plätze\nSaal Alster | 12\nSaal Bille | 30\nSaal Elbe | 18",
            "Was kostet der letzte?",
            "Saal Elbe",
        ),
    ],
)
def test_a_choice_picks_from_the_list(language: str, before: str, question: str, meant: str) -> None:
    found = taken_for(language, question, "?", before)
    assert meant in found.standalone, found


def test_more_years_are_an_older_person_and_earlier_years_an_older_house() -> None:
    people = taken_for("en", "Where does the older one live?", "?", "Tilda Moss is 31 years old, Ruth Vane 58.")
    names = [Name("Moss Hall", "LOCATION"), Name("Vane Tower", "LOCATION")]
    built = "Moss Hall was built in 1712, Vane Tower in 1340."
    houses = taken_for("en", "Is the older one open?", "?", built, names=names)
    assert "Ruth Vane" in people.standalone
    assert "Vane Tower" in houses.standalone


@pytest.mark.parametrize(
    ("language", "before", "question"),
    [
        ("fr", "Gîte Les Aubiers, 6 places, 410 € ; Gîte Le Moulin, 4 places, 290 €.", "Lequel est le moins cher ?"),
        (
            "fr",
            "Gîte Les Aubiers, 6 places, 410 € ; Gîte Le Moulin, 4 places, 290 €.",
            "Quel est le gîte le moins cher ?",
        ),
        ("en", "Tent Moss, 410 €; Tent Vane, 290 €.", "Which is the cheapest one?"),
        ("de", "Zelt Moos, 410 €; Zelt Tann, 290 €.", "Welches ist das günstigste?"),
        ("ar", "خيمة ريم 410 €؛ خيمة نور 290 €.", "ما الخيمة الأرخص؟"),
    ],
)
def test_what_the_question_asks_for_is_not_answered_in_it(language: str, before: str, question: str) -> None:
    found = taken_for(language, question, "?", before).standalone  # the alternatives may follow it
    assert found.startswith(question.rstrip(" ?؟"))


@pytest.mark.parametrize(("question", "meant"), [("Is the cheaper one free?", ""), ("Is the bigger one free?", "Moss")])
def test_a_number_without_a_unit_measures_size_and_no_price(question: str, meant: str) -> None:
    names = [Name("Moss Room", "LOCATION"), Name("Vane Room", "LOCATION")]
    found = taken_for("en", question, "?", "The Moss Room has 30 seats, the Vane Room 12.", names=names)
    assert meant in found.standalone
    assert meant or found.standalone == question


_TWO = [Name("Moss 3", "PRODUCT"), Name("Moss 5", "PRODUCT")]


@pytest.mark.parametrize(
    ("language", "first", "second", "question", "read"),
    [
        ("en", "What does the Moss 3 cost?", "And the Moss 5?", "Which is cheaper?", ", the Moss 3 or the Moss 5?"),
        ("en", "What does the Moss 3 cost?", "And the Moss 5?", "Which one has the bigger tank?", "the Moss 3 or "),
        ("fr", "Combien coûte le Moss 3 ?", "Et le Moss 5 ?", "Lequel pèse le moins ?", ", le Moss 3 ou le Moss 5 ?"),
        ("de", "Was kostet das Moss 3?", "Und das Moss 5?", "Welches ist leiser?", ", das Moss 3 oder das Moss 5?"),
        ("ar", "كم سعر Moss 3؟", "وكم سعر Moss 5؟", "أيهم أخف؟", ": Moss 3 أم Moss 5؟"),
    ],
)
def test_which_without_a_noun_is_one_of_those_named(
    language: str, first: str, second: str, question: str, read: str
) -> None:
    assert read in taken_for(language, question, first, "-", second, "-", names=_TWO).standalone


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("en", "Which is the cheapest kettle?"),
        ("en", "Which is better, tea or coffee?"),
        ("en", "Which kettle is lighter?"),
        ("de", "Welches ist der billigste Wasserkocher?"),
        ("fr", "Lequel est le grille-pain le moins cher ?"),
    ],
)
def test_which_with_a_noun_looks_further(language: str, question: str) -> None:
    assert taken_for(language, question, "Moss 3?", "-", "Moss 5?", "-", names=_TWO).standalone == question


@pytest.mark.parametrize(
    ("language", "before", "question", "read"),
    [
        ("en", "The Moss 3 costs £30, the Moss 5 £40.", "Is the cheaper of the two red?", "Is the Moss 3 red?"),
        ("fr", "Le Moss 3 coûte 30 €, le Moss 5 40 €.", "La moins chère des deux.", "Le Moss 3."),
        ("de", "Der Moss 3 kostet 30 €, der Moss 5 40 €.", "Ist der billigere von beiden da?", "Ist der Moss 3 da?"),
        ("ar", "سعر Moss 3 هو 30 ريالا وسعر Moss 5 هو 40 ريالا.", "هل الأرخص منهما متوفر؟", "هل Moss 3 متوفر؟"),
    ],
)
def test_a_choice_takes_in_what_it_is_of(language: str, before: str, question: str, read: str) -> None:
    assert taken_for(language, question, "?", before, names=_TWO).standalone == read

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

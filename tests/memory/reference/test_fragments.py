"""Fragments that put something new in the last question's place: another preposition's phrase, another time."""

from __future__ import annotations

import pytest

from memory import Name, NameIndex
from memory.reference.analysis import analyse
from memory.reference.ellipsis import is_fragment
from tests.memory.reference.talking import taken_for

_NAMES = [
    Name(name, "SERVICE")
    for name in ("Brenfield Dental Plan", "musée Orane", "carte Lumo", "Ausleihe Lindental", "Zahnplus", "مكتبة النور")
]


@pytest.mark.parametrize(
    ("language", "before", "question", "meant"),
    [
        (
            "en",
            "Does the Brenfield Dental Plan pay for crowns?",
            "And for implants?",
            "Does the Brenfield Dental Plan pay for implants?",
        ),
        (
            "fr",
            "Le musée Orane est ouvert le mercredi ?",
            "Et le samedi matin ?",
            "Le musée Orane est ouvert le samedi matin ?",
        ),
        (
            "fr",
            "La carte Lumo est gratuite pour les étudiants ?",
            "Et pour les retraités ?",
            "La carte Lumo est gratuite pour les retraités ?",
        ),
        (
            "de",
            "Hat die Ausleihe Lindental am Montag offen?",
            "Und am Samstag?",
            "Hat die Ausleihe Lindental am Samstag offen?",
        ),
        (
            "de",
            "Zahlt der Tarif Zahnplus für Kronen?",
            "Und für Implantate?",
            "Zahlt der Tarif Zahnplus für Implantate?",
        ),
        ("ar", "هل مكتبة النور مفتوحة يوم الاثنين؟", "ويوم الجمعة؟", "هل مكتبة النور مفتوحة يوم الجمعة؟"),
    ],
)
def test_the_new_phrase_takes_the_place_of_its_like(language: str, before: str, question: str, meant: str) -> None:
    assert taken_for(language, question, before, names=_NAMES).standalone == meant


def test_a_phrase_without_its_like_comes_last() -> None:
    found = taken_for("en", "And on Tuesday?", "Is the Brenfield Dental Plan still sold?", names=_NAMES)
    assert found.standalone == "Is the Brenfield Dental Plan still sold on Tuesday?"


@pytest.mark.parametrize(("question", "fragment"), [("And for implants?", True), ("And to swim?", False)])
def test_after_a_preposition_a_plural_is_a_noun_and_an_infinitive_a_verb(question: str, fragment: bool) -> None:
    nothing = NameIndex.of(())
    assert is_fragment(analyse(question, "en", (nothing, nothing))) is fragment


@pytest.mark.parametrize(
    ("language", "before", "question", "read"),
    [
        (
            "en",
            ("What is the Moss 3?", "-", "And the Moss 5?", "-", "How heavy is it?", "2 kg."),
            "And the other one?",
            "How heavy is the Moss 3?",
        ),
        (
            "fr",
            ("Le Moss 3 ?", "-", "Et le Moss 5 ?", "-", "Il pèse combien ?", "2 kg."),
            "Et l'autre ?",
            "Le Moss 3 pèse combien ?",
        ),
        ("de", ("Was kostet der Moss 3?", "9 €."), "und beim 5er?", "Was kostet der Moss 5?"),
        ("ar", ("كم سعر Moss 3؟", "9 ريالات"), "و5؟", "كم سعر Moss 5؟"),
        ("ar", ("كم سعر Moss 3؟", "9 ريالات"), "والـ5؟", "كم سعر Moss 5؟"),
    ],
)
def test_the_last_question_is_asked_of_what_is_chosen(
    language: str, before: tuple[str, ...], question: str, read: str
) -> None:
    names = [Name("Moss 3", "PRODUCT"), Name("Moss 5", "PRODUCT")]
    assert taken_for(language, question, *before, names=names).standalone == read


_TENTS = (
    Name("Große Hütte", "LOCATION", ("Großen Hütte", "Großer Hütte"), nouns=("Hütte",)),
    Name("Kleine Hütte", "LOCATION", ("Kleinen Hütte", "Kleiner Hütte"), nouns=("Hütte",)),
)


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("Und bei der kleinen?", "Wie lange dauert der Aufbau bei der Kleinen Hütte?"),
        ("Und wie lange dauert der Abbau?", "Und wie lange dauert der Abbau?"),
    ],
)
def test_an_adjective_with_another_ending_tells_a_sibling_apart(question: str, read: str) -> None:
    before = ("Wie lange dauert der Aufbau bei der großen Hütte?", "45 Minuten.")
    found = taken_for("de", question, *before, names=_TENTS)
    assert "kleine" in found.standalone.casefold() if "kleine" in read.casefold() else found.standalone == read


@pytest.mark.parametrize(
    ("before", "question", "read"),
    [
        ("Quand Martin Roche est-il là ?", "Et Odile Sarrat ?", "Quand Odile Sarrat est-elle là ?"),
        ("Quand Odile Sarrat travaille-t-elle ?", "Et Martin Roche ?", "Quand Martin Roche travaille-t-il ?"),
    ],
)
def test_the_pronoun_behind_the_verb_agrees_with_the_new_person(before: str, question: str, read: str) -> None:
    names = [Name("Martin Roche", "PERSON"), Name("Odile Sarrat", "PERSON")]
    assert taken_for("fr", question, before, "Le mardi.", names=names).standalone == read


@pytest.mark.parametrize(
    ("language", "before", "question"),
    [
        ("fr", "Combien coûte la Sittelle 3 ?", "Et le montage du barnum ?"),
        ("fr", "Combien coûte la Sittelle 3 ?", "Et une tondeuse ?"),
        ("en", "How much is the Sittelle 3?", "And a tent?"),
    ],
)
def test_what_is_whole_gets_no_owner(language: str, before: str, question: str) -> None:
    found = taken_for(language, question, before, "9 €.", names=[Name("Sittelle 3", "PRODUCT")])
    assert "Sittelle" not in found.standalone

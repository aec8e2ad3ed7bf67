"""Fragments that set one word against its like: another sort, another letter, another day or place."""

from __future__ import annotations

import re

import pytest

from languages import codes
from memory import Name
from tests.memory.reference.judging import read_cases, resolved
from tests.memory.reference.talking import taken_for
from tests.memory.reference.test_replay import hold

SORTS = [
    ("en", "How much is the junior fee?", "and the full one?", "How much is the full fee?"),
    ("en", "What is the weekly rate for the small van?", "And the large one?",
     "What is the weekly rate for the large van?"),
    ("en", "How much is an adult ticket?", "And a child one?", "How much is a child ticket?"),
    ("en", "How much is the ticket?", "And the reduced one?", "How much is the reduced ticket?"),
    ("de", "Kann ich den kleinen Saal mieten?", "Und der große?", "Kann ich den großen Saal mieten?"),
    ("de", "Wie hoch ist die Miete des kleinen Saals?", "Und die des großen?",
     "Wie hoch ist die Miete des großen Saals?"),
    ("fr", "Combien coûte la grande salle ?", "Et la petite ?", "Combien coûte la petite salle ?"),
    ("fr", "Combien coûte l'abonnement annuel ?", "et le mensuel ?", "Combien coûte l'abonnement mensuel ?"),
    ("fr", "Quel est l'ancien tarif ?", "Et le nouveau ?", "Quel est le nouveau tarif ?"),
    ("fr", "À qui est le vieux tracteur ?", "Et le neuf ?", "À qui est le tracteur neuf ?"),
    ("ar", "كم الاشتراك السنوي؟", "والشهري؟", "كم الاشتراك الشهري؟"),
    ("ar", "أين الدهان الأبيض؟", "وماذا عن الرمادي؟", "أين الدهان الرمادي؟"),
]  # fmt: skip
LETTERS = [
    ("en", "What is the rent of flat A?", "And of flat B?", "What is the rent of flat B?"),
    ("en", "Who teaches Group II?", "And Group IV?", "Who teaches Group IV?"),
    ("de", "Wie hoch ist die Miete der Wohnung A?", "Und von Wohnung B?", "Wie hoch ist die Miete der Wohnung B?"),
    ("de", "Was kostet die Halle I?", "Und die II?", "Was kostet die Halle II?"),
    ("fr", "Quel est le tarif de la salle A ?", "Et pour la B ?", "Quel est le tarif de la salle B ?"),
    ("ar", "كم إيجار قاعة أ؟", "وقاعة ب؟", "كم إيجار قاعة ب؟"),
]
TIMES = [
    ("en", "What time does the pool close on Mondays?", "And Sunday?", "What time does the pool close on Sunday?"),
    ("en", "When is the flu clinic?", "What about Friday?", "When is the flu clinic on Friday?"),
    ("en", "Is the ferry running in March?", "And April?", "Is the ferry running in April?"),
    ("en", "What is the rate per night?", "And in July?", "What is the rate per night in July?"),
    ("de", "Wann schließt das Bad am Montag?", "Und dienstags?", "Wann schließt das Bad dienstags?"),
    ("de", "Wann ist der Yogakurs?", "Und Freitag?", "Wann ist der Yogakurs am Freitag?"),
    ("fr", "Quand est le cours de yoga ?", "Et mardi ?", "Quand est le cours de yoga mardi ?"),
    ("fr", "Le guichet est ouvert en août ?", "Et mardi ?", "Le guichet est ouvert mardi ?"),
    ("ar", "متى يغلق المسبح يوم الاثنين؟", "والجمعة؟", "متى يغلق المسبح يوم الجمعة؟"),
]
PLACES = [
    ("en", "How much is a bike at the Leeds branch?", "And in York?", "How much is a bike in York?"),
    ("de", "Darf man am See zelten?", "Und im Wald?", "Darf man im Wald zelten?"),
    ("de", "Fährt das Schiff in Ulm?", "Und bei Regen?", "Fährt das Schiff in Ulm bei Regen?"),
    ("fr", "Combien coûte un vélo en Belgique ?", "Et à Lille ?", "Combien coûte un vélo à Lille ?"),
    ("fr", "Peut-on camper en Corse ?", "Et au Portugal ?", "Peut-on camper au Portugal ?"),
    ("ar", "كم أجرة الحلاق في صيدا؟", "وفي صور؟", "كم أجرة الحلاق في صور؟"),
]


@pytest.mark.parametrize(("language", "before", "question", "meant"), [*SORTS, *LETTERS, *TIMES, *PLACES])
def test_the_like_takes_its_place(language: str, before: str, question: str, meant: str) -> None:
    found = taken_for(language, question, before, "-")
    assert found.standalone == meant
    hold(found, question)


@pytest.mark.parametrize(
    ("language", "before", "question"),
    [
        ("en", "Is the red kayak free?", "And the paddle?"),
        ("en", "When does the morning tour leave?", "And what about lunch?"),
        ("en", "What is the rent of flat A?", "And do I need plan B?"),
        ("en", "What is the rent of flat A?", "Can I bring a dog?"),
        ("en", "How much is the monthly pass?", "And where do I get a form?"),
        ("de", "Was kostet die monatliche Karte?", "Und wo bekomme ich ein Formular?"),
        ("en", "What is the rate per night?", "And a week?"),
        ("de", "Ist die Halle I frei?", "Und wer hat die Schlüssel?"),
        ("fr", "Combien coûte le forfait mensuel ?", "Et où trouver un formulaire ?"),
        ("fr", "Qui est le grand chef ?", "Et la caution ?"),
        ("ar", "كم ثمن البطاقة الشهرية؟", "وأين أجد الاستمارة؟"),
    ],
)
def test_what_has_no_like_is_left(language: str, before: str, question: str) -> None:
    assert taken_for(language, question, before, "-").standalone == question


_SPLIT = {
    "fr": r"\b(?:de|à) les?\b(?=\s+\w+)|\b(?:du|au|le|la) (?=l['’])|\bqu?e (?=il\b)",
    "de": r"\b(?:in|an|von|bei|zu) dem\b|\bzu der\b(?! Zeit)",
    "en": r"\ba (?=[aeio]\w)|\ban (?=[bcdfgjklmnpqrstvwxyz]\w)",
}


@pytest.mark.parametrize("code", [code for code in codes() if code in _SPLIT])
def test_no_rewrite_splits_what_runs_together(code: str) -> None:
    for case in read_cases(code):
        written = resolved(case)["standalone"]
        said = " ".join([case["question"], *(message["text"] for message in case["history"])]).casefold()
        new = [m.group() for m in re.finditer(_SPLIT[code], written) if m.group().casefold() not in said]
        assert not new, (case["id"], written)


@pytest.mark.parametrize(
    ("before", "question", "meant"),
    [
        ("Le portable Cairn 13 pèse combien ?", "Et celui de Pelorin ?", "Le portable de Pelorin pèse combien ?"),
        ("Quel est le prix du Cairn 13 ?", "Et celui de Pelorin ?", "Quel est le prix de Pelorin ?"),
        ("Le prix du portable Cairn 13 ?", "Et celui de Pelorin ?", "Le prix du portable de Pelorin ?"),
    ],
)  # fmt: skip
def test_another_maker_of_whom_nothing_is_known_stands_as_the_old_one_did(
    before: str, question: str, meant: str
) -> None:
    names = [Name("Cairn 13", "PRODUCT")]
    assert taken_for("fr", question, before, "-", names=names).standalone == meant

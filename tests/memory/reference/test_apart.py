"""What stands apart or is asked for by its name: pronouns that announce it, "comment s'appelle …", owners after it."""

from __future__ import annotations

import pytest

from memory import Name
from tests.memory.reference.talking import taken_for

_LAMPS = (Name("Velda 2", "PRODUCT"), Name("Velda 2 Pro", "PRODUCT"), Name("Orvane", "PRODUCT"))


@pytest.mark.parametrize(
    ("code", "before", "question", "meant"),
    [
        ("fr", ("Combien pèse l'Orvane ?", "2 kg."), "Elle est de combien, la garantie ?",
         "Elle est de combien, la garantie de l'Orvane ?"),
        ("fr", ("Combien pèse l'Orvane ?", "2 kg."), "Il coûte combien, cet accessoire ?", None),
        ("fr", ("Combien pèse l'Orvane ?", "2 kg."), "Il coûte combien, celui-là ?", None),
        ("fr", ("Combien pèse l'Orvane ?", "2 kg."), "Il coûte combien ?", "L'Orvane coûte combien ?"),
    ],
)  # fmt: skip
def test_a_pronoun_that_announces_what_stands_apart_means_that(
    code: str, before: tuple[str, str], question: str, meant: str | None
) -> None:
    found = taken_for(code, question, *before, names=_LAMPS).standalone
    assert found == meant if meant else found.startswith("Il coûte combien, ")


@pytest.mark.parametrize(
    ("code", "said", "question"),
    [
        ("en", "Ines Feld runs the shop.", "What is the deputy called?"),
        ("fr", "Inès Feld dirige la boutique.", "Comment s'appelle l'adjointe ?"),
        ("de", "Ines Feld leitet den Laden.", "Wie heißt die Stellvertreterin?"),
        ("ar", "تدير ريم حداد المتجر.", "ما اسم النائبة؟"),
    ],
)
def test_somebody_whose_name_is_asked_for_is_not_known_yet(code: str, said: str, question: str) -> None:
    assert taken_for(code, question, "…", said).standalone == question


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("والبرو؟", "كم سعر Velda 2 Pro؟"),
        ("والسعر؟", "وسعر Velda 2؟"),
        ("ما مدة الضمان؟", "ما مدة ضمان Velda 2؟"),
        ("ما السعر العادي؟", "ما السعر العادي لـVelda 2؟"),
    ],
)
def test_an_owner_and_an_edition_are_written_as_arabic_does(question: str, meant: str) -> None:
    assert taken_for("ar", question, "كم سعر Velda 2؟", "سعر Velda 2 هو 40 دينارًا.", names=_LAMPS).standalone == meant


def test_the_normal_one_may_be_told_by_what_it_lacks() -> None:
    before = ("Was wiegt die Velda 2 Pro?", "Die Velda 2 Pro wiegt 2 kg.")
    found = taken_for("de", "Was kostet die normale Version ohne Pro?", *before, names=_LAMPS)
    assert found.entities == ("Velda 2",)


def test_a_preposition_runs_together_with_the_article_of_what_is_meant() -> None:
    before = ("Le casque Orvane est en stock ?", "Oui, le casque Orvane est en stock.")
    found = taken_for("fr", "Et quel est le prix de ce casque ?", *before, names=_LAMPS)
    assert found.standalone == "Et quel est le prix du casque Orvane ?"


@pytest.mark.parametrize(("code", "question"), [("en", "And the faster one?"), ("fr", "La moins chère des deux.")])
def test_a_choice_without_alternatives_leaves_nothing_out(code: str, question: str) -> None:
    before = {"en": ("How heavy is the Orvane?", "It is 2 kg."), "fr": ("Combien pèse l'Orvane ?", "2 kg.")}[code]
    assert taken_for(code, question, *before, names=_LAMPS).standalone == question

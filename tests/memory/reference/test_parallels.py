"""Fragments that name another thing or role without a name: "And the laundry?", "Et celui du concierge ?"."""

from __future__ import annotations

import pytest

from memory import Name, NameIndex
from memory.reference.analysis import analyse
from tests.memory.reference.talking import taken_for

_NAMES = [Name("Corin Vale", "PERSON", nouns=("warden",)), Name("Moss 3", "PRODUCT", nouns=("headphones",))]


@pytest.mark.parametrize(
    ("language", "before", "question", "meant"),
    [
        ("en", "When does the pool open?", "And the sauna?", "When does the sauna open?"),
        ("en", "What is the coach's number?", "And the secretary's?", "What is the secretary's number?"),
        ("en", "Who is the treasurer?", "And the coach of the juniors?", "And the coach of the juniors?"),
        ("en", "Who is the treasurer?", "And the secretary of the club?", "Who is the secretary of the club?"),
        ("en", "Who is the treasurer?", "And the warden?", "Who is the warden?"),
        ("fr", "Où est le local à poubelles ?", "Et la buanderie ?", "Où est la buanderie ?"),
        ("fr", "Quel est le numéro de la gardienne ?", "Et le président ?", "Quel est le numéro du président ?"),
        ("fr", "Quel est le numéro de la gardienne ?", "Et celui du syndic ?", "Quel est le numéro du syndic ?"),
        ("de", "Was kostet der Häcksler?", "Und die Motorhacke?", "Was kostet die Motorhacke?"),
        ("de", "Wie ist die Nummer der Trainerin?", "Und der Kassenwart?", "Wie ist die Nummer des Kassenwarts?"),
        ("de", "Wie ist die Nummer der Trainerin?", "Und die der Sekretärin?", "Wie ist die Nummer der Sekretärin?"),
        ("ar", "متى يفتح المسبح؟", "والصالة؟", "متى تفتح الصالة؟"),
        ("ar", "من مدربة الأطفال؟", "ومدرب الكبار؟", "من مدرب الكبار؟"),
    ],
)
def test_another_thing_is_asked_the_same(language: str, before: str, question: str, meant: str) -> None:
    assert taken_for(language, question, before, "-", names=_NAMES).standalone == meant


@pytest.mark.parametrize(
    ("language", "before", "question"),
    [
        ("de", "Wer ist die Vermieterin?", "Und die Tiefgarage?"),
        ("fr", "Qui est la gardienne ?", "Et la buanderie ?"),
        ("en", "Where is the pool?", "And the pool?"),
    ],
)
def test_what_does_not_stand_in_its_place_is_left(language: str, before: str, question: str) -> None:
    assert taken_for(language, question, before, "-").standalone == question


@pytest.mark.parametrize(
    ("language", "answer", "question"),
    [
        ("en", "The Gannet is a kayak.", "Who is the secretary?"),
        ("fr", "La buanderie est ouverte.", "Qui est la gardienne ?"),
        ("de", "Das steht in der Satzung.", "Wer ist die Vorsitzende?"),
    ],
)
def test_who_somebody_is_is_not_asked_of_something_known(language: str, answer: str, question: str) -> None:
    assert taken_for(language, question, "-", answer, names=[Name("Gannet", "PRODUCT")]).standalone == question


def test_one_model_of_a_plural_noun_is_an_it() -> None:
    found = taken_for("en", "How heavy is it?", "What do the Moss 3 headphones cost?", "$40.", names=_NAMES)
    assert found.standalone == "How heavy is the Moss 3?"


_KETTLES = [Name("Hobmoor Linnet", "OTHER"), Name("Hobmoor Siskin", "OTHER"), Name("Ada Blom", "PERSON")]


@pytest.mark.parametrize(
    ("language", "before", "question", "meant"),
    [
        ("en", "How much is the Hobmoor Linnet?", "and the other one?", "How much is the Hobmoor Siskin?"),
        ("fr", "Combien coûte le Hobmoor Linnet ?", "Et l'autre ?", "Combien coûte le Hobmoor Siskin ?"),
        ("ar", "كم سعر Hobmoor Linnet؟", "والآخر؟", "كم سعر Hobmoor Siskin؟"),
    ],
)
def test_the_other_of_two_things_by_one_maker_is_no_person(
    language: str, before: str, question: str, meant: str
) -> None:
    said = ("?", "Ada Blom – Telephone: 0555", before, "-")
    assert taken_for(language, question, *said, names=_KETTLES).standalone == meant


@pytest.mark.parametrize(
    ("language", "text"),
    [("en", "Ada Blom – Telephone: 0555"), ("fr", "Ada Blom – Téléphone : 0555"), ("ar", "من أمينة الصندوق؟")],
)
def test_a_label_and_a_role_are_no_names(language: str, text: str) -> None:
    found = analyse(text, language, (NameIndex.of(_KETTLES),))
    assert {phrase.entity for phrase in found.phrases if phrase.name} <= {"Ada Blom"}

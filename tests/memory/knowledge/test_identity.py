"""Two names are one thing, one short for the other, to be proposed, or apart; in four languages."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.merge_rule import figures, read_pairs
from memory.knowledge.identity import compare, keys_of

SAME = [
    ("Weber 7", "WEBER-7", "PRODUCT"),
    ("Weber7", "the Weber 7", "PRODUCT"),
    ("Fönstr", unicodedata.normalize("NFD", "FÖNSTR"), "PERSON"),
    ("Großweiler Straße", "GROSSWEILER STRASSE", "LOCATION"),
    ("أسماء", "اسماء", "PERSON"),
    ("أَسْمَاء", "أسماء", "PERSON"),
    ("الدوحة", "بالدوحه", "LOCATION"),
    ("la Loire 20", "Loire 20", "PRODUCT"),
    ("Ostrava GmbH", "Ostrava AG", "ORGANIZATION"),
]
SHORT = [
    ("Weber 7", "Tillman Weber 7", "PRODUCT"),
    ("Inga", "Inga Holm", "PERSON"),
    ("Frau Holm", "Inga Holm", "PERSON"),
    ("M. Aubert", "Luc Aubert", "PERSON"),
    ("سارة", "سارة العلي", "PERSON"),
]
PROPOSED = [("Böhmer", "Boehmer", "PERSON"), ("Nadir", "Nadeer", "PERSON"), ("ليلى", "Layla", "PERSON")]
APART = [
    ("Weber 7", "Weber 9", ("PRODUCT", "PRODUCT")),
    ("Weber 7", "Weber 7 Pro", ("PRODUCT", "PRODUCT")),
    ("Weber S7", "Weber S8", ("PRODUCT", "PRODUCT")),
    ("ساعة ريم ٢", "ساعة ريم ٣", ("PRODUCT", "PRODUCT")),
    ("Olive", "olive", ("ORGANIZATION", "FRUIT")),
    ("Porsche", "Porsche", ("PERSON", "PRODUCT")),
    ("Tillman", "Tillman Weber 7", ("OTHER", "PRODUCT")),
    ("Herr Holm", "Frau Holm", ("PERSON", "PERSON")),
    ("Ostrava GmbH", "Ostrava Energie", ("ORGANIZATION", "ORGANIZATION")),
    ("", "Weber", ("OTHER", "OTHER")),
]


@pytest.mark.parametrize(("one", "other", "type_"), SAME)
def test_spelling_keeps_no_two_apart(one: str, other: str, type_: str) -> None:
    assert compare(one, other, types=(type_, type_)) == compare(other, one, types=(type_, type_)) == "same"


@pytest.mark.parametrize(("one", "other", "type_"), SHORT)
def test_a_short_name_is_its_bearer(one: str, other: str, type_: str) -> None:
    assert compare(one, other, types=(type_, type_)) == compare(other, one, types=(type_, type_)) == "short"


@pytest.mark.parametrize(("one", "other", "type_"), PROPOSED)
def test_what_only_sounds_alike_is_proposed(one: str, other: str, type_: str) -> None:
    assert compare(one, other, types=(type_, type_)) == compare(other, one, types=(type_, type_)) == "proposed"


@pytest.mark.parametrize(("one", "other", "types"), APART)
def test_a_figure_an_edition_a_type_or_a_title_keeps_apart(one: str, other: str, types: tuple[str, str]) -> None:
    assert compare(one, other, types=types) == compare(other, one, types=types[::-1]) == "apart"


@given(st.text(max_size=60), st.sampled_from(["PERSON", "PRODUCT", "ORGANIZATION", "OTHER"]))
def test_every_name_has_keys_and_is_the_same_in_capitals(name: str, type_: str) -> None:
    keys = keys_of(name, type_)
    assert keys.own in keys.lookup or not keys.own
    if keys.own and name.upper().lower() == name.lower():
        assert compare(name, name.upper(), types=(type_, type_)) == "same"


def test_the_pairs_of_the_benchmark_are_many_balanced_and_told_right() -> None:
    pairs = list(read_pairs())
    assert len({(pair.first, pair.second, pair.types) for pair in pairs}) == len(pairs) >= 400
    assert 0.45 < sum(pair.same for pair in pairs) / len(pairs) < 0.55
    found = figures((pair, compare(pair.first, pair.second, types=pair.types)) for pair in pairs)
    assert found["merged_precision"] >= 0.99
    assert found["offered_recall"] >= 0.95

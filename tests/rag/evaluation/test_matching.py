"""Names, rewrites and values are told apart as a careful reader tells them apart, in each language."""

from __future__ import annotations

import pytest

from rag.evaluation.matching import (
    added_terms,
    closeness,
    holds,
    is_equal,
    is_named,
    is_same,
    name_terms,
    overlap,
    pair_up,
    stands_in,
)


@pytest.mark.parametrize(
    ("name", "text", "named"),
    [
        ("Orvika Lumen 20", "How heavy is the Orvika Lumen 20?", True),
        ("Orvika Lumen 20", "How heavy is the Lumen 200?", False),
        ("Madame Perrin", "Où habite Perrin ?", True),
        ("Kaffeemühle Brenta", "Der Preis der Kaffeemühlen Brenta", True),
        ("النورس 8", "كم سعر جهاز النورس ٨؟", True),
        ("نورس 8", "كم تكلفة والنورس 8؟", True),
        ("Tarif Été", "le tarif ete", True),
        ("Modell A", "das Modell B", False),
    ],
)
def test_a_name_is_found_in_any_of_its_forms(name: str, text: str, named: bool) -> None:
    assert is_named(name, text) is named


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Lumen 20", "the Orvika Lumen 20", True),
        ("Lumen 20", "Lumen 20 (2024)", False),
        ("Lumen 20", "Lumen 21", False),
        ("", "Lumen 20", False),
        ("Herr Dr. Voss", "Voss", True),
    ],
)
def test_two_names_are_one_thing_where_their_numbers_agree(one: str, other: str, same: bool) -> None:
    assert is_same(one, other) is same
    assert is_same(other, one) is same


def test_articles_and_titles_tell_no_names_apart_but_a_single_capital_does() -> None:
    assert name_terms("Die Brenta") == ("brenta",)
    assert name_terms("Plan A plus") == ("plan", "a", "plus")


def test_the_same_words_are_paired_before_a_longer_name() -> None:
    assert pair_up(["Lumen 20", "Lumen 20 Eco"], ["Lumen 20 Eco", "Lumen 20"])
    assert not pair_up(["Lumen 20", "Lumen 20"], ["Lumen 20", "Brenta"])


@pytest.mark.parametrize(
    ("answer", "value", "there"),
    [
        ("Er kostet 1.299,50 €.", "1299.50", True),
        ("Il coûte 1\u202f299\u00a0€.", "1299 €", True),
        ("It costs $15.", "5", False),
        ("It weighs 1.5 kg.", "1", False),
        ("It weighs 1.5 kg.", "5 kg", False),
        ("It weighs 1.5 kg.", "1,5 kg", True),
        ("يدوم ١٣ ساعة.", "13 ساعة", True),
        ("Guaranteed for 36 months.", "36 Months", True),
        ("Guaranteed for 360 months, not 36 months.", "36 months", True),
    ],
)
def test_a_value_is_found_however_its_number_is_written(answer: str, value: str, there: bool) -> None:
    assert holds(answer, value) is there


def test_the_overlap_counts_each_word_as_often_as_both_have_it() -> None:
    assert overlap("the price of the lamp", "the lamp") == pytest.approx(2 * 2 / 7)
    assert overlap("", "") == 1
    assert closeness(("a b", "a b c d"), "a b c d") == 1
    assert closeness((), "a") == 0


def test_a_rewrite_adds_its_new_words_and_no_articles() -> None:
    assert added_terms("What does it cost?", "What does the Lumen 20 cost?") == {"lumen", "20"}


def test_apostrophes_and_spaces_make_no_other_question() -> None:
    assert is_equal("Qu’est-ce  que c’est ?", "Qu'est-ce que c'est ?")
    assert not is_equal("Is it red?", "Is it blue?")


def test_a_quote_of_a_few_letters_stands_nowhere() -> None:
    assert stands_in("It lasts – 13 hours", "… it lasts 13 hours …")
    assert not stands_in("13 hours", "it lasts 13 hours")
    assert not stands_in("It lasts 14 hours", "it lasts 13 hours")

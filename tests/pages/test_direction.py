"""Each message runs in its own direction."""

from __future__ import annotations

import pytest

from rag.pages.direction import direction

RTL = [
    "كم سعر الجهاز؟",
    "iPhone 15 أفضل من Galaxy A55.",
    "كم سعر MacBook Pro 14 Max Ultra؟",
    "`SELECT price FROM catalogue WHERE name = 'x'` ما معنى هذا؟",
    "اقرأ https://shop.example/a-very-long-path-in-latin-letters قبل الشراء",
    "الرد [1] [2]",
    "```\nlong = code(in_latin, letters)\n```\nهكذا",
]
LTR = [
    "How much is it?",
    "What does مرحبا mean in English?",
    "Le mot «‎شكرا» veut dire merci en arabe.",
    "Straße 5, Köln",
    "",
]


@pytest.mark.parametrize("text", RTL)
def test_arabic_sentences_run_from_the_right_whatever_latin_names_they_hold(text: str) -> None:
    assert direction(text, otherwise="ltr") == "rtl"


@pytest.mark.parametrize("text", LTR)
def test_latin_sentences_run_from_the_left_whatever_arabic_word_they_quote(text: str) -> None:
    assert direction(text, otherwise="ltr") == "ltr"


@pytest.mark.parametrize("text", ["", "14 / 15", "[1]", "🙂", "`code`"])
def test_a_message_without_letters_follows_its_surroundings(text: str) -> None:
    assert direction(text, otherwise="rtl") == "rtl"
    assert direction(text, otherwise="ltr") == "ltr"


def test_a_long_message_is_decided_in_linear_time() -> None:
    assert direction("` " * 50_000 + "[" * 100_000 + " سعر") == "rtl"

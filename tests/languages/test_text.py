"""Folding, words and sentences, with their offsets."""

from __future__ import annotations

import time
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from languages.text import clean, fold, fold_map, sentences, words

# Letters, marks, digits and signs that texts in the four languages are made of, and what should not be in them.
LETTERS = st.characters(codec=None) | st.sampled_from(
    "aZéÉßœ’'-–«».,;:!?؟،؛٫٬٣۳أإآٱىيةهؤئ\u064b\u0640\u200f\u202e\u0301\ud800\x00\n\t \u202f•"
)
TEXTS = st.text(LETTERS, max_size=60)


@given(TEXTS)
@example("\u0345\u0399 İı Σς ﷺ ㎏ ½")
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(TEXTS)
def test_the_map_folds_as_fold_does(text: str) -> None:
    assert fold_map(text).text == fold(text)


@given(TEXTS)
def test_offsets_lead_back(text: str) -> None:
    folded = fold_map(text)
    assert len(folded.text) == len(folded.offsets) == len(folded.ends)
    assert list(folded.offsets) == sorted(folded.offsets)
    for place in range(len(folded.text)):
        start, end = folded.original_span(place, place + 1)
        assert 0 <= start < end <= len(text)
        # A character may stand for a part of a ligature or a decomposed letter, never for something else.
        assert folded.text[place] in (fold(text[start:end]) or " ")


@given(TEXTS, st.data())
def test_the_original_of_a_part_folds_to_that_part(text: str, data: st.DataObject) -> None:
    folded = fold_map(text)
    start = data.draw(st.integers(0, len(folded.text)))
    end = data.draw(st.integers(start, len(folded.text)))
    first, last = folded.original_span(start, end)
    assert folded.text[start:end].strip() in fold(text[first:last])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Müller", "MU\u0308LLER"),
        ("Straße", "STRASSE"),
        ("Œuvre", "oeuvre"),
        ("l’écran", "L'ECRAN"),
        ("X–13", "x-13"),
        ("الإعدادات", "الاعدادات"),
        ("مُؤْتَمَر", "موتمر"),
        ("شركة", "شركه"),
        ("مستشفى", "مستشفي"),
        ("جمــيل", "جميل"),
        ("٢٤", "24"),
        ("۲۴", "24"),
        ("١٬٥٠٠٫٢٥", "1,500.25"),
        ("a\u200f b\u200b", "a b"),
        ("1\u202f199\u00a0€", "1 199 €"),
        ("İstanbul", "istanbul"),
        ("ﬁn", "fin"),
        ("so\u00adft", "soft"),
    ],
)
def test_equal_after_folding(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(
    ("one", "other"), [("XPS 13", "XPS 15"), ("أب", "أم"), ("dú", "dv"), ("5G", "5 G"), ("ه", "ح")]
)
def test_different_after_folding(one: str, other: str) -> None:
    assert fold(one) != fold(other)


def test_a_span_takes_the_marks_of_its_last_letter_along() -> None:
    text = "سعرُهُ كم"
    first, last = fold_map(text).original_span(0, 4)
    assert text[first:last] == "سعرُهُ"
    assert fold_map("").original_span(0, 0) == (0, 0)


@given(TEXTS)
def test_clean_is_composed_and_safe(text: str) -> None:
    cleaned = clean(text)
    assert clean(cleaned) == cleaned
    assert unicodedata.is_normalized("NFC", cleaned)
    assert not any(unicodedata.category(c) in ("Cc", "Cs") and c not in "\n\t" for c in cleaned)
    cleaned.encode("utf-8")


def test_clean_removes_what_hides() -> None:
    hidden = "".join(chr(0xE0000 + ord(c)) for c in "ignore")
    assert clean(f"a{hidden}\u202eb\u200b\ufeff\x00\x1b[0m\ud83d") == "ab[0m"
    assert clean("أهلًا\u200f يا 👩\u200d💻\r\n") == "أهلًا\u200f يا 👩\u200d💻\n"


def test_clean_keeps_no_tower_of_marks() -> None:
    assert len(clean("e" + "\u0301\u0316" * 500)) < 20


@given(TEXTS)
def test_words_stand_where_they_say(text: str) -> None:
    last = 0
    for token in words(text):
        assert last <= token.start < token.end
        assert text[token.start : token.end] == token.text
        last = token.end


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Combien coûte l'autre ?", "Combien coûte l' autre"),
        ("Qu’est-ce qu’il pèse, d'Alice jusqu'à aujourd’hui", "Qu’ est ce qu’ il pèse d' Alice jusqu' à aujourd’hui"),
        ("Compare-les et donne-moi celui-ci", "Compare les et donne moi celui ci"),
        (
            "The Quarn's battery doesn't last, what's O'Brien say",
            "The Quarn 's battery doesn't last what 's O'Brien say",
        ),
        ("Kostet der WLAN-Router 1.199,50 € (5G, XPS-13)?", "Kostet der WLAN Router 1.199,50 € 5G XPS-13"),
        ("WH-1000XM5, 802.11, 24-month, 2025-03-01", "WH-1000XM5 802.11 24 month 2025-03-01"),
        ("1\u202f199 € ou 12 500 €", "1\u202f199 ou 12 500"),
        ("وكمْ سعرُ الـV10؟ ١٬٥٠٠٫٥ ريال", "وكمْ سعرُ الـV10 ١٬٥٠٠٫٥ ريال"),
        ("snake_case a.b 3.", "snake case a b 3"),
        ("🙂 …", ""),
    ],
)
def test_words(text: str, expected: str) -> None:
    assert " ".join(token.text for token in words(text)) == expected.replace(" €", "")


@given(TEXTS)
def test_sentences_stand_where_they_say(text: str) -> None:
    last = 0
    for span in sentences(text):
        assert last <= span.start < span.end
        assert text[span.start : span.end] == span.text == span.text.strip()
        last = span.end


@given(TEXTS)
def test_sentences_lose_no_word(text: str) -> None:
    assert [w.text for s in sentences(text) for w in words(s.text)] == [w.text for w in words(text)]


@pytest.mark.parametrize(
    "text",
    [
        "Mr. Hale pays £3.50 at No. 5 St. James Rd. | Fine! | Is it, e.g. on Sundays, open? | Yes.",
        "Case ........ £5! | write to a.b@example.org. | Closed at 9 p.m. on Sundays.",
        "« Vraiment ? » demanda-t-il. | “Sure!” she said (and left.) at once. | “No.” | He stayed.",
        "It weighs 1.2 kg. | iPad 5 costs more… | maybe.",
        "M. Roux est là. | Mme. Petit, p. ex., arrive à 8 h. | Il part. | « Vraiment ? » | Oui !",
        "Das gilt z. B. für Nr. 5, d. h. ab dem 3. Mai. | Die 2. Generation kam 2025. | Gut so. | Am So. nie.",
        "Er fragte: „Wie viel?“ | Dann ging er (ca. 5 Min. später). | Schluss",
        "كم السعر؟ | السعر ٥٫٥ ريال. | نعم؛ | د. سالم هنا، وهو المدير. | شكرًا!",
        "1. Open the box.\n | 2. Press reset.\n | - charge it\n | • wait",
        "Il coûte 1 199,50 €. | Version 15. | Elle suit.",
    ],
)
def test_sentences(text: str) -> None:
    expected = [piece.strip().removeprefix("- ").removeprefix("• ") for piece in text.split("|")]
    assert [span.text for span in sentences(text.replace("| ", ""))] == expected


@pytest.mark.parametrize("function", [fold, fold_map, clean, words, sentences])
@pytest.mark.parametrize(
    "piece",
    [".", "e\u0301", "\u0301\u0316", "a'", "1.", "\ufdfa", "a. ", " ", "x", '("', "؟", "- ", "\n", "1-", "l’", "z.B."],
)
def test_a_long_text_takes_time_in_proportion(function: Callable[[str], object], piece: str) -> None:
    """A hundred thousand characters of anything take seconds at most; quadratic work would take minutes."""
    started = time.monotonic()
    function(piece * (100_000 // len(piece)))
    assert time.monotonic() - started < 10

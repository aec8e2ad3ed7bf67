"""Quantities are found with their units, in each language's way of writing numbers."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from languages import UnknownLanguage, codes, quantities
from languages.quantities import parse_number

CASES = [
    ("en", "The Quarn 14 weighs 1.19 kg (2.6 lbs).", "1.19 kg | 2.6 lb"),
    ("en", "It costs £1,199.50, or US$ 20 a month.", "1199.50 GBP | 20 USD"),
    ("en", "a 24-month warranty, a two-year cover, one year", "24 month | 2 year | 1 year"),
    ("en", "3-5 working days, 3 to 5 weeks", "3 day | 5 day | 3 week | 5 week"),
    ("en", "5G, 802.11, XPS-13, E-204 m, Wi-Fi 6E, section 9", ""),
    ("en", 'a 13-inch screen, a 15.6" panel', "13 inch | 15.6 inch"),
    ("en", "they call it “the 15”", ""),
    ("en", "1 Gbps, 300 Mbit/s, 16 GB, 20 MB/s", "1 Gbit/s | 300 Mbit/s | 16 GB | 20 MB/s"),
    ("en", "1 hour and 30 minutes; half an hour; 2 years and 6 months", "90 min | 0.5 h | 30 month"),
    ("en", "one year, 30 days", "1 year | 30 day"),
    ("en", "65W, 5,000 mAh, -20 °C to 40 °C, 35 dB, 20%", "65 W | 5000 mAh | -20 °C | 40 °C | 35 dB | 20 %"),
    ("en", "on the 5\nm ain", ""),
    ("en", "649,1.45 kg", "1.45 kg"),
    (
        "fr",
        "1,19 kg, 1 199,50 €, 1\u202f199\u00a0€, 2.500 g, 12,5 cm",
        "1.19 kg | 1199.50 EUR | 1199 EUR | 2500 g | 12.5 cm",
    ),
    ("fr", "garantie d’un an, de 24 mois ou de deux ans", "1 year | 24 month | 2 year"),
    ("fr", "16 Go, 1 To, 13 pouces, 3 à 5 jours ouvrés", "16 GB | 1 TB | 13 inch | 3 day | 5 day"),
    ("fr", "1 h 30, 8h30, 2 h, une demi-heure", "90 min | 510 min | 2 h | 0.5 h"),
    ("de", "1.199,- €, 1.199,– Euro, 249,99€, 1,19 kg, 2.500 g", "1199 EUR | 1199 EUR | 249.99 EUR | 1.19 kg | 2500 g"),
    ("de", "24-monatige, zweijährige Garantie, anderthalb Stunden", "24 month | 2 year | 1.5 h"),
    ("de", "3 bis 5 Werktage, 14-Zoll-Display, 1 Std. 30 Min.", "3 day | 5 day | 14 inch | 90 min"),
    ("de", "250 Mbit/s, 35 Dezibel, 20 Prozent, 30 Tage", "250 Mbit/s | 35 dB | 20 % | 30 day"),
    ("ar", "يزن ١٫١٩ كغ وسعره ١٬٥٠٠ ريال، أي بـ1500 ر.س", "1.19 kg | 1500 SAR | 1500 SAR"),
    ("ar", "ضمانه سنتان، ولسنتين، وثلاث سنوات، وسنةٌ واحدة", "2 year | 2 year | 3 year | 1 year"),
    ("ar", "اثنا عشر شهرًا، من 3 إلى 5 أيام عمل", "12 month | 3 day | 5 day"),
    ("ar", "١٤ بوصة، 16 غيغابايت، 300 ميغابت في الثانية، ٢٠٪", "14 inch | 16 GB | 300 Mbit/s | 20 %"),
    ("ar", "ساعة واحدة و30 دقيقة، نصف ساعة", "90 min | 0.5 h"),
    ("ar", "كم السعر؟ 5G", ""),
]


@pytest.mark.parametrize(("code", "text", "expected"), CASES, ids=lambda value: value or "none")
def test_quantities(code: str, text: str, expected: str) -> None:
    found = quantities(text, code)
    assert [(q.value, q.unit) for q in found] == [
        (Decimal(piece.split()[0]), piece.split()[1]) for piece in expected.split(" | ") if piece
    ]
    assert all(text[q.start : q.end] == q.text for q in found)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("24 months", "2 years"),
        ("1 kg", "1,000 g"),
        ("90 min", "1.5 h"),
        ("1 TB", "1,000 GB"),
        ("1 Gbit/s", "1,000 Mbit/s"),
        ("10 inches", "25.4 cm"),
        ("1 week", "7 days"),
    ],
)
def test_equal_in_base(one: str, other: str) -> None:
    assert quantities(one, "en")[0].in_base() == quantities(other, "en")[0].in_base()


@pytest.mark.parametrize(
    ("smaller", "larger"), [("999 g", "1 kg"), ("29 days", "1 month"), ("40 min", "1 h"), ("£9", "£10")]
)
def test_order_in_base(smaller: str, larger: str) -> None:
    (less, unit), (more, other) = (quantities(text, "en")[0].in_base() for text in (smaller, larger))
    assert unit == other
    assert less < more


def test_currencies_are_not_compared() -> None:
    assert quantities("5 €", "de")[0].in_base()[1] != quantities("£5", "en")[0].in_base()[1]
    assert quantities("5 €", "de")[0].is_money
    assert not quantities("5 kg", "de")[0].is_money


@pytest.mark.parametrize(
    ("code", "text", "value"),
    [
        ("en", "1,234.5", "1234.5"),
        ("en", "1,234", "1234"),
        ("en", "1.234", "1.234"),
        ("en", "1,19", "1.19"),
        ("en", "1,234,567", "1234567"),
        ("de", "1.234,5", "1234.5"),
        ("de", "1.234", "1234"),
        ("de", "0.234", "0.234"),
        ("de", "1.5", "1.5"),
        ("fr", "12\u202f500,25", "12500.25"),
        ("fr", "12 500", "12500"),
        ("ar", "١٬٢٣٤٫٥", "1234.5"),
        ("ar", "1.5", "1.5"),
        ("en", "007", "7"),
    ],
)
def test_numbers(code: str, text: str, value: str) -> None:
    assert parse_number(text, code) == Decimal(value)


@pytest.mark.parametrize("text", ["", "five", "1 2", "5G", "1,,2", "12 kg"])
def test_what_is_no_number(text: str) -> None:
    assert parse_number(text, "en") is None


@given(
    st.sampled_from(codes()),
    st.text(st.sampled_from("0123456789.,- \u202f\nhkgm€£\"”“٣٫سنةيوم1an'") | st.characters(), max_size=40),
)
def test_quantities_stand_where_they_say(code: str, text: str) -> None:
    last = 0
    for quantity in quantities(text, code):
        assert last <= quantity.start < quantity.end <= len(text)
        assert text[quantity.start : quantity.end] == quantity.text
        assert quantity.value.is_finite()
        assert quantity.in_base()[1]
        last = quantity.end


@pytest.mark.parametrize("piece", ["1", "1.", "1 199 ", "€1", "1-", '1"', "one ", "1,111", "1 h "])
def test_a_long_text_takes_little_time(piece: str) -> None:
    for code in codes():
        quantities(piece * (20_000 // len(piece)), code)


def test_an_unknown_language_is_an_error() -> None:
    with pytest.raises(UnknownLanguage):
        quantities("5 kg", "xx")


def test_a_sign_right_before_a_number_is_not_of_the_one_before() -> None:
    found = quantities("The Brook 3 costs £30, the Brook 5 £40.", "en")
    assert [(each.text, each.unit) for each in found] == [("£30", "GBP"), ("£40", "GBP")]

"""The demonstration corpora say what the fact sheet says, in four languages, in clean files."""

from __future__ import annotations

import csv
import re
import tomllib
import unicodedata
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

DATA = Path(__file__).resolve().parents[2] / "data"
DEMO = DATA / "demo"
PRINTED = DATA / "printed"  # the text of what is in no text format; test_printed.py compares the two
LANGUAGES = ("en", "fr", "de", "ar")

Table = dict[str, Any]

FACTS: Table = tomllib.loads((DEMO / "facts.toml").read_text(encoding="utf-8"))
PRODUCTS: Table = FACTS["product"]
PLANS: Table = FACTS["plan"]
SUPPORT: Table = FACTS["support"]

# A number as each language writes it: 1,049.50 · 1 049,50 (narrow no-break space) · 1.049,50. A lone point stays
# a decimal point everywhere, for versions such as Bluetooth 5.3.
NUMBER = {
    "en": r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?",
    "fr": r"\d{1,3}(?:\u202f\d{3})+(?:,\d+)?|\d+(?:[.,]\d+)?",
    "de": r"\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d+(?:[.,]\d+)?",
    "ar": r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?",
}
# How a measure is written in each language, with the factor to the unit of the fact sheet.
UNITS: dict[str, dict[str, dict[str, float]]] = {
    "weight_g": {
        "en": {"kg": 1000, "g": 1},
        "fr": {"kg": 1000, "g": 1},
        "de": {"kg": 1000, "g": 1},
        "ar": {"كغ": 1000, "غرام": 1, "غرامًا": 1, "غرامات": 1},
    },
    "warranty_months": {
        "en": {"months?": 1},
        "fr": {"mois": 1},
        "de": {"Monaten?": 1},
        "ar": {"شهرًا": 1},
    },
    "battery_h": {
        "en": {"hours?": 1},
        "fr": {"heures?": 1},
        "de": {"Stunden?": 1},
        "ar": {"ساعة": 1, "ساعات": 1},
    },
    "screen_in": {
        "en": {"inch(?:es)?": 1},
        "fr": {"pouces": 1},
        "de": {"Zoll": 1},
        "ar": {"بوصة": 1},
    },
    "gigabytes": {
        "en": {"TB": 1024, "GB": 1},
        "fr": {"To": 1024, "Go": 1},
        "de": {"TB": 1024, "GB": 1},
        "ar": {"تيرابايت": 1024, "غيغابايت": 1},
    },
    "price": {
        "en": {},
        "fr": {"€": 1},
        "de": {"€": 1},
        "ar": {"ريال": 1, "ريالًا": 1, "ريالات": 1},
    },
}
# Figures of a product that are told by their number alone.
FIGURES = (
    "brightness_nits",
    "camera_mp",
    "optical_zoom",
    "charger_w",
    "wireless_charging_w",
    "power_w",
    "battery_without_anc_h",
    "battery_with_case_h",
)
MEASURE = {"ram_gb": "gigabytes", "storage_gb": "gigabytes", "data_gb": "gigabytes", "roaming_gb": "gigabytes"}

# Controls that change the direction of text or vanish in it; none belongs in a document.
INVISIBLE = re.compile("[\x00-\x08\x0b-\x1f\x7f\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")
# UTF-8 read as cp1252, cp1256 or Latin-1, and what a decoder leaves behind.
MOJIBAKE = re.compile("[ÃÂ][\u0080-\u00bf]|â[\u0080-\u20ac]|[ØÙ][\u0080-\u00bf\u2020-\u203a]|ï»¿|\ufffd")


class VisibleText(HTMLParser):
    """Collect the text of a page, a line an element."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def handle_data(self, data: str) -> None:
        self.lines.append(data)


def western_digits(text: str) -> str:
    """Return the text with Arabic-Indic digits and separators as Western ones."""
    text = "".join(str(unicodedata.digit(c)) if c.isdigit() else c for c in text)
    return text.replace("٬", ",").replace("٫", ".")


def value(number: str, lang: str) -> float:
    if lang in {"en", "ar"}:
        return float(number.replace(",", ""))
    if lang == "de" and re.fullmatch(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?", number):
        number = number.replace(".", "")
    return float(number.replace("\u202f", "").replace(",", "."))


def numbers(text: str, lang: str) -> set[float]:
    return {value(found, lang) for found in re.findall(NUMBER[lang], western_digits(text))}


def quantities(text: str, lang: str, measure: str) -> set[float]:
    """Return the quantities of one measure in a text, in the unit of the fact sheet."""
    text = western_digits(text)
    if (lang, measure) == ("en", "price"):
        return {value(found, lang) for found in re.findall(f"£({NUMBER[lang]})", text)}
    found: set[float] = set()
    for unit, factor in UNITS[measure][lang].items():
        pattern = rf"(?<![\d.,])({NUMBER[lang]})[\s-]?{unit}(?!\w)"
        found |= {round(value(number, lang) * factor, 3) for number in re.findall(pattern, text)}
    return found


def visible(path: Path) -> str:
    if path.suffix in {".pdf", ".docx"}:
        path = PRINTED / path.parent.name / f"{path.name}.md"
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".html":
        page = VisibleText()
        page.feed(text)
        return " ".join(page.lines)
    return text


def document(key: str, lang: str) -> Path:
    return DEMO / lang / str(FACTS["document"][key][lang])


def documents() -> list[Path]:
    """Return every document that is text, and the text of every other."""
    shown = [path for lang in LANGUAGES for path in (DEMO / lang).iterdir() if path.suffix not in {".pdf", ".docx"}]
    return sorted(shown) + sorted(PRINTED.glob("*/*.md"))


def catalogue(lang: str) -> dict[str, list[str]]:
    """Return the cells of each row of a catalogue by the product's name."""
    delimiter = ";" if lang in {"fr", "de"} else ","
    with document("catalogue", lang).open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter=delimiter))
    assert len({len(row) for row in rows}) == 1, "every row has as many cells as the header"
    return {row[0]: row for row in rows[1:]}


def expected(facts: Table, lang: str) -> dict[str, float]:
    """Return the figures of a product or plan that have a unit, with the price in the language's currency."""
    figures = {key: float(facts[key]) for key in (*UNITS, *MEASURE) if isinstance(facts.get(key), int | float)}
    return figures | {"price": float(facts["price"][FACTS["market"][lang]["currency"]])}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_document_of_the_fact_sheet_is_there_and_no_other(lang: str) -> None:
    listed = {files[lang] for files in FACTS["document"].values() if lang in files}
    assert {path.name for path in (DEMO / lang).iterdir()} == listed


@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_corpus_has_the_formats_and_sizes_it_promises(lang: str) -> None:
    formats = Counter(path.suffix for path in (DEMO / lang).iterdir())
    assert formats.total() >= 22
    assert min(formats[kind] for kind in (".md", ".html", ".txt", ".csv", ".pdf", ".docx")) >= 2


def test_every_language_has_a_document_that_is_missing_in_the_others() -> None:
    alone = [(key, next(iter(files))) for key, files in FACTS["document"].items() if len(files) == 1]
    assert {lang for _, lang in alone} == set(LANGUAGES)
    assert all(len(files) in {1, len(LANGUAGES)} for files in FACTS["document"].values())


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("key", PRODUCTS)
def test_catalogue_rows_agree_with_the_fact_sheet(lang: str, key: str) -> None:
    product = PRODUCTS[key]
    row = " | ".join(catalogue(lang)[product["name"]])
    for fact, figure in expected(product, lang).items():
        assert figure in quantities(row, lang, MEASURE.get(fact, fact)), (fact, figure, row)
    for text in (*product["colours"][lang], product.get("water_rating", "")):
        assert text in row


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_catalogue_lists_no_product_that_the_fact_sheet_lacks(lang: str) -> None:
    assert set(catalogue(lang)) == {product["name"] for product in PRODUCTS.values()}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("key", [key for key, product in PRODUCTS.items() if "document" in product])
def test_product_pages_agree_with_the_fact_sheet(lang: str, key: str) -> None:
    product = PRODUCTS[key]
    text = visible(document(product["document"], lang))
    assert product["name"] in text
    for fact, figure in expected(product, lang).items():
        assert figure in quantities(text, lang, MEASURE.get(fact, fact)), (fact, figure)
    for fact in FIGURES:
        assert fact not in product or product[fact] in numbers(text, lang), fact
    if product["type"] != "router":
        for text_expected in (*product["colours"][lang], product.get("water_rating", "")):
            assert text_expected in text


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("key", [key for key, product in PRODUCTS.items() if "fan_noise_db" in product])
def test_the_guide_has_a_row_of_each_laptop(lang: str, key: str) -> None:
    product = PRODUCTS[key]
    guide = visible(document("laptop-guide", lang))
    (row,) = [line for line in guide.splitlines() if line.startswith(f"| {product['name']} |")]
    assert product["price"][FACTS["market"][lang]["currency"]] in quantities(row, lang, "price")
    assert product["fan_noise_db"] in numbers(row, lang)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_branch_that_has_a_page_is_listed_as_the_page_says(lang: str) -> None:
    delimiter = ";" if lang in {"fr", "de"} else ","
    with document("branches", lang).open(encoding="utf-8", newline="") as file:
        _, first, *others = csv.reader(file, delimiter=delimiter)
    page = visible(document("branch", lang))
    assert first[0] == FACTS["market"][lang]["branch"]
    assert all(cell in page for cell in (*first[:3], first[4]))
    assert all(len(row) == len(first) for row in others)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("key", PLANS)
def test_plans_agree_with_the_fact_sheet(lang: str, key: str) -> None:
    plan = PLANS[key]
    text = visible(document(plan["document"], lang))
    assert plan["name"] in text
    for fact, figure in expected(plan, lang).items():
        assert figure in quantities(text, lang, MEASURE.get(fact, fact)), (fact, figure)
    fee = plan["activation_fee"][FACTS["market"][lang]["currency"]]
    assert fee == 0 or fee in quantities(text, lang, "price")
    # A single month is a word in some languages: "شهر واحد".
    assert plan["term_months"] == 1 or plan["term_months"] in quantities(text, lang, "warranty_months")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("key", SUPPORT)
def test_support_pages_agree_with_the_fact_sheet(lang: str, key: str) -> None:
    facts = SUPPORT[key]
    if lang not in FACTS["document"][facts["document"]]:
        return
    text = visible(document(facts["document"], lang))
    for fact, figure in facts.items():
        if isinstance(figure, dict):
            assert figure[FACTS["market"][lang]["currency"]] in quantities(text, lang, "price"), fact
        elif isinstance(figure, list):
            assert set(figure) <= numbers(text, lang), fact
        elif isinstance(figure, str):
            assert fact == "document" or figure in text, fact
        else:
            assert figure in numbers(text, lang), fact


@pytest.mark.parametrize("path", documents(), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_documents_are_clean_text_of_a_readable_length(path: Path) -> None:
    text = path.read_bytes().decode("utf-8", errors="strict")
    assert text == unicodedata.normalize("NFC", text)
    assert not INVISIBLE.search(text.replace("\n", ""))
    assert not MOJIBAKE.search(text)
    assert "\r" not in text
    assert text.endswith("\n")
    if path.suffix != ".csv":
        assert 120 <= len(visible(path).split()) <= 400


@pytest.mark.parametrize("path", documents(), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_documents_keep_the_typography_of_their_language(path: Path) -> None:
    text = visible(path)
    match path.parent.name:
        case "fr":
            # Narrow no-break space before ? ! ; and inside « », none of them after an ordinary space; ’ for '.
            assert path.suffix == ".csv" or not re.search(
                r"(?<!\u202f)[?!;»]|«(?!\u202f)|(?<!\u00a0)(?<!\d):\s|'", text
            )
        case "ar":
            # A Latin comma between figures or cells only; the Arabic question mark and semicolon everywhere.
            assert not re.search(r"[?;]", text)
            assert path.suffix == ".csv" or not re.search(r",(?!\d)", text)
        case "de":
            assert not re.search(r"[«»]| [?!;:]", text)
        case _:
            assert not re.search(r"[«»]| [?!;:](?!-)", text)


def test_the_check_on_figures_notices_a_wrong_one() -> None:
    assert quantities("Prix : 1\u202f049\u202f€, 1,19\u202fkg", "fr", "price") == {1049.0}
    assert quantities("1.049 € und 14,99 €", "de", "price") == {1049.0, 14.99}
    assert quantities("وزنه ١٫١٩ كغ وسعره ٤٬١٩٩ ريالًا", "ar", "weight_g") == {1190.0}
    assert quantities("The 13.3-inch screen; £1,099", "en", "screen_in") == {13.3}
    assert 1.19 not in quantities("1.190 kg", "de", "weight_g")
    assert MOJIBAKE.search("cafÃ©")
    assert MOJIBAKE.search("Ø§Ù„")
    assert INVISIBLE.search("a\u202eb")
    assert not MOJIBAKE.search("Ø 3,5 mm · Âge · château · naïf")

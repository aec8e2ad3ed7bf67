"""The values in a text by their type: money, mass, time, dates, telephone numbers, names.

Quantities are read by ``languages.quantities``, days and months come from CLDR; nothing here is of one language.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from functools import lru_cache
from types import MappingProxyType

from babel import Locale

from languages import fold, load
from languages.files import read_toml
from languages.quantities import Quantity, quantities

# Base units of languages/units.toml, by the type of value that they measure.
_MEASURES: Mapping[str, str] = MappingProxyType(
    {
        "g": "mass",
        "mm": "length",
        "s": "time",
        "MB": "data",
        "Mbit/s": "rate",
        "W": "power",
        "Wh": "charge",
        "mAh": "charge",
        "dB": "sound",
        "%": "percent",
    }
)
_CLOCK = re.compile(r"(?<![\d.,])(?:[01]?\d|2[0-4])[:.][0-5]\d(?![\d.,])|\b\d{1,2} ?[ap]\.?m\b")
_DATE = re.compile(r"(?<![\d.,])\d{1,2}[./]\d{1,2}[./](?:\d{2}){1,2}\b|\b\d{4}-\d\d-\d\d\b")
_YEAR = re.compile(r"(?<![\d.,])(?:19|20)\d\d(?![\d.,]\d|\d)")
_PHONE = re.compile(r"(?<![\w.,])\+?\(?\d[\d \u00a0\u202f/()-]{5,}\d(?![\w.,]\d)|(?<![\w.,])\d{4,5}(?![\w.,]\d)")
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+\.\w+")
# "*155#"   "VB-14"   "IP68"   "USB-C"   "2580"
_CODE = re.compile(r"[*#][\d*]+#?|\b(?=\w*\d)(?=\w*[A-Z])[\w-]+\b|\b[A-Z]{2,}-\w+\b|\b\d{4,}\b")
_NAME = re.compile(r"(?<=\w[ ,])[^\W\d_a-z][^\W\d_]+(?:[ ][^\W\d_a-z][\w’'-]+)+|[«“„\"][^»”“\"]{3,40}[»”“\"]")
_POUNDS = re.compile(r"\b(?:pounds?|livres?|pfund)\b")  # a weight and a currency have one word
_CASELESS = re.compile(r"[\u0590-\u08ff\u0900-\u0dff\u3040-\u9fff]")


def types(text: str, code: str, facts: Mapping[str, float]) -> frozenset[str]:
    """Return the types of value that stand in *text*, which is in the language *code* and states *facts*.

    >>> sorted(types("The Brook 3 costs $249 and lasts two days.", "en", {}))
    ['money', 'number', 'time']
    """
    found = {kind for quantity in quantities(text, code) for kind in _kinds(quantity)}
    folded = fold(text)
    for kind, pattern, where in (
        ("clock", _CLOCK, folded),
        ("date", _DATE, folded),
        ("year", _YEAR, folded),
        ("phone", _PHONE, folded),
        ("email", _EMAIL, folded),
        ("code", _CODE, text),
        ("name", _NAME, text),
        ("day", _calendar(code)[0], folded),
        ("number", _numbers(code), folded),
    ):
        if pattern.search(where):
            found.add(kind)
    if _calendar(code)[1].search(folded):
        found.add("date")
    if "number" in found and facts.get("hours"):
        found.add("clock")
    if facts.get("price") and not found & {"number", "money"}:
        found.add("free")
    if _CASELESS.search(text):  # a script without capitals shows no names
        found.add("name")
    return frozenset(found)


def first_of(text: str, code: str, wanted: frozenset[str]) -> Quantity | None:
    """Return the first quantity in *text* that is of one of the *wanted* types."""
    return next((each for each in quantities(text, code) if _kinds(each) & wanted), None)


def every(text: str, code: str, wanted: frozenset[str]) -> frozenset[tuple[Decimal, str]]:
    """Return the quantities in *text* that are of one of the *wanted* types, each in its base unit.

    >>> every("1.2 kg, in black", "en", frozenset({"mass"})) == every("1,200 g", "en", frozenset({"mass"}))
    True
    """
    return frozenset(each.in_base() for each in quantities(text, code) if _kinds(each) & wanted)


def has_measure(text: str, code: str, base: str) -> bool:
    """Return whether *text* has a quantity that is compared in the unit *base*.

    >>> has_measure("It draws 40 watts.", "en", "W"), has_measure("It lasts 40 hours.", "en", "W")
    (True, False)
    """
    return any(each.in_base()[1] == base for each in quantities(text, code))


def measure_named(question: str, code: str, asking: frozenset[str]) -> str:
    """Return in what the unit is compared that *question* asks for, "" where it names none.

    The unit stands after one of the words *asking* (folded), or with a particle glued to it.  Sums of money are none:
    each market has its own.

    >>> measure_named("How many watts does it draw?", "en", frozenset({"mani", "many"}))
    'W'
    """
    text = fold(question)
    for match in _unit_words(code).finditer(text):
        before = text[: match.start()].split()[-1:]
        if not match["glued"] and not asking.intersection(before):
            continue
        found = quantities(f"7 {match['unit']}", code)
        if len(found) == 1 and not found[0].is_money:
            return found[0].in_base()[1]
    return ""


@lru_cache(maxsize=32)
def _unit_words(code: str) -> re.Pattern[str]:
    said = read_toml(code, "units.toml")["units"]
    every_ = sorted({fold(word) for group in said.values() for word in group if len(word) > 3}, key=len, reverse=True)
    glued = r"(?P<glued>[^\W\d_a-z]{1,2})?"  # a script without case glues "in" to the unit: "بالشمعة"
    return re.compile(rf"(?<![\w.,])(?<!\d )(?<!\d-){glued}(?P<unit>{'|'.join(map(re.escape, every_))})(?!\w)")


def _kinds(quantity: Quantity) -> frozenset[str]:
    if quantity.is_money:
        either = bool(_POUNDS.search(fold(quantity.text)))
        return frozenset({"money", "number", "mass"}) if either else frozenset({"money", "number"})
    base = quantity.in_base()[1]
    kinds = {"number", _MEASURES.get(base, "number")}
    if quantity.unit == "h" and quantity.value <= 24:
        kinds.add("clock")  # "à 19 h"
    return frozenset(kinds)


@lru_cache(maxsize=32)
def _calendar(code: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return patterns of the days of the week and of months with a number beside them."""
    locale = Locale.parse(load(code).locale)
    days = "|".join(sorted({re.escape(fold(name)) for name in locale.days["format"]["wide"].values()}))
    months = "|".join(sorted({re.escape(fold(name)) for name in locale.months["format"]["wide"].values()}))
    return (
        re.compile(rf"(?<!\w)(?:\w{{0,3}})(?:{days})s?(?!\w)"),
        re.compile(rf"\d(?:\w{{1,3}}|\.)? (?:{months})(?!\w)|(?<!\w)(?:{months}) \d"),
    )


@lru_cache(maxsize=32)
def _numbers(code: str) -> re.Pattern[str]:
    said = read_toml(code, "units.toml")["numbers"]
    every = sorted({fold(word) for key, group in said.items() if key != "1" for word in group}, key=len, reverse=True)
    return re.compile(rf"\d|(?<!\w)(?:{'|'.join(map(re.escape, every))})(?!\w)")

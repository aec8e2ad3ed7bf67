"""Sums and counts as people write them in passing: 900, 2k, around 1.5 thousand euros, a dozen, 800 to 1000 €."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from languages import fold, parse_number, quantities, words
from languages.listening import listening_of
from languages.quantities import spelt_numbers

_NUMBER = re.compile(r"\d+(?:[.,\u066b\u066c\u00a0\u202f]\d+)*(?:[ ]\d{3}(?!\d))*")
_JOIN = 6  # characters between the ends of a range, at most


@dataclass(frozen=True, slots=True)
class _Scale:
    multipliers: dict[str, int]
    slang: dict[str, str]
    ranges: frozenset[str]


@lru_cache(maxsize=16)
def _scale(code: str) -> _Scale:
    own = listening_of(code)
    return _Scale(
        {fold(k): v for k, v in own.multipliers.items()}, {fold(k): v for k, v in own.slang.items()},
        frozenset(map(fold, own.ands)) | frozenset(("-", "–", *own.about)),
    )  # fmt: skip


def counted(word: str, code: str) -> Decimal | None:
    """Return the whole number that *word* is, in digits or spelt, None where it is none."""
    spelt = spelt_numbers(code).get(fold(word))
    if spelt is not None:
        return spelt
    if not word[:1].isdigit() or not fold(word).isdigit():
        return None
    return parse_number(word, code)


def amount(message: str, start: int, end: int, code: str) -> tuple[int, int, float, str] | None:
    """Return the sum in ``message[start:end]``: its place, its value, its currency or "" where none is said.

    Of a range the upper end is the value, and the whole range its place.
    """
    while end < len(message) and not message[end].isalnum() and message[end] not in "\n,;" and end - start < 80:
        end += 1  # signs are no words: "900 €"
    while start and not message[start - 1].isalnum() and not message[start - 1].isspace():
        start -= 1
    text = message[start:end]
    money = [q for q in quantities(text, code) if q.is_money]
    multiplied = _multiplied(text, code)
    if multiplied is not None:
        first, last, value, unit = multiplied
        return start + first, start + last, value, unit
    if money:
        chosen = money[-1] if len(money) > 1 and money[1].start - money[0].end <= _JOIN else money[0]
        first = _range_start(text, chosen.start if chosen is money[0] else money[0].start, code)
        return start + first, start + chosen.end, float(chosen.value), chosen.unit
    return _plain(text, start, code)


def _plain(text: str, start: int, code: str) -> tuple[int, int, float, str] | None:
    """Return a number without a currency, or with a word for one that only talk has."""
    other = {q.start for q in quantities(text, code)}
    for match in _NUMBER.finditer(text):
        value = parse_number(match.group(), code)
        if value is None or match.start() in other:
            continue
        following = words(text[match.end() : match.end() + 24])
        if following and text[match.end() : match.end() + following[0].start].strip() == "":
            unit = _scale(code).slang.get(fold(following[0].text), "")
            if unit:
                return start + match.start(), start + match.end() + following[0].end, float(value), unit
        return start + match.start(), start + match.end(), float(value), ""
    return None


def _multiplied(text: str, code: str) -> tuple[int, int, float, str] | None:
    """Return "2k", "1.5 thousand euros", "mille euros"."""
    scale = _scale(code)
    tokens = words(text)
    for number, token in enumerate(tokens):
        key = fold(token.text)
        digits = _NUMBER.match(token.text)
        base, first = Decimal(1), token.start
        factor = scale.multipliers.get(key)
        if factor is None and digits and key[digits.end() :] in scale.multipliers:
            factor = scale.multipliers[key[digits.end() :]]
            base = parse_number(digits.group(), code) or base
        elif factor is not None and number:
            before = tokens[number - 1]
            value = counted(before.text, code) or parse_number(before.text, code)
            if value is not None:
                base, first = value, before.start
            elif len(key) == 1:
                continue
        if factor is None:
            continue
        last, unit = token.end, ""
        if number + 1 < len(tokens) or text[token.end : token.end + 2].strip():
            rest = text[token.end : token.end + 24]
            money = next((q for q in quantities(f"1 {rest.lstrip()}", code) if q.is_money and q.start == 0), None)
            if money is not None:
                unit = money.unit
                last = token.end + (len(rest) - len(rest.lstrip())) + money.end - 2
        return first, last, float(base * factor), unit
    return None


def _range_start(text: str, start: int, code: str) -> int:
    """Return where a range begins whose upper end begins at *start*."""
    lower = None
    for match in _NUMBER.finditer(text, 0, start):
        lower = match
    if lower is None:
        return start
    between = fold(text[lower.end() : start]).strip(" -–€$£")
    return lower.start() if between == "" or between in _scale(code).ranges else start

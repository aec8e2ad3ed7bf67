"""Numbers and dates as a spreadsheet shows them: a value and its format code to words in a language.

A workbook keeps 1199 and "#,##0.00 €"; what a person sees, and asks for, is "1.199,00 €".  Separators and the names of
months are not in the file: they are those of the language that it is written in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from typing import Final

from babel.dates import format_date, get_day_names, get_month_names
from babel.numbers import get_decimal_symbol, get_group_symbol

Value = float | int | datetime | date | time | timedelta

_TOKEN: Final = re.compile(
    r"""
      "(?P<quoted>[^"]*)"              # "kg"
    | \\(?P<escaped>.)                 # \-
    | _.                               # a space as wide as the next sign
    | \*.                              # the next sign as often as there is room
    | \[\$(?P<currency>[^\]-]*)[^\]]*\] # [$€-407]
    | \[(?P<elapsed>h+|m+|s+)\]        # [h]: hours above 24
    | \[[^\]]*\]                       # [Red], [>100]
    | (?P<clock>AM/PM|A/P)
    | (?P<dated>y+|m+|d+|h+|s+(?:\.0+)?)
    | (?P<digits>[0#?][0#?,]*(?:\.[0#?]*,*)?(?:E[+-]0+)?|\.[0#?]+)
    | (?P<sign>.)
    """,
    re.VERBOSE | re.IGNORECASE,
)
# "The short date of this machine", as it is kept; which day of the month 3/1 is, is then anybody's guess.
_SHORT_DATE: Final = ("mm-dd-yy", "m/d/yy", "m/d/yyyy", "mm/dd/yy")
_FRACTION: Final = re.compile(r"[0#?]\s*/\s*[0#?\d]")
_GENERAL: Final = ("", "general", "@")


def displayed(value: Value, form: str, locale: str) -> str:
    """Return *value* as a spreadsheet shows it under the format code *form* in *locale* ("de_DE").

    >>> displayed(1199, '#,##0.00 "€"', "de_DE"), displayed(0.4, "0%", "en_GB"), displayed(7, "00000", "fr_FR")
    ('1.199,00 €', '40%', '00007')
    >>> displayed(date(2026, 3, 1), "d mmmm yyyy", "fr_FR")
    '1 mars 2026'
    """
    sections = _sections(form)
    if isinstance(value, (datetime, date, time, timedelta)):
        return _dated(value, sections[0], locale)
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        return str(value)
    if not number.is_finite():
        return str(value)
    section = sections[0]
    if number < 0 and len(sections) > 1 and sections[1]:
        section, number = sections[1], -number
    elif number == 0 and len(sections) > 2:
        section = sections[2]
    if section.strip().lower() in _GENERAL or _FRACTION.search(section):
        return _general(number, locale)
    return _numbered(number, section, locale)


def _sections(form: str) -> list[str]:
    """Return the parts of a format code: for positive, negative, zero and text."""
    parts, quoted, part = [], False, ""
    for sign in form:
        quoted ^= sign == '"'
        if sign == ";" and not quoted:
            parts.append(part)
            part = ""
        else:
            part += sign
    return [*parts, part]


def _general(number: Decimal, locale: str) -> str:
    """Return a number without a format, with ten digits at most: so many fit into a cell."""
    plain = f"{float(number):.10g}"
    return plain.replace(".", get_decimal_symbol(locale)) if "e" not in plain else plain


def _numbered(number: Decimal, section: str, locale: str) -> str:
    tokens = list(_TOKEN.finditer(section))
    digits = next((token["digits"] for token in tokens if token["digits"]), "")
    number *= 100 ** sum(token["sign"] == "%" for token in tokens)
    said, done = [], False
    for token in tokens:
        if token["digits"]:
            said.append("" if done else _grouped(number, digits, locale))
            done = True
        else:
            said.append(
                token["quoted"] or token["escaped"] or token["currency"] or token["dated"] or token["sign"] or ""
            )
    words = "".join(said)
    if number < 0 and "-" in words:  # the minus belongs before the currency too: "-$5"
        words = "-" + words.replace("-", "", 1)
    return words.strip()


def _grouped(number: Decimal, digits: str, locale: str) -> str:
    """Return the digits of *number* as "#,##0.00" asks for them."""
    if "E" in digits.upper():
        places = len(digits.upper().partition("E")[0].partition(".")[2])
        return f"{number:.{places}E}".replace(".", get_decimal_symbol(locale))
    kept = digits.rstrip(",")  # each comma at the end: in thousands
    whole, _, part = kept.partition(".")
    most, least = min(len(part), 15), part.count("0")
    number = _rounded(number / 1000 ** (len(digits) - len(kept)), most)
    fixed = f"{number:,.{most}f}" if "," in whole else f"{number:.{most}f}"
    head, _, tail = fixed.lstrip("-").partition(".")
    while len(tail) > least and tail.endswith("0"):
        tail = tail[:-1]
    head = head.zfill(whole.count("0"))
    if head == "0" and "0" not in whole and tail:
        head = ""
    shown = head.replace(",", get_group_symbol(locale)) + (get_decimal_symbol(locale) + tail if tail else "")
    return ("-" if fixed.startswith("-") else "") + shown


def _rounded(number: Decimal, places: int) -> Decimal:
    """Return *number* with so many decimal places, a half rounded up as spreadsheets do."""
    try:
        return number.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    except InvalidOperation:  # more digits than a decimal number holds
        return number


def _dated(value: datetime | date | time | timedelta, section: str, locale: str) -> str:
    if isinstance(value, timedelta):
        minutes = round(value.total_seconds() / 60)
        return f"{minutes // 60}:{minutes % 60:02d}"
    moment = value if isinstance(value, datetime) else datetime.combine(*_day_and_time(value))
    bare = section.split("@", maxsplit=1)[0].strip().lower()
    if bare in _SHORT_DATE or bare in _GENERAL:
        day = "" if isinstance(value, time) else format_date(moment, "medium", locale=locale)
        at = f"{moment:%H:%M}" if isinstance(value, time) or (bare in _GENERAL and moment.time() != time()) else ""
        return f"{day} {at}".strip()
    return "".join(_parts_of_date(moment, section, locale)).strip()


def _day_and_time(value: date | time) -> tuple[date, time]:
    return (date(2000, 1, 1), value) if isinstance(value, time) else (value, time())


def _parts_of_date(moment: datetime, section: str, locale: str) -> Iterator[str]:
    tokens = list(_TOKEN.finditer(section))
    codes = [(token["dated"] or token["elapsed"] or "").lower() for token in tokens]
    clock = any(token["clock"] for token in tokens)
    for place, (token, code) in enumerate(zip(tokens, codes, strict=True)):
        if token["clock"]:
            yield f"{moment:%p}"
        elif code:
            before = next((c[0] for c in reversed(codes[:place]) if c), "")
            after = next((c[0] for c in codes[place + 1 :] if c), "")
            minutes = code[0] == "m" and (before == "h" or after == "s")
            yield _part_of_date(moment, "n" * len(code) if minutes else code, locale, clock=clock)
        else:
            yield token["quoted"] or token["escaped"] or token["currency"] or token["sign"] or ""


def _part_of_date(moment: datetime, code: str, locale: str, *, clock: bool) -> str:
    """Return one part of a date: "mmm" is the month's short name, "nn" the minutes in two digits."""
    hour = (moment.hour - 1) % 12 + 1 if clock else moment.hour
    values = {"y": moment.year, "m": moment.month, "d": moment.day, "h": hour, "n": moment.minute, "s": moment.second}
    if code[0] == "y":
        return f"{moment.year:04d}" if len(code) > 2 else f"{moment.year % 100:02d}"
    if code[0] == "m" and len(code) > 2:
        return str(get_month_names("wide" if len(code) > 3 else "abbreviated", locale=locale)[moment.month])
    if code[0] == "d" and len(code) > 2:
        return str(get_day_names("wide" if len(code) > 3 else "abbreviated", locale=locale)[moment.weekday()])
    return f"{values[code[0]]:02d}" if len(code) > 1 else str(values[code[0]])

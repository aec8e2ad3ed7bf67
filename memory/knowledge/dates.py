"""Dates as people write them: 12 March, am 3. Mai, الجمعة, tomorrow, 12/03/2026.  Found, not computed."""

from __future__ import annotations

import re
from functools import lru_cache

from babel import Locale

from languages import fold, fold_map, load
from languages.listening import listening_of

_NUMERIC = r"(?:\d{1,2}[./]\d{1,2}\.?(?:[./]?\d{2,4})?|\d{4}-\d\d-\d\d|\d{1,2}-\d{1,2}-\d{4})"


def find_date(message: str, start: int, end: int, code: str) -> tuple[int, int] | None:
    """Return where in ``message[start:end]`` a date stands, the first one, or None."""
    folded = fold_map(message[start:end])
    match = _pattern(code).search(folded.text)
    if match is None:
        return None
    first, last = folded.original_span(*match.span("date"))
    return start + first, start + last


@lru_cache(maxsize=16)
def _pattern(code: str) -> re.Pattern[str]:
    locale = Locale.parse(load(code).locale)
    months = {fold(n).rstrip(".") for width in ("wide", "abbreviated") for n in locale.months["format"][width].values()}
    months |= {fold(n) for n in locale.months["stand-alone"]["wide"].values()}
    days = {fold(n) for n in locale.days["format"]["wide"].values()}
    own = [fold(phrase) for phrase in listening_of(code).dates]
    month = f"(?:{_any_of(m for m in months if len(m) > 2)})"
    day = r"\d{1,2}(?:\.|st|nd|rd|th|er|e)?"
    year = r"(?:,? \d{4})?"
    named = rf"(?:(?:{_any_of(days)}) )?(?:{day} (?:of |de )?{month}|{month} \d{{1,2}}(?:st|nd|rd|th)?(?!\d)){year}"
    relative = [
        re.escape(phrase).replace(r"\{weekday\}", f"(?:{_any_of(days)})").replace(r"\{month\}", month) for phrase in own
    ]
    plain = _any_of(days)
    choices = "|".join((named, _NUMERIC, *sorted(relative, key=len, reverse=True), plain))
    return re.compile(rf"(?<![\w])(?P<date>{choices})(?!\w)")


def _any_of(texts: object) -> str:
    return "|".join(re.escape(t) for t in sorted(set(texts), key=len, reverse=True))  # type: ignore[call-overload]

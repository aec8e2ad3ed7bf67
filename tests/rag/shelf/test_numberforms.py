"""Numbers and dates look as a spreadsheet shows them, with the separators of the language."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.shelf.numberforms import Value, displayed


@pytest.mark.parametrize(
    ("value", "form", "locale", "shown"),
    [
        (1199, "General", "de", "1199"),
        (0.1 + 0.2, "General", "de", "0,3"),
        (1e21, "General", "en", "1e+21"),
        (1199, "#,##0", "de", "1.199"),
        (1199.5, "#,##0.00", "en", "1,199.50"),
        (1199.5, '#,##0.00\\ "€"', "fr", "1\u202f199,50 €"),
        (1199.5, "#,##0.00 [$€-407]", "de", "1.199,50 €"),
        (-5, '"$"#,##0;[Red]-"$"#,##0', "en", "-$5"),
        (-5, '_("$"* #,##0_);_("$"* (#,##0);_("$"* "-"_)', "en", "$(5)"),
        (0, '0;-0;"none"', "en", "none"),
        (0.125, "0.0%", "de", "12,5%"),
        (0.4, "0%", "ar", "40%"),
        (1.5, '0.0 "kg"', "fr", "1,5 kg"),
        (7, "00000", "de", "00007"),
        (1_250_000, '0.0,,"M"', "en", "1.3M"),
        (12.5, "0.###", "en", "12.5"),
        (12345, "0.00E+00", "en", "1.23E+4"),
        (0.5, "# ?/?", "de", "0,5"),
        (float("inf"), "0", "en", "inf"),
        (date(2026, 3, 1), "dd.mm.yyyy", "de", "01.03.2026"),
        (date(2026, 3, 1), "mm-dd-yy", "en", "Mar 1, 2026"),
        (date(2026, 3, 1), "mm-dd-yy", "de", "01.03.2026"),
        (date(2026, 3, 1), "d mmmm yyyy", "ar", "1 مارس 2026"),
        (date(2026, 3, 1), "dddd d mmm yy", "fr", "dimanche 1 mars 26"),
        (datetime.fromisoformat("2026-03-01T08:05"), "yyyy-mm-dd hh:mm", "en", "2026-03-01 08:05"),
        (datetime.fromisoformat("2026-03-01T15:05"), "h:mm AM/PM", "en", "3:05 PM"),
        (time(8, 30), "hh:mm", "de", "08:30"),
        (timedelta(hours=30, minutes=5), "[h]:mm", "de", "30:05"),
    ],
)
def test_a_value_looks_as_its_format_says(value: Value, form: str, locale: str, shown: str) -> None:
    assert displayed(value, form, locale) == shown


@given(
    value=st.one_of(st.floats(), st.integers(), st.dates(), st.datetimes(), st.times(), st.timedeltas()),
    form=st.text(alphabet='0#?.,;"[]$€-_*\\ ydmhsE+/%@AMP()x', max_size=20),
)
def test_no_format_stops_the_reading(value: Value, form: str) -> None:
    assert isinstance(displayed(value, form, "en"), str)

"""Numbers with units and sums of money in a text, as values that can be compared.

What is written alike everywhere (kg, GB, €) is in ``languages/units.toml``, the words of a language in its folder's
``units.toml``.  A number without a unit is no quantity.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import lru_cache
from types import MappingProxyType
from typing import Annotated

from babel.numbers import get_decimal_symbol, get_group_symbol
from pydantic import ConfigDict, Field, TypeAdapter
from pydantic.dataclasses import dataclass as checked_dataclass

from languages.errors import LanguagePackError
from languages.files import FOLDER, Text, read_checked
from languages.folding import Folded, fold, fold_map
from languages.pack import load

_STRICT = ConfigDict(extra="forbid")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its unit: ``text[start:end]`` is what says it, ``unit`` a name of ``languages/units.toml``."""

    start: int
    end: int
    text: str
    value: Decimal
    unit: str

    @property
    def is_money(self) -> bool:
        """Return whether this is a sum of money."""
        return _units()[self.unit].money

    def in_base(self) -> tuple[Decimal, str]:
        """Return the value in the unit it is compared in, and that unit: grams, millimetres, seconds, megabytes …

        Two quantities are comparable where that unit is the same.
        """
        unit = _units()[self.unit]
        return self.value * unit.factor, unit.base


@checked_dataclass(frozen=True, slots=True, config=_STRICT)
class _Unit:
    base: Text
    factor: Decimal
    symbols: tuple[Text, ...]
    money: bool = False


@checked_dataclass(frozen=True, slots=True, config=_STRICT)
class _UnitWords:
    ranges: tuple[Text, ...]
    joins: tuple[Text, ...]
    units: Mapping[str, tuple[Text, ...]]
    numbers: Mapping[Annotated[str, Field(pattern=r"^\d+$")], tuple[Text, ...]]
    fixed: Mapping[Annotated[str, Field(pattern=r"^[\d.]+ \S+$")], tuple[Text, ...]]


@dataclass(frozen=True, slots=True)
class _Reader:
    """What quantities are found with in one language; all patterns read folded text."""

    decimal: str
    number: re.Pattern[str]
    unit: re.Pattern[str]
    prefix: re.Pattern[str]
    worded: re.Pattern[str]
    fixed: re.Pattern[str]
    clock: re.Pattern[str]
    range: re.Pattern[str]
    join: re.Pattern[str]
    spellings: Mapping[str, tuple[tuple[str, str], ...]] = field(repr=False)  # folded → (exact or "", unit)
    number_words: Mapping[str, Decimal] = field(repr=False)
    fixed_words: Mapping[str, tuple[Decimal, str]] = field(repr=False)


def quantities(text: str, code: str) -> tuple[Quantity, ...]:
    """Return the quantities in *text*, which is in the language *code*, in order and not overlapping.

    >>> [(q.value, q.unit) for q in quantities("Das 14-Zoll-Modell wiegt 1,19 kg und kostet 1.199 €.", "de")]
    [(Decimal('14'), 'inch'), (Decimal('1.19'), 'kg'), (Decimal('1199'), 'EUR')]
    >>> [(q.value, q.unit) for q in quantities("ضمانه سنتان وسعره ١٬٥٠٠ ريال", "ar")]
    [(Decimal('2'), 'year'), (Decimal('1500'), 'SAR')]

    Raises: UnknownLanguage, LanguagePackError.
    """
    reader = _reader(code)
    folded = fold_map(text)
    found = [*_written(text, folded, reader), *_worded(text, folded, reader)]
    found.sort(key=lambda quantity: (quantity.start, -quantity.end))
    kept: list[Quantity] = []
    for quantity in found:
        before = kept[-1] if kept else None
        if before is not None and quantity.start < before.end:
            continue
        # "£20 a month" is a price, not a month.
        if (
            before is not None
            and before.is_money
            and quantity.start <= before.end + 1
            and not quantity.text[0].isdigit()
        ):
            continue
        kept.append(quantity)
    return tuple(_joined(text, kept, reader))


def is_currency(unit: str) -> bool:
    """Return whether *unit*, as ``Quantity`` names it, is money.

    >>> is_currency("EUR"), is_currency("kilogram"), is_currency("")
    (True, False, False)
    """
    return unit in _units() and _units()[unit].money


def parse_number(text: str, code: str) -> Decimal | None:
    """Return the value of a number as the language *code* writes it, None where *text* is no number.

    >>> parse_number("1.199,50", "de"), parse_number("1.199", "en"), parse_number("12\\u202f500", "fr")
    (Decimal('1199.50'), Decimal('1.199'), Decimal('12500'))
    """
    folded = fold(text)
    reader = _reader(code)
    return _value(folded, reader.decimal) if reader.number.fullmatch(folded) else None


def spelt_numbers(code: str) -> Mapping[str, Decimal]:
    """Return the numbers that the language *code* spells out, by their folded words.

    >>> spelt_numbers("fr")["douze"]
    Decimal('12')
    """
    return _reader(code).number_words


def _value(number: str, decimal: str) -> Decimal:
    """Return the value of a folded number.

    The language's own signs decide; where it uses others than its own, three digits after the only sign are a group
    ("1.199" in French), any other number of digits are decimals ("1.5" in German).
    """
    number = number.replace(" ", "")
    signs = [c for c in number if c in ".,"]
    if not signs:
        return Decimal(number)
    last = signs[-1]
    whole, _, rest = number.rpartition(last)
    mixed = len(set(signs)) > 1
    is_decimal = (mixed and signs.count(last) == 1) or (
        not mixed and len(signs) == 1 and (last == decimal or len(rest) != 3 or whole.lstrip("-") in ("", "0"))
    )
    digits = whole.replace(".", "").replace(",", "")
    return Decimal(f"{digits}.{rest}") if is_decimal else Decimal(digits + rest)


def _written(text: str, folded: Folded, reader: _Reader) -> Iterator[Quantity]:
    """Yield quantities in digits, from the last to the first: a range takes the unit after its second number."""
    following: Quantity | None = None
    after = len(folded.text)
    for match in reversed(tuple(reader.number.finditer(folded.text))):
        start, end = match.span()
        unit, end = _unit_after(text, folded, reader, end)
        if not unit:
            unit, start = _currency_before(text, folded, reader, start)
        if not unit and following is not None and reader.range.fullmatch(folded.text, match.end(), after):
            unit = following.unit
        if not unit:
            following = None
            continue
        number = _WELL_FORMED.search(match.group()[-_LONGEST:])
        if number is None:
            continue
        # Of cells without a space between them ("899,1.19 kg") the unit belongs to the last.
        start = min(start, match.start()) if number.group() == match.group() else match.end() - len(number.group())
        first, last = folded.original_span(start, end)
        following = Quantity(first, last, text[first:last], _value(number.group(), reader.decimal), unit)
        after = start
        yield following


_LONGEST = 40
_WELL_FORMED = re.compile(
    r"""
    -?(?<!\d)(?:
        \d{1,3}(?:,\d{3})+(?:\.\d+)?    # 1,199.50
        | \d{1,3}(?:\.\d{3})+(?:,\d+)?  # 1.199,50
        | \d{1,3}(?:\ \d{3})+(?:,\d+)?  # 1 199,50
        | \d+(?:[.,]\d+)?                # 1199,50
    )\Z
    """,
    re.VERBOSE,
)


def _unit_after(text: str, folded: Folded, reader: _Reader, end: int) -> tuple[str, int]:
    match = reader.unit.match(folded.text, end)
    if match is None:
        return "", end
    gap_start, unit_start = folded.original_span(end, match.start("unit"))[0], match.start("unit")
    first, last = folded.original_span(unit_start, match.end("unit"))
    if "\n" in text[gap_start:first]:
        return "", end
    spaced = gap_start < first and not match.group("unit").isalnum()
    if spaced and text[last : last + 1].isdigit():  # "the Brook 5 £40": the sign is the next number's
        return "", end
    unit = _named(text[first:last], match.group("unit"), reader)
    # 15" is inches, but the mark may also close a quotation.
    if unit and match.group("unit") == '"' and (first != gap_start or _is_open(text[max(0, first - 80) : first])):
        return "", end
    return (unit, match.end("unit")) if unit else ("", end)


def _is_open(text: str) -> bool:
    return text.count('"') % 2 == 1 or max(text.rfind("“"), text.rfind("„")) > text.rfind("”")


def _currency_before(text: str, folded: Folded, reader: _Reader, start: int) -> tuple[str, int]:
    match = reader.prefix.search(folded.text[max(0, start - 8) : start])
    if match is None:
        return "", start
    place = start - len(match.group().lstrip())
    first, last = folded.original_span(place, place + len(match.group("unit")))
    unit = _named(text[first:last], match.group("unit"), reader)
    return (unit, place) if unit else ("", start)


def _named(original: str, spelling: str, reader: _Reader) -> str:
    """Return the unit that *original* names; symbols must be spelt exactly."""
    for exact, unit in reader.spellings[spelling]:
        if not exact or exact == original:
            return unit
    return ""


def _worded(text: str, folded: Folded, reader: _Reader) -> Iterator[Quantity]:
    for match in reader.worded.finditer(folded.text):
        # Written as one they must be long enough not to be a word of their own: "zweijährige".
        if not match.group("gap") and (len(match.group("number")) < 3 or len(match.group("unit")) < 5):
            continue
        first, last = folded.original_span(match.start("number"), match.end("unit"))
        unit = _named("", match.group("unit"), reader)
        if unit:
            yield Quantity(first, last, text[first:last], reader.number_words[match.group("number")], unit)
    for match in reader.clock.finditer(folded.text):
        first, last = folded.original_span(*match.span())
        yield Quantity(first, last, text[first:last], 60 * Decimal(match.group(1)) + Decimal(match.group(2)), "min")
    for match in reader.fixed.finditer(folded.text):
        first, last = folded.original_span(*match.span("said"))
        value, unit = reader.fixed_words[match.group("said")]
        yield Quantity(first, last, text[first:last], value, unit)


def _joined(text: str, found: Iterable[Quantity], reader: _Reader) -> Iterator[Quantity]:
    """Yield the quantities with "1 h 30 min" or "1 year and 6 months" as one, in the smaller unit."""
    held: Quantity | None = None
    for quantity in found:
        if (
            held is not None
            and _continues(held, quantity)
            and reader.join.fullmatch(fold(text[held.end : quantity.start]))
        ):
            value = held.in_base()[0] / _units()[quantity.unit].factor + quantity.value
            whole = text[held.start : quantity.end]
            held = replace(quantity, start=held.start, text=whole, value=value)
            continue
        if held is not None:
            yield held
        held = quantity
    if held is not None:
        yield held


def _continues(first: Quantity, second: Quantity) -> bool:
    return (first.unit, second.unit) in _PAIRS and second.in_base()[0] < _units()[first.unit].factor


_PAIRS = (("year", "month"), ("week", "day"), ("day", "h"), ("h", "min"), ("min", "s"), ("ft", "inch"), ("lb", "oz"))


@lru_cache(maxsize=1)
def _units() -> Mapping[str, _Unit]:
    content = tomllib.loads((FOLDER / "units.toml").read_text(encoding="utf-8"))
    return MappingProxyType(TypeAdapter(dict[str, _Unit]).validate_python(content))


@lru_cache(maxsize=16)
def _reader(code: str) -> _Reader:
    locale = load(code).locale
    said = read_checked(code, "units.toml", TypeAdapter(_UnitWords))
    for key in (*said.units, *(key.split(" ")[1] for key in said.fixed)):
        if key not in _units():
            what, next_step = (
                "no unit has this name.",
                "Take the name from languages/units.toml, or add the unit there.",
            )
            raise LanguagePackError(f"{code}/units.toml", key, what, next_step)
    spellings: dict[str, tuple[tuple[str, str], ...]] = {}
    worded: set[str] = set()
    for unit, shape in _units().items():
        for word in said.units.get(unit, ()):
            spellings[fold(word)] = (*spellings.get(fold(word), ()), ("", unit))
            worded.add(fold(word))
        for symbol in shape.symbols:
            spellings[fold(symbol)] = ((symbol, unit), *spellings.get(fold(symbol), ()))
    currencies = {fold(s) for unit in _units().values() if unit.money for s in unit.symbols}
    number_words = {fold(word): Decimal(value) for value, group in said.numbers.items() for word in group}
    fixed = {fold(word): _fixed(key) for key, group in said.fixed.items() for word in group}
    groups = r"\d{1,3}(?: \d{3})+(?:,\d+)?(?!\d)|" if get_group_symbol(locale).isspace() else ""
    return _Reader(
        decimal=get_decimal_symbol(locale),
        # Not within a name ("XPS-13", "E5"), but after a glued particle of a script without case ("بـ1500").
        number=re.compile(rf"(?:(?<![^\s(])-)?(?<![a-z\d])(?<![a-z]-)(?<!\d[.,])(?:{groups}\d+(?:[.,]\d+)*)"),
        unit=re.compile(rf"(?:[.,]-+)?(?P<gap> ?-? ?)(?P<unit>h(?=\d\d(?!\d))|(?:{_any_of(spellings)}){_WORD_ENDS})"),
        prefix=re.compile(rf"(?:^|[^a-z])(?P<unit>{_any_of(currencies)}) ?\Z"),
        worded=re.compile(
            rf"{_WORD_BEGINS}(?P<number>{_any_of(number_words)})(?P<gap>[ -]?)(?P<unit>{_any_of(worded)}){_WORD_ENDS}"
        ),
        fixed=re.compile(rf"{_WORD_BEGINS}(?P<said>{_any_of(fixed)}){_WORD_ENDS}"),
        # "8h30", "1 h 30", as French writes both times and durations
        clock=re.compile(
            rf"(?<![^\W_])(?<!\d[.,])(\d{{1,2}}) ?h ?(\d\d)(?![^\W_])(?! ?(?:{_any_of(spellings)}){_WORD_ENDS})"
        ),
        range=re.compile(rf" ?(?:-|{_any_of(map(fold, said.ranges))}) ?"),
        join=re.compile(rf" ?(?:{_any_of(map(fold, said.joins))})? ?"),
        spellings=MappingProxyType(spellings),
        number_words=MappingProxyType(number_words),
        fixed_words=MappingProxyType(fixed),
    )


# After folding, letters beyond a to z are of other scripts; two particles may be glued to a word there: "ولسنتين".
_WORD_BEGINS = r"(?<![^\W_])[^\W\d_a-z]{0,2}"
_WORD_ENDS = r"(?:(?<![^\W_])|(?![^\W_]))"


def _any_of(texts: Iterable[str]) -> str:
    return "|".join(re.escape(text) for text in sorted(set(texts), key=len, reverse=True)) or "(?!)"  # none: never


def _fixed(key: str) -> tuple[Decimal, str]:
    value, unit = key.split(" ", 1)
    return Decimal(value), unit

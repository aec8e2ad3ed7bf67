"""Choices among alternatives: the second, the former, the other, both, the cheaper one.

The alternatives are those that the conversation named side by side last, in that order.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from types import MappingProxyType

from languages.quantities import Quantity, quantities
from languages.text import fold, fold_map
from memory.reference.analysis import Analysis
from memory.reference.candidates import Antecedent, names
from memory.reference.discourse import Discourse
from memory.reference.expression import Expression
from memory.types import Catalog

# The base units (languages/units.toml) in which the attribute of a comparative is measured; money apart.
_MEASURES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"weight": ("g",), "size": ("mm", "s", "mAh"), "date": ("s",), "duration": ("s",), "speed": ("Mbit/s", "s")}
)
_YEAR = re.compile(r"(?<!\d)(?:1[0-9]|20)\d\d(?!\d)")
_PLAIN = re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)?(?![\w.,]*\d)(?!\w)")
_AGE = "age"  # years lived, which run against dates
_CLOCK = re.compile(r"(?<!\d)(\d{1,2})(?::| ?h ?|\.)(\d\d)(?!\d)")


def alternatives(
    discourse: Discourse, known: Sequence[Antecedent], expression: Expression, analysis: Analysis
) -> tuple[Antecedent, ...]:
    """Return what *expression* chooses among, in the order of naming; () where nothing was named side by side."""
    by_name = {fold(a.entity): a for a in known}
    offered = [by_name[fold(name)] for name in discourse.offered if fold(name) in by_name]
    named = recent(discourse, known)
    newer = [a for a in named if len(offered) < 2 or a.mentions[0].message > discourse.offered_at]
    offered = newer if len(newer) >= 2 else offered
    if expression.noun:
        fitting = [a for a in offered if names(expression.noun, a, analysis.tongue)]
        if expression.kind == "demonstrative":
            return tuple(fitting)
        offered = fitting if len(fitting) >= 2 or expression.kind == "ordinal" else offered
    return tuple(offered)


def recent(discourse: Discourse, known: Sequence[Antecedent]) -> list[Antecedent]:
    """Return the things of one kind that the last two turns named one after the other, in the order of naming."""
    named = [
        a for a in known if a.named and a.type not in ("TIME", "MONEY") and discourse.messages - a.last.message <= 6
    ]
    if not named:
        return []
    type_ = max(named, key=lambda a: a.last.message).type
    alike = [a for a in named if a.type == type_ or not a.type or not type_]
    return sorted(alike, key=lambda a: (a.mentions[0].message, a.mentions[0].order))


def _without_head(options: Sequence[Antecedent]) -> tuple[Antecedent, ...]:
    """Return *options* without what only announces them: "two mild kinds, Gorse Honey and Lime Honey"."""
    rest = options[1:]
    several = [bool(a.numbers) and a.numbers <= {"p", "d"} for a in options]
    announces = len(rest) > 1 and several[0] and not any(several[1:]) and not options[0].mentions[0].known
    return tuple(rest if announces else options)


def chosen(
    expression: Expression,
    options: Sequence[Antecedent],
    analysis: Analysis,
    catalog: Catalog | None,
) -> tuple[Antecedent, ...] | None:
    """Return the alternatives that *expression* picks: one, several for "both"; None where it picks nothing.

    Where it does not decide, all that are left are returned, and the caller asks back.
    """
    options = _without_head(options)
    if len(options) < 2:
        return None
    if expression.kind == "both":
        if expression.count in (0, len(options)):
            return tuple(options)
        if expression.count < 0:  # "the first two"
            return tuple(options[: -expression.count]) if -expression.count <= len(options) else None
        return tuple(options[-expression.count :]) if expression.count < len(options) else None
    if expression.kind == "former":
        return (options[0],)
    if expression.kind == "latter":
        return (options[-1],)
    if expression.kind == "ordinal":
        index = expression.count - 1 if expression.count > 0 else len(options) + expression.count
        return (options[index],) if 0 <= index < len(options) else None
    if expression.kind == "other":
        return _others(options, analysis)
    if expression.kind == "comparison":
        return _compared(expression, options, analysis, catalog)
    return None


def _others(options: Sequence[Antecedent], analysis: Analysis) -> tuple[Antecedent, ...] | None:
    """Return the alternatives but the one in focus: named in the question, else singled out since they were offered."""
    here = {fold(phrase.entity) for phrase in analysis.phrases if phrase.name}
    named = [a for a in options if fold(a.entity) in here]
    if not named:
        offered = max((a.mentions[0].message, a.mentions[0].order) for a in options)
        later = [a for a in options if (a.last.message, a.last.order) > offered]
        newest = max(later, key=lambda a: (a.last.message, a.last.order), default=None)
        alone = [a for a in later if newest is not None and a.last.message == newest.last.message]
        named = alone if len(alone) == 1 else []
    if len(named) != 1:
        return None
    return tuple(a for a in options if a is not named[0])


def _compared(
    expression: Expression, options: Sequence[Antecedent], analysis: Analysis, catalog: Catalog | None
) -> tuple[Antecedent, ...] | None:
    """Return the alternative with the least or greatest stated value, where all have one in the same unit."""
    comparison = expression.comparison
    if comparison is None:
        return None
    if not comparison.attribute:
        return tuple(options)  # "the better one": no fact decides
    stated = [_stated(option, comparison.attribute, options, analysis, catalog) for option in options]
    measured = [value for value in stated if value is not None]
    unit = measured[0] if measured else _COUNTED.get(comparison.attribute)  # "25 minutes, 40 and 18"
    if unit is not None:
        stated = [
            value or _in_unit(_bare(option, options), unit) for option, value in zip(options, stated, strict=True)
        ]
    values = [value for value in stated if value is not None]
    if len(values) < len(options) or not values or len({value.base for value in values}) != 1:
        return None
    # What takes less time is faster; who has more years is older.
    turned = (comparison.attribute == "speed" and values[0].base == "s") or values[0].base == _AGE
    most = comparison.most != turned
    ordered = sorted(zip(values, options, strict=True), key=lambda pair: pair[0].amount, reverse=most)
    return (ordered[0][1],) if ordered[0][0].amount != ordered[1][0].amount else None


@dataclass(frozen=True, slots=True)
class _Value:
    """A stated value in its base unit, and how many of that unit one of its own is."""

    amount: Decimal
    base: str
    factor: Decimal


def _in_unit(number: Decimal | None, unit: _Value) -> _Value | None:
    return replace(unit, amount=number * unit.factor) if number is not None else None


# What a number without a unit may measure, where all have one: how old ("Ruth Vane, 58"), how big ("12 seats").
_COUNTED: Mapping[str, _Value] = MappingProxyType(
    {"date": _Value(Decimal(0), _AGE, Decimal(1)), "size": _Value(Decimal(0), "", Decimal(1))}
)


def _stated(
    option: Antecedent, attribute: str, options: Sequence[Antecedent], analysis: Analysis, catalog: Catalog | None
) -> _Value | None:
    """Return the value of *attribute* that a sentence about *option* or the catalogue states, in the base unit."""
    sentences = dict.fromkeys(m.sentence for m in reversed(option.mentions) if m.sentence)
    texts = [_own_part(sentence, option, options) for sentence in sentences]
    entry = catalog.get(option.entity) if catalog is not None else None
    texts += [a.value for a in entry.attributes] if entry is not None else []
    for text in texts:
        value = _measured(text, attribute, analysis.tongue.code)
        if value is not None:
            return value
    return None


def _bare(option: Antecedent, options: Sequence[Antecedent]) -> Decimal | None:
    """Return the only number that the newest sentence says of *option*, outside its name; None for none or several."""
    sentence = next((m.sentence for m in reversed(option.mentions) if m.sentence), "")
    part = _own_part(sentence, option, options)
    for form in _forms(option):
        part = re.sub(re.escape(form), " ", part, flags=re.IGNORECASE)
    found = _PLAIN.findall(part)
    if not found and not any(m.known for m in option.mentions):  # "the Birch Line 20", read as its name
        found = _PLAIN.findall(option.entity)
    return Decimal(found[0].replace(",", ".")) if len(found) == 1 else None


def _measured(text: str, attribute: str, code: str) -> _Value | None:
    """Return the first value in *text* that measures *attribute*, in its base unit; for a date a year or a time."""
    found: tuple[Quantity, ...] = quantities(text, code)
    for quantity in found:
        amount, base = quantity.in_base()
        if (attribute == "price" and quantity.is_money) or base in _MEASURES.get(attribute, ()):
            unit = amount / quantity.value if quantity.value else Decimal(1)
            aged = attribute == "date" and base == "s"
            return _Value(amount, _AGE if aged else base, unit)
    if attribute == "date":
        year, clock = _YEAR.search(text), _CLOCK.search(text)
        if clock:
            return _Value(Decimal(clock.group(1)) * 60 + Decimal(clock.group(2)), "clock", Decimal(1))
        return _Value(Decimal(year.group()), "year", Decimal(1)) if year else None
    return None


def _own_part(sentence: str, option: Antecedent, options: Sequence[Antecedent]) -> str:
    """Return the part of a sentence that speaks of *option*: from its name to the next alternative's name."""
    folded = fold_map(sentence)
    found = next((place for form in _forms(option) if (place := _place(folded.text, form, 0)) is not None), None)
    if found is None:
        return sentence
    start, end = found
    stops = [
        place[0]
        for other in options
        if other is not option
        for form in _forms(other)
        if (place := _place(folded.text, form, end)) is not None
    ]
    first, last = folded.original_span(start, min(stops, default=len(folded.text)))
    return sentence[first:last]


def _forms(option: Antecedent) -> list[str]:
    """Return how an alternative may stand in a sentence, the longest first: as a whole, or without its first word."""
    said = {option.entity, *(m.text for m in option.mentions)}
    forms = {fold(form) for form in (*said, *(form.split(" ", 1)[1] for form in said if " " in form)) if len(form) > 1}
    return sorted(forms, key=lambda form: (-len(form), form))


def _place(text: str, form: str, start: int) -> tuple[int, int] | None:
    at = text.find(form, start)
    return (at, at + len(form)) if at >= 0 else None


def by_gender(expression: Expression, options: Sequence[Antecedent]) -> tuple[Antecedent, ...]:
    """Return the only option of the gender that "cette dernière" asks for; () where not all the others have another."""
    if expression.kind not in ("former", "latter") or not expression.genders:
        return ()
    agreeing = tuple(a for a in options if a.genders and a.genders <= expression.genders)
    others = [a for a in options if a.genders and not a.genders & expression.genders]
    return agreeing if len(agreeing) == 1 and 1 + len(others) == len(options) > 1 else ()

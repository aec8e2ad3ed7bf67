"""Stored values told to the person in their language."""

from __future__ import annotations

from collections.abc import Sequence

from babel.numbers import format_currency, get_decimal_symbol

from languages import load
from languages.quantities import is_currency
from languages.remembering import remembering
from memory.knowledge.facts import StoredFact
from memory.knowledge.moments import Moment


def say(key: str, value: str, language: str, *, detail: str = "") -> str:
    """Return one sentence that tells the person what is stored under *key*; *detail* as in ``Heard``.

    The sentences are the texts "told" of the language's folder; a key that has none is told as what was said.

    >>> say("budget", "900 €", "fr"), say("family", "Mia", "de", detail="daughter")
    ('Votre budget est de 900 €.', 'Ihre Tochter: Mia.')

    Raises: UnknownLanguage, LanguagePackError.
    """
    texts = load(language)
    for name in (f"told_{key}.{detail}", f"told.{key}"):
        if name in texts.texts:
            return texts.text(name, {"value": value})
    return texts.text("told.anything", {"value": value})


def say_all(facts: Sequence[StoredFact], language: str, *, abroad: frozenset[int] = frozenset()) -> str:
    """Return what *facts*, of one key, hold: a sentence for each detail; *abroad* as in ``written``.

    Raises: UnknownLanguage, LanguagePackError.
    """
    said: dict[str, list[str]] = {}
    for fact in facts:
        said.setdefault(fact.detail, []).append(written(fact, language, abroad=fact.id in abroad))
    join = load(language).join
    return " ".join(
        say(facts[0].key, join(values, "standard"), language, detail=detail) for detail, values in said.items()
    )


def say_then(
    facts: Sequence[StoredFact], moment: Moment, language: str, *, abroad: frozenset[int] = frozenset()
) -> str:
    """Return what *facts*, of one key, held at *moment*; *abroad* as in ``written``.

    Raises: UnknownLanguage, LanguagePackError.
    """
    texts = load(language)
    values = [written(fact, language, abroad=fact.id in abroad) for fact in facts]
    given = {"label": remembering(language).key(facts[0].key), "value": texts.join(values, "standard")}
    return texts.text(f"told_then.{moment.kind}", given)


def written(fact: StoredFact, language: str, *, abroad: bool = False) -> str:
    """Return the value of *fact* as it was written; a sum of money that was said in another language in this one's way.

    Raises: UnknownLanguage, LanguagePackError.
    """
    if not abroad or fact.amount is None or not is_currency(fact.unit):
        return fact.value
    locale = load(language).locale
    said = format_currency(fact.amount, fact.unit, locale=locale)
    cents = f"{get_decimal_symbol(locale)}00"
    return said.replace(cents, "", 1) if fact.amount == int(fact.amount) else said

"""Arabic word forms, made from the hand lists of verbs, adjectives and adverbs."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

from languages.wordforms import Entry, Features

_VERB = Features.VERB
_SINGULAR = Features.VERB | Features.VERB_SINGULAR
_PLURAL = Features.VERB | Features.VERB_PLURAL
_ORDER = Features.VERB | Features.IMPERATIVE
_WEAK = "يىاو"


def arabic_words(file: Path) -> Iterator[Entry]:
    """Yield the forms of the words that ``words.toml`` lists."""
    data = tomllib.loads(file.read_text(encoding="utf-8"))
    for line in str(data["verbs"]).strip().splitlines():
        yield from _verb(line.split())
    for adjective in str(data["adjectives"]).split():
        yield from _adjective(adjective)
    singular = Features.ADJECTIVE | Features.SINGULAR
    for form in str(data["feminine"]).split():
        yield form, singular | Features.FEMININE
    for form in str(data["masculine"]).split():
        yield form, singular | Features.MASCULINE
    for form in str(data["comparatives"]).split():
        yield form, singular | Features.MASCULINE | Features.FEMININE
    for form in str(data["adverbs"]).split():
        yield form, Features.ADVERB


def _verb(forms: list[str]) -> Iterator[Entry]:
    """Yield the forms of "past present [imperative]", as they are written without vowels."""
    past, present = forms[0], forms[1]
    stem = past[:-1] if past[-1] in _WEAK else past
    yield past, _SINGULAR
    yield stem + "ت", _SINGULAR
    yield stem + "وا", _PLURAL
    # A weak verb keeps a ي before the endings of the first and second person: اشتريت.
    strong = stem + "ي" if past[-1] in _WEAK else stem
    for ending in ("ت", "نا", "تم"):
        yield strong + ending, _VERB
    if not present.startswith("ي"):
        return
    core = present[1:]
    short = core[:-1] if core[-1] in _WEAK else core
    yield "ي" + core, _SINGULAR
    yield "ت" + core, _SINGULAR
    for prefix in ("ن", "أ", "سي", "ست", "سن", "سأ"):
        yield prefix + core, _VERB
    for prefix in ("ي", "ت", "سي", "ست"):
        yield prefix + short + "ون", _PLURAL
        yield prefix + short + "وا", _PLURAL
    yield "ت" + short + "ين", _VERB
    for order in forms[2:]:
        yield order, _ORDER
        for ending in ("ي", "وا"):
            yield order + ending, _ORDER


def _adjective(form: str) -> Iterator[Entry]:
    """Yield the genders and numbers of a regular adjective, with and without the article."""
    made = (
        (form, Features.MASCULINE | Features.SINGULAR),
        (form + "ة", Features.FEMININE | Features.SINGULAR),
        (form + "ات", Features.FEMININE | Features.PLURAL),
        (form + "ون", Features.MASCULINE | Features.PLURAL),
        (form + "ين", Features.MASCULINE | Features.PLURAL),
    )
    for written, features in made:
        yield written, Features.ADJECTIVE | features

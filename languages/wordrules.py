"""The rules of a language's words, as data: what may be written onto a word, plurals, endings that tell a gender."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from types import MappingProxyType
from typing import Literal

from pydantic import ConfigDict, TypeAdapter
from pydantic.dataclasses import dataclass

from languages.errors import LanguagePackError
from languages.files import check, read_toml
from languages.folding import fold
from languages.wordforms import Entry, Features

_STRICT = ConfigDict(extra="forbid")

_FEATURES = MappingProxyType(
    {
        "noun": Features.NOUN,
        "verb": Features.VERB,
        "inf": Features.INFINITIVE | Features.VERB,
        "imperative": Features.IMPERATIVE | Features.VERB,
        "adj": Features.ADJECTIVE,
        "adv": Features.ADVERB,
        "name": Features.NAME,
        "person": Features.PERSON | Features.NOUN,
        "m": Features.MASCULINE,
        "f": Features.FEMININE,
        "n": Features.NEUTER,
        "s": Features.SINGULAR,
        "p": Features.PLURAL,
        "verb.s": Features.VERB | Features.VERB_SINGULAR,
        "verb.p": Features.VERB | Features.VERB_PLURAL,
    }
)


@dataclass(frozen=True, slots=True, config=_STRICT)
class Ending:
    """What a form is taken for that no list knows, by a regular expression over its whole spelling."""

    form: str
    features: str  # names of features, blank between: "noun f s"


@dataclass(frozen=True, slots=True, config=_STRICT)
class Listed:
    """Forms that share their features."""

    features: str
    forms: str  # blank between


@dataclass(frozen=True, slots=True, config=_STRICT)
class Rules:
    """A language's rules; the defaults are those of a language that needs none."""

    head: Literal["first", "last"]
    gendered: bool
    tables: tuple[str, ...] = ()  # the compiled word forms in the language's folder
    article: str = ""  # an article that is written onto each word of a phrase
    compounds: int = 0  # least length of the last part of a compound; 0 = no compounds
    noun_capitals: bool = False  # a word in small letters is taken for a noun only where it can be nothing else
    nominal: str = ""  # a regular expression for what is written onto the front of nouns and adjectives only
    things_plural: Literal["", "m", "f", "n"] = ""  # the gender with which plurals of things agree, whatever theirs
    before: frozenset[str] = frozenset()  # words that stand before a noun and are not its head
    stops: frozenset[str] = frozenset()  # words after which no head comes
    openings: tuple[str, ...] = ()  # regular expressions: what may be written onto the front of a word
    closings: tuple[tuple[str, str], ...] = ()  # expression at a word's end, and what stands there without it
    plurals: tuple[tuple[str, str], ...] = ()  # expression at a plural's end, and the singular's
    duals: tuple[tuple[str, str], ...] = ()  # expression at a singular's end, and the end of the form for two
    obliques: tuple[tuple[str, str], ...] = ()  # expression at a plural's end, and its end in other cases
    endings: tuple[Ending, ...] = ()
    words: tuple[Listed, ...] = ()  # forms that no compiled list has

    def variants(self, form: str) -> Iterator[str]:
        """Yield *form* and then what it is without what may be written onto it; nothing shorter than two letters."""
        seen = {form}
        yield form
        cores = [form]
        for opening in self.openings:
            match = _compiled(opening).match(form)
            if match and len(form) - match.end() >= 2:
                cores.append(form[match.end() :])
        for core in cores:
            if core not in seen:
                seen.add(core)
                yield core
        for core in cores:
            for closing, bare in self.closings:
                shorter, count = _at_end(closing).subn(bare, core)
                if count and len(shorter) >= 2 and shorter not in seen:
                    seen.add(shorter)
                    yield shorter

    def phrase_key(self, phrase: str) -> str:
        """Return *phrase* as phrases are compared: folded, its words after the first without the article.

        >>> Rules("first", True, article="ال").phrase_key("شركة التأمين")
        'شركه تامين'
        """
        first, *rest = fold(phrase).split(" ")
        return " ".join([first, *(word.removeprefix(self.article) for word in rest)]) if self.article else fold(phrase)

    def singulars(self, form: str) -> Iterator[str]:
        """Yield what may be the singular of *form* by the language's regular plurals."""
        for plural, singular in self.plurals:
            shorter, count = _at_end(plural).subn(singular, form)
            if count and len(shorter) >= 2:
                yield shorter

    def for_two(self, singular: str) -> Iterator[str]:
        """Yield the forms of a noun for two of its kind, where the language has them."""
        for end, dual in self.duals:
            form, count = _at_end(end).subn(dual, singular)
            if count:
                yield form

    def in_other_cases(self, plural: str) -> Iterator[str]:
        """Yield the forms of a plural in other cases, where they differ by rule."""
        for end, other in self.obliques:
            form, count = _at_end(end).subn(other, plural)
            if count:
                yield form

    def ending(self, form: str, *, small: bool = False) -> Features:
        """Return what *form* is taken for by its ending; none when no rule matches.

        *small* leaves out the rules for nouns.
        """
        for ending in self.endings:
            if _compiled(ending.form).fullmatch(form):
                found = features_of(ending.features)
                if not (small and found & Features.NOUN):
                    return found
        return Features(0)

    def is_small(self, form: str) -> bool:
        """Return whether *form* is written as no noun of the language is, though people write in haste."""
        return self.noun_capitals and form[:1].islower()

    def forms(self) -> Iterator[Entry]:
        """Yield the forms that are listed in the rules themselves."""
        for listed in self.words:
            features = features_of(listed.features)
            for form in listed.forms.split():
                yield form, features


@lru_cache(maxsize=1024)
def _compiled(written: str) -> re.Pattern[str]:
    return re.compile(written)


@lru_cache(maxsize=1024)
def _at_end(written: str) -> re.Pattern[str]:
    return re.compile(f"(?:{written})$")


def features_of(names: str) -> Features:
    """Return the features that *names* lists, blank between.

    >>> features_of("noun f s") == Features.NOUN | Features.FEMININE | Features.SINGULAR
    True
    """
    found = Features(0)
    for name in names.split():
        found |= _FEATURES[name]
    return found


@lru_cache(maxsize=16)
def rules(code: str) -> Rules:
    """Return the rules of a language's words.

    Raises:
        LanguagePackError: where lexicon.toml is missing or not as it should be.
    """
    file = f"{code}/lexicon.toml"
    content = {
        name: frozenset(map(fold, value)) if name in ("before", "stops") else value
        for name, value in read_toml(code, "lexicon.toml").items()
    }
    found = check(file, content, TypeAdapter(Rules))
    try:
        for written in (*found.openings, *(closing for closing, _ in (*found.closings, *found.plurals))):
            re.compile(written)
        for names in (*(ending.features for ending in found.endings), *(listed.features for listed in found.words)):
            features_of(names)
    except KeyError as error:
        known = ", ".join(_FEATURES)
        raise LanguagePackError(file, str(error), "is no feature of a word.", f"Use some of: {known}.") from error
    except re.error as error:
        raise LanguagePackError(file, str(error.pattern), f"is no regular expression: {error}.", "Mend it.") from error
    return found

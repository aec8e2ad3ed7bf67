"""A language as the engine sees it, read from its folder: ``load("xx")`` reads ``languages/xx/*.toml``.

The files are checked against the shapes below; what does not fit is said so that a translator can mend it.
This module knows no language: which ones there are is what folders stand beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Literal

from babel import Locale, UnknownLocaleError
from babel.dates import format_date, format_skeleton, format_time, get_datetime_format
from babel.lists import format_list
from babel.numbers import format_decimal
from pydantic import ConfigDict, Field, TypeAdapter
from pydantic.dataclasses import dataclass as checked_dataclass

from languages.errors import LanguagePackError, MissingValue, UnknownLanguage, UnknownText
from languages.files import EXPLAINED, FOLDER, Text, flatten, read_checked, read_toml
from languages.folding import fold

__all__ = [
    "FOLDER",
    "Description",
    "Language",
    "Prompts",
    "StopWords",
    "Text",
    "codes",
    "default_code",
    "load",
    "placeholders",
    "read_checked",
    "read_language",
    "read_toml",
]

_STRICT = ConfigDict(extra="forbid", str_strip_whitespace=False)
_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")


@checked_dataclass(frozen=True, slots=True, config=_STRICT)
class Description:
    """``language.toml``: what the engine must know of a language besides its words."""

    order: int  # place in the language switch; the first is the default
    name: Text  # as its speakers call it
    english_name: Text
    direction: Literal["ltr", "rtl"]
    script: Annotated[str, Field(pattern="^[A-Z][a-z]{3}$")]  # ISO 15924: Latn, Arab, Cyrl
    locale: Text  # CLDR, for plurals, lists, numbers and dates
    stemmer: Text  # Snowball's name of it
    quotes: tuple[Text, Text]
    semicolon: Text  # between the parts of a listed row, with its spaces: "Price: 9 €; Weight: 1 kg"
    abbreviations: tuple[Text, ...] = ()  # after which a full stop ends no sentence
    after_ordinal: tuple[Text, ...] = ()  # words before which "3." is "third"
    either: str = ""  # between the alternatives of a question, where CLDR's "or" is for statements only
    only_here: tuple[Text, ...] = ()  # short messages that show this language: greetings, thanks, question words
    endings: dict[Text, Text] = field(default_factory=dict)  # written for others: found as they are, and as those
    never: tuple[Text, ...] = ()  # regular expressions that no text for people matches: the check looks for them


@checked_dataclass(frozen=True, slots=True, config=_STRICT)
class StopWords:
    """``stopwords.toml``: words that say nothing of what a text is about, a list for each kind."""

    articles: tuple[Text, ...]
    pronouns: tuple[Text, ...]
    prepositions: tuple[Text, ...]
    conjunctions: tuple[Text, ...]
    questions: tuple[Text, ...]
    verbs: tuple[Text, ...]
    adverbs: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class Prompts:
    """``prompts.toml``: what a chat model is told, the frames of quoted answers, and the words that explain a reading.

    ``system`` are the rules of answering, ``rewrite.rules`` those of completing a question; the sections' texts are
    also reached by ``Language.text("label.question")``.
    """

    system: str
    label: Mapping[str, str] = field(hash=False)
    rewrite: Mapping[str, str] = field(hash=False)
    clarify: Mapping[str, str] = field(hash=False)
    not_found: Mapping[str, str] = field(hash=False)
    answer: Mapping[str, str] = field(hash=False)
    evidence: Mapping[str, str] = field(hash=False)
    manner: Mapping[str, str] = field(hash=False)


@dataclass(frozen=True, slots=True)
class Language:
    """All of a language but its grammar: name, direction, texts, stop words."""

    code: str
    name: str
    english_name: str
    direction: Literal["ltr", "rtl"]
    script: str
    locale: str
    stemmer: str
    quotes: tuple[str, str]
    semicolon: str
    abbreviations: frozenset[str] = field(hash=False)  # as written, without the last full stop
    after_ordinal: frozenset[str] = field(hash=False)  # folded
    either: str
    only_here: frozenset[str] = field(hash=False)  # folded
    never: tuple[str, ...]
    stop_words: frozenset[str] = field(hash=False)  # folded
    question_words: frozenset[str] = field(hash=False)  # folded; all are stop words too
    endings: Mapping[str, str] = field(hash=False)  # that people write, by what they may stand for
    prompts: Prompts = field(hash=False)
    interface: Mapping[str, str] = field(hash=False)
    texts: Mapping[str, str] = field(hash=False, repr=False)  # interface and prompts by their full keys

    def text(self, key: str, /, values: Mapping[str, str] | None = None) -> str:
        """Return the text *key* with its placeholders filled; braces inside a value stay as they are.

        A text with plural variants ("turns.one", "turns.other") is asked for by its stem ("turns") and chosen by
        the value "count", which is written as this language writes numbers.

        Raises: UnknownText, MissingValue.
        """
        given = dict(values or {})
        template = self.texts.get(key)
        if template is None and f"{key}.other" in self.texts:
            template = self.texts.get(f"{key}.{self.plural(given.get('count', '0'))}", self.texts[f"{key}.other"])
            given["count"] = self.number(given.get("count", "0"))
        if template is None:
            raise UnknownText(self.code, key)

        def _given(match: re.Match[str]) -> str:
            if match.group(1) not in given:
                raise MissingValue(key, match.group(1), given)
            return given[match.group(1)]

        return _PLACEHOLDER.sub(_given, template)

    def plural(self, count: str) -> str:
        """Return the CLDR plural category of *count*: zero, one, two, few, many or other."""
        number = _decimal(count)
        return str(Locale.parse(self.locale).plural_form(number)) if number is not None else "other"

    def number(self, value: str) -> str:
        """Return a number, given with a decimal point, as this language writes it; other text as it is."""
        number = _decimal(value)
        return format_decimal(number, locale=self.locale) if number is not None else value

    def day(self, day: date) -> str:
        """Return a day as this language writes it: "1 Mar 2026"."""
        return format_date(day, "medium", locale=self.locale)

    def moment(self, moment: datetime) -> str:
        """Return a moment, in its own time zone, as this language writes it: "1 Mar 2026, 09:30"."""
        parts = format_time(moment, "short", locale=self.locale), self.day(moment)
        return str(get_datetime_format("medium", locale=self.locale)).format(*parts)

    def month(self, day: date) -> str:
        """Return the month of *day* with its year, as this language writes them: "Mar 2026"."""
        return format_skeleton("yMMM", day, locale=self.locale)

    def join(self, items: Sequence[str], /, style: Literal["or", "standard"] = "or") -> str:
        """Return *items* as a list: "A, B or C", as a question offers them; with style "standard": "A, B and C"."""
        if style == "or" and self.either:
            return self.either.join(items)
        return format_list(list(items), style=style, locale=self.locale)

    def name_of(self, code: str) -> str:
        """Return what this language calls the language *code*: "allemand" for German in French.

        Raises: UnknownLanguage.
        """
        return Locale.parse(load(code).locale).get_language_name(self.locale) or load(code).name

    def quote(self, text: str) -> str:
        """Return *text* within this language's quotation marks."""
        return f"{self.quotes[0]}{text}{self.quotes[1]}"


@lru_cache(maxsize=1)
def codes() -> tuple[str, ...]:
    """Return the codes of the languages that have a folder, in the order their packs ask for.

    Raises: LanguagePackError.
    """
    found = [folder.name for folder in FOLDER.iterdir() if (folder / "language.toml").is_file()]
    return tuple(sorted(found, key=lambda code: (_description(code, FOLDER).order, code)))


def default_code() -> str:
    """Return the first language's code: what is used while nothing says otherwise."""
    return codes()[0]


@lru_cache(maxsize=64)
def load(code: str) -> Language:
    """Return the language *code*, read from its folder and checked; read once.

    Raises: UnknownLanguage, LanguagePackError.
    """
    if code not in codes():
        raise UnknownLanguage(code, codes())
    return read_language(code)


def read_language(code: str, *, root: Path = FOLDER) -> Language:
    """Return the language whose folder *code* stands in *root*, read anew.

    Raises: LanguagePackError.
    """
    about = _description(code, root)
    stops = read_checked(code, "stopwords.toml", TypeAdapter(StopWords), root=root)
    prompts = _prompts(code, root)
    interface = flatten(f"{code}/ui.toml", read_toml(code, "ui.toml", root=root))
    sections = {"system": prompts.system}
    for section in _SECTIONS:
        sections |= {f"{section}.{key}": text for key, text in getattr(prompts, section).items()}
    for key in sections.keys() & interface.keys():
        raise LanguagePackError(
            f"{code}/ui.toml", key, "prompts.toml has this entry too.", "Rename the section in ui.toml."
        )
    kinds = (
        stops.articles,
        stops.pronouns,
        stops.prepositions,
        stops.conjunctions,
        stops.questions,
        stops.verbs,
        stops.adverbs,
    )
    return Language(
        code=code,
        name=about.name,
        english_name=about.english_name,
        direction=about.direction,
        script=about.script,
        locale=about.locale,
        stemmer=about.stemmer,
        quotes=about.quotes,
        semicolon=about.semicolon,
        abbreviations=frozenset(word.rstrip(".") for word in about.abbreviations),
        after_ordinal=_folded(about.after_ordinal),
        either=about.either,
        only_here=_folded(about.only_here),
        endings=MappingProxyType(about.endings),
        never=about.never,
        stop_words=_folded(word for kind in kinds for word in kind),
        question_words=_folded(stops.questions),
        prompts=prompts,
        interface=MappingProxyType(interface),
        texts=MappingProxyType(interface | sections),
    )


_SECTIONS = ("label", "rewrite", "clarify", "not_found", "answer", "evidence", "manner")


def placeholders(template: str) -> frozenset[str]:
    """Return the names of the placeholders in *template*."""
    return frozenset(_PLACEHOLDER.findall(template))


def _description(code: str, root: Path) -> Description:
    about = read_checked(code, "language.toml", TypeAdapter(Description), root=root)
    try:
        Locale.parse(about.locale)
    except (UnknownLocaleError, ValueError) as error:
        what = f"“{about.locale}” is no locale that CLDR knows."
        raise LanguagePackError(
            f"{code}/language.toml", "locale", what, "Write the language's ISO code, such as “fr”."
        ) from error
    return about


def _prompts(code: str, root: Path) -> Prompts:
    file = f"{code}/prompts.toml"
    content = read_toml(code, "prompts.toml", root=root)
    for key in sorted({"system", *_SECTIONS} - content.keys()):
        raise LanguagePackError(file, key, *EXPLAINED["missing"])
    for key in sorted(content.keys() - {"system", *_SECTIONS}):
        raise LanguagePackError(file, key, *EXPLAINED["extra_forbidden"])
    flat = flatten(file, content)
    parts = {
        section: MappingProxyType(
            {key.partition(".")[2]: text for key, text in flat.items() if key.startswith(f"{section}.")}
        )
        for section in _SECTIONS
    }
    if "system" not in flat:
        raise LanguagePackError(file, "system", *EXPLAINED["string_type"])
    return Prompts(
        system=flat["system"].strip(),
        label=parts["label"],
        rewrite=parts["rewrite"],
        clarify=parts["clarify"],
        not_found=parts["not_found"],
        answer=parts["answer"],
        evidence=parts["evidence"],
        manner=parts["manner"],
    )


def _folded(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(fold(text) for text in texts)


def _decimal(text: str) -> Decimal | None:
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return number if number.is_finite() else None

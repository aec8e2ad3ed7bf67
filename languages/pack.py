"""A language as the engine sees it, read from its folder: ``load("xx")`` reads ``languages/xx/*.toml``.

The files are checked against the shapes below; what does not fit is said so that a translator can mend it.
This module knows no language: which ones there are is what folders stand beside it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Literal, TypeVar

from babel import Locale, UnknownLocaleError
from babel.lists import format_list
from babel.numbers import format_decimal
from pydantic import ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass as checked_dataclass

from languages.errors import LanguagePackError, MissingValue, UnknownLanguage, UnknownText
from languages.folding import fold

FOLDER = Path(__file__).parent

_STRICT = ConfigDict(extra="forbid", str_strip_whitespace=False)
_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")

Text = Annotated[str, Field(min_length=1)]
Shape = TypeVar("Shape")


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
    abbreviations: tuple[Text, ...] = ()  # after which a full stop ends no sentence
    after_ordinal: tuple[Text, ...] = ()  # words before which "3." is "third"
    only_here: tuple[Text, ...] = ()  # short messages that show this language: greetings, thanks, question words


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

    ``system`` are the rules of answering; the sections' texts are also reached by ``Language.text("label.question")``.
    """

    system: str
    label: Mapping[str, str] = field(hash=False)
    clarify: Mapping[str, str] = field(hash=False)
    not_found: Mapping[str, str] = field(hash=False)
    answer: Mapping[str, str] = field(hash=False)
    evidence: Mapping[str, str] = field(hash=False)


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
    abbreviations: frozenset[str] = field(hash=False)  # as written, without the last full stop
    after_ordinal: frozenset[str] = field(hash=False)  # folded
    only_here: frozenset[str] = field(hash=False)  # folded
    stop_words: frozenset[str] = field(hash=False)  # folded
    question_words: frozenset[str] = field(hash=False)  # folded; all are stop words too
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

        def value(match: re.Match[str]) -> str:
            if match.group(1) not in given:
                raise MissingValue(key, match.group(1), given)
            return given[match.group(1)]

        return _PLACEHOLDER.sub(value, template)

    def plural(self, count: str) -> str:
        """Return the CLDR plural category of *count*: zero, one, two, few, many or other."""
        number = _decimal(count)
        return str(Locale.parse(self.locale).plural_form(number)) if number is not None else "other"

    def number(self, value: str) -> str:
        """Return a number, given with a decimal point, as this language writes it; other text as it is."""
        number = _decimal(value)
        return format_decimal(number, locale=self.locale) if number is not None else value

    def join(self, items: Sequence[str], /, style: Literal["or", "standard"] = "or") -> str:
        """Return *items* as a list in a sentence: "A, B or C"; with style "standard": "A, B and C"."""
        return format_list(list(items), style=style, locale=self.locale)

    def quote(self, text: str) -> str:
        """Return *text* within this language's quotation marks."""
        return f"{self.quotes[0]}{text}{self.quotes[1]}"


@lru_cache(maxsize=1)
def codes() -> tuple[str, ...]:
    """Return the codes of the languages that have a folder, in the order their packs ask for.

    Raises: LanguagePackError.
    """
    found = [folder.name for folder in FOLDER.iterdir() if (folder / "language.toml").is_file()]
    return tuple(sorted(found, key=lambda code: (_description(code).order, code)))


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
    about = _description(code)
    stops = read_checked(code, "stopwords.toml", TypeAdapter(StopWords))
    prompts = _prompts(code)
    interface = _flat(f"{code}/ui.toml", read_toml(code, "ui.toml"))
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
        abbreviations=frozenset(word.rstrip(".") for word in about.abbreviations),
        after_ordinal=_folded(about.after_ordinal),
        only_here=_folded(about.only_here),
        stop_words=_folded(word for kind in kinds for word in kind),
        question_words=_folded(stops.questions),
        prompts=prompts,
        interface=MappingProxyType(interface),
        texts=MappingProxyType(interface | sections),
    )


_SECTIONS = ("label", "clarify", "not_found", "answer", "evidence")


def placeholders(template: str) -> frozenset[str]:
    """Return the names of the placeholders in *template*."""
    return frozenset(_PLACEHOLDER.findall(template))


def read_toml(code: str, name: str) -> dict[str, Any]:
    """Return the content of a file of a language's folder.

    Raises: LanguagePackError where the file is missing, is not UTF-8 or is not TOML.
    """
    file = f"{code}/{name}"
    try:
        return tomllib.loads((FOLDER / code / name).read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise LanguagePackError(
            file, "", "the file is missing.", "Copy it from another language's folder and translate it."
        ) from error
    except UnicodeDecodeError as error:
        raise LanguagePackError(file, "", "the file is not in UTF-8.", "Save it again as UTF-8.") from error
    except tomllib.TOMLDecodeError as error:
        next_step = "Look there for a missing quotation mark, a missing comma or an entry that stands twice."
        raise LanguagePackError(file, "", f"the file cannot be read as TOML ({error}).", next_step) from error


def read_checked(code: str, name: str, shape: TypeAdapter[Shape]) -> Shape:
    """Return the content of a file of a language's folder as a value of *shape*.

    Raises: LanguagePackError naming the first entry that does not fit.
    """
    try:
        return shape.validate_python(read_toml(code, name))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = ".".join(str(part) for part in first["loc"])
        what, next_step = _EXPLAINED.get(
            first["type"], (f"{first['msg']}.", "Compare the entry with another language's file.")
        )
        raise LanguagePackError(f"{code}/{name}", key, what, next_step) from error


_EXPLAINED = MappingProxyType(
    {
        "missing": ("the entry is missing.", "Add it; another language's file shows what belongs there."),
        "unexpected_keyword_argument": (
            "nobody reads an entry of this name.",
            "Look for a typing error, or take it out.",
        ),
        "extra_forbidden": ("nobody reads an entry of this name.", "Look for a typing error, or take it out."),
        "string_type": ("this should be a text in quotation marks.", "Put it in quotation marks."),
        "string_too_short": ("the text is empty.", "Write the text, or take an empty line out of a list."),
        "tuple_type": ("this should be a list.", 'Write it in square brackets: ["one", "two"].'),
        "int_type": ("this should be a whole number.", "Write a number without quotation marks."),
        "literal_error": ("this is none of the allowed words.", "Compare the entry with another language's file."),
    }
)


def _description(code: str) -> Description:
    about = read_checked(code, "language.toml", TypeAdapter(Description))
    try:
        Locale.parse(about.locale)
    except (UnknownLocaleError, ValueError) as error:
        what = f"“{about.locale}” is no locale that CLDR knows."
        raise LanguagePackError(
            f"{code}/language.toml", "locale", what, "Write the language's ISO code, such as “fr”."
        ) from error
    return about


def _prompts(code: str) -> Prompts:
    file = f"{code}/prompts.toml"
    content = read_toml(code, "prompts.toml")
    for key in sorted({"system", *_SECTIONS} - content.keys()):
        raise LanguagePackError(file, key, *_EXPLAINED["missing"])
    for key in sorted(content.keys() - {"system", *_SECTIONS}):
        raise LanguagePackError(file, key, *_EXPLAINED["extra_forbidden"])
    flat = _flat(file, content)
    parts = {
        section: MappingProxyType(
            {key.partition(".")[2]: text for key, text in flat.items() if key.startswith(f"{section}.")}
        )
        for section in _SECTIONS
    }
    if "system" not in flat:
        raise LanguagePackError(file, "system", *_EXPLAINED["string_type"])
    return Prompts(
        system=flat["system"].strip(),
        label=parts["label"],
        clarify=parts["clarify"],
        not_found=parts["not_found"],
        answer=parts["answer"],
        evidence=parts["evidence"],
    )


def _flat(file: str, content: Mapping[str, Any], prefix: str = "") -> dict[str, str]:
    """Return nested tables as one level: {"chat": {"send": "Send"}} as {"chat.send": "Send"}."""
    flat: dict[str, str] = {}
    for name, value in content.items():
        key = f"{prefix}{name}"
        if isinstance(value, dict):
            flat |= _flat(file, value, f"{key}.")
        elif not isinstance(value, str):
            raise LanguagePackError(file, key, *_EXPLAINED["string_type"])
        elif not value.strip():
            raise LanguagePackError(file, key, *_EXPLAINED["string_too_short"])
        else:
            flat[key] = value
    return flat


def _folded(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(fold(text) for text in texts)


def _decimal(text: str) -> Decimal | None:
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return number if number.is_finite() else None

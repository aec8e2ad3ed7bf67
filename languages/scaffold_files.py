"""The files of a new language's folder, each as text: its entries, what they ask, how a language near it answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from babel import Locale

from languages import columns, people, scaffold_hooks
from languages.files import read_toml
from languages.grammar import Grammar
from languages.listening import Listening
from languages.pack import Description, Language
from languages.scaffold_toml import TODO, commented, entry, example, hollow, meanings
from languages.wordrules import Rules

CATEGORIES: Final = ("zero", "one", "two", "few", "many", "other")

_BRACES: Final = "The program fills in what stands in {braces}: leave it as it is."
_KEYS: Final = "Translate what stands right, never the names of entries."

PURPOSES: Final = MappingProxyType(
    {
        "language.toml": "What the program must know of the language besides its words.",
        "ui.toml": f"Every text of the page and the command line. {_KEYS} {_BRACES}",
        "prompts.toml": f"The rules for a chat model, the frames of quoted answers, the words that explain a reading. "
        f"{_KEYS} {_BRACES}",
        "stopwords.toml": "Words that say nothing of what a text is about, a list for each kind; a hundred or more.",
        "units.toml": "The words for units, numbers in words, and phrases with a value of their own. "
        "What is written alike everywhere (kg, €) stands in languages/units.toml.",
        "questions.toml": "What a question asks for, and how documents say it: phrases word by word, in any "
        "inflection; … stands for up to four words, ^ for the beginning. Strings are texts that people read.",
        "memory.toml": f"What facts are called, how relations are said, what a model is told that reads them. "
        f"{_BRACES}",
        "columns.toml": "What the columns of tables are called, so that names are found in them.",
        "grammar.toml": "The closed classes and patterns that reference resolution asks for; lower case, straight "
        "apostrophes.",
        "listening.toml": "How people say who they are, what they have and want, and ask for it again; how the "
        "templates are written stands in languages/listening.py.",
        "lexicon.toml": "The rules of words: what stands before a noun, plurals, endings that tell a gender.",
        "nouns.toml": 'The words for each kind of thing, the most used first: "lemma genders, plural; next". A '
        "gender (m, f, n) is left out where the language has none; p marks what is only plural.",
        "people.toml": "Titles, roles and first names, by the gender of the people they are used of.",
        "hooks.py": "What word lists cannot say, as functions.",
        "__init__.py": "Makes the folder a package.",
    }
)

# Values, not words of a language: a new one begins with those of the language it is like.
_KEPT: Final = frozenset({"head", "capitals", "choice_lead", "choice_or"})
# Patterns: what is written for one language helps no other.
_BLANK: Final = frozenset({"idioms", "introductions", "nominal", "article"})


@dataclass(frozen=True, slots=True)
class NewPack:
    """A language to be added, and the one that shows how."""

    code: str
    name: str
    english_name: str
    direction: str
    script: str
    locale: str
    stemmer: str
    order: int
    capitals: bool  # whether its script has capital letters
    like: Language


def contents(new: NewPack) -> dict[str, str]:
    """Return the text of each file of the folder of *new*, by its name."""
    writers: Mapping[str, Callable[[NewPack], Iterator[str]]] = {
        "language.toml": _language,
        "ui.toml": partial(_texts, name="ui.toml"),
        "prompts.toml": partial(_texts, name="prompts.toml"),
        "stopwords.toml": partial(_lists, name="stopwords.toml"),
        "units.toml": partial(_lists, name="units.toml"),
        "questions.toml": partial(_lists, name="questions.toml"),
        "memory.toml": partial(_lists, name="memory.toml"),
        "columns.toml": partial(_shaped, name="columns.toml", shape=columns._File),
        "grammar.toml": partial(_shaped, name="grammar.toml", shape=Grammar),
        "listening.toml": partial(_shaped, name="listening.toml", shape=Listening),
        "lexicon.toml": partial(_shaped, name="lexicon.toml", shape=Rules),
        "nouns.toml": _nouns,
        "people.toml": partial(_shaped, name="people.toml", shape=people._File),
    }
    found = {}
    for name, lines in writers.items():
        found[name] = "\n".join([*_wrapped(PURPOSES[name]), "", *lines(new), ""])
    found["hooks.py"] = Path(scaffold_hooks.__file__).read_text(encoding="utf-8")
    found["__init__.py"] = f'"""{new.english_name}: its grammar, texts and lexicon as data."""\n'
    return found


def _language(new: NewPack) -> Iterator[str]:
    shown = read_toml(new.like.code, "language.toml")
    for name, asks in meanings(Description).items():
        if name in ("abbreviations", "after_ordinal", "only_here", "never"):
            yield from entry(name, [], asks=asks, left=_shown(new, shown.get(name)))
        elif name == "quotes":
            yield from entry(name, list(new.like.quotes), asks=asks, left="as this language writes them")
        elif name == "semicolon":
            yield from entry(name, new.like.semicolon, asks=asks, left="as this language writes it")
        elif name == "endings":
            yield from (f"# {asks}", f"{name} = {{}}")
        elif name == "either":
            yield from entry(name, "", asks=asks)
        else:
            left = {"locale": _locale_left(new), "stemmer": _stemmer_left(new)}.get(name, "")
            yield from entry(name, getattr(new, name), asks=asks, left=left)


def _locale_left(new: NewPack) -> str:
    return "" if new.locale != new.like.locale else f"CLDR does not know “{new.code}”; which locale is nearest?"


def _stemmer_left(new: NewPack) -> str:
    return "" if new.stemmer != new.like.stemmer else "Snowball's algorithm of this language, or of the nearest"


def _texts(new: NewPack, name: str) -> Iterator[str]:
    yield from hollow(_with_plurals(read_toml(new.like.code, name), new.locale))


def _with_plurals(content: Mapping[str, Any], locale: str) -> dict[str, Any]:
    """Return *content* with the plural forms that *locale* has, each from the nearest of those there are."""
    if "other" in content and content.keys() <= set(CATEGORIES):
        wanted = {*Locale.parse(locale).plural_form.tags, "other"}
        return {each: content.get(each, content["other"]) for each in CATEGORIES if each in wanted}
    return {name: _with_plurals(each, locale) if isinstance(each, Mapping) else each for name, each in content.items()}


def _lists(new: NewPack, name: str) -> Iterator[str]:
    yield from hollow(read_toml(new.like.code, name))


def _shaped(new: NewPack, name: str, shape: type) -> Iterator[str]:
    """Yield the entries of *shape*: also those that the language it is like does without."""
    shown = read_toml(new.like.code, name)
    tables = {field: each for field, each in shown.items() if _is_tables(each)}
    sections = []
    for field, asks in meanings(shape).items():
        theirs = shown.get(field)
        if field in tables:
            left = f"instead of this line, [[{field}]] tables, as those of {new.like.english_name} below"
            yield from entry(field, [], asks=asks, left=left)
        elif isinstance(theirs, dict):
            sections.append((field, asks))
        elif field == "tables":  # compiled by languages/scripts, when there is something to compile
            yield from entry(field, [], asks=asks)
        elif field == "capitals":
            yield from entry(field, _capitals(new, str(theirs)), asks=asks)
        elif theirs is not None:
            yield from _entry_like(new, field, theirs, asks=asks)
        elif asks:
            yield f"# {field}: {asks}"
    for field, asks in sections:
        yield from ("", f"# {asks}" if asks else "#", f"[{field}]  # {TODO} {_shown(new, shown[field])}")
    for field, each in tables.items():
        yield from commented(field, each)


def _entry_like(new: NewPack, field: str, theirs: Any, *, asks: str) -> Iterator[str]:
    if isinstance(theirs, list):
        return entry(field, [], asks=asks, left=_shown(new, theirs))
    if field in _BLANK:
        return entry(field, "", asks=asks, left=_shown(new, theirs))
    if isinstance(theirs, str) and field not in _KEPT:
        return entry(field, "", asks=asks, left=_shown(new, theirs))
    return entry(field, theirs, asks=asks, left=f"as in {new.like.english_name}, or otherwise")


def _capitals(new: NewPack, theirs: str) -> str:
    if not new.capitals:
        return "none"
    return theirs if theirs != "none" else "names"


def _nouns(new: NewPack) -> Iterator[str]:
    for name, words in read_toml(new.like.code, "nouns.toml").items():
        yield from entry(name, "", left=example(words))


def _shown(new: NewPack, theirs: Any) -> str:
    shown = example(theirs) if theirs else ""
    return f"{new.like.english_name}: {shown}" if shown else ""


def _is_tables(each: object) -> bool:
    return isinstance(each, list) and bool(each) and isinstance(each[0], dict)


def _wrapped(text: str) -> Iterator[str]:
    """Yield *text* as lines of comment."""
    line = "#"
    for word in text.split():
        if len(line) + len(word) > 118:
            yield line
            line = "#"
        line += f" {word}"
    yield line

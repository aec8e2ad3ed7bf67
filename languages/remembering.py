"""What facts and relations are called in a language: ``languages/<code>/memory.toml``.

Keys and predicates are the same in every language ("budget", OWNS); here stand the words for them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from pydantic import ConfigDict, TypeAdapter
from pydantic.dataclasses import dataclass as checked_dataclass

from languages.files import FOLDER, Text, read_checked
from languages.folding import fold
from languages.pack import codes

_STRICT = ConfigDict(extra="forbid")


@checked_dataclass(frozen=True, slots=True, config=_STRICT)
class Extract:
    """What a model is told that reads a message: the rules, and the headings of what follows them."""

    rules: Text
    fields: Text
    types: Text
    known: Text
    message: Text


@checked_dataclass(frozen=True, slots=True, config=_STRICT)
class Arbitrate:
    """What a model is told that says which of two facts holds: the rules, and what the two are called."""

    rules: Text
    earlier: Text
    later: Text


@checked_dataclass(frozen=True, slots=True, config=_STRICT)
class _File:
    context: Text
    known_of: Text
    articles: tuple[Text, ...]
    titles: tuple[Text, ...]
    legal_forms: tuple[Text, ...]
    editions: tuple[Text, ...]
    joins: tuple[Text, ...]
    spelled: Mapping[str, Text]
    keys: Mapping[str, Text]
    predicates: Mapping[str, tuple[Text, ...]]
    extract: Extract
    arbitrate: Arbitrate


@dataclass(frozen=True, slots=True)
class Remembering:
    """The words of one language for what is remembered."""

    context: str  # before what was said of {entity}
    known: str  # {known} of {total} are known
    extract: Extract
    arbitrate: Arbitrate
    keys: Mapping[str, str] = field(hash=False)
    predicates: Mapping[str, tuple[str, ...]] = field(hash=False)

    def key(self, key: str) -> str:
        """Return what a fact is called, its key itself where this language has no word for it."""
        return self.keys.get(key, key)

    def predicate(self, predicate: str) -> str:
        """Return how a relation is said; one that is not canonical as it was said."""
        said = self.predicates.get(predicate, ())
        return said[0] if said else predicate


@lru_cache(maxsize=32)
def remembering(code: str, root: Path = FOLDER) -> Remembering:
    """Return the words of the language *code* for what is remembered.

    >>> remembering("fr").key("employer"), remembering("de").predicate("OWNS"), remembering("en").predicate("adores")
    ('Travaille chez', 'besitzt', 'adores')

    Raises: LanguagePackError.
    """
    file = read_checked(code, "memory.toml", TypeAdapter(_File), root=root)
    predicates = {name: tuple(said) for name, said in file.predicates.items()}
    return Remembering(
        file.context,
        file.known_of,
        file.extract,
        file.arbitrate,
        MappingProxyType(dict(file.keys)),
        MappingProxyType(predicates),
    )


@dataclass(frozen=True, slots=True)
class NameWords:
    """Words in names, of all languages together, folded: a name may be in any of them."""

    articles: frozenset[str]
    titles: frozenset[str]  # those that say nothing of gender
    legal_forms: frozenset[str]  # without their full stops
    editions: frozenset[str]
    joins: frozenset[str]
    spelled: Mapping[str, str] = field(hash=False)


@lru_cache(maxsize=1)
def name_words() -> NameWords:
    """Return the words by which names are told apart and joined.

    Raises: LanguagePackError.
    """
    files = [read_checked(code, "memory.toml", TypeAdapter(_File)) for code in codes()]

    def folded(kind: str) -> frozenset[str]:
        return frozenset(fold(word).replace(".", "") for file in files for word in getattr(file, kind))

    spelled = {fold(short): fold(word) for file in files for short, word in file.spelled.items()}
    return NameWords(
        folded("articles"),
        folded("titles"),
        folded("legal_forms"),
        folded("editions"),
        folded("joins"),
        MappingProxyType(spelled),
    )


def canonical_predicate(said: str) -> str:
    """Return the language-independent name of a predicate, however it is said; one that is unknown as it was said.

    >>> [canonical_predicate(said) for said in ("owns", "Possède", "arbeitet bei", "يعمل في", "works_at", "adores")]
    ['OWNS', 'OWNS', 'WORKS_AT', 'WORKS_AT', 'WORKS_AT', 'adores']
    """
    plain = " ".join(said.split())
    return _predicates().get(fold(plain.replace("_", " ")), plain)


@lru_cache(maxsize=1)
def _predicates() -> Mapping[str, str]:
    found: dict[str, str] = {}
    for code in codes():
        for name, said in remembering(code).predicates.items():
            found.setdefault(fold(name.replace("_", " ")), name)
            for words in said:
                found.setdefault(fold(words), name)
    return MappingProxyType(found)

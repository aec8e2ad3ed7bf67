"""Words that no name is known by: stop words, common nouns, and, where it matters, all that stands in a dictionary."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Protocol

import Stemmer

from languages.grammar import grammar_of
from languages.lexicon import lexicon
from languages.nouns import nouns
from languages.pack import codes, load
from languages.text import fold
from languages.wordforms import Features

_WORDS = Features.NOUN | Features.VERB | Features.ADJECTIVE | Features.ADVERB


class Dictionary(Protocol):
    """Knows the words of the languages as they are listed; a coined compound is in none."""

    def is_word(self, word: str) -> bool:
        """Return whether any language has *word*, other than as a name."""
        ...

    def is_capital_noun(self, word: str) -> bool:
        """Return whether *word* is a noun of a language that writes its nouns with capitals."""
        ...


@dataclass(frozen=True, slots=True)
class CommonWords:
    """Words that no name is known by: all folded.  ``base`` leads from a noun's plural to its singular."""

    stop: frozenset[str] = frozenset()
    nouns: frozenset[str] = frozenset()
    base: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}), hash=False)
    stemmers: tuple[str, ...] = ()
    dictionary: Dictionary | None = field(default=None, hash=False)

    def is_word(self, word: str) -> bool:
        """Return whether *word* is common or in the dictionary."""
        return fold(word) in self or (self.dictionary is not None and self.dictionary.is_word(word))

    def is_capital_noun(self, word: str) -> bool:
        """Return whether *word* is, in a language that writes nouns with capitals, a noun of the dictionary."""
        return self.dictionary is not None and self.dictionary.is_capital_noun(word)

    def __contains__(self, key: object) -> bool:
        """Return whether *key*, a folded word, is common."""
        return key in self.stop or key in self.nouns

    def kinds(self, noun: str) -> frozenset[str]:
        """Return the keys under which *noun* is known, in singular and plural of any language.

        >>> words = CommonWords(base={"hauser": "haus"}, stemmers=("german",))
        >>> bool(words.kinds("Häuser") & words.kinds("Haus"))
        True
        """
        key = fold(noun)
        found = {key, self.base.get(key, key)}
        lower = noun.lower().strip()
        for name in self.stemmers:
            # A stemmer of its own for each call: they keep a cache that threads may not share.
            found.add(f"{name}:{fold(Stemmer.Stemmer(name).stemWord(lower))}")
        return frozenset(found)


@lru_cache(maxsize=1)
def common_words() -> CommonWords:
    """Return the common words of all languages that there are packs for."""
    stop: set[str] = set()
    known: set[str] = set()
    base: dict[str, str] = {}
    stemmers: list[str] = []
    for code in codes():
        pack = load(code)
        stop |= pack.stop_words
        stemmers.append(pack.stemmer)
        for noun in nouns(code):
            lemma = fold(noun.lemma)
            known.add(lemma)
            for plural in noun.plurals:
                known.add(fold(plural))
                base.setdefault(fold(plural), lemma)
    return CommonWords(frozenset(stop), frozenset(known), MappingProxyType(base), tuple(stemmers), PackDictionary())


class PackDictionary:
    """The dictionaries of the language packs; they are read when the first word is looked up."""

    def is_word(self, word: str) -> bool:
        """Return whether any language has *word*, other than as a name."""
        return any(_listed(code, word) & _WORDS for code in codes())

    def is_capital_noun(self, word: str) -> bool:
        """Return whether *word* is a noun of a language that writes its nouns with capitals."""
        return any(_listed(code, word) & Features.NOUN for code in codes() if grammar_of(code).noun_capitals)


def _listed(code: str, word: str) -> Features:
    """Return what *word* can be as it is listed; nothing is concluded from its ending or its parts."""
    found = Features(0)
    for table in lexicon(code).tables:
        for _, features in table.entries(word):
            found |= features
    return found

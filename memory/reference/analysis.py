"""One light analysis of a message: words with offsets, names, noun phrases with head, gender, number and role.

It is no parser: it finds what reference resolution asks for, and leaves unknown what it does not know.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from memory.reference.naming import NameSpan, find_names
from memory.reference.phrases import Phrase, find_phrases
from memory.reference.roles import with_roles
from memory.reference.tongue import Tongue, tongue_of
from memory.reference.words import Word, tokens_of
from memory.types import Catalog

_QUOTED = re.compile(r"«[^»]{1,80}»|“[^”]{1,80}”|„[^“”]{1,80}[“”]|\"[^\"]{1,80}\"|‘[^’]{2,80}’")


@dataclass(frozen=True, slots=True)
class Analysis:
    """A message, analysed."""

    text: str
    tongue: Tongue
    words: tuple[Word, ...]
    names: tuple[NameSpan, ...]
    phrases: tuple[Phrase, ...]
    quoted: tuple[tuple[int, int], ...]
    keys: tuple[str, ...]  # the words' look-up forms

    def phrase_at(self, index: int) -> Phrase | None:
        """Return the phrase that holds word *index*, or None."""
        for phrase in self.phrases:
            if phrase.first <= index <= phrase.last:
                return phrase
        return None

    def name_at(self, index: int) -> NameSpan | None:
        """Return the name that holds word *index*, or None."""
        for name in self.names:
            if name.first <= index <= name.last:
                return name
        return None

    def in_quotes(self, word: Word) -> bool:
        """Return whether *word* stands within quotation marks."""
        return any(start <= word.start and word.end <= end for start, end in self.quoted)


def analyse(text: str, code: str, catalogs: Sequence[Catalog] = ()) -> Analysis:
    """Return the analysis of *text* in the language *code*; names are looked up in *catalogs*, the first first.

    Raises:
        LanguagePackError: where that language's folder is missing or wrong.
    """
    tokens = tokens_of(text, tongue_of(code))
    names = find_names(tokens, catalogs)
    phrases = with_roles(tokens, find_phrases(tokens, names))
    quoted = tuple(match.span() for match in _QUOTED.finditer(text))
    return Analysis(text, tokens.tongue, tokens.words, names, phrases, quoted, tuple(word.key for word in tokens.words))

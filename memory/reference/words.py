"""The words of a message, with offsets, the forms under which they are looked up, and where sentences begin."""

from __future__ import annotations

import re
from dataclasses import dataclass

from languages.grammar import key
from languages.text import words as split_words
from memory.reference.tongue import Tongue

_SENTENCE_END = re.compile(r"[.!?…؟؛\n:]")


@dataclass(frozen=True, slots=True)
class Word:
    """A word with its look-up form; ``opens`` where it is the first of a sentence."""

    index: int
    text: str
    start: int
    end: int
    key: str
    opens: bool
    nominal: bool = False  # a noun that a message without any capital writes small: "hat das gebäude nen aufzug?"

    @property
    def capital(self) -> bool:
        """Return whether it begins with an upper-case letter, or would where the message had any."""
        return self.nominal or self.text[:1].isupper()

    @property
    def number(self) -> bool:
        """Return whether it has a digit."""
        return any(c.isdigit() for c in self.text)


@dataclass(frozen=True, slots=True)
class Tokens:
    """A message split into words, with the language it is read in."""

    text: str
    words: tuple[Word, ...]
    tongue: Tongue

    def adjacent(self, left: int, right: int) -> bool:
        """Return whether nothing but white space, an apostrophe or a hyphen stands between two words."""
        between = self.text[self.words[left].end : self.words[right].start]
        return len(between) <= 2 and between.strip(" \u00a0\u202f'’-") == ""


def tokens_of(text: str, tongue: Tongue) -> Tokens:
    """Return the words of *text*, with the grammar's suffixes ('s, n't) split off."""
    found: list[Word] = []
    end = 0
    folded = tongue.grammar.letters_folded
    suffixes = sorted(tongue.grammar.suffixes, key=len, reverse=True)
    small = tongue.grammar.noun_capitals and text == text.lower()
    for token in split_words(text):
        opens = not found or _SENTENCE_END.search(text, end, token.start) is not None
        end = token.end
        form = key(token.text, folded=folded)
        cut = next((len(s) for s in suffixes if form.endswith(s) and len(form) > len(s)), 0)
        pieces = [(token.start, token.end - cut), (token.end - cut, token.end)] if cut else [(token.start, token.end)]
        for start, stop in pieces:
            piece = text[start:stop]
            form = key(piece, folded=folded)
            nominal = small and tongue.lexicon.parts(piece) == {"noun"} and form not in tongue.closed
            found.append(Word(len(found), piece, start, stop, form, opens, nominal))
            opens = False
    return Tokens(text, tuple(found), tongue)

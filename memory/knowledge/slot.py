"""The words that a value is read from, and those of its language that bound it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from languages import fold, load
from languages.columns import columns
from languages.grammar import grammar_of
from languages.lexicon import lexicon
from languages.listening import listening_of
from memory.knowledge.clauses import Piece
from memory.types import Catalog


@dataclass(frozen=True, slots=True)
class Value:
    """What was read, at ``[start:end]`` of the message, with its amount where it is one."""

    start: int
    end: int
    amount: float | None = None
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Words:
    """Words of one language that end, open or rule out a value; all folded."""

    code: str
    stops: frozenset[str]
    articles: frozenset[str]
    joins: frozenset[str]
    about: frozenset[str]
    closers: frozenset[str]
    ands: frozenset[str]
    infinitives: frozenset[str]
    not_owned: frozenset[str]
    not_jobs: frozenset[str]
    not_names: frozenset[str]
    name_parts: frozenset[str]
    inner_places: frozenset[str]
    pleas: frozenset[str]
    glued: frozenset[str]
    titles: frozenset[str]
    pronouns: frozenset[str]
    prepositions: frozenset[str]
    infinitive: str
    participle: str
    capitals: str  # "names", "nouns" or "none": what a capital within a sentence says


@lru_cache(maxsize=16)
def words_of(code: str) -> Words:
    """Return the words that bound values in a language.  Raises: LanguagePackError."""
    own = listening_of(code)
    named = (*own.relations.values(), *own.groups.values(), *own.events.values())
    nouns = {word for forms in named for word in forms if " " not in word}  # a team is led, a delivery awaited
    return Words(
        code,
        stops=load(code).stop_words | _folded((*own.stops, *own.closers, *own.links)),
        articles=_folded(own.articles),
        joins=_folded(own.joins),
        about=_folded(own.about),
        closers=_folded(own.closers),
        ands=_folded(own.ands),
        infinitives=_folded(own.infinitives),
        not_owned=_folded((*own.not_owned, *nouns)),
        not_jobs=_folded(own.not_jobs),
        not_names=_folded(own.not_names),
        name_parts=_folded(own.name_parts),
        inner_places=_folded(own.inner_places),
        pleas=_folded(own.pleas),
        glued=_folded(own.glued),
        titles=frozenset(lexicon(code).people.titles),
        pronouns=_pronouns(code),
        prepositions=_prepositions(code),
        infinitive=own.infinitive,
        participle=own.participle,
        capitals=columns(code).capitals,
    )


def _pronouns(code: str) -> frozenset[str]:
    """Return the pronouns that are no article as well."""
    grammar = grammar_of(code)
    articles = _folded(form for determiner in grammar.determiners for form in determiner.forms)
    return _folded(form for pronoun in grammar.pronouns for form in pronoun.forms) - articles


def _prepositions(code: str) -> frozenset[str]:
    """Return the prepositions, those with an article in them too."""
    grammar = grammar_of(code)
    contracted = (form for determiner in grammar.determiners if determiner.contracted for form in determiner.forms)
    return _folded((*grammar.prepositions, *contracted)) - _folded(listening_of(code).articles)


def _folded(listed: Iterable[str]) -> frozenset[str]:
    return frozenset(map(fold, listed))


@dataclass(frozen=True, slots=True)
class Slot:
    """The words that a value is read from, in their message."""

    message: str
    pieces: tuple[Piece, ...]
    words: Words
    catalog: Catalog | None = None

    def value(self, first: int, last: int) -> Value:
        """Return the value of the pieces *first* to *last*."""
        return Value(self.pieces[first].start, self.pieces[last].end)

    @property
    def cased(self) -> bool:
        """Return whether capitals say something in this message."""
        return self.words.capitals != "none" and self.message != self.message.lower()


def skip(slot: Slot, skipped: frozenset[str], first: int = 0) -> int:
    """Return the number of the first piece from *first* on whose word is not *skipped*."""
    while first < len(slot.pieces) and slot.pieces[first].key in skipped:
        first += 1
    return first


def adjacent(slot: Slot, number: int) -> bool:
    """Return whether the next word follows without punctuation."""
    if number + 1 >= len(slot.pieces):
        return False
    between = slot.message[slot.pieces[number].end : slot.pieces[number + 1].start]
    return len(between) <= 1 or between.strip(" \u00a0'’-&.") == ""

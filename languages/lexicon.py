"""What a word form can be: its gender, number and parts of speech, what a noun names, and the gender of a person.

Unknown stays unknown: an empty set, or None.  A language's folder holds compiled word forms (``*.xz``), the common
nouns (``nouns.toml``), people (``people.toml``) and the rules of its words (``lexicon.toml``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from languages.folding import fold
from languages.nouns import Noun, kinds, nouns
from languages.people import People, people
from languages.wordforms import Entry, Features, Lines, WordForms, load_forms, load_lines, spelling, without_marks
from languages.wordrules import Rules, rules

__all__ = ["Lexicon", "Noun", "lexicon"]

_FOLDER = Path(__file__).parent
_WORD = re.compile(r"[^\W_]+(?:['’\-‐‑.][^\W_]+)*['’]?|[؀-ۿ]+")

_GENDERS = MappingProxyType({"m": Features.MASCULINE, "f": Features.FEMININE, "n": Features.NEUTER})
_NUMBERS = MappingProxyType({"s": Features.SINGULAR, "p": Features.PLURAL})
_VERB_NUMBERS = MappingProxyType({"s": Features.VERB_SINGULAR, "p": Features.VERB_PLURAL})
_PARTS = MappingProxyType(
    {
        "noun": Features.NOUN,
        "verb": Features.VERB,
        "inf": Features.INFINITIVE,
        "adj": Features.ADJECTIVE,
        "adv": Features.ADVERB,
        "name": Features.NAME,
    }
)
_ANY_GENDER = Features.MASCULINE | Features.FEMININE | Features.NEUTER
_ANY_NUMBER = Features.SINGULAR | Features.PLURAL
_NOTHING = Features(0)
_OF_VERBS = Features.VERB | Features.INFINITIVE | Features.IMPERATIVE | Features.VERB_SINGULAR | Features.VERB_PLURAL
_LONGEST_PART = 60  # letters at the end of a compound that are looked at: an endless word is answered at once
_OF_NOUNS = ~(_OF_VERBS | Features.ADJECTIVE | Features.ADVERB)

_LONGEST_WORD = 60  # letters: longer than any compound in use
_LONGEST_PHRASE = 12  # words in a noun phrase


@dataclass(frozen=True, slots=True, eq=False)
class Lexicon:
    """The words of one language.  Every look-up takes a form as it stands in a text."""

    code: str
    rules: Rules
    people: People
    tables: tuple[WordForms, ...]
    written: MappingProxyType[str, tuple[Entry, ...]]  # the forms that stand in this folder's TOML files
    senses: MappingProxyType[str, tuple[Noun, ...]]
    more_kinds: Lines | None  # nouns beyond nouns.toml, with the kind nearest above each

    def genders(self, form: str) -> frozenset[str]:
        """Return the genders a noun form can have, or an adjective form that is no noun; empty = unknown.

        Where a plural of things agrees as a feminine singular (Arabic), its gender is "f".
        """
        return _letters(self._nominal(form), _GENDERS)

    def numbers(self, form: str) -> frozenset[str]:
        """Return "s", "p" or both for a noun form, or an adjective form that is no noun; empty = unknown."""
        if any(sense.plural_only and spelling(sense.lemma) == spelling(form) for sense in self._senses(form)):
            return frozenset("p")
        return _letters(self._nominal(form), _NUMBERS)

    def parts(self, form: str) -> frozenset[str]:
        """Return what *form* can be of "noun", "verb", "inf", "adj", "adv", "name"; empty = not known.

        An infinitive is a "verb" too; case is not looked at, so German "essen" is a noun as well.
        """
        return _letters(self._features(form), _PARTS)

    def verb_numbers(self, form: str) -> frozenset[str]:
        """Return "s", "p" or both for a verb form of the third person; empty = none, or unknown."""
        return _letters(self._features(form), _VERB_NUMBERS)

    def is_imperative(self, form: str) -> bool:
        """Return whether *form* can be an order ("compare", "zeigen", "قارن")."""
        return bool(self._features(form) & Features.IMPERATIVE)

    def head(self, phrase: str) -> str:
        """Return the head noun of *phrase* as it stands there, "" where none is known or the language has no gender.

        Where heads stand first, words that come before a noun are passed over; where they stand last, what follows
        a preposition is.
        """
        words = self._core(phrase)
        if self.rules.head == "last":
            words = words[::-1]
        for word in words:
            features = self._features(word)
            if features & Features.NOUN:
                return word
        return ""

    def head_gender(self, phrase: str) -> frozenset[str]:
        """Return the genders of the head noun of *phrase* ("ordinateur portable Dell" -> {"m"}); empty = unknown."""
        if not self.rules.gendered:
            return frozenset()
        for sense in self._senses(phrase):
            if sense.genders:
                return self._agreeing(sense, phrase)
        head = self.head(phrase)
        return self.genders(head) if head else frozenset()

    def kind(self, noun: str) -> Noun | None:
        """Return what *noun* (a word or a phrase, singular or plural) names first of all, or None."""
        senses = self.kinds(noun)
        return senses[0] if senses else None

    def kinds(self, noun: str) -> tuple[Noun, ...]:
        """Return all that *noun* can name, the most usual sense first; () = unknown."""
        return self._senses(noun) or self._part_senses(noun)

    def is_a(self, noun: str, hypernym: str) -> bool:
        """Return whether *noun* names a kind of what *hypernym* names; *hypernym* is a noun or the id of a kind."""
        wanted = {sense.id for sense in self._senses(hypernym)}
        if not wanted and hypernym in kinds():
            wanted = {hypernym}
        if not wanted:
            return fold(hypernym) != "" and fold(noun) == fold(hypernym)
        return any(wanted & {sense.id, *sense.hypernyms} for sense in self.kinds(noun))

    def person_gender(self, words: str) -> Literal["m", "f"] | None:
        """Return the gender of a person by title, first name or role ("Frau Dr. Kern", "directrice"), or None.

        A title decides before a role, a role before a first name: "Herr Andrea Ricci" is a man.
        """
        tokens = [match.group() for match in _WORD.finditer(words)]
        found = self.people.title_gender(tokens) or self._role_gender(words, tokens)
        if found:
            return found
        for token in tokens:
            name = self.people.name_gender(token)
            if name:
                return name
        return None

    # ------------------------------------------------------------------ features

    def _features(self, form: str) -> Features:
        return _features_of(self, form)

    def _worked_out(self, form: str) -> Features:
        found = self._listed(form)
        small = self.rules.is_small(form)
        if small and found & ~_OF_NOUNS:
            found &= ~(Features.NOUN | Features.PERSON)
        if self.rules.nominal and re.match(self.rules.nominal, spelling(form)):
            found &= ~_OF_VERBS
        if found or fold(form) in self.rules.stops or fold(form) in self.rules.before:
            return found
        return (_NOTHING if small else self._compound(form)) or self.rules.ending(spelling(form), small=small)

    def _listed(self, form: str) -> Features:
        united = _NOTHING
        for variant in self.rules.variants(spelling(form)):
            entries = self.written.get(fold(variant), ()) + self._compiled(variant)
            if any(word == variant for word, _ in entries):
                return united | _united(variant, entries)
            # Spelt as no word is (شاحنه): one of them (شاحنة), or a word with something written onto it (شاحن).
            united |= _united(variant, entries) if not united else _NOTHING
        return united

    def _nominal(self, form: str) -> Features:
        return _nominal_of(self, form)

    def _nominal_worked_out(self, form: str) -> Features:
        """Return the features of the noun reading; the words of nouns.toml decide over the compiled ones."""
        whole = spelling(form)
        entries = self.written.get(fold(whole), ())
        written = _united(whole, tuple(entry for entry in entries if entry[1] & Features.NOUN and entry[0] == whole))
        if written & _ANY_GENDER:
            return written | (_united(whole, self._compiled(whole)) & _ANY_NUMBER)
        features = self._listed(form) if self.rules.is_small(form) else self._features(form)
        if features & (Features.NOUN | Features.ADJECTIVE | Features.NAME):
            return features
        return self._compound(form) if self.rules.is_small(form) else _NOTHING

    def _compiled(self, form: str) -> tuple[Entry, ...]:
        return tuple(entry for table in self.tables for entry in table.entries(form))

    def _compound(self, form: str) -> Features:
        """Return the noun features of the longest known last part of a compound, where the language has them."""
        shortest = self.rules.compounds
        if not shortest:
            return _NOTHING
        whole = spelling(form)
        word = whole.rpartition("-")[2]
        first = max(0 if word != whole else 2, len(word) - _LONGEST_PART)
        for start in range(first, len(word) - shortest + 1):
            tail = word[start:]
            features = _united(tail, self.written.get(fold(tail), ()))
            if not features & Features.NOUN and len(tail) > shortest:
                # The shortest tails are believed of everyday nouns only: "Art", "Tee", "Ei" end too many words.
                features = _united(tail, self._compiled(tail))
            if features & Features.NOUN and features & _ANY_GENDER:
                return features & (Features.NOUN | Features.PERSON | _ANY_GENDER | _ANY_NUMBER)
        return _NOTHING

    # ------------------------------------------------------------------ senses

    def _senses(self, phrase: str) -> tuple[Noun, ...]:
        return _senses_of(self, phrase)

    def _senses_worked_out(self, phrase: str) -> tuple[Noun, ...]:
        for variant in self.rules.variants(spelling(phrase)):
            for single in (variant, *self.rules.singulars(variant)):
                found = self.senses.get(self.rules.phrase_key(single)) or self._more_senses(single)
                if found:
                    return tuple(sorted(found, key=lambda sense: _distance(sense, single)))
        return ()

    def _more_senses(self, noun: str) -> tuple[Noun, ...]:
        """Return the sense of a noun of which only the kind above it is known."""
        above = self.more_kinds.get(noun) if self.more_kinds is not None else None
        if not above or above not in kinds():
            return ()
        kind = kinds()[above]
        return (Noun(fold(noun), noun, kind.type, hypernyms=(above, *kind.hypernyms)),)

    def _part_senses(self, phrase: str) -> tuple[Noun, ...]:
        """Return the senses of the longest known part of *phrase* that holds its head."""
        words = self._core(phrase)[:_LONGEST_PHRASE]
        if len(phrase) > _LONGEST_PHRASE * _LONGEST_PHRASE or any(len(word) > _LONGEST_WORD for word in words):
            return ()  # no noun of a language; every part of it would be looked up
        last = self.rules.head == "last"
        for count in range(len(words), 0, -1):
            starts = range(len(words) - count, -1, -1) if last else range(len(words) - count + 1)
            for start in starts:
                part = " ".join(words[start : start + count])
                found = self._senses(part) or (self._word_senses(part) if count == 1 else ())
                if found:
                    return found
        return ()

    def _word_senses(self, word: str) -> tuple[Noun, ...]:
        """Return the senses of a compound by its last part, else a person where the word list knows a role."""
        found = self._compound_senses(word)
        if not found and self._features(word) & Features.PERSON:
            person = kinds()["person"]
            genders = _letters(self._features(word), _GENDERS)
            found = (Noun(fold(word), word, person.type, genders, hypernyms=(person.id,)),)
        return found

    def _compound_senses(self, word: str) -> tuple[Noun, ...]:
        shortest = self.rules.compounds
        if shortest:
            for start in range(2, len(word) - shortest + 1):
                found = self._senses(word[start:].lstrip("-"))
                if found:
                    return found
        return ()

    def _agreeing(self, sense: Noun, phrase: str) -> frozenset[str]:
        """Return the genders with which the form *phrase* of *sense* agrees."""
        written = self._nominal(phrase)
        return _letters(written, _GENDERS) or sense.genders

    def _core(self, phrase: str) -> list[str]:
        """Return the words of *phrase* that can hold its head."""
        words: list[str] = []
        for match in _WORD.finditer(without_marks(phrase)):
            word = match.group()
            if fold(word) in self.rules.stops and words:
                break
            if fold(word) not in self.rules.before:
                words.append(word)
        return words

    def _role_gender(self, words: str, tokens: list[str]) -> Literal["m", "f"] | None:
        role = self.people.role_gender(words)
        if role:
            return role
        if not self.rules.gendered:
            return None
        for token in tokens:
            if self.people.is_neutral(token):
                return None
            found = self._person_genders(token)
            if found == {"m"}:
                return "m"
            if found == {"f"}:
                return "f"
        return None

    def _person_genders(self, word: str) -> frozenset[str]:
        """Return the genders of *word* where it names a person: "Leiter" is a man here, no ladder."""
        people = [sense for sense in self._senses(word) if sense.type == "PERSON"]
        if people:
            return frozenset(gender for sense in people for gender in sense.genders)
        features = self._features(word)
        if self._senses(word) or not features & Features.PERSON or features & Features.NAME:
            return frozenset()
        return _letters(features, _GENDERS)


@lru_cache(maxsize=16)
def lexicon(code: str) -> Lexicon:
    """Return the words of the language whose folder is *code*.

    Raises:
        LanguagePackError: where a file of the folder cannot be used.
    """
    folder = _FOLDER / code
    own = rules(code)
    known = people(code)
    written: dict[str, list[Entry]] = {}
    senses: dict[str, list[Noun]] = {}
    for noun in nouns(code):
        for form, features in _forms(noun, own):
            written.setdefault(fold(form), []).append((spelling(form), features))
            names = senses.setdefault(own.phrase_key(form), [])
            if noun not in names:
                names.append(noun)
    for form, features in own.forms():
        written.setdefault(fold(form), []).append((spelling(form), features))
    for form, features in known.forms():
        written.setdefault(fold(form), []).append((spelling(form), features))
    more_kinds = folder / "kinds.xz"
    return Lexicon(
        code,
        own,
        known,
        tuple(load_forms(folder / name) for name in own.tables),
        MappingProxyType({form: tuple(entries) for form, entries in written.items()}),
        MappingProxyType({form: tuple(found) for form, found in senses.items()}),
        load_lines(more_kinds) if more_kinds.exists() else None,
    )


# Words come again and again within a conversation; a form takes 50 µs to look up and 0.2 µs to remember.
@lru_cache(maxsize=1 << 15)
def _features_of(words: Lexicon, form: str) -> Features:
    return words._worked_out(form)


@lru_cache(maxsize=1 << 15)
def _nominal_of(words: Lexicon, form: str) -> Features:
    return words._nominal_worked_out(form)


@lru_cache(maxsize=1 << 14)
def _senses_of(words: Lexicon, phrase: str) -> tuple[Noun, ...]:
    return words._senses_worked_out(phrase)


def _distance(sense: Noun, form: str) -> int:
    """Return how far *form* is from *sense*: its lemma, its plural, or only alike when folded (Küche, Kuchen)."""
    if spelling(sense.lemma) == form:
        return 0
    return 1 if any(spelling(plural) == form for plural in sense.plurals) else 2


def _forms(noun: Noun, own: Rules) -> Iterator[Entry]:
    person = Features.PERSON if noun.type == "PERSON" else _NOTHING
    genders = _NOTHING
    for letter in noun.genders:
        genders |= _GENDERS[letter]
    number = Features.PLURAL if noun.plural_only else Features.SINGULAR
    yield noun.lemma, Features.NOUN | number | person | genders
    for dual in own.for_two(noun.lemma) if " " not in noun.lemma else ():
        yield dual, Features.NOUN | Features.PLURAL | person | genders
    if own.things_plural and not person and genders:
        genders = _GENDERS[own.things_plural]
    for plural in noun.plurals:
        for form in (plural, *own.in_other_cases(plural)):
            yield form, Features.NOUN | Features.PLURAL | person | genders


def _united(form: str, entries: tuple[Entry, ...]) -> Features:
    """Return the features of the spelling that *form* has, else of every spelling that folds to the same."""
    written = spelling(form)
    exact = [features for word, features in entries if word == written]
    united = _NOTHING
    for features in exact or [features for _, features in entries]:
        united |= features
    return united


def _letters(features: Features, letters: MappingProxyType[str, Features]) -> frozenset[str]:
    return frozenset(letter for letter, wanted in letters.items() if features & wanted)

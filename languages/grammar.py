"""The grammar of one language as data: closed classes, patterns and the capabilities that the resolver asks for.

A grammar is read from ``languages/<code>/grammar.toml``; what data cannot say is a pure function in that folder's
``hooks.py``.  The engine never asks which language it has: it asks ``grammar.attached_pronouns`` or calls a hook.
"""

from __future__ import annotations

import importlib
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import field
from functools import lru_cache
from typing import Literal, Protocol

from pydantic import ConfigDict, TypeAdapter
from pydantic.dataclasses import dataclass

from languages.files import read_checked
from languages.folding import fold

_STRICT = ConfigDict(extra="forbid")

DEFINITE = "definite"  # a Referent's article where it takes a definite one whose form was not seen

Gender = Literal["m", "f", "n"]
Number = Literal["s", "p", "d"]
Role = Literal["subject", "object", "dative", "prepositional", "possessive", "any"]
Animacy = Literal["person", "thing", "any"]


@dataclass(frozen=True, slots=True, config=_STRICT)
class Pronoun:
    """Forms that stand for something said before, with what they say of it.

    ``genders`` and ``numbers`` are those of the *antecedent*; empty means that the form does not tell.  ``article`` is
    True where the same form is also an article, so that the next word decides.  ``case`` is the case (German) or the
    preposition (French y, en; German davon) that a noun phrase in its place needs.
    """

    forms: tuple[str, ...]
    kind: Literal["personal", "demonstrative", "possessive", "place", "time", "adverb"] = "personal"
    roles: tuple[Role, ...] = ("any",)
    genders: tuple[Gender, ...] = ()
    numbers: tuple[Number, ...] = ()
    animacy: Animacy = "any"
    article: bool = False
    case: str = ""
    preposition: str = ""
    owned: str = ""  # possessives: the article that takes the possessive's place before the thing owned


@dataclass(frozen=True, slots=True, config=_STRICT)
class Determiner:
    """Forms that open a noun phrase."""

    forms: tuple[str, ...]
    kind: Literal["definite", "indefinite", "demonstrative", "quantity", "interrogative", "own"]
    genders: tuple[Gender, ...] = ()
    numbers: tuple[Number, ...] = ()
    case: str = ""
    bare: tuple[Gender, ...] = ()  # genders where no preposition stands before it: der (nominative) is masculine
    contracted: str = ""  # the preposition inside it: du = de + le, zum = zu + dem


@dataclass(frozen=True, slots=True, config=_STRICT)
class Comparison:
    """Adjectives in the comparative or superlative, and the attribute by which they choose."""

    forms: tuple[str, ...]
    attribute: str  # price, weight, size, date, duration, ...
    most: bool  # True: the greatest value is meant


@dataclass(frozen=True, slots=True, config=_STRICT)
class Grammar:
    """All that the resolver asks of one language."""

    pronouns: tuple[Pronoun, ...]
    determiners: tuple[Determiner, ...]
    comparisons: tuple[Comparison, ...]
    ordinals: Mapping[str, int]  # form -> 1, 2, 3 ... from the start; -1, -2 from the end
    prepositions: tuple[str, ...]
    conjunctions: tuple[str, ...]  # and
    disjunctions: tuple[str, ...]  # or
    negations: tuple[str, ...]
    first_persons: tuple[str, ...]  # I, we, you: never a reference to an entity
    question_words: tuple[str, ...]
    verbs: tuple[str, ...]  # auxiliaries, modals and very common verbs, finite and infinitive
    openers: tuple[str, ...]  # and, what about, how about: they open an elliptic question
    fillers: tuple[str, ...]  # ok, thanks, great: they carry no content
    ones: tuple[str, ...]  # one, ones; celui, celle: the head of "the Lenovo one", "celui de Lenovo"
    one_links: tuple[str, ...]  # the words between that head and what tells it apart: de, von, by, from
    others: tuple[str, ...]  # other, autre, andere: "the other" of two
    formers: tuple[str, ...]
    latters: tuple[str, ...]
    boths: Mapping[str, int]  # "both" -> 2, "all three" -> 3, "all of them" -> 0 (all)
    generic: tuple[str, ...]  # someone, people, man, on: subjects that bind what follows
    idioms: str  # a regular expression a line, over the lower-case question: its pronouns refer to nothing
    attributes: tuple[str, ...] = ()  # further nouns of what a thing has: they own nothing themselves
    yes: tuple[str, ...] = ()
    no: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = ()  # 's, 're, n't: split off words
    prefixes: tuple[str, ...] = ()  # Arabic and, so, by, for, like, the: written on the word
    name_links: tuple[str, ...] = ()  # of, de, &, von: may stand inside a name
    relatives: tuple[str, ...] = ()  # who, that, qui, dont, deren: a clause that tells apart follows
    which: tuple[str, ...] = ()  # which, lequel: they ask for one of several
    whos: tuple[str, ...] = ()  # who, wer: they ask for a person
    choosers: tuple[str, ...] = ()  # those of them that need no noun: "which costs less?", "lequel", welche
    copulas: tuple[str, ...] = ()  # is, are: what follows "which is" may be the noun that is looked for
    newer: tuple[str, ...] = ()  # successor, new version: what a thing's newer sibling is called, without its name
    older: tuple[str, ...] = ()  # predecessor, previous model
    larger: tuple[str, ...] = ()  # big brother, larger version
    smaller: tuple[str, ...] = ()  # little brother, smaller version
    sames: tuple[str, ...] = ()  # same, même, gleiche: "the same camera" takes up a camera
    place_prepositions: tuple[str, ...] = ()  # in, to: a bare name after one is a place
    adjective_endings: tuple[str, ...] = ()  # e, en, er: what words between an article and its noun end in
    ordinal_endings: tuple[str, ...] = ()  # st, nd; er, ème: a number with one ("60er") is no name
    counts: tuple[str, ...] = ()  # two, three: before a family's name they mean all of it
    whys: tuple[str, ...] = ()  # why, how come: alone they ask for the reason of what was said
    why_particles: tuple[str, ...] = ()  # so, is that, denn: beside such a word they ask nothing more
    limiters: tuple[str, ...] = ()  # only, nur: they single out what follows
    reasons: tuple[str, ...] = ()  # because, weil: a statement with one gives its own reason
    regrets: tuple[str, ...] = ()  # unfortunately, I'm afraid: they open a statement and say nothing of the thing
    contrasts: tuple[str, ...] = ()  # but, aber: behind a comma they open another statement
    plains: tuple[str, ...] = ()  # normal, regular: of several siblings the one without a word of its own
    polite: tuple[str, ...] = ()  # pronouns of address that keep a capital, as they are written: Sie
    scales: tuple[str, ...] = ()  # words that exclude one another beside a noun: "small medium large", a line each
    adjectives_first: tuple[str, ...] = ()  # where both orders are used, the adjectives that stand before their noun
    locatives: tuple[str, ...] = ()  # prepositions that say where: in, at, im, chez
    time_words: tuple[str, ...] = ()  # tomorrow, weekend, Easter: times beside the days and months, which CLDR has
    time_units: tuple[str, ...] = ()  # week, month; next: with them a fragment says when, a question may say per what
    spellings: Mapping[str, str] = field(default_factory=dict)  # words of names as they are spelt here: برو for Pro
    written_article: str = ""  # the definite article where it is written on the word: ال
    day_lead: str = ""  # what stands before a day that a question is given: "on ", "am "
    month_lead: str = ""  # the same before a month: "in ", "en "
    namings: str = ""  # a regular expression for questions what somebody is called; its group "who" is at the phrase
    introductions: str = ""  # a regular expression for what stands before a person's own name: "my name is"
    choice_lead: str = ", "  # between "which is lighter" and its alternatives
    choice_or: str = " or "  # between the last two alternatives
    company_forms: tuple[str, ...] = ()  # Ltd, GmbH, SARL: a name with it is an organisation's
    attached_pronouns: bool = False  # pronouns are written on the word (Arabic)
    noun_capitals: bool = False  # common nouns are capitalised (German)
    letters_folded: bool = False  # words are compared after folding letters (Arabic)
    noun_first: bool = False  # the noun stands before the name: "le casque Sonora"; else after it: "the Puffin kettle"
    genders: tuple[Gender, ...] = ()  # the grammatical genders of things; () where things have none (English)


@dataclass(frozen=True, slots=True, config=_STRICT)
class Attached:
    """A pronoun written on a word: *stem* is the word without it, as it is written alone."""

    stem: str
    suffix: str
    on: Literal["noun", "verb", "preposition"]
    genders: tuple[Gender, ...]
    numbers: tuple[Number, ...]


@dataclass(frozen=True, slots=True, config=_STRICT)
class Referent:
    """What takes the pronoun's place: the name, and how the conversation used it."""

    name: str
    article: str = ""  # the article it was last used with in this language, "" where it had none
    gender: str = ""  # "" where unknown
    number: str = "s"
    person: bool = False


class Hooks(Protocol):
    """What a language's data cannot say; each a pure function of ``languages/<code>/hooks.py``."""

    def phrase(self, referent: Referent, case: str) -> str:
        """Return the referent as a noun phrase in *case*: "subject", "object", "dative", "owner" or a preposition."""
        ...

    def of(self, left: str, right: str, owner: str) -> tuple[int, int, str]:
        """Return how *owner*, a phrase in that case, stands after what *left* ends in: "the battery | of the Aero 14".

        The result says how many characters of *left* and of *right* are replaced too, and with what: in Arabic the noun
        loses its article.
        """
        ...

    def owned(self, possessive: str, owned: str, referent: Referent) -> str:
        """Return "the battery of the Aero 14" in place of "its battery"."""
        ...

    def place(self, left: str, form: str, right: str, referent: Referent, case: str) -> tuple[int, int, str]:
        """Return how the referent stands in place of a pronoun *form* between the texts *left* and *right*.

        The result says how many characters of *left* and of *right* are replaced too, and with what: French clitics
        move behind their verb, a verb may change its number.
        """
        ...

    def contracted(self, left: str, words: str) -> tuple[int, str]:
        """Return how many characters of *left* run together with *words*, and the words then: "de" + "les prix"."""
        ...

    def why(self, word: str, subject: Referent, verb: str, rest: str) -> str:
        """Return the question for the reason of a statement: *subject*, finite *verb*, *rest*; "" where it is not safe.

        *word* is the person's own "why".  First and second persons change places.  Without a *verb* and a *rest* it is
        asked why things are so with the subject; a language whose order does not change gets all in *rest*.
        """
        ...

    def described(self, left: str, name: str) -> str:
        """Return *name* as it stands behind *left* where it only says what a thing is like: "the | large tent".

        "" where it is a name as others: it keeps its capitals and needs no article.
        """
        ...

    def agreed(self, right: str, referent: Referent) -> str:
        """Return the text behind *referent*, put in another's place, as it agrees with it: "est-il là" of a woman."""
        ...

    def led(self, left: str, words: str, gender: str) -> tuple[int, str]:
        """Return how many characters of *left* are an article that changes before *words*, and both then: a, an."""
        ...

    def is_definite(self, word: str) -> bool:
        """Return whether a definite article is written on *word*."""
        ...

    def is_owned(self, word: str) -> bool:
        """Return whether "my", "your" or "our" is written on *word*."""
        ...

    def is_accusative(self, word: str) -> bool:
        """Return whether *word* ends in a written accusative, which no name's second part has."""
        ...

    def bare(self, words: str) -> str:
        """Return a phrase without the conjunction or preposition that is written on its first word."""
        ...

    def attached(self, word: str) -> Attached | None:
        """Return the pronoun written on a word, or None; languages that write it apart always return None."""
        ...


def key(word: str, *, folded: bool = False) -> str:
    """Return the form under which *word* is looked up: lower case, straight apostrophe, composed accents.

    >>> key("L’")
    "l'"
    """
    if folded:
        return fold(word)
    return unicodedata.normalize("NFC", word).replace("’", "'").replace("ʼ", "'").casefold()


@lru_cache(maxsize=16)
def grammar_of(code: str) -> Grammar:
    """Return the grammar of a language.

    Raises:
        LanguagePackError: where the file is missing, not TOML, or has a key that a grammar does not have.
    """
    return read_checked(code, "grammar.toml", TypeAdapter(Grammar))


@lru_cache(maxsize=16)
def idioms_of(code: str) -> re.Pattern[str]:
    """Return one pattern for all idioms of a language, for lower-case text."""
    lines = [line.strip() for line in grammar_of(code).idioms.splitlines() if line.strip()]
    return re.compile("|".join(f"(?:{line})" for line in lines) if lines else r"(?!)")


@lru_cache(maxsize=16)
def hooks_of(code: str) -> Hooks:
    """Return the functions of ``languages/<code>/hooks.py``."""
    module: Hooks = importlib.import_module(f"languages.{code}.hooks")
    return module

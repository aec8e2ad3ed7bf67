"""What a name looks like in a language: which words may form one, and the runs of them in a text.

Precision first: a wrong name makes a wrong rewrite, a missing one only leaves a question as it was.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from babel import Locale

from languages import load
from languages.columns import Capitals, columns
from languages.grammar import grammar_of, hooks_of
from languages.lexicon import lexicon
from languages.nouns import Noun
from languages.quantities import Quantity, quantities
from languages.text import Token, fold, sentences, words

PERSON = "PERSON"
PRODUCT = "PRODUCT"
LOCATION = "LOCATION"
SERVICE = "SERVICE"
ORGANIZATION = "ORGANIZATION"
OTHER = "OTHER"
# Kinds of things that have names of their own; a "warranty 2" or "step 3" is none.
NAMED_TYPES = frozenset({PRODUCT, "SERVICE", ORGANIZATION, "LOCATION", "WORK"})

MOST_WORDS = 6
_LONGEST_NUMBER = 4  # digits in a name; longer ones are telephone and order numbers
# What may stand between two words of one name: a space, a hyphen, "&"; "d'" is a word that ends in its apostrophe.
_GAP = re.compile(r"[ \u00a0\u202f]|[-‐‑]|[ \u00a0]&[ \u00a0]|")
_CUT = re.compile(r"[ \u00a0\u202f]?:(?=\s)|\s[–—|]\s|\s-\s|\s>\s|[،,;؛]\s|\s?[?!؟]")
_PAREN = re.compile(r"\s*[(\[][^()\[\]]*[)\]]\s*\Z")
_YEAR = re.compile(r"(?:19|20)\d\d")
_LATIN = re.compile(r"[A-Za-zÀ-ɏ]")
_ARABIC = re.compile("[\u0620-\u064a\u066e-\u06d3]")
# Units, standards and the like: letters and digits, but nobody's name.
_STANDARD = re.compile(r"\d+(?:[.,]\d+)?[A-Za-z]{0,3}|[A-Za-z]{1,4}\d{1,2}[A-Za-z]?|[a-z]{1,3}|[A-Z]{1,4}|[A-Za-z]\.?")


def has_digit(text: str) -> bool:
    """Return whether *text* holds a digit."""
    return any(character.isdigit() for character in text)


def is_latin(text: str) -> bool:
    """Return whether *text* is written in Latin letters, and in no Arabic ones."""
    return bool(_LATIN.search(text)) and not _ARABIC.search(text)


def title_core(title: str) -> tuple[str, str]:
    """Return the part of a title that may be a name, and what follows it.

    A bracket with a year belongs to it: two editions are two things.

    >>> title_core("Brevik Tern 14: the one most people should buy")
    ('Brevik Tern 14', 'the one most people should buy')
    >>> title_core("Esker 14 (2023) – a review")[0], title_core("Liberté 2023 (ancienne gamme)")[0]
    ('Esker 14 (2023)', 'Liberté 2023')
    >>> title_core("Norda Halo (wired, for studios)")
    ('Norda Halo', 'wired, for studios')
    """
    cut = next((cut for cut in _CUT.finditer(title) if not _is_within_bracket(title, cut.start())), None)
    core, rest = (title[: cut.start()], title[cut.end() :]) if cut else (title, "")
    bracket = _PAREN.search(core)
    if bracket and not _YEAR.search(bracket.group()):
        core, rest = core[: bracket.start()], rest or bracket.group().strip(" ()[]")
    return core.strip(' .:\u00a0\u202f«»„“”"'), rest.strip()


def _is_within_bracket(title: str, place: int) -> bool:
    return any(title.count(one, 0, place) > title.count(other, 0, place) for one, other in ("()", "[]"))


@dataclass(frozen=True, slots=True)
class Run:
    """Words that stand together like a name: ``text[start:end]``; ``within``, where no sentence begins with them."""

    text: str
    start: int
    end: int
    within: bool


class NameSense:
    """Judges words and names of one language."""

    def __init__(self, language: str) -> None:
        pack = load(language)
        self.code = language
        self.capitals: Capitals = columns(language).capitals
        self.noun_first = grammar_of(language).noun_first
        self._forms = frozenset(fold(form).replace(" ", "") for form in grammar_of(language).company_forms)
        self._lexicon = lexicon(language)
        self._stop = pack.stop_words
        locale = Locale.parse(pack.locale)
        months = (name for width in locale.months["format"].values() for name in width.values())
        days = (name for width in locale.days["format"].values() for name in width.values())
        self._calendar = frozenset(fold(name).strip(".") for name in (*months, *days))

    def quantities(self, text: str) -> tuple[Quantity, ...]:
        """Return the numbers with units in *text*: "179 Euro" is part of no name."""
        return tuple(found for found in quantities(text, self.code) if found.unit)

    def is_stop(self, word: str) -> bool:
        """Return whether *word* is an article, preposition or the like."""
        return fold(word) in self._stop

    def breaks(self, tokens: Sequence[str]) -> bool:
        """Return whether a stop word parts *tokens*; a capital within them is a name's own: "Aero 14 Pro"."""
        return any(
            self.is_stop(token) and (number == 0 or not token[:1].isupper()) for number, token in enumerate(tokens)
        )

    def is_known(self, word: str) -> bool:
        """Return whether *word* is one of the language's own words, not only a name."""
        return bool(self._lexicon.parts(word) - {"name"}) or fold(word) in self._calendar

    def is_common(self, word: str) -> bool:
        """Return whether *word* is a common noun of the language that names some kind of thing."""
        return self._lexicon.kind(word) is not None

    def without_form(self, core: str) -> str:
        """Return *core* without the form of company that ends it ("Ltd", "e. V."); all of it where there is none.

        >>> name_sense("de").without_form("Gartenverein Moosgrund e. V.")
        'Gartenverein Moosgrund'
        """
        tokens = words(core)
        for count in (1, 2):
            if len(tokens) > count:
                end = tokens[-count].start
                form = fold("".join(core[end:].split())).rstrip(".")
                if form in self._forms and core[end - 1] != "-":  # "Ton-Gruppe" is a group, and no firm
                    return core[:end].rstrip(" ,\u00a0&")
        return core

    def inflected(self, name: str) -> tuple[str, ...]:
        """Return the other forms of a name that an adjective opens, where adjectives have endings.

        >>> name_sense("de").inflected("Große Hütte")[1:]
        ('Großen Hütte', 'Großer Hütte', 'Großes Hütte', 'Großem Hütte')
        """
        endings = grammar_of(self.code).adjective_endings
        first, _, rest = name.partition(" ")
        ended = max((e for e in endings if first.endswith(e)), key=len, default="")
        if not ended or self.capitals != "nouns" or not rest or not self.is_common(rest):
            return ()
        noun = self._lexicon.kind(first)
        if noun is not None and first in (noun.lemma, *noun.plurals) and len(noun.genders) == 1:  # no "Kleine"
            return ()
        return tuple(f"{first.removesuffix(ended)}{ending} {rest}" for ending in endings)

    def is_role(self, word: str) -> bool:
        """Return whether *word* says what a person is or does: "secretary", "gardienne", "مدربة"."""
        found = self._lexicon.kind(word)
        return found is not None and found.type == PERSON

    def unled(self, word: str) -> str:
        """Return *word* without the "and" that is written on it: «ومديرة»."""
        return word if self._lexicon.kind(word) else hooks_of(self.code).bare(word)

    def is_definite(self, word: str) -> bool:
        """Return whether the article is written on *word*: «الشحن»."""
        return hooks_of(self.code).is_definite(word)

    def role_in(self, text: str) -> str:
        """Return the word of *text* that says what a person is or does, "" where none does: "Branch manager"."""
        return next((token.text for token in words(text) if self.is_role(token.text)), "")

    def is_date(self, word: str) -> bool:
        """Return whether *word* is a month or a day of the week."""
        return fold(word) in self._calendar

    def kind(self, noun: str) -> Noun | None:
        """Return what *noun* names, where that has names of its own (a product, a plan, a shop)."""
        found = self._lexicon.kind(noun)
        return found if found and found.type in NAMED_TYPES else None

    def is_thing(self, word: str) -> bool:
        """Return whether *word* is a noun and nothing else: what follows "headphone" in "headphone jack"."""
        return self._lexicon.parts(word) - {"name"} == {"noun"}

    def has_own_names(self, noun: str) -> bool:
        """Return whether *noun* is no word for steps, dates, faults and the like: "Step 3" is nobody's name."""
        found = self._lexicon.kind(noun)
        return found is None or found.type in NAMED_TYPES

    def is_verb_form(self, word: str) -> bool:
        """Return whether *word* is "is", "has" or the like."""
        return self.is_stop(word) and bool(self._lexicon.verb_numbers(word))

    def is_person(self, tokens: Sequence[str], *, marked: bool = False) -> bool:
        """Return whether *tokens* are a person's name: a known first name, then capitals without digits.

        In running text the last name must be no word of the language ("Rose Clay" is a colour); words that are
        *marked*, in bold or a heading, may be.
        """
        if not 2 <= len(tokens) <= 4 or any(map(has_digit, tokens)) or self.breaks(tokens):
            return False
        if self.kind(tokens[0]):
            return False
        if is_latin(tokens[0]) and not all(token[0].isupper() for token in tokens if not token.endswith(("'", "’"))):
            return False
        people = self._lexicon.people
        first = people.name_gender(tokens[0].partition("-")[0]) or fold(tokens[0]) in people.names
        if not first:
            return False
        kinds = [self._lexicon.kind(token) for token in tokens[1:]]
        if self.capitals == "none" and any(kind and kind.type != PERSON for kind in kinds):
            return False
        # Arabic first names are words as well, and nothing marks them: only "Name، role" in bold or a heading counts.
        return marked or (self.capitals != "none" and not self.is_known(tokens[-1]))

    def is_model(self, tokens: Sequence[str], *, titled: bool = False) -> bool:
        """Return whether *tokens* are a name with a number: "Tern 14", "quanda s7", not "Step 3", "5G", "1080p".

        A title may be one common word and a number, "Hub 6".
        """
        tokens = [token for token in tokens if not token.endswith(("'", "’"))]
        letters = [token for token in tokens if len(token) > 1 and not _STANDARD.fullmatch(token)]
        if not letters or not any(has_digit(token) for token in tokens):
            return False
        if self.breaks(letters) or any(map(self.is_date, letters)):
            return False
        if any(not self.is_known(token) for token in letters) or len(letters) > 1:
            return True
        return titled and letters[0][0].isupper() and self.has_own_names(letters[0])

    def is_unknown(self, token: str) -> bool:
        """Return whether *token* is a word of no dictionary, and no abbreviation."""
        capitals = sum(map(str.isupper, token))
        short = len(token) < 3 or (capitals > 1 and len(token) <= 5) or _STANDARD.fullmatch(token)
        return not short and not self.is_stop(token) and not self.is_known(token)

    def runs(self, text: str) -> Iterator[Run]:
        """Yield the runs of capitals (in a script without them: of Latin words) in running *text*."""
        measured = self.quantities(text)
        for sentence in sentences(text):
            for run in self._runs_of(sentence.text, sentence.start):
                if not any(found.start < run.end and run.start < found.end for found in measured):
                    yield run

    def _runs_of(self, sentence: str, offset: int) -> Iterator[Run]:
        group: list[Token] = []
        for token in words(sentence):
            joined = group and _GAP.fullmatch(sentence, group[-1].end, token.start)
            if group and not (joined and self._may_stand(token, group)):
                yield from self._run(sentence, group, offset)
                group = []
            if group or self._may_open(token):
                group.append(token)
        yield from self._run(sentence, group, offset)

    def _may_open(self, token: Token) -> bool:
        if self.capitals == "none":
            return is_latin(token.text)
        return token.text[0].isupper() or token.text.lower() in ("d'", "d’")

    def _may_stand(self, token: Token, group: Sequence[Token]) -> bool:
        if len(group) >= MOST_WORDS:
            return False
        if has_digit(token.text[:1]):
            return not token.text.startswith("0") and len(token.text) <= _LONGEST_NUMBER
        return self._may_open(token)

    def _run(self, sentence: str, group: list[Token], offset: int) -> Iterator[Run]:
        tokens = list(group)
        opens = bool(tokens) and not any(map(str.isalnum, sentence[: tokens[0].start]))
        # At the start of a sentence a capital says nothing: "The Tern 14", "Battery life".
        while tokens and (
            self.is_stop(tokens[0].text) or (opens and len(tokens) == 1 and self.is_known(tokens[0].text))
        ):
            tokens.pop(0)
            opens = False
        # Where common nouns have capitals too, one that follows a model's number is no part of its name:
        # "im Talune 7 Lite Platz".
        if self.capitals == "nouns" and any(has_digit(token.text) for token in tokens):
            while len(tokens) > 1 and self.is_common(tokens[-1].text) and not has_digit(tokens[-1].text):
                tokens.pop()
            # Nor is one that stands before it: "der Kopfhörer Auvenne Velin 40", "Tarif Ondea 20".
            while len(tokens) > 1 and self.is_common(tokens[0].text) and not has_digit(tokens[0].text):
                tokens.pop(0)
        if tokens and any(_LATIN.search(token.text) or _ARABIC.search(token.text) for token in tokens):
            start, end = tokens[0].start, tokens[-1].end
            if len(tokens) < len(group) and sentence[end : end + 1] == "-":
                return  # "die Talune-7-Familie" names no Talune-7
            if sentence[end : end + 1] == "+" and not sentence[end + 1 : end + 2].isalnum():
                end += 1
            yield Run(sentence[start:end], offset + start, offset + end, not opens)


@lru_cache(maxsize=16)
def name_sense(language: str) -> NameSense:
    """Return the judge of *language*."""
    return NameSense(language)

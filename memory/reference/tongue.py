"""A language made ready for the resolver: its grammar, lexicon and hooks behind quick look-ups.

Nothing here knows which language it is; forms are looked up as ``languages.grammar.key`` writes them.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from babel import Locale

from languages.grammar import DEFINITE, Comparison, Determiner, Grammar, Hooks, Pronoun, grammar_of, hooks_of, key
from languages.lexicon import Lexicon, lexicon
from languages.pack import load

_LONGEST_FORM = 5  # words in the longest multi-word form of a closed class ("the last two of them")


@dataclass(frozen=True, slots=True)
class Tongue:
    """The look-ups of one language."""

    code: str
    grammar: Grammar
    lexicon: Lexicon
    hooks: Hooks
    pronouns: Mapping[str, tuple[Pronoun, ...]] = field(repr=False, hash=False)
    determiners: Mapping[str, tuple[Determiner, ...]] = field(repr=False, hash=False)
    comparisons: Mapping[str, Comparison] = field(repr=False, hash=False)
    ordinals: Mapping[str, int] = field(repr=False, hash=False)
    boths: Mapping[str, int] = field(repr=False, hash=False)
    counts: frozenset[str] = field(repr=False, hash=False)  # two, trois: several are spoken of
    closed: frozenset[str] = field(repr=False, hash=False)  # every single-word form of a closed class
    verbs: frozenset[str] = field(repr=False, hash=False)
    sets: Mapping[str, frozenset[str]] = field(repr=False, hash=False)
    times: frozenset[str] = field(repr=False, hash=False)  # names of days and months
    time_kinds: Mapping[str, str] = field(repr=False, hash=False)  # the same and the grammar's: "day", "month", "time"
    scales: Mapping[str, frozenset[int]] = field(repr=False, hash=False)  # by an adjective without its ending

    def has(self, name: str, form: str) -> bool:
        """Return whether *form* is in the grammar's list *name*."""
        return form in self.sets[name]

    def asks(self, form: str) -> bool:
        """Return whether *form* is a question word, with or without what is written on it: «ومتى»."""
        forms = (form, form[1:]) if self.grammar.prefixes else (form,)
        return any(self.has("question_words", each) for each in forms)

    def longest(self, forms: Sequence[str], at: int, table: Container[str]) -> tuple[str, int] | None:
        """Return the longest entry of *table* (a set or mapping) at *at* in *forms*, and how many words it has."""
        for size in range(min(_LONGEST_FORM, len(forms) - at), 0, -1):
            form = " ".join(forms[at : at + size]).replace("' ", "'")
            if form in table:
                return form, size
        return None

    def is_verb(self, form: str) -> bool:
        """Return whether *form* is surely a verb: in the grammar's list, or in the lexicon as nothing but a verb."""
        if form in self.verbs:
            return True
        parts = self.lexicon.parts(form)
        return bool(parts) and parts <= {"verb", "inf"}

    def may_be_verb(self, form: str) -> bool:
        """Return whether *form* can be a verb."""
        return form in self.verbs or bool({"verb", "inf"} & self.lexicon.parts(form))

    def may_be_noun(self, form: str) -> bool:
        """Return whether *form* can be a common noun, by the lexicon."""
        return form not in self.closed and ("noun" in self.lexicon.parts(form) or self.lexicon.kind(form) is not None)

    def form(self, word: str) -> str:
        """Return the form under which *word* is looked up."""
        return key(word, folded=self.grammar.letters_folded)

    def time_kind(self, word: str) -> str:
        """Return "day", "month", "unit" or "time" for a word that says when, else ""; "Mondays" are days."""
        form = self.form(word)
        return self.time_kinds.get(form) or (self.time_kinds.get(form[:-1], "") if form.endswith("s") else "")

    def lead(self, kind: str) -> str:
        """Return what stands before a day or a month that a question is given."""
        return {"day": self.grammar.day_lead, "month": self.grammar.month_lead}.get(kind, "")

    def base(self, word: str) -> str:
        """Return an adjective without its ending and without an article written on it, as scales have it."""
        form = self.form(word)
        if self.grammar.written_article and self.hooks.is_definite(word):
            form = form.removeprefix(self.form(self.grammar.written_article))
        return _based(form, self.grammar.adjective_endings)

    @property
    def articles_agree(self) -> bool:
        """Return whether the definite article tells a gender: "le", "die"."""
        return any(rule.genders for rules in self.determiners.values() for rule in rules if rule.kind == DEFINITE)

    def is_property(self, noun: str) -> bool:
        """Return whether *noun* names what a thing has (a price, a battery) rather than a thing that has something."""
        if key(noun, folded=self.grammar.letters_folded) in self.sets["attributes"]:
            return True
        kind = self.lexicon.kind(noun)
        return kind is not None and kind.type in ("ATTRIBUTE", "PART", "MONEY", "TIME", "ISSUE")


_LISTS = (
    "prepositions", "conjunctions", "disjunctions", "negations", "first_persons", "question_words", "openers",
    "fillers", "ones", "one_links", "others", "formers", "latters", "generic", "yes", "no", "suffixes", "name_links",
    "attributes", "relatives", "sames", "company_forms", "place_prepositions",
    "newer", "older", "larger", "smaller", "which", "choosers",
    "copulas", "whos", "whys", "why_particles", "limiters", "reasons", "regrets", "contrasts", "locatives", "plains",
)  # fmt: skip
_OPEN = frozenset(
    (
        "attributes",
        "fillers",
        "openers",
        "yes",
        "no",
        "name_links",
        "sames",
        "company_forms",
        "place_prepositions",
        "others",
        "which",
        "choosers",
        "copulas",
        "whos",
        "whys",
        "why_particles",
        "limiters",
        "reasons",
        "regrets",
        "contrasts",
        "plains",
        "locatives",
        "newer",
        "older",
        "larger",
        "smaller",
    )
)  # lists that do not close a noun phrase by themselves


def _based(form: str, endings: Iterable[str]) -> str:
    return next((form[: -len(e)] for e in sorted(endings, key=len, reverse=True) if form.endswith(e)), form)


def _scales(grammar: Grammar) -> dict[str, frozenset[int]]:
    found: dict[str, frozenset[int]] = {}
    for number, line in enumerate(grammar.scales):
        for word in line.split():
            form = _based(key(word, folded=grammar.letters_folded), grammar.adjective_endings)
            found[form] = found.get(form, frozenset()) | {number}
    return found


def _time_kinds(grammar: Grammar, locale: str) -> dict[str, str]:
    """Return the kind of each word that says when: CLDR's days and months, and the grammar's own."""
    data = Locale.parse(locale)
    found = {key(word, folded=grammar.letters_folded): "unit" for word in grammar.time_units}
    found |= {key(word, folded=grammar.letters_folded): "time" for word in grammar.time_words}
    for kind, table in (("month", data.months), ("day", data.days)):
        for context in ("format", "stand-alone"):
            for name in table[context]["wide"].values():
                form = key(name, folded=grammar.letters_folded)
                found[form] = kind
    return {form: kind for form, kind in found.items() if form not in grammar.verbs}  # "may", "été"


def _times(locale: str) -> frozenset[str]:
    """Return the names of days and months, as CLDR has them."""
    data = Locale.parse(locale)
    return frozenset(
        name
        for table in (data.days, data.months)
        for context in ("format", "stand-alone")
        for width in ("wide", "abbreviated")
        for name in table[context][width].values()
        if len(name) > 3
    )


def _apart(form: str) -> str:
    """Return *form* with its parts as separate words, as texts are split: "celui-ci", "l'autre" after the elision."""
    return form.replace("-", " ").replace("' ", "'")


@lru_cache(maxsize=16)
def tongue_of(code: str) -> Tongue:
    """Return the language made ready.

    Raises:
        LanguagePackError: where a file of its folder is missing or wrong.
    """
    grammar = grammar_of(code)
    folded = grammar.letters_folded

    def keys(forms: Iterable[str]) -> frozenset[str]:
        return frozenset(_apart(key(form, folded=folded)) for form in forms)

    sets = {name: keys(getattr(grammar, name)) for name in _LISTS}
    pronouns: dict[str, tuple[Pronoun, ...]] = {}
    for pronoun in grammar.pronouns:
        for form in keys(pronoun.forms):
            pronouns[form] = (*pronouns.get(form, ()), pronoun)
    determiners: dict[str, tuple[Determiner, ...]] = {}
    for determiner in grammar.determiners:
        for form in keys(determiner.forms):
            determiners[form] = (*determiners.get(form, ()), determiner)
    verbs = keys(grammar.verbs)
    closed = set(pronouns) | set(determiners) | set(verbs)
    for name in _LISTS:
        if name not in _OPEN:
            closed |= sets[name]
    return Tongue(
        code=code,
        grammar=grammar,
        lexicon=lexicon(code),
        hooks=hooks_of(code),
        pronouns=pronouns,
        determiners=determiners,
        counts=keys(grammar.counts),
        comparisons={form: c for c in grammar.comparisons for form in keys(c.forms)},
        ordinals={_apart(key(form, folded=folded)): n for form, n in grammar.ordinals.items()},
        boths={_apart(key(form, folded=folded)): n for form, n in grammar.boths.items()},
        closed=frozenset(form for form in closed if " " not in form),
        verbs=verbs,
        sets=sets,
        times=keys(_times(load(code).locale)),
        time_kinds=_time_kinds(grammar, load(code).locale),
        scales=_scales(grammar),
    )

"""One light analysis of a message: words with offsets, names, noun phrases with head, gender, number and role.

It is no parser: it finds what reference resolution asks for, and leaves unknown what it does not know.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from languages.grammar import Determiner, key
from languages.text import words as split_words
from memory.reference.naming import THINGS, NameSpan, find_names
from memory.reference.tongue import Tongue, tongue_of
from memory.types import Catalog

_SENTENCE_END = re.compile(r"[.!?…؟؛\n:]")
_QUOTED = re.compile(r"«[^»]{1,80}»|“[^”]{1,80}”|„[^“”]{1,80}[“”]|\"[^\"]{1,80}\"|‘[^’]{2,80}’")
_ENDS_OWNED = re.compile(r"(?:ني|ك|كم|نا)$")  # "my", "your" written on a noun: no noun that a name follows
_MODIFIERS = 4  # words between a determiner and its noun, at most


@dataclass(frozen=True, slots=True)
class Word:
    """A word with its look-up form; ``opens`` where it is the first of a sentence."""

    index: int
    text: str
    start: int
    end: int
    key: str
    opens: bool

    @property
    def capital(self) -> bool:
        """Return whether it begins with an upper-case letter."""
        return self.text[:1].isupper()

    @property
    def number(self) -> bool:
        """Return whether it has a digit."""
        return any(c.isdigit() for c in self.text)


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase: ``text[start:end]``, words ``first`` to ``last`` (inclusive).

    ``entity`` is the name as it is known, else the phrase without its determiner.  ``genders`` and ``numbers`` are
    what determiner, noun and lexicon tell; empty = unknown.
    """

    start: int
    end: int
    first: int
    last: int
    entity: str
    name: str = ""  # the proper name as it stands
    noun: str = ""  # the common noun as it stands
    determiner: str = ""
    determined: str = ""  # the determiner's kind
    type: str = ""
    genders: frozenset[str] = frozenset()
    numbers: frozenset[str] = frozenset()
    preposition: str = ""
    subject: bool = False
    known: bool = False  # a name of the catalogue
    group: int = -1  # phrases of one coordination share a number


@dataclass(frozen=True, slots=True)
class Analysis:
    """A message, analysed."""

    text: str
    tongue: Tongue
    words: tuple[Word, ...]
    names: tuple[NameSpan, ...]
    phrases: tuple[Phrase, ...]
    quoted: tuple[tuple[int, int], ...]

    def keys(self) -> list[str]:
        """Return the words' look-up forms."""
        return [word.key for word in self.words]

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
    tongue = tongue_of(code)
    words = _words(text, tongue)
    names = find_names(text, words, tongue, catalogs)
    phrases = _grouped(text, words, tongue, _roles(text, words, tongue, _phrases(text, words, tongue, names)))
    quoted = tuple(match.span() for match in _QUOTED.finditer(text))
    return Analysis(text, tongue, words, names, phrases, quoted)


def _words(text: str, tongue: Tongue) -> tuple[Word, ...]:
    """Return the words, with the grammar's suffixes ('s, n't) split off."""
    found: list[Word] = []
    end = 0
    suffixes = sorted(tongue.grammar.suffixes, key=len, reverse=True)
    for token in split_words(text):
        opens = not found or _SENTENCE_END.search(text, end, token.start) is not None
        end = token.end
        form = key(token.text, folded=tongue.grammar.letters_folded)
        cut = next((len(s) for s in suffixes if form.endswith(s) and len(form) > len(s)), 0)
        pieces = [(token.start, token.end - cut), (token.end - cut, token.end)] if cut else [(token.start, token.end)]
        for start, stop in pieces:
            piece = text[start:stop]
            form = key(piece, folded=tongue.grammar.letters_folded)
            found.append(Word(len(found), piece, start, stop, form, opens))
            opens = False
    return tuple(found)


def _adjacent(text: str, left: Word, right: Word) -> bool:
    """Return whether nothing but white space, an apostrophe or a hyphen stands between two words."""
    between = text[left.end : right.start]
    return len(between) <= 2 and between.strip(" \u00a0\u202f'’-") == ""


def _phrases(text: str, words: tuple[Word, ...], tongue: Tongue, names: tuple[NameSpan, ...]) -> list[Phrase]:
    """Return the noun phrases in order: those with a name, then those of a determiner and a noun, then bare nouns."""
    at = {name.first: name for name in names}
    taken: set[int] = {i for name in names for i in range(name.first, name.last + 1)}
    found: list[Phrase] = []
    for name in names:
        found.append(_named(text, words, tongue, name, taken))
        taken.update(range(found[-1].first, found[-1].last + 1))
    for word in words:
        if word.index in taken or word.index in at:
            continue
        phrase = _common(text, words, tongue, word.index, taken)
        if phrase is not None:
            found.append(phrase)
            taken.update(range(phrase.first, phrase.last + 1))
    return sorted(found, key=lambda phrase: phrase.first)


def _named(text: str, words: tuple[Word, ...], tongue: Tongue, name: NameSpan, taken: set[int]) -> Phrase:
    """Return the phrase of a name with the noun and the determiner that stand with it."""
    first, last, noun = name.first, name.last, ""
    if name.noun and not tongue.is_property(name.noun):
        noun = name.noun
    left = first - 1
    if tongue.grammar.noun_first or tongue.grammar.letters_folded:
        if (
            left >= 0
            and left not in taken
            and _adjacent(text, words[left], words[first])
            and _nounlike(words[left], tongue)
        ):
            noun, first = words[left].text, left
    elif last + 1 < len(words) and last + 1 not in taken and _adjacent(text, words[last], words[last + 1]):
        following = words[last + 1]
        kind = tongue.lexicon.kind(following.text)
        if kind is not None and kind.type not in ("ATTRIBUTE", "TIME", "MONEY") and following.key not in tongue.closed:
            noun, last = following.text, last + 1
    determiner, kind_of, first, rule = _determiner(text, words, tongue, first, taken)
    genders, numbers = _agreement(tongue, rule, noun or "", name.text)
    span_start, span_end = words[first].start, max(words[last].end, name.end)
    inner = noun or _inner_noun(tongue, words[name.first : name.last + 1])
    type_ = name.type or _type_of(tongue, inner, name)
    return Phrase(
        span_start, span_end, first, last, name.entity, name.text, inner, determiner, kind_of, type_, genders, numbers,
        known=name.known,
    )  # fmt: skip


def _inner_noun(tongue: Tongue, words: Sequence[Word]) -> str:
    """Return the common noun that a name has in itself: "Hotel Lipa", "Penwick Building Society", "Familienkasse Nordost"."""
    if len(words) < 2 and not tongue.grammar.noun_capitals:
        return ""
    ends = words[:1] if tongue.grammar.noun_first and not tongue.grammar.noun_capitals else (*words[:1], *words[-1:])
    for word in ends:
        kind = tongue.lexicon.kind(word.text)
        if kind is not None and kind.type in ("LOCATION", "ORGANIZATION", "PRODUCT", "SERVICE", "DOCUMENT", "EVENT"):
            return word.text
    return ""


def _type_of(tongue: Tongue, noun: str, name: NameSpan) -> str:
    if noun:
        kind = tongue.lexicon.kind(noun)
        if kind is not None and kind.type not in ("ATTRIBUTE", "PART", "OTHER"):
            return kind.type
    if name.person:
        return "PERSON"
    lowered = name.text.casefold()
    forms = tongue.grammar.company_forms
    return "ORGANIZATION" if any(lowered.endswith(f" {form.casefold()}") for form in forms) else ""


def _nounlike(word: Word, tongue: Tongue) -> bool:
    if word.key in tongue.closed or word.number or tongue.has("fillers", word.key):
        return False
    if tongue.grammar.noun_capitals and not word.capital:
        return False
    if tongue.grammar.letters_folded:
        kind = tongue.lexicon.kind(word.text)
        return (
            kind is not None
            and kind.type in THINGS
            and tongue.hooks.attached(word.text) is None
            and not _ENDS_OWNED.search(word.text)
        )
    return tongue.lexicon.kind(word.text) is not None or (
        "noun" in tongue.lexicon.parts(word.text) and not tongue.is_verb(word.key)
    )


def _determiner(
    text: str, words: tuple[Word, ...], tongue: Tongue, first: int, taken: set[int]
) -> tuple[str, str, int, Determiner | None]:
    """Return the determiner before word *first* (over one adjective), its kind, where the phrase begins, its rule."""
    for left in (first - 1, first - 2):
        if left < 0 or left in taken or not _adjacent(text, words[left], words[left + 1]):
            break
        rules = tongue.determiners.get(words[left].key)
        if rules:
            return words[left].text, rules[0].kind, left, _merged(rules)
        if tongue.may_be_verb(words[left].key) or words[left].key in tongue.closed or words[left].number:
            break
    return "", "", first, None


def _merged(rules: tuple[Determiner, ...]) -> Determiner:
    """Return one rule with what all readings of a determiner form agree on."""
    if len(rules) == 1:
        return rules[0]
    genders = frozenset(g for rule in rules for g in rule.genders) if all(rule.genders for rule in rules) else ()
    numbers = frozenset(n for rule in rules for n in rule.numbers) if all(rule.numbers for rule in rules) else ()
    return Determiner(rules[0].forms, rules[0].kind, tuple(genders), tuple(numbers), "", rules[0].contracted)  # type: ignore[arg-type]


def _agreement(tongue: Tongue, rule: Determiner | None, noun: str, name: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the genders and numbers that determiner, noun and name leave possible; empty = unknown."""
    by_noun = tongue.lexicon.head_gender(noun) if noun else frozenset()
    numbers = tongue.lexicon.numbers(noun) if noun else frozenset()
    genders = by_noun
    if rule is not None:
        if rule.genders:
            genders = (genders & frozenset(rule.genders)) or frozenset(rule.genders)
        if rule.numbers:
            numbers = (numbers & frozenset(rule.numbers)) or frozenset(rule.numbers)
    person = tongue.lexicon.person_gender(f"{noun} {name}".strip()) if name and not genders else None
    if person:
        genders = frozenset((person,))
    return genders, numbers


def _common(text: str, words: tuple[Word, ...], tongue: Tongue, at: int, taken: set[int]) -> Phrase | None:
    """Return the phrase without a name that begins at word *at*, or None."""
    if _fills(words, tongue, at):
        return None
    rules = tongue.determiners.get(words[at].key)
    begin = at + 1 if rules else at
    span = _head(text, words, tongue, begin, taken, bool(rules))
    if span is None:
        return None
    head, last = span
    noun = words[head].text
    if (
        rules
        and rules[0].kind == "demonstrative"
        and tongue.grammar.attached_pronouns
        and not tongue.hooks.is_definite(noun)
    ):
        return None  # "هذا يكفي": the noun of a demonstrative has its article
    if not rules and not _bare(words[head], tongue):
        return None
    rule = _merged(rules) if rules else None
    genders, numbers = _agreement(tongue, rule, noun, "")
    kind = tongue.lexicon.kind(noun)
    entity = text[words[begin].start : words[last].end]
    return Phrase(
        words[at].start, words[last].end, at, last, entity, "", noun,
        words[at].text if rules else "", rules[0].kind if rules else _written(words[at], tongue),
        kind.type if kind else "", genders, numbers,
    )  # fmt: skip


def _fills(words: tuple[Word, ...], tongue: Tongue, at: int) -> bool:
    """Return whether word *at* is, or ends, a filler: "ok", "d'accord"."""
    keys = [word.key for word in words[max(0, at - 1) : at + 2]]
    here = min(at, 1)
    return any(
        (found := tongue.longest(keys, start, tongue.sets["fillers"])) is not None and start + found[1] > here
        for start in range(here + 1)
    )


def _written(word: Word, tongue: Tongue) -> str:
    """Return "definite" where the article is written on the word (Arabic ال), else ""."""
    return "definite" if tongue.hooks.is_definite(word.text) else ""


def _bare(word: Word, tongue: Tongue) -> bool:
    """Return whether a noun without a determiner is worth a phrase: it names a kind of thing that is known."""
    kind = tongue.lexicon.kind(word.text)
    if kind is None or word.key in tongue.closed or (tongue.grammar.letters_folded and kind.type == "OTHER"):
        return False
    return tongue.grammar.noun_capitals <= word.capital and not tongue.is_verb(word.key)


def _head(
    text: str, words: tuple[Word, ...], tongue: Tongue, begin: int, taken: set[int], determined: bool
) -> tuple[int, int] | None:
    """Return the head noun and the last word of the phrase whose words start at *begin*."""
    grammar = tongue.grammar
    run: list[int] = []
    for i in range(begin, min(begin + _MODIFIERS, len(words))):
        word = words[i]
        if i in taken or word.key in tongue.closed or (run and not _adjacent(text, words[i - 1], word)):
            break
        if run and not grammar.noun_capitals and tongue.is_verb(word.key) and not tongue.may_be_noun(word.key):
            break
        run.append(i)
        if not determined:
            break
        if grammar.noun_capitals and word.capital:
            break
        if grammar.noun_first and not grammar.noun_capitals and tongue.may_be_noun(word.key):
            if not (
                "adj" in tongue.lexicon.parts(word.text) and i + 1 < len(words) and tongue.may_be_noun(words[i + 1].key)
            ):
                break
    if not run:
        return None
    known = tongue.lexicon.parts(words[run[-1]].text)
    if determined and known and not known & {"noun", "adj", "name"}:
        return None  # a clitic and its verb: "les valide"
    if grammar.noun_capitals:
        return (run[-1], run[-1]) if words[run[-1]].capital else None
    if grammar.noun_first or grammar.letters_folded:
        return run[-1], run[-1]
    while len(run) > 1 and not tongue.may_be_noun(words[run[-1]].key):
        run.pop()
    head = words[run[-1]]
    if tongue.lexicon.parts(head.text) and not tongue.may_be_noun(head.key):
        return None
    return head.index, head.index


def _roles(text: str, words: tuple[Word, ...], tongue: Tongue, phrases: list[Phrase]) -> list[Phrase]:
    """Return the phrases with the preposition before each, and the first without one in each sentence as its subject."""
    found: list[Phrase] = []
    seen_subject = False
    for phrase in phrases:
        opens = any(words[i].opens for i in range(max(0, found[-1].last + 1 if found else 0), phrase.first + 1))
        if opens:
            seen_subject = False
        left = words[phrase.first - 1] if phrase.first else None
        preposition = left.key if left is not None and tongue.has("prepositions", left.key) else ""
        rules = tongue.determiners.get(words[phrase.first].key)
        if not preposition and rules and rules[0].contracted:
            preposition = rules[0].contracted
        if phrase.name and not phrase.type and not phrase.determiner and tongue.has("place_prepositions", preposition):
            if not any(c.isdigit() for c in phrase.name):
                phrase = replace(phrase, type="LOCATION")
        bare = rules[0].bare if rules else ()
        if bare and not preposition and not phrase.numbers - {"s"} and (not phrase.genders or len(phrase.genders) > 1):
            if left is None or not tongue.may_be_noun(left.key):
                phrase = replace(phrase, genders=frozenset(bare))
        subject = not preposition and not seen_subject
        seen_subject = seen_subject or subject
        found.append(replace(phrase, preposition=preposition, subject=subject))
    return found


def _grouped(text: str, words: tuple[Word, ...], tongue: Tongue, phrases: list[Phrase]) -> tuple[Phrase, ...]:
    """Return the phrases with a number for each coordination: "the A, the B and the C"."""
    found: list[Phrase] = []
    group = -1
    for phrase in phrases:
        if found and _joined(text, words, tongue, found[-1], phrase):
            if found[-1].group < 0:
                group += 1
                found[-1] = replace(found[-1], group=group)
            phrase = replace(phrase, group=found[-1].group)
        found.append(phrase)
    return tuple(found)


def _joined(text: str, words: tuple[Word, ...], tongue: Tongue, left: Phrase, right: Phrase) -> bool:
    between = words[left.last + 1 : right.first]
    joints = tongue.sets["conjunctions"] | tongue.sets["disjunctions"]
    gap = text[left.end : right.start]
    if bool(left.name) != bool(right.name):
        return False
    if not between:
        written = words[right.first].key[:1] in tongue.grammar.prefixes and tongue.grammar.letters_folded
        return bool(re.fullmatch(r"\s*[,،;/]\s*(?:\d[.)]\s*)?", gap)) or (written and gap.strip(" ،,") == "")
    if len(between) > 2 or re.search(r"[.!?؟:]", gap):
        return False
    return all(
        word.key in joints or tongue.has("prepositions", word.key) or re.fullmatch(r"\d|[a-c]", word.key)
        for word in between
    ) and (any(word.key in joints for word in between) or "," in gap or "،" in gap or ")" in gap)

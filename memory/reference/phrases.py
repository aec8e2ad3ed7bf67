"""Noun phrases: those with a name, those of a determiner and a noun, and bare nouns that name a kind of thing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from languages.grammar import Determiner
from memory.reference.naming import THINGS, NameSpan
from memory.reference.tongue import Tongue
from memory.reference.words import Tokens, Word

_MODIFIERS = 4  # words between a determiner and its noun, at most


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


def find_phrases(tokens: Tokens, names: tuple[NameSpan, ...]) -> list[Phrase]:
    """Return the noun phrases in order: those with a name, then those of a determiner and a noun, then bare nouns."""
    taken: set[int] = {i for name in names for i in range(name.first, name.last + 1)}
    found: list[Phrase] = []
    for name in names:
        found.append(_named(tokens, name, taken))
        taken.update(range(found[-1].first, found[-1].last + 1))
    for word in tokens.words:
        if word.index in taken:
            continue
        phrase = _common(tokens, word.index, taken)
        if phrase is not None:
            found.append(phrase)
            taken.update(range(phrase.first, phrase.last + 1))
    return sorted(found, key=lambda phrase: phrase.first)


def _named(tokens: Tokens, name: NameSpan, taken: set[int]) -> Phrase:
    """Return the phrase of a name with the noun and the determiner that stand with it."""
    words, tongue = tokens.words, tokens.tongue
    first, last, noun = name.first, name.last, ""
    if name.noun and not tongue.is_property(name.noun):
        noun = name.noun
    left = first - 1
    if tongue.grammar.noun_first or tongue.grammar.letters_folded:
        beside = left >= 0 and left not in taken and tokens.adjacent(left, first)
        if beside and _nounlike(words[left], tongue) and not _is_owned(words[left], name, tongue):
            noun, first = words[left].text, left
    elif last + 1 < len(words) and last + 1 not in taken and tokens.adjacent(last, last + 1):
        following = words[last + 1]
        kind = tongue.lexicon.kind(following.text)
        names_it = kind is not None and kind.type not in ("ATTRIBUTE", "TIME", "MONEY") and name.type != "PERSON"
        names_it = names_it and not _predicates(words, last + 1, tongue) and not _acts(words, last + 1, tongue)
        if names_it and following.key not in tongue.closed and "adj" not in tongue.lexicon.parts(following.text):
            noun, last = following.text, last + 1
    determiner, kind_of, first, rule = _determiner(tokens, first, taken)
    span_start, span_end = words[first].start, max(words[last].end, name.end)
    inner = noun or _inner_noun(tongue, words[name.first : name.last + 1])
    type_ = name.type or _type_of(tongue, inner, name)
    genders, numbers = _agreement(tongue, rule, inner, name.text)
    return Phrase(
        span_start, span_end, first, last, name.entity, name.text, inner, determiner, kind_of, type_, genders, numbers,
        known=name.known,
    )  # fmt: skip


def _inner_noun(tongue: Tongue, words: Sequence[Word]) -> str:
    """Return the common noun that a name has in itself: "Hotel Lipa", "Familienkasse Nordost"; else ""."""
    if len(words) < 2 and not tongue.grammar.noun_capitals:
        return ""
    ends = words[:1] if tongue.grammar.noun_first and not tongue.grammar.noun_capitals else (*words[:1], *words[-1:])
    for word in ends:
        kind = tongue.lexicon.kind(word.text)
        if kind is not None and kind.type in ("LOCATION", "ORGANIZATION", "PRODUCT", "SERVICE", "DOCUMENT", "EVENT"):
            return word.text
    return ""


def _type_of(tongue: Tongue, noun: str, name: NameSpan) -> str:
    """Return the type of a name by the noun said of it, a person's name in it or a company's form; else ""."""
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
    """Return whether *word* can be the common noun in front of a name."""
    if word.key in tongue.closed or word.number or tongue.has("fillers", word.key):
        return False
    if tongue.grammar.noun_capitals and not word.capital:
        return False
    if tongue.grammar.letters_folded:
        kind = tongue.lexicon.kind(word.text)
        return (
            kind is not None
            and kind.type in THINGS
            and not tongue.is_property(word.text)
            and tongue.hooks.attached(word.text) is None
            and not tongue.hooks.is_owned(word.text)
        )
    kind = tongue.lexicon.kind(word.text)
    if kind is not None:
        return kind.type != "TIME"  # "Quels jours | Nadia Meyer est-elle là ?"
    return "noun" in tongue.lexicon.parts(word.text) and not tongue.is_verb(word.key)


def _is_owned(word: Word, name: NameSpan, tongue: Tongue) -> bool:
    """Return whether a noun in front of a person's name is what is theirs: «بريد سلمى» is Salma's mail."""
    if not tongue.grammar.letters_folded or name.type != "PERSON":
        return False
    kind = tongue.lexicon.kind(word.text)
    return kind is None or kind.type != "PERSON"


def _determiner(tokens: Tokens, first: int, taken: set[int]) -> tuple[str, str, int, Determiner | None]:
    """Return the determiner before word *first* (over one adjective), its kind, where the phrase begins, its rule."""
    words, tongue = tokens.words, tokens.tongue
    for left in (first - 1, first - 2):
        if left < 0 or left in taken or not tokens.adjacent(left, left + 1):
            break
        rules = tongue.determiners.get(words[left].key)
        if rules:
            return words[left].text, rules[0].kind, left, _merged(rules)
        if tongue.may_be_verb(words[left].key) or words[left].key in tongue.closed or words[left].number:
            break
        if tongue.grammar.noun_first and tongue.is_property(words[left].text):
            break  # "كم سعر X": the determiner belongs to the price
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


def _common(tokens: Tokens, at: int, taken: set[int]) -> Phrase | None:
    """Return the phrase without a name that begins at word *at*, or None."""
    words, tongue = tokens.words, tokens.tongue
    if _fills(words, tongue, at):
        return None
    rules = tongue.determiners.get(words[at].key)
    begin = at + 1 if rules else at
    span = _head(tokens, begin, taken, bool(rules))
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
    entity = tokens.text[words[begin].start : words[last].end]
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


def _head(tokens: Tokens, begin: int, taken: set[int], determined: bool) -> tuple[int, int] | None:
    """Return the head noun and the last word of the phrase whose words start at *begin*."""
    words, tongue = tokens.words, tokens.tongue
    grammar = tongue.grammar
    run = _modified_run(tokens, begin, taken, determined)
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


def _ends_subject(words: tuple[Word, ...], at: int, tongue: Tongue) -> bool:
    """Return whether word *at* goes on after a whole subject: "the red light | usually means", "the lamp | costs"."""
    before = words[at - 1]
    if not tongue.may_be_noun(before.key):
        return False
    adverb = tongue.lexicon.parts(words[at].text) == {"adv"}
    return adverb or (tongue.lexicon.numbers(before.text) == {"s"} and _predicates(words, at, tongue))


def _predicates(words: tuple[Word, ...], at: int, tongue: Tongue) -> bool:
    """Return whether word *at*, which may be a noun, is the verb of a singular subject: "E119 means", "she coaches"."""
    verb = tongue.lexicon.verb_numbers(words[at].text) == {"s"} and tongue.is_verb(words[at].key)
    followed = at + 1 < len(words) and words[at + 1].key in tongue.verbs  # "its charges are high"
    return verb and not followed


def _acts(words: tuple[Word, ...], at: int, tongue: Tongue) -> bool:
    """Return whether word *at* after a name is a verb with its object: "the Trek 360 films | 74 minutes"."""
    after = words[at + 1] if at + 1 < len(words) else None
    lexicon = tongue.lexicon
    either = lexicon.numbers(words[at].text) == {"p"} and "verb" in lexicon.parts(words[at].text)
    return either and after is not None and (after.number or after.key in tongue.determiners)


def _modified_run(tokens: Tokens, begin: int, taken: set[int], determined: bool) -> list[int]:
    """Return the words from *begin* that can be one noun with its modifiers; without a determiner one word."""
    words, tongue = tokens.words, tokens.tongue
    grammar = tongue.grammar
    run: list[int] = []
    for i in range(begin, min(begin + _MODIFIERS, len(words))):
        word = words[i]
        if i in taken or word.key in tongue.closed or (run and not tokens.adjacent(i - 1, i)):
            break
        if run and not grammar.noun_capitals and tongue.is_verb(word.key) and not tongue.may_be_noun(word.key):
            break
        if run and not grammar.noun_first and not grammar.noun_capitals and _ends_subject(words, i, tongue):
            break
        run.append(i)
        if not determined:
            break
        if grammar.noun_capitals and word.capital:
            break
        if grammar.noun_first and not grammar.noun_capitals and tongue.may_be_noun(word.key):
            before_noun = i + 1 < len(words) and tongue.may_be_noun(words[i + 1].key)
            if not (before_noun and "adj" in tongue.lexicon.parts(word.text)):
                break
    return run


def takes_no_owner(phrase: Phrase, tongue: Tongue) -> bool:
    """Return whether nothing is left out behind a phrase: "And a tent?", "And the assembly of the tent?"."""
    if phrase.name or not phrase.noun or tongue.is_property(phrase.noun):
        return False
    owner = phrase.preposition in tongue.sets["name_links"] and phrase.determined == "definite"
    return phrase.determined == "indefinite" or owner

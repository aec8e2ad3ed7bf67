"""Pronouns, possessives, adverbs of place and time, pronouns written on a word: which stand for something said before.

An article form is a pronoun where no noun follows in its phrase; a capital inside a sentence is the polite address.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from languages.grammar import Pronoun
from memory.reference.analysis import Analysis
from memory.reference.expression import Expression, Kind, case_at, span_of
from memory.reference.words import Word

_CIRCUMSTANCES: Mapping[str, Kind] = MappingProxyType({"place": "place", "time": "time", "adverb": "adverb"})


def place_or_time_at(analysis: Analysis, word: Word) -> Expression | None:
    """Return "there", "y", "dort", "since then" at *word*, where it refers; else None."""
    tongue = analysis.tongue
    match = tongue.longest(analysis.keys, word.index, tongue.pronouns)
    if match is None:
        return None
    form, size = match
    pronoun = next((p for p in tongue.pronouns[form] if p.kind in _CIRCUMSTANCES), None)
    if pronoun is None:
        return None
    kind = _CIRCUMSTANCES[pronoun.kind]
    last = word.index + size - 1
    if kind == "time" and not _time_refers(analysis, word):
        return None
    if kind == "adverb" and word.index and "," in analysis.text[analysis.words[word.index - 1].end : word.start]:
        return None  # a conjunction: ", damit die Palme nicht vergilbt"
    start, end = span_of(analysis, word.index, last)
    return Expression(
        kind, word.index, last, start, end, frozenset(pronoun.genders), frozenset(pronoun.numbers), pronoun.animacy,
        case=pronoun.preposition or case_at(analysis, word.index), pronoun=pronoun,
    )  # fmt: skip


def _time_refers(analysis: Analysis, word: Word) -> bool:
    """Return whether a time adverb refers: after a preposition ("before then"), else by its length and place."""
    before = analysis.words[word.index - 1] if word.index else None
    if before is not None and analysis.tongue.has("prepositions", before.key):
        return True
    return len(word.key) > 4 and not word.opens


def attached_at(analysis: Analysis, word: Word) -> Expression | None:
    """Return the pronoun that is written on *word* itself, as in Arabic; else None."""
    tongue = analysis.tongue
    if not tongue.grammar.attached_pronouns or analysis.name_at(word.index) is not None:
        return None
    attached = tongue.hooks.attached(word.text)
    if attached is None:
        return None
    kind: Kind = "possessive" if attached.on == "noun" else "pronoun"
    return Expression(
        kind, word.index, word.index, word.start, word.end, frozenset(attached.genders), frozenset(attached.numbers),
        case="owner" if attached.on == "noun" else "object", noun=attached.stem if attached.on == "noun" else "",
        attached=attached,
    )  # fmt: skip


def possessive_at(analysis: Analysis, word: Word) -> Expression | None:
    """Return the possessive at *word* (its, sa, seine) with the phrase that is owned; else None."""
    tongue, words = analysis.tongue, analysis.words
    readings = [p for p in tongue.pronouns.get(word.key, ()) if p.kind == "possessive"]
    if not readings:
        return None
    if tongue.grammar.noun_capitals and word.capital and not word.opens:
        return None  # the polite form
    last = _owned_end(analysis, word.index)
    owned = analysis.text[words[word.index + 1].start : words[last].end] if last > word.index else ""
    personal = any(p.kind == "personal" for p in tongue.pronouns[word.key])
    if not owned and personal:
        return None  # "her" at the end is an object
    if personal and not tongue.grammar.noun_first and not _owns(analysis, word.index + 1):
        return None
    genders, numbers, singular = _features(readings)
    return Expression(
        "possessive", word.index, last, word.start, word.end, genders, numbers, readings[0].animacy, noun=owned,
        case=case_at(analysis, word.index), pronoun=readings[0], singular=singular,
    )  # fmt: skip


def _owns(analysis: Analysis, at: int) -> bool:
    """Return whether the word at *at* can be owned: a noun or an adjective, no closed class."""
    if at >= len(analysis.words):
        return False
    word = analysis.words[at]
    return word.key not in analysis.tongue.closed


def _owned_end(analysis: Analysis, at: int) -> int:
    """Return the last word of the phrase owned: the noun after the possessive with what belongs to it."""
    words, tongue, grammar = analysis.words, analysis.tongue, analysis.tongue.grammar
    last = at
    for i in range(at + 1, min(at + 5, len(words))):
        word = words[i]
        if word.key in tongue.closed or (i > at + 1 and analysis.text[words[i - 1].end : word.start].strip(" -'’")):
            break
        noun = tongue.may_be_noun(word.key)
        if i > at + 1 and not noun and tongue.is_verb(word.key):
            break
        if grammar.noun_capitals:
            last = i
            if word.capital:
                break
            continue
        if grammar.noun_first:
            fore = "adj" in tongue.lexicon.parts(words[last].text)  # "son grand frère"
            qualifies = "adj" in tongue.lexicon.parts(word.text)
            if last > at and tongue.may_be_noun(words[last].key) and not fore and not qualifies:
                break
            last = i
            continue
        if last > at and not noun:
            break
        last = i
    return _with_complement(analysis, last) if last > at and grammar.noun_first else last


def _with_complement(analysis: Analysis, last: int) -> int:
    """Return the last word of a noun with its complement without an article: "numéro de téléphone", "carte à puce"."""
    words, tongue = analysis.words, analysis.tongue
    if last + 2 >= len(words) or not tongue.has("one_links", words[last + 1].key):
        return last
    link, noun = words[last + 1], words[last + 2]
    contracted = any(rule.contracted for rule in tongue.determiners.get(link.key, ()))
    parted = analysis.text[words[last].end : link.start].strip() or analysis.text[link.end : noun.start].strip(" -'’")
    named = analysis.name_at(noun.index) is not None or noun.capital or noun.number
    if contracted or parted or named or not tongue.may_be_noun(noun.key):
        return last
    return last + 2


def pronoun_at(analysis: Analysis, word: Word, *, told: bool = False) -> Expression | None:
    """Return the personal or demonstrative pronoun at *word*, where it is no article and no address; else None.

    *told* is whether something else than its place says that it is a pronoun.
    """
    tongue = analysis.tongue
    match = tongue.longest(analysis.keys, word.index, tongue.pronouns)
    if match is None:
        return None
    form, size = match
    last = word.index + size - 1
    readings = [p for p in tongue.pronouns[form] if p.kind in ("personal", "demonstrative")]
    if not readings:
        return None
    if tongue.grammar.noun_capitals and word.capital and not word.opens:
        return None  # polite Sie, Ihnen
    pronoun = readings[0]
    if pronoun.article and not told and not _is_pronoun(analysis, word):
        return None
    if pronoun.kind == "demonstrative" and not pronoun.article and _opens_phrase(analysis, word):
        return None
    if tongue.has("relatives", form) and _follows_noun(analysis, word):
        return None
    if pronoun.article and tongue.grammar.noun_capitals:
        last = _with_adjectives(analysis, last)
    genders, numbers, singular = _features(readings)
    numbers = _verb_number(analysis, word, numbers)
    kind: Kind = "demonstrative" if pronoun.kind == "demonstrative" else "pronoun"
    animacy = pronoun.animacy if len({p.animacy for p in readings}) == 1 else "any"
    here = case_at(analysis, word.index)
    led = tongue.has("prepositions", here)
    roles = {r for p in readings for r in p.roles if r != "any" and (led or r != "prepositional")}
    case = next(iter(roles)) if len(roles) == 1 else here
    start, end = span_of(analysis, word.index, last)
    return Expression(
        kind, word.index, last, start, end, genders, numbers, animacy, case=case, pronoun=pronoun, singular=singular
    )


def _features(readings: Sequence[Pronoun]) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Return the genders and numbers of all readings, and the singular's genders where a plural stands beside it."""
    genders: frozenset[str] = frozenset()
    numbers: frozenset[str] = frozenset()
    singular: frozenset[str] = frozenset()
    if all(p.genders for p in readings):
        genders = frozenset(g for p in readings for g in p.genders)
    if all(p.numbers for p in readings):
        numbers = frozenset(n for p in readings for n in p.numbers)
    if {"s", "p"} <= numbers and any(p.numbers == ("s",) for p in readings):
        singular = frozenset(g for p in readings if p.numbers == ("s",) for g in p.genders)
    return genders, numbers, singular


def _follows_noun(analysis: Analysis, word: Word) -> bool:
    """Return whether a noun stands right before *word*, which so opens a relative clause: "items that nobody buys"."""
    before = analysis.phrase_at(word.index - 1) if word.index else None
    return before is not None and not analysis.text[before.end : word.start].strip()


def _verb_number(analysis: Analysis, word: Word, numbers: frozenset[str]) -> frozenset[str]:
    """Return the number that the verb beside an undecided pronoun shows ("kostet sie", "kosten sie")."""
    if len(numbers) < 2:
        return numbers
    for i in (word.index - 1, word.index + 1):
        if 0 <= i < len(analysis.words):
            shown = analysis.tongue.lexicon.verb_numbers(analysis.words[i].text)
            if len(shown) == 1:
                return shown & numbers or numbers
    return numbers


def _opens_phrase(analysis: Analysis, word: Word) -> bool:
    """Return whether a demonstrative is the determiner of a phrase ("this camera")."""
    phrase = analysis.phrase_at(word.index)
    return phrase is not None and phrase.first == word.index and phrase.last > word.index


def _is_pronoun(analysis: Analysis, word: Word) -> bool:
    """Return whether an article form stands for a phrase of its own, by the words beside it."""
    tongue, words = analysis.tongue, analysis.words
    i = word.index
    if i and analysis.text[words[i - 1].end : word.start] in ("-", "‑"):
        return True
    if i + 1 >= len(words):
        return tongue.grammar.noun_capitals
    following = words[i + 1]
    if analysis.name_at(i + 1) is not None and not (tongue.grammar.noun_capitals and not following.capital):
        return False
    if tongue.grammar.noun_capitals:
        return _lacks_noun(analysis, word)
    if analysis.text[word.end : following.start].strip(" '’\u00a0"):
        return False
    if not tongue.may_be_verb(following.key):
        return False
    if (
        tongue.is_verb(following.key)
        and not tongue.may_be_noun(following.key)
        and "adj" not in tongue.lexicon.parts(following.text)
    ):
        return True
    return i > 0 and _takes_clitic(analysis, words[i - 1], following)


def _takes_clitic(analysis: Analysis, before: Word, following: Word) -> bool:
    """Return whether *before* is a subject pronoun or a word that an infinitive with its clitic follows."""
    tongue = analysis.tongue
    subject = before.key in tongue.sets["first_persons"] or any(
        "subject" in p.roles for p in tongue.pronouns.get(before.key, ())
    )
    if subject or tongue.has("negations", before.key) or tongue.has("generic", before.key):
        return True
    infinitive = "inf" in tongue.lexicon.parts(following.text)
    return infinitive and (tongue.has("prepositions", before.key) or tongue.is_verb(before.key))


def _lacks_noun(analysis: Analysis, word: Word) -> bool:
    """Return whether no noun follows an article form within its phrase: "der ist teuer", "gibt es den auch in Blau"."""
    words, tongue = analysis.words, analysis.tongue
    before = analysis.text[words[word.index - 1].end : word.start] if word.index else ""
    following = words[word.index + 1] if word.index + 1 < len(words) else None
    if "," in before and not (following is not None and tongue.is_verb(following.key)):
        return False  # a relative pronoun: its verb stands last
    for i in range(word.index + 1, min(word.index + 5, len(words))):
        if analysis.text[words[i - 1].end : words[i].start].strip(" '’\u00a0-„“\""):
            return True
        if words[i].capital or words[i].number or analysis.name_at(i) is not None:
            return i > word.index + 1 and not _attributive(analysis, word.index + 1, i)
        if tongue.is_verb(words[i].key) and i == word.index + 1:
            return True
    return True


def _with_adjectives(analysis: Analysis, last: int) -> int:
    """Return the last word of an article with adjectives that stand for their noun: "die letztgenannte"."""
    tongue, words = analysis.tongue, analysis.words
    while last + 1 < len(words):
        word = words[last + 1]
        adjective = tongue.lexicon.parts(word.text) >= {"adj"} and "adv" not in tongue.lexicon.parts(word.text)
        inflected = (
            not word.capital and word.key not in tongue.closed and word.key.endswith(tongue.grammar.adjective_endings)
        )
        if not (adjective and inflected) or analysis.text[words[last].end : word.start].strip():
            break
        last += 1
    return last


def _attributive(analysis: Analysis, first: int, noun: int) -> bool:
    """Return whether all words between an article and a noun can be attributes, by how adjectives end."""
    tongue = analysis.tongue
    return all(
        w.key.endswith(tongue.grammar.adjective_endings) and w.key not in tongue.closed and not tongue.is_verb(w.key)
        for w in analysis.words[first:noun]
    )

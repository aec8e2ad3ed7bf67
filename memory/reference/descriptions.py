"""Noun phrases that take up something: "this camera", "der Tarif", "the Lenovo one", "celui de Lenovo", الشركة."""

from __future__ import annotations

from memory.reference.analysis import Analysis
from memory.reference.expression import Expression, Kind, case_at, is_identity, sort_of, span_of
from memory.reference.phrases import Phrase
from memory.reference.words import Word


def noun_phrase_at(analysis: Analysis, word: Word) -> Expression | None:
    """Return the phrase at *word* that takes up a thing by its noun ("this camera", "der Tarif", «الجهاز»), or None."""
    phrase = _after_same(analysis, word) or analysis.phrase_at(word.index)
    if phrase is None or phrase.first != word.index or phrase.name or not phrase.noun:
        return None
    if phrase.determined == "demonstrative":
        kind: Kind = "demonstrative"
    elif phrase.determined == "definite" and not _specified(analysis, phrase) and not _is_adjective(analysis, phrase):
        if is_identity(analysis, phrase.first):
            return None  # who the secretary is, is not asked of somebody known
        kind = "definite"
    else:
        return None
    return Expression(
        kind, phrase.first, phrase.last, phrase.start, phrase.end, phrase.genders, phrase.numbers,
        noun=phrase.noun, case=phrase.preposition or case_at(analysis, phrase.first),
        sort=sort_of(analysis, phrase.first, phrase.noun),
    )  # fmt: skip


def _modified(analysis: Analysis, phrase: Phrase, following: Word) -> bool:
    """Return whether an adjective or a second noun tells the phrase apart: "le permis moto", "the home insurance"."""
    tongue, grammar = analysis.tongue, analysis.tongue.grammar
    if grammar.letters_folded:
        own, other = tongue.lexicon.genders(phrase.noun), tongue.lexicon.genders(following.text)
        agrees = not own or not other or bool(own & other)  # "هل يتكلم الطبيب الفرنسية؟": no adjective of his
        return (tongue.hooks.is_definite(following.text) and agrees) or not tongue.hooks.is_definite(phrase.noun)
    if grammar.noun_first and not grammar.noun_capitals:
        known = tongue.lexicon.parts(following.text)
        return (
            following.key not in tongue.closed
            and not tongue.may_be_verb(following.key)
            and bool(known & {"adj", "noun"})
        )
    return phrase.last - phrase.first > 1


def _is_adjective(analysis: Analysis, phrase: Phrase) -> bool:
    """Return whether a definite word only agrees with the definite noun before it: "المكتب الرئيسي"."""
    if not analysis.tongue.grammar.letters_folded or not phrase.first:
        return False
    before = analysis.words[phrase.first - 1]
    return analysis.tongue.hooks.is_definite(before.text) and not analysis.text[before.end : phrase.start].strip()


def _after_same(analysis: Analysis, word: Word) -> Phrase | None:
    """Return "the same camera" as a demonstrative phrase."""
    words, tongue = analysis.words, analysis.tongue
    i = word.index
    if i + 2 >= len(words) or word.key not in tongue.determiners or not tongue.has("sames", words[i + 1].key):
        return None
    if not tongue.may_be_noun(words[i + 2].key):
        return None
    noun = words[i + 2]
    return Phrase(
        word.start, noun.end, i, i + 2, noun.text, "", noun.text, word.text, "demonstrative",
        genders=tongue.lexicon.genders(noun.text),
    )  # fmt: skip


def _specified(analysis: Analysis, phrase: Phrase) -> bool:
    """Return whether what follows tells a definite phrase apart: "the laptop that I bought", "der Akku des Aero"."""
    words, tongue = analysis.words, analysis.tongue
    if tongue.is_property(phrase.noun):
        return True
    keys = analysis.keys
    inner = range(phrase.first, phrase.last + 1)
    if any(tongue.longest(keys, at, tongue.comparisons) for at in inner):  # "Which is the cheapest phone?"
        return True
    if phrase.last + 1 >= len(words):
        return False
    following = words[phrase.last + 1]
    gap = analysis.text[phrase.end : following.start].strip()
    if tongue.has("relatives", following.key) and gap in ("", ","):
        return True
    if gap:
        return False
    after = analysis.phrase_at(phrase.last + 1) or analysis.phrase_at(phrase.last + 2)
    if _modified(analysis, phrase, following):
        return True
    linked = tongue.has("one_links", following.key) or tongue.has("name_links", following.key)
    return (linked and after is not None) or (after is not None and after.first == phrase.last + 1 and bool(after.name))


def one_at(analysis: Analysis, word: Word) -> Expression | None:
    """Return what is told apart by a name ("the Lenovo one", "celui de Lenovo", «الذي من»), or None."""
    if analysis.tongue.has("ones", word.key):
        found = _linked_one(analysis, word)
        if found is not None:
            return found
    return None if analysis.tongue.grammar.noun_first else _named_one(analysis, word)


def _linked_one(analysis: Analysis, word: Word) -> Expression | None:
    """Return the head of its own with a name linked to it: "celui de Lenovo", "der von Lenovo"."""
    tongue, words = analysis.tongue, analysis.words
    link = words[word.index + 1] if word.index + 1 < len(words) else None
    if link is None or not tongue.has("one_links", link.key):
        return None
    phrase = analysis.phrase_at(word.index + 2)
    if phrase is None and tongue.determiners.get(link.key):
        phrase = analysis.phrase_at(link.index)
    if phrase is None or not phrase.name:
        return None
    genders = {g for rule in tongue.determiners.get(word.key, ()) for g in rule.genders}
    genders |= {g for pronoun in tongue.pronouns.get(word.key, ()) for g in pronoun.genders}
    return Expression(
        "one", word.index, phrase.last, word.start, phrase.end, frozenset(genders), noun=phrase.entity,
        rest=analysis.text[link.start : phrase.end], case=case_at(analysis, word.index),
    )  # fmt: skip


def _named_one(analysis: Analysis, word: Word) -> Expression | None:
    """Return "the Lenovo one", "the one from Lenovo", where the head is a word of its own; or None."""
    tongue, words = analysis.tongue, analysis.words
    rules = tongue.determiners.get(word.key)
    begin = word.index + 1 if rules and rules[0].kind in ("definite", "demonstrative") else word.index
    if begin >= len(words):
        return None
    span = analysis.name_at(begin)
    if span is not None and span.last + 1 < len(words) and tongue.has("ones", words[span.last + 1].key):
        last, rest, entity = span.last + 1, span.text, span.entity
    elif tongue.has("ones", words[begin].key) and begin > word.index and begin + 2 < len(words):
        phrase = analysis.phrase_at(begin + 2)
        if not tongue.has("one_links", words[begin + 1].key) or phrase is None or not phrase.name:
            return None
        last, rest, entity = phrase.last, analysis.text[words[begin + 1].start : phrase.end], phrase.entity
    else:
        return None
    start, end = span_of(analysis, word.index, last)
    case = case_at(analysis, word.index)
    return Expression("one", word.index, last, start, end, rest=rest, noun=entity, case=case)

"""What each noun phrase is in its sentence: after which preposition, the subject, joined with which others."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from memory.reference.phrases import Phrase
from memory.reference.words import Tokens


def with_roles(tokens: Tokens, phrases: Sequence[Phrase]) -> tuple[Phrase, ...]:
    """Return the phrases with the preposition before each, the subject of each sentence and a number a coordination."""
    return _grouped(tokens, _placed(tokens, phrases))


def _placed(tokens: Tokens, phrases: Sequence[Phrase]) -> list[Phrase]:
    """Return the phrases with the preposition before each; a sentence's first phrase without one is its subject."""
    words = tokens.words
    found: list[Phrase] = []
    seen_subject = False
    for phrase in phrases:
        if any(words[i].opens for i in range(found[-1].last + 1 if found else 0, phrase.first + 1)):
            seen_subject = False
        preposition = _preposition(tokens, phrase)
        governed = preposition or (found[-1].preposition if found and _joined(tokens, found[-1], phrase) else "")
        subject = not governed and not seen_subject
        seen_subject = seen_subject or subject
        type_, genders = _place_type(tokens, phrase, preposition), _nominative(tokens, phrase, governed)
        found.append(replace(phrase, type=type_, genders=genders, preposition=preposition, subject=subject))
    return found


def _preposition(tokens: Tokens, phrase: Phrase) -> str:
    """Return the preposition before a phrase, or the one its determiner has taken in ("du", "zum"); else ""."""
    if phrase.first and tokens.tongue.has("prepositions", tokens.words[phrase.first - 1].key):
        return tokens.words[phrase.first - 1].key
    rules = tokens.tongue.determiners.get(tokens.words[phrase.first].key)
    return rules[0].contracted if rules else ""


def _place_type(tokens: Tokens, phrase: Phrase, preposition: str) -> str:
    """Return the phrase's type; a bare name of no type after "in" is a place."""
    bare = phrase.name and not phrase.type and not phrase.determiner and not any(c.isdigit() for c in phrase.name)
    bare = bare and tokens.tongue.lexicon.person_gender(phrase.name) is None  # "by Ruth Camden"
    return "LOCATION" if bare and tokens.tongue.has("place_prepositions", preposition) else phrase.type


def _nominative(tokens: Tokens, phrase: Phrase, preposition: str) -> frozenset[str]:
    """Return the phrase's genders, narrowed by a determiner that tells one where no case changes it ("der")."""
    words, tongue = tokens.words, tokens.tongue
    rules = tongue.determiners.get(words[phrase.first].key)
    bare = rules[0].bare if rules else ()
    undecided = not phrase.numbers - {"s"} and len(phrase.genders) != 1
    owned = phrase.first > 0 and tongue.may_be_noun(words[phrase.first - 1].key)  # a genitive after its noun
    return frozenset(bare) if bare and undecided and not preposition and not owned else phrase.genders


def _grouped(tokens: Tokens, phrases: Sequence[Phrase]) -> tuple[Phrase, ...]:
    """Return the phrases with a number for each coordination: "the A, the B and the C"."""
    found: list[Phrase] = []
    group = -1
    for phrase in phrases:
        if not found or not _joined(tokens, found[-1], phrase):
            found.append(phrase)
            continue
        if found[-1].group < 0:
            group += 1
            found[-1] = replace(found[-1], group=group)
        found.append(replace(phrase, group=found[-1].group))
    return tuple(found)


def _joined(tokens: Tokens, left: Phrase, right: Phrase) -> bool:
    """Return whether nothing but commas, numbering and a conjunction stands between two phrases of one sort."""
    text, words, tongue = tokens.text, tokens.words, tokens.tongue
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

"""Fragments that set one word against its like in the last question: another sort, another letter, day or place.

How much is the junior fee?            —  And the full one?      How much is the full fee?
What is the rent of flat A?            —  And of flat B?         What is the rent of flat B?
When does the pool close on Mondays?   —  And Sunday?            When does the pool close on Sunday?
What is a bike in Leeds?               —  And at the harbour?    What is a bike at the harbour?

What stands around the word that is replaced keeps its form, so that the case and the preposition stay right.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from languages.grammar import DEFINITE
from memory.reference.adjuncts import leads, replaced, when, where
from memory.reference.analysis import Analysis, analyse
from memory.reference.discourse import Discourse, Frame
from memory.reference.ellipsis import content, is_fragment, opened, unled
from memory.reference.phrases import Phrase
from memory.reference.tongue import Tongue
from memory.reference.words import Word
from memory.types import Catalog, Link

_LABEL = re.compile(r"[A-ZÄÖÜ]|[IVX]{1,5}|[\u0621-\u064a]|\d{1,3}[a-z]?")
_SHORT = 5  # words of a fragment that says only what is other
_STEM = 3  # letters of an adjective without its ending, at least


@dataclass(frozen=True, slots=True)
class _Slot:
    """A modifier of a noun in the last question: both words, and the phrase of the noun."""

    word: Word
    noun: Word
    phrase: Phrase


def contrast(analysis: Analysis, discourse: Discourse, catalog: Catalog) -> Link | None:
    """Return the last question with what the fragment sets against its like in it; None where nothing is alike."""
    frame, rest = discourse.frame, content(analysis)
    if frame is None or frame.language != analysis.tongue.code or not rest or len(rest) > _SHORT:
        return None
    if not is_fragment(analysis) or analysis.tongue.asks(rest[0].key):
        return None
    asked = analyse(frame.text, frame.language, (catalog,))
    for reading in (_label, _modifier):
        found = reading(analysis, rest, asked, frame)
        if found is not None:
            known = catalog.get(found[1])
            return _whole(analysis, found[0], (known.name if known is not None else found[1],))
    moved = when(analysis, rest, asked, frame) or where(analysis, rest, asked, frame)
    return _whole(analysis, *moved) if moved is not None else None


def _whole(analysis: Analysis, question: str, entities: tuple[str, ...]) -> Link:
    at = content(analysis)[0].start
    question = question[:1].upper() + question[1:] if analysis.text[:1].isupper() else question
    return Link("", (at, at), entities, 0, len(analysis.text), question, ("ellipsis_new_entity",))


# ---------------------------------------------------------------------- letters and numerals


def _label(analysis: Analysis, rest: Sequence[Word], asked: Analysis, frame: Frame) -> tuple[str, str] | None:
    """Read "And flat B?", "Und die II?": the letter or numeral takes the place of the one there."""
    tongue, last = analysis.tongue, rest[-1]
    said = last.text.upper() if last.key not in tongue.closed else last.text
    if not _LABEL.fullmatch(said):
        return None
    nouns = [tongue.hooks.bare(w.text) for w in rest[:-1] if not leads(tongue, w)]
    if len(nouns) > 1 or not (opened(analysis) or nouns):
        return None
    olds = [word for word in asked.words[1:] if _is_label(asked, word)]
    if nouns:
        olds = [w for w in olds if _alike(tongue, asked.words[w.index - 1].text, nouns[0])]
    olds = [w for w in olds if w.number == last.number]
    if len(olds) != 1 or olds[0].text == said or (last.number and not nouns):
        return None
    noun = asked.words[olds[0].index - 1].text
    return replaced(frame.text, olds[0].start, olds[0].end, said), f"{tongue.hooks.bare(noun)} {said}"


def _is_label(asked: Analysis, word: Word) -> bool:
    """Return whether *word* tells apart what the noun right before it names: "flat A", «قاعة أ»."""
    before, tongue = asked.words[word.index - 1], asked.tongue
    beside = not asked.text[before.end : word.start].strip()
    nominal = before.capital if tongue.grammar.noun_capitals else tongue.may_be_noun(before.key) or before.capital
    return bool(_LABEL.fullmatch(word.text)) and beside and nominal and before.key not in tongue.closed


def _alike(tongue: Tongue, left: str, right: str) -> bool:
    """Return whether two words are the same noun, whatever is written on its front."""
    a, b = (tongue.hooks.bare(word).casefold() for word in (left, right))
    article = tongue.grammar.written_article
    return a.removeprefix(article) == b.removeprefix(article)


# ---------------------------------------------------------------------- modifiers


def _modifier(analysis: Analysis, rest: Sequence[Word], asked: Analysis, frame: Frame) -> tuple[str, str] | None:
    """Read "And the full one?", "et la petite ?": the word takes its like's place beside the noun."""
    tongue = analysis.tongue
    own = [word for word in rest if not leads(tongue, word)]
    headed = tongue.has("ones", rest[-1].key) and rest[-1].key not in tongue.determiners
    determined = any(word.key in tongue.determiners for word in rest) or bool(tongue.grammar.prefixes)
    if len(own) != 1 or not determined or own[0].number or not (opened(analysis) or headed):
        return None
    word, said = own[0], unled(analysis, own[0])
    if tongue.form(said) in tongue.ordinals or tongue.form(said) in tongue.comparisons:
        return None
    if any(tongue.has(name, tongue.form(said)) for name in ("others", "sames", "formers", "latters")):
        return None
    scale = _scale(tongue, said)
    slots = [slot for slot in _slots(asked) if _agrees(analysis, rest, word, slot)]
    slots = [slot for slot in slots if _base(tongue, slot.word.text) != _base(tongue, said)]
    same = [slot for slot in slots if scale and _scale(tongue, slot.word.text) & scale]
    if not same and not headed and not _is_adjective(tongue, said):
        return None
    slot = same[0] if len(same) == 1 else slots[0] if len(slots) == 1 else None
    if slot is None:
        return _added_modifier(analysis, rest, said, asked, frame) if (scale or headed) and not slots else None
    words = _inflected(tongue, said, slot.word.text)
    question, named = _beside(tongue, frame.text, slot, words)
    return question, named


def _added_modifier(
    analysis: Analysis, rest: Sequence[Word], said: str, asked: Analysis, frame: Frame
) -> tuple[str, str] | None:
    """Read "and the reduced one?" after "How much is the ticket?": the only thing there gets the modifier."""
    tongue = analysis.tongue
    things = [p for p in asked.phrases if p.determined == DEFINITE and p.noun and not p.name]
    things = [p for p in things if not tongue.is_property(p.noun)]
    if len(things) != 1 or any(p.name and p.type not in ("TIME", "MONEY") for p in asked.phrases):
        return None
    phrase = things[0]
    noun = next(w for w in asked.words[phrase.first : phrase.last + 1] if w.text == phrase.noun)
    word = next(w for w in rest if not leads(tongue, w))
    if noun.index == phrase.first and not tongue.grammar.letters_folded:
        return None
    if not _agrees(analysis, rest, word, _Slot(noun, noun, phrase)) or noun.text.casefold() == said.casefold():
        return None
    before = tongue.lexicon.rules.head == "last" or tongue.form(said) in tongue.grammar.adjectives_first
    if tongue.grammar.adjective_endings and asked.words[phrase.first].key not in {w.key for w in rest}:
        return None  # in another case it has another ending
    named = f"{said} {noun.text}" if before else f"{tongue.hooks.bare(noun.text)} {said}"
    if not before:
        return replaced(frame.text, noun.end, noun.end, f" {said}"), named
    return _led_by(tongue, frame.text, noun.start, noun.end, named, _Slot(noun, noun, phrase)), named


def _slots(asked: Analysis) -> list[_Slot]:
    """Return the modifiers of common nouns in a question."""
    tongue, found = asked.tongue, []
    for phrase in asked.phrases:
        if phrase.name and phrase.known:
            continue
        inner = [w for w in asked.words[phrase.first : phrase.last + 1] if w.key not in tongue.determiners]
        nouns = [w for w in inner if w.text == phrase.noun]
        if not nouns:
            continue
        found += [_Slot(w, nouns[-1], phrase) for w in inner if w.index < nouns[-1].index]
        after = asked.words[nouns[-1].index + 1 : nouns[-1].index + 2]
        ends_noun = tongue.lexicon.rules.head != "last"
        beside = ends_noun and after and not asked.text[nouns[-1].end : after[0].start].strip()
        if beside and (_is_adjective(tongue, after[0].text) or _scale(tongue, after[0].text)):
            found.append(_Slot(after[0], nouns[-1], phrase))
    taken = {slot.word.index for slot in found}
    if tongue.grammar.written_article:  # «الدهان الأبيض»: no list knows every noun
        for noun, word in pairwise(asked.words):
            pair = tongue.hooks.is_definite(noun.text) and tongue.hooks.is_definite(word.text)
            if pair and word.index not in taken and _scale(tongue, word.text):
                phrase = asked.phrase_at(noun.index) or Phrase(noun.start, noun.end, noun.index, noun.index, noun.text)
                found.append(_Slot(word, noun, phrase))
    return found


def _is_adjective(tongue: Tongue, word: str) -> bool:
    """Return whether *word* is an adjective before all: no noun, or written small where nouns have a capital."""
    parts = tongue.lexicon.parts(word) or tongue.lexicon.parts(_base(tongue, word))
    if tongue.grammar.noun_capitals:
        return word[:1].islower() and (
            "adj" in parts or (not parts and word.endswith(tongue.grammar.adjective_endings))
        )
    return "adj" in parts and tongue.lexicon.kind(word) is None


def _scale(tongue: Tongue, word: str) -> frozenset[int]:
    """Return the scales on which *word* stands: small and large, weekly and yearly."""
    return tongue.scales.get(_base(tongue, word), frozenset())


def _base(tongue: Tongue, word: str) -> str:
    return tongue.base(word)


def _agrees(analysis: Analysis, rest: Sequence[Word], word: Word, slot: _Slot) -> bool:
    """Return whether article and form of what is said can go with the noun, as far as they tell."""
    tongue = analysis.tongue
    if not tongue.grammar.genders:
        return True
    told = tongue.lexicon.head_gender(slot.noun.text) or slot.phrase.genders
    article = next((tongue.determiners[w.key] for w in rest if w.key in tongue.determiners), ())
    genders = {g for rule in article for g in rule.genders} if article and all(r.genders for r in article) else set()
    if genders and told and not tongue.grammar.adjective_endings and not genders & told:
        return False
    if tongue.grammar.adjective_endings and len(article) == 1 and genders and told and word.text.endswith("e"):
        return bool(genders & told)
    by_form = tongue.lexicon.genders(word.text)
    return tongue.grammar.noun_capitals or not by_form or not told or bool(by_form & told)


def _inflected(tongue: Tongue, said: str, old: str) -> str:
    """Return the word as its like stands: "der große" where "den kleinen" was is "großen"."""
    endings = sorted(tongue.grammar.adjective_endings, key=len, reverse=True)
    ending = next((e for e in endings if old.endswith(e) and len(old) - len(e) >= _STEM), "")
    stem = next((said[: -len(e)] for e in endings if said.endswith(e) and len(said) - len(e) >= _STEM), said)
    return f"{stem}{ending}" if ending else said


def _beside(tongue: Tongue, text: str, slot: _Slot, words: str) -> tuple[str, str]:
    """Return the question with *words* for the slot's word, before or after the noun, and what is then named."""
    old, noun = slot.word, slot.noun
    before = old.index < noun.index
    if tongue.grammar.adjectives_first:
        first = words.casefold() in tongue.grammar.adjectives_first
        if before and not first:
            named = f"{text[old.end : noun.end].strip()} {words}"
            return _led_by(tongue, text, old.start, noun.end, named, slot), named
        if first and not before:
            named = f"{words} {noun.text}"
            return _led_by(tongue, text, noun.start, old.end, named, slot), named
    named = f"{words} {noun.text}" if before else f"{tongue.hooks.bare(noun.text)} {words}"
    return _led_by(tongue, text, old.start, old.end, words, slot), named


def _led_by(tongue: Tongue, text: str, start: int, end: int, words: str, slot: _Slot) -> str:
    """Return the text with *words* in place, the article before them as they need it: "an adult", "a child"."""
    genders = tongue.lexicon.head_gender(slot.noun.text) or slot.phrase.genders
    cut, words = tongue.hooks.led(text[:start], words, next(iter(genders)) if len(genders) == 1 else "")
    return replaced(text, start - cut, end, words)

"""Siblings of the thing in focus that are described: "its successor", "son grand frère", "die alte", "the normal one".

The catalogue knows the siblings by the words their names share; what tells their names apart (a year, a number, "II",
"Lite") says which is the newer or the larger one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from languages.grammar import DEFINITE
from languages.text import fold
from memory.reference.analysis import Analysis
from memory.reference.candidates import Antecedent
from memory.reference.discourse import Discourse
from memory.reference.ellipsis import content, is_fragment, new_thing
from memory.reference.expression import Expression, span_of
from memory.reference.families import name_words
from memory.reference.rewrite import link_to_name
from memory.reference.salience import choose
from memory.reference.tongue import Tongue
from memory.reference.words import Word
from memory.types import Catalog, Link, Name

_PLAIN: Final = "plains"
_KINDS: Final = (("newer", 1), ("larger", 1), ("older", -1), ("smaller", -1), (_PLAIN, 0))
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
# Words of names, the same in all languages, by the place of their bearer among its siblings.
_SMALL: Final = frozenset("lite mini go light compact basic se nano eco start s".split())
_LARGE: Final = frozenset("plus pro max xl xxl ultra premium grande large l".split())
_NUMERALS: Final = {"ii": 2.0, "iii": 3.0, "iv": 4.0, "v": 5.0}
_NEVER: Final = frozenset(("TIME", "MONEY", "PERSON", "LOCATION"))


def kin_link(analysis: Analysis, discourse: Discourse, *, known: Sequence[Antecedent], catalog: Catalog) -> Link | None:
    """Return the link of a described sibling of the thing in focus, or None where none or several fit."""
    found = _described(analysis)
    if found is None:
        return None
    first, last, kind, direction = found
    focus = choose([a for a in known if a.named and a.type not in _NEVER], discourse)
    if len(focus) != 1:
        return None
    sibling = _sibling(focus[0], kind, direction, analysis=analysis, catalog=catalog)
    if sibling is None:
        return None
    if is_fragment(analysis) and content(analysis)[0].index >= first:
        return new_thing(analysis, discourse, known, (sibling.name, sibling.name), sibling=True)
    word = analysis.words[first]
    if kind == _PLAIN and last == first + 1 and word.key in analysis.tongue.determiners and word.text[-1:].isalpha():
        start, end = analysis.words[last].start, analysis.words[last].end  # the article agrees: "auf das | normale"
        text = analysis.text[word.start : end]
        return Link(text, (word.start, end), (sibling.name,), start, end, sibling.name, ("catalog_family",))
    bearer = next((a for a in known if fold(a.entity) == fold(sibling.name)), focus[0])
    described = Expression("definite", first, last, *span_of(analysis, first, last))
    return link_to_name(analysis, described, sibling.name, bearer, ("catalog_family",))


def only_sibling(focus: Antecedent, catalog: Catalog) -> Name | None:
    """Return the one other thing of the nearest family of *focus*; None where there are several: "the other plan"."""
    family = next(_families(focus.entity, catalog), [])
    if family:
        return family[0] if len(family) == 1 else None
    own = name_words(focus.entity)  # of two things by one maker the one is the other's other
    house = [name for name in catalog.siblings(own[0]) if name_words(name.name)[0] == own[0]] if own else []
    others = [name for name in house if fold(name.name) != fold(focus.entity) and name.type in ("OTHER", focus.type)]
    return others[0] if len(others) == 1 else None


def _described(analysis: Analysis) -> tuple[int, int, str, int] | None:
    """Return first and last word of a description with its determiner, and which sibling it means; None without one."""
    tongue, keys = analysis.tongue, analysis.keys
    if keys and tongue.grammar.prefixes and keys[0][:1] in tongue.grammar.prefixes:  # "and" is written on the word
        keys = (keys[0][1:], *keys[1:])
    for word in analysis.words:
        for kind, direction in _KINDS:
            match = tongue.longest(keys, word.index, tongue.sets[kind])
            if match is None:
                continue
            last = word.index + match[1] - 1
            if kind == _PLAIN and last + 1 < len(keys) and tongue.has("ones", keys[last + 1]):
                last += 1  # "the regular one"
            after = keys[last + 1] if last + 1 < len(keys) else ""
            without = kind == _PLAIN and tongue.has("negations", after)  # "the normal version, without ANC"
            if (_of_something(analysis, last) and not without) or _qualifies(analysis, last):
                return None
            led = word.index > 0 and _leads(tongue, analysis.words[word.index - 1])
            attached = tongue.hooks.is_definite(word.text) or tongue.hooks.attached(word.text) is not None
            if kind == _PLAIN and word.index and analysis.phrase_at(word.index - 1 - led) is not None and not led:
                return None  # "le prix normal", «السعر العادي»
            if led or attached:
                return word.index - led, last, kind, direction
    return None


def _leads(tongue: Tongue, before: Word) -> bool:
    """Return whether *before* makes a description one of something known: "the", "its", but neither "a" nor "my"."""
    rules = tongue.determiners.get(before.key, ())
    owned = any(pronoun.kind == "possessive" for pronoun in tongue.pronouns.get(before.key, ()))
    return owned or any(rule.kind in (DEFINITE, "demonstrative") for rule in rules)


def _qualifies(analysis: Analysis, last: int) -> bool:
    """Return whether a noun follows that the description only qualifies: "the new model | room", "la nouvelle | carte".

    A word that is surely a verb is one after a noun ("what does the new model cost"), but not after an adjective alone.
    """
    if last + 1 >= len(analysis.words):
        return False
    tongue, head, following = analysis.tongue, analysis.words[last], analysis.words[last + 1]
    if analysis.text[head.end : following.start].strip() or following.key in tongue.closed:
        return False
    if tongue.grammar.noun_capitals:
        return following.capital
    if not tongue.may_be_noun(following.key):
        return False
    return not tongue.is_verb(following.key) or "noun" not in tongue.lexicon.parts(head.text)


def _of_something(analysis: Analysis, last: int) -> bool:
    """Return whether what follows says whose sibling it is: "the successor of the Aero 14", "der Nachfolger des …"."""
    tongue, after = analysis.tongue, analysis.words[last + 1 :]
    if any(analysis.name_at(word.index) is not None for word in after[:4]):
        return True
    owned = bool(after) and (tongue.has("one_links", after[0].key) or after[0].key in tongue.determiners)
    return owned and not any(word.number for word in after[:2])


def _sibling(focus: Antecedent, kind: str, direction: int, *, analysis: Analysis, catalog: Catalog) -> Name | None:
    """Return the one sibling of *focus* in that direction, among the nearest kin that has one.

    Of several it is the one that a number of the question names, else the next one of a row: "the successor".
    """
    own = name_words(focus.entity)
    if kind == _PLAIN:
        less = [name for part in own for name in catalog.siblings(part) if set(name_words(name.name)) < set(own)]
        return max(less, key=lambda name: len(name_words(name.name)), default=None)
    said = {word.key for word in analysis.words if word.number}
    for family in _families(focus.entity, catalog):
        steps = [
            (direction * (_rank(name_words(name.name), own, kind) - _rank(own, name_words(name.name), kind)), name)
            for name in family
        ]
        beyond = [(step, name) for step, name in steps if step > 0]
        beyond = [(step, name) for step, name in beyond if said & set(name_words(name.name))] or beyond
        beyond.sort(key=lambda pair: pair[0])
        if beyond:
            alone = len(beyond) == 1 or beyond[0][0] != beyond[1][0]
            return beyond[0][1] if alone else None
    return None


def _families(entity: str, catalog: Catalog) -> Iterator[list[Name]]:
    """Yield the siblings of *entity* by how many words they share with it, most first.

    Names that each have a word of their own besides are other lines of one house: "Corvo Aria", "Corvo Duo".
    """
    own = name_words(entity)
    found: dict[str, tuple[int, Name]] = {}
    for part in dict.fromkeys(own):
        if part.isdigit():
            continue
        for name in catalog.siblings(part):
            theirs = name_words(name.name)
            apart = [[w for w in one if w not in other and _tells(w)] for one, other in ((own, theirs), (theirs, own))]
            if fold(name.name) != fold(entity) and not all(apart):
                found[name.name] = (len(set(own) & set(theirs)), name)
    for shared in sorted({count for count, _ in found.values()}, reverse=True):
        yield [name for count, name in found.values() if count == shared]


def _tells(part: str) -> bool:
    """Return whether a word tells lines of things apart, rather than their sizes, numbers and editions."""
    return part.isalpha() and part not in _SMALL | _LARGE and part not in _NUMERALS


def _rank(parts: Sequence[str], others: Sequence[str], kind: str) -> float:
    """Return a number by which siblings are ordered: what *parts* have and *others* do not, read as a year or size."""
    own = [part for part in parts if part not in others]
    years = [float(part) for part in own if _YEAR.fullmatch(part)]
    if kind in ("newer", "older") and years:
        return years[0]
    sizes = [float(number.group()) for part in own if (number := re.match(r"\d+", part)) and not _YEAR.fullmatch(part)]
    sizes += [_NUMERALS[part] for part in own if part in _NUMERALS]
    if sizes:
        return sizes[0]
    if kind in ("larger", "smaller"):
        return float(any(part in _LARGE for part in own)) - float(any(part in _SMALL for part in own))
    return 0.0

"""Names that fit several known things ("the Ridge", "Esker 14"): which is told, are all meant, the link to one."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from languages.text import fold, words
from memory.reference.analysis import Analysis
from memory.reference.candidates import Antecedent
from memory.types import FamilyMatch, Link

_OF_HOUSES = frozenset(("LOCATION", "ORGANIZATION", "PERSON"))  # what a maker has, and none of its things
_STEM = 4  # letters of a word without its ending, at least
_ENDING = re.compile(r"(?:e[mnrs]?|[ns])?")  # of adjectives and plurals


def name_words(name: str) -> list[str]:
    """Return the words of a name as they are compared with those of its siblings."""
    return [token.text for token in words(fold(name))]


def words_said(text: str) -> frozenset[str]:
    """Return the words of a folded *text*, and the numbers that they begin with: "beim 500er"."""
    said = {token.text for token in words(text)}
    return frozenset(said | {number.group() for number in (re.match(r"\d+", part) for part in said) if number})


def told_apart(said: Collection[str], options: Sequence[str]) -> list[str]:
    """Return the one option that a word of the answer tells from the others ("the Lite", "V10")."""
    parts = {option: set(name_words(option)) for option in options}
    own: list[str] = []
    for option, mine in parts.items():
        others = {part for other, theirs in parts.items() if other != option for part in theirs}
        if any(_is_form_of(part, word) for part in mine - others for word in said):
            own.append(option)
    return own


def _is_form_of(word: str, other: str) -> bool:
    """Return whether two folded words are one but for an ending: "große", "großen"; "petit", "petite"."""
    stem = next((at for at, (a, b) in enumerate(zip(word, other, strict=False)) if a != b), min(len(word), len(other)))
    rests = (word[stem:], other[stem:])
    return word == other or (stem >= _STEM and all(_ENDING.fullmatch(rest) for rest in rests))


def asks_for_all(analysis: Analysis, match: FamilyMatch) -> bool:
    """Return whether the whole family is meant, or its name only tells something else apart.

    "The two Lenovo notebooks", "which Lenovo can I afford"; "the service centre of Lenovo".
    """
    tongue, tokens = analysis.tongue, analysis.words
    if _owns_a_place(analysis, match):
        return True
    inside = [word for word in tokens if word.start >= match.start and word.end <= match.end]
    if not inside:
        return False
    first, last = inside[0].index, inside[-1].index
    before = tokens[max(0, first - 2) : first]
    asked = [
        p
        for p in analysis.phrases
        if p.determined == "interrogative"
        and p.noun
        and not tongue.is_property(p.noun)
        and first - 4 <= p.first < first
    ]
    if asked or any(w.key in tongue.counts for w in before):
        return True
    around = [analysis.phrase_at(i) for i in (first - 1, last + 1) if 0 <= i < len(tokens)]
    if any(p is not None and p.numbers == {"p"} for p in around):
        return True
    if not first or not tongue.has("prepositions", tokens[first - 1].key):
        return False
    owner = analysis.phrase_at(first - 2) if first >= 2 else None
    if owner is not None and owner.noun:
        return owner.type not in ("PRODUCT", "SERVICE", "PART", "ATTRIBUTE", "")
    # "she worked at Lenovo": the house, none of its things; "at Greenfield" is one of the two schools
    things = any(name.type in ("PRODUCT", "SERVICE", "OTHER", "") for name in match.names)
    return first == last and things and all(fold(n.name).startswith(f"{fold(match.text)} ") for n in match.names)


def _owns_a_place(analysis: Analysis, match: FamilyMatch) -> bool:
    """Return whether the words are an owner before what no product has: "Lenovo's repair centre", "…'s founder"."""
    after = analysis.text[match.end : match.end + 2]
    if after[:1] not in {"'", "’"} or not after[1:].isalpha():
        return False
    following = next((word.index for word in analysis.words if word.start > match.end + 1), None)
    owned = None
    for phrase in analysis.phrases:
        if phrase.first == (owned.last + 1 if owned else following):
            owned = phrase
    return owned is not None and owned.type in _OF_HOUSES


def family_link(analysis: Analysis, match: FamilyMatch, antecedent: Antecedent) -> Link:
    """Return the link of an under-specified name; it is reported with its article, which the edit leaves standing."""
    before = next((word for word in reversed(analysis.words) if word.end <= match.start), None)
    start = match.start
    article = before is not None and before.key in analysis.tongue.determiners
    if before is not None and article and not analysis.text[before.end : match.start].strip():
        start = before.start
    anchor = (start, match.end)
    text = analysis.text[start : match.end]
    name = antecedent.entity
    return Link(text, anchor, (name,), match.start, match.end, name, ("catalog_family",))

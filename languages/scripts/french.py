"""French word forms from the spelling dictionary of Dicollecte (MPL-2.0): Debian's package hunspell-fr-classical.

The dictionary says what each entry is and which set of affixes it takes; a set says what each of its forms is.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from languages.wordforms import Entry, Features

_PARTS = {
    "po:nom": Features.NOUN,
    "po:adj": Features.ADJECTIVE,
    "po:adv": Features.ADVERB,
    "po:npr": Features.NAME,
    "po:prn": Features.NAME,
    "po:patr": Features.NAME,
    "po:infi": Features.VERB | Features.INFINITIVE,
    "po:impe": Features.VERB | Features.IMPERATIVE,
    "po:ppas": Features.VERB | Features.ADJECTIVE,
    "po:ppre": Features.VERB,
    "po:3sg": Features.VERB | Features.VERB_SINGULAR,
    "po:3pl": Features.VERB | Features.VERB_PLURAL,
    "po:3pl!": Features.VERB | Features.VERB_PLURAL,
    "is:mas": Features.MASCULINE,
    "is:fem": Features.FEMININE,
    "is:epi": Features.MASCULINE | Features.FEMININE,
    "is:sg": Features.SINGULAR,
    "is:pl": Features.PLURAL,
    "is:inv": Features.SINGULAR | Features.PLURAL,
}
_GENDER = Features.MASCULINE | Features.FEMININE
_NUMBER = Features.SINGULAR | Features.PLURAL
_NOMINAL = Features.NOUN | Features.ADJECTIVE | Features.NAME
# Tenses that questions and documents of today do not use: a fifth of the file. Accounts of the past have the third
# person of the passé simple ("elle fonda"), so it is kept.
_LITERARY = frozenset(["po:simp", "po:ipsi"])
_THIRD = frozenset(["po:3sg", "po:3pl", "po:3pl!"])
_TODAY = frozenset(["po:ipre", "po:spre", "po:iimp", "po:ifut", "po:cond", "po:impe", "po:infi", "po:ppas", "po:ppre"])
# Nouns in these endings that come in a masculine and a feminine name people, and some machines (nouns.toml has those).
_PEOPLE = re.compile(r".+(?:teur|trice|eur|euse|ier|ière|ien|ienne|iste|logue|âtre|iatre|ant|ante|é|ée)s?")


@dataclass(frozen=True, slots=True)
class _Suffix:
    strip: str
    add: str
    condition: re.Pattern[str]
    tags: frozenset[str]


def french(folder: Path) -> Iterator[Entry]:
    """Yield every form of the dictionary ``fr.dic`` with ``fr.aff`` in *folder*, once for each of its analyses."""
    suffixes = _suffixes((folder / "fr.aff").read_text(encoding="utf-8"))
    for line in (folder / "fr.dic").read_text(encoding="utf-8").splitlines()[1:]:
        head, *tags = line.split()
        word, _, flags = head.partition("/")
        if not word or word.startswith("-") or word[0].isdigit():
            continue
        yield from _forms(word, flags, frozenset(tags), suffixes)


def _forms(word: str, flags: str, tags: frozenset[str], suffixes: dict[str, list[_Suffix]]) -> Iterator[Entry]:
    flags_of = [flags[place : place + 2] for place in range(0, len(flags), 2)]
    applied = False
    for flag in flags_of:
        for suffix in suffixes.get(flag, ()):
            if word.endswith(suffix.strip) and suffix.condition.search(word):
                applied = True
                stem = word[: len(word) - len(suffix.strip)] if suffix.strip else word
                both = flag[0] in "FGW" or "is:epi" in tags
                yield from _entry(stem + suffix.add, tags | suffix.tags, both=both)
    if not applied:
        yield from _entry(word, tags, both="is:epi" in tags)


def _entry(form: str, tags: frozenset[str], *, both: bool) -> Iterator[Entry]:
    if tags & _LITERARY and not tags & _TODAY and not ("po:ipsi" in tags and tags & _THIRD):
        return
    features = Features(0)
    for tag in tags:
        features |= _PARTS.get(tag, Features(0))
        if tag.startswith("po:v") and tag[4:5].isdigit():
            features |= Features.VERB
    if features & _NOMINAL and not features & _NUMBER:
        features |= Features.SINGULAR
    if not features & _NOMINAL:
        features &= ~(_GENDER | _NUMBER)
    if both and features & Features.NOUN and _PEOPLE.fullmatch(form):
        features |= Features.PERSON
    if features:
        yield form, features


def _suffixes(text: str) -> dict[str, list[_Suffix]]:
    found: defaultdict[str, list[_Suffix]] = defaultdict(list)
    for line in text.splitlines():
        pieces = line.split()
        if len(pieces) < 5 or pieces[0] != "SFX":
            continue
        _, flag, strip, add, condition, *tags = pieces
        added = add.partition("/")[0]
        found[flag].append(
            _Suffix(
                "" if strip == "0" else strip,
                "" if added == "0" else added,
                re.compile(f"(?:{condition})$"),
                frozenset(tags),
            )
        )
    return dict(found)

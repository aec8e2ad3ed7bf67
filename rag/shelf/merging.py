"""What several documents say of one name, as one entry of the catalogue.

A short name that is part of one longer name ("Tern 14" beside "Brevik Tern 14") becomes its alias; one that is part
of several, and of no type of its own, names none of them ("Tern", a brand) and is left to the family.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile

from languages.text import fold, words
from memory.types import Attribute, Name

UNTYPED = "OTHER"
PERSON = "PERSON"

_Words = tuple[str, ...]


def merge_names(names: Iterable[Name]) -> tuple[Name, ...]:
    """Return the catalogue of *names* from several documents, in order of first mention."""
    single = list(merge_spelled(names))
    keys = [_key(name.name) for name in single]
    holding: dict[str, list[int]] = {}
    for number, key in enumerate(keys):
        for word in set(key):
            holding.setdefault(word, []).append(number)
    merged: dict[int, list[Name]] = {number: [name] for number, name in enumerate(single)}
    for number, name in sorted(enumerate(single), key=lambda item: len(keys[item[0]])):
        longer = _longer(number, keys, holding)
        owners = [other for other in longer if _same_thing(name, single[other], keys[number], keys[other])]
        if len(owners) == 1:
            merged[owners[0]] += [replace(part, name=part.name) for part in merged.pop(number)]
        elif not name.attributes and _is_family(keys[number], [keys[n] for n in longer], named=name.type != UNTYPED):
            merged.pop(number)
    return with_nouns_of_series([_united(group) for number, group in sorted(merged.items())])


def merge_spelled(names: Iterable[Name]) -> tuple[Name, ...]:
    """Return each name once, as it is first spelt, with all that was said of it; in order of first mention.

    Two entries are one where their words are the same after folding.
    """
    grouped: dict[_Words, list[Name]] = {}
    for name in names:
        key = _key(name.name)
        if key:
            grouped.setdefault(key, []).append(name)
    return tuple(_united(group) for group in grouped.values())


def with_nouns_of_series(names: Sequence[Name]) -> tuple[Name, ...]:
    """Return *names*, each without a noun called what the others of its series are: what the Slate 15 is, the 13 is.

    A series is what differs in numbers and in what follows them; where its things are of two sorts, nothing is said.
    """
    nouns: dict[_Words, set[str]] = {}
    for name in names:
        nouns.setdefault(_series(name.name), set()).update(name.nouns[:1])

    def called(name: Name) -> tuple[str, ...]:
        found = nouns[_series(name.name)] if _series(name.name) else set()
        return name.nouns or (tuple(found) if len(found) == 1 and name.type != PERSON else ())

    return tuple(replace(name, nouns=called(name)) for name in names)


def _series(name: str) -> _Words:
    """Return the words of *name* before its number, and the letters of that; () where it has none.

    >>> _series("Mirelle Slate 13 Pro"), _series("quanda s7 lite"), _series("Ostra")
    (('mirelle', 'slate', ''), ('quanda', 's'), ())
    """
    key = _key(name)
    at = next((number for number, word in enumerate(key) if any(map(str.isdigit, word))), 0)
    return (*key[:at], "".join(takewhile(str.isalpha, key[at]))) if at else ()


def is_part(words_: str, name: str) -> bool:
    """Return whether *words_* are *name* or a run of its words.

    >>> is_part("Tern 14", "Brevik Tern 14"), is_part("Tern 1", "Brevik Tern 14")
    (True, False)
    """
    return _stands_in(_key(words_), _key(name))


def _key(text: str) -> _Words:
    plus = "+" if text.rstrip().endswith("+") else ""
    found = tuple(fold(token.text).rstrip("'") for token in words(text))
    return (*found, plus) if plus else found


def _stands_in(part: _Words, whole: _Words) -> bool:
    size = len(part)
    return size > 0 and any(whole[at : at + size] == part for at in range(len(whole) - size + 1))


def _longer(number: int, keys: Sequence[_Words], holding: Mapping[str, list[int]]) -> list[int]:
    key = keys[number]
    rarest = min((holding[word] for word in key), key=len)
    return [
        other for other in rarest if other != number and len(keys[other]) > len(key) and _stands_in(key, keys[other])
    ]


def _same_thing(name: Name, other: Name, key: _Words, longer: _Words) -> bool:
    """Return whether a short name is the longer one: its end with all numbers, or part of a person's name."""
    if name.type == PERSON or other.type == PERSON:
        return name.type == other.type
    if name.type not in (UNTYPED, other.type):
        return False
    digits = {word for word in longer if any(map(str.isdigit, word))}
    return longer[-len(key) :] == key and bool(digits) and digits <= set(key)


def _is_family(key: _Words, longer: Sequence[_Words], *, named: bool) -> bool:
    """Return whether *key* is what several names have in common: a brand, or a model of several years.

    "Brevik" of the "Brevik Tern 14"; "Esker 14" of the "Esker 14 (2023)" and the "Esker 14 (2025)".
    """
    rests = ["".join(other[len(key) :]) for other in longer if other[: len(key)] == key]
    numbered = [rest for rest in rests if any(map(str.isdigit, rest))]
    if len(key) == 1 and not named:
        return bool(numbered)
    return len(numbered) > 1 and len(numbered) == len(rests)


def _united(group: list[Name]) -> Name:
    first = group[0]
    types = Counter(name.type for name in group if name.type != UNTYPED)
    own = fold(first.name)
    spellings = (spelling for name in group for spelling in (name.name, *name.aliases))
    aliases: dict[str, str] = {}
    nouns: dict[str, str] = {}
    attributes: dict[tuple[str, str, str], Attribute] = {}
    for spelling in spellings:
        aliases.setdefault(fold(spelling), spelling)
    for name in group:
        for noun in name.nouns:
            nouns.setdefault(fold(noun), noun)
        for attribute in name.attributes:
            attributes.setdefault((fold(attribute.key), fold(attribute.value), attribute.document), attribute)
    return Name(
        name=first.name,
        type=types.most_common(1)[0][0] if types else first.type,
        aliases=tuple(alias for key, alias in aliases.items() if key != own),
        attributes=tuple(attributes.values()),
        nouns=tuple(nouns.values()),
    )

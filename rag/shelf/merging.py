"""What several documents say of one name, as one entry of the catalogue."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from languages.text import fold
from memory.types import Attribute, Name

UNTYPED = "OTHER"


def merge_names(names: Iterable[Name]) -> tuple[Name, ...]:
    """Return each name once, as it is first spelt, with all that was said of it; in order of first mention.

    Two entries are one where their names are the same after folding.
    """
    grouped: dict[str, list[Name]] = {}
    for name in names:
        grouped.setdefault(fold(name.name), []).append(name)
    return tuple(_merged(group) for group in grouped.values())


def _merged(group: list[Name]) -> Name:
    first = group[0]
    types = Counter(name.type for name in group if name.type != UNTYPED)
    own = fold(first.name)
    aliases = {fold(alias): alias for name in reversed(group) for alias in (*name.aliases, name.name)}
    nouns = {fold(noun): noun for name in reversed(group) for noun in reversed(name.nouns)}
    attributes: dict[tuple[str, str, str], Attribute] = {}
    for name in group:
        for attribute in name.attributes:
            attributes.setdefault((fold(attribute.key), fold(attribute.value), attribute.document), attribute)
    return Name(
        name=first.name,
        type=types.most_common(1)[0][0] if types else first.type,
        aliases=tuple(alias for key, alias in reversed(aliases.items()) if key != own),
        attributes=tuple(attributes.values()),
        nouns=tuple(reversed(nouns.values())),
    )

"""First names with the gender of their bearers, from the lists of Faker (MIT)."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator

from languages.wordforms import Entry, Features

_LOCALES = (
    "ar_AA ar_DZ ar_PS de_AT de_CH de_DE en_GB en_IE en_IN en_NZ en_PK en_US es_ES fr_BE fr_CA fr_CH fr_DZ fr_FR "
    "it_IT nl_NL pl_PL pt_PT sv_SE tr_TR"
).split()
_NAME = re.compile(r"[^\W\d_]+(?:[-'’ ][^\W\d_]+)*")
# A list that gives a name to one gender a tenth as often as to the other is taken at its word for the other.
_MINORITY = 0.1


def first_names() -> Iterator[Entry]:
    """Yield each first name once, with one gender or both; the package ``faker`` must be installed."""
    weights: dict[str, dict[Features, float]] = {}
    for locale in _LOCALES:
        provider = importlib.import_module(f"faker.providers.person.{locale}").Provider
        for gender, attribute in ((Features.FEMININE, "first_names_female"), (Features.MASCULINE, "first_names_male")):
            for name, weight in _weighted(getattr(provider, attribute, ())):
                if _NAME.fullmatch(name):
                    found = weights.setdefault(name, {})
                    found[gender] = found.get(gender, 0.0) + weight
    for name, found in weights.items():
        most = max(found.values())
        features = Features.NAME
        for gender, weight in found.items():
            if weight >= most * _MINORITY:
                features |= gender
        yield name, features


def _weighted(names: object) -> Iterator[tuple[str, float]]:
    """Yield names with a weight that is comparable across lists: counted ones are set against their greatest."""
    if isinstance(names, dict):
        yield from ((str(name), float(weight)) for name, weight in names.items())
    elif isinstance(names, (tuple, list)):
        yield from ((str(name), 1.0) for name in names)

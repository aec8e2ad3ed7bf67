"""What is said to a person on familiar terms, where a language has two ways to speak to one: ``familiar.toml``.

A language without the file speaks to everybody alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

from languages.errors import LanguagePackError
from languages.files import FOLDER, flatten, read_toml
from languages.pack import load, placeholders

FILE: Final = "familiar.toml"
SMALL_TALK: Final = "smalltalk."  # replies of questions.toml, by the sort of small talk


@lru_cache(maxsize=16)
def familiar(code: str, root: Path = FOLDER) -> Mapping[str, str]:
    """Return the texts for familiar terms by their full keys; none where the language has no such file.

    Raises: LanguagePackError where one stands for no text, or has other placeholders.
    """
    if not (root / code / FILE).is_file():
        return MappingProxyType({})
    file = f"{code}/{FILE}"
    found = flatten(file, read_toml(code, FILE, root=root))
    texts = load(code).texts
    for key, text in found.items():
        if key.startswith(SMALL_TALK):
            continue
        if key not in texts:
            raise LanguagePackError(file, key, "There is no text of this name.", "Remove it, or correct its name.")
        if placeholders(text) != placeholders(texts[key]):
            wanted = ", ".join(sorted(f"{{{name}}}" for name in placeholders(texts[key]))) or "none"
            raise LanguagePackError(file, key, "Its placeholders are others.", f"Write these and no others: {wanted}.")
    return MappingProxyType(dict(found))

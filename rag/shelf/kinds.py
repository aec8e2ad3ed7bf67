"""The kinds of things that the type sets in ``data/types`` look for."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path

from rag.errors import DataMissing

FOLDER = Path(__file__).parents[2] / "data" / "types"
LOOKED_FOR = frozenset({"PRODUCT", "SERVICE"})


@lru_cache(maxsize=1)
def typed_kinds() -> frozenset[str]:
    """Return the ids of the kinds of products and services in all type sets.

    Raises: DataMissing, where the folder holds none.
    """
    found: set[str] = set()
    for path in sorted(FOLDER.glob("*.toml")):
        for entry in tomllib.loads(path.read_text(encoding="utf-8")).get("type", ()):
            if entry["id"] in LOOKED_FOR:
                found |= {noun["id"] for noun in entry.get("noun", ())}
    if not found:
        raise DataMissing(
            f"No type set was found in {FOLDER}; expected *.toml with [[type]] tables. Get the complete project again.",
            {"folder": str(FOLDER)},
        )
    return frozenset(found)

"""A table with more rows than Chroma takes at once goes in whole, also after it broke off half-way."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory.store.database import open_database
from rag.shelf.owners import Owner, Scope
from rag.shelf.reading import Source
from rag.shelf.shelf import Library
from tests.rag.shelf.fakes import HashEmbedder

ROWS = 6_000  # Chroma takes 5,461 in one call
SHARED = Owner("shelf", "shared")
SCOPE = Scope(("shared",))


def test_thousands_of_rows_go_in_once_with_progress_that_never_falls(tmp_path: Path) -> None:
    text = "Part,Shelf\n" + "".join(f"Bolt {number:04},{number % 90}\n" for number in range(ROWS))
    source, embedder, shares = Source("parts.csv", text.encode()), HashEmbedder(), []
    library = Library(open_database(tmp_path), embedder, tmp_path)
    embedder.fail_after = 90
    with pytest.raises(RuntimeError, match="gone"):
        library.add(source, SHARED, shares.append)
    assert library.documents(SHARED) == ()
    embedder.fail_after = None
    shares.clear()
    assert library.add(source, SHARED, shares.append).passages == ROWS
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert library.add(source, SHARED).status == "unchanged"
    for number in (0, 5_460, 5_461, ROWS - 1):
        question = f"Bolt {number:04}"
        legs = library.search(embedder.embed_queries((question,)), (question,), SCOPE, 1)
        found = library.passages([leg.ranked[0][0] for leg in legs if leg.kind == "lexical"], SCOPE)
        assert [(each.row, each.text.split(" | ")[0]) for each in found.values()] == [(number + 2, question)]
    assert sum(library._index.count(name) for name in library._index.names()) == ROWS
    library.remove("parts.csv", SHARED)
    assert library.add(source, SHARED).status == "added", "removed, it goes in again"
    assert sum(library._index.count(name) for name in library._index.names()) == ROWS
    library.close()

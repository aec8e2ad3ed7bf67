"""The vector index finds what was put into it."""

from __future__ import annotations

from pathlib import Path

from rag.shelf.index import VectorIndex
from tests.rag.shelf.fakes import HashEmbedder


def test_texts_that_differ_in_a_number_alone_are_all_found(tmp_path: Path) -> None:
    vectors = HashEmbedder().embed_passages(tuple(f"The Kestor {n} weighs {1000 + n} g." for n in range(400)))
    index = VectorIndex(tmp_path / "index")
    for start in range(0, 400, 2):
        index.upsert("parcels", [str(start), str(start + 1)], vectors[start : start + 2])
        if start in (60, 130, 170):
            index.close()
    ranked = index.query("parcels", vectors[:1], 400)[0]
    index.close()
    assert {id_ for id_, _ in ranked} == {str(number) for number in range(400)}

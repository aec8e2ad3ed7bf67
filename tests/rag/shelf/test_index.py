"""The vector index finds what was put into it, in a folder and with a server."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from rag.shelf.index import VectorIndex
from rag.shelf.places import Place
from tests.rag.shelf.fakes import HashEmbedder


def test_texts_that_differ_in_a_number_alone_are_all_found(place: Place, tmp_path: Path) -> None:
    vectors = HashEmbedder().embed_passages(tuple(f"The Kestor {n} weighs {1000 + n} g." for n in range(400)))
    index = VectorIndex(place, tmp_path / "lock")
    for start in range(0, 400, 2):
        index.upsert("parcels", [str(start), str(start + 1)], vectors[start : start + 2])
        if start in (60, 130, 170):
            index.close()
    ranked = index.query("parcels", vectors[:1], 400)[0]
    index.close()
    assert {id_ for id_, _ in ranked} == {str(number) for number in range(400)}


def test_what_is_put_into_an_index_is_there_and_goes_again(place: Place, tmp_path: Path) -> None:
    index = VectorIndex(place, tmp_path / "lock")
    vectors = np.random.default_rng(1).normal(size=(5600, 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    ids = [f"id{number}" for number in range(5600)]
    index.upsert("one", ids, vectors)
    index.upsert("one", ids[:10], vectors[:10])
    index.upsert("two", ids[:1], vectors[:1])
    assert (index.count("one"), index.count("two"), index.count("three")) == (5600, 1, 0)
    assert set(index.ids("one")) == set(ids)
    assert sorted(index.names()) == ["one", "two"]
    first, second = index.query("one", vectors[[5, 6]], 3)
    assert (first[0][0], second[0][0]) == ("id5", "id6")
    assert first[0][1] == pytest.approx(1.0, abs=1e-3)
    assert first[0][1] >= first[1][1] >= first[2][1]
    assert index.query("three", vectors[:2], 3) == ((), ())
    index.delete("one", ids[100:])
    assert index.count("one") == 100
    index.drop("one")
    assert index.names() == ("two",)
    assert index.query("one", vectors[:1], 3) == ((),)
    index.close()
    assert index.count("two") == 1

"""The right passages come first: fused, the entity's own before its siblings', a share for each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memory.store.database import open_database
from rag.events import Hit, Passage
from rag.retrieve import Entity, Query, choose, fuse, names, retrieve, table_of
from rag.shelf.owners import Owner, Scope
from rag.shelf.reading import Source
from rag.shelf.shelf import Library
from tests.rag.shelf.fakes import HashEmbedder

SHARED = Owner("shelf", "shared")
SCOPE = Scope(("shared",))


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    made = Library(open_database(tmp_path), HashEmbedder(), tmp_path)
    yield made
    made.close()


def fill(library: Library, **texts: str) -> None:
    for name, text in texts.items():
        library.add(Source(f"{name}.md", text.encode()), SHARED)


def documents(library: Library, standalone: str, raw: str = "", *entities: str, k: int = 5) -> list[str]:
    query = Query(standalone, raw or standalone, "en", SCOPE, entities, k)
    return [hit.passage.document for hit in retrieve(library, HashEmbedder(), query)]


def test_ids_high_in_several_rankings_come_first() -> None:
    scores = fuse({"dense standalone": [("a", 0.9), ("b", 0.8)], "lexical standalone": [("b", 0.4), ("c", 0.1)]})
    assert max(scores, key=lambda id_: scores[id_]) == "b"


def test_a_few_shared_words_do_not_outvote_the_meaning() -> None:
    dense = [(f"d{n}", 0.9) for n in range(10)]
    scores = fuse({"dense standalone": dense, "lexical standalone": [("d9", 0.05), ("x", 0.04)]})
    order = sorted(scores, key=lambda id_: -scores[id_])
    assert (order[0], order[-1]) == ("d0", "x")
    every = fuse({"dense standalone": dense, "lexical standalone": [("d9", 0.45), ("x", 0.04)]})
    assert max(every, key=lambda id_: every[id_]) == "d9", "all of its words are there"


def test_the_raw_question_does_not_outvote_the_standalone_one() -> None:
    right = [(f"r{n}", 0.9) for n in range(3)]
    wrong = [(f"w{n}", 0.9) for n in range(3)]
    scores = fuse({"dense standalone": right, "lexical standalone": right, "dense raw": wrong, "lexical raw": wrong})
    assert set(sorted(scores, key=lambda id_: -scores[id_])[:3]) == {"r0", "r1", "r2"}


def test_one_embedding_batch_a_turn(library: Library) -> None:
    fill(library, a="# Kelm 14\n\nIt weighs one kilogram.")
    embedder = HashEmbedder()
    hits = retrieve(library, embedder, Query("What does the Kelm 14 weigh?", "And its weight?", "en", SCOPE))
    assert embedder.batches == 1
    assert hits[0].passage.document == "a.md"
    assert {name for name, _ in hits[0].legs} >= {"dense standalone", "lexical standalone", "dense raw"}


def test_the_last_question_finds_what_this_one_leaves_out(library: Library) -> None:
    fill(library, a="# Kelm 14\n\nActivate it with the code 155.", b="# Dorn\n\nActivate the alarm.")
    context = "What does the Kelm 14 cost? And how do I activate it?"
    query = Query("And how do I activate it?", "And how do I activate it?", "en", SCOPE, context=context)
    hits = retrieve(library, HashEmbedder(), query)
    assert hits[0].passage.document == "a.md"
    assert "dense context" in dict(hits[0].legs)


def test_nothing_is_found_on_empty_shelves_and_for_empty_questions(library: Library) -> None:
    assert documents(library, "What does it weigh?") == []
    fill(library, a="# Kelm 14\n\nIt weighs one kilogram.")
    assert documents(library, "  ") == []


def test_the_entity_comes_before_its_siblings(library: Library) -> None:
    fill(
        library,
        kelm13="# Borvik Kelm 13\n\nThe warranty of this laptop is two years. The warranty covers parts and labour.",
        kelm15="# Borvik Kelm 15\n\nThis laptop has a warranty of three years.",
        kelm15pro="# Borvik Kelm 15 Pro\n\nThe warranty of this laptop is four years. The warranty covers parts.",
    )
    for name in ("13", "15", "15 Pro"):
        wanted = f"kelm{name.replace(' ', '').lower()}.md"
        question = f"How long is the warranty of the Borvik Kelm {name}?"
        assert documents(library, question, "And its warranty?", f"Borvik Kelm {name}")[0] == wanted


def test_each_compared_entity_has_its_share(library: Library) -> None:
    many = "\n\n".join(f"## Price note {n}\n\nThe price of the Kelm 13 was {n} hundred." for n in range(1, 9))
    fill(library, a=f"# Kelm 13\n\n{many}", b="# Kelm 15\n\nIts price is nine hundred.")
    found = documents(library, "Price of the Kelm 13 and the Kelm 15?", "", "Kelm 13", "Kelm 15", k=4)
    assert "b.md" in found[:2]
    assert "a.md" in found[:2]


def hit(number: int, document: str, text: str = "", score: float = 0.0) -> Hit:
    return Hit(Passage(str(number), document, text or f"text {number}"), score or 1.0 - number / 100)


def test_no_document_takes_more_than_three_of_the_first_five() -> None:
    hits = [hit(n, "a") for n in range(6)] + [hit(n, "b") for n in range(6, 9)]
    assert [found.passage.document for found in choose(hits, [], 8)] == ["a", "a", "a", "b", "b", "a", "a", "a"]


def test_where_there_is_one_document_it_may_take_all() -> None:
    assert len(choose([hit(n, "a") for n in range(6)], [], 5)) == 5


def test_the_same_words_are_given_once() -> None:
    hits = [hit(1, "a", "The price is 9."), hit(2, "b", "The  price is 9."), hit(3, "c", "The price is 10.")]
    assert [found.passage.document for found in choose(hits, [], 5)] == ["a", "c"]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("The Kelm 15 is light", True),
        ("the KELM 15", True),
        ("The Kelm 15 Pro is heavy", False),
        ("The Kelm 15 Pro and the Kelm 15", True),
        ("The Kelm 150", False),
        ("A Kelm, 15 of them", True),
        ("سعر الهاتف والKelm 15", True),
        ("the overkelm 15", False),
    ],
)
def test_a_name_is_found_whole(text: str, named: bool) -> None:
    assert names(text, Entity((("kelm", "15"),), (("kelm", "15", "pro"),))) is named


def test_languages_are_merged_without_preferring_the_questions_own(library: Library) -> None:
    fill(
        library,
        kelm="# Borvik Kelm 15\n\nDas Gehäuse des Geräts besteht aus recyceltem Magnesium und ist matt lackiert.",
        desk="# Desk\n\nThe desk is open from nine to five, and closed on public holidays in the summer.",
        bike="# Bike\n\nThe bike has a bell, two lights and a lock, and comes with a pump for the road.",
    )
    assert set(library.languages(SCOPE)) == {"en", "de"}
    assert documents(library, "What is the Borvik Kelm 15 made of?", "", "Borvik Kelm 15")[0] == "kelm.md"


def test_the_whole_table_of_a_row_is_found_and_only_in_the_language_asked_for(library: Library) -> None:
    rows = "\n".join(f"Lamp {n},{n} €" for n in range(30))
    library.add(Source("lamps.csv", f"Name,Price\n{rows}".encode()), SHARED)
    hits = retrieve(library, HashEmbedder(), Query("lamp price", "lamp price", "en", SCOPE, (), 5))
    row = next(hit.passage for hit in hits if hit.passage.kind == "row")
    found = table_of(library, hits, row.language, SCOPE)
    assert [hit.passage.text.split("|")[0].strip() for hit in found] == [f"Lamp {n}" for n in range(30)]
    assert table_of(library, hits, "xx", SCOPE) == ()

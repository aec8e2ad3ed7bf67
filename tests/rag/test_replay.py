"""Whole conversations as scripts see them: keys, one person a conversation, the kept index."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memory.store.database import open_database
from rag.errors import DocumentMissing
from rag.replay import SHELF, Replay, folder_hash, open_replay
from rag.run import STAGES
from rag.settings import Settings, read_settings
from rag.shelf.owners import Owner
from rag.shelf.shelf import Library
from tests.rag.shelf.fakes import HashEmbedder
from tests.rag.shop import TALKS, write_shop

KEYS = {
    "id", "turn", "lang", "user", "standalone", "status", "answer", "answered", "clarification", "citations",
    "retrieved", "timings_ms",
}  # fmt: skip


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    return write_shop(tmp_path / "documents", "en", "fr", "de", "ar")


@pytest.fixture
def replay(tmp_path: Path, documents: Path) -> Replay:
    database = open_database(tmp_path / "index")
    embedder = HashEmbedder()
    library = Library(database, embedder, tmp_path / "index")
    list(library.ingest([documents], Owner("shelf", SHELF)))
    return Replay(library, embedder, read_settings())


def line(identifier: str, lang: str, *said: str) -> str:
    return json.dumps({"id": identifier, "lang": lang, "turns": [{"user": text} for text in said]})


def test_each_turn_has_the_keys_of_the_contract_and_no_others(replay: Replay, documents: Path) -> None:
    lines = [line(talk.language, talk.language, talk.question, talk.follow_up) for talk in TALKS]
    results = list(replay.lines(lines))
    assert [(result["id"], result["turn"]) for result in results] == [(t.language, n) for t in TALKS for n in (0, 1)]
    for result in results:
        assert set(result) == KEYS
        assert tuple(result["timings_ms"]) == STAGES
        assert json.loads(json.dumps(result)) == result
        assert len(set(result["retrieved"])) == len(result["retrieved"]) > 0
        assert all((documents / name).is_file() for name in result["retrieved"])
        for citation in result["citations"]:
            assert set(citation) == {"document", "quote"}
            assert citation["quote"] in (documents / citation["document"]).read_text(encoding="utf-8")
    for talk, (first, second) in zip(TALKS, zip(results[::2], results[1::2], strict=True), strict=True):
        assert first["lang"] == second["lang"] == talk.language
        assert first["answered"]
        assert talk.understood in second["standalone"]


def test_each_conversation_begins_with_an_empty_memory(replay: Replay) -> None:
    alone, *_ = replay.lines([line("b", "en", "And its warranty?")])
    results = list(
        replay.lines([line("a", "en", "How much does the Norda Halo cost?"), line("b", "en", "And its warranty?")])
    )
    keys = ("standalone", "status", "answer", "answered")
    assert [results[1][key] for key in keys] == [alone[key] for key in keys]


def test_a_bad_line_and_a_bad_turn_are_errors_in_their_place(replay: Replay) -> None:
    lines = [
        "nonsense",
        json.dumps({"id": "x", "turns": []}),
        line("y", "en", "   ", "How much does the Norda Halo cost?"),
    ]
    bad, empty, blank, good = replay.lines(lines)
    assert bad["id"] is None
    assert empty["id"] == "x"
    assert (blank["id"], blank["turn"]) == ("y", 0)
    assert all("error" in result for result in (bad, empty, blank))
    assert good["answered"]


def test_the_content_of_the_folder_decides_which_index_is_used(documents: Path) -> None:
    before = folder_hash(documents, "m@1")
    assert before == folder_hash(documents, "m@1")
    assert before != folder_hash(documents, "m@2")
    (documents / "en" / "returns.txt").write_text("Other words.\n", encoding="utf-8")
    changed = folder_hash(documents, "m@1")
    (documents / "en" / "returns.txt").rename(documents / "en" / "other.txt")
    assert len({before, changed, folder_hash(documents, "m@1")}) == 3


@pytest.mark.parametrize("inside", ["missing", "empty"])
def test_a_folder_without_documents_is_named(tmp_path: Path, inside: str) -> None:
    (tmp_path / "empty").mkdir()
    with (
        pytest.raises(DocumentMissing, match=inside),
        open_replay(tmp_path / inside, read_settings(), report=print, progress=print),
    ):
        pass


@pytest.mark.model
def test_the_index_is_made_once(tmp_path: Path, documents: Path) -> None:
    settings = Settings(cache_dir=read_settings().cache_dir, data_dir=tmp_path / "data")
    shares: list[float] = []
    seen: list[str] = []
    for _ in range(2):
        with open_replay(
            documents, settings, report=lambda outcome: seen.append(outcome.status), progress=shares.append
        ) as opened:
            (result,) = opened.lines([line("a", "de", "Was kostet der Norda Halo?")])
            assert "95" in result["answer"]
    assert len(seen) in (0, 12), "made once, or in a run before"
    assert not (tmp_path / "data").exists(), "nothing is kept with a person's data"

"""The learned scorer over the bundled model: what it reads, and that nothing depends on it."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest

from memory.types import Embedder
from rag.cases import resolve_lines
from rag.errors import EmbeddingUnavailable
from rag.loading import LazyEmbedder, LazyScorer, lazy_embedder, lazy_scorer
from rag.scorer.weights import FILE
from rag.settings import Settings
from tests.rag.shelf.fakes import HashEmbedder

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def embedder() -> LazyEmbedder:
    return lazy_embedder(Settings(cache_dir=ROOT / "build" / "test-cache"))


@pytest.mark.model
@pytest.mark.timeout(300)
def test_a_possessive_refers_and_points_at_its_owner(embedder: LazyEmbedder) -> None:
    scorer = embedder.scorer()
    assert scorer is not None
    history = "I am looking at the Tambrell kettle."
    question = "What is its capacity?"
    reading = scorer.read(question, (("user", history), ("assistant", "It is in stock.")))
    assert reading is not None
    assert reading.resolved > 0.5
    start = question.index("its")
    assert reading.refers(start, start + 3) > 0.5 > reading.refers(0, 4)
    best = reading.pointer(start, start + 3).best()
    assert best is not None
    message, first, last = best[0]
    assert message == 0
    assert "Tambrell" in history[first:last]


@pytest.mark.model
@pytest.mark.timeout(300)
def test_a_case_says_how_long_the_encoder_took(embedder: LazyEmbedder) -> None:
    case = {
        "id": "1", "lang": "en", "question": "What is its capacity?",
        "history": [{"role": "user", "text": "I am looking at the Tambrell kettle."}],
    }  # fmt: skip
    result = next(iter(resolve_lines([json.dumps(case)], embedder.scorer())))
    assert result["status"] == "resolved"
    assert "Tambrell" in result["standalone"]
    assert result["encoder_ms"] > 0


def test_the_weights_are_small() -> None:
    assert FILE.stat().st_size < 25_000_000


def test_another_embedding_model_has_no_scorer() -> None:
    lazy = LazyEmbedder(HashEmbedder)
    assert lazy.scorer() is None
    assert LazyScorer(lazy).read("And its weight?", (("user", "The Ridge?"),)) is None


def test_rules_decide_alone_where_the_scorer_cannot_be_opened(caplog: pytest.LogCaptureFixture) -> None:
    def load() -> Embedder:
        raise EmbeddingUnavailable("found no model", {"model": "x"})

    scorer = LazyScorer(LazyEmbedder(load))
    with caplog.at_level(logging.WARNING):
        assert scorer.read("And its weight?", (("user", "The Ridge?"),)) is None
        assert scorer.read("And its weight?", (("user", "The Ridge?"),)) is None
    assert caplog.text.count("the rules decide alone") == 1


def test_a_setting_leaves_the_scorer_out() -> None:
    settings = Settings(scorer="off")
    assert lazy_scorer(settings, lazy_embedder(settings)) is None

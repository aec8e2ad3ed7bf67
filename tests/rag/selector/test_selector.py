"""The answer selector over the bundled model: what it prefers, and that nothing depends on it."""

from __future__ import annotations

from pathlib import Path

import pytest

from rag.errors import SelectorDamaged
from rag.loading import LazyEmbedder, LazySelector, lazy_embedder, lazy_selector
from rag.selector.selector import FILE, open_selector
from rag.settings import Settings
from tests.rag.shelf.fakes import HashEmbedder

ROOT = Path(__file__).resolve().parents[3]

PIECES = (
    "The Tambrell kettle is made in Leeds. | Tambrell kettle",
    "It takes 1.7 litres. | Tambrell kettle",
    "Descale it once a month. | Tambrell kettle > Care",
    "The lid comes off for cleaning. | Tambrell kettle > Care",
)


@pytest.fixture(scope="module")
def embedder() -> LazyEmbedder:
    return lazy_embedder(Settings(cache_dir=ROOT / "build" / "test-cache"))


@pytest.mark.model
@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("How much water does the Tambrell kettle hold?", 1),
        ("Où la bouilloire Tambrell est-elle fabriquée ?", 0),
        ("Wo wird der Wasserkocher Tambrell hergestellt?", 0),
        ("أين تُصنع غلاية Tambrell؟", 0),
    ],
)
def test_the_piece_that_answers_stands_out_in_whatever_order(embedder: LazyEmbedder, question: str, right: int) -> None:
    selector = embedder.selector()
    assert selector is not None
    logits = selector.score(question, PIECES)
    assert logits is not None
    assert logits.index(max(logits)) == right
    turned = selector.score(question, PIECES[::-1])
    assert turned is not None
    assert turned[::-1] == pytest.approx(logits, abs=0.15)


@pytest.mark.model
@pytest.mark.timeout(300)
def test_what_no_piece_says_is_told_from_what_one_says(embedder: LazyEmbedder) -> None:
    selector = embedder.selector()
    assert selector is not None
    stated = selector.score("Where is the Tambrell kettle made?", PIECES)
    unsaid = selector.score("Is the Tambrell kettle allowed on aeroplanes?", PIECES)
    assert stated is not None
    assert unsaid is not None
    assert max(stated) > 0
    assert max(stated) > max(unsaid) + 1


def test_the_weights_are_small() -> None:
    assert FILE.stat().st_size < 25_000_000


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "weights.safetensors"
    path.write_bytes(b"not weights at all")
    with pytest.raises(SelectorDamaged, match="REFERENT_SELECTOR=off"):
        open_selector("model@1", None, None, None, path)  # type: ignore[arg-type]


def test_an_embedder_of_another_model_has_none_and_a_setting_leaves_it_out() -> None:
    assert LazySelector(HashEmbedder()).score("What?", ("That.",)) is None
    assert lazy_selector(Settings(selector="off"), HashEmbedder()) is None

"""A cross-encoder, where one is set, orders the first passages anew; one that cannot be used is said by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from memory.store.database import open_database
from rag.errors import RerankerUnavailable
from rag.events import Hit, Passage
from rag.loading import lazy_reranker
from rag.reranking import LEG, READ, LazyReranker, load_reranker, rerank
from rag.retrieve import Query, retrieve
from rag.settings import Settings
from rag.shelf.owners import Owner, Scope
from rag.shelf.reading import Source
from rag.shelf.shelf import Library
from tests.rag.shelf.fakes import HashEmbedder

SCOPE = Scope(("shared",))
VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"how much is the lamp kettle price ten".split()]


def tiny_cross_encoder(folder: Path, labels: int = 1) -> str:
    """Write a real cross-encoder with one layer and random weights into *folder*; return its path."""
    import torch
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece
    from tokenizers.pre_tokenizers import Whitespace
    from tokenizers.processors import BertProcessing
    from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast

    torch.manual_seed(7)
    config = BertConfig(
        vocab_size=len(VOCABULARY),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=64,
        num_labels=labels,
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    pieces = Tokenizer(WordPiece({piece: n for n, piece in enumerate(VOCABULARY)}, unk_token="[UNK]"))
    pieces.pre_tokenizer = Whitespace()
    pieces.post_processor = BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    names = {"pad": "[PAD]", "unk": "[UNK]", "cls": "[CLS]", "sep": "[SEP]", "mask": "[MASK]"}
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=pieces, model_max_length=64, **{f"{name}_token": piece for name, piece in names.items()}
    )
    tokenizer.save_pretrained(folder)
    return str(folder)


class ByLength:
    """A reranker that prefers long texts, and keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, tuple[str, ...]]] = []

    def score(self, question: str, texts: Sequence[str]) -> tuple[float, ...]:
        self.asked.append((question, tuple(texts)))
        return tuple(float(len(text)) for text in texts)


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    made = Library(open_database(tmp_path), HashEmbedder(), tmp_path)
    for name, text in (
        ("lamp", "The lamp is bright. The price of the lamp is ten."),
        ("kettle", "The kettle boils quickly, and its lid is made of a steel that does not rust for many years."),
    ):
        made.add(Source(f"{name}.md", text.encode()), Owner("shelf", "shared"))
    yield made
    made.close()


def test_the_reranker_has_the_last_word_and_its_score_is_kept(library: Library) -> None:
    query = Query("What is the price of the lamp?", "And its price?", "en", SCOPE)
    assert retrieve(library, HashEmbedder(), query)[0].passage.document == "lamp.md"
    reranker = ByLength()
    hits = retrieve(library, HashEmbedder(), query, reranker)
    assert [hit.passage.document for hit in hits] == ["kettle.md", "lamp.md"]
    assert all(LEG in dict(hit.legs) for hit in hits)
    ((question, texts),) = reranker.asked
    assert question == "What is the price of the lamp?", "the question as understood is what is read"
    assert any(text.endswith("The price of the lamp is ten.") for text in texts)


def test_only_the_first_passages_are_read_and_the_rest_keeps_its_order() -> None:
    hits = [Hit(Passage(str(n), "a.md", "x" * n), 1.0 - n / 100) for n in range(READ + 3)]
    found = rerank(ByLength(), "?", hits)
    assert [int(hit.passage.id) for hit in found] == [*range(READ - 1, -1, -1), READ, READ + 1, READ + 2]
    assert rerank(ByLength(), "?", []) == []


def test_a_real_cross_encoder_is_loaded_from_a_folder(tmp_path: Path) -> None:
    reranker = LazyReranker(tiny_cross_encoder(tmp_path))
    texts = ("the price is ten", "the kettle", "", "the price is ten")
    scores = reranker.score("how much is the lamp", texts)
    assert len(scores) == len(texts)
    assert scores[0] == pytest.approx(scores[3], abs=1e-4)
    assert len({round(score, 6) for score in scores}) > 1, "it reads the texts"
    other = reranker.score("the kettle", texts[:1])
    assert other[0] != pytest.approx(scores[0], abs=1e-7), "it reads the question"
    assert reranker.score("?", ()) == ()


def test_one_that_cannot_be_loaded_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}", encoding="utf-8")
    with pytest.raises(RerankerUnavailable, match="REFERENT_RERANKER") as raised:
        LazyReranker(str(tmp_path)).score("?", ("a",))
    assert raised.value.values == {"model": str(tmp_path)}
    assert "\n" not in str(raised.value)


def test_a_classifier_of_several_classes_is_none(tmp_path: Path) -> None:
    with pytest.raises(RerankerUnavailable, match="gives 3 numbers"):
        load_reranker(tiny_cross_encoder(tmp_path, labels=3))


def test_none_is_used_where_none_is_set() -> None:
    assert lazy_reranker(Settings()) is None
    assert lazy_reranker(Settings(reranker=" ")) is None
    assert isinstance(lazy_reranker(Settings(reranker="some/model")), LazyReranker)

"""The learned scorer over a loaded embedding model: its lower layers as they are, the trained upper ones and heads."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from memory.reference.reading import Floats, Reading
from memory.types import Role
from rag.scorer.text import Pair, pair
from rag.scorer.weights import FILE, base_of, damaged, load

if TYPE_CHECKING:
    from torch import Tensor

    from rag.scorer.network import Network

LONGEST: Final = 320  # tokens of question and messages together


class EncoderScorer:
    """``memory``'s scorer: one pass over the question and the newest messages."""

    def __init__(self, encoder: Any, tokenizer: Any, network: Network, lock: AbstractContextManager[object]) -> None:
        self._encoder = encoder
        self._tokenizer = tokenizer
        self._network = network.eval()
        self._lock = lock  # fast tokenizers are not thread-safe, and two passes only fight for the same cores

    def read(self, question: str, history: tuple[tuple[Role, str], ...]) -> Reading | None:
        """Return the reading of *question* after *history*; None where either has no word in it."""
        texts = pair(question, history)
        if not texts.first.strip() or not texts.parts:
            return None
        with self._lock:
            return self._read(texts)

    def _read(self, texts: Pair) -> Reading | None:
        import torch

        coded = self._tokenizer(
            texts.first, texts.second, truncation=True, max_length=LONGEST, return_offsets_mapping=True
        )
        offsets, sequence = coded["offset_mapping"], coded.sequence_ids()
        first = [i for i, part in enumerate(sequence) if part == 0]
        second = [i for i, part in enumerate(sequence) if part == 1 and offsets[i][1] > offsets[i][0]]
        if not first or not second:
            return None
        with torch.inference_mode():
            ids = torch.tensor([coded["input_ids"]])
            states, attention, segments = self._states(ids, [part == 1 for part in sequence])
            status = self._network.judge(states, attention, segments).softmax(-1)[0].tolist()
            refers = self._network.refers(states)[0, :, 0].sigmoid().tolist()
            inserts = self._inserts(states, first)
            asks = _pointers(self._network.asks(states[0, [0, *first]]))
            keys = _pointers(self._network.keys(states[0, [0, *second]]))
        places = [texts.place(*offsets[i]) for i in second]
        kept = [n for n, place in enumerate(places) if place is not None]
        starts = [offsets[i][0] for i in first] + [len(texts.first)]
        return Reading(
            resolved=status[0],
            unchanged=status[1],
            ambiguous=status[2],
            referring=tuple((*offsets[i], refers[i]) for i in first),
            omitted=tuple(zip(starts, inserts, strict=True)),
            asks=asks,
            keys=keys[[0, *(n + 1 for n in kept)]],
            places=tuple(place for place in places if place is not None),
        )

    def _inserts(self, states: Tensor, first: list[int]) -> list[float]:
        """Return the probability that something is left out before each token of the question, then at its end."""
        rows = [0, *first, first[-1] + 1]
        found: list[float] = self._network.inserts(states)[0, rows, 0].softmax(-1).tolist()
        return found[1:]

    def _states(self, ids: Tensor, second: list[bool]) -> tuple[Tensor, Tensor, Tensor]:
        import torch

        from rag.scorer.network import SHARED, through

        attention = torch.ones_like(ids, dtype=torch.bool)
        segments = torch.tensor([second])
        states = through(self._encoder.encoder.layer[:SHARED], self._encoder.embeddings(input_ids=ids), None)
        states = self._network.encode(states.to(self._network.segment.weight.dtype), attention, segments)
        return states.float(), attention, segments


def _pointers(projected: Tensor) -> Floats:
    from rag.scorer.network import WIDTH

    result: Floats = projected.float().view(projected.shape[0], -1, WIDTH).numpy().astype(np.float32)
    return result


def open_scorer(
    base: str, encoder: Any, tokenizer: Any, lock: AbstractContextManager[object], path: Path = FILE
) -> EncoderScorer | None:
    """Return the scorer over the embedding model *base*; None where its weights belong to another model.

    Raises: ScorerDamaged.
    """
    if base_of(path) != base:
        return None
    from copy import deepcopy

    from rag.scorer.network import SHARED, Network

    network = Network(deepcopy(encoder.encoder.layer[SHARED:]), encoder.config.hidden_size)
    try:
        network.load_state_dict(load(path))
    except RuntimeError as error:
        raise damaged(path) from error
    for part in (network.layers, network.segment):  # the heads stay in float32
        part.to(next(encoder.parameters()).dtype)
    return EncoderScorer(encoder, tokenizer, network, lock)

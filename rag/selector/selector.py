"""The answer selector over a loaded embedding model: its lower layers as they are, the trained upper ones and head."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rag.errors import SelectorDamaged
from rag.scorer.weights import base_of, load
from rag.selector.text import LONGEST, asked

if TYPE_CHECKING:
    from rag.selector.network import Network

FILE: Final = Path(__file__).with_name("weights.safetensors")
_GROUPS: Final = 3  # of pieces of like length: padding costs as much as words do
_LEAST: Final = 4  # pieces in a group


class EncoderSelector:
    """Says of each piece of a passage how well it answers a question: one pass over all."""

    def __init__(self, encoder: Any, tokenizer: Any, network: Network, lock: AbstractContextManager[object]) -> None:
        self._encoder = encoder
        self._tokenizer = tokenizer
        self._network = network.eval()
        self._lock = lock  # fast tokenizers are not thread-safe, and two passes only fight for the same cores

    def score(self, question: str, pieces: Sequence[str]) -> tuple[float, ...]:
        """Return a logit for each of *pieces*: above 0 where it rather answers *question* than not."""
        order = sorted(range(len(pieces)), key=lambda number: len(pieces[number]))
        size = max(_LEAST, -(-len(order) // _GROUPS))
        found: dict[int, float] = {}
        with self._lock:
            for start in range(0, len(order), size):
                group = order[start : start + size]
                found.update(zip(group, self._logits(asked(question), [pieces[n] for n in group]), strict=True))
        return tuple(found[number] for number in range(len(pieces)))

    def _logits(self, question: str, pieces: list[str]) -> list[float]:
        import torch

        from rag.scorer.network import masked, through
        from rag.selector.network import SHARED

        made = self._tokenizer(
            [question] * len(pieces), pieces, truncation=True, max_length=LONGEST, padding=True, return_tensors="pt"
        )
        there = made["attention_mask"].bool()
        second = torch.tensor([[part == 1 for part in made.sequence_ids(number)] for number in range(len(pieces))])
        with torch.inference_mode():
            states = self._encoder.embeddings(input_ids=made["input_ids"])
            states = through(self._encoder.encoder.layer[:SHARED], states, masked(there, states))
            logits: list[float] = self._network(states, there, second).float().tolist()
        return logits


def open_selector(
    base: str, encoder: Any, tokenizer: Any, lock: AbstractContextManager[object], path: Path = FILE
) -> EncoderSelector | None:
    """Return the selector over the embedding model *base*; None where its weights belong to another model.

    Raises: SelectorDamaged.
    """
    if base_of(path, damaged) != base:
        return None
    from copy import deepcopy

    from rag.selector.network import SHARED, Network

    network = Network(deepcopy(encoder.encoder.layer[SHARED:]), encoder.config.hidden_size)
    try:
        network.load_state_dict(load(path, damaged))
    except RuntimeError as error:
        raise damaged(path) from error
    for part in (network.layers, network.segment):  # the head stays in float32
        part.to(next(encoder.parameters()).dtype)
    return EncoderSelector(encoder, tokenizer, network, lock)


def damaged(path: Path) -> SelectorDamaged:
    """Return the error of a file that is not what it should be."""
    return SelectorDamaged(
        f"found {path.name} of the answer selector damaged; expected the file of this version; restore it from the "
        "repository, or set REFERENT_SELECTOR=off to go on without it",
        {"name": path.name},
    )

"""The learned scorer's network: the embedding model's own lower layers, upper layers of its own, four small heads.

It reads a question and the messages before it together, and says for the question whether it is resolved, unchanged
or ambiguous; for each of its tokens whether it refers and whether something is left out before it; and for each token
of the messages whether it begins, ends or belongs to what an expression means.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import torch
from torch import Tensor, nn

from rag.scorer.text import STATUSES

SHARED: Final = 4  # layers taken from the embedding model as they are
WIDTH: Final = 96  # of the space in which an expression points at its antecedent
_POINTERS: Final = 3  # start, end, inside


class Upper(nn.Module):
    """Upper layers with their segments.  ``layers`` are transformer layers of the embedding model's kind."""

    def __init__(self, layers: nn.ModuleList, size: int) -> None:
        super().__init__()
        self.layers = layers
        self.segment = nn.Embedding(2, size)
        nn.init.zeros_(self.segment.weight)

    def encode(self, lower: Tensor, attention: Tensor, second: Tensor) -> Tensor:
        """Return the upper layers' states, (batch, tokens, size).

        *lower* (batch, tokens, size) are the shared layers' states, *attention* (batch, tokens) marks the tokens that
        are there, *second* those of the second text.
        """
        states = lower + self.segment(second.long())
        return through(self.layers, states, masked(attention, states))


def through(layers: Iterable[nn.Module], states: Tensor, mask: Tensor | None) -> Tensor:
    """Return *states* (batch, tokens, size) as they leave the last of *layers*; *mask* is as ``masked`` gives it."""
    for layer in layers:
        out: Any = layer(states, mask)
        states = out[0] if isinstance(out, tuple) else out
    return states


def masked(attention: Tensor, states: Tensor) -> Tensor:
    """Return what is added to attention's scores, (batch, 1, 1, tokens): 0 where *attention* marks a token."""
    mask = torch.zeros(attention.shape, dtype=states.dtype, device=states.device)
    return mask.masked_fill(~attention.bool(), torch.finfo(states.dtype).min)[:, None, None, :]


def pooled(states: Tensor, attention: Tensor, second: Tensor) -> Tensor:
    """Return the state of the first token and the means of both texts' states, (batch, 3 x size)."""
    first = attention.bool() & ~second.bool()
    return torch.cat([states[:, 0], _mean(states, first), _mean(states, second.bool())], dim=-1)


def _mean(states: Tensor, mask: Tensor) -> Tensor:
    weights = mask.unsqueeze(-1).to(states.dtype)
    return (states * weights).sum(1) / weights.sum(1).clamp(min=1)


class Network(Upper):
    """The trained part: upper layers and heads.  ``layers`` are transformer layers of the embedding model's kind."""

    def __init__(self, layers: nn.ModuleList, size: int) -> None:
        super().__init__(layers, size)
        half = size // 2
        self.status = nn.Sequential(
            nn.Linear(3 * size, half), nn.GELU(), nn.Dropout(0.1), nn.Linear(half, len(STATUSES))
        )
        self.refers = nn.Linear(size, 1)
        self.inserts = nn.Linear(size, 1)
        self.asks = nn.Linear(size, _POINTERS * WIDTH)
        self.keys = nn.Linear(size, _POINTERS * WIDTH)

    def judge(self, states: Tensor, attention: Tensor, second: Tensor) -> Tensor:
        """Return the logits of the three statuses, (batch, 3)."""
        logits: Tensor = self.status(pooled(states, attention, second))
        return logits

    def point(self, anchors: Tensor, states: Tensor) -> Tensor:
        """Return logits (batch, 3, tokens): whether each token begins, ends, belongs to what an anchor means.

        *anchors* (batch, size) are the mean states of an expression's tokens.  The first token stands for nothing.
        """
        batch, tokens, _ = states.shape
        asked = self.asks(anchors).view(batch, _POINTERS, 1, WIDTH)
        keys = self.keys(states).view(batch, tokens, _POINTERS, WIDTH).transpose(1, 2)
        logits: Tensor = (asked * keys).sum(-1) / WIDTH**0.5
        return logits

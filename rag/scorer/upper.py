"""What the networks over the embedding model share: upper layers that read a pair of texts, in two segments.

The embedding model's lower layers are used as they are; each network has upper layers and heads of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor, nn


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

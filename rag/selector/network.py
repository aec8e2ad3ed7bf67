"""The selector's network: the embedding model's own lower layers, upper layers of its own, one head.

It reads a question and a piece of a passage together and says how well the piece answers, as a logit beside that of
"none of them does", which is 0.
"""

from __future__ import annotations

from typing import Any, Final

import torch
from torch import Tensor, nn

SHARED: Final = 4  # layers taken from the embedding model as they are


class Network(nn.Module):
    """The trained part: upper layers and the head.  ``layers`` are transformer layers of the embedding model's kind."""

    def __init__(self, layers: nn.ModuleList, size: int) -> None:
        super().__init__()
        self.layers = layers
        self.segment = nn.Embedding(2, size)
        nn.init.zeros_(self.segment.weight)
        self.head = nn.Sequential(nn.Linear(3 * size, size // 2), nn.GELU(), nn.Dropout(0.1), nn.Linear(size // 2, 1))

    def forward(self, lower: Tensor, attention: Tensor, second: Tensor) -> Tensor:
        """Return the logits, (batch,).

        *lower* (batch, tokens, size) are the shared layers' states, *attention* (batch, tokens) marks the tokens that
        are there, *second* those of the piece.
        """
        states = lower + self.segment(second.long())
        mask = torch.zeros(attention.shape, dtype=states.dtype, device=states.device)
        mask = mask.masked_fill(~attention.bool(), torch.finfo(states.dtype).min)[:, None, None, :]
        for layer in self.layers:
            out: Any = layer(states, mask)
            states = out[0] if isinstance(out, tuple) else out
        first = attention.bool() & ~second.bool()
        pooled = [states[:, 0], _mean(states, first), _mean(states, second.bool())]
        logits: Tensor = self.head(torch.cat(pooled, dim=-1).float())
        return logits[:, 0]


def _mean(states: Tensor, mask: Tensor) -> Tensor:
    weights = mask.unsqueeze(-1).to(states.dtype)
    return (states * weights).sum(1) / weights.sum(1).clamp(min=1)

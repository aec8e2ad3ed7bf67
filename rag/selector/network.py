"""The selector's network: the embedding model's own lower layers, upper layers of its own, one head.

It reads a question and a piece of a passage together and says how well the piece answers, as a logit beside that of
"none of them does", which is 0.
"""

from __future__ import annotations

from typing import Final

from torch import Tensor, nn

from rag.scorer.network import Upper, pooled

SHARED: Final = 4  # layers taken from the embedding model as they are


class Network(Upper):
    """The trained part: upper layers and the head.  ``layers`` are transformer layers of the embedding model's kind."""

    def __init__(self, layers: nn.ModuleList, size: int) -> None:
        super().__init__(layers, size)
        self.head = nn.Sequential(nn.Linear(3 * size, size // 2), nn.GELU(), nn.Dropout(0.1), nn.Linear(size // 2, 1))

    def forward(self, lower: Tensor, attention: Tensor, second: Tensor) -> Tensor:
        """Return the logits, (batch,).

        *lower* (batch, tokens, size) are the shared layers' states, *attention* (batch, tokens) marks the tokens that
        are there, *second* those of the piece.
        """
        states = self.encode(lower, attention, second)
        logits: Tensor = self.head(pooled(states, attention, second).float())
        return logits[:, 0]

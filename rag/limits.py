"""What a turn may use and ask: what is searched, how much, how the assistant speaks, and the models beside it."""

from __future__ import annotations

from dataclasses import dataclass, field

from memory import ChatModel, Scorer
from rag.answer.manner import Manner
from rag.answer.request import Selector
from rag.metering import Budget
from rag.pacing import Pace
from rag.reranking import Reranker
from rag.rewriting import Rewriter


@dataclass(frozen=True, slots=True)
class Limits:
    """What a turn may use, and how it speaks."""

    shelves: tuple[str, ...] = ("shared",)
    passages: int = 8
    prompt_tokens: int = 3000
    question_characters: int = 4000
    manner: Manner = field(default_factory=Manner)
    budget: Budget = field(default_factory=Budget)
    pace: Pace = field(default_factory=Pace)


@dataclass(frozen=True, slots=True)
class Models:
    """What a turn may ask besides the embedder.

    ``chat`` writes answers, else they are quoted; ``scorer`` and ``rewriter`` help to tell what a question refers to;
    ``selector`` helps to choose what answers it, ``reranker`` orders the passages found anew.
    """

    chat: ChatModel | None = None
    scorer: Scorer | None = None
    rewriter: Rewriter | None = None
    selector: Selector | None = None
    reranker: Reranker | None = None

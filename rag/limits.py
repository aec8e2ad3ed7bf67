"""What a pilot has set for its turns: what is searched, how much a turn may use, how the assistant speaks."""

from __future__ import annotations

from dataclasses import dataclass, field

from rag.answer.manner import Manner
from rag.metering import Budget


@dataclass(frozen=True, slots=True)
class Limits:
    """What a turn may use, and how it speaks."""

    shelves: tuple[str, ...] = ("shared",)
    passages: int = 8
    prompt_tokens: int = 3000
    question_characters: int = 4000
    manner: Manner = field(default_factory=Manner)
    budget: Budget = field(default_factory=Budget)

"""What a turn may cost of a chat model, and what it did: calls are counted, and refused before they would cost more.

Tokens are estimated, rather too many than too few, from what was sent and what came: not every server says what it
counted, and one that is to be trusted with a budget says it only afterwards.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass

from memory.store.usage import Ledger
from memory.types import ChatModel, Message, Usage
from rag.errors import ModelCut, ModelOverBudget
from rag.prompt import latin_in, tokens, tokens_of


class Metered:
    """A chat model whose calls are counted, with *left* tokens to spend; None is no bound."""

    def __init__(self, model: ChatModel, left: int | None = None) -> None:
        self._model = model
        self._left = left
        self._calls = 0
        self._prompt = 0
        self._answer = 0

    @property
    def name(self) -> str:
        """Return the model's name."""
        return self._model.name

    @property
    def used(self) -> Usage:
        """Return what the calls have cost so far."""
        return Usage(self._calls, self._prompt, self._answer)

    def stream(self, messages: tuple[Message, ...]) -> Iterator[str]:
        """Yield the pieces of the answer as they come.

        Raises:
            ModelOverBudget: before anything is sent, where that alone is more than is left.
            ModelCut: in the middle, where no more is left.
            ModelError: as the model does.
        """
        self._ask(messages)
        stream, before, latin, others = self._model.stream(messages), self._answer, 0, 0
        with ExitStack() as stack:
            if isinstance(stream, Generator):  # whoever stops listening stops the model
                stack.enter_context(closing(stream))
            for piece in stream:
                narrow = latin_in(piece)
                latin, others = latin + narrow, others + len(piece) - narrow
                self._answer = before + tokens_of(latin, others)
                if self._spent():
                    raise ModelCut(
                        f"found an answer that costs more than is left; expected at most {self._left} tokens; "
                        "raise REFERENT_TURN_TOKENS or REFERENT_DAY_TOKENS",
                        {"model": self.name},
                    )
                yield piece

    def _ask(self, messages: tuple[Message, ...]) -> None:
        """Count what is sent; raise ModelOverBudget where it is more than is left."""
        asked = sum(tokens(message.content) for message in messages)
        if self._left is not None and self.used.tokens + asked >= self._left:
            raise ModelOverBudget(
                f"found a prompt of about {asked} tokens; expected at most {self._left - self.used.tokens}, which is "
                "what is left; ask tomorrow, or raise REFERENT_TURN_TOKENS or REFERENT_DAY_TOKENS",
                {"model": self.name},
            )
        self._calls += 1
        self._prompt += asked

    def _spent(self) -> bool:
        return self._left is not None and self.used.tokens > self._left


@dataclass(frozen=True, slots=True)
class Budget:
    """How many tokens a turn may cost, and a person a day; 0 is no bound.  Without *ledger* no day is counted."""

    turn_tokens: int = 0
    day_tokens: int = 0
    ledger: Ledger | None = None

    def meter(self, model: ChatModel, person: str) -> Metered:
        """Return *model* with what *person* may spend on a turn now.

        Raises: StoreError.
        """
        bounds = [self.turn_tokens] if self.turn_tokens else []
        if self.day_tokens and self.ledger is not None:
            bounds.append(max(0, self.day_tokens - self.ledger.today(person).tokens))
        return Metered(model, min(bounds, default=None))

    def settle(self, metered: Metered, person: str) -> Usage | None:
        """Return what a turn has cost, kept for the person's day; None where nothing was sent.

        Raises: StoreError.
        """
        used = metered.used
        if not used.calls:
            return None
        if self.ledger is not None:
            self.ledger.add(person, used)
        return used

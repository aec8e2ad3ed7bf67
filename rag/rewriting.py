"""What a question refers to, asked of a chat model: only where rules and scorer are unsure, once, for a short time.

Its word counts where ``rag.accepting`` finds nothing against it; else, and whatever fails, the resolution stays as it
was, and the person hears nothing of it.
"""

from __future__ import annotations

import logging
import secrets
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final, Protocol, TypeVar, get_args

from pydantic import BaseModel

from languages import Language, load
from memory import Catalog, Discourse, Message, Resolution
from rag.accepting import Asked, completed_by, refusal
from rag.answer.smalltalk import small_talk
from rag.errors import ModelEmpty, ModelError, ModelMalformed, ModelTimeout
from rag.events import Outcome, Rewriting
from rag.safety import fence

log = logging.getLogger(__name__)

# On rounds 7 and 8 (benchmarks/README.md) a fifth of the questions is below, and with them three fifths of those that
# were resolved wrongly and not asked back about: docs/decisions.md.
UNSURE: Final = 0.64
_LONGEST: Final = 600  # characters of a question; a longer one would cost more than an answer
_NAMES: Final = 24  # known names that the model is given, the newest first
_NAME: Final = 80  # characters of each
_KEYS: Final = ("rewrite.person", "rewrite.assistant")

Schema = TypeVar("Schema", bound=BaseModel)


class StructuredModel(Protocol):
    """A chat model that answers in a form."""

    @property
    def name(self) -> str:
        """Return the model's name."""
        ...

    def structured(self, messages: tuple[Message, ...], schema: type[Schema]) -> Schema:
        """Return the answer as a *schema*.

        Raises: ModelError.
        """
        ...


class CompletedQuestion(BaseModel):
    """What the model is asked for."""

    question: str


class Rewriter:
    """Asks *model* how a question is meant whose resolution is less sure than *unsure*."""

    def __init__(self, model: StructuredModel, *, unsure: float = UNSURE) -> None:
        self._model = model
        self._unsure = unsure

    def wants(self, resolution: Resolution, before: Discourse) -> bool:
        """Return whether the model is to be asked: not of what is sure, asked back about, or without a conversation."""
        return (
            resolution.status != "ambiguous"
            and resolution.confidence < self._unsure
            and bool(before.recent)
            and len(resolution.question) <= _LONGEST
            and small_talk(resolution.question, resolution.language) is None
        )

    def rewrite(
        self, resolution: Resolution, before: Discourse, *, catalog: Catalog
    ) -> tuple[Resolution, Rewriting | None]:
        """Return the resolution by the model where it is accepted, else *resolution*; then what came of asking."""
        if not self.wants(resolution, before):
            return resolution, None
        asked = Asked(resolution, before, catalog)
        try:
            said = self._model.structured(messages_for(asked), CompletedQuestion).question
        except ModelTimeout:
            return resolution, Rewriting(self._model.name, "late")
        except (ModelEmpty, ModelMalformed) as error:
            return resolution, Rewriting(self._model.name, "refused", type(error).__name__)
        except ModelError as error:
            log.info("chat model %s could not be asked what a question refers to: %s", self._model.name, error)
            return resolution, Rewriting(self._model.name, "failed", type(error).__name__)
        reason = refusal(said, asked)
        if reason:
            return resolution, Rewriting(self._model.name, "refused", reason)
        return completed_by(said, asked), Rewriting(self._model.name, "accepted")


def messages_for(asked: Asked, nonce: str = "") -> tuple[Message, ...]:
    """Return the prompt: rules in the question's language; messages, names and question as data between markers."""
    language = load(asked.language)
    nonce = nonce or secrets.token_hex(8)
    marker = language.text("label.data_only", {"marker": f"<<<{nonce} … {nonce}>>>"})
    parts = [(language.text(_KEYS[role == "assistant"]), text) for role, text in asked.before.recent]
    names = "\n".join(_known(asked))
    blocks = [f"{language.text('rewrite.conversation')}:\n{fence(parts, nonce)}"]
    blocks += [fence([(language.text("rewrite.names"), names)], nonce)] if names else []
    blocks.append(_question(language, asked.question, nonce))
    return Message("system", f"{language.text('rewrite.rules')}\n\n{marker}"), Message("user", "\n\n".join(blocks))


def _question(language: Language, question: str, nonce: str) -> str:
    return fence([(language.text("rewrite.question"), question)], nonce)


def _known(asked: Asked) -> list[str]:
    """Return the names of the conversation, the newest first."""
    spoken = [mention.entity for mention in reversed(asked.before.mentions) if mention.named]
    spoken += [match.name.name for _, text in reversed(asked.before.recent) for match in asked.catalog.find(text)]
    return [name[:_NAME] for name in list(dict.fromkeys(spoken))[:_NAMES]]


def count(asked: Iterable[Rewriting]) -> Mapping[str, int]:
    """Return how often the model was asked ("asked"), and how often each outcome came of it."""
    outcomes = Counter(rewriting.outcome for rewriting in asked)
    return {"asked": outcomes.total(), **{outcome: outcomes[outcome] for outcome in get_args(Outcome)}}

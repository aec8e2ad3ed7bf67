"""Which of two contradicting facts holds, by a chat model's word where one is asked; the rules have decided already.

A statement that replaced another is shown with the message that made it; the model may say that the earlier one still
holds, or both.  Whatever fails, or is no answer to what was asked, leaves the rules' decision: the latest holds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict

from languages.remembering import remembering
from memory.knowledge.facts import StoredFact
from memory.knowledge.fencing import fenced, unmarked
from memory.types import Message

Holds = Literal["earlier", "later", "both"]
Schema = TypeVar("Schema", bound=BaseModel)

NAME: Final = "arbiter"  # under which outcomes are counted
_NONE: Final[Mapping[int, Holds]] = MappingProxyType({})


class Verdict(BaseModel):
    """What a model says of one contradiction, by its number."""

    model_config = ConfigDict(extra="forbid")

    number: int
    holds: Holds


class Verdicts(BaseModel):
    """What a model says of all the contradictions that it was shown."""

    model_config = ConfigDict(extra="forbid")

    verdicts: list[Verdict]


class Decides(Protocol):
    """A chat model that answers in a given form."""

    @property
    def name(self) -> str:
        """Return the model's name."""
        ...

    def structured(self, messages: tuple[Message, ...], schema: type[Schema]) -> Schema:
        """Return the answer as a *schema*."""
        ...


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A fact and the one of the same key that replaced it."""

    earlier: StoredFact
    later: StoredFact


@dataclass(frozen=True, slots=True)
class Arbiter:
    """Asks *model* once about the contradictions of a message; *failures* are what it may raise."""

    model: Decides
    failures: type[Exception] | tuple[type[Exception], ...] = ()

    def decide(
        self, message: str, language: str, found: Sequence[Contradiction]
    ) -> tuple[Mapping[int, Holds], Literal["decided", "failed"]]:
        """Return which fact of each of *found* holds, by its place, and how asking ended.

        What the model leaves out, or says of a number that it was not given, is left to the rules.
        """
        try:
            answer = self.model.structured(messages_of(message, language, found), Verdicts)
        except self.failures:
            return _NONE, "failed"
        said = {each.number - 1: each.holds for each in answer.verdicts if 0 < each.number <= len(found)}
        return MappingProxyType(said), "decided"


def messages_of(message: str, language: str, found: Sequence[Contradiction]) -> tuple[Message, ...]:
    """Return the prompt: the rules, then the message and the numbered facts as data.

    Raises: UnknownLanguage, LanguagePackError.
    """
    words = remembering(language)
    lines = [
        f"{number}. {words.key(each.later.key)}: {words.arbitrate.earlier} = {unmarked(each.earlier.value)}; "
        f"{words.arbitrate.later} = {unmarked(each.later.value)}"
        for number, each in enumerate(found, start=1)
    ]
    return (
        Message("system", words.arbitrate.rules.strip()),
        Message("user", f"{words.extract.message}:\n{fenced(message)}\n\n" + "\n".join(lines)),
    )

"""How the assistant speaks, as a pilot has set it: its name and tone, du or Sie, and whom to turn to.

What is said to a person comes from many places, all in polite form.  It is put into the familiar form in one, where it
leaves the pipeline: a text is known by its template, and said by the other one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Final, Literal

from languages import load
from languages.familiar import SMALL_TALK, familiar
from languages.pack import placeholders
from rag.answer.questions import patterns
from rag.events import Answer, Notice, Piece
from rag.safety import without_controls

Tone = Literal["neutral", "warm", "brief"]
Formality = Literal["formal", "familiar"]
_PLACEHOLDER: Final = re.compile(r"\\\{([a-z_]+)\\\}")
Said = Piece | Notice | Answer


@dataclass(frozen=True, slots=True)
class Manner:
    """How the assistant speaks; ``escalation`` is what to say, by language, where the documents do not answer."""

    name: str = ""
    tone: Tone = "neutral"
    formality: Formality = "formal"
    escalation: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def rules(self, language: str) -> str:
        """Return the rules for a chat model, a line each, in *language*."""
        texts = load(language)
        lines = [texts.text("manner.name", {"name": without_controls(self.name)})] if self.name else []
        lines.append(texts.text(f"manner.{self.formality}"))
        if self.tone != "neutral":
            lines.append(texts.text(f"manner.{self.tone}"))
        return "\n".join(lines)

    def say(self, text: str, language: str) -> str:
        """Return *text*, which is said to the person, in this manner; what is no fixed text stays as it is.

        >>> Manner(formality="familiar").say("Was meinen Sie: A oder B?", "de")
        'Was meinst du: A oder B?'
        >>> Manner(name="Mira").say("Hello! What would you like to know?", "en")
        'Hello, this is Mira. What would you like to know?'
        """
        if self.name and text == patterns(language).replies["greeting"]:
            template = self._own(language).get("manner.greeting") or load(language).texts["manner.greeting"]
            return template.replace("{name}", self.name)
        if self.formality == "formal":
            return text
        for said, template in _rewordings(language):
            match = said.fullmatch(text)
            if match:
                return _filled(template, match.groupdict())
        return text

    def _own(self, language: str) -> Mapping[str, str]:
        return familiar(language) if self.formality == "familiar" else {}


def spoken(
    events: Iterator[Said], language: str, *, manner: Manner, more: Callable[[Answer], str]
) -> Generator[Said, None, None]:
    """Yield *events* in this manner; after an answer that the documents do not give, what *more* there is to say."""
    for event in events:
        if isinstance(event, Piece):
            yield Piece(manner.say(event.text, language))
        elif isinstance(event, Answer):
            answer = replace(event, text=manner.say(event.text, language))
            rest = "" if answer.answered else more(answer)
            if rest:
                yield Piece(f"\n\n{rest}")
                answer = replace(answer, text=f"{answer.text}\n\n{rest}")
            yield answer
        else:
            yield event


@lru_cache(maxsize=16)
def _rewordings(language: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return how each text of the familiar form is told by its polite one, the longest first."""
    replies = {f"{SMALL_TALK}{sort}": reply for sort, reply in patterns(language).replies.items()}
    polite = {**load(language).texts, **replies}
    pairs = [(polite[key], text) for key, text in familiar(language).items() if key in polite]
    return tuple((_told_by(said), text) for said, text in sorted(pairs, key=lambda pair: -len(pair[0])))


def _told_by(template: str) -> re.Pattern[str]:
    return re.compile(_PLACEHOLDER.sub(r"(?P<\1>.+)", re.escape(template)), re.DOTALL)


def _filled(template: str, values: Mapping[str, str]) -> str:
    return re.sub(r"\{([a-z_]+)\}", lambda match: values[match[1]], template) if placeholders(template) else template

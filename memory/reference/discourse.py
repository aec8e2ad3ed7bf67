"""What a turn needs of the past, a small value: recent mentions, alternatives, the last question, what was asked back.

A discourse goes into a turn and comes out of it; it is stored with the turn as versioned JSON, and its size is bounded,
so that a turn costs the same after ten turns and after ten thousand.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from memory.types import Role

VERSION = 1
MENTIONS = 48  # kept, the newest; a far antecedent of the evaluation cases lies at most 20 mentions back
MESSAGES = 8  # kept, for a scorer that reads the history's text
MESSAGE_LENGTH = 600  # characters kept of each


@dataclass(frozen=True, slots=True)
class Mention:
    """One mention of an entity: where, by whom, in which shape.

    ``message`` counts all messages from 0; ``order`` counts mentions within one.  ``article`` is the determiner in the
    nominative sense it was used with ("the", "le"), "" where it had none; ``text`` the whole phrase as it stood.
    """

    entity: str
    text: str
    message: int
    order: int
    role: Role
    noun: str = ""
    type: str = ""
    genders: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    named: bool = True
    known: bool = False
    subject: bool = False
    article: str = ""
    determined: str = ""
    preposition: str = ""
    group: int = -1
    sentence: str = ""  # the sentence around it, for comparisons by stated facts


@dataclass(frozen=True, slots=True)
class Frame:
    """The person's last question as understood: its standalone text and where its entities stand in it."""

    text: str
    language: str
    spans: tuple[tuple[int, int, str, str], ...] = ()  # start, end, entity, preposition: phrases with their articles


@dataclass(frozen=True, slots=True)
class Pending:
    """A question back that waits for its answer: the person's question, the expression, the options."""

    question: str
    start: int
    end: int
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Discourse:
    """The state between two turns."""

    messages: int = 0
    mentions: tuple[Mention, ...] = ()
    offered: tuple[str, ...] = ()  # the last list of alternatives, in the order in which they were named
    offered_at: int = -1  # the message that named them
    frame: Frame | None = None
    frame_at: int = -1
    pending: Pending | None = None
    recent: tuple[tuple[Role, str], ...] = field(default=())
    language: str = ""

    def to_json(self) -> str:
        """Return the discourse as versioned JSON."""
        return json.dumps({"version": VERSION, **asdict(self)}, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Discourse:
        """Return the discourse that *text* holds; an empty one for "" and for another version, which start afresh."""
        if not text:
            return cls()
        try:
            data: Mapping[str, Any] = json.loads(text)
            if not isinstance(data, dict) or data.get("version") != VERSION:
                return cls()
            return cls(
                messages=int(data["messages"]),
                mentions=tuple(
                    Mention(**{**m, "genders": tuple(m["genders"]), "numbers": tuple(m["numbers"])})
                    for m in data["mentions"]
                ),
                offered=tuple(data["offered"]),
                offered_at=int(data["offered_at"]),
                frame=_frame(data["frame"]),
                frame_at=int(data["frame_at"]),
                pending=Pending(**{**data["pending"], "options": tuple(data["pending"]["options"])})
                if data["pending"]
                else None,
                recent=tuple((role, words) for role, words in data["recent"]),
                language=str(data["language"]),
            )
        except (ValueError, KeyError, TypeError):
            # A discourse that cannot be read costs a pronoun its antecedent, never the turn.
            return cls()

    def with_message(self, role: Role, text: str, mentions: tuple[Mention, ...], language: str) -> Discourse:
        """Return the discourse after one more message; the oldest mentions and messages are dropped."""
        recent = (*self.recent, (role, text[:MESSAGE_LENGTH]))[-MESSAGES:]
        return replace(
            self,
            messages=self.messages + 1,
            mentions=(*self.mentions, *mentions)[-MENTIONS:],
            recent=recent,
            language=language,
        )


def _frame(data: Mapping[str, Any] | None) -> Frame | None:
    if not data:
        return None
    return Frame(
        str(data["text"]),
        str(data["language"]),
        tuple((int(a), int(b), str(e), str(p)) for a, b, e, p in data["spans"]),
    )

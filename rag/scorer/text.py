"""A question and the messages before it as the one text pair that the encoder reads, with a way back to offsets."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, get_args

from memory.types import Role, Status

QUESTION_LENGTH: Final = 400  # code points of the question that are read
HISTORY_LENGTH: Final = 900  # code points of the messages before it, the newest; some 220 tokens
MESSAGES: Final = 8
STATUSES: Final[tuple[Status, ...]] = get_args(Status)  # in the order of the network's logits
_SURROGATES: Final = re.compile("[\ud800-\udfff]")  # halves of a character, which no tokenizer takes
_MARKS: Final[dict[Role, str]] = {"user": "U: ", "assistant": "A: "}


@dataclass(frozen=True, slots=True)
class Pair:
    """The two texts, and for each message its index in *history* and where it begins in ``second``.

    ``parts`` holds (message, start in ``second``, start in the message, end in the message) of what was kept.
    """

    first: str
    second: str
    parts: tuple[tuple[int, int, int, int], ...]

    def place(self, start: int, end: int) -> tuple[int, int, int] | None:
        """Return (message, start, end) in that message of ``second[start:end]``, None where it is a mark between."""
        for message, begin, first, last in self.parts:
            if begin <= start and end <= begin + last - first:
                return message, start - begin + first, end - begin + first
        return None

    def spans(self, message: int, start: int, end: int) -> tuple[int, int] | None:
        """Return where ``history[message][start:end]`` stands in ``second``, None where it was cut off."""
        for index, begin, first, last in self.parts:
            if index == message and first <= start and end <= last:
                return begin + start - first, begin + end - first
        return None


def pair(question: str, history: Sequence[tuple[Role, str]]) -> Pair:
    """Return *question* and the newest messages of *history*, oldest first, a mark before each.

    >>> pair("And its weight?", (("user", "What is the Ridge?"), ("assistant", "A radio."))).second
    'U: What is the Ridge? A: A radio.'
    """
    question = _SURROGATES.sub("\ufffd", question)
    history = [(role, _SURROGATES.sub("\ufffd", text)) for role, text in history]
    room = HISTORY_LENGTH
    kept: list[tuple[int, str, int, int]] = []
    for index in range(len(history) - 1, max(-1, len(history) - 1 - MESSAGES), -1):
        role, text = history[index]
        if room <= 0:
            break
        cut = max(0, len(text) - room)
        kept.append((index, _MARKS[role], cut, len(text)))
        room -= len(text) - cut + len(_MARKS[role])
    pieces: list[str] = []
    parts: list[tuple[int, int, int, int]] = []
    length = 0
    for index, mark, first, last in reversed(kept):
        opening = (" " if pieces else "") + mark
        pieces.append(opening + history[index][1][first:last])
        parts.append((index, length + len(opening), first, last))
        length += len(pieces[-1])
    return Pair(question[:QUESTION_LENGTH], "".join(pieces), tuple(parts))

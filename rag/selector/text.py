"""A question and a piece of a passage as the one text pair that the encoder reads."""

from __future__ import annotations

import re
from typing import Final

QUESTION_LENGTH: Final = 300  # code points
PIECE_LENGTH: Final = 420
HEADING_LENGTH: Final = 100
BEFORE_LENGTH: Final = 140
LONGEST: Final = 192  # tokens of both
_SURROGATES: Final = re.compile("[\ud800-\udfff]")


def piece(text: str, *, heading: str = "", label: str = "", before: str = "") -> str:
    """Return a piece with what stands above and before it, itself first: what is cut off is what it leans on.

    >>> piece("It weighs 2 kg.", heading="Tern 14 > Body", before="The lid is thin.")
    'It weighs 2 kg. | Tern 14 > Body | The lid is thin.'
    """
    parts = [_one_line(text)[:PIECE_LENGTH], _one_line(heading)[-HEADING_LENGTH:], _one_line(label)[:HEADING_LENGTH]]
    parts.append(_one_line(before)[-BEFORE_LENGTH:])
    return " | ".join(part for part in parts if part)


def asked(question: str) -> str:
    """Return *question* as it is read."""
    return _one_line(question)[:QUESTION_LENGTH]


def _one_line(text: str) -> str:
    return " ".join(_SURROGATES.sub("\ufffd", text).split())

"""What a person said, as data in a prompt: between two marks that nothing inside can close."""

from __future__ import annotations

import re
from typing import Final

_MARKS: Final = re.compile(r"<{3,}|>{3,}")


def unmarked(text: str) -> str:
    """Return *text* with a blank in place of each mark, so that what stands around one makes no other.

    >>> unmarked("<<<<<<a>>> <<>>><")
    ' a  << <'
    """
    return _MARKS.sub(" ", text)


def fenced(text: str) -> str:
    """Return *text* between the marks.

    >>> fenced("I live in Leeds.")
    '<<<\\nI live in Leeds.\\n>>>'
    """
    return f"<<<\n{unmarked(text)}\n>>>"

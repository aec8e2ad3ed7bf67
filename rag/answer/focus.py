"""Which part of a message is the question, and which of the things it names that part asks about."""

from __future__ import annotations

import re

from languages import sentences

_ASKING = re.compile(r"[?؟]\W*$")


def question_part(message: str) -> str:
    """Return the sentences of *message* that ask, else the last one; all of it where it is one sentence.

    >>> question_part("I carry a Ridge 4. What would the Ridge 5 cost?")
    'What would the Ridge 5 cost?'
    """
    spans = sentences(message)
    if len(spans) < 2:
        return message
    asking = [span.text for span in spans if _ASKING.search(span.text)]
    return " ".join(asking) if asking else spans[-1].text

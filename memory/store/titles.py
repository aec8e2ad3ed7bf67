"""What a conversation is called until it is renamed: its first question, shortened.  No model is asked."""

from __future__ import annotations

import re

TITLE_LENGTH = 80  # code points; a line of the sidebar shows about 30


def title_of(question: str) -> str:
    r"""Return the first line of a question as a title, cut between words.

    >>> title_of("Was kostet es?")
    'Was kostet es?'
    >>> title_of("Et  sa\ngarantie\u202f?")
    'Et sa garantie\u202f?'
    >>> len(title_of("word " * 40)) <= TITLE_LENGTH
    True
    """
    line = re.sub(r"[ \t\r\n\f\v]+", " ", question.strip())  # no-break spaces stay, as before a French "?"
    if len(line) <= TITLE_LENGTH:
        return line
    cut = line[: TITLE_LENGTH - 1]
    return cut[: cut.rfind(" ") if " " in cut[TITLE_LENGTH // 2 :] else len(cut)].rstrip() + "…"

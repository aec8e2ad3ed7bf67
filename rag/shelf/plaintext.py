"""Plain text to blocks.

It has no marks: headings are told by their form (underlined, in capitals, short lines that open a part).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rag.shelf.blocks import Draft, fact_of, join_wrapped

_RULE = re.compile(r"\s*([=\-_*~#])\1{2,}\s*")
_ITEM = re.compile(r"\s*(?:[-*+•–—▪‣]\s+)(?P<words>\S.*)", re.DOTALL)
_NUMBERED = re.compile(r"\s*\(?\d{1,3}[.)]\s+\S")
_CLOSED = re.compile(r"[.!?:;,،؛؟…][\"'»”)\]]*\s*\Z")
_LONGEST_HEADING = 70
_MOST_HEADING_WORDS = 9


def read_text(text: str) -> Draft:
    """Return the blocks of a plain text file."""
    draft = Draft()
    for paragraph in re.split(r"\n[ \t]*\n", text.replace("\r\n", "\n").replace("\r", "\n")):
        lines = [line for line in paragraph.split("\n") if line.strip()]
        _add_paragraph(lines, draft)
    return draft


def _add_paragraph(lines: Sequence[str], draft: Draft) -> None:
    kept = list(lines)
    if kept and _is_heading(kept, first=not draft.blocks):
        level = 1 if not draft.blocks else 2
        draft.add("heading", kept.pop(0).strip(), level=level)
        if kept and _RULE.fullmatch(kept[0]):
            kept.pop(0)
    for line in join_wrapped([line for line in kept if not _RULE.fullmatch(line)]):
        item = _ITEM.fullmatch(line)
        fact = fact_of(item["words"] if item else line)
        label = fact[0] if fact else ""
        if item:
            draft.add("item", item["words"], label=label)
        elif _NUMBERED.match(line):
            draft.add("item", line, label=label)
        else:
            draft.add("fact" if fact else "paragraph", line, label=label)


def _is_heading(lines: Sequence[str], *, first: bool) -> bool:
    line = lines[0].strip()
    if _ITEM.fullmatch(line) or _NUMBERED.match(line) or len(line) > _LONGEST_HEADING:
        return False
    if len(lines) > 1 and _RULE.fullmatch(lines[1]):
        return True
    if _CLOSED.search(line) or (fact_of(line) and not first):
        return False
    if len(line.split()) > _MOST_HEADING_WORDS + 3 * first:
        return False
    letters = [character for character in line if character.isalpha()]
    if letters and all(character.isupper() for character in letters):
        return True
    if len(lines) == 1:
        return bool(letters)
    # A short line over a longer one that starts anew: it was not broken for want of room.
    return len(line) < (0.75 if first else 0.6) * max(map(len, lines[1:])) and not lines[1].strip()[:1].islower()

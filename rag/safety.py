"""Text of people and documents made harmless: without what nobody sees, and fenced in a prompt."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from languages import clean

# Letters and marks that nobody sees, by their category letters and marks all the same: variation selectors, of which
# a run spells hidden bytes, the fillers of Korean and Khmer, the joiner of graphemes.
_UNSEEN: Final = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0]")
_MOST_KEPT: Final = 8192  # characters


class _Visible(dict[int, str]):
    """What is kept of each character: nothing of the category Cf, of which ``clean`` leaves joiners and some marks."""

    def __missing__(self, point: int) -> str:
        kept = "" if unicodedata.category(chr(point)) == "Cf" else chr(point)
        if len(self) < _MOST_KEPT:
            self[point] = kept
        return kept


_VISIBLE: Final = _Visible()
_RUN: Final = re.compile("<{3,}|>{3,}")


def without_controls(text: str) -> str:
    """Return *text* without characters that cannot be seen, that reorder others, or that carry hidden text.

    >>> without_controls("a\\u202eb\\u200bc\\U000e0041")
    'abc'
    """
    return _UNSEEN.sub("", clean(text).translate(_VISIBLE))


def fence(passages: Sequence[tuple[str, str]], nonce: str) -> str:
    """Return (label, text) pairs between markers made of *nonce*, which no text among them can close.

    Every run of the marker's own letters inside a text is broken up, though a nonce of 12 random letters is never met.

    >>> fence([("Passage 1 – a.md", "Red.")], "k3")
    '<<<k3 Passage 1 – a.md\\nRed.\\nk3>>>'
    """
    blocks = []
    for label, text in passages:
        inside = _unmarked(without_controls(text), nonce)
        head = " ".join(_unmarked(without_controls(label), nonce).split())
        blocks.append(f"<<<{nonce} {head}\n{inside}\n{nonce}>>>")
    return "\n\n".join(blocks)


def _unmarked(text: str, nonce: str) -> str:
    """Return *text* without the marker; a blank stands for it, so that what is around it makes no new one."""
    text = re.sub(re.escape(nonce), " ", text, flags=re.IGNORECASE)
    return _RUN.sub(lambda run: " ".join(run[0]), text)

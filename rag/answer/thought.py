"""What a chat model says, without what it thinks aloud before: ``<think>…</think>`` at the head of an answer."""

from __future__ import annotations

from typing import Final

_OPENS: Final = "<think>"
_CLOSES: Final = "</think>"


class Answering:
    """An answer as it comes in pieces."""

    def __init__(self) -> None:
        self._held = ""  # may still turn out to be the mark before, or after, what is thought
        self._thinks: bool | None = None  # None until its first sign is known
        self.said = False

    def feed(self, piece: str) -> str:
        r"""Return what of *piece*, and of what was held back, is said.

        >>> answering = Answering()
        >>> [answering.feed(piece) for piece in ("\n<th", "ink>Hm", "m</thi", "nk>\n\n", "Red", ".")]
        ['', '', '', '', 'Red', '.']
        """
        if self._thinks is False and self.said:
            return piece
        self._held += piece
        if self._thinks is None:
            begin = self._held.lstrip()
            if len(begin) < len(_OPENS) and _OPENS.startswith(begin):
                return ""
            self._thinks = begin.startswith(_OPENS)
            if not self._thinks:
                return self._say(self._held)
        if self._thinks:
            _, closed, after = self._held.partition(_CLOSES)
            if not closed:
                self._held = self._held[-len(_CLOSES) :]
                return ""
            self._thinks, self._held = False, after
        return self._say(self._held.lstrip())

    def end(self) -> str:
        """Return what was held back and is said, now that nothing more comes."""
        return "" if self._thinks else self._say(self._held)

    def _say(self, text: str) -> str:
        self._held = ""
        self.said = self.said or bool(text.strip())
        return text

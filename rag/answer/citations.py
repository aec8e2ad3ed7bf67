"""Citation markers of a chat model's answer, checked while it streams.

Pieces of any size go in, safe pieces come out: markers in any of their forms become ``[n]``, those of no passage
vanish, code stays as it is, and what would make a page fetch, link or run something becomes plain text.  What may yet
become one of these is held back, never more than a few hundred characters.

What this does not do: escape for display (``rag/safety.py``, and the page).
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

# Held back at most; a longer "marker" or "link" is none, and goes out as text.
MOST_HELD: Final = 400

_MARKER: Final = re.compile(r"\s*\[\d+\]")
_DROPPED: Final = "\0"  # what a marker of no passage becomes
_CLOSING: Final = tuple(".,;:!?؟،؛…)\n")
_OPEN: Final = {"[": "]", "【": "】", "［": "］", "〔": "〕", "〖": "〗"}
# A number, also as models name one that were taught to: 【4:0†source】.
_NUMBER: Final = r"\^?(\d{1,4})(?::\d{1,4})?(?:†[^,;†\n]{0,40})?"
_NUMBERS: Final = re.compile(rf"\s*{_NUMBER}(?:\s*(?:[,;،؛、–-]|\s)\s*{_NUMBER})*\s*\Z")
_TAG: Final = re.compile(r"</?[A-Za-z!?]")
_SCHEME: Final = re.compile(r"(?:javascript|vbscript|data)\s*:", re.IGNORECASE)
_HELD_SCHEMES: Final = ("javascript", "vbscript", "data")


class CitationChecker:
    """Checks one streamed answer: ``feed`` its pieces, then ``end`` it once.

    ``cited`` are the numbers kept, in the order of their first use.
    """

    def __init__(self, passages: int) -> None:
        self._passages = passages
        self._held = ""
        self._line = ""  # what went out of the current line, to know its head
        self._code = ""  # the run of ` or ~ that opened the code we are in, "" outside
        self._gap = ""  # blanks that wait: before a dropped marker and a full stop they go too
        self._dropped = False
        self.cited: list[int] = []

    def feed(self, piece: str) -> str:
        """Return what is safe to show of the answer now that *piece* has come."""
        self._held += piece
        return self._drain(final=False)

    def end(self) -> str:
        """Return what was still held back."""
        out = self._drain(final=True)
        self._gap = ""
        return out.rstrip() if out.isspace() else out

    def _drain(self, *, final: bool) -> str:
        out: list[str] = []
        while self._held:
            taken, text = self._step(final)
            if not taken:
                break
            self._held = self._held[taken:]
            self._put(out, text)
        return "".join(out)

    def _step(self, final: bool) -> tuple[int, str]:
        """Return how many held characters are settled and what they become; 0 where more must come."""
        first = self._held[0]
        if first in "`~":
            return self._ticks(final)
        if self._code:
            return 1, first
        if first in _OPEN:
            return self._bracket(final)
        if first == "]":
            return self._tail(final)
        if first == "!" and (len(self._held) > 1 or not final):
            return self._image(final)
        if first == "<":
            return self._tag(final)
        if first in "jJvVdD":
            return self._scheme(final)
        return 1, first

    def _ticks(self, final: bool) -> tuple[int, str]:
        """Settle a run of ` or ~: it closes the code we are in, opens a block, or begins a span that closes.

        A run that opens nothing must not: Markdown would read on as text, images and all.
        """
        first = self._held[0]
        run = len(self._held) - len(self._held.lstrip(first))
        waiting = not final and len(self._held) < MOST_HELD
        if run == len(self._held) and waiting:
            return 0, ""
        ticks = first * run
        if self._code:
            if run >= len(self._code) and first == self._code[0]:
                self._code = ""
            return run, ticks
        line, newline, _ = self._held[run:].partition("\n")
        if run >= 3 and not self._line.strip(" ") and len(self._line) < 4:
            if not newline and waiting and "`" not in line:
                return 0, ""
            if newline and "`" not in line:
                self._code = ticks
                return run, ticks
        if first == "~":
            return run, ticks
        close = re.search(rf"(?<!`)`{{{run}}}(?!`)", line)
        if close is None or (close.end() == len(line) and not newline and waiting):
            return (0, "") if not newline and waiting else (run, ticks)
        return run + close.end(), ticks + line[: close.end()]

    def _bracket(self, final: bool) -> tuple[int, str]:
        close = self._held.find(_OPEN[self._held[0]])
        if close < 0 or close > MOST_HELD:
            waiting = len(self._held) < MOST_HELD and not final and "\n\n" not in self._held
            return (0, "") if waiting else (1, self._held[0])
        inside = self._held[1:close]
        if "[" in inside:  # the inner one is looked at by itself
            return 1, self._held[0]
        if _NUMBERS.match(inside):
            return self._number(close, inside, final)
        if self._held[0] != "[":
            return 1, self._held[0]
        return self._link(close, inside, final)

    def _number(self, close: int, inside: str, final: bool) -> tuple[int, str]:
        """Return a marker; never as a link ("[1](http://…)") nor as a definition ("[1]: …" at the head of a line)."""
        after = self._held[close + 1 : close + 2]
        if not after and not final:
            return 0, ""
        if after == "(":
            end = self._held.find(")", close)
            if end < 0 and not final and len(self._held) < MOST_HELD:
                return 0, ""
            return (end + 1 if end > 0 else close + 2), self._marker(inside)
        if after == ":" and not self._line.strip():
            return close + 2, self._marker(inside)
        return close + 1, self._marker(inside)

    def _link(self, close: int, inside: str, final: bool) -> tuple[int, str]:
        """Return a link's words without its address; other brackets as they are."""
        after = self._held[close + 1 : close + 2]
        if not after and not final:
            return 0, ""
        if after not in ("(", "[", ":"):
            return 1, "["
        if after == ":":
            return close + 2, f"{inside}:"
        end = self._held.find(")" if after == "(" else "]", close + 2)
        if end < 0:
            if len(self._held) < MOST_HELD and not final:
                return 0, ""
            return close + 2, inside  # an address that never ends is dropped with its bracket
        if after == "[" and _NUMBERS.match(self._held[close + 2 : end]):
            return 1, "["  # "[note][1]": a marker comes
        return end + 1, inside

    def _tail(self, final: bool) -> tuple[int, str]:
        """Return what closes a bracket that held others ("[![a](…)](…)"), without the address behind it."""
        after = self._held[1:2]
        if not after and not final:
            return 0, ""
        if after != "(":
            return 1, "]"
        end = self._held.find(")")
        if end < 0 and not final and len(self._held) < MOST_HELD:
            return 0, ""
        return (end + 1 if end > 0 else 2), "]"

    def _image(self, final: bool) -> tuple[int, str]:
        if len(self._held) == 1:
            return (1, "!") if final else (0, "")
        if self._held[1] != "[":
            return 1, "!"
        close = self._held.find("]")
        if (
            close >= 0
            and _NUMBERS.match(self._held[2:close])
            and self._held[close + 1 : close + 2] not in ("", "(", "[")
        ):
            return 1, "!"  # "Great![1] …"
        if close >= 0 and final and _NUMBERS.match(self._held[2:close]) and close + 1 == len(self._held):
            return 1, "!"
        held, rest = self._held, self._held[1:]
        self._held = rest
        taken, text = self._bracket(final)
        self._held = held
        if taken == 0:
            return 0, ""
        return (2, "") if taken == 1 else (taken + 1, text)

    def _tag(self, final: bool) -> tuple[int, str]:
        if len(self._held) < 3 and not final:
            return 0, ""
        if not _TAG.match(self._held):
            return 1, "<"
        return 1, "‹"  # shown, and never HTML

    def _scheme(self, final: bool) -> tuple[int, str]:
        if self._line[-1:].isalnum():
            return 1, self._held[0]
        match = _SCHEME.match(self._held)
        if match:
            return match.end(), match[0].rstrip(" :\t\n") + " "
        word = self._held.lower()
        may_come = any(name.startswith(word) or (word.rstrip() == name and len(word) < 20) for name in _HELD_SCHEMES)
        return (0, "") if may_come and not final else (1, self._held[0])

    def _marker(self, inside: str) -> str:
        numbers: list[int] = []
        for digits in re.findall(_NUMBER, inside):
            number = int("".join(str(unicodedata.decimal(digit)) for digit in digits))
            if 1 <= number <= self._passages and number not in numbers:
                numbers.append(number)
        self.cited.extend(number for number in numbers if number not in self.cited)
        return "".join(f"[{number}]" for number in numbers) or _DROPPED

    def _put(self, out: list[str], text: str) -> None:
        """Add *text*; blanks wait, so that those before a dropped marker go with it."""
        if text == _DROPPED:
            self._dropped = True
            return
        if not text:
            return
        if text.isspace() and "\n" not in text and not self._code:
            if not (self._dropped and self._gap):
                self._gap += text
            if len(self._gap) < MOST_HELD:
                return
            text = ""
        if self._dropped and text[:1] in _CLOSING:
            self._gap = ""
        self._dropped = False
        shown = self._gap + text
        self._gap = ""
        out.append(shown)
        self._line = (self._line + shown).rpartition("\n")[2][-80:]


def check(text: str, passages: int) -> tuple[str, tuple[int, ...]]:
    """Return a whole answer as ``CitationChecker`` lets it through, and the passages it cites.

    >>> check("It weighs 1 kg【２】, costs €9 [1, 7] and is red [9].", 3)
    ('It weighs 1 kg[2], costs €9 [1] and is red.', (2, 1))
    """
    checker = CitationChecker(passages)
    out = checker.feed(text) + checker.end()
    return out, tuple(checker.cited)


def without_markers(text: str) -> str:
    """Return *text* without its citation markers.

    >>> without_markers("It weighs 2 kg. [1]")
    'It weighs 2 kg.'
    """
    return _MARKER.sub("", text)

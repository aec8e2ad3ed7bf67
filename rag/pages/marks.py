"""Text of people, documents and models made ready for Streamlit's Markdown, where it is data and nothing else.

``plain`` shows a text as it stands.  ``rich`` leaves an answer its emphasis, lists and tables and takes away what
could fetch, link, compute or restyle: images, links, HTML, formulas, directives such as ``:red[...]``.
"""

from __future__ import annotations

import re
from typing import Final

from rag.pages.direction import Direction

_SPECIAL: Final = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>~$:=^&\"'])")
# Controls, tag characters, zero-width and bidi characters: invisible, and able to reorder what is visible.
_INVISIBLE: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\U000e0000-\U000e007f]"
)
_ACTIVE: Final = re.compile(r"([<$&]|!(?=\[)|(?<=\])\(|(?<=\])\[|(?<=\]):|:(?=[\w+/-]*[:\[/\w]))")
_CODE: Final = re.compile(r"(```.*?(?:```|\Z)|`[^`\n]+`)", re.DOTALL)

# A number with its sign, unit or currency, kept together: "40 %", "1 199 €", "$1,199", "−5 °C".
_QUANTITY: Final = re.compile(
    r"""
    (?:[$€£¥]\s?)?
    [-+−]?\d+(?:[.,٫٬:/\u00a0\u202f-]\d+)*
    (?:[\s\u00a0\u202f]?(?:%|٪|[$€£¥]|°[CF]?))?
    """,
    re.VERBOSE,
)


def visible(text: str) -> str:
    """Return *text* without the characters that cannot be seen or that reorder the others."""
    return _INVISIBLE.sub("", text)


def plain(text: str) -> str:
    r"""Return *text* so that Markdown shows it as it stands; line breaks stay.

    >>> plain("![x](http://host/?q=1) costs $5")
    '\\!\\[x\\]\\(http\\:\\/\\/host/?q\\=1\\) costs \\$5'
    """
    escaped = _SPECIAL.sub(r"\\\1", visible(text)).replace("//", r"\/\/")
    first, *others = escaped.split("\n")
    if first != first.lstrip():  # four spaces would make it code
        first = f" {first.lstrip()}"
    return "  \n".join((first, *(line.strip() for line in others)))


def rich(text: str) -> str:
    r"""Return an answer's Markdown with all that acts taken away.

    >>> rich("**Yes**: ![x](http://host) :red[no] $a$ <b>")
    '**Yes**: \\![x]\\(http\\://host) \\:red[no] \\$a\\$ \\<b>'
    """
    parts = _CODE.split(visible(text))
    return "".join(part if place % 2 else _ACTIVE.sub(r"\\\1", part) for place, part in enumerate(parts))


def isolate(text: str, way: Direction) -> str:
    """Return *text* with each quantity kept in one piece where lines run right to left.

    >>> isolate("خصم 40%", "rtl") == "خصم \\u206640%\\u2069"
    True
    """
    if way == "ltr":
        return text
    return _QUANTITY.sub(lambda found: f"\u2066{found.group()}\u2069", text)

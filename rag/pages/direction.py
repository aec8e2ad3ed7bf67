"""Which way a message runs, decided message by message: a page in one script shows questions in another.

Streamlit gives the browser no ``dir`` for a message, and the browser's own guess (the first strong letter) sends
"iPhone 15 أفضل من Galaxy A55." to the left.  So the share of right-to-left letters decides.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final, Literal

Direction = Literal["ltr", "rtl"]

# What says nothing about a message's own script: fenced and inline code, links and addresses, citation marks.
_FOREIGN: Final = re.compile(
    r"""
      ```.*?(?:```|\Z)               # a fenced block, also one still being written
    | `[^`\n]*`                      # inline code
    | (?<=\])\([^()\s]*\)            # the target of a Markdown link
    | \b(?:https?://|www\.)\S+       # "https://shop.example/x"
    | \b[\w.+-]+@[\w-]+\.[\w.-]+     # "desk@shop.example"
    | [\[【]\s*\d+(?:\s*,\s*\d+)*\s*[\]】]  # "[1, 2]"
    """,
    re.VERBOSE | re.DOTALL,
)
# A name in Latin letters says little about an Arabic sentence: "كم سعر MacBook Pro 14 Max؟".
_LATIN_NAME: Final = re.compile(r"\b(?=\w*[A-Z0-9])[A-Za-z0-9][\w-]*\b")

# Arabic sentences about products hold many Latin names; Latin sentences that quote Arabic hold one word.
_RTL_SHARE: Final = 0.3
_RTL_SHARE_BESIDE_NAMES: Final = 0.6


def _share(text: str) -> float | None:
    """Return the share of right-to-left letters among the letters of strong direction, None where there are none."""
    strong = [unicodedata.bidirectional(letter) for letter in text]
    right = sum(kind in ("R", "AL") for kind in strong)
    left = sum(kind == "L" for kind in strong)
    return right / (right + left) if right + left else None


def direction(text: str, otherwise: Direction = "ltr") -> Direction:
    """Return the direction of a message, *otherwise* where no letter decides.

    >>> direction("iPhone 15 أفضل من Galaxy A55.")
    'rtl'
    >>> direction("What does مرحبا mean in English?")
    'ltr'
    >>> direction("14 / 15 [1]", otherwise="rtl")
    'rtl'
    """
    words = _FOREIGN.sub(" ", text)
    share = _share(words)
    if share is None:
        return otherwise
    if share >= _RTL_SHARE:
        return "rtl"
    beside_names = _share(_LATIN_NAME.sub(" ", words))
    return "rtl" if beside_names is not None and beside_names >= _RTL_SHARE_BESIDE_NAMES else "ltr"

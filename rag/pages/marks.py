"""Text of people, documents and models made ready for Streamlit's Markdown, where it is data and nothing else.

``plain`` shows a text as it stands.  ``rich`` leaves an answer its emphasis, lists and tables and takes away what
could fetch, link, compute or restyle: images, links, HTML, formulas, directives such as ``:red[...]``.
"""

from __future__ import annotations

import re
from typing import Final

from languages import Language
from rag.pages.direction import Direction, direction
from rag.safety import without_controls

_SPECIAL: Final = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>~$:=^&\"'])")
_ACTIVE: Final = re.compile(r"([<$&]|!(?=\[)|(?<=\])\(|(?<=\])\[|(?<=\]):|:(?=[\w+/-]*[:\[/\w]))")
# Markdown makes links of bare addresses, escaped or not; an invisible joiner within them keeps them text.
_ADDRESS: Final = re.compile(r"\b(https?:|ftp:|mailto:|xmpp:|www)(?=[/.\w])|(?<=[\w.+-])(?=@[\w-]+\.)", re.IGNORECASE)
_JOINER: Final = "\u2060"
_BREAKS: Final = re.compile(r"[\t\r\n]+")
_CODE: Final = re.compile(r"(```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|`[^`\n]+`)", re.DOTALL)
# A fence's name can make a diagram of what it holds ("mermaid"), with links of its own.
_FENCE: Final = re.compile(r"\A(```+|~~~+)[^\n]*")

# A telephone number with its groups of figures: "+49 30 1234", "(030) 12 34 56", "04 65 71 23 55", "920 012 345".
# Not two years side by side, and no amount of money; a date may be one, which does no harm.
_TELEPHONE: Final = r"""
      (?<![\w.,:/-])
      (?: \+\d{1,4} | \(\+?\d{1,5}\) | 0\d{1,5}
        | \d{1,4}(?=[ \u00a0\u202f\u2011-]\d{2,4}[ \u00a0\u202f\u2011-]\d{2,4})  # without a zero: three groups
      )
      (?:(?:[ \u00a0\u202f\u2011.-]|[ \u00a0]?/[ \u00a0]?)(?:\d{2,}|\(0\)[ \u00a0]?\d{2,}|\(\d{2,5}\)))++
      (?![\w%]|[.,:/-]\d|[ \u00a0\u202f]?[$€£¥%])
"""
_PARTS: Final = re.compile(_TELEPHONE, re.VERBOSE)
_UNBROKEN: Final = {ord(" "): "\u00a0", ord("-"): "\u2011"}
# Spaces at which no line ends: before the mark of a citation ("[1]"), and as French has them ("Combien ?", "« oui »").
_NEVER_LAST: Final = re.compile(r"(?<=[^\s|]) (?=\[\d+\])|(?<=\w) (?=[?!;:»](?:\s|\Z))|(?<=«) (?=\S)")

# What a line from right to left would tear apart: a name in Latin letters with its number ("Veltara 13 Pro"), and a
# number with its sign, separators, unit or currency ("40%", "1 199 €", "+49 30 1234", "08:30–18:00").
_LEFT_TO_RIGHT: Final = re.compile(
    rf"""
      (?:\b(?:https?:|www\.?)\u2060?[./]|[\w.+-]+\u2060?@)[\w./?&=%~:\u2060-]*[\w/]  # an address is in one piece
    | [A-Za-z](?:[\w.'’+-]*[\w+])?(?:[ \u00a0\u202f][A-Za-z0-9](?:[\w.'’+-]*[\w+])?)*
    | {_TELEPHONE}
    | (?:[$€£¥][ \u00a0]?)?[-+−]?\d+(?:[.,٫٬:/\u00a0\u202f\u2011–-]\d+)*
      (?:[ \u00a0\u202f]?(?:%|٪|[$€£¥]|°[CF]?)|[ \u00a0\u202f]?[A-Za-z]{{1,6}}(?:/[a-z]+)?\b)?
    """,
    re.VERBOSE | re.ASCII,
)
# A quotation in another script than the line's, in one piece: "„Der Schutz kostet 5,99 € im Monat.“".
_QUOTED: Final = re.compile(r"(?<=[«“„])(?=[\W\d_]*[^\W\d_])[^«»“”„\u0590-\u08ff\n]+(?=[»”“])")
# What a line from left to right would tear apart: from the first letter to the last that runs from right to left, with
# the numbers between them and the full stop after them ("سعره 4,199 ريالًا."), but not the mark of a citation.
_RIGHT_TO_LEFT: Final = re.compile(r"[\u0590-\u08ff](?:[^\n\[\]«»“”„]*[\u0590-\u08ff])?(?:[.!](?=\s|[»”“]|\Z))?")


def whole(text: str) -> str:
    r"""Return *text* with no-break spaces where no line may end: in telephone numbers, before marks.

    >>> whole("Call +49 30 1234. [1]")
    'Call +49\xa030\xa01234.\xa0[1]'
    """
    kept = _PARTS.sub(lambda found: found.group().translate(_UNBROKEN), text)
    return _NEVER_LAST.sub("\u00a0", kept)


def _unlinked(text: str) -> str:
    return _ADDRESS.sub(lambda found: f"{found.group()}{_JOINER}", text)


def plain(text: str, way: Direction | None = None) -> str:
    r"""Return *text* so that Markdown shows it as it stands, in a line of direction *way* if known; line breaks stay.

    >>> plain("![x](http://host/?q=1) costs $5")
    '\\!\\[x\\]\\(http\\:\u2060//host/?q\\=1\\) costs \\$5'
    """
    escaped = _SPECIAL.sub(r"\\\1", isolate(whole(_unlinked(without_controls(text))), way))
    first, *others = escaped.split("\n")
    if first != first.lstrip():  # four spaces would make it code
        first = f" {first.lstrip()}"
    return "  \n".join((first, *(line.lstrip() for line in others)))


def apart(texts: Language, text: str) -> str:
    r"""Return *text* as ``plain`` does, as one part of a line of *texts*: on one line, and in its own direction.

    >>> from languages import load
    >>> apart(load("en"), "a\n*b*") == "\u2068a \\*b\\*\u2069"
    True
    """
    line = _BREAKS.sub(" ", text)
    return f"\u2068{plain(line, direction(line, texts.direction))}\u2069"


def rich(text: str, way: Direction | None = None) -> str:
    r"""Return an answer's Markdown with all that acts taken away.

    >>> rich("**Yes**: ![x](http://host) :red[no] $a$ <b>")
    '**Yes**: \\![x]\\(http:\u2060//host) \\:red[no] \\$a\\$ \\<b>'
    """
    parts = _CODE.split(without_controls(text))
    return "".join(
        _FENCE.sub(r"\1", part) if place % 2 else _ACTIVE.sub(r"\\\1", isolate(whole(_unlinked(part)), way))
        for place, part in enumerate(parts)
    )


def isolate(text: str, way: Direction | None) -> str:
    r"""Return *text* with what runs against a line of direction *way* in one piece each: names, quantities, quotations.

    >>> isolate("خصم 40% على Veltara 13.", "rtl")
    'خصم \u206640%\u2069 على \u2066Veltara 13\u2069.'
    >>> isolate("Veltara 13: خصم 40%. [1]", "ltr")
    'Veltara 13: \u2067خصم\u2069 40%. [1]'
    """
    if way is None:
        return text
    if way == "ltr":
        return _RIGHT_TO_LEFT.sub("\u2067\\g<0>\u2069", text)
    pieces, end = [], 0
    for quoted in _QUOTED.finditer(text):
        pieces += [_LEFT_TO_RIGHT.sub(_isolated, text[end : quoted.start()]), f"\u2066{quoted.group()}\u2069"]
        end = quoted.end()
    return "".join((*pieces, _LEFT_TO_RIGHT.sub(_isolated, text[end:])))


def _isolated(found: re.Match[str]) -> str:
    # A bare number needs nothing, and may be the marker of a list.
    return found.group() if found.group().isdigit() else f"\u2066{found.group()}\u2069"

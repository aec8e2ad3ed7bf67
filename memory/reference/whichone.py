"""Which one, after "Which battery does the X1 take?": one of what the last question asked for."""

from __future__ import annotations

from languages.text import fold
from memory.reference.analysis import Analysis, analyse
from memory.reference.ellipsis import opened
from memory.reference.expression import Expression
from memory.reference.phrases import Phrase
from memory.reference.state import State
from memory.types import Link

_ASKS = "interrogative"


def which_one(state: State, expression: Expression) -> Link | None:
    """Return the link of "which one" to the noun of the last question; None where alternatives were named since.

    The message goes on asking ("And …", "Et …"), so that the noun is what both questions are about.
    """
    analysis, discourse = state.analysis, state.discourse
    frame, word = discourse.frame, analysis.words[expression.first]
    if frame is None or frame.language != analysis.tongue.code:
        return None
    if not _is_which(analysis, expression) or not opened(analysis):
        return None
    if discourse.messages - discourse.frame_at > 2 or discourse.offered_at >= discourse.frame_at:
        return None
    asked = analyse(frame.text, frame.language, state.catalogs)
    phrase = next((p for p in asked.phrases if p.determined == _ASKS and p.noun and not p.name), None)
    if phrase is None or phrase.first == phrase.last:
        return None
    words = _worded(asked, phrase, word.text if analysis.tongue.determiners.get(word.key) else "")
    if expression.attached is not None:
        words = _led(analysis, expression.attached.stem) + words
    anchor = (expression.start, expression.end)
    text = analysis.text[expression.start : expression.end]
    return Link(text, anchor, (phrase.entity,), *anchor, words, ("ellipsis_new_entity",))


def _is_which(analysis: Analysis, expression: Expression) -> bool:
    tongue = analysis.tongue
    if expression.attached is not None:  # أيها
        stem = expression.attached.stem
        return tongue.has("which", fold(stem.removeprefix(_led(analysis, stem))))
    return expression.kind == "both" and tongue.asks(analysis.words[expression.first].key)


def _led(analysis: Analysis, stem: str) -> str:
    """Return the conjunction written on a word: «و» of «وأي»."""
    return stem[:1] if stem[:1] in analysis.tongue.grammar.prefixes and len(stem) > 2 else ""


def _worded(asked: Analysis, phrase: Phrase, which: str) -> str:
    """Return the noun phrase that was asked for: with *which* in place of its own determiner, if that is given."""
    own = asked.text[phrase.start : phrase.end]
    rest = asked.text[asked.words[phrase.first + 1].start : phrase.end]
    return f"{which} {rest}" if which else own[:1].lower() + own[1:]

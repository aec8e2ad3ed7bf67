"""The expressions of a question that refer by what the scorer read: those of the rules, else words by themselves."""

from __future__ import annotations

from typing import Final

from languages.text import fold
from memory.reference.binding import bound
from memory.reference.expression import CHOICES, Expression, is_identity, sort_of, span_of
from memory.reference.pronouns import pronoun_at
from memory.reference.reading import Place, Reading
from memory.reference.referring import idiom_spans
from memory.reference.state import State

# Set with the bounds of learned.py.
EVIDENT: Final = 0.9  # probability of "resolved" from which the form of what refers is not asked
REFERS: Final = 0.5
COVER: Final = 0.8
CERTAIN: Final = -0.3  # log probability from which a span is believed before anything else
LIKELY: Final = -1.5  # the same for the kind of thing of which another is named: "the one from Lenovo"
CHOSEN: Final = CHOICES | {"one"}
_FEW: Final = 4  # words of an expression whose form is not asked, at most


def referring(state: State, reading: Reading) -> list[Expression]:
    """Return the expressions of the question that refer by the scorer, as the rules see them or else by themselves."""
    expressions = [e for e in state.expressions if e.kind not in CHOSEN]
    found = [e for e in expressions if reading.refers(e.start, e.end) > REFERS]
    open_ = [e for e in found if bound(state.analysis, e, state.analysis.tongue) is None]
    written = [e for e in found if e.attached is not None and reading.resolved > EVIDENT]  # "the fees of its licence"
    return open_ or [e for e in written if reading.refers(e.start, e.end) > COVER] or _tagged(state, reading)


def choosing(state: State, reading: Reading) -> list[Expression]:
    """Return the choices whose one alternative the scorer is sure of, though no order and no fact tells it."""
    found = [e for e in state.expressions if e.kind in CHOSEN and reading.refers(e.start, e.end) > REFERS]
    pointed = [(e, reading.pointer(e.start, e.end).best()) for e in found]
    return [e for e, best in pointed if best is not None and best[1] > (LIKELY if e.kind == "one" else CERTAIN)]


def pointed_words(state: State, place: Place) -> str:
    """Return the words at *place* of the messages, folded."""
    message, start, end = place
    return fold(state.discourse.recent[message][1][start:end])


def _tagged(state: State, reading: Reading) -> list[Expression]:
    """Return the words that refer by the scorer alone, as one expression: whole words, no verb, no choice.

    Where it is sure of them and of what they mean, their form is not asked: typed in haste, in another language.
    """
    analysis = state.analysis
    words = [w.index for w in analysis.words if reading.refers(w.start, w.end) > REFERS]
    if not words or words[-1] - words[0] >= len(words) + 1:
        return []
    start, end = span_of(analysis, words[0], words[-1])
    inner = analysis.words[words[0] : words[-1] + 1]
    best = reading.pointer(start, end).best()
    sure = reading.resolved > EVIDENT and best is not None and best[1] > CERTAIN and len(inner) <= _FEW
    sure = sure and not analysis.tongue.grammar.attached_pronouns
    cut = analysis.text[max(0, start - 1) : start] == "-" or analysis.text[end : end + 1] == "-"
    tongue, last = analysis.tongue, inner[-1]
    pronominal = last.key in tongue.pronouns or (len(inner) == 1 and last.key in tongue.determiners)  # "Ist das gut?"
    nominal = tongue.may_be_noun(last.key) or pronominal or tongue.has("ones", last.key) or last.number
    verbs = not nominal and not (last.capital and not last.opens) and not analysis.tongue.grammar.letters_folded
    verbs = verbs or any(tongue.is_verb(w.key) for w in inner)
    asked = analysis.tongue.has("question_words", inner[0].key)
    chosen = any(e.kind in CHOSEN and e.start < end and start < e.end for e in state.expressions)
    opens = (
        inner[0].key in tongue.determiners or inner[0].key in tongue.pronouns or tongue.hooks.is_definite(inner[0].text)
    )
    idiom = any(first < end and start < last_ for first, last_ in idiom_spans(analysis))
    spans = [p.name for p in analysis.phrases if p.name and p.start < end and start < p.end]
    there = pointed_words(state, best[0]) if best is not None and best[1] > CERTAIN else ""
    named = any(fold(name) not in there.split() for name in spans)  # "the Pro" of the Vantek Pro 500
    own = any(tongue.has("first_persons", w.key) for w in inner)
    # "of the two", "out of one": the words that refer have no preposition, and a bare "one" is any.
    loose = tongue.has("prepositions", inner[0].key) and inner[0].key not in tongue.determiners
    loose = loose or (len(inner) == 1 and tongue.has("ones", last.key) and not opens)
    if loose or cut or asked or chosen or named or own or (not sure and (verbs or idiom or not opens)):
        return []
    pronoun = pronoun_at(analysis, inner[0], told=True) if len(inner) == 1 else None
    if pronoun is None and opens and is_identity(analysis, words[0]):
        return []
    sort = sort_of(analysis, words[0], last.text) if pronoun is None else ""
    return [pronoun or Expression("demonstrative", words[0], words[-1], start, end, sort=sort)]

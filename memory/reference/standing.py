"""What stands at a place in the messages, as something that can be meant: known or not, one or side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from languages.grammar import DEFINITE
from languages.text import fold
from memory.reference.analysis import analyse
from memory.reference.candidates import Antecedent, contradicts
from memory.reference.discourse import Mention
from memory.reference.expression import Expression
from memory.reference.lists import listed, parted
from memory.reference.observe import mentions_of
from memory.reference.phrases import Phrase
from memory.reference.reading import Place
from memory.reference.state import State

POINTED: Final = -3.0  # log probability of start and end together, at least
_OPTIONS: Final = 4
_PARTED: Final = 1_000_000  # the group of what was taken apart: side by side with nothing else


def options_of(state: State) -> tuple[tuple[Antecedent, ...], bool]:
    """Return what the newest list offers, with what it says of each, and whether it is written as a list."""
    items, formal = listed(state.analysis, state.discourse)
    found: list[Antecedent] = []
    for item in items:
        message, start, end = item.place
        over = [
            a
            for a in state.known
            if a.named and any(at == message and start <= first < end for at, first, _ in state.places[a.entity])
        ]
        best = max(over, key=lambda a: (any(m.known for m in a.mentions), len(a.entity)), default=None)
        if best is not None and not any(m.known for m in best.mentions) and 2 * len(best.entity) < end - start:
            best = None  # "the coach from Mere Street" is no street
        meant = best or standing(state, item.place)
        if meant is None:
            return (), False
        found.append(replace(meant, mentions=(*meant.mentions, replace(meant.last, sentence=item.part))))
    return (tuple(found), formal) if len({a.entity for a in found}) == len(found) else ((), False)


def grouped(found: Antecedent, known: Sequence[Antecedent]) -> tuple[Antecedent, ...]:
    """Return what was named side by side with *found*, itself among it, in order."""
    groups = {m.group for m in found.mentions if m.group >= 0}
    return tuple(a for a in known if a.named == found.named and groups & {m.group for m in a.mentions})


def coordinated(state: State, expression: Expression) -> tuple[Antecedent, ...]:
    """Return what stands side by side in the span that the scorer points at: "rock wool and cork boards"; () if one."""
    best = state.reading.pointer(expression.start, expression.end).best() if state.reading is not None else None
    if best is None or best[1] < POINTED:
        return ()
    message, start, end = best[0]
    text = state.discourse.recent[message][1][start:end]
    pieces = parted(text, state.analysis.tongue)
    if not 2 <= len(pieces) <= _OPTIONS or (expression.count and abs(expression.count) != len(pieces)):
        return ()
    places = [(message, start + first, start + last) for first, last in pieces]
    found = [standing(state, place, plainly=True) for place in places]
    whole = [a for a in found if a is not None and fold(a.entity) not in state.named_here]
    return tuple(whole) if len({a.entity for a in whole}) == len(pieces) else ()


def all_listed(state: State, several: Sequence[Antecedent]) -> tuple[Antecedent, ...]:
    """Return the whole list of which *several* are a part: a plural means all three, though one has a strange name."""
    items, _ = options_of(state)
    held = [any(fold(a.entity) in fold(item.entity) for item in items) for a in several]
    return items if held and all(held) and len(items) > len(several) else tuple(several)


def one_of(state: State, expression: Expression, found: Antecedent) -> tuple[Antecedent, ...]:
    """Return the parts of *found*, two side by side, that a singular can mean; *found* itself where it is one thing."""
    tongue, text = state.analysis.tongue, found.entity
    if "s" not in expression.numbers or expression.numbers & {"p", "d"} or any(m.known for m in found.mentions):
        return (found,)
    pieces = parted(text, tongue)
    if not 2 <= len(pieces) <= _OPTIONS:
        return (found,)
    parts: list[Antecedent] = []
    for first, last in pieces:
        said = text[first:last]
        analysis = analyse(said, tongue.code, state.catalogs)
        mentions = mentions_of(analysis, found.last.message, found.last.role)
        opening = next(((p, m) for p, m in zip(analysis.phrases, mentions, strict=False) if p.start == 0), None)
        if opening is None:
            return (found,)
        parts.append(_alone(replace(_entire(opening[1], opening[0], said, len(said)), group=_PARTED)))
    fitting = [part for part in parts if not contradicts(expression, part)] if not expression.noun else []
    return tuple(fitting or parts)


def rivals(state: State, expression: Expression, found: Antecedent) -> tuple[Antecedent, ...]:
    """Return *found* and what was last named side by side with it, as far as a singular can mean each of them.

    "Ruth Holm and Vera Kent are in charge. What is her number?" leaves it open.
    """
    last = found.last
    if last.group < 0 or last.role != "assistant" or expression.numbers != {"s"} or expression.noun or not found.named:
        return (found,)
    beside = [
        a
        for a in state.known
        if a.named
        and a.last.message == last.message
        and a.last.group == last.group
        and (a.type == found.type or not (a.type and found.type))
    ]
    return tuple(a for a in beside if not contradicts(expression, a)) or (found,)


def standing(state: State, place: Place, *, plainly: bool = False) -> Antecedent | None:
    """Return what stands at *place* in the messages as an antecedent: the phrase there, else the words themselves.

    *plainly* only what is known is taken for more than its words.
    """
    index, start, end = place
    role, said = state.discourse.recent[index]
    message = state.discourse.messages - len(state.discourse.recent) + index
    analysis = analyse(said, state.discourse.language or state.analysis.tongue.code, state.catalogs)
    for phrase, mention in zip(analysis.phrases, mentions_of(analysis, message, role), strict=False):
        shared = min(end, phrase.end) - max(start, phrase.start)
        if shared > 0.6 * max(end - start, phrase.end - phrase.start) and not (plainly and not phrase.known):
            return _alone(mention if phrase.known else _entire(mention, phrase, said, end))
    words = [w for w in analysis.words if w.start < end and start < w.end]
    determiner = words[0].text if len(words) > 1 and words[0].key in analysis.tongue.determiners else ""
    inner = words[1:] if determiner else words
    if not inner:
        return None
    entity = said[max(inner[0].start, start) if plainly else inner[0].start : inner[-1].end]
    mention = Mention(
        entity, said[words[0].start : words[-1].end], message, 0, role, named=False, article=DEFINITE,
        determined="definite" if determiner else "",
    )  # fmt: skip
    return _alone(mention)


def _entire(mention: Mention, phrase: Phrase, said: str, end: int) -> Mention:
    """Return *mention* with the words that the place goes on with: "cabin" becomes "cabin 38"."""
    more = said[phrase.end : end].rstrip(' ,;:.?!؟،»”"')
    if not any(character.isalnum() for character in more) or "\n" in more:
        return mention
    return replace(mention, entity=f"{mention.entity}{more}", text=f"{mention.text}{more}")


def _alone(mention: Mention) -> Antecedent:
    return Antecedent(
        mention.entity, (mention,), mention.type, (mention.noun,) if mention.noun else (), frozenset(mention.genders),
        frozenset(mention.numbers), mention.article, mention.named,
    )  # fmt: skip

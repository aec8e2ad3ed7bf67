"""Where the learned scorer corrects and completes what the rules found.

The rules know grammar and the catalogue, the scorer knows what is usually meant: it weighs candidates that agree, takes
back a rewrite of a question that is complete, and finds antecedents that no rule looks for ("a black jacket").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from languages.grammar import DEFINITE
from languages.text import fold, fold_map
from memory.reference.analysis import analyse
from memory.reference.candidates import Antecedent, contradicts, may_have, side_by_side
from memory.reference.discourse import Mention
from memory.reference.ellipsis import is_fragment
from memory.reference.expression import Expression, asks_who
from memory.reference.lists import listed, parted
from memory.reference.observe import mentions_of
from memory.reference.reading import BELONGS, Place, Pointer, Reading
from memory.reference.rewrite import referent_of
from memory.reference.salience import choose, salience
from memory.reference.state import State, add_link, occurrences
from memory.reference.tagging import CERTAIN, CHOSEN, COVER, choosing, referring
from memory.types import Link

# Set on cases that the weights had not seen, rounds 3 to 6 of benchmarks/README.md; by now the rules have.
AGREES: Final = 3.0  # log probability that agreement by the rules is worth
KNOWN: Final = 4.0  # log probability that a name of the catalogue is worth: it is what the documents are about
SALIENT: Final = 0.5  # log probability that one unit of salience is worth
COMPLETE: Final = 0.5  # probability of "unchanged" from which a rewrite is taken back
DARE: Final = 0.6  # probability of "resolved" from which the scorer's own antecedent is written in
ASK: Final = 0.5  # probability of "ambiguous" from which two readings are asked back about
DOUBTFUL: Final = 0.2  # probability of "ambiguous" from which two that the rules find equal are asked back about
CLEAR: Final = 0.12  # probability of "ambiguous" below which the likelier of two equal ones is taken
FREE: Final = 0.15  # probability of referring below which an expression of the rules stands for nothing
OMITTED: Final = 0.33  # probability of the place at which something is left out, at least
LEFT_OUT: Final = 0.9  # probability of "resolved" from which a whole sentence leaves something out
SAME: Final = 0.75  # share of two spans that they have in common, from which they are one
READING: Final = 0.3  # probability of belonging from which an entity is a reading of an ambiguous question
AHEAD: Final = 1.0  # log probability by which a span must be likelier than the best known entity
SURE: Final = -1.2  # log probability from which a span is taken as it is
ENTIRE: Final = -2.0  # the same for the words around what is known: "an umbrella with a wooden handle"
TAKEN_UP: Final = -0.7  # the same for a definite noun that no rule ties to it
POINTED: Final = -3.0  # log probability of start and end together, at least
_UNREAD: Final = -8.0  # of an entity that stands nowhere in what was read
_OPTIONS: Final = 4
_DECIDED: Final = (("former",), ("latter",), ("ordinal",), ("one_of",))  # an order or a stated fact has decided these
_ARTICLE: Final = 6  # characters of an article before a phrase, at most


def refers(state: State, expression: Expression) -> bool:
    """Return whether nothing that the scorer read speaks against *expression* referring to the conversation."""
    return state.reading is None or state.reading.refers(expression.start, expression.end) >= FREE


def pointed(state: State, expression: Expression | None, fitting: Sequence[Antecedent]) -> tuple[Antecedent, ...]:
    """Return what the scorer points at: the likeliest of what is known and not ruled out, else what stands there.

    *fitting* are those that agree by the rules; without an *expression* it is what the question leaves out.
    """
    picked = _pointed(state, expression, fitting)
    state.learned = state.learned or picked != tuple(fitting)
    return picked


def _pointed(state: State, expression: Expression | None, fitting: Sequence[Antecedent]) -> tuple[Antecedent, ...]:
    if state.reading is None:
        return ()
    span = (expression.start, expression.end) if expression is not None else (0, 0)
    pointer = state.reading.pointer(*span)
    open_ = [a for a in state.known if fold(a.entity) not in state.named_here]
    best = pointer.best()
    if best is not None and best[1] > CERTAIN:
        found = _meant(state, best[0], open_)
        if found is not None and not _one_of_several(state, expression, found):
            return (found,)
    if expression is not None and state.reading.ambiguous > DOUBTFUL and "s" in (expression.numbers or {"s"}):
        equal = choose(fitting, state.discourse, expression)
        if len(equal) > 1 and all(a.named for a in equal):
            return equal
    if expression is not None:
        several = in_play(state, expression) if expression.numbers & {"p", "d"} else ()
        several = several if _of_one_sort(several) else ()
        if not several and expression.numbers and "s" not in expression.numbers:
            several = coordinated(state, expression)
        if len(several) > 1 and ("s" not in expression.numbers or (side_by_side(several) and not _sure(pointer))):
            return several
        open_ = [a for a in open_ if not contradicts(expression, a)]
    agreeing = {a.entity for a in fitting}
    likeliest: tuple[float, Antecedent | None] = (0.0, None)
    for antecedent in open_:
        score = _score(state, pointer, antecedent)
        weighed = score + SALIENT * salience(antecedent, state.discourse, expression)
        weighed += AGREES if antecedent.entity in agreeing else 0.0
        weighed += KNOWN if any(m.known for m in antecedent.mentions) else 0.0
        if likeliest[1] is None or weighed > likeliest[0]:
            likeliest = (weighed, antecedent)
    known = likeliest[1]
    score = _score(state, pointer, known) if known is not None else _UNREAD
    ahead = AHEAD + (KNOWN if known is not None and any(m.known for m in known.mentions) else 0.0)
    if best is not None and best[1] > POINTED and best[1] > score + ahead:
        found = _standing(state, best[0])
        told = found is not None and fold(found.entity) in state.named_here
        if found is not None and not told and (expression is None or not contradicts(expression, found)):
            return (found,)
    taken_up = expression is not None and expression.kind == "definite"  # "the connection": most nouns take up nothing
    least = TAKEN_UP if taken_up else POINTED
    if taken_up and expression is not None and _is_name(state, expression) and not fitting:
        return ()
    if known is None or (score < least and known.entity not in agreeing):
        return ()
    return (_whole(state, pointer, known),)


def _of_one_sort(antecedents: Sequence[Antecedent]) -> bool:
    """Return whether nothing speaks against one plural for all: a guide and a tower are no "they"."""
    return side_by_side(antecedents) or len({a.type for a in antecedents if a.type not in ("", "OTHER")}) <= 1


def _one_of_several(state: State, expression: Expression | None, found: Antecedent) -> bool:
    """Return whether *found* does not agree, or is only one of those that a plural means."""
    if expression is None:
        return False
    if contradicts(expression, found):
        pair = expression.kind == "demonstrative" and bool(expression.noun) and found.named  # "these shoes": the Ridge
        return not (pair and len(in_play(state, expression)) <= 1)
    plural = bool(expression.numbers) and expression.numbers <= {"p", "d"}
    whole = found.numbers == {"p"} or found.type == "ORGANIZATION"
    return plural and not whole and len(in_play(state, expression)) > 1


def _meant(state: State, place: Place, known: Sequence[Antecedent]) -> Antecedent | None:
    """Return what stands at *place*: what is known of it, with the words of the place where they say more."""
    message, start, end = place
    over: list[tuple[float, Antecedent]] = []
    for antecedent in known:
        shares = [
            (min(end, last) - max(start, first)) / (max(end, last) - min(start, first))
            for at, first, last in state.places[antecedent.entity]
            if at == message and first < end and start < last
        ]
        if shares:
            over.append((max(shares), antecedent))
    named = [a for _, a in over if any(m.known for m in a.mentions)]
    if len(named) > 1:
        return None
    if named:
        return named[0]
    share, best = max(over, key=lambda pair: pair[0], default=(0.0, None))
    if best is not None and share > SAME:
        return best
    found = _standing(state, place)
    if found is None or fold(found.entity) in state.named_here:
        return None
    return found if best is None or found.genders else replace(found, genders=best.genders, type=best.type)


def _is_name(state: State, expression: Expression) -> bool:
    """Return whether a definite noun is written as a name: "the ACL", "the Better Life Foundation"."""
    inner = state.analysis.words[expression.first : expression.last + 1]
    return not state.analysis.tongue.grammar.noun_capitals and any(w.capital and not w.opens for w in inner)


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
    found = [_standing(state, place, plainly=True) for place in places]
    whole = [a for a in found if a is not None and fold(a.entity) not in state.named_here]
    return tuple(whole) if len({a.entity for a in whole}) == len(pieces) else ()


def _sure(pointer: Pointer) -> bool:
    """Return whether one span is clearly meant."""
    best = pointer.best()
    return best is not None and best[1] > SURE


def _whole(state: State, pointer: Pointer, known: Antecedent) -> Antecedent:
    """Return *known* with all that was said of it, where the scorer points at more: "permit for tradesmen"."""
    best = pointer.best()
    if known.named or best is None or best[1] < ENTIRE:
        return known
    message, start, end = best[0]
    said = state.discourse.recent[message][1]
    folded = fold_map(said)
    for at in occurrences(folded.text, fold(known.entity)):
        first, last = folded.original_span(at, at + len(fold(known.entity)))
        if start <= first <= start + _ARTICLE and last < end:
            words = said[first:end].rstrip(" ,;:.?!؟،")
            mention = replace(known.last, entity=words, text=words, determined="")
            article = known.article or DEFINITE
            return replace(known, entity=words, mentions=(replace(mention, article=article),), article=article)
    return known


def _score(state: State, pointer: Pointer, antecedent: Antecedent) -> float:
    score = pointer.score(state.places.get(antecedent.entity, ()))
    return _UNREAD if score is None else score


def revise(state: State) -> None:
    """Correct and complete what the rules found by what the scorer read."""
    if state.reading is None:
        return
    found = list(state.links), state.ambiguous
    _revise(state, state.reading)
    state.learned = state.learned or found != (state.links, state.ambiguous)


def _revise(state: State, reading: Reading) -> None:
    if reading.ambiguous > ASK and not state.told and not any(link.evidence[:1] in _DECIDED for link in state.links):
        options, expression = _readings(state, reading)
        if len(options) > 1 and not any(len(link.entities) > 1 for link in state.links):
            state.links.clear()
            state.ambiguous, state.expression = options, expression
        return
    # "And the Cairn 13?" asks nothing itself, however complete it looks.
    renewed = any("ellipsis_new_entity" in link.evidence for link in state.links)
    if state.links and reading.unchanged > COMPLETE and not renewed:
        state.links.clear()
    elif state.links and not state.ambiguous:
        _cover(state, reading)
    elif state.ambiguous and reading.ambiguous < CLEAR:
        _decide(state, reading)
    elif not state.links and not state.ambiguous and reading.resolved > DARE:
        _complete(state, reading)


def _readings(state: State, reading: Reading) -> tuple[tuple[Antecedent, ...], str]:
    """Return the entities that an ambiguous question can mean, in the order of naming, and the expression."""
    expression = next(iter(referring(state, reading)), None)
    text = state.analysis.text[expression.start : expression.end] if expression is not None else ""
    return in_play(state, expression), text


def in_play(state: State, expression: Expression | None) -> tuple[Antecedent, ...]:
    """Return what *expression* can mean or choose among by the scorer, in the order of naming; () without one."""
    if state.reading is None:
        return ()
    span = (expression.start, expression.end) if expression is not None else (0, 0)
    pointer = state.reading.pointer(*span)
    many = expression is not None and (expression.kind in CHOSEN or bool(expression.numbers & {"p", "d"}))
    likely = [
        a
        for a in state.known
        if fold(a.entity) not in state.named_here
        and (expression is None or many or not contradicts(expression, a))
        and not (expression is not None and expression.animacy == "person" and a.type not in ("PERSON", "", "OTHER"))
        and any(pointer.belongs(place) > (BELONGS if many else READING) for place in state.places[a.entity])
    ]
    likely = [a for a in likely if a.named] if sum(a.named for a in likely) > 1 else likely
    likely.sort(key=lambda a: -_score(state, pointer, a))
    most = abs(expression.count) if expression is not None and expression.kind == "both" else 0
    most = 2 if expression is not None and expression.numbers == {"d"} else most
    return tuple(sorted(likely[: most or _OPTIONS], key=lambda a: (a.mentions[0].message, a.mentions[0].order)))


def _decide(state: State, reading: Reading) -> None:
    """Take the likelier of the readings that the rules found equal."""
    start = state.analysis.text.find(state.expression)
    pointer = reading.pointer(start, start + len(state.expression))
    best = max(state.ambiguous, key=lambda a: _score(state, pointer, a))
    expression = next((e for e in state.expressions if e.start == start), None)
    if expression is not None:
        state.ambiguous, state.expression = (), ""
        add_link(state, expression, (best,))


def _cover(state: State, reading: Reading) -> None:
    """Write in what refers by the scorer and stands in no link yet."""
    for expression in referring(state, reading):
        covered = any(
            (link.start < expression.end and expression.start < link.end)
            or (link.anchor[0] < expression.end and expression.start < link.anchor[1])
            for link in state.links
        )
        if not covered and reading.refers(expression.start, expression.end) > COVER:
            picked = pointed(state, expression, ())
            if picked:
                add_link(state, expression, picked)


def _complete(state: State, reading: Reading) -> None:
    """Write in what the scorer points at: in place of what refers, else where something is left out."""
    if any(expression.kind == "both" for expression in state.expressions):  # of several, and there are none
        return
    fitting = referring(state, reading)
    for expression in fitting or choosing(state, reading):
        picked = pointed(state, expression, ())
        if picked:
            add_link(state, expression, picked)
    if not fitting and not state.links and (is_fragment(state.analysis) or reading.resolved > LEFT_OUT):
        link = _left_out(state)
        if link is not None:
            state.links.append(link)


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
        meant = best or _standing(state, item.place)
        if meant is None:
            return (), False
        found.append(replace(meant, mentions=(*meant.mentions, replace(meant.last, sentence=item.part))))
    return (tuple(found), formal) if len({a.entity for a in found}) == len(found) else ((), False)


def _standing(state: State, place: Place, *, plainly: bool = False) -> Antecedent | None:
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
            return _alone(mention)
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


def _alone(mention: Mention) -> Antecedent:
    return Antecedent(
        mention.entity, (mention,), mention.type, (mention.noun,) if mention.noun else (), frozenset(mention.genders),
        frozenset(mention.numbers), mention.article, mention.named,
    )  # fmt: skip


def _left_out(state: State) -> Link | None:
    """Return the link of what is left out: its owner phrase where the scorer would put it."""
    picked = pointed(state, None, ())
    if picked and not picked[0].named and not is_fragment(state.analysis):
        return None
    if not picked or state.reading is None or not state.reading.omitted:
        return None
    if picked[0].type in ("PRODUCT", "SERVICE") and asks_who(state.analysis):
        return None  # "Who is the coach?" is not asked of the headphones
    if not may_have(
        picked[0], [phrase.noun for phrase in state.analysis.phrases if phrase.noun], state.analysis.tongue
    ):
        return None
    text = state.analysis.text
    at, likely = max(state.reading.omitted, key=lambda pair: pair[1])
    named = any(phrase.name for phrase in state.analysis.phrases)
    if likely < (OMITTED if is_fragment(state.analysis) else 1.5 * OMITTED) or named:
        return None
    body = len(text.rstrip(" ?؟!.\u00a0\u202f"))
    at = min(at, body)
    while 0 < at < body and text[at - 1] == " ":
        at -= 1
    at = at or body
    parts = [(e.start, e.end) for e in state.expressions] + [(p.start, p.end) for p in state.analysis.phrases]
    if any(start < at < end for start, end in parts):
        return None  # nothing is left out within a phrase
    tongue = state.analysis.tongue
    words = tongue.hooks.phrase(referent_of(picked[0], tongue), "owner")
    return Link("", (at, at), (picked[0].entity,), at, at, f" {words}", ("ellipsis_new_attribute",))

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
from memory.reference.candidates import NEVER, Antecedent, contradicts, may_have, names, side_by_side
from memory.reference.ellipsis import is_fragment, opened
from memory.reference.expression import Expression, asks_who, is_identity
from memory.reference.phrases import Phrase, takes_no_owner
from memory.reference.reading import BELONGS, Place, Pointer, Reading
from memory.reference.rewrite import link_of_kind, link_to, owned_link
from memory.reference.salience import choose, salience
from memory.reference.standing import POINTED, all_listed, coordinated, grouped, one_of, rivals, standing
from memory.reference.state import State, add_link, occurrences, others
from memory.reference.tagging import CERTAIN, CHOSEN, COVER, choosing, referring
from memory.reference.tongue import Tongue
from memory.types import Link

# Set on cases that the weights had not seen, rounds 3 to 6 of benchmarks/README.md; UNTIED on 7 to 11.
AGREES: Final = 3.0  # log probability that agreement by the rules is worth
KNOWN: Final = 4.0  # log probability that a name of the catalogue is worth: it is what the documents are about
SALIENT: Final = 0.5  # log probability that one unit of salience is worth
COMPLETE: Final = 0.5  # probability of "unchanged" from which a rewrite is taken back
DARE: Final = 0.6  # probability of "resolved" from which the scorer's own antecedent is written in
ASK: Final = 0.5  # probability of "ambiguous" from which two readings are asked back about
DOUBTFUL: Final = 0.2  # probability of "ambiguous" from which two that the rules find equal are asked back about
CLEAR: Final = 0.12  # probability of "ambiguous" below which the likelier of two equal ones is taken
FREE: Final = 0.15  # probability of referring below which an expression of the rules stands for nothing
NOUN: Final = 0.4  # the same for a definite noun, most of which refer to nothing that was said
UNTIED: Final = 0.67  # the same where it is nothing that the antecedent is called: "the cake" is not the café
OMITTED: Final = 0.33  # probability of the place at which something is left out, at least
LEFT_OUT: Final = 0.9  # probability of "resolved" from which a whole sentence leaves something out
SAME: Final = 0.75  # share of two spans that they have in common, from which they are one
READING: Final = 0.3  # probability of belonging from which an entity is a reading of an ambiguous question
AHEAD: Final = 1.0  # log probability by which a span must be likelier than the best known entity
BEYOND: Final = -0.1  # log probability from which no rule is asked about what has no noun of its own
SURE: Final = -1.2  # log probability from which a span is taken as it is
ENTIRE: Final = -2.0  # the same for the words around what is known: "an umbrella with a wooden handle"
TAKEN_UP: Final = -1.0  # the same for a definite noun that no rule ties to it
_DONE: Final = frozenset(("SERVICE", "EVENT"))  # what is done or takes place, which a thing never is
_UNREAD: Final = -8.0  # of an entity that stands nowhere in what was read
_OPTIONS: Final = 4
_DECIDED: Final = (("former",), ("latter",), ("ordinal",), ("one_of",))  # an order or a stated fact has decided these
_ARTICLE: Final = 6  # characters of an article before a phrase, at most


def refers(state: State, expression: Expression) -> bool:
    """Return whether nothing that the scorer read speaks against *expression* referring to the conversation."""
    least = NOUN if expression.kind == "definite" and expression.sort != "PERSON" else FREE
    return state.reading is None or state.reading.refers(expression.start, expression.end) >= least


def pointed(state: State, expression: Expression | None, fitting: Sequence[Antecedent]) -> tuple[Antecedent, ...]:
    """Return what the scorer points at: the likeliest of what is known and not ruled out, else what stands there.

    *fitting* are those that agree by the rules; without an *expression* it is what the question leaves out.
    """
    picked = _pointed(state, expression, fitting)
    if expression is not None and _is_untied(state, expression, picked):
        return ()
    if expression is not None and len(picked) == 1:
        picked = one_of(state, expression, picked[0])
        picked = rivals(state, expression, picked[0]) if len(picked) == 1 else picked
    elif expression is not None and _plural(expression) and not expression.count:
        picked = all_listed(state, picked)
    state.learned = state.learned or picked != tuple(fitting)
    return picked


def _pointed(state: State, expression: Expression | None, fitting: Sequence[Antecedent]) -> tuple[Antecedent, ...]:
    if state.reading is None:
        return ()
    span = (expression.start, expression.end) if expression is not None else (0, 0)
    pointer = state.reading.pointer(*span)
    open_ = [a for a in state.known if fold(a.entity) not in state.named_here]
    if not fitting:
        state.agreed[span] = tuple(
            a for a in open_ if a.named and a.type not in NEVER and not _ruled_out(expression, a)
        )
    best = pointer.best()
    if best is not None and best[1] > CERTAIN:
        found = _meant(state, best[0], open_)
        together = grouped(found, open_) if found is not None and _are_they(expression) else ()
        if len(together) > 1:
            return together
        believed = best[1] > BEYOND and (expression is None or not expression.noun)
        if found is not None and _is_another(state, expression, found):
            return ()  # "the reduced fee" takes up no club
        if found is not None and (believed or not _one_of_several(state, expression, found)):
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
    taken_up = expression is not None and expression.kind == "definite"  # "the connection": most nouns take up nothing
    noun = expression.noun if expression is not None and taken_up else ""
    agreeing = {a.entity for a in fitting if not noun or names(noun, a, state.analysis.tongue)}
    likeliest: tuple[float, Antecedent | None] = (0.0, None)
    weights = state.weights.setdefault(span, {})
    for antecedent in open_:
        score = _score(state, pointer, antecedent)
        weighed = score + SALIENT * salience(antecedent, state.discourse, expression)
        weighed += AGREES if antecedent.entity in agreeing else 0.0
        weighed += KNOWN if any(m.known for m in antecedent.mentions) else 0.0
        weights[antecedent.entity] = weighed
        if likeliest[1] is None or weighed > likeliest[0]:
            likeliest = (weighed, antecedent)
    known = likeliest[1]
    score = _score(state, pointer, known) if known is not None else _UNREAD
    ahead = AHEAD + (KNOWN if known is not None and any(m.known for m in known.mentions) else 0.0)
    if best is not None and best[1] > POINTED and best[1] > score + ahead:
        found = standing(state, best[0])
        told = found is not None and fold(found.entity) in state.named_here
        if found is not None and not told and (expression is None or not contradicts(expression, found)):
            return (found,)
    least = TAKEN_UP if taken_up else POINTED
    if taken_up and expression is not None and _is_name(state, expression) and not fitting:
        return ()
    if known is None or (score < least and known.entity not in agreeing):
        return ()
    if taken_up and known.entity not in agreeing and opened(state.analysis) and is_fragment(state.analysis):
        return ()  # "And the tiller?" asks of another thing
    return (_whole(state, pointer, known),)


def _is_untied(state: State, expression: Expression, picked: Sequence[Antecedent]) -> bool:
    """Return whether a definite noun is nothing that *picked* are called, and the scorer hardly takes it to refer."""
    if expression.kind != "definite" or not expression.noun or expression.sort == "PERSON" or state.reading is None:
        return False
    tongue = state.analysis.tongue
    if any(names(expression.noun, antecedent, tongue) for antecedent in picked):
        return False
    kind = tongue.lexicon.kind(expression.noun)
    if kind is not None and kind.type in _DONE and all(a.type in ("PRODUCT", "LOCATION", "PERSON") for a in picked):
        return True  # "the assembly" is no tent
    return state.reading.refers(expression.start, expression.end) < UNTIED


def _ruled_out(expression: Expression | None, antecedent: Antecedent) -> bool:
    return expression is not None and contradicts(expression, antecedent)


def _is_another(state: State, expression: Expression | None, found: Antecedent) -> bool:
    """Return whether a definite noun has an adjective of its own and is nothing that *found* is called."""
    if expression is None or expression.kind != "definite" or expression.last - expression.first < 2:
        return False
    return bool(expression.noun) and not names(expression.noun, found, state.analysis.tongue)


def _plural(expression: Expression) -> bool:
    return bool(expression.numbers) and expression.numbers <= {"p", "d"}


def _are_they(expression: Expression | None) -> bool:
    return expression is not None and expression.kind in ("pronoun", "possessive") and _plural(expression)


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
    plural = _plural(expression)
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
    found = standing(state, place)
    if found is None or fold(found.entity) in state.named_here:
        return None
    return found if best is None or found.genders else replace(found, genders=best.genders, type=best.type)


def _is_name(state: State, expression: Expression) -> bool:
    """Return whether a definite noun is written as a name: "the ACL", "the Better Life Foundation"."""
    inner = state.analysis.words[expression.first : expression.last + 1]
    return not state.analysis.tongue.grammar.noun_capitals and any(w.capital and not w.opens for w in inner)


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
        if picked and expression.kind == "one" and not picked[0].named:
            state.links.append(link_of_kind(state.analysis, expression, picked[0]))
        elif picked:
            add_link(state, expression, picked)
    if not fitting and not state.links and (is_fragment(state.analysis) or reading.resolved > LEFT_OUT):
        link = _left_out(state)
        if link is not None:
            state.links.append(link)


def _is_own(phrase: Phrase, tongue: Tongue) -> bool:
    """Return whether a question is about a thing that it names itself: "How long is the pool?"."""
    return phrase.determined == DEFINITE and bool(phrase.noun) and not tongue.is_property(phrase.noun)


def _left_out(state: State) -> Link | None:
    """Return the link of what is left out: its owner phrase where the scorer would put it."""
    picked = pointed(state, None, ())
    if picked and not picked[0].named and not is_fragment(state.analysis):
        return None
    if not picked or state.reading is None or not state.reading.omitted:
        return None
    if any(expression.kind in ("other", "both") for expression in state.expressions):
        return None  # "And the other one?" is not of the one, nor "La moins chère des deux"
    whose = any(is_identity(state.analysis, phrase.first) for phrase in state.analysis.phrases)
    if asks_who(state.analysis) and (whose or picked[0].type in ("PRODUCT", "SERVICE")):
        return None  # "Who is the coach?" is not asked of the headphones
    if not may_have(
        picked[0], [phrase.noun for phrase in state.analysis.phrases if phrase.noun], state.analysis.tongue
    ):
        return None
    tongue = state.analysis.tongue
    asks = any(tongue.has("question_words", word.key) for word in state.analysis.words)
    own = any(_is_own(phrase, tongue) for phrase in state.analysis.phrases)
    if own and (asks or not is_fragment(state.analysis)):
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
    phrases = state.analysis.phrases
    if opened(state.analysis) and any(p.end == at and takes_no_owner(p, tongue) for p in phrases):
        return None
    parts = [(e.start, e.end) for e in state.expressions] + [(p.start, p.end) for p in phrases]
    if any(start < at < end for start, end in parts):
        return None  # nothing is left out within a phrase
    chosen = next((e for e in state.expressions if e.kind in CHOSEN and e.end == at), None)
    if chosen is not None:  # "Yes, the first.": that is it
        link = link_to(state.analysis, chosen, picked, ("one_of",))
    else:
        link = owned_link(state.analysis, at, picked[0], ("ellipsis_new_attribute",))
    return replace(link, alternatives=others(state, None, picked))

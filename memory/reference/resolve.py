"""A question and the discourse in, a resolution out: standalone question, links, or the readings to ask back about.

Read from top to bottom: ``resolve`` asks each reading in turn.  A false rewrite of a complete question hurts more than
a missed one, so that whatever is not sure leaves the question as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from languages.text import fold
from memory.catalog import NameIndex
from memory.reference.analysis import Analysis, analyse
from memory.reference.answered import is_thing, of_its_sort, singled_out
from memory.reference.binding import bound, set_apart
from memory.reference.candidates import Antecedent, antecedents, compatible, side_by_side
from memory.reference.choices import alternatives, by_gender, chosen, recent
from memory.reference.confidence import assess
from memory.reference.contrasts import contrast
from memory.reference.discourse import Discourse
from memory.reference.ellipsis import content, is_fragment, new_thing
from memory.reference.expression import CHOICES, Expression
from memory.reference.families import asks_for_all, family_link, told_apart, words_said
from memory.reference.fragments import completed, parallel_fragment, variant_fragment, variant_link
from memory.reference.kin import kin_link, only_sibling
from memory.reference.learned import in_play, pointed, refers, revise
from memory.reference.observe import known_names
from memory.reference.phrases import Phrase
from memory.reference.reading import Scorer
from memory.reference.replies import read_reply
from memory.reference.rewrite import owned_link, replay
from memory.reference.salience import choose, foremost, ranked
from memory.reference.sluices import settle
from memory.reference.standing import coordinated, options_of
from memory.reference.state import OTHERS, State, add_link, others
from memory.reference.whichone import which_one
from memory.types import Candidate, Catalog, Embedder, FamilyMatch, Link, Method, Resolution

_LONGEST = 4000  # characters of a question that are analysed; the rest is kept untouched
_PLAIN = 10  # words of a question in which a pronoun may stand for something without a name, at most
_FLOATS = 3  # words from a pronoun to the "both" that goes with it: "elles sont toutes"
_OPTIONS = 4  # readings offered at most


def resolve(
    question: str,
    discourse: Discourse,
    *,
    catalog: Catalog,
    language: str,
    scorer: Scorer | None = None,
    embedder: Embedder | None = None,
) -> Resolution:
    """Return what *question* asks once its references are resolved against *discourse*.

    The standalone question equals ``replay(question, links)``; with status "ambiguous" it is the question itself and
    the candidates are exactly its readings, two to four.  An *embedder* reads answers to a question back that name
    none of its options ("the one for children").

    Raises:
        LanguagePackError: where the language's folder is missing or wrong.
    """
    local = NameIndex.of(known_names(discourse))
    analysis = analyse(question[:_LONGEST], language, (catalog, local))
    state = State(analysis, discourse, antecedents(discourse), (catalog, local))
    if scorer is not None and discourse.recent and discourse.pending is None:
        state.reading = scorer.read(question, discourse.recent)
    replies = partial(read_reply, again=resolve, embedder=embedder)
    # The first and the families know what was asked back, and the catalogue: no scorer does.
    for step in (replies, _sluices, _variants, _expressions, _families, _fragments):
        found = len(state.links)
        step(state)
        if state.settled or (step in (replies, _families) and (state.ambiguous or len(state.links) > found)):
            break
        if state.ambiguous or (state.links and step not in (_variants, _expressions)):
            revise(state)
            break
    else:
        revise(state)
    return assess(state, _resolution(state, question, language))


def _resolution(state: State, question: str, language: str) -> Resolution:
    named = [phrase.entity for phrase in state.analysis.phrases if phrase.name and not _is_replaced(state, phrase)]
    method: Method = "scorer" if state.learned else "rules"
    if state.ambiguous:
        options = tuple(Candidate(a.entity, a.type or "OTHER") for a in state.ambiguous[:_OPTIONS])
        return Resolution(
            question, question, "ambiguous", candidates=options, entities=tuple(named), language=language,
            method=method, expression=state.expression,
        )  # fmt: skip
    links = tuple(state.links)
    standalone = replay(question, links)
    entities = tuple(dict.fromkeys([*(e for link in links for e in link.entities), *named]))
    changed = bool(links) and standalone != question
    return Resolution(
        question, standalone if changed else question, "resolved" if links else "unchanged", links if links else (),
        entities=entities, language=language, method=method,
    )  # fmt: skip


def _is_replaced(state: State, phrase: Phrase) -> bool:
    """Return whether an edit takes a name out of the question: "not the Pro" becomes a question about the Lite."""
    return any(
        link.start <= phrase.start
        and phrase.end <= link.end
        and fold(phrase.entity) not in fold(link.replacement)
        and fold(phrase.name) not in fold(link.replacement)
        for link in state.links
    )


def _sluices(state: State) -> None:
    """Read a question that is only "Why?"."""
    settle(state, resolve)


def _expressions(state: State) -> None:
    """Read pronouns, possessives, demonstratives, definite nouns and choices."""
    analysis = state.analysis
    if not state.known:
        return
    families = [match for catalog in state.catalogs for match in catalog.families(analysis.text)]
    told = tuple(state.links)  # siblings that the question names by a word
    floating = _floating(state)
    for expression in state.expressions:
        if expression in floating.values():
            continue
        covered = [(f.start, f.end) for f in families] + [(link.start, link.end) for link in told]
        if expression.kind == "one" or any(start < expression.end and expression.start < end for start, end in covered):
            continue  # a name that fits several is read later, as a whole
        if expression.kind == "pronoun" and any(_apart(analysis, link, expression) for link in told):
            continue
        noun = which_one(state, expression)
        if noun is not None:
            state.links.append(noun)
            continue
        apart = set_apart(analysis, expression, analysis.tongue)
        if apart is not None:
            state.links += _owner_of(state, apart)
            continue
        if bound(analysis, expression, analysis.tongue) is not None or not refers(state, expression):
            continue
        both = floating.get(expression)
        picked = (both and _picked(state, both)) or _picked(state, expression)
        if not picked:
            continue
        if len(picked) > 1 and not _means_several(expression) and not _is_set(state, expression, picked):
            if not state.links and (all(a.named for a in picked) or side_by_side(picked)):
                state.ambiguous, state.expression = picked, analysis.text[expression.start : expression.end]
            return
        asked = _asked_of_chosen(state, expression, picked)
        if asked is not None:
            state.links.append(asked)
            return
        add_link(state, expression, picked)


def _owner_of(state: State, phrase: Phrase) -> list[Link]:
    """Return whose the attribute is that a pronoun announces: "Elle est de combien, la garantie | du Leaf 2 ?"."""
    focus = choose([a for a in state.known if is_thing(a, state.analysis.tongue)], state.discourse)
    if len(focus) != 1 or not state.analysis.tongue.is_property(phrase.noun) or state.links:
        return []
    return [owned_link(state.analysis, phrase.end, focus[0], ("ellipsis_new_attribute",))]


def _floating(state: State) -> dict[Expression, Expression]:
    """Return each plural pronoun with the "both" that only goes with it: "are they both …", "sind sie beide"."""
    found: dict[Expression, Expression] = {}
    pronoun: Expression | None = None
    for expression in state.expressions:
        if expression.kind == "pronoun" and (_means_several(expression) or "p" in expression.numbers):
            pronoun = expression
        elif expression.kind == "both" and pronoun is not None and expression.first - pronoun.last <= _FLOATS:
            found[pronoun] = expression
    return found


def _asked_of_chosen(state: State, expression: Expression, picked: Sequence[Antecedent]) -> Link | None:
    """Return the last question asked of what "And the other one?" chooses; None where the message says more."""
    inner = range(expression.first, expression.last + 1)
    if expression.kind not in CHOICES or len(picked) != 1 or any(w.index not in inner for w in content(state.analysis)):
        return None
    link = _asked_of(state, picked[0])
    text = state.analysis.text[expression.start : expression.end]
    if link is None:
        return None
    left = others(state, expression, picked) if picked[0].entity in link.replacement else ()
    return replace(link, text=text, anchor=(expression.start, expression.end), alternatives=left)


def _apart(analysis: Analysis, link: Link, pronoun: Expression) -> bool:
    """Return whether *link* is set apart and taken up in the clause: "Et la XL, elle est là ?", "Il pèse, le 16 ?"."""
    return link.end <= pronoun.start or analysis.text[: link.anchor[0]].rstrip().endswith((",", "،"))


def _is_set(state: State, expression: Expression, picked: Sequence[Antecedent]) -> bool:
    """Return whether several are meant together rather than one of them."""
    either = "p" in expression.numbers and bool(expression.singular)
    return expression.kind == "both" or (either and tuple(picked) == _together(state, expression, picked))


def _means_several(expression: Expression) -> bool:
    """Return whether the expression is surely a plural or a dual."""
    return bool(expression.numbers) and expression.numbers <= {"p", "d"}


def _picked(state: State, expression: Expression) -> tuple[Antecedent, ...]:
    """Return what *expression* means: one, several for a plural, all equal readings where it is open, or nothing."""
    discourse, tongue = state.discourse, state.analysis.tongue
    if expression.kind in CHOICES:
        for options in map(partial(of_its_sort, state, expression), _alternatives(state, expression)):
            taken = by_gender(expression, options) or chosen(expression, options, state.analysis, state.catalogs[0])
            if taken:
                state.agreed[expression.start, expression.end] = tuple(options)
                return taken
        return _other(state, expression)
    excluded = state.named_here if expression.kind != "definite" else frozenset()
    candidates = compatible(expression, state.known, tongue, excluded)
    state.agreed[expression.start, expression.end] = candidates
    light = expression.kind in ("pronoun", "possessive") or (expression.kind == "demonstrative" and not expression.noun)
    if light and expression.numbers != {"p"}:
        singled = singled_out(state, candidates)
        if singled is not None:
            state.told = True
            return (singled,)
    if state.reading is None and expression.singular:
        candidates = _either(state, expression, candidates)
        several = "p" in expression.numbers and len(candidates) > 1  # "Wie schwer ist sie?" asks of one
        if several and candidates == _together(state, expression, candidates):
            return candidates
    elif state.reading is None and _means_several(expression) and expression.kind != "definite":
        together = _together(state, expression, candidates)
        if together:
            return together
    if expression.kind in ("definite", "demonstrative") and expression.noun:
        candidates = _described(candidates, expression)
    meant = [a for a in candidates if a.entity in state.meant]
    if meant and light:
        return (meant[-1],)
    if state.reading is not None:
        return pointed(state, expression, candidates)
    order = ranked(candidates, discourse, expression)
    state.weights[expression.start, expression.end] = {a.entity: weight for weight, a in order}
    return _dared(foremost(order, expression), state, expression)


def _other(state: State, expression: Expression) -> tuple[Antecedent, ...]:
    """Return the only sibling of the thing in focus for "the other plan", where nothing else was named."""
    focus = choose([a for a in state.known if is_thing(a, state.analysis.tongue)], state.discourse)
    if expression.kind != "other" or len(focus) != 1:
        return ()
    called = state.catalogs[0].siblings(expression.noun) if expression.noun else ()
    called = tuple(name for name in called if fold(name.name) != fold(focus[0].entity))
    sibling = called[0] if len(called) == 1 else only_sibling(focus[0], state.catalogs[0])
    if sibling is None:
        return ()
    mention = replace(focus[0].last, entity=sibling.name, text=sibling.name)
    return (replace(focus[0], entity=sibling.name, mentions=(mention,)),)


def _alternatives(state: State, expression: Expression) -> Iterator[tuple[Antecedent, ...]]:
    """Yield what a choice can be among, the surest first: a list, what was named side by side, what the scorer read."""
    offered = alternatives(state.discourse, state.known, expression, state.analysis)
    items, formal = options_of(state)
    listed = formal or len(items) > len(offered)
    if listed:
        yield items
    played = in_play(state, expression)
    told = coordinated(state, expression) if expression.kind == "both" else ()
    if told and all(any(fold(a.entity) in fold(part.entity) for part in told) for a in played):
        yield told  # "rock wool and cork boards", of which "rock" and "boards" are known
    whole = expression.kind == "both" and len(played) == abs(expression.count)
    yield from (played, offered) if whole else (offered, played)
    if not listed:
        yield items
    yield told
    yield tuple(recent(state.discourse, state.known))


def _either(state: State, expression: Expression, candidates: Sequence[Antecedent]) -> tuple[Antecedent, ...]:
    """Return what "sie", "ihre" can mean: what is surely of the singular's gender, else several, else the unknown."""
    single = [a for a in candidates if a.numbers != {"p"}]
    sure = [a for a in single if a.genders and a.genders <= expression.singular]
    if sure:
        return tuple(sure)
    plural = tuple(a for a in candidates if a.numbers == {"p"})
    return _together(state, expression, candidates) or plural or tuple(a for a in single if not a.genders)


def _dared(picked: tuple[Antecedent, ...], state: State, expression: Expression) -> tuple[Antecedent, ...]:
    """Return what was picked, but nothing without a name where "that" or a later clause may mean a whole statement."""
    if not picked or picked[0].named or expression.noun or expression.kind not in ("pronoun", "demonstrative"):
        return picked
    before = state.analysis.words[: expression.first]
    joined = any(state.analysis.tongue.has("conjunctions", word.key) for word in before[1:])
    long = len(state.analysis.words) > _PLAIN
    return () if expression.kind == "demonstrative" or joined or long else picked


def _described(candidates: Sequence[Antecedent], expression: Expression) -> tuple[Antecedent, ...]:
    """Return the candidates that a noun takes up: named ones, and of several people those of whom it was said."""
    named = [a for a in candidates if a.named] if expression.kind == "definite" else list(candidates)
    noun = fold(expression.noun)
    said = [a for a in named if a.type == "PERSON" and any(noun in fold(m.sentence) for m in a.mentions)]
    return tuple(said or named)


def _together(state: State, expression: Expression, candidates: Sequence[Antecedent]) -> tuple[Antecedent, ...]:
    """Return the things that a plural means: the newest plural mention, or those last named side by side."""
    fitting = {a.entity for a in candidates}
    plural = [a for a in candidates if a.numbers == {"p"}]
    houses = [a for a in candidates if a.named and a.type == "ORGANIZATION"]
    single = choose([a for a in plural if a.named] or houses or plural, state.discourse)
    person = expression.animacy == "person"
    told = alternatives(state.discourse, state.known, expression, state.analysis)
    options = [a for a in told if (a.type == "PERSON" if person else a.named and a.type not in ("TIME", "MONEY"))]
    if len(options) >= 2 and (not single or single[0].last.message <= state.discourse.offered_at):
        return tuple(options)
    if len(single) == 1 and single[0].entity in fitting:
        return single
    return ()


def _variants(state: State) -> None:
    """Read "its successor", and "the Pro", "la XL" in a whole question: siblings of what the conversation is about."""
    if state.discourse.frame is None:
        return
    link = kin_link(state.analysis, state.discourse, known=state.known, catalog=state.catalogs[0])
    for reads in (contrast, parallel_fragment):
        link = link or reads(state.analysis, state.discourse, state.catalogs[0])
    if link is None and not any(e.kind == "one" for e in state.expressions):
        read = variant_fragment if is_fragment(state.analysis) else variant_link
        link = read(state.analysis, state.discourse, known=state.known, catalog=state.catalogs[0])
    if link is not None:
        state.links.append(link)


def _families(state: State) -> None:
    """Read a name that fits several known things: the one the conversation is about, else all of them."""
    analysis = state.analysis
    seen: set[tuple[int, int]] = set()
    said = words_said(fold(analysis.text))
    for match in (match for catalog in state.catalogs for match in catalog.families(analysis.text)):
        if (match.start, match.end) in seen or any(
            link.start < match.end and match.start < link.end for link in state.links
        ):
            continue
        seen.add((match.start, match.end))
        members = _members(state, match)
        if len(members) < 2 or asks_for_all(analysis, match):
            continue
        told = told_apart(said, [member.entity for member in members])
        if len(told) == 1:  # "the Flex M of 2023"
            member = next(member for member in members if member.entity == told[0])
            asked = _asked_of(state, member)
            state.links.append(asked or family_link(analysis, match, member))
            if asked is not None:
                return
            continue
        mentioned = [a for a in members if a.mentions]
        picked = choose(mentioned, state.discourse) if mentioned else ()
        if len(picked) == 1:
            left = tuple(a.entity for a in (*mentioned, *members) if a is not picked[0])
            link = replace(family_link(analysis, match, picked[0]), alternatives=tuple(dict.fromkeys(left))[:OTHERS])
            state.links.append(link)
            state.meant[picked[0].entity] = picked[0]
        elif not state.links:
            state.ambiguous = tuple(picked or members)
            state.expression = match.text
            return


def _asked_of(state: State, member: Antecedent) -> Link | None:
    """Return the last question asked of *member* where the message is a fragment ("And the Esker of 2025?")."""
    if state.links or state.discourse.frame is None or not is_fragment(state.analysis):
        return None
    return new_thing(state.analysis, state.discourse, state.known, (member.entity, member.entity), sibling=True)


def _members(state: State, match: FamilyMatch) -> list[Antecedent]:
    by_name = {fold(a.entity): a for a in state.known}
    return [
        by_name.get(fold(name.name))
        or Antecedent(name.name, (), name.type, name.nouns, frozenset(), frozenset(), "", True)
        for name in match.names
    ]


def _fragments(state: State) -> None:
    """Read a question that leaves something out."""
    if state.links:
        return
    link = completed(state.analysis, state.discourse, known=state.known, catalog=state.catalogs[0])
    if link is not None:
        state.links.append(link)

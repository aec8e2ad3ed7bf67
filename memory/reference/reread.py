"""A question read anew where the person says otherwise: one expression taken for another thing, or left as it stands.

The other links stay as they are; nothing is weighed again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from languages.text import fold, fold_map
from memory.catalog import NameIndex
from memory.errors import ReadingNotOffered
from memory.reference.analysis import Analysis, analyse
from memory.reference.candidates import Antecedent, antecedents
from memory.reference.discourse import Discourse, Mention
from memory.reference.expression import Expression
from memory.reference.observe import known_names
from memory.reference.reading import Scorer
from memory.reference.replies import complete
from memory.reference.resolve import resolve
from memory.reference.rewrite import link_to, owned_link, replay
from memory.reference.state import OTHERS, State
from memory.types import Catalog, Link, Resolution


def reread(
    resolution: Resolution,
    place: int,
    name: str | None,
    *,
    discourse: Discourse,
    catalog: Catalog,
    scorer: Scorer | None = None,
) -> Resolution:
    """Return *resolution* with the link at *place* taken for its alternative *name*, or left as it stands (None).

    *discourse* is the one before the question.  What was chosen until now becomes an alternative, so that it can be
    taken back.  The standalone question equals ``replay(question, links)``.

    Raises:
        ReadingNotOffered: there is no such link, or *name* is none of its alternatives.
    """
    links = resolution.links
    link = links[place] if 0 <= place < len(links) else None
    if link is None or (name is not None and name not in link.alternatives):
        raise ReadingNotOffered(
            "found a reading that this question does not offer; expected one of its alternatives; ask in other words",
            {"name": name or ""},
        )
    question, language = resolution.question, resolution.language
    local = NameIndex.of(known_names(discourse))
    analysis = analyse(question, language, (catalog, local))
    if not link.entities and name is not None:  # as it was before the person left it as it stands
        again = resolve(question, discourse, catalog=catalog, language=language, scorer=scorer)
        link = next((one for one in again.links if _same_edit(one, link)), link)
    state = State(analysis, discourse, antecedents(discourse), (catalog, local))
    others = (*links[:place], *links[place + 1 :])
    new = _left(question, link) if name is None else _taken_for(state, link, name, others)
    chosen = link.entities if len(link.entities) == 1 else ()
    left = tuple(dict.fromkeys((*chosen, *links[place].alternatives)))
    new = replace(new, alternatives=tuple(other for other in left if other != name)[:OTHERS])
    kept = (one if one is links[place] else _following(question, one, link, new) for one in links)
    changed = tuple(new if one is links[place] else one for one in kept if one is not None)
    return _resolved(resolution, analysis, changed)


def _same_edit(one: Link, other: Link) -> bool:
    return (one.anchor, one.start, one.end) == (other.anchor, other.start, other.end)


def _resolved(resolution: Resolution, analysis: Analysis, links: tuple[Link, ...]) -> Resolution:
    named = (phrase.entity for phrase in analysis.phrases if phrase.name)
    entities = tuple(dict.fromkeys([*(entity for link in links for entity in link.entities), *named]))
    standalone = replay(resolution.question, links)
    status = resolution.status if any(link.entities for link in links) else "unchanged"
    return replace(resolution, standalone=standalone, status=status, links=links, entities=entities)


def _left(question: str, link: Link) -> Link:
    """Return *link* without an edit and without what it was taken for."""
    said = question[link.start : link.end]
    return replace(link, entities=(), replacement=said, evidence=(*link.evidence[:1], "as_written"))


def _following(question: str, one: Link, old: Link, new: Link) -> Link | None:
    """Return *one* as it follows what *new* is taken for: a later pronoun for the same thing goes with it."""
    if one.entities != old.entities or one.replacement != question[one.start : one.end]:
        return one
    return replace(one, entities=new.entities) if new.entities else None


def _taken_for(state: State, link: Link, name: str, others: Sequence[Link]) -> Link:
    """Return *link* written for *name*, by the grammar of its language where that tells how."""
    text, evidence = state.analysis.text, (*link.evidence[:1], "chosen")
    pending = state.discourse.pending
    if link.evidence[:1] == ("offer_answer",) and pending is not None:
        return replace(link, entities=(name,), replacement=complete(state, pending, name, resolve), evidence=evidence)
    whole = link.end - link.start == len(text) > link.anchor[1] - link.anchor[0]
    old = link.entities[0] if len(link.entities) == 1 else ""
    if old and (whole or link.replacement == old):
        words = _renamed(link.replacement, old, name)
        if words is not None:
            return replace(link, entities=(name,), replacement=words, evidence=evidence)
    meant = _antecedent(state, name)
    if not link.text:
        return replace(owned_link(state.analysis, link.anchor[0], meant, evidence), entities=(name,))
    expression = _expression(state, link)
    new = link_to(state.analysis, expression, (meant,), evidence) if expression is not None else None
    if new is None or any(new.start < other.end and other.start < new.end for other in others):
        start, end = link.anchor
        return replace(link, entities=(name,), start=start, end=end, replacement=name, evidence=evidence)
    return new


def _renamed(text: str, old: str, name: str) -> str | None:
    """Return *text* with *name* in place of *old*, however that is written there; None where it is not there."""
    folded = fold_map(text)
    at = folded.text.find(fold(old))
    if at < 0:
        return None
    start, end = folded.original_span(at, at + len(fold(old)))
    return text[:start] + name + text[end:]


def _expression(state: State, link: Link) -> Expression | None:
    """Return the expression at the anchor of *link*; one that only the scorer found is a noun phrase."""
    found = next((e for e in state.expressions if (e.start, e.end) == link.anchor), None)
    if found is not None:
        return found
    inner = [w.index for w in state.analysis.words if w.start >= link.anchor[0] and w.end <= link.anchor[1]]
    return Expression("demonstrative", inner[0], inner[-1], *link.anchor) if inner else None


def _antecedent(state: State, name: str) -> Antecedent:
    """Return *name* as the conversation speaks of it, as the catalogue does where it was not spoken of yet."""
    known = next((a for a in state.known if fold(a.entity) == fold(name)), None)
    if known is not None:
        return known
    entry = state.catalogs[0].get(name)
    mention = Mention(name, name, state.discourse.messages - 1, 0, "assistant", known=True)
    none: frozenset[str] = frozenset()
    return Antecedent(name, (mention,), entry.type if entry else "", entry.nouns if entry else (), none, none, "", True)

"""A question that leaves something out, completed from the last question or by the thing in focus."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from languages.grammar import DEFINITE
from languages.text import fold
from memory.reference.analysis import Analysis
from memory.reference.candidates import Antecedent, may_have
from memory.reference.discourse import Discourse
from memory.reference.ellipsis import (
    adjunct,
    another_role,
    attribute_of,
    content,
    is_fragment,
    new_thing,
    opened,
    parallel,
)
from memory.reference.expression import CHOICES, Expression
from memory.reference.families import name_words
from memory.reference.phrases import Phrase, takes_no_owner
from memory.reference.referring import find_expressions
from memory.reference.rewrite import link_to_name
from memory.reference.salience import choose, foremost, ranked
from memory.reference.state import OTHERS
from memory.reference.words import Word
from memory.types import Catalog, Link, Name

_NUMBER = re.compile(r"(\d+)(\D{0,3})")
_ADDED = 6  # words of a fragment that names a new thing without opening as a continuation, at most


def completed(
    analysis: Analysis, discourse: Discourse, *, known: Sequence[Antecedent], catalog: Catalog
) -> Link | None:
    """Return the link that completes the question, or None where it leaves nothing out."""
    if discourse.frame is None:
        return None
    fragment = is_fragment(analysis) and not _asks(analysis)
    one = next((e for e in find_expressions(analysis) if e.kind == "one"), None)
    if one is not None:
        return _one_of(analysis, discourse, one=one, known=known, catalog=catalog, fragment=fragment)
    rest = content(analysis)
    # "Et l'autre ?", "And the faster one?" are no part of the one.
    chooses = any(analysis.tongue.has("others", word.key) for word in rest)
    chooses = chooses or any(e.kind in CHOICES for e in find_expressions(analysis))
    if not fragment or chooses:
        return None
    phrases = [p for p in analysis.phrases if rest and p.first >= rest[0].index]
    named = next((p for p in phrases if p.name and p.type != "TIME"), None)
    if named is None:
        return _attribute(analysis, discourse, phrases, known=known, catalog=catalog)
    asks = any(analysis.tongue.has("question_words", word.key) for word in rest)
    marked = analysis.text.rstrip().endswith(("?", "؟"))
    if opened(analysis) or (not asks and (len(rest) <= 2 or (marked and len(rest) <= _ADDED))):
        return _named_fragment(analysis, discourse, named, known=known, catalog=catalog)
    return None


def parallel_fragment(analysis: Analysis, discourse: Discourse, catalog: Catalog) -> Link | None:
    """Return the last question asked of another thing without a name: "And the laundry?"; None where it is not so."""
    rest = content(analysis)
    if not rest or not opened(analysis):
        return None
    role = another_role(analysis, discourse, catalog)
    if role is not None:
        return role
    tongue, last = analysis.tongue, rest[-1]
    owned = len(rest) > 1 and tongue.has("ones", rest[0].key)  # "celui du syndic", "die der Sekretärin"
    first = rest[1 if owned else 0].index
    if owned and tongue.has("one_links", rest[1].key) and rest[1].key not in tongue.determiners:
        first += 1
    phrase = analysis.phrase_at(first)
    if tongue.has("suffixes", last.key) and len(rest) > 1:  # "the secretary's"
        owned, last = True, rest[-2]
    if phrase is None or phrase.name or phrase.last != last.index:
        return None
    return parallel(analysis, discourse, phrase, catalog, owned=owned)


def variant_fragment(
    analysis: Analysis, discourse: Discourse, *, known: Sequence[Antecedent], catalog: Catalog
) -> Link | None:
    """Return the last question asked of a sibling: "And the 15?", "Et le Lite ?"; None where no sibling is named."""
    rest = content(analysis)
    if not rest or _asks(analysis) or not (opened(analysis) or len(rest) <= 3):
        return None
    found = _variant(analysis, discourse, rest, known=known, catalog=catalog)
    if found is None:
        return None
    link = new_thing(analysis, discourse, known, (found[0].name, found[0].name), sibling=True)
    return replace(link, alternatives=found[2]) if link is not None else None


def variant_link(
    analysis: Analysis, discourse: Discourse, *, known: Sequence[Antecedent], catalog: Catalog
) -> Link | None:
    """Return the link of "das Pro", "la XL" in a whole question to the sibling of the thing in focus, or None.

    Only a phrase of an article and such a word counts: "the Pro", not "the Pro version" nor "Windows Pro".
    """
    words, determiners = analysis.words, analysis.tongue.determiners
    for head, link, word in zip(words, words[1:], words[2:], strict=False):  # "die von Krabbe"
        if analysis.tongue.has("ones", head.key) and analysis.tongue.has("one_links", link.key):
            name = analysis.name_at(word.index)
            if (word.capital or word.number) and not (name is not None and name.known):
                found = _variant(analysis, discourse, [word], known=known, catalog=catalog)
                if found is not None:
                    sibling, focus, left = found
                    one = Expression("one", head.index, word.index, head.start, word.end)
                    return replace(link_to_name(analysis, one, sibling.name, focus, ("one_of",)), alternatives=left)
    for word in words[1:]:
        rules = determiners.get(words[word.index - 1].key)
        name = analysis.name_at(word.index)
        alone = name is None or (not name.known and name.first == name.last)
        end = _one_after(analysis, word)
        if not (rules and rules[0].kind == DEFINITE and alone and (word.capital or word.number or end > word.end)):
            continue
        found = _variant(analysis, discourse, [word], known=known, catalog=catalog, plain=end > word.end)
        if found is not None:
            anchor = (words[word.index - 1].start, end)
            text, meant = analysis.text[anchor[0] : anchor[1]], found[0].name
            return Link(text, anchor, (meant,), word.start, end, meant, ("catalog_family",), found[2])
    return None


def _one_after(analysis: Analysis, word: Word) -> int:
    """Return where "the annual one" ends: after the head that follows *word*, else after *word*."""
    after = analysis.words[word.index + 1] if word.index + 1 < len(analysis.words) else None
    headed = after is not None and analysis.tongue.has("ones", after.key) and not analysis.tongue.grammar.noun_first
    return after.end if after is not None and headed and after.key not in analysis.tongue.determiners else word.end


def _variant(
    analysis: Analysis,
    discourse: Discourse,
    said: Sequence[Word],
    *,
    known: Sequence[Antecedent],
    catalog: Catalog,
    plain: bool = False,
) -> tuple[Name, Antecedent, tuple[str, ...]] | None:
    """Return the sibling that "the Pro", "celui de 16", "der 500er" names, the thing in focus, and other siblings.

    It must share a word with the thing in focus; of several, the one with the fewest words more.  A *plain* word need
    not be written as a name: "the annual one".
    """
    things = [a for a in known if a.named and a.type not in ("TIME", "MONEY", "PERSON")]
    asked = {fold(span[2]) for span in discourse.frame.spans} if discourse.frame else set()
    focus = tuple(a for a in things if fold(a.entity) in asked)
    focus = focus if len(focus) == 1 else choose(things, discourse)
    if len(focus) != 1:
        return None
    own = set(name_words(focus[0].entity))
    found: list[tuple[int, Name]] = []
    for word in said:
        name = analysis.name_at(word.index)
        closed = word.key in analysis.tongue.closed and not (word.capital and not word.opens)
        if (name is not None and name.known) or closed or fold(word.text) in own:
            continue
        forms = _forms(word, analysis)
        before = analysis.words[word.index - 1].key if word.index else ""
        headless = word is said[-1] and before in analysis.tongue.determiners  # "the large", "der kleinen"
        if not (plain or headless or word.capital or word.number or name is not None or len(forms) > 1):
            continue
        for sibling in (sibling for form in forms for sibling in catalog.siblings(form)):
            shared = {part for part in own & set(name_words(sibling.name)) if not part.isdigit()}
            if shared and fold(sibling.name) != fold(focus[0].entity):
                found.append((len(set(name_words(sibling.name)) - own), sibling))
    if not found:
        return None
    least = min(more for more, _ in found)
    best = {sibling.name: sibling for more, sibling in found if more == least}
    if len(best) != 1:
        return None
    left = (sibling.name for _, sibling in sorted(found, key=lambda pair: pair[0]) if sibling.name not in best)
    return next(iter(best.values())), focus[0], tuple(dict.fromkeys(left))[:OTHERS]


def _forms(word: Word, analysis: Analysis) -> tuple[str, ...]:
    """Return *word*, and what it is without what is written on it, in the letters of names: "20er", «و20», «البرو»."""
    tongue = analysis.tongue
    bare = tongue.hooks.bare(word.text)
    spelt = tongue.grammar.spellings.get(fold(bare.removeprefix(tongue.grammar.written_article)))
    if spelt is not None:
        return word.text, spelt
    endings = tongue.grammar.adjective_endings
    ended_in = max(
        (e for e in endings if word.text.endswith(e) and not word.capital and not word.number), key=len, default=""
    )
    if ended_in:  # "der kleinen": the small one of what has its names
        return (word.text, *(word.text.removesuffix(ended_in) + ending for ending in endings if ending != ended_in))
    match = _NUMBER.fullmatch(bare)
    ended = match is not None and (not match[2] or match[2].casefold() in tongue.grammar.ordinal_endings)
    return (word.text, match[1]) if match is not None and ended and match[1] != word.text else (word.text,)


def _asks(analysis: Analysis) -> bool:
    """Return whether a question without a verb is complete all the same: a question word and three words besides."""
    rest = content(analysis)
    return any(analysis.tongue.has("question_words", word.key) for word in rest) and len(rest) > 3


def _named_fragment(
    analysis: Analysis, discourse: Discourse, phrase: Phrase, *, known: Sequence[Antecedent], catalog: Catalog
) -> Link | None:
    """Return "And the Aero 16?", "Et aux États-Unis ?" completed.

    The new thing takes the place of the old, or of what had its preposition.
    """
    begins = content(analysis)[0].index
    inside = phrase.first - 1 >= begins or analysis.words[phrase.first].key in _contracted(analysis)
    preposition = phrase.preposition if inside else ""
    thing = analysis.tongue.hooks.bare(analysis.text[phrase.start : phrase.end])
    if phrase.known and fold(phrase.entity) not in fold(thing):
        thing = thing.replace(phrase.name, phrase.entity, 1)  # "the Lite" stands for its only bearer
    link = new_thing(analysis, discourse, known, (thing, phrase.entity), preposition=preposition)
    return adjunct(analysis, discourse, catalog) if link is None and preposition else link


def _contracted(analysis: Analysis) -> frozenset[str]:
    """Return the determiners that have taken in a preposition."""
    return frozenset(form for form, rules in analysis.tongue.determiners.items() if rules[0].contracted)


def _attribute(
    analysis: Analysis, discourse: Discourse, nouns: Sequence[Phrase], *, known: Sequence[Antecedent], catalog: Catalog
) -> Link | None:
    """Return the link for a new attribute of the thing in focus, or for an adjunct of the last question."""
    order = ranked([a for a in known if a.named and a.type not in ("TIME", "MONEY")], discourse)
    focus = foremost(order)
    timed = any(word.key in analysis.tongue.times for word in content(analysis))
    if focus and nouns and not may_have(focus[0], [nouns[-1].noun], analysis.tongue):
        return None
    tongue = analysis.tongue
    owned = len(nouns) > 1 and tongue.is_property(nouns[-2].noun) and not tongue.is_property(nouns[-1].noun)
    if owned and nouns[-1].determined == DEFINITE and nouns[-1].first == nouns[-2].last + 1:
        return None  # «كم طول المسبح؟» says of what
    if nouns and not nouns[0].preposition and opened(analysis) and takes_no_owner(nouns[-1], tongue):
        thing = (analysis.text[nouns[0].start : nouns[0].end], nouns[0].entity)
        another = len(nouns) == 1 and nouns[0].determined == "indefinite"  # "And a tent?"
        return new_thing(analysis, discourse, known, thing) if another else None
    if focus and nouns and not nouns[0].preposition and not timed:
        if len(focus) != 1:
            return None
        left = tuple(a.entity for _, a in order if a is not focus[0] and a.type in (focus[0].type, ""))
        return replace(attribute_of(analysis, nouns[-1], focus[0]), alternatives=left[:OTHERS])
    return adjunct(analysis, discourse, catalog) if opened(analysis) else None


def _one_of(
    analysis: Analysis,
    discourse: Discourse,
    *,
    one: Expression,
    known: Sequence[Antecedent],
    catalog: Catalog,
    fragment: bool,
) -> Link | None:
    """Return the link for "the Lenovo one", "celui de Lenovo": a thing of the kind in focus, known or new."""
    focus = choose([a for a in known if a.named and fold(a.entity) != fold(one.noun)], discourse)
    if not focus:
        return None
    sort = False  # called by the kind of the thing in focus: "le portable de Pelorin"
    siblings = [n for n in catalog.siblings(one.noun) if fold(n.name) != fold(focus[0].entity)]
    told = next((p for p in analysis.phrases if p.known and p.entity == one.noun), None)
    whole = catalog.get(one.noun)  # the only thing that the word can name, or the house itself
    if fragment and told is not None and (len(siblings) != 1 or (whole is not None and whole.type == focus[0].type)):
        thing, entity = analysis.text[told.start : told.end], one.noun  # "Und der des Aero 16?"
        if fold(told.entity) not in fold(thing):
            thing = thing.replace(told.name, told.entity, 1)
    elif len(siblings) == 1:
        thing = entity = siblings[0].name
    elif whole is not None and whole.type == focus[0].type:
        thing = entity = whole.name
    else:
        noun = focus[0].nouns[-1] if focus[0].nouns else ""
        if not noun and not fragment:
            return None  # nothing to be called "from Meeker"
        parts = (noun, one.rest) if analysis.tongue.grammar.noun_first else (one.rest, noun)
        thing, entity, sort = " ".join(parts).strip(), one.noun, bool(noun)
    anchor, text = (one.start, one.end), analysis.text[one.start : one.end]
    named = catalog.get(thing) is not None
    if fragment:
        link = new_thing(analysis, discourse, known, (thing, entity), sibling=named or sort)
        return replace(link, text=text, anchor=anchor) if link is not None else None
    if named:
        return link_to_name(analysis, one, thing, focus[0], ("one_of",))
    return Link(text, anchor, (entity,), one.start, one.end, thing, ("one_of",))

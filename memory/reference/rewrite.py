"""The standalone question, written: each link is an edit, and replaying the links gives the question.

Where a smooth wording is not certain, a plain one keeps the name whole; nothing else of the question is touched.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from languages.grammar import DEFINITE, Referent, grammar_of, key
from languages.pack import codes, load
from languages.text import fold
from memory.reference.analysis import Analysis
from memory.reference.candidates import Antecedent
from memory.reference.expression import Expression
from memory.reference.tongue import Tongue
from memory.types import Link


def _is_foreign(determiner: str, tongue: Tongue) -> bool:
    """Return whether the first word of a phrase is, or begins with, a determiner of another language alone."""
    said = {key(determiner), key(determiner).partition("'")[0] + "'"}
    return said.isdisjoint(tongue.determiners) and any(
        key(form) in said
        for code in codes()
        if code != tongue.code
        for each in grammar_of(code).determiners
        for form in each.forms
    )


def replay(question: str, links: Sequence[Link]) -> str:
    """Return *question* with the links' edits made; they do not overlap.

    >>> replay("What is it?", (Link("it", (8, 10), ("Aero 14",), 8, 10, "the Aero 14"),))
    'What is the Aero 14?'
    """
    text = question
    for link in sorted(links, key=lambda link: link.start, reverse=True):
        text = text[: link.start] + link.replacement + text[link.end :]
    return text


def referent_of(antecedent: Antecedent, tongue: Tongue) -> Referent:
    """Return how the conversation speaks of *antecedent*: its words, article, gender and number."""
    whole = [m for m in antecedent.mentions if m.named and fold(antecedent.entity) in fold(m.text)]
    mention = whole[-1] if whole else antecedent.last
    if antecedent.named and not whole:
        return Referent(
            antecedent.entity,
            antecedent.article,
            _only(antecedent.genders),
            _number(antecedent),
            antecedent.type == "PERSON",
        )
    words = mention.text
    determiner = words.split(" ", 1)[0] if " " in words else ""
    article = antecedent.article
    own = mention.determined == "own"
    if mention.named and mention.determined and _is_foreign(words.split(" ", 1)[0], tongue):
        words, determiner, own = antecedent.entity, "", False  # "mein Leaf 2" in a question that is not German
    if determiner and mention.determined and not own and determiner.casefold() in tongue.determiners:
        words = words.split(" ", 1)[1]
    elif mention.determined in ("definite", "indefinite") and not own:
        words = _without_elision(words, tongue)
    if own and determiner:  # "My Vantek 500" does not open the sentence any more
        words = determiner.lower() + words[len(determiner) :]
    if not antecedent.named and not own and not article:
        article = DEFINITE
    words = tongue.hooks.bare(words)
    if tongue.grammar.letters_folded and mention.named:
        at = fold(words).find(fold(antecedent.entity))
        if at < 0 or " " not in words[:at]:
            words = antecedent.entity  # without what is written on its first word
    return Referent(
        words, "" if own else article, _only(antecedent.genders), _number(antecedent), antecedent.type == "PERSON"
    )


def _only(genders: frozenset[str]) -> str:
    return next(iter(genders)) if len(genders) == 1 else ""


def _number(antecedent: Antecedent) -> str:
    return "p" if antecedent.numbers == {"p"} else "s"


def _without_elision(words: str, tongue: Tongue) -> str:
    for mark in ("'", "’"):
        head, _, tail = words.partition(mark)
        if tail and f"{head.casefold()}'" in tongue.determiners:
            return tail
    return words


def link_to(analysis: Analysis, expression: Expression, chosen: Sequence[Antecedent], evidence: Sequence[str]) -> Link:
    """Return the link of *expression* to what it means, with the edit that says it."""
    referents = [referent_of(antecedent, analysis.tongue) for antecedent in chosen]
    if len(chosen) == 1 and chosen[0].named and expression.numbers == {"s"} and referents[0].number == "p":
        referents = [replace(referents[0], name=chosen[0].entity, number="s")]  # "it": the model, not the headphones
    if len(chosen) == 1 and expression.kind == "pronoun" and not referents[0].gender:
        referents = [replace(referents[0], gender=_only(expression.singular or expression.genders))]
    return _link(analysis, expression, referents, tuple(a.entity for a in chosen), evidence)


def link_to_name(
    analysis: Analysis, expression: Expression, name: str, bearer: Antecedent, evidence: Sequence[str]
) -> Link:
    """Return the link of *expression* to a thing called *name*, which is spoken of as its sibling *bearer* was."""
    referent = replace(referent_of(bearer, analysis.tongue), name=name)
    gender = next(iter(expression.genders)) if len(expression.genders) == 1 else referent.gender
    referent = replace(referent, gender=gender, article=referent.article or DEFINITE)
    return _link(analysis, expression, [referent], (name,), evidence)


def link_of_kind(analysis: Analysis, expression: Expression, kind: Antecedent) -> Link:
    """Return the link of "the one from Lenovo" to another thing of the kind spoken of: "the laptop from Lenovo"."""
    tongue, grammar = analysis.tongue, analysis.tongue.grammar
    referent = referent_of(replace(kind, article=kind.article or DEFINITE), tongue)
    head, _, last = referent.name.rpartition(" ")
    if head and tongue.has("one_links", fold(last)):
        referent = replace(referent, name=head)
    text = analysis.text[expression.start : expression.end]
    if grammar.letters_folded:
        words = f"{referent.name} {expression.rest.partition(' ')[2] or expression.rest}"  # an idafa: «ثلاجة ألبا»
    elif text.endswith(expression.rest):
        words = f"{tongue.hooks.phrase(referent, expression.case)} {expression.rest}"
    else:
        words = text[: text.rfind(" ") + 1] + referent.name  # "the Lenovo one": the noun is last
    words = _capital(analysis.text, expression.start, words)
    return Link(
        text, (expression.start, expression.end), (kind.entity,), expression.start, expression.end, words, ("one_of",)
    )


def link_of_choice(
    analysis: Analysis, expression: Expression, chosen: Sequence[Antecedent], evidence: Sequence[str]
) -> Link:
    """Return the link of "which of the two": the question stays, the alternatives follow it: "…, the A or the B?"."""
    tongue = analysis.tongue
    body = analysis.text.rstrip(" ?؟!.\u00a0\u202f")
    phrases = [tongue.hooks.phrase(referent_of(antecedent, tongue), "subject") for antecedent in chosen]
    words = f"{tongue.grammar.choice_lead}{', '.join(phrases[:-1])}{tongue.grammar.choice_or}{phrases[-1]}"
    anchor = (expression.start, expression.end)
    text = analysis.text[expression.start : expression.end]
    return Link(text, anchor, tuple(a.entity for a in chosen), len(body), len(body), words, tuple(evidence))


def _link(
    analysis: Analysis,
    expression: Expression,
    referents: Sequence[Referent],
    entities: tuple[str, ...],
    evidence: Sequence[str],
) -> Link:
    text, words = analysis.text, analysis.words
    start, end = words[expression.first].start, words[expression.last].end
    hooks = analysis.tongue.hooks
    original = text[start:end]
    if expression.kind == "possessive":
        owner = joined(referents, analysis.tongue)
        if expression.attached is not None:
            replacement = hooks.owned("", _with_prefix(original, expression), owner)
        else:
            replacement = hooks.owned(words[expression.first].text, expression.noun, owner)
            cut, replacement = hooks.contracted(text[:start], replacement)
            start -= cut
    else:
        owner = joined(referents, analysis.tongue)
        left, right, replacement = hooks.place(text[:start], original, text[end:], owner, expression.case)
        start, end = start - left, end + right
        cut, replacement = hooks.contracted(text[:start], replacement)
        start -= cut
    if original[-1:] in ("'", "’") and replacement[-1:].isalnum() and text[end : end + 1].isalpha():
        replacement += " "  # "C'est" has elided what now stands whole
    replacement = _capital(text, start, replacement)
    anchor = (expression.start, expression.end)
    return Link(text[expression.start : expression.end], anchor, entities, start, end, replacement, tuple(evidence))


def _with_prefix(original: str, expression: Expression) -> str:
    return expression.attached.stem if expression.attached is not None else original


def joined(referents: Sequence[Referent], tongue: Tongue) -> Referent:
    """Return several referents as one in the plural: "the A and the B"; one stays as it is."""
    if len(referents) == 1:
        return referents[0]
    phrases = [tongue.hooks.phrase(referent, "subject") for referent in referents]
    return Referent(load(tongue.code).join(phrases, style="standard"), "", "", "p", all(r.person for r in referents))


def _capital(text: str, start: int, replacement: str) -> str:
    """Return *replacement* with a capital where it opens the question and what it replaces had one."""
    led = " " in replacement or replacement[1:2] in {"'", "’"}
    if start == 0 and text[:1].isupper() and replacement[:1].islower() and led:
        return replacement[0].upper() + replacement[1:]
    return replacement


def owned_link(analysis: Analysis, at: int, owner: Antecedent, evidence: Sequence[str]) -> Link:
    """Return the link that writes *owner* after what stands before offset *at*: "the battery | of the Aero 14"."""
    text, hooks = analysis.text, analysis.tongue.hooks
    said = hooks.phrase(referent_of(owner, analysis.tongue), "owner")
    left, right, words = hooks.of(text[:at], text[at:], said)
    return Link("", (at, at), (owner.entity,), at - left, at + right, words, tuple(evidence))


def no_edit(analysis: Analysis, expression: Expression, entities: Sequence[str], evidence: Sequence[str]) -> Link:
    """Return a link that leaves the words as they are: a later pronoun for what the question names by now."""
    start, end = expression.start, expression.end
    words = analysis.text[start:end]
    return Link(words, (start, end), tuple(entities), start, end, words, tuple(evidence))

"""What an expression means within its own question: a name or noun before it, a clause's subject after it, anybody.

What is bound is no reference to the conversation, and is left as it stands.
"""

from __future__ import annotations

import re

from memory.reference.analysis import Analysis
from memory.reference.candidates import NEVER, PLACES
from memory.reference.expression import Expression
from memory.reference.phrases import Phrase
from memory.reference.tongue import Tongue

_TAIL = re.compile(r"[,،]\s*([^,،]+?)[\s?؟!.]*$")  # what stands after the last comma
_SHOWN = 2  # words of "celui-là"
_APART = frozenset(("definite", "demonstrative", "own"))  # determiners of what is set apart


def bound(analysis: Analysis, expression: Expression, tongue: Tongue) -> Phrase | None:
    """Return the phrase of the question itself that the expression means, or None where it is free.

    A name or a noun before it binds it where it agrees; a noun of what things have ("the warranty") does not.
    """
    if expression.kind == "both":
        return _listed_here(analysis, expression, tongue)
    if expression.kind == "adverb":
        return next((p for p in reversed(analysis.phrases) if p.end <= expression.start and p.noun), None)
    if expression.kind == "definite":
        return _owner(analysis, expression, tongue)
    if expression.kind not in ("pronoun", "possessive", "demonstrative", "place"):
        return None
    if expression.kind == "demonstrative" and expression.noun:
        return None
    if expression.attached is not None and _in_relative(analysis, expression, tongue):
        return Phrase(0, 0, 0, 0, "")  # "من الذي عينه نوبل": the relative's own
    if expression.attached is not None and expression.first:
        relative = _before(analysis, expression)
        if (
            relative is not None
            and not relative.name
            and not relative.determined
            and not tongue.is_property(relative.noun)
        ):
            return relative  # "رسالة حذفتها": a relative clause on the noun right before it
    if expression.kind == "possessive" and tongue.grammar.genders and _opens_with_infinitive(analysis):
        return Phrase(0, 0, 0, 0, "")  # "Perdre sa licence": anybody's
    for phrase in reversed([p for p in analysis.phrases if p.end <= expression.start]):
        beside = phrase.last + 1 == expression.first and not phrase.name and expression.kind == "pronoun"
        if not beside and _binds(phrase, expression, tongue):
            return phrase
    ahead = _ahead(analysis, expression, tongue) or set_apart(analysis, expression, tongue)
    if ahead is not None:
        return ahead
    if (
        any(tongue.has("generic", word.key) for word in analysis.words[: expression.first])
        and expression.animacy != "thing"
    ):
        first = analysis.words[0]
        return Phrase(first.start, first.end, 0, 0, "", first.text)
    return None


def _ahead(analysis: Analysis, expression: Expression, tongue: Tongue) -> Phrase | None:
    """Return the name after a fronted clause that its pronoun means: "Before she retired, did Joan work here?"."""
    comma = re.search(r"[,،]", analysis.text[expression.end :])
    if comma is None or expression.first > 3 or expression.kind not in ("pronoun", "possessive"):
        return None
    if not analysis.words or analysis.words[0].key in tongue.verbs or tongue.has("fillers", analysis.words[0].key):
        return None
    start = expression.end + comma.end()
    later = [p for p in analysis.phrases if p.start >= start and (p.name or p.determined == "indefinite")]
    return next((p for p in later if _binds(p, expression, tongue)), None)


def set_apart(analysis: Analysis, expression: Expression, tongue: Tongue) -> Phrase | None:
    """Return the phrase set apart at the end that a pronoun announces: "Il coûte combien, | cet accessoire ?"."""
    tail = _TAIL.search(analysis.text)
    if tail is None or expression.kind != "pronoun" or tail.start() < expression.end:
        return None
    words = [word for word in analysis.words if word.start >= tail.start(1)]
    first = words[0] if words else None
    if first is None or any(tongue.has("disjunctions", w.key) or w.key in tongue.verbs for w in words):
        return None
    rules = tongue.determiners.get(first.key, ())
    shown = any(p.kind == "demonstrative" for p in tongue.pronouns.get(first.key, ()))
    shown = (shown or tongue.has("ones", first.key)) and len(words) <= _SHOWN
    phrase = analysis.phrase_at(first.index)
    if phrase is None and shown:
        return Phrase(first.start, first.end, first.index, first.index, first.text)
    if phrase is None or phrase.first != first.index or not any(rule.kind in _APART for rule in rules):
        return None
    agrees = not (expression.genders and phrase.genders) or bool(expression.genders & phrase.genders)
    return phrase if agrees and not (expression.numbers and phrase.numbers - expression.numbers) else None


def _binds(phrase: Phrase, expression: Expression, tongue: Tongue) -> bool:
    if expression.kind == "place":
        told = phrase.name or phrase.preposition or phrase.determined == "definite"  # "a parking space there" is free
        return (phrase.type in PLACES and bool(told)) or (
            bool(phrase.name) and bool(phrase.preposition) and not phrase.type
        )
    if phrase.determined == "demonstrative" or phrase.type in NEVER:
        return False
    if not phrase.name and (tongue.is_property(phrase.noun) or phrase.determined == ""):
        return False
    if expression.genders and phrase.genders and not expression.genders & phrase.genders:
        return False
    if expression.numbers and phrase.numbers and not expression.numbers & phrase.numbers:
        # Singular "they": an indefinite person binds it ("Can a tenant repaint their flat?").
        anyone = phrase.determined in ("indefinite", "quantity") and phrase.type in ("PERSON", "")
        return anyone and not tongue.grammar.genders and _animate(phrase, expression, tongue)
    return _animate(phrase, expression, tongue)


def _animate(phrase: Phrase, expression: Expression, tongue: Tongue) -> bool:
    """Return whether nothing known speaks against a person, or a thing, where the expression asks for one."""
    if expression.animacy == "person" and phrase.type not in ("PERSON", ""):
        return False
    if expression.animacy == "person" and not phrase.type and phrase.name:
        return tongue.lexicon.person_gender(phrase.name) is not None
    return not (expression.animacy == "thing" and phrase.type == "PERSON")


def _listed_here(analysis: Analysis, expression: Expression, tongue: Tongue) -> Phrase | None:
    """Return a phrase of the list that the question itself gives: "are A and B both …", "which is better: A or B?"."""
    listed = [p for p in analysis.phrases if p.group >= 0]
    before = [p for p in listed if p.end <= expression.start]
    parted = any(tongue.has("disjunctions", word.key) for word in analysis.words[expression.last + 1 :])
    after = [p for p in (listed or analysis.phrases) if p.start >= expression.end] if parted else []
    return next(iter(before[-1:] + after[:1]), None)


def _owner(analysis: Analysis, expression: Expression, tongue: Tongue) -> Phrase | None:
    """Return the name that a definite noun is tied to: "the service centre of Velmora" takes up nothing else."""
    after = expression.last + 1
    if after + 1 >= len(analysis.words) or analysis.text[expression.end : analysis.words[after].start].strip():
        return None
    word = analysis.words[after].key
    contracted = any(rule.contracted for rule in tongue.determiners.get(word, ()))
    if not tongue.has("one_links", word) and not contracted:
        return None
    following = (analysis.phrase_at(after), analysis.phrase_at(after + 1))
    return next((p for p in following if p is not None and p.name), None)


def _in_relative(analysis: Analysis, expression: Expression, tongue: Tongue) -> bool:
    """Return whether a relative pronoun stands before the expression in its clause."""
    for word in reversed(analysis.words[: expression.first]):
        if tongue.has("relatives", word.key):
            return True
        if re.search(r"[,،.؟!:]", analysis.text[word.end : word.end + 1]):
            return False
    return False


def _before(analysis: Analysis, expression: Expression) -> Phrase | None:
    phrase = analysis.phrase_at(expression.first - 1)
    return phrase if phrase is not None and not analysis.text[phrase.end : expression.start].strip() else None


def _opens_with_infinitive(analysis: Analysis) -> bool:
    first = analysis.words[0]
    return "inf" in analysis.tongue.lexicon.parts(first.text) and first.key not in analysis.tongue.closed

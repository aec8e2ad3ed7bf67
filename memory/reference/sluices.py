"""Questions that are only "Why?": completed from what the assistant said last.

The class was cancelled.        —  Why?        Why was the class cancelled?
Groups are limited to sixteen.  —  why 16?     the statement in which the words beside "why" stand

Which sentence is meant, where its verb stands and that nothing in it stays open is decided here; how the language asks
for a reason is ``Hooks.why``.  What cannot be turned is asked about the thing, or left.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, replace
from functools import partial

from languages.grammar import DEFINITE, Referent
from memory.reference.analysis import Analysis, analyse
from memory.reference.binding import bound
from memory.reference.discourse import Discourse
from memory.reference.expression import Expression
from memory.reference.phrases import Phrase
from memory.reference.referring import find_expressions
from memory.reference.state import State
from memory.reference.statements import is_negative, statement_in, verb_of, wanted, within
from memory.reference.tongue import Tongue
from memory.reference.words import Word
from memory.types import Catalog, Link, Resolution

_LONGEST = 18  # words of a statement that is asked about as a whole
_FOCUS = 4  # words beside "why", at most
_OPEN = frozenset(("pronoun", "demonstrative", "place", "time", "adverb"))

Resolve = Callable[[str, Discourse], Resolution]


@dataclass(frozen=True, slots=True)
class Sluice:
    """A question that is only "why": its word, and what stands beside it of the statement."""

    why: str
    focus: tuple[Word, ...]
    limiter: str  # "only" before the focus, "" without
    negated: bool


def sluice_of(analysis: Analysis) -> Sluice | None:
    """Return what *analysis* asks for with "why" alone or with a few words, None where it asks anything else."""
    tongue, keys = analysis.tongue, analysis.keys
    at = _passed(tongue, keys, 0, tongue.sets["openers"] | tongue.sets["fillers"])
    found = tongue.longest(keys, at, tongue.sets["whys"])
    joined = analysis.words[at].text[:1] if at < len(keys) and tongue.grammar.letters_folded else ""
    if found is None and joined and keys[at][:1] in tongue.grammar.prefixes[:2]:  # «وليش؟»
        found = (keys[at][1:], 1) if tongue.has("whys", keys[at][1:]) else None
    else:
        joined = ""
    if found is None:
        return None
    after = at + found[1]
    why = analysis.text[analysis.words[at].start + len(joined) : analysis.words[after - 1].end]
    rest: list[Word] = []
    limiter, negated = "", False
    while after < len(keys):
        particle = tongue.longest(keys, after, tongue.sets["why_particles"])
        word = analysis.words[after]
        if particle is not None and not rest:
            negated = negated or tongue.has("negations", keys[after])
            after += particle[1]
            continue
        if tongue.has("limiters", word.key):
            limiter = limiter or word.text
        elif not (particle is not None and after + particle[1] == len(keys)):
            rest.append(word)
        after += 1
    asks = any(word.key in tongue.verbs or tongue.asks(word.key) for word in rest)
    if asks or len(rest) > _FOCUS or len(analysis.words) - at > 2 * _FOCUS:
        return None
    return Sluice(why, tuple(rest), limiter if rest else "", negated)


def settle(state: State, resolve: Callable[..., Resolution]) -> None:
    """Read "Why?" after a statement: nothing else completes it."""
    sluice = sluice_of(state.analysis)
    if sluice is None:
        return
    again = partial(resolve, catalog=state.catalogs[0], language=state.analysis.tongue.code)
    link = asked_why(sluice, state.analysis, state.discourse, state.catalogs, again)
    state.settled = True
    state.links.extend([link] if link is not None else [])


def asked_why(
    sluice: Sluice, analysis: Analysis, discourse: Discourse, catalogs: Sequence[Catalog], resolve: Resolve
) -> Link | None:
    """Return the link that completes *sluice* from the last message, None where there is nothing to ask about.

    *resolve* reads what is still open in the statement ("It was cancelled") against what was said before it.
    """
    tongue = analysis.tongue
    said = discourse.recent[-1] if discourse.recent else ("user", "")
    language = discourse.language or tongue.code
    if said[0] != "assistant" or language != tongue.code:
        return None
    statement = statement_in(said[1], sluice.focus, tongue, catalogs)
    if statement is None or (sluice.negated and not is_negative(statement)):
        return None
    whole = _closed(statement, discourse, catalogs, resolve) if len(statement.words) <= _LONGEST else None
    question, named = _turned(sluice.why, whole) if whole is not None else "", _about(whole or statement)
    if not question:
        thing = _thing(statement)
        if thing is None or sluice.focus:
            return None
        question, named = tongue.hooks.why(sluice.why, _referent(thing, statement), "", ""), thing.entity
    question = _limited(question, sluice, tongue)
    if not question:
        return None
    end = analysis.words[-1].end
    mark = analysis.text[end:]
    capital = analysis.text[:1].isupper()
    words = (question[:1].upper() if capital else question[:1]) + question[1:] + mark
    return Link("", (end, end), (named,), 0, len(analysis.text), words, ("asked_why",))


def _passed(tongue: Tongue, keys: Sequence[str], at: int, table: Container[str]) -> int:
    while at < len(keys) and not tongue.has("whys", keys[at]) and (match := tongue.longest(keys, at, table)):
        at += match[1]
    return at


def _turned(why: str, statement: Analysis) -> str:
    """Return the statement as a question for its reason; "" where it cannot be turned safely."""
    tongue, verb = statement.tongue, verb_of(statement)
    if tongue.grammar.letters_folded:
        return tongue.hooks.why(why, Referent(""), "", statement.text)
    if verb is None:
        return ""
    before, rest = statement.text[: verb.start].strip(), statement.text[verb.end :]
    inner = statement.words[: verb.index]
    relative = any(tongue.has("relatives", w.key) and w.key not in tongue.determiners for w in inner)
    if "," in before or relative or (inner and not _nominal(statement, verb)):
        return ""
    phrase = statement.phrase_at(0)
    between = statement.words[phrase.last + 1 : verb.index] if phrase is not None else ()
    whole = phrase is not None and all(w.key in tongue.closed and not w.capital for w in between)
    gender = next(iter(phrase.genders)) if whole and phrase is not None and len(phrase.genders) == 1 else ""
    plural = whole and phrase is not None and phrase.numbers == {"p"}
    subject = Referent(_lowered(before, statement), "", gender, "p" if plural else "s")
    return tongue.hooks.why(why, subject, verb.text, rest)


def _nominal(statement: Analysis, verb: Word) -> bool:
    """Return whether a noun phrase, a name or a pronoun stands before the verb."""
    tongue = statement.tongue
    return any(p.last < verb.index for p in statement.phrases) or any(
        w.key in tongue.pronouns or tongue.has("first_persons", w.key) or tongue.has("generic", w.key)
        or tongue.may_be_noun(w.key) or w.key in tongue.times or tongue.lexicon.parts(w.text) & {"adv", "adj", "verb"}
        or not w.opens
        for w in statement.words[: verb.index]
    )  # fmt: skip


def _lowered(before: str, statement: Analysis) -> str:
    """Return the words before the verb without the capital of the sentence's beginning."""
    first, tongue = statement.words[0], statement.tongue
    own = first.text.isupper() and (sum(map(str.isalpha, first.text)) > 1 or first.key in tongue.sets["first_persons"])
    noun = tongue.grammar.noun_capitals and first.key not in tongue.closed and tongue.may_be_noun(first.key)
    polite = tongue.grammar.noun_capitals and first.text in tongue.grammar.polite
    if statement.name_at(0) is not None or own or noun or polite:
        return before
    return before[:1].lower() + before[1:]


def _closed(
    statement: Analysis, discourse: Discourse, catalogs: Sequence[Catalog], resolve: Resolve
) -> Analysis | None:
    """Return *statement* with what it leaves open read against what was said before; None where it stays open."""
    if not _left_open(statement):
        return statement
    last = discourse.messages - 1
    before = replace(
        discourse, recent=discourse.recent[:-1], offered=(), offered_at=-1, pending=None, frame=None,
        mentions=tuple(m for m in discourse.mentions if m.message < last),
    )  # fmt: skip
    found = resolve(statement.text, before)
    left = analyse(found.standalone, statement.tongue.code, catalogs)
    if found.status == "resolved" and not _left_open(left):
        return left
    return _of_the_question(statement, discourse, catalogs) if found.status == "unchanged" else None


def _of_the_question(statement: Analysis, discourse: Discourse, catalogs: Sequence[Catalog]) -> Analysis | None:
    """Return the statement with what the question was about for the pronoun that opens it; None where none agrees."""
    frame, tongue = discourse.frame, statement.tongue
    expression = next(iter(find_expressions(statement)), None)
    if frame is None or frame.language != tongue.code or expression is None or expression.first:
        return None
    if expression.kind != "pronoun" or expression.attached is not None:
        return None
    asked = analyse(frame.text, frame.language, catalogs)
    phrases = [
        p for p in asked.phrases if p.subject and not (expression.genders and not expression.genders & p.genders)
    ]
    phrases = [p for p in phrases if p.type not in ("TIME", "MONEY") and (p.name or p.determined == DEFINITE)]
    fitting = [p for p in phrases if not p.numbers or not expression.numbers or p.numbers & expression.numbers]
    if len(fitting) != 1:
        return None
    words = tongue.hooks.phrase(_referent(fitting[0], asked), "subject")
    whole = analyse(f"{words[:1].upper()}{words[1:]}{statement.text[expression.end :]}", tongue.code, catalogs)
    return None if _left_open(whole) else whole


def _left_open(asked: Analysis) -> bool:
    own = [e for e in find_expressions(asked) if e.kind in _OPEN and not (e.kind == "demonstrative" and e.noun)]
    return any(
        bound(asked, e, asked.tongue) is None and not _addresses(asked, e.first) and not _is_article(asked, e)
        for e in own
    )


def _is_article(asked: Analysis, expression: Expression) -> bool:
    """Return whether a form that is an article as well stands before a noun: "pas les cartes"."""
    after, pronoun = expression.last + 1, expression.pronoun
    article = pronoun is not None and pronoun.article and after < len(asked.words)
    return article and asked.tongue.may_be_noun(asked.words[after].key)


def _addresses(asked: Analysis, at: int) -> bool:
    """Return whether a form of address opens a sentence, where any word has a capital: "Sie müssen zahlen"."""
    if at or asked.words[0].text not in asked.tongue.grammar.polite or len(asked.words) < 2:
        return False
    return "s" not in asked.tongue.lexicon.verb_numbers(asked.words[1].text)


def _thing(statement: Analysis) -> Phrase | None:
    """Return the thing that the statement is about: a name or a definite noun."""
    tongue = statement.tongue
    things = [p for p in statement.phrases if p.type not in ("TIME", "MONEY")]
    things = [p for p in things if p.known or (p.determined == DEFINITE and p.noun and not p.name)]
    things = [p for p in things if not tongue.is_property(p.noun)] or things
    plain = [p for p in things if not p.preposition]
    return next((p for p in things if p.subject), plain[0] if plain else None)


def _referent(phrase: Phrase, statement: Analysis) -> Referent:
    gender = next(iter(phrase.genders)) if len(phrase.genders) == 1 else ""
    words = statement.text[phrase.start : phrase.end]
    determined = phrase.determiner and words.casefold().startswith(phrase.determiner.casefold())
    name = words[len(phrase.determiner) :].lstrip() if determined else words
    article = phrase.determiner.casefold() if phrase.determined == DEFINITE else ""
    return Referent(name, article, gender, "p" if phrase.numbers == {"p"} else "s")


def _about(statement: Analysis) -> str:
    """Return the entity that a statement is about: what is known, else its subject, else its words."""
    verb = verb_of(statement)
    early = [p for p in statement.phrases if verb is not None and p.last < verb.index]
    known = [p for p in statement.phrases if p.known and p.type not in ("TIME", "MONEY")]
    phrases = known or early or [p for p in statement.phrases if p.subject]
    found = next(iter(phrases or statement.phrases), None)
    return found.entity if found is not None else statement.text


def _limited(question: str, sluice: Sluice, tongue: Tongue) -> str:
    """Return *question* with "only" before what "why only three?" singles out, where it does not say so by now."""
    if not sluice.limiter or not question:
        return question
    asked = analyse(question, tongue.code)
    at = within(asked.keys, wanted(sluice.focus, tongue))
    if at < 0 or any(tongue.has("limiters", key) for key in asked.keys):
        return question
    start = asked.words[at].start
    return f"{question[:start]}{sluice.limiter.lower()} {question[start:]}"

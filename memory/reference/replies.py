"""An answer to a question back: which of the options it means, by its words, by their order, by its meaning.

Which tablet do you mean: Tab 10 or Tab 10 Kids?   —   the Kids · the second · the normal one · not the Kids ·
the one for my daughter
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final, Protocol

from languages.quantities import parse_number, spelt_numbers
from languages.text import fold, words
from memory.reference.analysis import Analysis, analyse
from memory.reference.candidates import Antecedent
from memory.reference.choices import chosen
from memory.reference.discourse import Discourse, Mention, Pending
from memory.reference.ellipsis import content, is_fragment
from memory.reference.expression import CHOICES
from memory.reference.families import name_words, told_apart, words_said
from memory.reference.rewrite import referent_of
from memory.reference.state import OTHERS, State
from memory.reference.tongue import Tongue
from memory.spelling import without_proclitics
from memory.types import Catalog, Embedder, Link, Resolution

_ANSWER: Final = 8  # words of a message that answers what was asked back by a name, at most
_DESCRIBED: Final = 12  # the same for one that says what the thing is like
# Cosine by which the option that a description means lies nearer to it than the next.  Of 19 answers in four languages
# of which no word stands in a name, 12 were told rightly by this distance, 2 wrongly, and 5 were left open.
_NEARER: Final = 0.005
_SHORT: Final = 3  # letters: a word this short says nothing of a thing


class Resolve(Protocol):
    """Resolves a question, as ``memory.resolve`` does."""

    def __call__(self, question: str, discourse: Discourse, *, catalog: Catalog, language: str) -> Resolution:
        """Return the resolution of *question*."""
        ...


def read_reply(state: State, *, again: Resolve, embedder: Embedder | None) -> None:
    """Read an answer to what was asked back: the option takes the expression's place in the question asked.

    An answer that tells none of the options is read with the question: nobody is asked the same thing twice.
    """
    pending = state.discourse.pending or _answered_of_all(state)
    if pending is None:
        return
    text, end = state.analysis.text, len(state.analysis.text)
    left = _left(state, pending)
    picked = _picked(state, left) if left else []
    described = len(picked) != 1 and state.discourse.pending is not None and _describes(state, pending)
    picked = _by_attributes(state, left) if described else picked
    if described and len(picked) != 1 and embedder is not None:
        picked = _nearest(text, left, embedder)
    if len(picked) == 1:
        name = picked[0]
        question = complete(state, pending, name, again)
        rest = tuple(option for option in pending.options if option != name)[:OTHERS]
        state.links.append(Link(text, (0, end), (name,), 0, end, question, ("offer_answer",), rest))
    elif described:
        question = f"{pending.question.rstrip()} {text.strip()}"
        state.links.append(Link(text, (0, end), (), 0, end, question, ("offer_answer",)))
        state.settled = True


def _answered_of_all(state: State) -> Pending | None:
    """Return the last question as one asked back about, where it was answered for each sort of the thing it asks of.

    How much is a mower?   —   Small mower: £9.  Large mower: £14.   —   Not the large one.
    """
    analysis, discourse, frame = state.analysis, state.discourse, state.discourse.frame
    answered = bool(discourse.recent) and discourse.recent[-1][0] == "assistant"
    offered = discourse.offered if discourse.offered_at == discourse.messages - 1 else ()
    if frame is None or not answered or len(offered) < 2 or frame.language != analysis.tongue.code:
        return None
    if (
        "?" not in frame.text.replace("؟", "?")
        or _asks(analysis)
        or analysis.text.rstrip().endswith(("?", "؟"))
        or len(content(analysis)) > _ANSWER
    ):
        return None
    for phrase in analyse(frame.text, frame.language, state.catalogs).phrases:
        noun = fold(phrase.noun)
        if noun and not phrase.name and all(noun in name_words(option) for option in offered):
            return Pending(frame.text, phrase.start, phrase.end, offered)
    return None


def complete(state: State, pending: Pending, name: str, again: Resolve) -> str:
    """Return the question that was asked, with *name* as the only thing that its expression can mean."""
    tongue = state.analysis.tongue
    start = _after_determiner(pending, tongue)
    said = tongue.hooks.described(pending.question[:start], name)
    if said:
        cut, said = tongue.hooks.led(
            pending.question[:start], said, next(iter(tongue.lexicon.genders(said.rpartition(" ")[2])), "")
        )
        return pending.question[: start - cut] + said + pending.question[pending.end :]
    known = next((a for a in state.known if fold(a.entity) == fold(name)), None)
    newest = state.discourse.messages - 1
    mentions = known.mentions if known else (Mention(name, name, newest, 0, "assistant", known=True),)
    narrowed = replace(state.discourse, mentions=mentions, offered=(), offered_at=-1, pending=None)
    found = again(pending.question, narrowed, catalog=state.catalogs[0], language=tongue.code)
    if found.status == "resolved" and any(fold(entity) == fold(name) for entity in found.entities):
        return found.standalone
    words = tongue.hooks.phrase(referent_of(known, tongue), "subject") if known else name
    return pending.question[: pending.start] + words + pending.question[pending.end :]


def _after_determiner(pending: Pending, tongue: Tongue) -> int:
    """Return where in the question asked its expression begins, the article that leads it left out."""
    first = re.match(r"[\w]+['’]|[\w]+ ", pending.question[pending.start : pending.end])
    led = first is not None and tongue.form(first[0].strip()) in tongue.determiners
    return pending.start + first.end() if first is not None and led else pending.start


def _picked(state: State, options: Sequence[str]) -> list[str]:
    """Return the options that the message names, as a whole, by a word of theirs, or by their place."""
    text = fold(state.analysis.text).strip()
    whole = [option for option in options if fold(option) == text]
    if whole or _asks_anew(state.analysis):
        return whole
    named = [option for option in options if fold(option) in state.named_here]
    return (
        named
        or _by_choice(state, options)
        or told_apart(words_said(text) - _denied(state.analysis) | _initials(state.analysis, options), options)
        or (list(options) if len(options) == 1 else _plain(state.analysis, options))
    )


def _left(state: State, pending: Pending) -> tuple[str, ...]:
    """Return the options but those that the message rules out: "not the Pro", "celui sans la caméra"."""
    out = told_apart(_denied(state.analysis), pending.options)
    return tuple(option for option in pending.options if option not in out)


def _denied(analysis: Analysis) -> frozenset[str]:
    """Return the words behind a negation, up to the next mark."""
    tongue = analysis.tongue
    found: set[str] = set()
    within = False
    for word in analysis.words:
        before = analysis.words[word.index - 1].end if word.index else 0
        marks = analysis.text[before : word.start].strip(" \u00a0\u202f\n'’-")
        within = within and not marks and not tongue.has("contrasts", word.key)
        if within:
            found |= words_said(fold(word.text))
        article = word.index > 0 and analysis.words[word.index - 1].key in tongue.determiners  # "la plus légère"
        within = within or (tongue.has("negations", word.key) and not article)
    return frozenset(found)


def _initials(analysis: Analysis, options: Sequence[str]) -> frozenset[str]:
    """Return the short forms in names that words of the message spell out: ANC, or its end, in "noise canceling"."""
    firsts = "".join(fold(word.text)[:1] for word in analysis.words)
    short = {part for option in options for part in option.split() if part.isalpha() and part.isupper()}
    return frozenset(fold(part) for part in short if len(part) > 2 and fold(part)[1:] in firsts)


def _plain(analysis: Analysis, options: Sequence[str]) -> list[str]:
    """Return the option that has no word beside those of the others, where the message asks for the normal one."""
    tongue = analysis.tongue
    if not any(tongue.has("plains", tongue.hooks.bare(word.key)) for word in analysis.words):
        return []
    parts = {option: set(name_words(option)) for option in options}
    return [one for one in options if all(parts[one] < parts[other] for other in options if other != one)]


def _by_choice(state: State, options: Sequence[str]) -> list[str]:
    """Return the option that a choice picks: "the second", "the cheaper one"."""
    by_name = {fold(a.entity): a for a in state.known}
    present: list[Antecedent] = [by_name[fold(o)] for o in options if fold(o) in by_name]
    for expression in state.expressions:
        if expression.kind in CHOICES and len(present) == len(options):
            picked = chosen(expression, present, state.analysis, state.catalogs[0])
            if picked is not None and len(picked) == 1:
                return [next(o for o in options if fold(o) == fold(picked[0].entity))]
    return []


def _by_attributes(state: State, options: Sequence[str]) -> list[str]:
    """Return the option of which alone the catalogue says what the message does: "the one for six"."""
    tongue = state.analysis.tongue
    said = _numbers(state.analysis.text, tongue) - {Decimal(1)}  # "the small one"
    spoken = {word for word in words_said(fold(state.analysis.text)) if len(word) > _SHORT and not word.isdigit()}
    fitting: list[str] = []
    for option in options:
        name = state.catalogs[0].get(option)
        values = [attribute.value for attribute in name.attributes] if name is not None else []
        held = {number for value in values for number in _numbers(value, tongue)}
        if said & held or spoken & {word for value in values for word in words_said(fold(value))}:
            fitting.append(option)
    return fitting if len(fitting) == 1 else []


def _numbers(text: str, tongue: Tongue) -> set[Decimal]:
    """Return the numbers in *text*, in digits and spelt out, also with a preposition written on them."""
    spelt = spelt_numbers(tongue.code)
    found: set[Decimal] = set()
    for token in words(text):
        key = fold(token.text)
        for form in (key, *(rest for _, rest in without_proclitics(key))):
            number = spelt.get(form) or parse_number(form, tongue.code)
            if number is not None:
                found.add(number)
    return found


def _asks_anew(analysis: Analysis) -> bool:
    """Return whether a message is a question of its own rather than the answer to one."""
    return len(content(analysis)) > _ANSWER or (_asks(analysis) and len(analysis.words) > 3)


def _asks(analysis: Analysis) -> bool:
    return any(analysis.tongue.has("question_words", word.key) for word in analysis.words)


def _describes(state: State, pending: Pending) -> bool:
    """Return whether a message says which one is meant without naming it: it asks nothing and names nothing else."""
    analysis, tongue = state.analysis, state.analysis.tongue
    rest = content(analysis)
    if _asks(analysis) or analysis.text.rstrip().endswith(("?", "؟")) or not rest or len(rest) > _DESCRIBED:
        return False
    if tongue.has("no", rest[0].key) or all(tongue.has("yes", word.key) for word in rest):
        return False
    options = {fold(option) for option in pending.options}
    known = {fold(phrase.entity) for phrase in analysis.phrases if phrase.known}
    opens = any(tongue.has("ones", word.key) or word.key in tongue.determiners for word in rest[:2])
    return known <= options and (opens or bool(state.expressions) or is_fragment(analysis))


def _nearest(text: str, options: Sequence[str], embedder: Embedder) -> list[str]:
    """Return the option that *text* means, where it is clearly nearer to one by meaning."""
    if len(options) < 2:
        return list(options)
    asked = embedder.embed_queries((text, *options))
    near = (embedder.embed_passages(tuple(options)) @ asked[0] + asked[1:] @ asked[0]) / 2
    order = sorted(range(len(options)), key=lambda number: -float(near[number]))
    return [options[order[0]]] if float(near[order[0]] - near[order[1]]) >= _NEARER else []

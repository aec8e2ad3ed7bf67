"""What the person said before, where they ask for it: their own sentence is the answer.

"What was my budget again?" is about no document.  The person's statements are weighed by meaning and by words; of two
that fit alike the later one counts, because it may correct the earlier.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from languages import codes, detect, fold, load, sentences, words
from languages.grammar import grammar_of, hooks_of, key
from languages.lexicon import lexicon
from memory.knowledge.clauses import clauses, guards_of, normal_form
from memory.types import Embedder
from rag.answer.pastquestions import asking_stems, asks_for_someone, changes, corrects
from rag.answer.request import Selector
from rag.answer.stems import stems, stop_stems

# Source: tried on conversations in four languages: cosines of what fits and what does not differ by 0.03 to 0.08,
# logits of the selector by 1 to 4.
_ALIKE: Final = 0.012
_WORD: Final = 0.02  # for each word of the question that a statement has
_LOGIT: Final = 0.02
_ANSWERS: Final = -2.5  # the logit from which on a statement without a word of the question may answer it
_SURELY: Final = 0.0  # the same where it is not certain that the person's own words are asked for
_LONGEST: Final = 240
_ASKS: Final = ("?", "؟")
_CUT: Final = " …"
_SEPARATES: Final = " ,;،؛"
_ENDS: Final = " .!…\"'»”“"
_LEAST: Final = 3  # letters of a word that names something


@dataclass(frozen=True, slots=True)
class Told:
    """One sentence that the person said, in which turn; ``keys`` are those of the facts that were heard in it."""

    text: str
    turn: str = ""
    keys: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Judge:
    """Says how well a statement fits a question."""

    embedder: Embedder
    selector: Selector | None = None

    def weigh(self, question: str, told: Sequence[str], language: str) -> tuple[tuple[float, float | None], ...]:
        """Return for each of *told* its weight, the higher the better, and the selector's logit where there is one."""
        if not told:
            return ()
        asked = set(stems(question, language))
        vectors = self.embedder.embed_queries((question, *told))
        logits = self.selector.score(question, told) if self.selector is not None else None
        found = []
        for number, (text, vector) in enumerate(zip(told, vectors[1:], strict=True)):
            logit = logits[number] if logits is not None else None
            weight = float(vectors[0] @ vector) + _WORD * len(asked & set(stems(text, language)))
            found.append((weight + _LOGIT * (logit or 0.0), logit))
        return tuple(found)


def recall(question: str, told: Sequence[Told], language: str, judge: Judge, *, sure: bool = True) -> str:
    """Return what the person said that answers *question*, "" where nothing does.

    *told* are their statements, oldest first; *sure* says that the question asks for them and nothing else.
    """
    wanted = _Wanted(
        topic_stems(question, language), sure, changes(question, language), asks_for_someone(question, language)
    )
    able = [each for each in told if _tells(each.text, wanted.topic, language)]
    weights = judge.weigh(question, [each.text for each in able], language)
    best, chosen = 0.0, -1
    for number, (each, (weight, logit)) in enumerate(zip(able, weights, strict=True)):
        if weight >= best - _ALIKE and _fits(each, wanted, language, logit):
            best, chosen = max(best, weight), number
    if chosen < 0:
        return ""
    return taken_back(able[chosen].text, able[chosen + 1 :], language) or able[chosen].text


def taken_back(text: str, later: Sequence[Told], language: str) -> str:
    """Return the last of *later* that says something else instead of *text*, without what it denies; "" for none."""
    held = content(text)
    found = [each.text for each in later if held & content(each.text) and _takes_back(each.text, language)]
    return without_denied(found[-1], held, language) if found else ""


def overtaken(text: str, question: str, later: Sequence[Told], language: str, judge: Judge) -> str:
    """Return the statement of *later* that answers *question* instead of *text*, from which a fact was heard."""
    found = taken_back(text, later, language)
    if found:
        return found
    asked = topic_stems(question, language)
    now = changes(question, language)
    for each in reversed(later):
        if now and changes(each.text, _spoken(each.text, language)) and is_of_person(each.text, language):
            return each.text
    fitting = [each for each in later if is_of_person(each.text, language) and asked & _stems_of(each.text, language)]
    if not fitting:
        return ""
    first, *rest = judge.weigh(question, [text, *(each.text for each in fitting)], language)
    better = [each.text for each, (weight, _) in zip(fitting, rest, strict=True) if weight >= first[0]]
    return better[-1] if better else ""


def without_denied(text: str, held: set[str], language: str) -> str:
    """Return *text* without what it says does not hold, where that is what was said before (*held*).

    >>> without_denied("It's Wexcombe, not Harlow.", {"harlow"}, "en")
    "It's Wexcombe."
    """
    spoken = _spoken(text, language)
    guards = guards_of(spoken)
    for clause in reversed(clauses(text, spoken)):
        pieces = clause.full.pieces
        first = next((n for n, piece in enumerate(pieces) if piece.key in guards.negations.words), len(pieces))
        denied = set[str]().union(*(content(piece.text) for piece in pieces[first + 1 :]))
        if not denied or not denied <= held:
            continue
        while first and pieces[first - 1].key in guards.ands:
            first -= 1
        start, end = pieces[min(first, len(pieces) - 1)].start, pieces[-1].end
        if content(text[:start] + text[end:]):
            after = text[end:]
            text = f"{text[:start].rstrip(_SEPARATES)}{_CUT if after.strip(_ENDS) else ''}{after}"
    return text


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What a statement has to have: words of the topic; where it asks of now, a change; where it asks who, a person."""

    topic: frozenset[str]
    sure: bool
    now: bool
    someone: bool


def topic_stems(question: str, language: str) -> frozenset[str]:
    """Return the words and stems of *question* that name what it is about, not that something was said."""
    idle = asking_stems(language) | stop_stems(language)
    found = (stem for word in content(question) for stem in (word, *stems(word, language)))
    return frozenset(stem for stem in found if stem not in idle)


def _fits(each: Told, wanted: _Wanted, language: str, logit: float | None) -> bool:
    if wanted.topic & _stems_of(each.text, language) or (wanted.someone and "family" in each.keys):
        return True
    if wanted.now and is_of_person(each.text, language) and changes(each.text, _spoken(each.text, language)):
        return True
    if logit is not None:
        return logit > (_ANSWERS if wanted.sure else _SURELY)
    return wanted.sure and not wanted.topic  # "who am I?" names nothing


def _takes_back(text: str, language: str) -> bool:
    spoken = _spoken(text, language)
    return corrects(text, spoken) or changes(text, spoken)


def _spoken(text: str, language: str) -> str:
    return detect(text, previous=language).code


def _tells(statement: str, asked: frozenset[str], language: str) -> bool:
    """Return whether *statement* can answer: it is about the person, takes something back, or shares a word asked."""
    return (
        is_of_person(statement, language)
        or bool(asked & _stems_of(statement, language))
        or _takes_back(statement, language)
    )


def is_of_person(statement: str, language: str) -> bool:
    """Return whether *statement* speaks of the one who says it: I, my, بيتي."""
    spoken = _spoken(statement, language)
    grammar, hooks = grammar_of(spoken), hooks_of(spoken)
    said = {key(token.text, folded=grammar.letters_folded) for token in words(statement)}
    said |= normal_form(statement, spoken).present  # "I'm" has an I in it
    own = said & {key(word, folded=grammar.letters_folded) for word in grammar.first_persons}
    own |= said & guards_of(spoken).subjects
    return bool(own) or any(hooks.is_owned(token.text) for token in words(statement))


def _stems_of(text: str, language: str) -> set[str]:
    return {*content(text), *stems(text, language)}


def content(statement: str) -> set[str]:
    """Return the words of a statement that name something: folded, without stop words of any language."""
    return {word for token in words(statement) if len(word := fold(token.text)) >= _LEAST and word not in _stop_words()}


@lru_cache(maxsize=1)
def _stop_words() -> frozenset[str]:
    return frozenset[str]().union(*(load(code).stop_words for code in codes()))


def introduces(statement: str) -> bool:
    """Return whether the person says who they are: "je m'appelle Inès", "ich bin Odette", أنا ريم.

    >>> introduces("Hi, I'm Odette."), introduces("It is raining.")
    (True, False)
    """
    for code in codes():
        opening = grammar_of(code).introductions.removesuffix("$").removesuffix(r"\s*")
        names = lexicon(code)
        for match in re.finditer(rf"(?<!\w){opening}\s+(\w[\w'-]*)", statement, re.IGNORECASE) if opening else ():
            word = match.group(1)
            if names.person_gender(word) is not None or (word[0].isupper() and not names.parts(word)):
                return True
    return False


def statements(messages: Iterable[str], language: str = "") -> Iterator[str]:
    """Yield the sentences of *messages* that ask nothing, oldest first.

    With a *language* also what a sentence states before it asks.

    >>> list(statements(["Hi, I'm Odette. Which battery does it take?"]))
    ["Hi, I'm Odette."]
    >>> list(statements(["I'm in Basel, do you deliver here?"], "en"))
    ["I'm in Basel"]
    """
    for message in messages:
        for span in sentences(message):
            text = " ".join(span.text.split())
            if text.endswith(_ASKS):
                text = _stated_before(text, language) if language else ""
            if len(text) > 1:
                yield text if len(text) <= _LONGEST else text[:_LONGEST].rsplit(" ", 1)[0] + " …"


def _stated_before(sentence: str, language: str) -> str:
    """Return what *sentence* says before its question, "" where that is nothing of the person."""
    stated = []
    for clause in clauses(sentence, language):
        if clause.asked or clause.unsure:
            break
        stated.append(clause)
    text = sentence[: stated[-1].full.pieces[-1].end] if stated else ""
    return text if text and is_of_person(text, language) else ""

"""Questions that are about the person's own words or about past turns, answered from memory and from no document.

Three kinds, told apart before references are resolved: what is stored of the person ("what was my budget before
that?"), what else they stated, and what was said of something ("what did we say about …?").  Where a question only may
be one of these and nothing of the kind was said, the documents are asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from languages import fold, load, words
from languages.lexicon import lexicon
from memory.knowledge.asking import asked_of_self
from memory.knowledge.facts import StoredFact, history_with_heard
from memory.knowledge.moments import Moment
from memory.knowledge.recalling import facts_asked
from memory.knowledge.saying import say_all, say_then
from memory.memory import EntityMemory
from memory.store.conversations import Conversations, utc_now
from memory.store.said import SaidTurn
from memory.types import Catalog, Resolution
from rag.answer.conversed import PastTurn, Search, quote_past
from rag.answer.pastquestions import (
    asks_own_name,
    asks_past_turns,
    asks_what_was_said,
    may_ask_what_was_said,
    name_stems,
)
from rag.answer.recalled import Judge, Told, introduces, is_of_person, overtaken, recall, statements, topic_stems
from rag.answer.smalltalk import OWN
from rag.answer.stems import stem, stems
from rag.events import Answer
from rag.run import Run
from rag.turns import ANSWER, METHOD

RECALLED: Final = "recalled"  # the method of such answers
_TURNS: Final = 300  # past turns that are looked at, the newest
_STATEMENTS: Final = 60  # what the person stated in them, the newest
_FACTS: Final = 400  # stated facts that are looked at, the newest
_OF_A_KIND: Final = frozenset({"owns", "wants", "prefers"})
# A statement that was heard under one key may answer for another of its group, and for none else.
_GROUPS: Final = (
    frozenset({"owns", "plan", "contract", "prefers"}), frozenset({"place", "origin", "employer", "job"}),
    frozenset({"name", "call_name"}), frozenset({"wants", "needs"}), frozenset({"date", "birthday", "place"}),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Recaller:
    """Answers from what is known of a person and from what was said in all their conversations."""

    conversations: Conversations
    judge: Judge
    memory: EntityMemory | None = None
    now: Callable[[], datetime] = field(default=utc_now)

    def of_self(self, run: Run, language: str) -> Answer | None:
        """Return the answer to a question about the person's own words, None where it is for the documents."""
        question = run.turn.question
        asked = asked_of_self(question, language, self.now())
        sure = asks_what_was_said(question, language) or (
            asked is not None and asked.key in OWN and is_of_person(question, language)
        )
        if asked is None and not sure and not may_ask_what_was_said(question, language):
            return None
        past = self._past(run, language)
        told = past.told
        if asked is not None:
            facts = facts_asked(asked, past.facts)
            if asked.key in _OF_A_KIND:
                facts = _fitting(facts, question, language, run.catalog, told)
            if asked.moment is not None:
                known = sure or any(fact.key == asked.key for fact in past.facts)
                return _then(facts, asked.moment, language, past) if facts or known else None
            if facts:
                return self._now(facts, question, language, past)
            told = tuple(each for each in told if _may_answer(each, asked.key))
        found = _named(question, language, told) or recall(question, told, language, self.judge, sure=sure)
        if found:
            return _quoted(found, language)
        if not sure or asks_past_turns(question, language, run.catalog):
            return None
        return Answer(load(language).text("answer.not_recalled"), answered=False, method=RECALLED)

    def of_past(self, run: Run, resolution: Resolution) -> Answer | None:
        """Return what was said in past turns of what the question names, None where it asks for no such thing.

        Where nothing was said, that is the answer, unless the documents may have it: "what did we say?" may be asked
        of minutes.
        """
        language = resolution.language
        whose = asks_past_turns(run.turn.question, language, run.catalog)
        if whose is None:
            return None
        turns = [
            PastTurn(each.question, each.answer, each.language, each.created, each.conversation == run.conversation)
            for each in self._turns(run)
            if each.method != RECALLED  # to ask what was said says nothing of it
        ]
        found = quote_past(Search(resolution.standalone, language, whose, run.catalog), turns, self.judge)
        if found is None and whose != "ours":
            return Answer(load(language).text("answer.nothing_said"), answered=False, method=RECALLED)
        return found

    def _past(self, run: Run, language: str) -> _Past:
        """Return what the person stated: as facts, what this very message states among them, and in their words."""
        turns = sorted(self._turns(run), key=lambda turn: (turn.conversation == run.conversation, turn.created))
        facts: tuple[StoredFact, ...] = ()
        if self.memory is not None:
            heard = self.memory.listen(run.turn.question, language=language, catalog=run.catalog)
            facts = history_with_heard(self.memory.history(run.user, "", limit=_FACTS), heard, self.now())
        told = [
            Told(text, turn.id, frozenset(fact.key for fact in facts if _is_heard_in(fact, turn.id, text)))
            for turn in turns
            for text in statements([turn.question], turn.language)
        ]
        spoken = {turn.id: turn.language for turn in turns}
        abroad = frozenset(fact.id for fact in facts if spoken.get(fact.turn, language) != language)
        return _Past(facts, tuple(told[-_STATEMENTS:]), abroad)

    def _turns(self, run: Run) -> Iterator[SaidTurn]:
        found = self.conversations.said(run.user, answer=ANSWER, method=METHOD, limit=_TURNS)
        return (turn for turn in found if turn.id != run.turn.id)

    def _now(self, facts: Sequence[StoredFact], question: str, language: str, past: _Past) -> Answer:
        """Return the values in one sentence, or the later words that say otherwise and were not heard as a fact."""
        last = facts[-1]
        place = max((n for n, each in enumerate(past.told) if _is_heard_in(last, each.turn, each.text)), default=None)
        if place is not None:
            later = [each for each in past.told[place + 1 :] if _may_answer(each, last.key)]
            text = past.told[place].text
            found = overtaken(text, question, later, language, self.judge) if later else ""
            if found:
                return _quoted(found, language)
        return Answer(say_all(facts, language, abroad=past.abroad), answered=True, method=RECALLED)


@dataclass(frozen=True, slots=True)
class _Past:
    """What a person stated, oldest first; ``abroad`` are the facts that were said in another language."""

    facts: tuple[StoredFact, ...]
    told: tuple[Told, ...]
    abroad: frozenset[int]


def without_references(resolution: Resolution) -> Resolution:
    """Return the resolution of the same question, taken as it stands."""
    question = resolution.question
    return Resolution(question, question, "unchanged", language=resolution.language)


def _then(facts: Sequence[StoredFact], moment: Moment, language: str, past: _Past) -> Answer:
    if not facts:
        return Answer(load(language).text("answer.not_recalled_then"), answered=False, method=RECALLED)
    return Answer(say_then(facts, moment, language, abroad=past.abroad), answered=True, method=RECALLED)


def _quoted(said: str, language: str) -> Answer:
    return Answer(load(language).text("answer.recalled", {"words": said}), answered=True, method=RECALLED)


def _named(question: str, language: str, told: Sequence[Told]) -> str:
    """Return the last introduction where the question asks for the person's own name and nothing else."""
    if not asks_own_name(question, language) or topic_stems(question, language) - name_stems(language):
        return ""
    return next((each.text for each in reversed(told) if introduces(each.text)), "")


def _is_heard_in(fact: StoredFact, turn: str, text: str) -> bool:
    return bool(turn) and fact.turn == turn and fold(fact.value) in fold(text)


def _may_answer(told: Told, key: str) -> bool:
    """Return whether a statement may say what stands under *key*: it was heard under none, or under one of its kind."""
    kin = frozenset({key}).union(*(group for group in _GROUPS if key in group))
    return not told.keys or bool(told.keys & kin)


def _fitting(
    facts: tuple[StoredFact, ...], question: str, language: str, catalog: Catalog, told: Sequence[Told]
) -> tuple[StoredFact, ...]:
    """Return those of *facts* that are of the kind asked for: of what one owns, the phones."""
    nouns = [token.text for token in words(question) if lexicon(language).kind(fold(token.text)) is not None]
    kinds = [{name.name for name in catalog.of_kind(noun)} for noun in nouns]
    asked = {stem(noun, language) for noun in nouns}
    marks = [_is_of(fact, kinds, asked, language, catalog, told) for fact in facts]
    best = max(marks, default=0)
    return tuple(fact for fact, mark in zip(facts, marks, strict=True) if mark == max(best, 0))


def _is_of(
    fact: StoredFact, kinds: Sequence[set[str]], asked: set[str], language: str, catalog: Catalog, told: Sequence[Told]
) -> int:
    """Return 1 where the documents or the person's sentence say that *fact* is of the kind, -1 where they say not."""
    names = {match.name.name for match in catalog.find(fact.value)}
    if any(names & kind for kind in kinds):
        return 1
    if names and any(kinds):
        return -1
    sentence = next((each.text for each in told if _is_heard_in(fact, each.turn, each.text)), fact.value)
    return int(bool(asked & set(stems(sentence, language))))

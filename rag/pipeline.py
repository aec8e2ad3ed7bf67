"""One turn, from a message to a stored answer: read ``Pipeline._steps`` from top to bottom.

A turn takes the discourse that the last one left and leaves one for the next.  It knows no page and no terminal; it
yields events and keeps what it does, so that whoever listens may leave at any point.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from typing import Final

from languages import detect, fold, load
from memory import (
    Catalog,
    ChatModel,
    Discourse,
    Embedder,
    Name,
    Pending,
    Resolution,
    Scorer,
    observe,
    resolve,
)
from memory.store.conversations import Conversations
from rag.answer.answerer import answer_stream, prepare
from rag.answer.extraction import extract
from rag.answer.questions import asks_what_was_said, is_of_all, speaks_for_itself, understand
from rag.answer.recalled import recall
from rag.answer.request import AnswerRequest
from rag.clarifying import clarify, find_expression
from rag.errors import QuestionEmpty, QuestionTooLong
from rag.events import Answer, Asked, Done, Event, Found, Hit, Notice, Piece, Rewriting, Turn, Understood
from rag.hearing import hear, topic_of
from rag.prompt import Prompt
from rag.retrieve import Query, retrieve, table_of
from rag.rewriting import Rewriter
from rag.shelf.owners import Scope
from rag.shelf.shelf import Library
from rag.turns import new_turn, retell, turn_of

log = logging.getLogger(__name__)

STAGES: Final = ("detect", "resolve", "rewrite", "listen", "retrieve", "render", "answer", "remember")


@dataclass(frozen=True, slots=True)
class Limits:
    """What a turn may use."""

    shelves: tuple[str, ...] = ("shared",)
    passages: int = 8
    prompt_tokens: int = 3000
    question_characters: int = 4000


@dataclass(slots=True)
class _Run:
    """A turn while it is being made."""

    turn: Turn
    user: str
    conversation: str
    before: Discourse  # the last turn's
    after: Discourse  # as far as it is known
    catalog: Catalog
    scope: Scope
    ms: dict[str, float]
    told: bool = False  # the question asks what the person said themself
    compares_all: bool = False  # "Which laptop is the lightest?" is about no one thing
    topic: str = ""  # what a question that names nothing is probably about: "Until when?"
    shown: list[str] = field(default_factory=list)
    added: bool = False
    finished: bool = False

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Add the time spent within to the stage *name*."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self.ms[name] += (time.perf_counter() - began) * 1000


class Pipeline:
    """Answers questions over a library, for any number of people; holds no state of a conversation."""

    def __init__(
        self,
        conversations: Conversations,
        library: Library,
        *,
        embedder: Embedder,
        model: ChatModel | None = None,
        limits: Limits | None = None,
        scorer: Scorer | None = None,
        rewriter: Rewriter | None = None,
    ) -> None:
        self._conversations = conversations
        self._library = library
        self._embedder = embedder
        self._model = model
        self._limits = limits or Limits()
        self._scorer = scorer
        self._rewriter = rewriter

    def stream(
        self,
        question: str,
        discourse: Discourse | str,
        *,
        user: str,
        conversation: str,
        turn_id: str,
        lang: str | None = None,
    ) -> Iterator[Event]:
        """Yield the events of one turn, ``Done`` last; closing the iterator keeps the turn as stopped.

        *discourse* is the previous turn's, as a value or as its JSON ("" at first); *lang* is the language to answer
        in, where it is not to be that of the question.  A *turn_id* that is kept already yields the turn as it is kept.

        Raises:
            QuestionEmpty, QuestionTooLong: there is nothing, or too much, to answer.
            ConversationNotFound: *user* has no such conversation.
            ReferentError, ReferentMemoryError: another failure of the index, the embedder or the store; the turn is
                kept as stopped where its question was understood.
        """
        self._check(question)
        kept = self._conversations.find_turn(conversation, user, turn_id)
        if kept is not None:
            yield from retell(turn_of(kept))
            return
        before = discourse if isinstance(discourse, Discourse) else Discourse.from_json(discourse)
        if not before.language:
            before = replace(before, language=self._conversations.get(conversation, user).language)
        run = self._begin(question, before, user=user, conversation=conversation, turn_id=turn_id)
        try:
            yield from self._steps(run, lang)
            run.finished = True
            yield Done(run.turn)
        finally:
            if run.added and not run.finished:
                self._keep_stopped(run)
            if run.finished:
                _report(run)

    def turn(
        self,
        question: str,
        discourse: Discourse | str,
        *,
        user: str,
        conversation: str,
        turn_id: str,
        lang: str | None = None,
    ) -> Turn:
        """Return the finished turn; as ``stream``, without the events."""
        events = self.stream(
            question, discourse, user=user, conversation=conversation, turn_id=turn_id, lang=lang
        )  # fmt: skip
        return next(event.turn for event in events if isinstance(event, Done))

    def _check(self, question: str) -> None:
        limit = self._limits.question_characters
        if not any(character.isalnum() for character in question):  # signs and emoji alone match any passage
            raise QuestionEmpty("found a question without words; expected a few; write what you would like to know")
        if len(question) > limit:
            raise QuestionTooLong(
                f"found a question of {len(question)} characters; expected at most {limit}; shorten it, or put what it "
                "quotes into a document",
                {"limit": str(limit), "length": str(len(question))},
            )

    def _begin(self, question: str, before: Discourse, *, user: str, conversation: str, turn_id: str) -> _Run:
        scope = Scope(self._limits.shelves, user)
        resolution = Resolution(question, question, "unchanged", language=before.language)
        turn = Turn(turn_id, 0, question, before.language, resolution, stopped=True)
        catalog = self._library.catalog(scope)
        return _Run(turn, user, conversation, before, before, catalog, scope, dict.fromkeys(STAGES, 0.0))

    def _steps(self, run: _Run, lang: str | None) -> Iterator[Event]:
        """Make the turn."""
        self._understand(run, lang)
        yield Understood(run.turn.resolution)
        with run.stage("remember"):
            self._add(run)
        if run.turn.resolution.status == "ambiguous":
            yield self._ask_back(run)
        elif (answer := self._recall(run)) is not None:
            run.turn = replace(run.turn, answer=answer)
            yield Piece(answer.text)
        else:
            with run.stage("retrieve"):
                run.turn = replace(run.turn, hits=self._retrieve(run))
            yield Found(run.turn.hits)
            yield from self._answer(run)
        with run.stage("remember"):
            self._keep(run)

    def _understand(self, run: _Run, lang: str | None) -> None:
        """Tell the question's language and resolve what it refers to."""
        question = run.turn.question
        with run.stage("detect"):
            names = [match.text for match in run.catalog.find(question)]
            names += [mention.entity for mention in run.before.mentions if mention.named]
            language = lang or detect(question, previous=run.before.language, names=tuple(dict.fromkeys(names))).code
        with run.stage("resolve"):
            run.told = asks_what_was_said(question, language)  # "my plan" is then no plan of the documents
            resolution = (
                Resolution(question, question, "unchanged", language=language)
                if run.told
                else resolve(question, run.before, catalog=run.catalog, language=language, scorer=self._scorer)
            )
        rewriting: Rewriting | None = None
        if self._rewriter is not None and not run.told:
            with run.stage("rewrite"):
                resolution, rewriting = self._rewriter.rewrite(resolution, run.before, catalog=run.catalog)
        with run.stage("resolve"):
            named = any(run.catalog.get(entity) for entity in resolution.entities)
            asked = understand(resolution.standalone, language)
            run.compares_all = not named and asked.degree != 0 and "which" in asked.kinds
            if not named and not run.compares_all:
                run.topic = topic_of(resolution.standalone, run.before, run.catalog)
        run.turn = replace(run.turn, language=language, resolution=resolution, rewriting=rewriting)

    def _recall(self, run: _Run) -> Answer | None:
        """Return what the person said before where they ask for it, None where they ask the documents."""
        if not run.told:
            return None
        with run.stage("answer"):
            earlier = self._conversations.turns(run.conversation, run.user)[: run.turn.number]
            said = [
                turn.question
                for before, turn in zip((None, *earlier), earlier, strict=False)
                if before is None or before.record.get("clarification") is None  # "the 2025 one" answers it
            ]
            return recall(run.turn.question, said, run.turn.language, self._embedder)

    def _add(self, run: _Run) -> None:
        """Keep the question before it is answered: what is killed from here on leaves a stopped turn.

        The question alone enters the discourse by now, so that a stopped answer leaves no half sentence in it.
        """
        resolution = run.turn.resolution
        asked = "" if resolution.status == "ambiguous" else resolution.standalone
        run.after = observe(
            run.before, "user", run.turn.question, language=run.turn.language, catalogs=(run.catalog,), asked=asked
        )
        run.turn = replace(run.turn, discourse=run.after.to_json(), timings_ms=dict(run.ms))
        number = self._conversations.add_turn(run.conversation, run.user, new_turn(run.turn))
        run.turn = replace(run.turn, number=number)
        run.added = True

    def _ask_back(self, run: _Run) -> Asked:
        """Return the question back, and leave it open in the discourse."""
        resolution = run.turn.resolution
        clarification = clarify(resolution)
        start, end = find_expression(resolution.question, resolution.expression)
        pending = Pending(resolution.question, start, end, clarification.options)
        run.turn = replace(run.turn, clarification=clarification)
        said = clarification.question
        heard = observe(run.after, "assistant", said, language=run.turn.language, catalogs=(run.catalog,))
        run.after = replace(heard, pending=pending)
        return Asked(clarification)

    def _retrieve(self, run: _Run, *, as_said: bool = False) -> tuple[Hit, ...]:
        """Return the passages for the question as understood, or *as_said*, about nothing that was spoken of before."""
        said = run.turn.question
        # A guess good enough to search with, not to put into the person's mouth: the question stays as it is.
        standalone = said if as_said else f"{run.turn.resolution.standalone} {run.topic}".rstrip()
        entities = () if as_said else _asked_about(run)
        context = "" if as_said else _context(run)
        query = Query(standalone, said, run.turn.language, run.scope, entities, self._limits.passages, context)
        return retrieve(self._library, self._embedder, query)

    def _answer(self, run: _Run) -> Iterator[Event]:
        """Yield the answer piece by piece, and what is to be known of it."""
        with run.stage("render"):
            request = self._request(run)
            asked_model = self._model is not None and bool(request.hits)
            prompt = prepare(request, self._limits.prompt_tokens) if asked_model else None
        guessed = bool(run.topic or run.turn.resolution.links)
        events = self._answering(request, prompt, run=run if guessed else None)
        with closing(events):  # whoever leaves the turn stops the model
            while True:
                with run.stage("answer"):
                    event = next(events, None)
                if event is None:
                    break
                if isinstance(event, Answer):
                    run.turn = replace(run.turn, answer=event)
                    continue
                if isinstance(event, Piece):
                    run.shown.append(event.text)
                else:
                    run.turn = replace(run.turn, notices=(*run.turn.notices, event.key))
                yield event
        with run.stage("remember"):
            run.after = hear(run.after, run.turn, catalog=run.catalog)

    def _answering(
        self, request: AnswerRequest, prompt: Prompt | None, *, run: _Run | None
    ) -> Generator[Piece | Notice | Answer, None, None]:
        """Yield what the answerer does; where nothing was found there are no documents, and no model is asked.

        *run* is given where what the question is about was guessed: it is then asked anew as it was said.
        """
        if request.hits and (prompt is not None or run is None):
            yield from answer_stream(request, self._model if prompt else None, prompt=prompt)
            return
        answer = extract(request)
        if run is not None and not answer.answered:  # the question was not about what we took it to be about
            of_all = is_of_all(request.raw, request.language)  # how long one may send it back is said of no headphones
            links = run.turn.resolution.links
            apart = of_all or (not links and speaks_for_itself(request.raw, request.language))
            hits = self._retrieve(run, as_said=True) if apart else request.hits
            found = extract(
                replace(request, standalone=request.raw, entities=(), names=(), hits=hits, named=(), table=())
            )
            if found.answered:
                run.turn = replace(run.turn, hits=hits)
                answer = found
        if not request.hits and not answer.answered:
            answer = Answer(load(request.language).text("not_found.no_documents"), answered=False)
        yield Piece(answer.text)
        yield answer

    def _request(self, run: _Run) -> AnswerRequest:
        resolution = run.turn.resolution
        entities = _asked_about(run)
        known = (run.catalog.get(entity) for entity in entities)
        names: tuple[Name, ...] = tuple(name for name in known if name is not None)
        return AnswerRequest(
            resolution.standalone,
            run.turn.question,
            run.turn.language,
            run.turn.hits,
            entities,
            names,
            self._embedder,
            table=table_of(self._library, run.turn.hits, run.turn.language, run.scope) if run.compares_all else (),
            named=tuple(run.catalog.find(hit.passage.text) for hit in run.turn.hits),
        )

    def _keep(self, run: _Run) -> None:
        run.turn = replace(run.turn, discourse=run.after.to_json(), timings_ms=dict(run.ms), stopped=False)
        self._conversations.update_turn(run.conversation, run.user, new_turn(run.turn))

    def _keep_stopped(self, run: _Run) -> None:
        """Keep what was shown; the discourse stays at the question, as ``_add`` left it."""
        text = "".join(run.shown)
        answer = run.turn.answer or (Answer(text, answered=True) if text else None)
        run.turn = replace(run.turn, answer=answer, timings_ms=dict(run.ms), stopped=True)
        self._conversations.update_turn(run.conversation, run.user, new_turn(run.turn))


def _asked_about(run: _Run) -> tuple[str, ...]:
    """Return the things asked about: known ones and those that the question names; else the topic."""
    said = fold(run.turn.question)
    entities = run.turn.resolution.entities
    found = tuple(entity for entity in entities if run.catalog.get(entity) or fold(entity) in said)
    return (run.topic,) if run.topic else found


def _context(run: _Run) -> str:
    """Return the last question with this one, where this one names nothing that is known; else ""."""
    frame = run.before.frame
    if frame is None or any(run.catalog.get(entity) for entity in run.turn.resolution.entities):
        return ""
    return f"{frame.text} {run.turn.resolution.standalone}"


def _report(run: _Run) -> None:
    stages = " ".join(f"{name}={run.ms[name]:.1f}" for name in STAGES)
    answer = run.turn.answer
    log.info(
        "turn %s language=%s status=%s rewriting=%s answered=%s method=%s ms: %s",
        run.turn.id,
        run.turn.language,
        run.turn.resolution.status,
        run.turn.rewriting.outcome if run.turn.rewriting else None,
        answer.answered if answer else None,
        answer.method if answer else None,
        stages,
    )

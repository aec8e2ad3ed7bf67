"""One turn, from a message to a stored answer: read ``Pipeline._steps`` from top to bottom.

A turn takes the discourse that the last one left and leaves one for the next.  It knows no page and no terminal; it
yields events and keeps what it does, so that whoever listens may leave at any point.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial

from languages import detect, load
from memory import Discourse, Embedder, Name, Resolution, observe, observe_options, reread, resolve
from memory.errors import TurnNotFound
from memory.memory import EntityMemory
from memory.store.conversations import Conversations, not_latest
from rag.answer.absence import explain
from rag.answer.answerer import answer_stream, prepare
from rag.answer.extraction import extract
from rag.answer.lists import asks_for_list, with_rows_first
from rag.answer.manner import spoken
from rag.answer.questions import speaks_for_itself, understand
from rag.answer.recalled import Judge
from rag.answer.request import AnswerRequest, NamesFound
from rag.answer.smalltalk import only_states
from rag.answer.support import is_of_all
from rag.clarifying import clarify, pending_of
from rag.events import Answer, Asked, Done, Event, Found, Hit, Notice, Piece, Rewriting, Turn, Understood
from rag.hearing import hear
from rag.limits import Limits, Models
from rag.metering import Metered
from rag.narrowing import about, narrow, narrow_found
from rag.noting import lacks_answer, noting
from rag.prompt import Prompt
from rag.recalling import Recaller, without_references
from rag.remembering import context_for, facts_of, keep_answer, keep_question, listen, said_in_full
from rag.retrieve import Query, retrieve, table_of
from rag.run import STAGES, Run, asked_about, check, context_of, general_of, guess_topic, report
from rag.shelf.owners import Scope
from rag.shelf.shelf import Library
from rag.turns import new_turn, retell, turn_of


class Pipeline:
    """Answers questions over a library, for any number of people; holds no state of a conversation."""

    def __init__(
        self,
        conversations: Conversations,
        library: Library,
        *,
        embedder: Embedder,
        models: Models | None = None,
        limits: Limits | None = None,
        memory: EntityMemory | None = None,
    ) -> None:
        self._conversations = conversations
        self._library = library
        self._embedder = embedder
        self._models = models or Models()
        self._limits = limits or Limits()
        self._memory = memory
        self._recaller = Recaller(conversations, Judge(embedder, self._models.selector), memory)

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
            QuestionEmpty, QuestionTooLong, QuestionsTooFast: there is nothing, or too much, to answer.
            ConversationNotFound: *user* has no such conversation.
            ReferentError, ReferentMemoryError: another failure of the index, the embedder or the store; the turn is
                kept as stopped where its question was understood.
        """
        check(question, self._limits.question_characters)
        kept = self._conversations.find_turn(conversation, user, turn_id)
        if kept is not None:
            yield from retell(turn_of(kept))
            return
        before = discourse if isinstance(discourse, Discourse) else Discourse.from_json(discourse)
        if not before.language:
            before = replace(before, language=self._conversations.get(conversation, user).language)
        run = self._begin(question, before, user=user, conversation=conversation, turn_id=turn_id)
        try:
            self._understand(run, lang)
            with run.stage("retrieve"):
                narrow(run, self._answer_about, self._embedder.embed_queries)
            yield from self._steps(run)
            run.finished = True
            yield Done(run.turn)
        finally:
            if run.added and not run.finished:
                self._keep_stopped(run)
            if run.finished:
                report(run)

    def correct(
        self, turn_id: str, link: int, name: str | None, *, user: str, conversation: str
    ) -> Generator[Event, None, None]:
        """Yield the events of the conversation's latest turn, answered anew with another reading, ``Done`` last.

        The expression of its link number *link* is taken for *name*, one of the link's alternatives, or left as it
        stands (None).  Once answered, the turn takes the place of the one before; left early, that one stays as it was.

        Raises:
            ConversationNotFound, TurnNotFound: *user* has no such conversation, or it no such turn.
            TurnNotLatest: the conversation has gone on since.
            ReadingNotOffered: the turn has no such link, or the link no such alternative.
            ReferentError, ReferentMemoryError: another failure, as of ``stream``.
        """
        kept = self._conversations.turns(conversation, user)
        found = next((turn_of(stored) for stored in kept if stored.id == turn_id), None)
        if found is None:
            raise TurnNotFound(f"found no turn {turn_id[:80]!r} in this conversation; expected its last; reload it")
        if kept[-1].id != turn_id:
            raise not_latest(turn_id)
        before = Discourse.from_json(self._conversations.last_discourse(conversation, user, found.number))
        run = self._begin(found.question, before, user=user, conversation=conversation, turn_id=turn_id)
        run.turn = replace(run.turn, number=found.number, language=found.language)
        run.corrects, run.as_said = True, name is None
        self._reread(run, found.resolution, link, name)
        yield from self._steps(run)
        report(run)
        yield Done(run.turn)

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

    def _begin(self, question: str, before: Discourse, *, user: str, conversation: str, turn_id: str) -> Run:
        self._limits.pace.take(user)
        scope = Scope(self._limits.shelves, user)
        resolution = Resolution(question, question, "unchanged", language=before.language)
        turn = Turn(turn_id, 0, question, before.language, resolution, stopped=True)
        catalog = self._library.catalog(scope)
        return Run(turn, user, conversation, before, before, catalog, scope, dict.fromkeys(STAGES, 0.0))

    def _steps(self, run: Run) -> Iterator[Event]:
        """Make the turn, once its question is understood."""
        yield Understood(run.turn.resolution)
        with run.stage("listen"):
            self._listen(run)
        with run.stage("remember"):
            self._add(run)
        if run.turn.resolution.status == "ambiguous":
            yield self._ask_back(run)
        elif run.recalled is not None:
            said = self._limits.manner.say(run.recalled.text, run.turn.language)
            run.turn = replace(run.turn, answer=replace(run.recalled, text=said))
            yield Piece(said)
        else:
            with run.stage("retrieve"):
                run.turn = replace(run.turn, hits=self._retrieve(run))
                asks = narrow_found(run, self._answer_about)
            yield Found(run.turn.hits)
            if asks:
                yield self._ask_back(run)
            else:
                yield from self._answer(run)
        with run.stage("remember"):
            self._keep(run)

    def _understand(self, run: Run, lang: str | None) -> None:
        """Tell the question's language and resolve what it refers to."""
        question = run.turn.question
        with run.stage("detect"):
            names = [match.text for match in run.catalog.find(question)]
            names += [mention.entity for mention in run.before.mentions if mention.named]
            language = lang or detect(question, previous=run.before.language, names=tuple(dict.fromkeys(names))).code
        with run.stage("answer"):
            run.recalled = self._recaller.of_self(run, language)  # "my plan" is then no plan of the documents
        with run.stage("resolve"):
            resolution = (
                resolve(
                    question, run.before, catalog=run.catalog, language=language, scorer=self._models.scorer,
                    embedder=self._embedder,
                )
                if run.recalled is None
                else Resolution(question, question, "unchanged", language=language)
            )  # fmt: skip
        if run.recalled is None:
            with run.stage("answer"):
                run.recalled = self._recaller.of_past(run, resolution)
            if run.recalled is not None and resolution.status == "ambiguous":
                resolution = without_references(resolution)
        rewriting: Rewriting | None = None
        if self._models.rewriter is not None and run.recalled is None:
            with run.stage("rewrite"):
                resolution, rewriting = self._models.rewriter.rewrite(resolution, run.before, catalog=run.catalog)
        with run.stage("resolve"):
            run.turn = replace(run.turn, language=language, resolution=resolution, rewriting=rewriting)
            guess_topic(run)

    def _listen(self, run: Run) -> None:
        """Hear what the person states, and look up what a model is to know of them and of what was talked about."""
        if self._memory is not None:
            run.heard = listen(self._memory, run)
            answers = run.before.pending is not None and run.turn.resolution.status == "resolved"
            run.stated = not answers and only_states(said_in_full(run), run.turn.language, run.heard)
            if self._models.chat is not None and run.recalled is None:
                run.known = context_for(self._memory, run)

    def _answer_about(self, run: Run, name: Name) -> Answer:
        """Return what the documents alone answer where the question is about *name*."""
        said, of = run.turn.question, (name.name,)
        query = Query(about(said, name), said, run.turn.language, run.scope, of, self._limits.passages)
        run.turn = replace(run.turn, hits=retrieve(self._library, self._embedder, query))
        return extract(replace(self._request(run), entities=(name.name,), names=(name,)))

    def _reread(self, run: Run, resolution: Resolution, link: int, name: str | None) -> None:
        """Take one expression of the question otherwise than *resolution* did, on the person's word."""
        with run.stage("resolve"):
            again = reread(
                resolution, link, name, discourse=run.before, catalog=run.catalog, scorer=self._models.scorer
            )  # fmt: skip
            run.turn = replace(run.turn, resolution=again)
            guess_topic(run)

    def _add(self, run: Run) -> None:
        """Keep the question before it is answered: what is killed from here on leaves a stopped turn.

        The question alone enters the discourse by now, so that a stopped answer leaves no half sentence in it.
        """
        resolution = run.turn.resolution
        asked = "" if resolution.status == "ambiguous" else resolution.standalone
        # A scorer reads the messages later on: from the question as it was written it would conclude the same again.
        said = asked if run.corrects else run.turn.question
        run.after = observe(run.before, "user", said, language=run.turn.language, catalogs=(run.catalog,), asked=asked)
        run.turn = replace(run.turn, discourse=run.after.to_json(), timings_ms=dict(run.ms))
        if run.corrects:  # the turn as it was stays until this one is whole
            return
        also = keep_question(self._memory, run)
        number = self._conversations.add_turn(run.conversation, run.user, new_turn(run.turn), also)
        run.turn = replace(run.turn, number=number)
        run.added = True

    def _ask_back(self, run: Run) -> Asked:
        """Return the question back, and leave it open in the discourse."""
        resolution = run.turn.resolution
        clarification = clarify(resolution)
        said = self._limits.manner.say(clarification.question, run.turn.language)
        clarification = replace(clarification, question=said)
        run.turn = replace(run.turn, clarification=clarification)
        language, options = run.turn.language, clarification.options
        heard = observe_options(run.after, said, options, language=language, catalogs=(run.catalog,))
        run.after = replace(heard, pending=pending_of(resolution))
        return Asked(clarification)

    def _retrieve(self, run: Run, *, as_said: bool = False) -> tuple[Hit, ...]:
        """Return the passages for the question as understood, or *as_said*, about nothing that was spoken of before."""
        said = run.turn.question
        # A guess good enough to search with, not to put into the person's mouth: the question stays as it is.
        standalone = said if as_said else f"{run.turn.resolution.standalone} {run.topic}".rstrip()
        entities = () if as_said else asked_about(run)
        context = "" if as_said else context_of(run)
        general = "" if as_said else general_of(run)
        query = Query(standalone, said, run.turn.language, run.scope, entities, self._limits.passages, context, general)
        return retrieve(self._library, self._embedder, query, self._models.reranker)

    def _answer(self, run: Run) -> Iterator[Event]:
        """Yield the answer piece by piece, and what is to be known of it."""
        with run.stage("render"):
            request = self._request(run)
            asked_model = self._models.chat is not None and bool(request.hits)
            rules = self._limits.manner.rules(request.language)
            prompt = prepare(request, self._limits.prompt_tokens, rules) if asked_model else None
        guessed = bool(run.topic or run.turn.resolution.links) and not run.corrects
        model = self._limits.budget.meter(self._models.chat, run.user) if self._models.chat and prompt else None
        answering = self._answering(request, prompt, model, run=run if guessed else None)
        more = partial(self._explain, run)
        events = spoken(answering, request.language, manner=self._limits.manner, more=more)
        with self._paid(run, model), closing(answering), closing(events):  # whoever leaves the turn stops the model
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

    @contextmanager
    def _paid(self, run: Run, model: Metered | None) -> Iterator[None]:
        """Note what *model* has cost within, also where the person leaves."""
        try:
            yield
        finally:
            if model is not None:
                run.turn = replace(run.turn, usage=self._limits.budget.settle(model, run.user))

    def _answering(
        self, request: AnswerRequest, prompt: Prompt | None, model: Metered | None, *, run: Run | None
    ) -> Generator[Piece | Notice | Answer, None, None]:
        """Yield what the answerer does; where nothing was found there are no documents, and no model is asked.

        *run* is given where what the question is about was guessed: it is then asked anew as it was said.
        """
        if request.hits and (prompt is not None or run is None):
            yield from answer_stream(request, model, prompt=prompt)
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

    def _explain(self, run: Run, answer: Answer) -> str:
        """Return what is said beside an *answer* that the documents do not give."""
        if not lacks_answer(answer, run.turn.notices):
            return ""
        documents = sum(len(self._library.documents(owner)) for owner in run.scope.owners)
        language = run.turn.language
        escalation = self._limits.manner.escalation.get(language, "")
        return explain(answer, run.turn.hits, language=language, documents=documents, escalation=escalation)

    def _request(self, run: Run) -> AnswerRequest:
        resolution = run.turn.resolution
        entities = asked_about(run)
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
            facts_of(run.known),
            table=self._table(run),
            named=NamesFound(run.catalog, run.turn.hits),
            remembered=run.known.entities,
            selector=self._models.selector,
            stated=run.stated,
        )

    def _table(self, run: Run) -> tuple[Hit, ...]:
        """Return the rows of the whole table that the question is about, where it is about one."""
        hits, asked = run.turn.hits, understand(run.turn.resolution.standalone, run.turn.language)
        if asks_for_list(asked):
            hits = with_rows_first(hits, run.turn.resolution.standalone, run.turn.language, asked)
        elif not run.compares_all:
            return ()
        return table_of(self._library, hits, run.turn.language, run.scope)

    def _keep(self, run: Run) -> None:
        run.turn = replace(run.turn, discourse=run.after.to_json(), timings_ms=dict(run.ms), stopped=False)
        keep = self._conversations.replace_last if run.corrects else self._conversations.update_turn
        keep(run.conversation, run.user, new_turn(run.turn), noting(run, keep_answer(self._memory, run)))

    def _keep_stopped(self, run: Run) -> None:
        """Keep what was shown; the discourse stays at the question, as ``_add`` left it."""
        text = "".join(run.shown)
        answer = run.turn.answer or (Answer(text, answered=True) if text else None)
        run.turn = replace(run.turn, answer=answer, timings_ms=dict(run.ms), stopped=True)
        self._conversations.update_turn(run.conversation, run.user, new_turn(run.turn))

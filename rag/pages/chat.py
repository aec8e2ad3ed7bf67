"""The chat: one conversation, a question at the bottom, answers with their sources as they come."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from types import TracebackType
from typing import Final, Self

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from languages import Language, load
from memory.errors import ConversationNotFound, ReferentMemoryError
from memory.store.conversations import Conversations, StoredTurn, not_latest
from rag.errors import ReferentError
from rag.events import Asked, Done, Event, Found, Notice, Piece, Turn, Understood
from rag.pages import message
from rag.pages.acting import attempt, draw_failure
from rag.pages.actions import LONGEST, ask_instead, draw_actions, draw_standing
from rag.pages.application import Application, Opener
from rag.pages.direction import Direction
from rag.pages.marks import plain
from rag.pages.session import (
    Correction,
    administers,
    ask_next,
    correct_next,
    interface,
    named_conversation,
    open_conversation,
    person,
    show_all_turns,
    show_conversation,
    sought_turn,
    take_correction,
    take_question,
)
from rag.pages.sidebar import draw_conversations
from rag.pages.standing import Standing, standings
from rag.pages.starters import draw_hint, draw_starters
from rag.pages.thumbs import draw_thumbs
from rag.pages.uploads import draw_lost
from rag.turns import turn_of

DRAWN: Final = 30  # turns at a time
SHOWN: Final = "shown"  # the session's key of how many turns are drawn

_log = logging.getLogger(__name__)


def chat(opener: Opener, sidebar: DeltaGenerator) -> None:
    """Draw the chat page, one's conversations in *sidebar*; answer the question that was just asked, if any."""
    texts = interface()
    typed = st.chat_input(texts.text("chat.placeholder"), key="message", max_chars=LONGEST, submit_mode="stop")
    question = typed or take_question()
    correction = take_correction()
    correction = None if question else correction
    welcome = st.empty()  # in every run, so that the next one clears it before its answer streams
    try:
        begins = not question and named_conversation() is None
        if begins:
            draw_starters(texts, welcome)  # before the application is open: its first opening takes seconds
        application = opener()
        if begins:
            draw_hint(texts, application, welcome)
        _foot(texts, application)
        draw_lost(texts, application, goes_on=bool(question or correction))
        conversation = _open(application, texts, welcome)
        if question and conversation is None:
            conversation = application.conversations.create(person(), texts.code)
            show_conversation(conversation)
        with sidebar:
            untitled = question or texts.text("conversations.untitled")
            draw_conversations(texts, application.conversations, current=conversation, untitled=untitled)
        stored = application.conversations.turns(conversation, person()) if conversation else ()
        turns = tuple(map(turn_of, stored))
        corrected = turns[-1] if correction and turns and turns[-1].id == correction.turn else None
        given = application.thumbs.of_conversation(conversation, person()) if conversation else {}
        draw_failure(texts)
        standing = _standings(application, conversation, stored)
        for turn in _recent(texts, turns):
            if turn is not corrected and conversation:
                message.draw_turn(texts, turn, latest=question is None and turn is turns[-1])
                draw_thumbs(texts, turn, application.thumbs, given=given.get(turn.id))
                draw_actions(
                    texts, application.conversations, conversation, turn, standing=standing.get(turn.number)
                )  # fmt: skip
        if turns and conversation and not question and not corrected:
            _draw_again(texts, application, conversation, turn=turns[-1])
        if corrected and conversation:
            _answer(application, texts, conversation, question=corrected.question, correction=correction)
        elif correction:
            _say(texts, not_latest(correction.turn))
        elif question and conversation:
            _answer(application, texts, conversation, question=question)
        elif conversation:  # what stands in the place of a turn that never came to be
            left = standing.get(len(turns))
            draw_standing(texts, application.conversations, conversation, conversation, standing=left)
    except (ReferentError, ReferentMemoryError) as error:
        _say(texts, error)


def _open(application: Application, texts: Language, welcome: DeltaGenerator) -> str | None:
    """Return the conversation to show; one that cannot be shown is said so, and a new one begins."""
    try:
        return open_conversation(application.conversations, person())
    except ConversationNotFound as error:
        st.info(message.say(texts, error.key, error.values))
        draw_starters(texts, welcome)
        return None


def _standings(
    application: Application, conversation: str | None, turns: Sequence[StoredTurn]
) -> Mapping[int, Standing]:
    """Return where each turn stands among its versions, by its number."""
    return standings(turns, application.conversations.earlier(conversation, person())) if conversation else {}


def _recent(texts: Language, turns: tuple[Turn, ...]) -> tuple[Turn, ...]:
    """Return the turns to draw: from the one that was looked for on, else the last ones.

    A page of hundreds would take longer to draw than the next answer to find.
    """
    sought = next((number for number, turn in enumerate(turns) if turn.id == sought_turn()), None)
    if sought is not None:
        st.button(texts.text("chat.show_whole"), type="tertiary", key="show-whole", on_click=show_all_turns)
        return turns[sought:]
    shown = int(st.session_state.get(SHOWN, DRAWN))

    def _more() -> None:
        st.session_state[SHOWN] = shown + DRAWN

    if len(turns) > shown:
        st.button(texts.text("action.show_more"), type="tertiary", key="more-turns", on_click=_more)
    return turns[-shown:]


def _foot(texts: Language, application: Application) -> None:
    """Say below the question's field who answers: the chat model, or the documents where none is set."""
    with st.bottom, st.container(key="foot"):
        if application.model_name is None:
            st.caption(texts.text("chat.no_model"), help=texts.text("chat.no_model_help") if administers() else None)
        else:
            st.caption(texts.text("chat.model", {"model": f"\u2068{plain(application.model_name)}\u2069"}))


def _answer(
    application: Application,
    texts: Language,
    conversation: str,
    *,
    question: str,
    correction: Correction | None = None,
) -> None:
    """Draw the person's message and stream the answer to it, to a turn read otherwise where there is a *correction*.

    Leaving this function early keeps the turn as stopped, or as it was before the correction.
    """
    turn = correction.turn if correction else uuid.uuid4().hex
    note = message.draw_question(turn, question, otherwise=texts.direction)
    done: Turn | None = None
    with st.chat_message("assistant"):
        try:
            with LiveTurn(texts, turn, note, st.empty(), literal=application.model_name is None) as live:
                events = _events(application, conversation, turn, question=question, correction=correction)
                # Pressing stop raises inside this loop; closing the iterator lets the turn be kept as stopped.
                with closing(_closable(events)) as running:
                    for event in running:
                        live.show(event)
        except (ReferentError, ReferentMemoryError) as error:
            _say(texts, error)
            if correction is None:
                _draw_retry(texts, application.conversations, conversation, turn=turn, question=question)
            else:
                _draw_button(texts, turn, "chat.retry", partial(correct_next, correction))
        else:
            done = live.done
    stored = application.conversations.turns(conversation, person())
    standing = _standings(application, conversation, stored)
    if done:  # below the message, where it stands after a reload too
        draw_thumbs(texts, done, application.thumbs, given=None)
        draw_actions(texts, application.conversations, conversation, done, standing=standing.get(done.number))
        _draw_again(texts, application, conversation, turn=done)
    elif correction is None:
        place = next((each.number for each in stored if each.id == turn), len(stored))
        draw_standing(texts, application.conversations, conversation, turn, standing=standing.get(place))


def _events(
    application: Application, conversation: str, turn: str, *, question: str, correction: Correction | None
) -> Iterator[Event]:
    """Return the events of a new turn, or of a corrected one."""
    owner, pipeline = person(), application.pipeline
    if correction is not None:
        return pipeline.correct(turn, correction.link, correction.name, user=owner, conversation=conversation)
    before = application.conversations.last_discourse(conversation, owner)
    return pipeline.stream(question, before, user=owner, conversation=conversation, turn_id=turn)


def _say(texts: Language, error: ReferentError | ReferentMemoryError) -> None:
    """Say a failure in the person's language; the log gets it in English."""
    _log.warning("%s: %s", type(error).__name__, error)
    st.error(message.say(texts, error.key, error.values), icon=":material/error:")


def _draw_again(texts: Language, application: Application, conversation: str, *, turn: Turn) -> None:
    """Offer to finish what was stopped, and another answer where a chat model may give one."""
    again = attempt(ask_instead(application.conversations, conversation, turn, turn.question))
    if turn.stopped:
        _draw_button(texts, turn.id, "chat.retry", again)
    elif application.model_name is not None and turn.answer is not None:
        _draw_button(texts, turn.id, "chat.regenerate", again)


def _draw_retry(texts: Language, conversations: Conversations, conversation: str, *, turn: str, question: str) -> None:
    """Draw a button that asks the question of a turn again that failed, in its place."""
    owner = person()

    def _again() -> None:
        kept = conversations.find_turn(conversation, owner, turn)
        if kept is not None:
            conversations.cut(conversation, owner, number=kept.number)
        ask_next(question)

    _draw_button(texts, turn, "chat.retry", attempt(_again))


def _draw_button(texts: Language, turn: str, label: str, act: Callable[[], None]) -> None:
    st.button(texts.text(label), icon=":material/refresh:", key=f"retry-{turn}", type="tertiary", on_click=act)


def _closable(events: Iterator[Event]) -> Generator[Event, None, None]:
    yield from events


@dataclass(slots=True)
class LiveTurn:
    """A turn that is being drawn while it streams; leaving it with a failure takes "searching" away."""

    texts: Language
    turn: str
    note: DeltaGenerator
    place: DeltaGenerator
    literal: bool  # the answer is text, not Markdown
    text: str = ""
    language: str = ""
    way: Direction = "ltr"
    slot: DeltaGenerator | None = None
    why: DeltaGenerator | None = None  # the place of the reasons
    done: Turn | None = None

    def __enter__(self) -> Self:
        self._wait(self.texts.text("chat.thinking"))
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        # Streamlit's own signals (stop, rerun) are no exceptions of this kind: what was drawn stays drawn.
        if isinstance(error, Exception) and not self.text:
            self.place.empty()

    def _wait(self, said: str) -> None:
        self.place.markdown(f":shimmer[{said}]")

    def show(self, event: Event) -> None:
        """Draw what an event brings."""
        match event:
            case Understood(resolution):
                self.language = resolution.language
                self.why = message.draw_understood(self.texts, self.turn, self.note, resolution=resolution)
            case Piece(text):
                self.text += text
                self._draw()
            case Done(turn):
                self.done = turn
                with self.place.container():
                    message.draw_outcome(self.texts, turn, latest=True)
                if self.why is not None:  # only now: a button pressed meanwhile would end the answer
                    message.draw_reasons(self.texts, turn.id, self.why, resolution=turn.resolution, latest=True)
            case Notice():
                self.literal = True  # what comes instead of the model's answer is quoted from the documents
            case Found(hits) if hits and not self.text:
                document = f"\u2068{plain(hits[0].passage.document)}\u2069"
                self._wait(self.texts.text("chat.answering_from", {"document": document}))
            case Found() | Asked():
                pass  # Done carries them

    def _draw(self) -> None:
        if self.slot is None:  # a key may be given once a run: one place in the answer's direction, filled again
            self.way = load(self.language).direction if self.language else self.texts.direction
            self.slot = self.place.container(key=f"{self.way}-live-{self.turn}").empty()
        self.slot.markdown(message.ready(self.text, self.way, literal=self.literal))

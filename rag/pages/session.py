"""Who is in front of the page, in which language, in which conversation.

A reload empties Streamlit's session, so the conversation's id stands in the page's address and everything else in
the store.  An id in an address proves nothing: the store gives a conversation to its owner only.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, tzinfo
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from languages import Language, codes, default_code, load
from memory.errors import ConversationNotFound
from memory.store.conversations import LOCAL_PERSON, Conversations
from rag.access import Claims, role_of, sign_in, signed_in_person
from rag.errors import SignInNeeded
from rag.pages.application import settings_in_force

INTERFACE: Final = "interface"  # the session's key of the chosen language, and its name in the address
CONVERSATION: Final = "conversation"
TURN: Final = "turn"  # the turn that is looked for in it
QUESTION: Final = "question"  # one that a button asks in the person's place, until it is answered
CORRECTION: Final = "correction"  # another reading that a button chose, until it is answered


@dataclass(frozen=True, slots=True)
class Correction:
    """Another reading of a turn: the expression of its *link* taken for *name*, or left as it stands (None)."""

    turn: str
    link: int
    name: str | None


@dataclass(frozen=True, slots=True)
class ChatPage:
    """The page on which conversations are shown, None where a page stands alone."""

    page: StreamlitPage | None = None

    def go(self) -> None:
        """Leave this page for the chat, which shows the conversation of this session."""
        if self.page is not None:
            st.switch_page(self.page)


def preferred(locale: str | None, known: Sequence[str], otherwise: str) -> str:
    """Return the language of a browser's locale where it is known.

    >>> preferred("fr-CA", ("xx", "fr"), "xx")
    'fr'
    >>> preferred(None, ("xx", "fr"), "xx")
    'xx'
    """
    code = (locale or "").replace("_", "-").partition("-")[0].lower()
    return code if code in known else otherwise


def interface_code() -> str:
    """Return the language of the interface: the chosen one, else the address's, else the browser's, else the first."""
    chosen = st.session_state.get(INTERFACE) or st.query_params.get(INTERFACE)
    if isinstance(chosen, str) and chosen in codes():
        return chosen
    return preferred(st.context.locale, codes(), default_code())


def interface() -> Language:
    """Return the texts of the interface."""
    return load(interface_code())


def claims() -> Claims:
    """Return what the provider said of whoever signed in, empty where nobody did."""
    found = st.user.to_dict()
    return found if found.get("is_logged_in") is True else {}


def signs_in() -> bool:
    """Return whether people sign in here: it is set up, by settings or by Streamlit's own file of secrets.

    Where it is set up and Streamlit does not know it, nobody gets in, rather than everybody.

    Raises: SettingsInvalid.
    """
    return "is_logged_in" in st.user or sign_in(settings_in_force()) is not None


def signed_out() -> bool:
    """Return whether people sign in here and this one has not: then there is no person, and nothing to show.

    Raises: SettingsInvalid.
    """
    return signs_in() and signed_in_person(claims(), settings_in_force(), time.time()) is None


def person() -> str:
    """Return whose page this is: a hash of the sign-in, or the local person where no sign-in is set up.

    Raises: SettingsInvalid; SignInNeeded where nobody has signed in.
    """
    if not signs_in():
        return LOCAL_PERSON
    found = signed_in_person(claims(), settings_in_force(), time.time())
    if found is None:
        raise SignInNeeded("found nobody signed in; expected a person; sign in again")
    return found


def administers() -> bool:
    """Return whether whoever is here administers: by their role, and the local person always.

    Raises: SettingsInvalid.
    """
    return not signs_in() or (not signed_out() and role_of(claims(), settings_in_force()) == "administrator")


def adds_documents() -> bool:
    """Return whether whoever is here may add documents, be they their own alone.

    Raises: SettingsInvalid.
    """
    return administers() or (settings_in_force().uploads == "everyone" and not signed_out())


def is_shared() -> bool:
    """Return whether whoever opens the page is the same person: no sign-in is set up that tells them apart."""
    return person() == LOCAL_PERSON


def named_conversation() -> str | None:
    """Return the conversation that the page's address or this session names, whosever it is."""
    named = st.query_params.get(CONVERSATION) or st.session_state.get(CONVERSATION)
    return str(named) if named else None


def open_conversation(conversations: Conversations, owner: str) -> str | None:
    """Return the id of the conversation to show, None for a new one.

    Raises: ConversationNotFound where the address names one that is not there or not this person's.
    """
    named = named_conversation()
    if named is None:
        return None
    try:
        conversations.get(named, owner)
    except ConversationNotFound:
        show_conversation(None)
        raise
    show_conversation(named)
    return named


def show_conversation(id: str | None) -> None:
    """Make *id* the conversation of this page and of its address, or none."""
    if st.session_state.get(CONVERSATION) != id:
        st.session_state.pop(TURN, None)
    st.session_state[CONVERSATION] = id
    if id is None:
        st.query_params.pop(CONVERSATION, None)
    elif st.query_params.get(CONVERSATION) != id:
        st.query_params[CONVERSATION] = id


def show_turn(conversation: str, turn: str) -> None:
    """Make *turn* of *conversation* what the chat shows first."""
    show_conversation(conversation)
    st.session_state[TURN] = turn


def sought_turn() -> str | None:
    """Return the turn that was looked for in this conversation, None where none was."""
    turn = st.session_state.get(TURN)
    return str(turn) if turn else None


def show_all_turns() -> None:
    """Look for no turn in particular any more."""
    st.session_state.pop(TURN, None)


def local_day(moment: datetime) -> date:
    """Return the day of *moment* where the browser is."""
    return moment.astimezone(_zone()).date()


def local_time(texts: Language, moment: datetime) -> str:
    """Return the day and the time of *moment* where the browser is, as *texts* write them."""
    return texts.moment(moment.astimezone(_zone()))


def today() -> date:
    """Return the day that it is where the browser is."""
    return local_day(datetime.now(UTC))


def _zone() -> tzinfo:
    try:
        return ZoneInfo(st.context.timezone or "UTC")
    except (ZoneInfoNotFoundError, ValueError):
        return UTC


def ask_next(question: str) -> None:
    """Ask *question* at the next run, as if the person had written it."""
    st.session_state[QUESTION] = question


def take_question() -> str | None:
    """Return the question a button asked, once."""
    question = st.session_state.pop(QUESTION, None)
    return str(question) if question else None


def correct_next(correction: Correction) -> None:
    """Answer a turn anew with another reading at the next run."""
    st.session_state[CORRECTION] = correction


def take_correction() -> Correction | None:
    """Return the other reading that a button chose, once."""
    correction = st.session_state.pop(CORRECTION, None)
    return correction if isinstance(correction, Correction) else None

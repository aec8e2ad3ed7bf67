"""The sidebar: the language of the interface, and one's conversations."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import streamlit as st

from languages import Language, codes, load
from memory.store.conversations import Conversations, StoredConversation
from memory.store.titles import TITLE_LENGTH
from rag.pages.acting import draw_icon
from rag.pages.direction import direction
from rag.pages.marks import plain
from rag.pages.session import INTERFACE, interface_code, person, show_conversation

LISTED: Final = 30
NAME: Final = "conversation-name"


def draw_language_switch(texts: Language) -> None:
    """Draw the switch of the interface's language; the language of an answer follows its question."""
    st.session_state.setdefault(INTERFACE, interface_code())
    st.selectbox(
        texts.text("settings.language"),
        codes(),
        key=INTERFACE,
        format_func=lambda code: load(code).name,
        filter_mode=None,  # a few languages are chosen, not searched for
        on_change=_keep_language,
        persist_state="session",
    )


def _keep_language() -> None:
    """Write the chosen language into the page's address: a reload empties the session."""
    st.query_params[INTERFACE] = str(st.session_state[INTERFACE])


def draw_conversations(texts: Language, conversations: Conversations, *, current: str | None, untitled: str) -> None:
    """Draw "new conversation" and the person's conversations, the last used first; *untitled* names a new one."""
    st.button(
        texts.text("conversations.new"),
        icon=":material/add:",
        key="new-conversation",
        width="stretch",
        on_click=show_conversation,
        args=(None,),
    )
    listed = conversations.list(person(), limit=LISTED)
    st.caption(texts.text("conversations.title" if listed else "conversations.empty"))
    with st.container(key="conversations", gap="xxsmall"):
        for conversation in listed:
            shown = replace(conversation, title=conversation.title or untitled)
            if conversation.id == current:
                with st.container(
                    horizontal=True, vertical_alignment="center", gap="xxsmall", wrap=False, key="current"
                ):
                    _draw_choice(shown, current=True)
                    _draw_changes(texts, conversations, shown)
            else:
                _draw_choice(shown, current=False)


def _draw_choice(conversation: StoredConversation, *, current: bool) -> None:
    way = direction(conversation.title)  # a title that is cut off is cut at its own end
    st.button(
        plain(conversation.title, way),
        key=f"{way}-conversation-{conversation.id}",
        type="secondary" if current else "tertiary",
        width="stretch",
        on_click=show_conversation,
        args=(conversation.id,),
    )


def _draw_changes(texts: Language, conversations: Conversations, current: StoredConversation) -> None:
    """Draw what can be done with the open conversation: another name, or away with it."""

    def _rename() -> None:
        named = str(st.session_state.get(NAME, "")).strip()
        if named:
            conversations.rename(current.id, current.person, named)

    def _delete() -> None:
        conversations.delete(current.id, current.person)
        show_conversation(None)

    with draw_icon("more", texts.text("conversations.more", {"title": current.title}), "conversation"):
        st.text_input(
            texts.text("conversations.name"),
            value=current.title,
            max_chars=TITLE_LENGTH,
            key=NAME,
            on_change=_rename,
        )
        st.caption(texts.text("conversations.confirm_delete"))
        st.button(texts.text("conversations.delete"), key="delete-conversation", on_click=_delete)

"""The sidebar: one's conversations, and the language of the interface."""

from __future__ import annotations

from typing import Final

import streamlit as st

from languages import Language, codes, load
from memory.store.conversations import Conversations
from rag.pages.marks import plain
from rag.pages.session import INTERFACE, interface_code, person, show_conversation


LISTED: Final = 30


def draw_language_switch(texts: Language) -> None:
    """Draw the switch of the interface's language; the language of an answer follows its question."""
    st.session_state.setdefault(INTERFACE, interface_code())
    st.selectbox(
        texts.text("settings.language"),
        codes(),
        key=INTERFACE,
        format_func=lambda code: load(code).name,
        persist_state="session",
    )


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
            st.button(
                f"\u2068{plain(conversation.title or untitled)}\u2069",
                key=f"conversation-{conversation.id}",
                type="secondary" if conversation.id == current else "tertiary",
                width="stretch",
                on_click=show_conversation,
                args=(conversation.id,),
            )

"""The sidebar: one's conversations, and the language of the interface."""

from __future__ import annotations

from typing import Final

import streamlit as st

from languages import Language, codes, load
from memory.store.conversations import TITLE_LENGTH, Conversations
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
            title = conversation.title or untitled
            st.button(
                f"\u2068{plain(title)}\u2069",
                key=f"conversation-{conversation.id}",
                type="secondary" if conversation.id == current else "tertiary",
                width="stretch",
                on_click=show_conversation,
                args=(conversation.id,),
            )
            if conversation.id == current:
                _draw_changes(texts, conversations, current, title=title)


def _draw_changes(texts: Language, conversations: Conversations, current: str, *, title: str) -> None:
    """Draw what can be done with the open conversation: another name, or away with it."""
    owner = person()

    def rename() -> None:
        named = str(st.session_state.get(NAME, "")).strip()
        if named:
            conversations.rename(current, owner, named)

    def delete() -> None:
        conversations.delete(current, owner)
        show_conversation(None)

    with st.popover(texts.text("chat.edit"), icon=":material/more_horiz:", type="tertiary", key="change-conversation"):
        st.text_input(texts.text("conversations.name"), value=title, max_chars=TITLE_LENGTH, key=NAME, on_change=rename)
        st.caption(texts.text("conversations.confirm_delete"))
        st.button(texts.text("conversations.delete"), key="delete-conversation", on_click=delete)

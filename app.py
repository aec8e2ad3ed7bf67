"""The page: ``streamlit run app.py``, or ``referent app``.  Navigation only; what is drawn is in ``rag/pages``."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from rag.pages.application import Opener, open_application
from rag.pages.chat import chat
from rag.pages.compare import compare
from rag.pages.conversations import conversations
from rag.pages.documents import documents
from rag.pages.evaluate import evaluate
from rag.pages.frame import STATIC, Allowed, anyone, draw_frame, guard, visible_to
from rag.pages.memory import memory
from rag.pages.session import ChatPage, adds_documents, administers, interface
from rag.pages.settings import settings


def main(opener: Opener = open_application) -> None:
    """Draw the page that the address names."""
    texts = interface()
    st.set_page_config(page_title=texts.text("app.title"), page_icon=str(STATIC / "icon.svg"), layout="centered")
    sidebar = draw_frame(texts)
    talk = _page("chat", partial(chat, opener, sidebar), icon="forum", default=True)
    there = ChatPage(talk)
    pages = [
        talk,
        _page("conversations", partial(conversations, opener, there), icon="history"),
        _page("compare", partial(compare, opener), icon="compare"),
        _page("documents", partial(documents, opener), icon="description", allowed=adds_documents),
        _page("memory", partial(memory, opener, there), icon="psychology"),
        _page("evaluate", partial(evaluate, opener), icon="fact_check", allowed=administers),
        _page("settings", partial(settings, opener), icon="settings", allowed=administers),
    ]
    st.navigation(pages).run()


def _page(
    name: str, draw: Callable[[], None], *, icon: str, default: bool = False, allowed: Allowed = anyone
) -> StreamlitPage:
    """Return the page of that name, which is its address as well; only who is *allowed* sees it, and what is on it."""
    return st.Page(
        partial(guard, draw, allowed),
        title=interface().text(f"app.{name}"),
        icon=f":material/{icon}:",
        url_path=name,
        default=default,
        visibility="visible" if visible_to(allowed) else "hidden",
    )


if __name__ == "__main__":
    main()

"""The page: ``streamlit run app.py``, or ``referent app``.  Navigation only; what is drawn is in ``rag/pages``."""

from __future__ import annotations

from functools import partial

import streamlit as st

from rag.pages.application import Opener, open_application
from rag.pages.chat import chat
from rag.pages.documents import documents
from rag.pages.frame import STATIC, draw_frame, guard
from rag.pages.session import interface


def main(opener: Opener = open_application) -> None:
    """Draw the page that the address names."""
    texts = interface()
    st.set_page_config(page_title=texts.text("app.title"), page_icon=str(STATIC / "icon.svg"), layout="centered")
    sidebar = draw_frame(texts)
    pages = [
        st.Page(
            partial(guard, partial(chat, opener, sidebar)),
            title=texts.text("app.chat"),
            icon=":material/forum:",
            url_path="chat",
            default=True,
        ),
        st.Page(
            partial(guard, partial(documents, opener)),
            title=texts.text("app.documents"),
            icon=":material/description:",
            url_path="documents",
        ),
    ]
    st.navigation(pages).run()


if __name__ == "__main__":
    main()

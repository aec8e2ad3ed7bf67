"""What surrounds every page: its style, the language switch, and the sentence in place of a failure nobody foresaw."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from languages import Language
from rag.pages.message import say
from rag.pages.session import interface, signed_out
from rag.pages.sidebar import draw_language_switch

STATIC: Final = Path(__file__).parents[2] / "static"

_log = logging.getLogger(__name__)


def draw_frame(texts: Language) -> DeltaGenerator:
    """Load the page's style, mirrored for a language that runs from right to left; return the sidebar's upper part."""
    st.html(STATIC / "page.css")
    if texts.direction == "rtl":
        st.html(STATIC / "rtl.css")
    upper = st.sidebar.container(key="sidebar-upper")
    with st.sidebar.container(key="sidebar-foot"):
        draw_language_switch(texts)
    return upper


def guard(draw: Callable[[], None]) -> None:
    """Draw a page for whoever may see it; a failure without a name is logged with its trace, said in one sentence."""
    try:
        if signed_out():
            draw_sign_in(interface())
        else:
            draw()
    except Exception:  # noqa: BLE001 - the page's edge
        _log.exception("The page failed.")
        st.error(say(interface(), "error.unexpected"), icon=":material/error:")


def draw_sign_in(texts: Language) -> None:
    """Draw the way in, where a sign-in is set up."""
    with st.container(key="welcome"):
        st.title(texts.text("app.title"), anchor=False)
        st.markdown(texts.text("app.sign_in_prompt"))
        st.button(texts.text("app.sign_in"), type="primary", key="sign-in", on_click=st.login)

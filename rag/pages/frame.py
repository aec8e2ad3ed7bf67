"""What surrounds every page: its style, the language switch, and the sentence in place of a failure nobody foresaw."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.errors import StreamlitAuthError

from languages import Language
from rag.access import called
from rag.disk import no_room
from rag.errors import ReferentError
from rag.pages.marks import plain
from rag.pages.message import say
from rag.pages.session import claims, interface, signed_out
from rag.pages.sidebar import draw_language_switch

STATIC: Final = Path(__file__).parents[2] / "static"
Allowed = Callable[[], bool]

_log = logging.getLogger(__name__)


def anyone() -> bool:
    """Return that whoever signed in may see a page."""
    return True


def draw_frame(texts: Language) -> DeltaGenerator:
    """Load the page's style, mirrored for a language that runs from right to left; return the sidebar's lower part."""
    st.html(STATIC / "page.css")
    if texts.direction == "rtl":
        st.html(STATIC / "rtl.css")
    _localise(texts)
    with st.sidebar.container(key="sidebar-head"):  # above what may grow long
        draw_language_switch(texts)
        if claims():
            _draw_signed_in(texts)
    return st.sidebar.container(key="sidebar-lower")


def _localise(texts: Language) -> None:
    """Say in the interface's language what Streamlit says in English alone: the way past the sidebar, a lost server."""
    dialog, skip = '[role="dialog"]:has(> [slot="title"])', '[data-testid="stSkipToContent"]'
    lost, past = (json.dumps(texts.text(f"app.{key}"), ensure_ascii=False) for key in ("disconnected", "skip"))
    st.html(
        f"<style>{dialog} > [slot='title'], {dialog} > div > * {{ display: none; }}"
        f" {dialog} > div {{ padding-block-start: 3rem; }} {dialog} > div::after {{ content: {lost}; }}"
        f" {skip} {{ font-size: 0; }} {skip}::after {{ content: {past}; font-size: 0.875rem; }}</style>"
    )


def guard(draw: Callable[[], None], allowed: Allowed = anyone) -> None:
    """Draw a page for whoever may see it; a failure without a name is logged with its trace, said in one sentence."""
    texts = interface()
    try:
        if signed_out():
            draw_sign_in(texts)
        elif allowed():
            draw()
        else:
            st.info(texts.text("app.for_administrators"), icon=":material/lock:")
    except ReferentError as error:  # of the settings, or of a sign-in that has run out meanwhile
        _log.warning("%s: %s", type(error).__name__, error)
        st.error(say(texts, error.key, error.values), icon=":material/error:")
    except Exception as error:  # noqa: BLE001 - the page's edge
        full = no_room(error) if isinstance(error, OSError) else None
        if full is None:
            _log.exception("The page failed.")
        st.error(say(texts, full.key if full else "error.unexpected"), icon=":material/error:")


def visible_to(allowed: Allowed) -> bool:
    """Return whether the navigation shows a page that is *allowed* so; which it draws, ``guard`` decides by itself."""
    try:
        return not signed_out() and allowed()
    except ReferentError:
        return allowed is anyone  # the page says what is wrong


def draw_sign_in(texts: Language) -> None:
    """Draw the way in, where a sign-in is set up."""
    with st.container(key="welcome"):
        st.title(texts.text("app.title"), anchor=False)
        st.markdown(texts.text("app.sign_in_prompt"))
        if st.button(texts.text("app.sign_in"), type="primary", key="sign-in"):
            try:
                st.login()
            except StreamlitAuthError as error:  # the page is served without what signing in needs
                _log.warning("%s: %s", type(error).__name__, error)
                st.error(texts.text("app.sign_in_failed"), icon=":material/error:")


def _draw_signed_in(texts: Language) -> None:
    """Draw who signed in, and the way out."""
    name = called(claims())
    with st.container(horizontal=True, vertical_alignment="center", key="signed-in"):
        if name:
            st.caption(f"\u2068{plain(name)}\u2069", width="stretch")
        st.button(
            texts.text("app.sign_out"), key="sign-out", type="tertiary", icon=":material/logout:", on_click=st.logout
        )

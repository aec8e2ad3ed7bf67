"""What a button does, and what is said where it cannot: a failure in a callback is shown once the page is drawn."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final, Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from languages import Language
from memory.errors import ReferentMemoryError
from rag.errors import ReferentError
from rag.pages.marks import plain
from rag.pages.message import say

Icon = Literal["more", "edit", "copy"]
Sign = Literal["earlier", "later"]
Content = bytes | str | Callable[[], bytes | str]

_FAILED: Final = "failed"  # the session's key of what could not be done, until it is said

_log = logging.getLogger(__name__)


def attempt(act: Callable[[], None]) -> Callable[[], None]:
    """Return *act* for a button: a failure with a name is kept until ``draw_failure`` says it."""

    def _attempt() -> None:
        try:
            act()
        except (ReferentError, ReferentMemoryError) as error:
            _log.warning("%s: %s", type(error).__name__, error)
            st.session_state[_FAILED] = (error.key, dict(error.values))

    return _attempt


def draw_failure(texts: Language) -> None:
    """Say what could not be done, once."""
    failed = st.session_state.pop(_FAILED, None)
    if failed is not None:
        st.error(say(texts, *failed), icon=":material/error:")


def draw_download(label: str, content: Content, *, name: str, mime: str, key: str) -> None:
    """Draw a button that saves *content* as a file called *name*; made when it is asked for, where it is a function."""
    st.download_button(
        label,
        content,
        file_name=name,
        mime=mime,
        key=key,
        icon=":material/download:",
        type="tertiary",
        on_click="ignore",
    )


def draw_icon(icon: Icon, label: str, key: str) -> DeltaGenerator:
    """Return the place that opens beside a thing for what can be done with it.

    The button shows an icon alone, by the style; it is called *label*, which says the thing's name.
    """
    return st.popover(plain(label), type="tertiary", width="content", key=f"icon-{icon}-{key}")


def draw_sign(sign: Sign, label: str, key: str, act: Callable[[], None] | None) -> None:
    """Draw a button that shows a sign alone, by the style, and is called *label*; without *act* it does nothing."""
    name = f"icon-{sign}-{key}"
    st.button(plain(label), type="tertiary", key=name, disabled=act is None, on_click=attempt(act) if act else None)

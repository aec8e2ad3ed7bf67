"""The page on which a pilot's cases are run, and its staff reads what people asked in vain and said of answers.

It shows what everybody asked over the shared shelves: ``guard`` draws it for administrators alone.
"""

from __future__ import annotations

import logging

import streamlit as st

from memory.errors import ReferentMemoryError
from rag.errors import ReferentError
from rag.pages.acting import draw_failure
from rag.pages.application import Opener
from rag.pages.listed import draw_thumbs_given, draw_unanswered
from rag.pages.measured import draw_cases
from rag.pages.message import say
from rag.pages.session import interface

_SECTIONS = ("cases", "unanswered", "feedback")

_log = logging.getLogger(__name__)


def evaluate(opener: Opener) -> None:
    """Draw the page."""
    texts = interface()
    st.title(texts.text("evaluate.title"), anchor=False)
    st.markdown(texts.text("evaluate.intro"))
    draw_failure(texts)
    try:
        application = opener()
        cases, unanswered, feedback = st.tabs([texts.text(f"evaluate.{each}") for each in _SECTIONS])
        with cases:
            draw_cases(texts, application)
        with unanswered:
            draw_unanswered(texts, application)
        with feedback:
            draw_thumbs_given(texts, application)
    except (ReferentError, ReferentMemoryError) as error:
        _log.warning("%s: %s", type(error).__name__, error)
        st.error(say(texts, error.key, error.values), icon=":material/error:")

"""The empty page: what this is, and questions to begin with."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated, Final

import streamlit as st
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from languages import Language
from rag.pages.marks import plain
from rag.pages.session import ask_next

TOUR: Final = Path(__file__).parents[2] / "data" / "demo" / "tour.toml"


class Starter(BaseModel):
    """A question offered on the empty page under a short label."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    label: str
    question: str


def draw_starters(texts: Language) -> None:
    """Draw the title, the tagline and the starters of the interface's language."""
    with st.container(key="welcome"):
        st.title(texts.text("app.title"), anchor=False)
        st.markdown(texts.text("app.tagline"))
        offered = starters(texts.code)
        if offered:
            st.caption(texts.text("chat.starters"))
        with st.container(horizontal=True, key="starters"):
            for place, starter in enumerate(offered):
                st.button(plain(starter.label), key=f"starter-{place}", on_click=ask_next, args=(starter.question,))


def starters(code: str, file: Path = TOUR) -> tuple[Starter, ...]:
    """Return the starters of a language, none where the demonstration data is not there."""
    return ()

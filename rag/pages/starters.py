"""The empty page: what this is, and questions to begin with."""

from __future__ import annotations

import logging
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Final

import streamlit as st
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from streamlit.delta_generator import DeltaGenerator

from languages import Language
from rag.pages.application import Application
from rag.pages.marks import plain
from rag.pages.session import administers, ask_next, person
from rag.shelf.owners import DEMO, Owner

TOUR: Final = Path(__file__).parents[2] / "data" / "demo" / "tour.toml"
OFFERED: Final = 4  # buttons; two lines of them on a phone

_log = logging.getLogger(__name__)


class TourTurn(BaseModel):
    """One question of a scripted conversation."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    user: str = Field(min_length=1)


class Tour(BaseModel):
    """A scripted conversation; its first question is offered under ``starter``."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    lang: str
    starter: str = Field(min_length=1)
    turn: tuple[TourTurn, ...] = Field(min_length=1)


class Tours(BaseModel):
    """The scripted conversations over the demonstration documents."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    tour: tuple[Tour, ...] = ()


def draw_hint(texts: Language, application: Application, place: DeltaGenerator) -> None:
    """Draw over the starters what there is to ask where the documents that they ask about are missing."""
    shelves = application.settings.shelves
    if DEMO in shelves and application.library.documents(Owner("shelf", DEMO)):
        return
    owners = [Owner("person", person()), *(Owner("shelf", shelf) for shelf in shelves)]
    place.empty()
    with st.container(key="welcome-hint"):
        st.title(texts.text("app.title"), anchor=False)
        st.markdown(texts.text("app.tagline"))
        if not any(application.library.documents(owner) for owner in owners):
            st.info(texts.text("chat.nothing_to_ask" if administers() else "chat.no_documents_yet"))


def draw_starters(texts: Language, place: DeltaGenerator) -> None:
    """Draw the title, the tagline and the starters of the interface's language."""
    with place.container(key="welcome"):
        st.title(texts.text("app.title"), anchor=False)
        st.markdown(texts.text("app.tagline"))
        offered = [tour for tour in read_tours(TOUR) if tour.lang == texts.code][:OFFERED]
        if not offered:
            return
        st.caption(texts.text("chat.starters"))
        with st.container(horizontal=True, key="starters"):
            for number, tour in enumerate(offered):
                question = tour.turn[0].user
                st.button(
                    plain(tour.starter),
                    key=f"starter-{number}",
                    help=plain(question),
                    on_click=ask_next,
                    args=(question,),
                )


@lru_cache(maxsize=2)
def read_tours(file: Path) -> tuple[Tour, ...]:
    """Return the scripted conversations of *file*, none where there is no such file: the page goes without."""
    try:
        return Tours.model_validate(tomllib.loads(file.read_text(encoding="utf-8"))).tour
    except FileNotFoundError:
        return ()
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, ValidationError) as error:
        _log.warning("Found starters that cannot be read in %s: %s", file.name, error)
        return ()

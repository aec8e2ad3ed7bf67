"""What this session has uploaded, and what was lost on the way: its reader went away before anybody was told."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import Final

import streamlit as st

from languages import Language
from rag.pages.application import Application
from rag.pages.marks import plain
from rag.pages.message import say
from rag.pages.session import person
from rag.shelf.owners import Owner
from rag.shelf.reading import shelf_name
from rag.shelf.shelf import Outcome

_ICONS: Final = {
    "added": ":material/check_circle:",
    "updated": ":material/sync:",
    "unchanged": ":material/check:",
    "refused": ":material/error:",
}
_UPLOADS: Final = "uploads"  # the session's key of an Uploads


@dataclass(slots=True)
class Uploads:
    """What this session has uploaded: a field whose files are all in is replaced by the next, which is empty."""

    number: int = 0
    outcomes: dict[str, Outcome] = field(default_factory=dict)  # of the last files chosen, by Streamlit's id of each
    lost: list[Outcome] = field(default_factory=list)  # said until the person goes on
    lock: threading.Lock = field(default_factory=threading.Lock)  # a run goes on for a moment when the next one begins


def uploads() -> Uploads:
    """Return what this session has uploaded."""
    found = st.session_state.setdefault(_UPLOADS, Uploads())
    if not isinstance(found, Uploads):
        raise TypeError(f"found {type(found).__name__} as the session's uploads; expected Uploads")
    return found


def find_lost(application: Application) -> list[Outcome]:
    """Return the files whose reading nobody ended; those that are on the person's shelf all the same are in."""
    own = uploads()
    taken = application.uploads.take_lost(person())
    if taken:
        kept = {record.name: record.created for record in application.library.documents(Owner("person", person()))}
        for each in taken:
            added = kept.get(shelf_name(each.name))
            if added is None or added < each.begun:
                values = {"name": each.name}
                own.lost.append(Outcome(each.name, "refused", key="error.upload_interrupted", values=values))
    return own.lost


def draw_lost(texts: Language, application: Application, *, goes_on: bool) -> None:
    """Say on another page than that of the documents what was lost, until the person *goes_on*."""
    if goes_on:
        uploads().lost.clear()
    for outcome in find_lost(application):
        st.warning(say_outcome(texts, outcome), icon=_ICONS[outcome.status])


def draw_outcome(texts: Language, outcome: Outcome) -> None:
    """Draw the line about a file."""
    st.markdown(f"{_ICONS[outcome.status]} {say_outcome(texts, outcome)}")


def say_outcome(texts: Language, outcome: Outcome) -> str:
    """Return what became of a file, as Markdown."""
    values = {"name": f"\u2068{plain(outcome.name)}\u2069"}
    if outcome.status == "refused":
        told = {key: plain(value) for key, value in outcome.values.items()}
        values["reason"] = say(texts, outcome.key, told)
    return texts.text(f"outcome.{outcome.status}", values)

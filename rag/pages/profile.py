"""What is known of the person themself: the details that the profile asks for, then whatever else they have said."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from languages import Language
from memory.knowledge.profile import EntityProfile, Schema, read_schema
from rag.pages.application import Application
from rag.pages.facts import called, draw_fact, draw_unknown, lines_of
from rag.pages.session import person


def draw_profile(texts: Language, application: Application) -> None:
    """Draw the person's profile, field by field.

    Raises: TypeSetInvalid, where the profile's file cannot be read.
    """
    schema = schema_of(application.settings.profile)
    memory, editor, whose = application.memory, application.editor, person()
    lines = lines_of(memory.history(whose, ""))
    st.caption(EntityProfile(memory, whose, schema).summary(texts.code))
    if not lines:
        st.markdown(texts.text("memory.nothing_about"))
    for field in schema.fields:
        label, known = field.called(texts.code), [line for line in lines if line.fact.key == field.key]
        for line in known:
            draw_fact(texts, editor, line, label)
        if not known:
            draw_unknown(texts, editor, key=field.key, label=label)
    asked = {field.key for field in schema.fields}
    others = [line for line in lines if line.fact.key not in asked]
    if others:
        st.subheader(texts.text("memory.also_known"), anchor=False)
        for line in others:
            draw_fact(texts, editor, line, called(texts, line.fact))


def schema_of(named: str) -> Schema:
    """Return the profile's fields: a set of data/profiles by its name, or an own file."""
    return read_schema(Path(named) if named.endswith(".toml") else named)

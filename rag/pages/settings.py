"""The settings page: what is in force, by name, for whoever administers; it changes nothing, and no secret is on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit, urlunsplit

import streamlit as st
from pydantic import SecretStr

from languages import Language
from rag.pages.application import Opener
from rag.pages.marks import plain
from rag.pages.session import interface
from rag.settings import SECRETS, Settings, variable

_LONGEST: Final = 200  # characters of a value


def settings(opener: Opener) -> None:
    """Draw the settings page."""
    texts = interface()
    st.title(texts.text("settings.title"), anchor=False)
    st.markdown(texts.text("settings.intro"))
    heads = (texts.text("settings.name"), texts.text("settings.value"))
    rows = [f"| {' | '.join(heads)} |", "| --- | --- |"]
    rows += [f"| `{name}` | {value} |" for name, value in in_force(texts, opener().settings).items()]
    with st.container(key=f"{texts.direction}-settings-table"):
        st.markdown("\n".join(rows))


def in_force(texts: Language, given: Settings) -> Mapping[str, str]:
    """Return the value of each setting as Markdown, by the name it is set by; of a secret, whether there is one."""
    return {variable(field): _shown(texts, field, getattr(given, field)) for field in Settings.model_fields}


def _shown(texts: Language, field: str, value: object) -> str:
    if field in SECRETS or isinstance(value, SecretStr):
        return texts.text("settings.is_set" if value else "settings.is_not_set")
    if isinstance(value, tuple):
        value = ", ".join(value)
    if isinstance(value, Mapping):
        value = " · ".join(f"{code}: {said}" for code, said in value.items())
    text = "" if value is None else without_password(str(value))
    if not text:
        return texts.text("settings.is_not_set")
    return f"\u2066{plain(text[:_LONGEST])}\u2069"


def without_password(text: str) -> str:
    """Return *text*; where it is an address with a name and a password in it, without them.

    >>> without_password("https://anna:secret@models.example/v1"), without_password("gpt-4o-mini")
    ('https://models.example/v1', 'gpt-4o-mini')
    """
    if "://" not in text or "@" not in text:
        return text
    parts = urlsplit(text)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))

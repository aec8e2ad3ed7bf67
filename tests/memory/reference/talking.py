"""Short conversations for tests: what was said before, and what a question is then taken for."""

from __future__ import annotations

from collections.abc import Sequence

from memory import Catalog, Discourse, Name, NameIndex, Resolution, observe, resolve

NOTHING_KNOWN: tuple[Name, ...] = ()


def after(language: str, messages: Sequence[str], catalog: Catalog) -> Discourse:
    """Return the discourse after *messages*; the first is the person's, then they alternate."""
    discourse = Discourse()
    for number, text in enumerate(messages):
        role = "assistant" if number % 2 else "user"
        asked = text
        if role == "user":
            asked = resolve(text, discourse, catalog=catalog, language=language).standalone
        discourse = observe(discourse, role, text, language=language, catalogs=(catalog,), asked=asked)
    return discourse


def taken_for(language: str, question: str, *before: str, names: Sequence[Name] = NOTHING_KNOWN) -> Resolution:
    """Return what *question* is taken for after the messages *before*."""
    catalog = NameIndex.of(names)
    return resolve(question, after(language, before, catalog), catalog=catalog, language=language)

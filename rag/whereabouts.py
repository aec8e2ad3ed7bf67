"""Where in its document a passage stands, in words."""

from __future__ import annotations

from languages.pack import Language
from rag.events import Passage


def whereabouts(texts: Language, passage: Passage | None) -> str:
    """Return the page or the row of *passage* in the language of *texts*, "" where its document has neither."""
    if passage is None:
        return ""
    if passage.page:
        return texts.text("passage.page", {"page": texts.number(str(passage.page))})
    return texts.text("passage.row", {"row": texts.number(str(passage.row))}) if passage.row else ""

"""What is said beside "not in the documents": how much was searched, what came nearest, and whom to turn to."""

from __future__ import annotations

from typing import Final

from languages import load
from rag.answer.citations import check
from rag.answer.wording import LONGEST
from rag.events import Answer, Hit
from rag.safety import without_controls

_LONGEST_NAME: Final = 80  # characters of a heading or a document's name


def explain(answer: Answer, hits: tuple[Hit, ...], *, language: str, documents: int, escalation: str = "") -> str:
    """Return what is said after *answer*, which says that the documents do not: a sentence each, in *language*.

    *documents* were searched, and *hits* found, the best first; *escalation* is a pilot's own text.  With the answer it
    is at most as long as any answer may be, the pilot's text aside; what does not fit is left out, the nearest first.
    """
    said: list[str] = []
    if hits and documents:
        said.append(load(language).text("not_found.searched", {"count": str(documents)}))
        said.append(_nearest(hits[0], language))
    while said and len(answer.text) + len("\n\n") + len(" ".join(said)) > LONGEST:
        said.pop()
    return "\n\n".join(filter(None, (" ".join(said), escalation)))


def _nearest(hit: Hit, language: str) -> str:
    """Return which passage came nearest, by its heading and its document; none of it does anything on a page."""
    texts = load(language)
    document = _plain(hit.passage.document)
    heading = _plain(hit.passage.heading.rpartition(" > ")[2])
    if not heading:
        return texts.text("not_found.nearest_document", {"document": document})
    return texts.text("not_found.nearest", {"heading": texts.quote(heading), "document": document})


def _plain(name: str) -> str:
    """Return a name from a document without what a page could make of it, cut where it is long."""
    shown, _ = check(" ".join(without_controls(name).split()), 0)
    return shown if len(shown) <= _LONGEST_NAME else f"{shown[: _LONGEST_NAME - 1].rstrip()}…"

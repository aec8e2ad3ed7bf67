"""The question back about an ambiguous one, in its language, and where the answer to it belongs."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import Final

from languages import load
from memory import Candidate, Pending, Resolution
from rag.events import Clarification

_CLARIFY: Final = MappingProxyType({"PRODUCT": "product", "PERSON": "person", "LOCATION": "place"})


def clarify(resolution: Resolution) -> Clarification:
    """Return the question back about an ambiguous resolution, in its language, with the readings as options."""
    language = load(resolution.language)
    options = tuple(candidate.name for candidate in resolution.candidates)
    values = {"options": language.join(options), "expression": resolution.expression}
    return Clarification(language.text(f"clarify.{_kind(resolution.candidates)}", values), options)


def _kind(candidates: tuple[Candidate, ...]) -> str:
    types = {candidate.type for candidate in candidates}
    return _CLARIFY.get(next(iter(types)), "general") if len(types) == 1 else "general"


def pending_of(asked: Resolution) -> Pending:
    """Return what an ambiguous resolution leaves open: the question, where it is unclear, the readings."""
    start, end = find_expression(asked.question, asked.expression)
    return Pending(asked.question, start, end, tuple(candidate.name for candidate in asked.candidates))


def find_expression(question: str, expression: str) -> tuple[int, int]:
    """Return where *expression* stands in *question* as words of its own, else as letters, else the end.

    >>> find_expression("Is it as digital as it looks?", "it")
    (3, 5)
    """
    if expression:
        match = re.search(rf"(?<!\w){re.escape(expression)}(?!\w)", question) or re.search(
            re.escape(expression), question
        )
        if match:
            return match.span()
    end = len(question.rstrip(" \u00a0\u202f?!.؟"))
    return end, end

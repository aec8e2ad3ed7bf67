"""Reference resolution for scripts: one JSON case a line in, one JSON result a line out (``referent resolve --jsonl``).

A case is {"id", "lang"?, "catalog": [...], "history": [{"role", "text"}], "question"}; the result's keys are in
DESIGN's contract: offsets are code points of the question as received, ``ms`` the time of the resolution alone.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

from pydantic import BaseModel, Field, ValidationError

from languages import codes, default_code, detect
from memory import Attribute, Discourse, Name, NameIndex, Reading, Resolution, Scorer, observe, resolve
from memory.types import Role


class _NameLine(BaseModel):
    name: str = Field(min_length=1)
    type: str = "OTHER"
    aliases: list[str] = Field(default_factory=list)
    attributes: dict[str, str | int | float] = Field(default_factory=dict)


class _MessageLine(BaseModel):
    role: Literal["user", "assistant"]
    text: str


class _CaseLine(BaseModel):
    id: str | int
    lang: str | None = None
    catalog: list[_NameLine] = Field(default_factory=list)
    history: list[_MessageLine] = Field(default_factory=list)
    question: str


def resolve_lines(lines: Iterable[str], scorer: Scorer | None = None) -> Iterator[dict[str, Any]]:
    """Yield one result a line, in order; {"id", "error"} where a line is no case.  Without *scorer* the rules decide.

    A byte order mark before the first line, as some editors write it, is no part of it.
    """
    for number, line in enumerate(lines):
        case = line if number else line.removeprefix("\ufeff")
        if case.strip():
            yield _resolve_line(case, scorer)


def unknown_language(code: str) -> str:
    """Return what is said of a line whose ``lang`` is none that is known."""
    return f"lang: found {code!r}; expected one of {', '.join(codes())}; leave it out to have it detected"


def _resolve_line(line: str, scorer: Scorer | None = None) -> dict[str, Any]:
    identifier: object = None
    try:
        data = json.loads(line)
        identifier = data.get("id") if isinstance(data, dict) else None
        case = _CaseLine.model_validate(data)
        if case.lang is not None and case.lang not in codes():
            return {"id": identifier, "error": unknown_language(case.lang)}
        return _result(case, scorer)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the line"
        return {
            "id": identifier,
            "error": f"{where}: {first['msg']}; expected a case as `referent resolve --help` shows it",
        }
    except (ValueError, RecursionError) as error:  # brackets nested too deeply recurse without end
        return {"id": identifier, "error": f"this line is not JSON ({error}); expected one object a line"}


class _Timed:
    """A scorer that adds up its own time, which is no part of the resolution's."""

    def __init__(self, scorer: Scorer) -> None:
        self._scorer = scorer
        self.seconds = 0.0

    def read(self, question: str, history: tuple[tuple[Role, str], ...]) -> Reading | None:
        """Return what the scorer reads."""
        began = time.perf_counter()
        try:
            return self._scorer.read(question, history)
        finally:
            self.seconds += time.perf_counter() - began


def _result(case: _CaseLine, scorer: Scorer | None) -> dict[str, Any]:
    names = [_name(entry) for entry in case.catalog]
    catalog = NameIndex.of(names)
    spoken = tuple(entry.name for entry in names)
    discourse = Discourse()
    language = default_code()
    timed = _Timed(scorer) if scorer is not None else None
    for message in case.history:
        language = detect(message.text, previous=language, names=spoken).code
        asked = ""
        if message.role == "user":
            asked = resolve(message.text, discourse, catalog=catalog, language=language, scorer=timed).standalone
        discourse = observe(discourse, message.role, message.text, language=language, catalogs=(catalog,), asked=asked)
    language = detect(case.question, previous=case.lang or language, names=spoken).code
    if timed is not None:
        timed.seconds = 0.0
    began = time.perf_counter()
    resolution = resolve(case.question, discourse, catalog=catalog, language=language, scorer=timed)
    spent = time.perf_counter() - began
    result = {"id": case.id, "lang": language, **as_mapping(resolution)}
    if timed is None:
        return {**result, "ms": round(spent * 1000, 3)}
    encoding = timed.seconds
    return {**result, "ms": round((spent - encoding) * 1000, 3), "encoder_ms": round(encoding * 1000, 3)}


def _name(entry: _NameLine) -> Name:
    attributes = tuple(Attribute(key, str(value)) for key, value in entry.attributes.items())
    return Name(entry.name, entry.type, tuple(entry.aliases), attributes)


def as_mapping(resolution: Resolution) -> Mapping[str, Any]:
    """Return the part of a resolution that scripts read, as plain JSON values."""
    return {
        "status": resolution.status,
        "standalone": resolution.standalone,
        "references": [
            {"text": link.text, "start": link.anchor[0], "end": link.anchor[1], "entities": list(link.entities)}
            for link in resolution.links
        ],
        "candidates": [{"name": candidate.name, "type": candidate.type} for candidate in resolution.candidates],
        "method": resolution.method,
    }

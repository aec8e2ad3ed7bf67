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
from memory import Attribute, Discourse, Name, NameIndex, Resolution, observe, resolve


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


def resolve_lines(lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Yield one result a line, in order; {"id", "error"} where a line is no case.

    A byte order mark before the first line, as some editors write it, is no part of it.
    """
    for number, line in enumerate(lines):
        case = line if number else line.removeprefix("\ufeff")
        if case.strip():
            yield _resolve_line(case)


def _resolve_line(line: str) -> dict[str, Any]:
    identifier: object = None
    try:
        data = json.loads(line)
        identifier = data.get("id") if isinstance(data, dict) else None
        case = _CaseLine.model_validate(data)
        if case.lang is not None and case.lang not in codes():
            known = ", ".join(codes())
            problem = f"lang: found {case.lang!r}; expected one of {known}; leave it out to have it detected"
            return {"id": identifier, "error": problem}
        return _result(case)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the line"
        return {
            "id": identifier,
            "error": f"{where}: {first['msg']}; expected a case as `referent resolve --help` shows it",
        }
    except (ValueError, RecursionError) as error:  # brackets nested too deeply recurse without end
        return {"id": identifier, "error": f"this line is not JSON ({error}); expected one object a line"}


def _result(case: _CaseLine) -> dict[str, Any]:
    names = [_name(entry) for entry in case.catalog]
    catalog = NameIndex.of(names)
    spoken = tuple(entry.name for entry in names)
    discourse = Discourse()
    language = default_code()
    for message in case.history:
        language = detect(message.text, previous=language, names=spoken).code
        asked = ""
        if message.role == "user":
            asked = resolve(message.text, discourse, catalog=catalog, language=language).standalone
        discourse = observe(discourse, message.role, message.text, language=language, catalogs=(catalog,), asked=asked)
    language = detect(case.question, previous=case.lang or language, names=spoken).code
    began = time.perf_counter()
    resolution = resolve(case.question, discourse, catalog=catalog, language=language)
    return {
        "id": case.id,
        "lang": language,
        **as_mapping(resolution),
        "ms": round((time.perf_counter() - began) * 1000, 3),
    }


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

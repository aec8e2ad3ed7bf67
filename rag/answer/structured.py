"""A chat model's JSON as a value of a schema: taken out of fences and chatter, closed where it was cut short."""

from __future__ import annotations

import json
import re
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from rag.errors import ModelMalformed

Schema = TypeVar("Schema", bound=BaseModel)

_FENCED = re.compile(r"```[\w-]*\s*\n?(.*?)(?:```|\Z)", re.DOTALL)
_MOST = 200_000  # characters that are looked at


def parse(text: str, schema: type[Schema], *, model: str = "") -> Schema:
    """Return *text* as a *schema*; a bare list becomes the schema's only list field.

    Raises: ModelMalformed where nothing of that form is in it.
    """
    for candidate in _candidates(text[:_MOST]):
        for repaired in (candidate, _closed(candidate)):
            try:
                value = json.loads(repaired)
            except (json.JSONDecodeError, RecursionError):
                continue
            try:
                return schema.model_validate(_wrapped(value, schema))
            except ValidationError:
                continue
    raise ModelMalformed(
        f"found an answer of {len(text)} characters that is no {schema.__name__}; expected JSON of that form; try "
        "again, or name a model that keeps to a schema",
        {"model": model},
    )


def _candidates(text: str) -> list[str]:
    """Return what may be the JSON of *text*: the content of fences, then from its first bracket on."""
    parts = [match[1] for match in _FENCED.finditer(text)]
    parts.append(text)
    found: list[str] = []
    for part in parts:
        start = min((place for place in (part.find("{"), part.find("[")) if place >= 0), default=-1)
        if start >= 0:
            end = max(part.rfind("}"), part.rfind("]"))
            found.extend((part[start : end + 1], part[start:]) if end > start else (part[start:],))
    return list(dict.fromkeys(found))


def _closed(text: str) -> str:
    r"""Return JSON that was cut short with its open strings, lists and objects closed; what is half said goes.

    >>> _closed('{"names": ["Brook 3", "Bro')
    '{"names": ["Brook 3"]}'
    """
    stack: list[str] = []
    quoted = escaped = False
    safe, closing, last = 0, "", ""  # where the text may be cut, what then closes it, the last sign before a string
    for place, character in enumerate(text):
        if quoted:
            if escaped:
                escaped = False
            elif character == "\\":
                escaped = True
            elif character == '"':
                quoted = False
                if last == ":" or stack[-1:] == ["]"]:  # a value is whole; a key is not
                    safe, closing = place + 1, "".join(reversed(stack))
        elif character == '"':
            quoted = True
        elif character == ":":
            last = character
        elif character in "{[":
            last = character
            stack.append("}" if character == "{" else "]")
            safe, closing = place + 1, "".join(reversed(stack))
        elif character in "}]":
            if not stack or stack.pop() != character:
                break
            safe, closing = place + 1, "".join(reversed(stack))
        elif character == ",":
            last = character
            safe, closing = place, "".join(reversed(stack))
    whole = text[:safe].rstrip(" ,\n")
    return whole + closing


def _wrapped(value: object, schema: type[BaseModel]) -> object:
    fields = list(schema.model_fields)
    return {fields[0]: value} if isinstance(value, list) and len(fields) == 1 else value

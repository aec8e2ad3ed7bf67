"""TOML for people to fill in: entries without their content, each with what it asks and how another language answers.

What is left to do carries the mark ``TODO:``, within a text or in a comment, so that a check finds it.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

TODO: Final = "TODO:"

_EXAMPLE: Final = 90  # characters of another language's words that are shown
_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")
_FIELD: Final = re.compile(r"^    (\w+): [^#]*(?:#\s*(.+))?$")


def meanings(shape: type) -> dict[str, str]:
    """Return what each field of *shape* asks, "" where its name says it: the comment at its end.

    A comment beside the code is the one place where that is said; here it is shown to whoever fills the field in.
    """
    found = map(_FIELD.match, inspect.getsource(shape).splitlines())
    return {match[1]: match[2] or "" for match in found if match}


def key(name: str) -> str:
    """Return *name* as a TOML key.

    >>> key("price"), key("0.5 h")
    ('price', '"0.5 h"')
    """
    return name if _BARE.fullmatch(name) else json.dumps(name, ensure_ascii=False)


def value(content: Any) -> str:
    """Return *content* as a TOML value.

    >>> value(["une", "deux"]), value(True), value({"a b": 1})
    ('["une", "deux"]', 'true', '{ "a b" = 1 }')
    """
    if isinstance(content, str) and "\n" in content:
        escaped = content.replace("\\", "\\\\").replace('"""', '""\\"')
        return f'"""\n{escaped}"""'
    if isinstance(content, bool | int | float | str):
        return json.dumps(content, ensure_ascii=False)
    if isinstance(content, Mapping):
        return "{ " + ", ".join(f"{key(name)} = {value(each)}" for name, each in content.items()) + " }"
    return "[" + ", ".join(map(value, content)) + "]"


def example(content: Any) -> str:
    """Return the first words of another language's *content*, for a comment; "" where it has none.

    >>> example(["de", "à"]), example({"premier": 1}), example("")
    ('de, à', 'premier = 1', '')
    """
    if isinstance(content, str):
        said = " ".join(content.split())
    elif isinstance(content, Mapping):
        said = ", ".join(f"{name} = {example(each) or value(each)}" for name, each in content.items())
    elif isinstance(content, Sequence):
        pairs = all(isinstance(each, list) for each in content)  # an ending, and what takes its place
        said = ", ".join(" → ".join(map(str, each)) if pairs else " ".join(example(each).split()) for each in content)
    else:
        said = value(content)
    return said if len(said) <= _EXAMPLE else f"{said[:_EXAMPLE].rstrip(' ,')} …"


def entry(name: str, content: Any, *, asks: str = "", left: str = "") -> Iterator[str]:
    """Yield the lines of an entry: what it *asks* above, what is *left* to do with it at its end."""
    if asks:
        yield f"# {asks}"
    yield f"{key(name)} = {value(content)}" + (f"  # {TODO} {left}" if left else "")


def hollow(content: Mapping[str, Any], path: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield the lines of *content* with its lists emptied, their words in a comment, and its texts marked."""
    for name, each in content.items():
        if isinstance(each, str):
            yield from entry(name, f"{TODO} {each}")
        elif isinstance(each, list):
            yield from entry(name, [], left=example(each))
        elif not isinstance(each, dict):
            yield from entry(name, each)
    for name, each in content.items():
        if isinstance(each, dict):
            yield from ("", f"[{'.'.join(map(key, (*path, name)))}]")
            yield from hollow(each, (*path, name))


def commented(name: str, tables: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the lines of an array of tables as comments: how another language fills it."""
    for table in tables:
        yield ""
        yield f"# [[{name}]]"
        for field, content in table.items():
            yield from (f"# {line}".rstrip() for line in f"{key(field)} = {value(content)}".split("\n"))

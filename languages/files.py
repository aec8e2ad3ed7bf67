"""The files of a language's folder, read and checked, with errors that say how to mend them.

Whoever translates a pack need not program: each error names the file, the entry, what is wrong and what to do.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, TypeVar

from pydantic import Field, TypeAdapter, ValidationError

from languages.errors import LanguagePackError

FOLDER = Path(__file__).parent

Shape = TypeVar("Shape")
Text = Annotated[str, Field(min_length=1)]


def read_toml(code: str, name: str, *, root: Path = FOLDER) -> dict[str, Any]:
    """Return the content of the file *name* of the language *code*, whose folder stands in *root*.

    Raises: LanguagePackError where the file is missing, is not UTF-8 or is not TOML.
    """
    file = f"{code}/{name}"
    try:
        return tomllib.loads((root / code / name).read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise LanguagePackError(
            file, "", "the file is missing.", "Copy it from another language's folder and translate it."
        ) from error
    except UnicodeDecodeError as error:
        raise LanguagePackError(file, "", "the file is not in UTF-8.", "Save it again as UTF-8.") from error
    except tomllib.TOMLDecodeError as error:
        next_step = "Look there for a missing quotation mark, a missing comma or an entry that stands twice."
        raise LanguagePackError(file, "", f"the file cannot be read as TOML ({error}).", next_step) from error


def read_checked(code: str, name: str, shape: TypeAdapter[Shape], *, root: Path = FOLDER) -> Shape:
    """Return the content of a file of a language's folder as a value of *shape*.

    Raises: LanguagePackError naming the first entry that does not fit.
    """
    return check(f"{code}/{name}", read_toml(code, name, root=root), shape)


def check(file: str, content: Mapping[str, Any], shape: TypeAdapter[Shape]) -> Shape:
    """Return *content*, that of *file*, as a value of *shape*.

    Raises: LanguagePackError naming the first entry that does not fit.
    """
    try:
        return shape.validate_python(content)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = ".".join(str(part) for part in first["loc"])
        what, next_step = EXPLAINED.get(
            first["type"], (f"{first['msg']}.", "Compare the entry with another language's file.")
        )
        raise LanguagePackError(file, key, what, next_step) from error


EXPLAINED = MappingProxyType(
    {
        "missing": ("the entry is missing.", "Add it; another language's file shows what belongs there."),
        "unexpected_keyword_argument": (
            "nobody reads an entry of this name.",
            "Look for a typing error, or take it out.",
        ),
        "extra_forbidden": ("nobody reads an entry of this name.", "Look for a typing error, or take it out."),
        "string_type": ("this should be a text in quotation marks.", "Put it in quotation marks."),
        "string_too_short": ("the text is empty.", "Write the text, or take an empty line out of a list."),
        "tuple_type": ("this should be a list.", 'Write it in square brackets: ["one", "two"].'),
        "int_type": ("this should be a whole number.", "Write a number without quotation marks."),
        "int_parsing": ("this should be a whole number.", "Write a number without quotation marks."),
        "string_pattern_mismatch": ("this is not written as it should be.", "Compare with another language's file."),
        "literal_error": ("this is none of the allowed words.", "Compare the entry with another language's file."),
    }
)


def flatten(file: str, content: Mapping[str, Any], prefix: str = "") -> dict[str, str]:
    """Return nested tables as one level: {"chat": {"send": "Send"}} as {"chat.send": "Send"}.

    *file* is for messages.  Raises: LanguagePackError where a value is no text, or is empty.
    """
    flat: dict[str, str] = {}
    for name, value in content.items():
        key = f"{prefix}{name}"
        if isinstance(value, dict):
            flat |= flatten(file, value, f"{key}.")
        elif not isinstance(value, str):
            raise LanguagePackError(file, key, *EXPLAINED["string_type"])
        elif not value.strip():
            raise LanguagePackError(file, key, *EXPLAINED["string_too_short"])
        else:
            flat[key] = value
    return flat

"""What can go wrong in this package.

LanguageError
├── LanguagePackError   a file of a language folder is missing, misspelt or incomplete
├── UnknownLanguage     a language was asked for that has no folder
├── PackNotBegun        a folder for a new language cannot be written
├── UnknownText         a text was asked for that no file of the language holds
└── MissingValue        a text has a {placeholder} that was given no value
"""

from __future__ import annotations

from collections.abc import Iterable


class LanguageError(Exception):
    """Any failure of this package."""


class LanguagePackError(LanguageError):
    """A file of a language folder cannot be used; says which file, which entry, what is wrong and what to do."""

    def __init__(self, file: str, key: str, what: str, next_step: str) -> None:
        self.file = file
        self.key = key
        self.what = what
        self.next_step = next_step
        place = f"{file}, entry “{key}”" if key else file
        super().__init__(f"{place}: {what} {next_step}")


class UnknownLanguage(LanguageError):
    """A language was asked for that has no folder."""

    def __init__(self, code: str, known: Iterable[str]) -> None:
        self.code = code
        names = ", ".join(known)
        super().__init__(
            f"Found the language “{code}”, expected one of: {names}. Choose one, or add its folder under languages/."
        )


class PackNotBegun(LanguageError):
    """A folder for a new language cannot be written: it exists, its code is none, its script is another's alone."""

    def __init__(self, found: str, expected: str, next_step: str) -> None:
        super().__init__(f"Found {found}; expected {expected}. {next_step}")


class UnknownText(LanguageError):
    """A text was asked for that no file of the language holds."""

    def __init__(self, code: str, key: str) -> None:
        self.key = key
        super().__init__(
            f"No text “{key}” in languages/{code}. Expected it in ui.toml or prompts.toml; "
            "add it there in every language."
        )


class MissingValue(LanguageError):
    """A text has a placeholder that was given no value."""

    def __init__(self, key: str, placeholder: str, given: Iterable[str]) -> None:
        self.key = key
        self.placeholder = placeholder
        names = ", ".join(sorted(given)) or "none"
        super().__init__(
            f"The text “{key}” needs a value for {{{placeholder}}}; values given: {names}. "
            "Give it, or mend the placeholder."
        )

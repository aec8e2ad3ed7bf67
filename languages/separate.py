"""Hooks of languages that write articles, possessives and pronouns as words of their own: nothing is part of a word."""

from __future__ import annotations

from languages.grammar import Attached, Referent


def is_definite(word: str) -> bool:
    """Return False: articles are words of their own."""
    return False


def is_owned(word: str) -> bool:
    """Return False: possessives are words of their own."""
    return False


def is_accusative(word: str) -> bool:
    """Return False: no case is written as an ending of its own."""
    return False


def bare(words: str) -> str:
    """Return the phrase as it is: nothing is written on its first word."""
    return words


def contracted(left: str, words: str) -> tuple[int, str]:
    """Return *words* as they are, and that none of *left* is taken in: no preposition runs together with an article."""
    return 0, words


def attached(word: str) -> Attached | None:
    """Return None: pronouns are words of their own."""
    return None


def why(word: str, subject: Referent, verb: str, rest: str) -> str:
    """Return "": how the language turns a statement into a question is not known."""
    return ""


def agreed(right: str, referent: Referent) -> str:
    """Return *right* as it is: no word behind a new subject takes its gender."""
    return right


def described(left: str, name: str) -> str:
    """Return "": how a name of common words stands in a sentence is not known."""
    return ""


def led(left: str, words: str, gender: str) -> tuple[int, str]:
    """Return *words* as they are: no article before them depends on their first letter."""
    return 0, words


def of(left: str, right: str, owner: str) -> tuple[int, int, str]:
    """Return the owner, as it is said, behind what *left* ends in; nothing else is replaced.

    >>> of("How long is the battery", "?", "of the Aero 14")
    (0, 0, ' of the Aero 14')
    """
    return 0, 0, f" {owner}"

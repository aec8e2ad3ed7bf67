"""What English needs beyond its word lists: articles of names, the possessive 's, the number of a verb by "they"."""

from __future__ import annotations

import re

from languages.grammar import Referent
from languages.separate import attached, bare, contracted, is_accusative, is_definite, is_owned

__all__ = ["attached", "bare", "contracted", "is_accusative", "is_definite", "is_owned", "owned", "phrase", "place"]

_SINGULAR = {"do": "does", "are": "is", "were": "was", "have": "has", "don't": "doesn't", "aren't": "isn't"}


def phrase(referent: Referent, case: str) -> str:
    """Return the referent with "the" where the conversation used it so.

    >>> phrase(Referent("Puffin kettle", article="the"), "subject")
    'the Puffin kettle'
    >>> phrase(Referent("Larkspur"), "owner")
    'of Larkspur'
    """
    words = f"the {referent.name}" if referent.article and not referent.name.startswith("the ") else referent.name
    return f"of {words}" if case == "owner" else words


def owned(possessive: str, owned: str, referent: Referent) -> str:
    """Return what the referent owns, with 's.

    >>> owned("its", "battery", Referent("Aero 14", article="the"))
    "the Aero 14's battery"
    >>> owned("their", "address", Referent("Larkspur Analytics"))
    "Larkspur Analytics' address"
    """
    owner = phrase(referent, "subject")
    mark = "'" if owner.endswith("s") else "'s"
    return f"{owner}{mark} {owned}".rstrip()


def place(left: str, form: str, right: str, referent: Referent, case: str) -> tuple[int, int, str]:
    """Return the referent where the pronoun stood; a plural verb before it becomes singular with a singular name.

    >>> place("Do ", "they", " deliver?", Referent("Orion"), "subject")
    (3, 0, 'Does Orion')
    """
    words = phrase(referent, "subject")
    if form.casefold() in ("they", "these", "those") and referent.number == "s":
        match = re.search(r"(?:^|(?<=\s))([A-Za-z']+)\s$", left)
        if match and match.group(1).casefold() in _SINGULAR:
            verb = _SINGULAR[match.group(1).casefold()]
            verb = verb[0].upper() + verb[1:] if match.group(1)[0].isupper() else verb
            return len(match.group(0)), 0, f"{verb} {words}"
    if form.casefold() == "there":
        return 0, 0, words if re.search(r"\b(?:from|to|in|at|near|around)\s$", left) else f"in {words}"
    return 0, 0, words

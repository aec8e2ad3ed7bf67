"""What this language needs beyond its word lists: so far nothing, each function does what most languages can live with.

Where a sentence comes out wrong with a name in the pronoun's place (an article that has to merge, a clitic that has to
move, a case), mend it here: a pure function each, with an example that runs.  languages/grammar.py says what each one
is asked for; the other languages' hooks.py show how they answer.
"""

from __future__ import annotations

from languages.grammar import DEFINITE, Referent
from languages.separate import (
    agreed,
    attached,
    bare,
    contracted,
    described,
    is_accusative,
    is_definite,
    is_owned,
    led,
    of,
    why,
)  # fmt: skip

__all__ = [
    "agreed", "attached", "bare", "contracted", "described", "is_accusative", "is_definite", "is_owned", "led", "of",
    "owned", "phrase", "place", "why",
]  # fmt: skip


def phrase(referent: Referent, case: str) -> str:
    """Return the referent as a noun phrase, with the article that the conversation used.

    >>> phrase(Referent("Orphéa", article="la"), "subject")
    'la Orphéa'
    """
    article = "" if referent.article == DEFINITE else referent.article
    return f"{article} {referent.name}".lstrip()


def owned(possessive: str, owned: str, referent: Referent) -> str:
    """Return the thing owned and its owner side by side.

    >>> owned("its", "battery", Referent("Aero 14"))
    'battery Aero 14'
    """
    return f"{owned} {phrase(referent, 'owner')}".lstrip()


def place(left: str, form: str, right: str, referent: Referent, case: str) -> tuple[int, int, str]:
    """Return the referent where the pronoun stood, with nothing else replaced.

    >>> place("How heavy is ", "it", "?", Referent("Aero 14"), "subject")
    (0, 0, 'Aero 14')
    """
    return 0, 0, phrase(referent, case)

"""Messages that ask nothing of any document: greetings, thanks, farewells, and what one tells of oneself."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Final

from languages import sentences
from languages.grammar import grammar_of
from memory import Heard
from rag.answer.questions import Pattern, SmallTalk, patterns, stands_in
from rag.answer.stems import stems

# What one tells of oneself and asks for nothing by; no document has it.
OWN: Final = frozenset(
    "name call_name age birthday place origin employer job budget likes dislikes family phone email".split()
)


def small_talk(message: str, language: str) -> SmallTalk | None:
    """Return what sort of small talk *message* is as a whole, or None where it asks anything.

    >>> small_talk("Thanks a lot!", "en"), small_talk("Hi, how much is the Brook 3?", "en")
    ('thanks', None)
    >>> small_talk("Hello, my budget is 900 euros.", "en")
    'telling'
    """
    pack = patterns(language)
    text = stems(message, language)
    for sort, phrases in pack.smalltalk.items():
        if text and _consists_of(text, phrases):
            return sort
    return "telling" if _tells(message, text, language) else None


def only_states(message: str, language: str, heard: Sequence[Heard]) -> bool:
    """Return whether *message* only states something of the person, by what was *heard* in it: "I'm 34, with two boys."

    It begins with that, its last sentence has some of it, and it asks nothing; what one looks for is looked for.
    """
    spans = sentences(message)
    if not heard or not spans or any(each.subject or each.key not in OWN for each in heard):
        return False
    asks = any(mark in message for mark in "?؟") or bool(_interrogatives(language) & set(stems(message, language)))
    begins = min(each.start for each in heard) < spans[0].end
    return not asks and begins and max(each.end for each in heard) > spans[-1].start


def _consists_of(text: Pattern, phrases: Collection[Pattern]) -> bool:
    """Return whether *text* is nothing but some of *phrases*, one after the other: "great | thank you | that helps"."""
    reached = {0}
    for at in range(len(text)):
        if at in reached:
            reached |= {at + len(phrase) for phrase in phrases if text[at : at + len(phrase)] == phrase}
    return len(text) in reached


def _tells(message: str, text: Pattern, language: str) -> bool:
    """Return whether *message* opens with a statement about oneself, after a greeting perhaps, and asks nothing."""
    pack = patterns(language)
    rest = text[max((len(p) for p in pack.smalltalk["greeting"] if text[: len(p)] == p), default=0) :]
    if not any(rest[: len(p)] == p for p in pack.telling) or any(mark in message for mark in "?؟"):
        return False
    asking = (p for kind, group in pack.kinds.items() if kind != "name" for p in group)  # "my name is" asks for none
    return not _interrogatives(language) & set(text) and not any(stands_in(text, p) for p in asking)


@lru_cache(maxsize=32)
def _interrogatives(language: str) -> frozenset[str]:
    """Return the stems of the question words that are one word."""
    found = (stems(word, language) for word in grammar_of(language).question_words)
    return frozenset(each[0] for each in found if len(each) == 1)

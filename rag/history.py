"""Resolution for applications that keep no discourse: all messages so far and the question in, a resolution out.

The discourse is made anew from the messages; what was made of their beginning before is kept, so that a conversation
that goes on costs its new messages alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final

from languages import UnknownLanguage, codes, default_code, detect, fold
from memory import Catalog, Discourse, Resolution, Scorer, observe, resolve
from memory.types import Role
from rag.clarifying import pending_of

Said = tuple[Role, str]

# The newest messages read: each names a thing or two, and a discourse keeps 48 mentions.  Older ones are left out by
# twenties, so that the first message read, and with it what is kept of those after it, stays the same for ten turns.
NEWEST: Final = 40
_LEFT_OUT: Final = 20
_LONGEST: Final = 8000  # characters of a message that are read, as observing does: what is kept stays small
# Discourses kept; a conversation that goes on needs its newest alone, one that is met in its middle makes up to 59.
_KEPT: Final = 512


@dataclass(frozen=True, slots=True)
class Heard:
    """The discourse after some messages, their language, and the person's last question where it is still open."""

    discourse: Discourse = field(default_factory=Discourse)
    language: str = field(default_factory=default_code)
    asked: Resolution | None = None


class Resolver:
    """Resolves a question after the messages before it; any number of threads may share one.

    Without *language* that of each message is detected; without *scorer* the rules decide alone.

    Raises: UnknownLanguage.
    """

    def __init__(self, catalog: Catalog, *, language: str | None = None, scorer: Scorer | None = None) -> None:
        if language is not None and language not in codes():
            raise UnknownLanguage(language, codes())
        self._catalog = catalog
        self._language = language
        self._scorer = scorer
        self._after = lru_cache(maxsize=_KEPT)(self._hear)

    def resolve(self, question: str, said: tuple[Said, ...] = ()) -> Resolution:
        """Return what *question* asks after *said*, oldest first."""
        left_out = max(0, len(said) - NEWEST) // _LEFT_OUT * _LEFT_OUT
        read = tuple((role, text[:_LONGEST]) for role, text in said[left_out:])
        return self._resolve(question, self._after(read))

    def _resolve(self, question: str, before: Heard) -> Resolution:
        language = self._language_of(question, before)
        return resolve(question, before.discourse, catalog=self._catalog, language=language, scorer=self._scorer)

    def _hear(self, said: tuple[Said, ...]) -> Heard:
        if not said:
            return Heard()
        before = self._after(said[:-1])
        role, text = said[-1]
        asked = self._resolve(text, before) if role == "user" else None
        language = asked.language if asked is not None else self._language_of(text, before)
        meant = asked.standalone if asked is not None else ""
        after = observe(before.discourse, role, text, language=language, catalogs=(self._catalog,), asked=meant)
        if before.asked is not None and asks_back(text, before.asked):
            after = replace(after, pending=pending_of(before.asked))
        return Heard(after, language, asked)

    def _language_of(self, text: str, before: Heard) -> str:
        if self._language is not None:
            return self._language
        names = [match.text for match in self._catalog.find(text[:_LONGEST])]
        names += [mention.entity for mention in before.discourse.mentions if mention.named]
        return detect(text, previous=before.language, names=tuple(dict.fromkeys(names))).code


def asks_back(text: str, asked: Resolution) -> bool:
    """Return whether *text* asks which reading of *asked* was meant: a question that names each of them."""
    said = fold(text)
    named = all(fold(candidate.name) in said for candidate in asked.candidates)
    return asked.status == "ambiguous" and named and any(mark in text for mark in "?؟")

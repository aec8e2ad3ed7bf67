"""The discourse after a message: what was mentioned, what was offered, what was asked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from languages.grammar import key
from languages.text import fold, sentences
from memory.catalog import NameIndex
from memory.reference.analysis import Analysis, analyse
from memory.reference.discourse import Discourse, Frame, Mention, Pending
from memory.reference.ellipsis import is_fragment
from memory.reference.phrases import Phrase
from memory.types import Catalog, Name, Role

_LONGEST = 8000  # characters of a message that are analysed: more than any answer has
_LONGEST_QUESTION = 2000  # a longer one is no frame for "And the other?"
_LONGEST_NAME = 200  # a run of letters beyond that names nothing
_NO_CHOICE = frozenset(("TIME", "MONEY"))
_APART = re.compile(r"[,;:.!?()\n،؛؟]")


def known_names(discourse: Discourse) -> tuple[Name, ...]:
    """Return the proper names of the conversation, so that a short form of one finds it again."""
    found: dict[str, Name] = {}
    for mention in discourse.mentions:
        if mention.named and not mention.known:
            kept = found.get(mention.entity)
            nouns = (mention.noun,) if mention.noun else kept.nouns if kept else ()
            found[mention.entity] = Name(mention.entity, mention.type or (kept.type if kept else "OTHER"), nouns=nouns)
    return tuple(found.values())


def observe_options(
    discourse: Discourse, text: str, options: Sequence[str], *, language: str, catalogs: Sequence[Catalog] = ()
) -> Discourse:
    """Return the discourse after the question back *text*.

    Its *options* are names as a whole, also those of common words that no catalogue has ("Small mower").
    """
    own = NameIndex.of([Name(name) for name in options if all(catalog.get(name) is None for catalog in catalogs)])
    if not own.names:
        return observe(discourse, "assistant", text, language=language, catalogs=catalogs)
    after = observe(discourse, "assistant", text, language=language, catalogs=(*catalogs, own))
    mentions = tuple(replace(m, known=m.known and own.get(m.entity) is None) for m in after.mentions)
    return replace(after, mentions=mentions)


def observe(
    discourse: Discourse, role: Role, text: str, *, language: str, catalogs: Sequence[Catalog] = (), asked: str = ""
) -> Discourse:
    """Return the discourse after *text*; *asked* is the standalone question where a person's message was resolved.

    The mentions of a resolved question are those of its standalone form: a pronoun counts as its antecedent.
    """
    said = asked or text
    meant = analyse(said[:_LONGEST], language, catalogs)
    mentions = mentions_of(meant, discourse.messages, role)
    # "The 2025 one.", "And the 20?" say nothing by themselves: they are kept as the questions that they complete.
    kept = text
    if role == "user" and said != text and (discourse.pending is not None or _is_short(text, language, catalogs)):
        kept = said
    answers = role == "user" and said != text and _settles(discourse.pending, said)
    after = (_without_asking(discourse) if answers else discourse).with_message(role, kept, mentions, language)
    listed = _listed(meant)
    if len(listed) >= 2:
        after = replace(after, offered=listed, offered_at=discourse.messages)
    if role == "user" and said.strip():
        spans = tuple(
            (p.start, p.end, p.entity, p.preposition) for p in meant.phrases if p.name and p.type not in _NO_CHOICE
        )
        frame = Frame(said, language, spans) if len(said) <= _LONGEST_QUESTION else None
        after = replace(after, frame=frame, frame_at=discourse.messages, pending=None)
    return after


def _settles(pending: Pending | None, said: str) -> bool:
    """Return whether *said*, a message as it was understood, is the question asked back about, now that it is clear."""
    if pending is None:
        return False
    return said.startswith(pending.question.rstrip()) or any(fold(option) in fold(said) for option in pending.options)


def _without_asking(discourse: Discourse) -> Discourse:
    """Return *discourse* with nothing to read in the question asked back about, and in what asked: both are settled.

    The options left aside stay known: "and the other one?" asks for them.
    """
    recent = discourse.recent
    return replace(discourse, recent=(*recent[:-2], *((role, "") for role, _ in recent[-2:])))


def _is_short(text: str, language: str, catalogs: Sequence[Catalog]) -> bool:
    return len(text) <= _LONGEST_QUESTION and is_fragment(analyse(text, language, catalogs))


def _is_self(analysis: Analysis, phrase: Phrase) -> bool:
    """Return whether a name is the person's own: "Je m'appelle Inès", "ich bin Odette"."""
    introductions = analysis.tongue.grammar.introductions
    before = key(analysis.text[max(0, phrase.start - 40) : phrase.start])
    return bool(introductions) and re.search(introductions, before) is not None


def mentions_of(analysis: Analysis, message: int, role: Role) -> tuple[Mention, ...]:
    """Return the mentions in one message, in order."""
    spans = sentences(analysis.text)
    found: list[Mention] = []
    for phrase in analysis.phrases:
        if role == "user" and phrase.name and _is_self(analysis, phrase):
            continue
        if phrase.determined == "interrogative" or phrase.end - phrase.start > _LONGEST_NAME:
            continue
        sentence = next((s.text for s in spans if s.start <= phrase.start < s.end), analysis.text)
        article = phrase.determiner if phrase.determined in ("definite", "indefinite") else ""
        found.append(
            Mention(
                entity=phrase.entity,
                text=analysis.text[phrase.start : phrase.end],
                message=message,
                order=len(found),
                role=role,
                noun=phrase.noun,
                type=phrase.type,
                genders=tuple(sorted(phrase.genders)),
                numbers=tuple(sorted(phrase.numbers)),
                named=bool(phrase.name),
                known=phrase.known,
                subject=phrase.subject,
                article=article.casefold(),
                determined=phrase.determined,
                preposition=phrase.preposition,
                group=message * 100 + phrase.group if phrase.group >= 0 else -1,
                sentence=sentence[:300],
            )
        )
    return tuple(found)


def _listed(analysis: Analysis) -> tuple[str, ...]:
    """Return the entities that a message names side by side: its largest coordination, else names of one kind."""
    groups: dict[int, list[str]] = {}
    for phrase in analysis.phrases:
        if phrase.group >= 0 and phrase.type not in _NO_CHOICE:
            groups.setdefault(phrase.group, []).append(phrase.entity)
    best = max(groups.values(), key=len, default=[])
    if len(set(best)) >= 2:
        return tuple(dict.fromkeys(best))
    names = [p for p in analysis.phrases if p.name and p.type not in _NO_CHOICE and not p.preposition]
    alike = len({phrase.type for phrase in names if phrase.type}) <= 1
    alike = alike and not any(_takes(analysis, one, other) for one, other in pairwise(names))
    return tuple(dict.fromkeys(phrase.entity for phrase in names)) if alike else ()


def _takes(analysis: Analysis, one: Phrase, other: Phrase) -> bool:
    """Return whether a known thing has to do with what only the conversation knows: "the M50 takes | the VB-11"."""
    between = analysis.words[one.last + 1 : other.first]
    joined = any(analysis.tongue.has(kind, w.key) for w in between for kind in ("conjunctions", "disjunctions"))
    gap = analysis.text[one.end : other.start]
    return one.known != other.known and not joined and _APART.search(gap) is None

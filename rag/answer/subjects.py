"""Whether a text speaks of the thing asked about, or of a sibling with almost the same name.

A differing number or an additional word always parts two names: the 13 is not the 15, the 14 Pro is not the 14.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import IntEnum

from languages import codes, fold, words
from languages.lexicon import lexicon
from memory.types import Name
from rag.answer.sounds import alike
from rag.answer.stems import stop_stems
from rag.events import Hit

# Words that makers add to a name to name another thing; brands' vocabulary, the same in every language.
_ADDITIONS = frozenset(
    "+ air anc duo fe go ii iii iv light lite mark max mini mk nano neo plus pro s se sport studio ultra v x xl".split()
)
_LONGEST_ADDITION = 7  # letters: "Pro", "Classic"; "Overview" is no part of a name
_THINGS = frozenset(("PRODUCT", "SERVICE", "PERSON"))
_PLACES = frozenset(("LOCATION", "EVENT"))
_BREAK = "|"  # stands where more than a space parts two words

# "Dr. Mara Holm-Reiss, " or "Mara Holm repairs": two capitalised words at the head, with a title perhaps
_FULL_NAME = re.compile(
    r"""\W*
        (?:[^\W\d_]{1,4}\.?\s)?
        (?=[^\W\d_a-z])[^\W\d_]\w+(?:[-’'][^\W\d_]\w*)?
        \s+(?=[^\W\d_a-z])[^\W\d_][\w’'-]+
        (?=\s*[,:;]|\s+[a-z])""",
    re.VERBOSE,
)


class About(IntEnum):
    """Of what a text speaks, seen from one subject."""

    OTHER = -1  # of a sibling
    NOTHING = 0
    SHORT = 1  # of a name that is a part of the subject's: it, or its smaller sibling
    SAME = 2


@dataclass(frozen=True, slots=True)
class Subject:
    """A thing asked about: its spellings as folded tokens, and the words that make another name of them."""

    name: str
    spellings: tuple[tuple[str, ...], ...]
    additions: frozenset[str]
    person: bool = False
    type: str = "OTHER"
    frame: bool = False  # whether it is a firm or the like, which its documents do not name in each sentence
    strict: bool = False  # whether it is told apart from siblings: what speaks of nothing like it is no evidence
    known: bool = False  # whether the catalogue has it
    shorter: tuple[tuple[str, ...], ...] = ()  # spellings of siblings whose names its own begins with: the Brook 14


def subject(name: str, names: Collection[Name], hits: tuple[Hit, ...]) -> Subject:
    """Return the subject called *name*, with the spellings that the catalogue and its parts allow."""
    spelt = [name]
    person, type_, known = _like_a_person(name) and not _opens_with_noun(name, hits), "OTHER", False
    for entry in names:
        if fold(name) in {fold(entry.name), *(fold(alias) for alias in entry.aliases)}:
            spelt.extend((entry.name, *entry.aliases))
            person = entry.type == "PERSON" or (person and entry.type == "OTHER")
            type_, known = entry.type, True
    person = person and not any(fold(part) in _ADDITIONS for part in name.split())
    spellings = [tokens for text in spelt if (tokens := tuple(t for t in _tokens(text) if t != _BREAK))]
    for tokens in tuple(spellings):
        rest = tokens[1:]
        if rest and (any(_has_digit(token) for token in rest) or len(rest) >= 2 or person):
            spellings.append(rest)  # without the brand or the given name
        spellings.extend(  # without a brand of two words
            tokens[start:]
            for start in range(2, len(tokens) - 1)
            if not _has_digit(tokens[start]) and any(map(_has_digit, tokens[start + 1 :]))
        )
        if len(tokens) >= 2 and person:
            spellings.append(tokens[:1])
    # A bare number names nothing: "8" is in "8 GB".
    unique = tuple(dict.fromkeys(each for each in spellings if len(each) > 1 or not each[0].isdecimal()))
    if person:  # a family name that two people bear names neither
        unique = tuple(each for each in unique if len(each) > 1 or not _is_shared(each[0], unique[0], hits))
    strict = person or _has_digit(name) or any(token in _ADDITIONS for token in unique[0]) if unique else False
    single = not strict and type_ not in _THINGS and all(len(each) == 1 for each in unique)
    frame = type_ == "ORGANIZATION" or (single and (type_ in _PLACES or _titles(unique, hits)))
    shorter = _shorter(unique, names) if strict and not person else ()
    added = frozenset[str]() if type_ == "ORGANIZATION" else _ADDITIONS | _added(unique, hits)  # "Orrin Telecom"
    if not person:
        added |= _continued(unique, names)
    return Subject(
        name, unique, added, person=person, type=type_, frame=frame, strict=strict, known=known, shorter=shorter
    )


def _continued(spellings: tuple[tuple[str, ...], ...], known: Iterable[Name]) -> frozenset[str]:
    """Return the words by which other known names go on after *spellings*: "Grande" beside Heron and Heron Grande."""
    others = [tuple(t for t in _tokens(form) if t != _BREAK) for name in known for form in (name.name, *name.aliases)]
    return frozenset(
        other[len(spelling)]
        for spelling in spellings
        for other in others
        if other not in spellings and len(other) > len(spelling) and other[: len(spelling)] == spelling
    )


def _shorter(spellings: tuple[tuple[str, ...], ...], known: Iterable[Name]) -> tuple[tuple[str, ...], ...]:
    """Return the beginnings of *spellings* that are the whole name of another known thing."""
    others = {tuple(t for t in _tokens(form) if t != _BREAK) for name in known for form in (name.name, *name.aliases)}
    found = {
        spelling[:size]
        for spelling in spellings
        for size in range(1, len(spelling))
        if any(other[-size:] == spelling[:size] for other in others if other not in spellings)
    }
    return tuple(sorted(found, key=len, reverse=True))


def names_another(text: str, subject: Subject, language: str) -> bool:
    """Return whether *text*, in *language*, begins with a person's full name that is not the subject's.

    >>> mara = subject("Mara Holm", (), ())
    >>> names_another("Nils Aber repairs.", mara, "en"), names_another("Ihre Nummer ist 12.", mara, "de")
    (True, False)
    >>> names_another("Telefon Büro: 12", mara, "de")
    False
    """
    match = _FULL_NAME.match(text)
    if match is None:
        return False
    tokens = _tokens(match[0])
    own = {token for spelling in subject.spellings for token in spelling}
    if own & set(tokens) or tokens[0] in stop_stems(language):
        return False
    kind = lexicon(language).kind(match[0].split()[0].rstrip(".,:"))
    return kind is None or kind.type == "PERSON"  # "Telefon Büro: 12" labels a line


def is_kin(title: str, subject: Subject) -> bool:
    """Return whether *title* names something of the subject's brand, and nothing of the rest of its name.

    >>> small = subject("Brook Mini", (), ())
    >>> is_kin("Brook Classic", small), is_kin("The Brook Mini at a glance", small)
    (True, False)
    """
    tokens = set(_tokens(title))
    brand, *rest = subject.spellings[0]
    return subject.strict and bool(rest) and brand in tokens and not tokens & set(rest)


def about(text: str, subject: Subject) -> About:
    """Return of what *text* speaks: of the subject, of a sibling, of a part of the name, or of neither.

    >>> tern = subject("Brook 14", (), ())
    >>> about("The Brook 14 weighs 1 kg.", tern).name, about("The Brook 14 Pro is heavy.", tern).name
    ('SAME', 'OTHER')
    """
    tokens = _tokens(text)
    best = About.NOTHING
    other = False
    for spelling in subject.spellings:
        for start, token in enumerate(tokens):
            if not _begins(token, spelling[0]):
                continue
            found = _compared(tokens[start:], spelling, subject.additions)
            if found in (About.NOTHING, About.SHORT) and _is_one_of(tokens[start:], subject.shorter):
                found = About.OTHER
            other = other or found is About.OTHER
            best = max(best, found)
    return About.OTHER if other and best < About.SAME else best


def is_led_by_sibling(text: str, subject: Subject) -> bool:
    """Return whether *text* names a sibling before the subject: what it goes on to say is then of the sibling.

    >>> tern = subject("Brook 14", (), ())
    >>> is_led_by_sibling("The Brook 14 Pro is cheaper than the Brook 14: it costs $9.", tern)
    True
    """
    tokens = _tokens(text)
    for start, token in enumerate(tokens):
        found = {
            _compared(tokens[start:], spelling, subject.additions)
            for spelling in subject.spellings
            if _begins(token, spelling[0])
        }
        if About.SAME in found or About.OTHER in found:
            return subject.strict and About.SAME not in found
    return False


def _is_one_of(tokens: tuple[str, ...], names: tuple[tuple[str, ...], ...]) -> bool:
    return any(tokens[: len(name)] == name for name in names)


def mention(text: str, subject: Subject) -> tuple[range, str] | None:
    """Return where the words of *text* first name the subject by its longest spelling, and what is glued to its head.

    >>> mention("Is the Brook 14 red?", subject("Brook 14", (), ()))
    (range(2, 4), '')
    """
    tokens = _tokens(text)
    for spelling in sorted(subject.spellings, key=len, reverse=True):
        for start, token in enumerate(tokens):
            held = tokens[start : start + len(spelling)]
            if not _begins(token, spelling[0]) or held[1:] != spelling[1:]:
                continue
            if _compared((spelling[0], *tokens[start + 1 :]), spelling, subject.additions) is About.SAME:
                return range(start, start + len(spelling)), token[: len(token) - len(spelling[0])]
    return None


def between(text: str, first: range, second: range) -> tuple[str, ...]:
    """Return the folded words of *text* between two mentions, without the breaks of punctuation."""
    start, end = min(first.stop, second.stop), max(first.start, second.start)
    return tuple(token for token in _tokens(text)[start:end] if token != _BREAK)


def _compared(tokens: tuple[str, ...], spelling: tuple[str, ...], additions: frozenset[str]) -> About:
    """Return what the name at the head of *tokens* is, beside *spelling*, with which it shares the first token."""
    same = 1
    while same < len(spelling) and same < len(tokens) and alike(tokens[same], spelling[same]):
        same += 1
    following = tokens[same] if same < len(tokens) else ""
    if same == len(spelling):
        added = any(alike(following, word) for word in additions) if following != _BREAK else False
        return About.OTHER if added and not _has_digit(following) else About.SAME
    if _has_digit(spelling[same]):
        if _has_digit(following) or following in additions:
            return About.OTHER
        return About.SHORT if same >= 2 else About.NOTHING
    if following in additions or (_has_digit(following) and spelling[same] in additions):
        return About.OTHER
    return About.SHORT if any(_has_digit(token) for token in spelling[:same]) else About.NOTHING


def _titles(spellings: tuple[tuple[str, ...], ...], hits: tuple[Hit, ...]) -> bool:
    """Return whether a heading of the passages has the name, or none of them says it: all there is about it then."""
    names = {each[0] for each in spellings}
    return any(names & set(_tokens(hit.passage.heading)) for hit in hits) or not any(
        names & set(_tokens(hit.passage.text)) for hit in hits
    )


def _is_shared(token: str, name: tuple[str, ...], hits: tuple[Hit, ...]) -> bool:
    """Return whether a heading or a label shows *token* after another given name."""
    for hit in hits:
        lines = [*hit.passage.heading.split(" > "), *(line[:60] for line in hit.passage.text.split("\n"))]
        for line in lines:
            tokens = _tokens(line)[:4]
            if token in tokens[1:] and tokens[tokens.index(token) - 1] not in (*name, _BREAK):
                return True
    return False


def _begins(token: str, first: str) -> bool:
    """Return whether *token* is *first*, perhaps after particles of a script without case: "وLumeqa", "لسلمى"."""
    if alike(token, first):
        return True
    before = token[: -len(first)]
    return token.endswith(first) and len(first) > 2 and 0 < len(before) <= 3 and not any(c < "\u0590" for c in before)


def _added(spellings: tuple[tuple[str, ...], ...], hits: tuple[Hit, ...]) -> frozenset[str]:
    """Return the words that follow the subject's name at the end of titles and row cells of the passages."""
    found: set[str] = set()
    own = {token for spelling in spellings for token in spelling}  # "Feist" is no addition to "Kilian"
    for hit in hits:
        titles = [hit.passage.heading.split(" > ")[0]]
        titles.extend(part.partition(": ")[2] for part in hit.passage.context.split("; ")[:3])
        for title in titles:
            tokens = _tokens(title)
            end = tokens.index(_BREAK) if _BREAK in tokens else len(tokens)
            for spelling in spellings:
                start = end - 1 - len(spelling)
                last = tokens[end - 1] if start >= 0 else ""
                if last in own or not last.isascii() or len(last) > _LONGEST_ADDITION:
                    continue
                if tokens[start : end - 1] == spelling:
                    found.add(last)
    return frozenset(found)


def _like_a_person(name: str) -> bool:
    """Return whether *name* looks like a person's: two or three capitalised words without digits.

    A script without case shows no such look: there the catalogue has to know.
    """
    parts = name.split()
    return 2 <= len(parts) <= 3 and not _has_digit(name) and all(part[:1].isupper() for part in parts)


def _opens_with_noun(name: str, hits: tuple[Hit, ...]) -> bool:
    """Return whether *name* begins with a noun for a thing or a place in a language of the passages: "Filiale Ost"."""
    spoken = {hit.passage.language for hit in hits} & set(codes())
    first = name.partition(" ")[0]
    kinds = (lexicon(code).kind(first) for code in spoken)
    return any(kind is not None and kind.type != "PERSON" for kind in kinds)


def _tokens(text: str) -> tuple[str, ...]:
    """Return the folded words of *text*, with a break where more than a space or a hyphen parts two of them."""
    out: list[str] = []
    end = 0
    for token in words(text):
        gap = text[end : token.start]
        if out and (gap.strip(" \u00a0\u202f-(") or " - " in gap):
            out.append("+" if gap.startswith("+") else _BREAK)
        if token.text == "pro" and any(map(str.isupper, text)):  # "10 € pro Stunde", where models are written "Pro"
            out.append(_BREAK)
        else:
            out.extend(part for part in fold(token.text).split("-") if part)  # "Brook-14-Hülle"
        end = token.end
    if text[end : end + 1] == "+":
        out.append("+")
    return tuple(out)


def _has_digit(token: str) -> bool:
    return any(character.isdigit() for character in token)

"""What stands in the place of a value: a name, a place, a thing, a sum, read from the words after a frame."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from languages import fold, load, quantities
from languages.columns import columns
from languages.grammar import grammar_of
from languages.lexicon import lexicon
from languages.listening import listening_of
from memory.knowledge.amounts import amount, counted
from memory.knowledge.clauses import Piece
from memory.knowledge.dates import find_date
from memory.types import Catalog

_LONGEST_NAME: Final = 4
_LONGEST_THING: Final = 7
_LONGEST_PHRASE: Final = 14
_NOT_OWNED: Final = 6  # place among the lists of ``words_of``
_OLDEST: Final = 120
_CODE = re.compile(r"(?=[\w#/.-]*\d)[^\W_#][\w/.-]{2,}")
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_PHONE = re.compile(r"(?<![\w@])\+?\(?\d[\d\s()/.\-]{5,}\d(?![\w@])")
_OWNED: Final = frozenset({"PRODUCT", "PART", "LOCATION", "ORGANIZATION"})
_LIVING: Final = frozenset({"animal", "tree", "flower", "plant"})


@dataclass(frozen=True, slots=True)
class Value:
    """What was read, at ``[start:end]`` of the message, with its amount where it is one."""

    start: int
    end: int
    amount: float | None = None
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Words:
    """Words of one language that end, open or rule out a value; all folded."""

    code: str
    stops: frozenset[str]
    articles: frozenset[str]
    joins: frozenset[str]
    about: frozenset[str]
    closers: frozenset[str]
    ands: frozenset[str]
    infinitives: frozenset[str]
    not_owned: frozenset[str]
    not_jobs: frozenset[str]
    not_names: frozenset[str]
    name_parts: frozenset[str]
    inner_places: frozenset[str]
    pleas: frozenset[str]
    glued: tuple[str, ...]
    titles: frozenset[str]
    capitals: str  # "names", "nouns" or "none": what a capital within a sentence says


@lru_cache(maxsize=16)
def words_of(code: str) -> Words:
    """Return the words that bound values in a language.  Raises: LanguagePackError."""
    own = listening_of(code)
    lists = (own.articles, own.joins, own.about, own.closers, own.ands, own.infinitives, own.not_owned, own.not_jobs, own.not_names,
             own.name_parts, own.inner_places, own.pleas)  # fmt: skip
    folded = [frozenset(fold(word) for word in phrases) for phrases in lists]
    stops = load(code).stop_words | frozenset(map(fold, (*own.stops, *own.closers, *own.links)))
    named = (*own.relations.values(), *own.groups.values(), *own.events.values())
    nouns = {fold(word) for forms in named for word in forms if " " not in word}
    folded[_NOT_OWNED] |= nouns
    return Words(
        code,
        stops,
        *folded,
        tuple(map(fold, own.glued)),
        frozenset(lexicon(code).people.titles),
        columns(code).capitals,
    )


@dataclass(frozen=True, slots=True)
class Slot:
    """The words that a value is read from, in their message."""

    message: str
    pieces: tuple[Piece, ...]
    words: Words
    catalog: Catalog | None = None

    def value(self, first: int, last: int) -> Value:
        """Return the value of the pieces *first* to *last*."""
        return Value(self.pieces[first].start, self.pieces[last].end)

    @property
    def cased(self) -> bool:
        """Return whether capitals say something in this message."""
        return self.words.capitals != "none" and self.message != self.message.lower()


def read(kind: str, slot: Slot) -> tuple[Value, ...]:
    """Return what stands in a slot of *kind*, a value of ``languages.listening.Slot``; () where it does not fit."""
    return _READERS[kind](slot) if slot.pieces else ()


# ------------------------------------------------------------------ names and places


def _name(slot: Slot) -> tuple[Value, ...]:
    first = _skip(slot, slot.words.articles - slot.words.name_parts)
    run = _name_run(slot, first)
    return (slot.value(first, first + run - 1),) if run else ()


def _name_run(slot: Slot, first: int) -> int:
    """Return how many words from *first* on are a person's name."""
    held, w = 0, slot.words
    for number in range(first, min(len(slot.pieces), first + _LONGEST_NAME)):
        piece = slot.pieces[number]
        title = piece.key in w.titles
        if not piece.text[:1].isalpha() or (piece.key in w.stops and not title and piece.key not in w.name_parts):
            break
        if held == 0 or title or piece.key in w.name_parts or _goes_on_name(slot, number):
            held += 1
            if not _adjacent(slot, number):
                break
            continue
        break
    while held and slot.pieces[first + held - 1].key in w.name_parts:
        held -= 1
    return held


def _goes_on_name(slot: Slot, number: int) -> bool:
    """Return whether a word after a name is its next part."""
    piece, before = slot.pieces[number], slot.pieces[number - 1]
    if before.key in slot.words.titles or before.key in slot.words.name_parts:
        return True
    if slot.cased:
        return piece.text[:1].isupper()
    last = number == len(slot.pieces) - 1
    known = _is_first_name(slot.words.code, piece.text) and piece.key not in slot.words.not_names
    return known or (last and not lexicon(slot.words.code).parts(piece.text) & {"verb", "adj", "adv"})


def _person(slot: Slot) -> tuple[Value, ...]:
    """Return a name where anything may stand: it has to be a known first name, or a title with a name."""
    first = slot.pieces[0]
    skip = 1 if first.key in slot.words.articles and len(slot.pieces) > 1 else 0
    first = slot.pieces[skip]
    if first.key in slot.words.not_names or first.key in slot.words.stops - slot.words.titles:
        return ()
    code = slot.words.code
    if slot.words.capitals == "none" and first.key in slot.words.titles | slot.words.name_parts:
        following = slot.pieces[skip + 1 : skip + 2]  # a doctor of teeth is no Dr. Teeth
        if not following or lexicon(code).kind(following[0].text) is not None:
            return ()
    academic = first.key in slot.words.name_parts and _then_capital(slot, skip)
    if first.key not in slot.words.titles and not academic and not _stands_as_name(slot, first):
        return ()
    run = _name_run(slot, skip)
    return (slot.value(skip, skip + run - 1),) if run else ()


def _stands_as_name(slot: Slot, piece: Piece) -> bool:
    """Return whether a word is a first name and, typed small, nothing else as well."""
    code, words = slot.words.code, lexicon(slot.words.code)
    gender = words.people.name_gender(piece.text)
    if not _is_first_name(code, piece.text) or (gender is None and words.kind(piece.text) is not None):
        return False
    capital = slot.cased and piece.text[:1].isupper()
    return capital or not words.parts(piece.text) & {"adj", "adv", "verb"}


def _is_first_name(code: str, word: str) -> bool:
    words = lexicon(code)
    return words.people.name_gender(word) is not None or "name" in words.parts(word) or fold(word) in words.people.names


def _place(slot: Slot) -> tuple[Value, ...]:
    first = _skip(slot, slot.words.articles)
    while first and slot.cased and slot.pieces[first - 1].text[:1].isupper():  # "in New York", "in La Paz"
        first -= 1
    if first < len(slot.pieces) and slot.pieces[first].key.isdigit():  # "in 8001 Zürich"
        first += 1
    common = any(piece.key in _indefinite(slot.words.code) for piece in slot.pieces[:first])
    run = 0 if common else _proper_run(slot, first, 5)
    if run:
        return (slot.value(first, first + run - 1),)
    # "in a flat in Glasgow"
    inner = (n for n, p in enumerate(slot.pieces) if n >= first and p.key in slot.words.inner_places)
    place = next(inner, None)
    return _place(replace(slot, pieces=slot.pieces[place + 1 :])) if place is not None and common else ()


def _whereabouts(slot: Slot) -> tuple[Value, ...]:
    found = _place(slot)
    if not found:
        return ()
    head = next(piece for piece in slot.pieces if piece.start >= found[0].start)
    words = lexicon(slot.words.code)
    kind = words.kind(head.text)
    if head.key in slot.words.not_names or (kind is not None and kind.type != "LOCATION"):
        return ()
    named = "name" in words.parts(head.text) or (
        kind is not None and {"city", "capital", "country"} & {*kind.hypernyms}
    )
    unknown = kind is None and (not words.parts(head.text) or slot.words.capitals == "none")
    capital = slot.cased and head.text[:1].isupper() and slot.words.capitals == "names"
    return found if named or unknown or capital else ()


def _organisation(slot: Slot) -> tuple[Value, ...]:
    first = _skip(slot, slot.words.articles)
    if first >= len(slot.pieces) or slot.pieces[first].key in slot.words.not_names:
        return ()
    if counted(slot.pieces[first].text, slot.words.code) is not None:  # "for ten years"
        return ()
    run = _proper_run(slot, first, 6)
    return (slot.value(first, first + run - 1),) if run else ()


def _proper_run(slot: Slot, first: int, longest: int) -> int:
    """Return how many words from *first* on are a proper name; the first counts in whatever case it is typed."""
    held, w = 0, slot.words
    cased = slot.cased and any(p.text[:1].isupper() for p in slot.pieces[first : first + 1])
    for number in range(first, min(len(slot.pieces), first + longest)):
        piece = slot.pieces[number]
        inner = piece.key in w.name_parts or piece.key in w.joins
        if (
            piece.key in w.stops
            and not inner
            and not (held and cased and piece.text[:1].isupper() and len(piece.text) > 2)
        ):
            break
        if held and inner and not _then_capital(slot, number):
            break
        if held == 0 and ((inner and not piece.text[:1].isupper()) or not piece.text[:1].isalnum()):
            break
        if held and not inner and cased and not piece.text[:1].isupper() and not piece.text[:1].isdigit():
            break
        if held and not cased and slot.words.capitals != "none" and _is_common(slot, piece):
            break
        held += 1
        if not _adjacent(slot, number):
            break
    return held


def _is_common(slot: Slot, piece: Piece) -> bool:
    return bool(lexicon(slot.words.code).parts(piece.text) - {"name", "noun"})


def _then_capital(slot: Slot, number: int) -> bool:
    rest = slot.pieces[number + 1 : number + 3]
    return any(p.text[:1].isupper() for p in rest) if slot.cased else False


def _adjacent(slot: Slot, number: int) -> bool:
    """Return whether the next word follows without punctuation."""
    if number + 1 >= len(slot.pieces):
        return False
    between = slot.message[slot.pieces[number].end : slot.pieces[number + 1].start]
    return len(between) <= 1 or between.strip(" \u00a0'’-&.") == ""


# ------------------------------------------------------------------ things, jobs, wishes


def _thing(slot: Slot) -> tuple[Value, ...]:
    """Return what can be owned: known names, things of some kind, or what no dictionary has; "a cat and a dog" is two."""
    found: list[Value] = []
    first = 0
    while first < len(slot.pieces):
        first = _skip(slot, slot.words.articles, first)
        value, end = _one_thing(slot, first)
        if value is None:
            break
        found.append(value)
        if end >= len(slot.pieces) or slot.pieces[end].key not in slot.words.ands:
            break
        first = end + 1
    return tuple(found)


def _one_thing(slot: Slot, first: int) -> tuple[Value | None, int]:
    """Return the thing that begins at a piece, and the number of the piece after it."""
    w = slot.words
    if first >= len(slot.pieces):
        return None, first
    number = counted(slot.pieces[first].text, w.code)
    head = first + 1 if number is not None and first + 1 < len(slot.pieces) else first
    run = _noun_run(slot, head)
    if not run or not _can_be_owned(slot, head, run):
        return None, first
    found = slot.value(first, head + run - 1)
    return Value(found.start, found.end, float(number) if number is not None and head != first else None), head + run


def _noun_run(slot: Slot, first: int) -> int:
    held, w = 0, slot.words
    for number in range(first, min(len(slot.pieces), first + _LONGEST_THING)):
        piece = slot.pieces[number]
        last = number + 1 >= len(slot.pieces)
        if piece.key in w.joins:
            if not held or last or slot.pieces[number + 1].key in w.stops - w.joins - w.articles:
                break
        elif piece.key in w.stops or piece.key in w.ands or piece.key in w.articles:
            named = held and slot.cased and w.capitals != "none" and piece.text[:1].isupper()  # "Fibre Plus"
            if not named and not (piece.key in w.articles and held and slot.pieces[number - 1].key in w.joins):
                break
        held += 1
        if not last and not _adjacent(slot, number):
            break
    while held and (slot.pieces[first + held - 1].key in w.joins or slot.pieces[first + held - 1].key in w.articles):
        held -= 1
    return held


def _can_be_owned(slot: Slot, first: int, run: int) -> bool:
    pieces = slot.pieces[first : first + run]
    if any(piece.key in slot.words.not_owned for piece in pieces):
        return False
    start, end = pieces[0].start, pieces[-1].end
    if slot.catalog is not None and any(m.start < end and start < m.end for m in slot.catalog.find(slot.message)):
        return True
    if any(re.search(r"\d", piece.text) and re.search(r"[^\W\d]", piece.text) for piece in pieces):
        return True
    if run == 1 and pieces[0].key.isdigit():
        return False
    words = lexicon(slot.words.code)
    head = pieces[-1] if words.rules.head == "last" else pieces[0]
    kind = words.kind(head.text) or (
        words.kind(slot.message[start:end]) if run > 1 and words.rules.head != "last" else None
    )
    if kind is not None:
        return kind.type in _OWNED or bool(_LIVING & {kind.id, *kind.hypernyms})
    if any(piece.text[:1].isupper() for piece in pieces) and slot.words.capitals == "names":
        return True
    return not any(words.parts(piece.text) - {"name", "noun"} for piece in pieces[-1:])


def _named(slot: Slot) -> tuple[Value, ...]:
    """Return a thing with a name of its own: one of the catalogue, or words with a capital and a number."""
    start = slot.pieces[0].start
    if slot.catalog is not None:
        for match in slot.catalog.find(slot.message):
            if start <= match.start <= start + 12 and match.start < slot.pieces[-1].end:
                lead = slot.message[start : match.start].split()
                if len(lead) <= 1:
                    return (Value(match.start, match.end),)
    run = 0
    for number, piece in enumerate(slot.pieces[:5]):
        if piece.key in slot.words.stops or not (piece.text[:1].isupper() or re.search(r"\d", piece.text)):
            break
        run += 1
        if not _adjacent(slot, number):
            break
    chosen = slot.pieces[:run]
    if not any(re.search(r"\d", p.text) for p in chosen[1:]) or slot.words.capitals == "none":
        return ()
    return (slot.value(0, run - 1),)


def _job(slot: Slot) -> tuple[Value, ...]:
    first = _skip(slot, slot.words.articles)
    run = _noun_run(slot, first)
    return (slot.value(first, first + run - 1),) if run else ()


def _role(slot: Slot) -> tuple[Value, ...]:
    """Return a job where anything may stand: one of its words names a person by what they do."""
    first = _skip(slot, slot.words.articles)
    run = _noun_run(slot, first)
    if not run:
        return ()
    words, w = lexicon(slot.words.code), slot.words
    pieces = slot.pieces[first : first + run]
    for piece in pieces:
        kind = words.kind(piece.text)
        if piece.key in w.not_jobs or (kind is not None and kind.id in w.not_jobs | {"vegetarian", "vegetarien"}):
            return ()
    order = pieces if words.rules.head != "last" else pieces[::-1]
    for piece in order:
        kind = words.kind(piece.text)
        if kind is None or kind.type != "PERSON":
            continue
        if {"customer", "family-member", "child"} & {kind.id, *kind.hypernyms} or kind.id == "person":
            return ()
        if "adj" in words.parts(piece.text) and "noun" not in words.parts(piece.text):
            return ()
        return (slot.value(first, first + run - 1),)
    return ()


def _words(slot: Slot) -> tuple[Value, ...]:
    """Return what is liked or wanted, as far as the clause goes; two short ones joined by "and" are two."""
    found = _phrase(slot)
    if not found:
        return ()
    inside = [n for n, piece in enumerate(slot.pieces) if found[0].start <= piece.start < found[0].end]
    joints = [n for n in inside if slot.pieces[n].key in slot.words.ands]
    if len(joints) == 1 and inside[0] < joints[0] <= inside[0] + 3 and joints[0] < inside[-1]:
        later = [n for n in inside if n > joints[0]]
        while later and slot.pieces[later[0]].key in slot.words.articles:
            later = later[1:]
        second = slot.pieces[later[-1]].text if later else ""
        described = lexicon(slot.words.code).parts(second) == {"adj"}  # "light and quiet" is one wish
        if later and len(later) <= 3 and slot.pieces[later[0]].key not in slot.words.stops and not described:
            return slot.value(inside[0], joints[0] - 1), slot.value(later[0], later[-1])
    return found


def _wanted(slot: Slot) -> tuple[Value, ...]:
    """Return a thing that is wanted; "I want to know" wants none."""
    return () if slot.pieces[0].key in slot.words.infinitives else _words(slot)


def _phrase(slot: Slot) -> tuple[Value, ...]:
    first, last = _skip(slot, slot.words.articles), len(slot.pieces) - 1
    last = min(last, first + _LONGEST_PHRASE)
    date = find_date(slot.message, slot.pieces[0].start, slot.pieces[last].end, slot.words.code)
    if date is not None:
        last = next(n for n, piece in enumerate(slot.pieces) if piece.end > date[0]) - 1
        while last >= first and slot.pieces[last].key in slot.words.stops:
            last -= 1
    while last >= first and slot.pieces[last].key in slot.words.closers | slot.words.ands:
        last -= 1
    if last < first or all(slot.pieces[n].key in slot.words.stops for n in range(first, last + 1)):
        return ()
    if any(slot.pieces[n].key in slot.words.not_owned for n in range(first, min(first + 2, last + 1))):
        return ()
    return (slot.value(first, last),)


def _plan(slot: Slot) -> tuple[Value, ...]:
    first = _skip(slot, slot.words.articles)
    run = _noun_run(slot, first)
    return (slot.value(first, first + run - 1),) if run else ()


# ------------------------------------------------------------------ numbers


def _money(slot: Slot) -> tuple[Value, ...]:
    found = amount(slot.message, slot.pieces[0].start, slot.pieces[-1].end, slot.words.code)
    return (Value(*found),) if found is not None else ()


def _count(slot: Slot) -> tuple[Value, ...]:
    skip = _skip(slot, slot.words.about)
    for piece in slot.pieces[skip : skip + 1]:
        number = counted(piece.text, slot.words.code)
        if number is not None and piece.key not in slot.words.articles:
            return (Value(piece.start, piece.end, float(number)),)
    return ()


def _age(slot: Slot) -> tuple[Value, ...]:
    alone = len(slot.pieces) - _skip(slot, slot.words.about) == 1
    if not alone:
        years = quantities(slot.message[slot.pieces[0].start : slot.pieces[-1].end], slot.words.code)
        alone = any(q.unit == "year" and q.start == 0 for q in years)
    return tuple(value for value in _count(slot) if alone and value.amount is not None and 0 < value.amount < _OLDEST)


def _code(slot: Slot) -> tuple[Value, ...]:
    match = _CODE.search(slot.message, slot.pieces[0].start, slot.pieces[-1].end)
    return (Value(*match.span()),) if match is not None else ()


def _by_pattern(pattern: re.Pattern[str]) -> Callable[[Slot], tuple[Value, ...]]:
    def _found(slot: Slot) -> tuple[Value, ...]:
        match = pattern.search(slot.message, max(0, slot.pieces[0].start - 1))
        return (Value(*match.span()),) if match is not None else ()

    return _found


def _date(slot: Slot) -> tuple[Value, ...]:
    found = find_date(slot.message, slot.pieces[0].start, slot.pieces[-1].end, slot.words.code)
    return (Value(*found),) if found is not None else ()


def _skip(slot: Slot, skipped: frozenset[str], first: int = 0) -> int:
    while first < len(slot.pieces) and slot.pieces[first].key in skipped:
        first += 1
    return first


@lru_cache(maxsize=16)
def _indefinite(code: str) -> frozenset[str]:
    return frozenset(fold(f) for d in grammar_of(code).determiners if d.kind in ("indefinite", "own") for f in d.forms)


_READERS: Mapping[str, Callable[[Slot], tuple[Value, ...]]] = MappingProxyType(
    {
        "name": _name, "person": _person, "place": _place, "whereabouts": _whereabouts, "organisation": _organisation,
        "job": _job, "role": _role, "thing": _thing, "named": _named, "words": _words, "wanted": _wanted, "phrase": _phrase,
        "money": _money, "count": _count, "age": _age, "code": _code, "plan": _plan, "email": _by_pattern(_EMAIL),
        "phone": _by_pattern(_PHONE), "date": _date,
    }
)  # fmt: skip

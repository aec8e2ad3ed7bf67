"""Things, jobs and wishes, read from the words after a frame."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from languages.lexicon import lexicon
from memory.knowledge.amounts import counted
from memory.knowledge.clauses import Piece
from memory.knowledge.dates import find_date
from memory.knowledge.slot import Slot, Value, Words, adjacent, skip

_LONGEST_THING: Final = 7
_LONGEST_PHRASE: Final = 14
_OWNED: Final = frozenset({"PRODUCT", "PART", "LOCATION", "ORGANIZATION"})
_LIVING: Final = frozenset({"animal", "tree", "flower", "plant"})


def read_thing(slot: Slot) -> tuple[Value, ...]:
    """Return what can be owned: known names, kinds of things, words no dictionary has; "a cat and a dog" is two."""
    if _is_action(slot):
        return ()
    found: list[Value] = []
    first = 0
    while first < len(slot.pieces):
        first = skip(slot, slot.words.articles, first)
        value, end = _one_thing(slot, first)
        if value is None:
            break
        found.append(value)
        if end >= len(slot.pieces) or slot.pieces[end].key not in slot.words.ands:
            break
        first = end + 1
    return tuple(found)


def _is_action(slot: Slot) -> bool:
    """Return whether "I have …" tells what was done: "j'ai planté un figuier", "ich habe das Heft gelesen"."""
    words, w = lexicon(slot.words.code), slot.words
    parts = words.parts(slot.pieces[0].text)
    if parts == {"adv"} or ("verb" in parts and "noun" not in parts and slot.pieces[0].key not in w.articles):
        return True
    last = slot.pieces[-1]
    if not w.participle or not last.text[:1].islower() or not re.fullmatch(w.participle, last.key):
        return False
    return "noun" not in words.parts(last.text) or "verb" in words.parts(last.text)


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
        if not last and not adjacent(slot, number):
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


def read_named(slot: Slot) -> tuple[Value, ...]:
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
        if not adjacent(slot, number):
            break
    chosen = slot.pieces[:run]
    if not any(re.search(r"\d", p.text) for p in chosen[1:]) or slot.words.capitals == "none":
        return ()
    return (slot.value(0, run - 1),)


def read_job(slot: Slot) -> tuple[Value, ...]:
    """Return a job in a frame that says so."""
    first = skip(slot, slot.words.articles)
    run = _noun_run(slot, first)
    return (slot.value(first, first + run - 1),) if run else ()


def read_role(slot: Slot) -> tuple[Value, ...]:
    """Return a job where anything may stand: one of its words names a person by what they do."""
    first = skip(slot, slot.words.articles)
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


def read_words(slot: Slot) -> tuple[Value, ...]:
    """Return what is liked or wanted, as far as the clause goes; two short ones joined by "and" are two."""
    found = read_phrase(slot)
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


def read_wanted(slot: Slot) -> tuple[Value, ...]:
    """Return a thing that is wanted; "I want to know" wants none."""
    first, w = slot.pieces[0], slot.words
    if first.key in w.infinitives:
        return ()
    if w.infinitive and re.fullmatch(w.infinitive, first.key) and lexicon(w.code).kind(first.text) is None:
        return ()
    found = read_words(slot)
    return () if any(_is_verb(slot, value) for value in found) else found


def _is_verb(slot: Slot, value: Value) -> bool:
    """Return whether a wish is for something to do: "louer une salle", "einen Baum fällen"."""
    words = lexicon(slot.words.code)
    inside = [piece for piece in slot.pieces if value.start <= piece.start < value.end]
    end = inside[-1] if words.rules.head == "last" else inside[0]
    parts = words.parts(end.text)
    small = end.text[:1].islower()
    noun = "noun" in parts and not (small and slot.words.capitals == "nouns" and slot.cased and len(inside) > 1)
    past = bool(slot.words.participle and re.fullmatch(slot.words.participle, end.key)) and "noun" not in parts
    return small and (past or ("inf" in parts and not noun))


def read_phrase(slot: Slot) -> tuple[Value, ...]:
    """Return the words as one phrase, without articles, dates and "please" around them."""
    first, last = skip(slot, slot.words.articles), len(slot.pieces) - 1
    last = min(last, first + _LONGEST_PHRASE)
    opening = slot.words.pronouns | slot.words.prepositions
    if first <= last and slot.pieces[first].key in opening:  # "love it", "I need hers"
        return ()
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


def read_plan(slot: Slot) -> tuple[Value, ...]:
    """Return a plan or contract as it is called."""
    first = skip(slot, slot.words.articles)
    run = _noun_run(slot, first)
    return (slot.value(first, first + run - 1),) if run else ()


def names_material(w: Words, pieces: Sequence[Piece]) -> bool:
    """Return whether the last word of *pieces* that says something names a product or a part: "no leather"."""
    said = [piece for piece in pieces if piece.key not in w.stops]
    kind = lexicon(w.code).kind(said[-1].text) if said and said[-1].key not in w.not_owned else None
    return kind is not None and kind.type in ("PRODUCT", "PART")

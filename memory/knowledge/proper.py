"""Names of people, places and employers, read from the words after a frame."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Final

from languages import fold
from languages.grammar import grammar_of
from languages.lexicon import lexicon
from memory.knowledge.amounts import counted
from memory.knowledge.clauses import Piece
from memory.knowledge.slot import Slot, Value, adjacent, skip

_LONGEST_NAME: Final = 4


def read_name(slot: Slot) -> tuple[Value, ...]:
    """Return a person's name in a frame that says so."""
    first = skip(slot, slot.words.articles - slot.words.name_parts)
    run = _name_run(slot, first)
    return (slot.value(first, first + run - 1),) if run else ()


def _name_run(slot: Slot, first: int) -> int:
    """Return how many words from *first* on are a person's name."""
    held, w = 0, slot.words
    if first < len(slot.pieces) and _is_no_name(slot, slot.pieces[first]):
        return 0
    for number in range(first, min(len(slot.pieces), first + _LONGEST_NAME)):
        piece = slot.pieces[number]
        title = piece.key in w.titles
        if not piece.text[:1].isalpha() or (piece.key in w.stops and not title and piece.key not in w.name_parts):
            break
        if held == 0 or title or piece.key in w.name_parts or _goes_on_name(slot, number):
            held += 1
            if not adjacent(slot, number):
                break
            continue
        break
    while held and slot.pieces[first + held - 1].key in w.name_parts:
        held -= 1
    return held


def _is_no_name(slot: Slot, piece: Piece) -> bool:
    """Return whether a word typed small is one that no name is: "call me back"."""
    small = slot.words.capitals != "none" and not piece.text[:1].isupper()
    adverb = "adv" in lexicon(slot.words.code).parts(piece.text) and not _is_first_name(slot.words.code, piece.text)
    return small and (adverb or piece.key in slot.words.not_names)


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


def read_person(slot: Slot) -> tuple[Value, ...]:
    """Return a name where anything may stand: it has to be a known first name, or a title with a name."""
    first = slot.pieces[0]
    start = 1 if first.key in slot.words.articles and len(slot.pieces) > 1 else 0
    first = slot.pieces[start]
    joined = first.key in slot.words.name_parts and not first.text[:1].isupper() and slot.words.capitals != "none"
    if joined or first.key in slot.words.not_names or first.key in slot.words.stops - slot.words.titles:
        return ()
    code = slot.words.code
    if slot.words.capitals == "none" and first.key in slot.words.titles | slot.words.name_parts:
        following = slot.pieces[start + 1 : start + 2]  # a doctor of teeth is no Dr. Teeth
        if not following or lexicon(code).kind(following[0].text) is not None:
            return ()
    academic = first.key in slot.words.name_parts and _then_capital(slot, start)
    if first.key not in slot.words.titles and not academic and not _stands_as_name(slot, first):
        return ()
    run = _name_run(slot, start)
    return (slot.value(start, start + run - 1),) if run else ()


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


def read_place(slot: Slot) -> tuple[Value, ...]:
    """Return a place; of "a flat in Glasgow" the inner one."""
    first = skip(slot, slot.words.articles)
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
    return read_place(replace(slot, pieces=slot.pieces[place + 1 :])) if place is not None and common else ()


def read_whereabouts(slot: Slot) -> tuple[Value, ...]:
    """Return a place where something else may stand as well: "I'm in Basel", "I'm in a hurry"."""
    found = read_place(slot)
    if not found:
        return ()
    head = next(piece for piece in slot.pieces if piece.start >= found[0].start)
    if any(map(str.isdigit, slot.message[found[0].start : found[0].end])):  # "je suis au Vista 30" is no place
        return ()
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


def read_organisation(slot: Slot) -> tuple[Value, ...]:
    """Return an employer."""
    first = skip(slot, slot.words.articles)
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
        if not adjacent(slot, number):
            break
    return held


def _is_common(slot: Slot, piece: Piece) -> bool:
    return bool(lexicon(slot.words.code).parts(piece.text) - {"name", "noun"})


def _then_capital(slot: Slot, number: int) -> bool:
    rest = slot.pieces[number + 1 : number + 3]
    return any(p.text[:1].isupper() for p in rest) if slot.cased else False


@lru_cache(maxsize=16)
def _indefinite(code: str) -> frozenset[str]:
    return frozenset(fold(f) for d in grammar_of(code).determiners if d.kind in ("indefinite", "own") for f in d.forms)

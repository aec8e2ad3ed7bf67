"""The known names of an application, found in a text whole or in a short form that fits one of them.

Texts and names are cut into the pieces of ``memory/spelling.py``; a name is looked up from each word on, longest
first, in a table of keys.  (An automaton over characters was weighed: it finds names inside words too, so that every
hit must be checked against the words again, and its table of 100,000 names with their short forms is built in longer
time and no faster to walk for a message of twenty words.)  Nothing is learnt from a conversation here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice, takewhile

from languages.text import fold, fold_map
from memory.commonwords import CommonWords, common_words
from memory.shortforms import has_own_word, short_forms, stands_as_name, stands_as_short_form
from memory.spelling import (
    HARD,
    SOFT,
    Piece,
    camel_parts,
    is_proclitic,
    key_of,
    split,
    without_proclitics,
)
from memory.types import FamilyMatch, Name, NameMatch

# Makers' own words for another model of the same line; those of the known names are added to them.
VARIANTS = frozenset({"pro", "max", "plus", "mini", "lite", "ultra"})
PERSON = "PERSON"
UNTYPED = "OTHER"
_MARKS = ".)]}»”\"'!?’"  # what a name may end in that is no part of a word
LEAST_BEFORE_S = 3  # letters of a name before a plural or genitive s


Pieces = tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class _Entry:
    """What a key stands for: the numbers of the names, one where it is exact, and how a whole name is written."""

    names: tuple[int, ...]
    exact: bool
    written: str = ""
    is_own: bool = True  # has a word of its own; "Delivery times" has none


@dataclass(frozen=True, slots=True)
class _Found:
    """An entry where it stands in a text."""

    start: int
    end: int
    entry: _Entry


class NameIndex:
    """Implements ``memory.types.Catalog``; made by ``NameIndex.of``, never changed, shared by threads."""

    def __init__(self, names: tuple[Name, ...], common: CommonWords) -> None:
        self.names = names
        self._common = common
        spellings = [tuple(_spellings(name, common)) for name in names]
        self._keys = tuple(key_of(own[0][1]) for own in spellings)
        self._whole, shared = _whole_names(spellings, common)
        self._short = _short_names(names, spellings, common=common, shared=shared, keys=self._keys)
        self._variants = VARIANTS | _variants(self._keys)
        self._longest: dict[str, int] = {}
        for key in chain(self._whole, self._short):
            parts = key.replace(HARD, SOFT).split(SOFT)
            self._longest[parts[0]] = max(self._longest.get(parts[0], 0), len(parts))
        self._holding: dict[str, list[int]] = {}
        self._kinds: dict[str, list[int]] = {}
        kinds = {noun: common.kinds(noun) for noun in {noun for name in names for noun in name.nouns}}
        for number, name in enumerate(names):
            for part in set(self._keys[number].replace(HARD, SOFT).split(SOFT)):
                self._holding.setdefault(part, []).append(number)
            for kind in {kind for noun in name.nouns for kind in kinds[noun]}:
                self._kinds.setdefault(kind, []).append(number)

    @classmethod
    def of(cls, names: Sequence[Name], *, common: CommonWords | None = None) -> NameIndex:
        """Return the index of *names*, those of the same spelling joined; *common* is for tests."""
        return cls(joined(names), common or common_words())

    def find(self, text: str) -> tuple[NameMatch, ...]:
        """Return the longest known names in *text*, in order, not overlapping.

        A short form counts, as not exact, when it fits one name alone; what fits several is in ``families``.
        """
        return tuple(
            NameMatch(found.start, found.end, text[found.start : found.end], self.names[number], found.entry.exact)
            for found in self._scan(text)
            for number in found.entry.names
            if len(found.entry.names) == 1
        )

    def families(self, text: str) -> tuple[FamilyMatch, ...]:
        """Return the words in *text* that are part of two or more names and that no longer name covers, in order."""
        return tuple(
            FamilyMatch(
                found.start,
                found.end,
                text[found.start : found.end],
                tuple(self.names[number] for number in found.entry.names),
            )
            for found in self._scan(text)
            if len(found.entry.names) > 1
        )

    def get(self, name: str) -> Name | None:
        """Return the entry whose name or alias is *name* after folding, or None where there is none or several."""
        entry = self._whole.get(key_of(split(name)))
        return None if entry is None else self.names[entry.names[0]]

    def siblings(self, words: str) -> tuple[Name, ...]:
        """Return the names of which *words* (a brand, series or first part) is a proper part."""
        pieces = split(words)
        if not pieces:
            return ()
        key = key_of(pieces)
        rarest = min((self._holding.get(piece.key, []) for piece in pieces), key=len)
        within = f"{SOFT}{key.replace(HARD, SOFT)}{SOFT}"
        return tuple(
            self.names[number]
            for number in rarest
            if self._keys[number] != key and within in f"{SOFT}{self._keys[number].replace(HARD, SOFT)}{SOFT}"
        )

    def of_kind(self, noun: str) -> tuple[Name, ...]:
        """Return the names that are called *noun*, in singular or plural."""
        numbers = {number for kind in self._common.kinds(noun) for number in self._kinds.get(kind, ())}
        return tuple(self.names[number] for number in sorted(numbers))

    def _scan(self, text: str) -> list[_Found]:
        pieces = split(text)
        candidates = [found for place in range(len(pieces)) for found in self._from(text, pieces, place)]
        candidates.sort(key=lambda found: (found.start - found.end, not found.entry.exact, found.start))
        chosen: list[_Found] = []
        taken = bytearray(len(text))  # 1 where a name stands: to compare each with each is quadratic
        for found in candidates:
            if not any(taken[found.start : found.end]):
                chosen.append(found)
                taken[found.start : found.end] = b"\1" * (found.end - found.start)
        return sorted(chosen, key=lambda found: found.start)

    def _from(self, text: str, pieces: Pieces, place: int) -> Iterator[_Found]:
        """Yield what may begin at a piece, or after the proclitics written on it."""
        piece = pieces[place]
        if piece.glued and not (not pieces[place - 1].glued and is_proclitic(pieces[place - 1].key)):
            return
        yield from self._grown(text, pieces[place:], skip=0, first=piece.key)
        if piece.is_arabic and not piece.glued:
            for skip, rest in without_proclitics(piece.key):
                yield from self._grown(text, pieces[place:], skip=skip, first=rest)

    def _grown(self, text: str, pieces: Pieces, *, skip: int, first: str) -> Iterator[_Found]:
        """Yield the candidates of one to as many pieces as the longest name that begins so has."""
        key = first
        start = pieces[0].start + _offset(text, pieces[0], skip)
        reach = max(self._longest.get(first, 0), self._longest.get(first[:-1], 0) if first.endswith("s") else 0)
        for count in range(1, min(reach, len(pieces)) + 1):
            last = pieces[count - 1]
            if count > 1:
                key += last.joint + last.key
            following = pieces[count] if count < len(pieces) else None
            if following is not None and following.glued:
                continue  # "X3" is not in "X3b"
            entry, end = self._entry(key), last.end
            if entry is None and key.endswith("s") and not last.is_number and len(last.key) > LEAST_BEFORE_S:
                entry = self._entry(key[:-1])  # "Brandts Büro", "two Puffins"
                end = last.start + _offset(text, last, len(last.key) - 1)
                if entry is not None and not entry.is_own:
                    continue
            if entry is None or self._is_of_another(text, pieces, count, entry):
                continue
            is_word = all(piece.tight for piece in pieces[1:count])
            if self._is_written_so(text, (start, end), entry=entry, key=key, is_word=is_word):
                yield _Found(*_with_marks(text, start, end, entry.written if entry.exact else ""), entry)

    def _entry(self, key: str) -> _Entry | None:
        """Return what *key* stands for: a name, the one name it is a short form of, or several."""
        whole = self._whole.get(key)
        if whole is not None:
            return whole
        short = self._short.get(key)
        return _Entry((short,), False) if isinstance(short, int) else short

    def _is_written_so(self, text: str, span: tuple[int, int], *, entry: _Entry, key: str, is_word: bool) -> bool:
        """Return whether what stands at *span* is meant as a name, to judge by its capitals."""
        if not entry.exact:
            if not is_word or any(map(str.isdecimal, key)):
                return True
            first = len(entry.names) == 1 and self._keys[entry.names[0]].startswith(key)
            person = all(self.names[number].type == PERSON for number in entry.names)
            return stands_as_short_form(text, span, is_first=first, is_person=person, common=self._common)
        if is_word:
            return stands_as_name(text, span, spelling=entry.written, common=self._common)
        # "Delivery times" as a heading must not be found in each question about delivery times.
        return entry.is_own or entry.written.islower() or not text[slice(*span)].islower()

    def _is_of_another(self, text: str, pieces: Pieces, count: int, entry: _Entry) -> bool:
        """Return whether the word after the first *count* pieces makes them another thing's name."""
        if count == len(pieces) or pieces[count].joint == HARD:
            return False
        following = pieces[count]
        if following.key in self._variants and text[following.start].isupper():
            return True  # "Cairn 13 Lite" is not the Cairn 13
        if following.tight:
            return following.is_number  # "W-44-2"
        if entry.exact:
            return False
        rest = takewhile(lambda piece: piece is following or piece.tight, islice(pieces, count, None))
        return any(piece.is_number for piece in rest)  # "Tern 16" is none of the Terns that are known


def joined(names: Iterable[Name]) -> tuple[Name, ...]:
    """Return *names* with those of one spelling made one: the first's name, everything that any of them says."""
    found: dict[str, Name] = {}
    for name in names:
        key = key_of(split(name.name))
        if key not in found:
            found[key] = name
            continue
        first = found[key]
        found[key] = Name(
            first.name,
            first.type if first.type != UNTYPED else name.type,
            tuple(dict.fromkeys((*first.aliases, *name.aliases))),
            tuple(dict.fromkeys((*first.attributes, *name.attributes))),
            tuple(dict.fromkeys((*first.nouns, *name.nouns))),
        )
    found.pop("", None)  # no letter and no digit
    return tuple(found.values())


def _spellings(name: Name, common: CommonWords) -> Iterator[tuple[str, Pieces]]:
    """Yield the ways to write the whole of a name, its own first, then its aliases, each with its pieces.

    Then "Aero Dry" for "AeroDry", "Dr Roux" for "Dr. Roux", "Old Granary" for "The Old Granary".
    """
    named = [(written, split(written)) for written in (name.name, *name.aliases)]
    yield from named
    for written, pieces in named:
        parted = camel_parts(written)
        if parted != written:
            yield parted, split(parted)
        if any(piece.joint == HARD for piece in pieces[1:]):
            plain = " ".join(written[piece.start : piece.end] for piece in pieces)
            yield plain, split(plain)
    article, _, rest = name.name.partition(" ")
    if name.type != PERSON and rest and fold(article) in common.stop and has_own_word(split(rest), common):
        yield rest, split(rest)


def _whole_names(
    spellings: Sequence[Sequence[tuple[str, Pieces]]], common: CommonWords
) -> tuple[dict[str, _Entry], dict[str, tuple[int, ...]]]:
    """Return what each name's spellings stand for, and the numbers of the names that share an alias."""
    whole: dict[str, _Entry] = {}
    for number, ((written, pieces), *_) in enumerate(spellings):
        whole[key_of(pieces)] = _Entry((number,), True, written, has_own_word(pieces, common))
    aliases: dict[str, _Entry] = {}
    for number, (_, *others) in enumerate(spellings):
        for written, pieces in others:
            key = key_of(pieces)
            if key and key not in whole:
                before = aliases[key].names if key in aliases else ()
                names = tuple(dict.fromkeys((*before, number)))
                aliases[key] = _Entry(names, True, written, has_own_word(pieces, common))
    shared = {key: entry.names for key, entry in aliases.items() if len(entry.names) > 1}
    return {key: entry for key, entry in aliases.items() if key not in shared} | whole, shared


def _short_names(
    names: Sequence[Name],
    spellings: Sequence[Sequence[tuple[str, Pieces]]],
    *,
    common: CommonWords,
    shared: Mapping[str, tuple[int, ...]],
    keys: Sequence[str],
) -> dict[str, _Entry | int]:
    """Return what each short form stands for: the number of its only bearer, or an entry with all of them."""
    # A number twice over, odd where the form ends the name: most forms have one bearer, and there are many forms.
    bearers: dict[str, list[int]] = {key: [2 * number for number in numbers] for key, numbers in shared.items()}
    for number, name in enumerate(names):
        own: dict[str, bool] = {}
        for place, (written, pieces) in enumerate(spellings[number][: 1 + len(name.aliases)]):
            for key, ends in short_forms(written, pieces, is_person=name.type == PERSON, common=common):
                own[key] = own.get(key, False) or (ends and place == 0)
        for key, ends in own.items():
            bearers.setdefault(key, []).append(2 * number + ends)
    found: dict[str, _Entry | int] = {}
    for key, bearing in bearers.items():
        numbers = tuple(dict.fromkeys(code // 2 for code in bearing))
        ending = [code // 2 for code in bearing if code % 2]
        if len(numbers) == 1:
            found[key] = numbers[0]
        elif len(ending) == 1 and all(keys[number].startswith(keys[ending[0]]) for number in numbers):
            found[key] = ending[0]  # "XPS 13" is the Dell XPS 13, also where there is a Dell XPS 13 Plus
        else:
            found[key] = _Entry(numbers, False)
    return found


def _variants(keys: Iterable[str]) -> frozenset[str]:
    """Return the words that alone make one known name another: "lite", where Tern 7 and Tern 7 Lite are known."""
    known = set(keys)
    found = set()
    for key in known:
        shorter, _, last = key.rpartition(SOFT)
        if shorter in known and last.isalpha():
            found.add(last)
    return frozenset(found)


def _with_marks(text: str, start: int, end: int, written: str) -> tuple[int, int]:
    """Return the span with the marks that the name itself begins and ends with: "Frankfurt (Oder)", "e. V."."""
    opening = written[: next((place for place, c in enumerate(written) if c.isalnum()), 0)]
    closing = written[len(written.rstrip(_MARKS)) :]
    if opening and text.endswith(opening, 0, start):
        start -= len(opening)
    if closing and text.startswith(closing, end):
        end += len(closing)
    return start, end


def _offset(text: str, piece: Piece, letters: int) -> int:
    """Return how far into *piece* its folded letters up to *letters* reach, marks and all."""
    if not letters:
        return 0
    return fold_map(text[piece.start : piece.end]).original_span(0, letters)[1]

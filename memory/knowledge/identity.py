"""When two names are one thing: the rule by which entities are found again, kept apart, or proposed for merging.

Identity is a folded name and a type.  Case, accents, Arabic letter forms, articles, proclitics, hyphens and spaces do
not keep two apart; a differing digit, a word such as "Pro" or a differing type does.  A short name is a mention of its
only bearer.  What only sounds alike (Mueller for Müller) is proposed to the person and joined by nobody else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from languages.lexicon import lexicon
from languages.pack import codes
from languages.people import people
from languages.remembering import NameWords, name_words
from languages.text import fold
from memory.commonwords import common_words
from memory.knowledge.spellings import may_be_same
from memory.shortforms import MOST_WORDS, short_forms
from memory.spelling import HARD, SOFT, Piece, split, without_proclitics, words_of

Verdict = Literal["same", "short", "proposed", "apart"]

UNTYPED: Final = "OTHER"
PERSON: Final = "PERSON"
ORGANIZATION: Final = "ORGANIZATION"
LONGEST: Final = 200  # characters of a name
_ARTICLE: Final = "ال"
_ROMAN: Final = re.compile(r"(?:ix|iv|v?i{1,3}|vi{0,3}|x)\Z")
_MOST_LEGAL: Final = 4  # pieces of a legal form: S.A.R.L.
_LEAST_ACRONYM: Final = 3


@dataclass(frozen=True, slots=True)
class Keys:
    """By what a name is known: its ``own`` key, others it may be looked up by, and those of its short forms.

    ``words`` are its folded words, ``distinct`` those that keep it apart from all that lack them: numbers, editions.
    A ``whole`` name, such as one with a company's legal form, is short for nothing.
    """

    own: str
    lookup: tuple[str, ...]
    shorts: frozenset[str]
    words: tuple[str, ...]
    distinct: tuple[str, ...]
    whole: bool = False


def compatible(one: str, other: str) -> bool:
    """Return whether two types can be of one thing: they are the same, or one is unknown.

    >>> compatible("PRODUCT", "OTHER"), compatible("PERSON", "PRODUCT")
    (True, False)
    """
    return one == other or UNTYPED in (one, other) or not one or not other


def compare(first: str, second: str, *, types: tuple[str, str] = (UNTYPED, UNTYPED)) -> Verdict:
    """Return whether two names are the same thing, one short for the other, to be proposed, or apart.

    >>> compare("Kestrel 14", "KESTREL-14"), compare("Kestrel 14", "Kestrel 15"), compare("Müller", "Mueller")
    ('same', 'apart', 'proposed')
    """
    if not compatible(*types):
        return "apart"
    one, other = keys_of(first, types[0]), keys_of(second, types[1])
    if not one.own or not other.own:
        return "apart"
    if one.own in other.lookup or other.own in one.lookup:
        return "same"
    if (not one.whole and set(one.lookup) & other.shorts) or (not other.whole and set(other.lookup) & one.shorts):
        return "short"
    return "proposed" if _proposed(first, second, one, other) else "apart"


@lru_cache(maxsize=4096)
def keys_of(name: str, type_: str = UNTYPED) -> Keys:
    """Return the keys of *name*, as a thing of type *type_*.

    >>> keys_of("the Kestrel-14", "PRODUCT").own, keys_of("الرِّياض", "LOCATION").own
    ('kestrel14', 'رياض')
    >>> sorted(keys_of("Jürgen Schäfer", "PERSON").shorts)
    ['jschafer', 'jurgen', 'm:jurgen', 'm:schafer', 'schafer']
    """
    known = name_words()
    name = name[:LONGEST]
    pieces = _without_articles(split(name), known)
    marker, whole = "", False
    if type_ == PERSON:
        pieces, marker = _without_titles(pieces, known)
    elif type_ in (ORGANIZATION, UNTYPED):
        stripped = _without_legal_forms(pieces, known)
        whole = len(stripped) < len(pieces)
        pieces = stripped
    plain = _joined([piece.key for piece in pieces], known)
    words = tuple(_word(piece.key, known) for piece in pieces)
    own = marker + plain if len(words_of(pieces)) == 1 else plain
    shorts = set(_shorts(name, pieces, type_, known))
    if own != plain:
        shorts.add(plain)
    lookup = dict.fromkeys((own, *_without_clitics(pieces, known)))
    return Keys(own, tuple(lookup), frozenset(shorts - set(lookup)), words, _distinct(words, known), whole)


def run_keys(pieces: tuple[Piece, ...]) -> Iterator[str]:
    """Yield the keys under which a run of pieces, without regard to its type, may be a name."""
    known = name_words()
    yield _joined([piece.key for piece in pieces if piece.key not in known.joins or piece is pieces[0]], known)
    yield from _without_clitics(pieces, known)


def _without_articles(pieces: tuple[Piece, ...], known: NameWords) -> tuple[Piece, ...]:
    while len(pieces) > 1 and pieces[0].key in known.articles:
        pieces = pieces[1:]
    if len(pieces) > 1 and pieces[0].key == "l" and not pieces[1].is_number:  # l'Ondine
        pieces = pieces[1:] if pieces[1].tight else pieces
    return tuple(piece for piece in pieces if piece.key not in known.joins or piece is pieces[0])


def _without_titles(pieces: tuple[Piece, ...], known: NameWords) -> tuple[tuple[Piece, ...], str]:
    """Return the pieces after the titles, and "m:" or "f:" where a title tells the gender."""
    marker = ""
    while len(pieces) > 1:
        gender = _title_gender(pieces[0].key)
        if gender is None and pieces[0].key not in known.titles:
            break
        marker = f"{gender}:" if gender else marker
        pieces = pieces[1:]
    return pieces, marker


@lru_cache(maxsize=1024)
def _title_gender(word: str) -> str | None:
    return next((found for code in codes() if (found := people(code).titles.get(word))), None)


def _without_legal_forms(pieces: tuple[Piece, ...], known: NameWords) -> tuple[Piece, ...]:
    for count in range(min(_MOST_LEGAL, len(pieces) - 1), 0, -1):
        if "".join(piece.key for piece in pieces[-count:]) in known.legal_forms:
            return pieces[:-count]
        if "".join(piece.key for piece in pieces[:count]) in known.legal_forms:
            return pieces[count:]
    return pieces


def _word(key: str, known: NameWords) -> str:
    """Return a piece as it counts: without the Arabic article, in its full spelling."""
    if len(key) > len(_ARTICLE) + 1 and key.startswith(_ARTICLE):
        key = key[len(_ARTICLE) :]
    return known.spelled.get(key, key)


def _joined(keys: Sequence[str], known: NameWords) -> str:
    """Return the words as one: spaces and hyphens tell nothing apart, but two numbers stay two.

    >>> _joined(["paris", "1", "1"], name_words()), _joined(["عبدالرحمن"], name_words())
    ('paris1.1', 'عبدرحمن')
    """
    out = ""
    for key in keys:
        word = _word(key, known)
        out += f".{word}" if out[-1:].isdigit() and word[:1].isdigit() else word
    return out.replace("عبدال", "عبد")


def _without_clitics(pieces: tuple[Piece, ...], known: NameWords) -> Iterator[str]:
    """Yield the keys that a name has without what Arabic writes in front of it."""
    if pieces and pieces[0].is_arabic:
        rest = [piece.key for piece in pieces[1:]]
        for _, word in without_proclitics(pieces[0].key):
            yield _joined([word, *rest], known)


def _distinct(words: Sequence[str], known: NameWords) -> tuple[str, ...]:
    return tuple(sorted(word for word in words if _tells_apart(word, known)))


def _tells_apart(word: str, known: NameWords) -> bool:
    return word[0].isdigit() or word == "+" or word in known.editions or len(word) == 1 or bool(_ROMAN.match(word))


def _shorts(name: str, pieces: tuple[Piece, ...], type_: str, known: NameWords) -> Iterator[str]:
    if type_ == PERSON:
        yield from _names_of_a_person(pieces, known)
        return
    if not pieces or len(words_of(pieces)) > MOST_WORDS:
        return
    words = [_word(piece.key, known) for piece in pieces]
    needed = _distinct(words, known)
    lettered = [word for word in words if not _tells_apart(word, known)]
    for key, _ in short_forms(name, pieces, is_person=False, common=common_words()):
        parts = [_word(part, known) for part in key.replace(HARD, SOFT).split(SOFT)]
        kept = _distinct(parts, known)
        # All of what tells it apart, or numbers left out altogether: "the Kestrel"; never "Kestrel" for a Kestrel Pro.
        if kept != needed and (kept or any(not word[0].isdigit() for word in needed)):
            continue
        if len(lettered) > 1 and parts == [words[0]]:
            continue  # a maker's name is not its product's
        yield _joined(parts, known)


def _names_of_a_person(pieces: tuple[Piece, ...], known: NameWords) -> Iterator[str]:
    words = [_joined([piece.key for piece in word], known) for word in words_of(pieces)]
    if not 1 < len(words) <= MOST_WORDS:
        return
    given, family = words[0], words[-1]
    if len(given) > 1:
        yield given
        yield given[0] + family
    yield family
    gender = _first_name_gender(given)
    yield from (f"{each}:{word}" for each in ("m", "f") if gender in (None, each) for word in (given, family))


@lru_cache(maxsize=4096)
def _first_name_gender(name: str) -> str | None:
    return next((found for code in codes() if (found := lexicon(code).person_gender(name))), None)


def _proposed(first: str, second: str, one: Keys, other: Keys) -> bool:
    if one.distinct != other.distinct or one.words == other.words:  # Mr and Ms Weber
        return False
    if may_be_same(one.words, other.words) or _is_abbreviated(first, second, one, other):
        return True
    return _is_acronym(first, second) or _is_acronym(second, first)


def _is_acronym(short: str, long: str) -> bool:
    """Return whether *short* is made of the first letters of the capitalised words of *long*.

    >>> _is_acronym("BAB", "British Aquatics Board"), _is_acronym("BAC", "British Aquatics Board")
    (True, False)
    """
    plain = short.replace(".", "").strip()
    if len(plain) < _LEAST_ACRONYM or not plain.isupper() or not plain.isalpha():
        return False
    return fold(plain) == "".join(fold(word[0]) for word in re.split(r"[\s'’-]+", long) if word[:1].isupper())


def _is_abbreviated(first: str, second: str, one: Keys, other: Keys) -> bool:
    """Return whether one name has a word cut short with a full stop: "Hauptstr. 5"."""
    if len(one.words) != len(other.words):
        return False
    cut = {fold(word) for text in (first, second) for word in re.findall(r"(\w{4,})\.", text)}
    return bool(cut) and all(
        a == b or (min(a, b, key=len) in cut and max(a, b, key=len).startswith(min(a, b, key=len)))
        for a, b in zip(one.words, other.words, strict=True)
    )

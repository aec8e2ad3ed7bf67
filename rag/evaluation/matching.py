"""When two texts say the same: names in any of their forms, rewrites of a question, values in an answer.

What is compared here was written by different hands, so it is compared without case, marks, articles and endings.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from languages import codes, fold
from languages.grammar import grammar_of
from languages.people import people
from languages.remembering import name_words
from memory.spelling import without_proclitics

_TERM: Final = re.compile(r"[^\W_]+\+*")  # "S24+" is another telephone than "S24"
_NUMBER: Final = re.compile(r"\d+(?:[.,'\s]\d+)*")
_GROUP: Final = 3  # digits between the marks of thousands
_STEM: Final = 4  # letters: what is shorter has no ending
_ENDING: Final = 2  # letters: a genitive or a plural
_LEAST_QUOTE: Final = 8  # letters and digits: fewer stand in any document


def terms(text: str) -> tuple[str, ...]:
    """Return the words and numbers of *text* as they are compared.

    >>> terms("L’École n° 3, S24+")
    ('l', 'ecole', 'n', '3', 's24+')
    """
    return tuple(_TERM.findall(fold(text)))


def name_terms(name: str) -> tuple[str, ...]:
    """Return the words of *name* that tell it from others: without articles, titles and the links between them.

    Its last word and single capitals stay, whatever they are.

    >>> name_terms("The Société du Lac"), name_terms("Plan A")
    (('societe', 'lac'), ('plan', 'a'))
    """
    pieces = [piece for piece in re.split(r"[\s'’\-/()]+", name) if terms(piece)]
    kept = [
        piece
        for place, piece in enumerate(pieces, start=1)
        if place == len(pieces) or fold(piece).rstrip(".") not in _idle() or (len(piece) == 1 and piece.isupper())
    ]
    return tuple(term for piece in kept for term in terms(piece))


def is_named(name: str, text: str) -> bool:
    """Return whether *text* has each telling word of *name*, in any form.

    >>> is_named("Cairn 13", "Der Preis des Cairns 13"), is_named("Cairn 13", "Cairn 15")
    (True, False)
    """
    said = terms(text)
    return all(any(_is_form(term, other) for other in said) for term in name_terms(name))


def is_same(name: str, other: str) -> bool:
    """Return whether two names may stand for one thing: one's words are among the other's, and all numbers agree.

    >>> is_same("Dovanta Cairn 13", "the Cairn 13"), is_same("Cairn 13", "Cairn 13 Pro 2")
    (True, False)
    """
    one, two = sorted((name_terms(name), name_terms(other)), key=len)
    if not one or _numbered(one) != _numbered(two):
        return False
    return all(any(_is_form(term, each) for each in two) for term in one)


def pair_up(wanted: Sequence[str], offered: Sequence[str]) -> bool:
    """Return whether each of *wanted* has one of *offered* for itself; the same words are paired before other forms.

    >>> pair_up(["Ridge 7", "Ridge 7 Lite"], ["Ridge 7 Lite", "Ridge 7"]), pair_up(["A 1", "A 1"], ["A 1"])
    (True, False)
    """
    left = list(offered)
    later: list[str] = []
    for name in filter(None, wanted):
        same = next((each for each in left if sorted(name_terms(each)) == sorted(name_terms(name))), None)
        if same is None:
            later.append(name)
        else:
            left.remove(same)
    for name in later:
        like = next((each for each in left if is_same(name, each) or is_named(name, each)), None)
        if like is None:
            return False
        left.remove(like)
    return True


def added_terms(question: str, rewrite: str) -> frozenset[str]:
    """Return the words that *rewrite* has and *question* has not, articles aside."""
    return frozenset(terms(rewrite)) - frozenset(terms(question)) - _idle()


def overlap(reference: str, found: str) -> float:
    """Return the F1 of the words that two texts share, each as often as it stands in both: 1 for the same words.

    >>> overlap("What does it cost?", "what does the X cost"), overlap("a b", "c")
    (0.6666666666666666, 0.0)
    """
    one, two = Counter(terms(reference)), Counter(terms(found))
    total = one.total() + two.total()
    return 2 * (one & two).total() / total if one and two else float(one == two)


def closeness(references: Iterable[str], found: str) -> float:
    """Return the overlap of *found* with the nearest of *references*, 0 where there is none."""
    return max((overlap(each, found) for each in references), default=0.0)


def is_equal(text: str, other: str) -> bool:
    """Return whether two texts are the same but for white space and the kind of apostrophe."""
    return _plain_spaces(text) == _plain_spaces(other)


def holds(answer: str, value: str) -> bool:
    """Return whether *answer* has *value*, however its numbers are written, and not as a part of another number.

    >>> holds("Il coûte 1 599,50 €.", "1,599.50"), holds("It costs 15 €.", "5 €")
    (True, False)
    """
    said, wanted = squeeze(answer), squeeze(value)
    place = said.find(wanted)
    while place >= 0:
        if not (_touches_left(said, place, wanted) or _touches_right(said, place + len(wanted), wanted)):
            return True
        place = said.find(wanted, place + 1)
    return False


def squeeze(text: str) -> str:
    """Return *text* folded and without white space, its numbers with a decimal point and nothing between thousands.

    >>> squeeze("1.599,50 €") == squeeze("1 599,50 €") == squeeze("1,599.50€")
    True
    """
    return "".join(_NUMBER.sub(lambda match: _number(match[0]), fold(text)).split()).replace(",", ".")


def stands_in(quote: str, document: str) -> bool:
    """Return whether *quote* stands in *document* word for word, signs and spaces aside; one of a few letters does not.

    >>> stands_in("costs £799 today", "It costs £799, today."), stands_in("It", "It")
    (True, False)
    """
    said = _letters(quote)
    return len(said) >= _LEAST_QUOTE and said in _letters(document)


def _is_form(term: str, other: str) -> bool:
    """Return whether two folded words are one, but for an ending or what Arabic writes in front of a word."""
    if term == other:
        return True
    fronts = ({rest for _, rest in without_proclitics(word)} for word in (term, other))
    if any(bare in rests for bare, rests in zip((other, term), fronts, strict=True)):
        return True
    shorter, longer = sorted((term, other), key=len)
    return len(shorter) >= _STEM and len(longer) - len(shorter) <= _ENDING and longer.startswith(shorter)


def _numbered(found: Iterable[str]) -> set[str]:
    return {term for term in found if any(character.isdigit() for character in term)}


@lru_cache(maxsize=1)
def _idle() -> frozenset[str]:
    """Return the articles, the links and the titles of all languages: in a name they tell nothing apart."""
    found = {*name_words().articles, *name_words().titles}
    for code in codes():
        grammar = grammar_of(code)
        found |= {
            form for each in grammar.determiners if each.kind in ("definite", "indefinite") for form in each.forms
        }
        found |= {*grammar.name_links, *people(code).titles}
    return frozenset(fold(form).strip(".'") for form in found)


def _plain_spaces(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).replace("’", "'").split())


def _letters(text: str) -> str:
    return "".join(character for character in fold(text) if character.isalnum())


def _number(written: str) -> str:
    """Return a number's digits with a decimal point; what parts three digits from those before parts thousands."""
    parts = re.split(r"([.,'\s])", written)
    out = parts[0]
    for mark, digits in zip(parts[1::2], parts[2::2], strict=True):
        out += digits if len(digits) == _GROUP or mark.isspace() else f"{mark}{digits}"
    return out


def _touches_left(said: str, start: int, wanted: str) -> bool:
    before = said[max(0, start - 2) : start]
    return wanted[:1].isdigit() and (before[-1:].isdigit() or (before[-1:] == "." and before[:1].isdigit()))


def _touches_right(said: str, end: int, wanted: str) -> bool:
    after = said[end : end + 2]
    return wanted[-1:].isdigit() and (after[:1].isdigit() or (after[:1] == "." and after[1:].isdigit()))

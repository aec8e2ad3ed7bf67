"""Names that a sentence introduces by what they are: "The Avocet is a sea kayak.", "Mireille Roux est la gardienne."

A single sentence is enough here, where running text asks for a name seen again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from languages.nouns import Noun
from languages.text import Token, fold, sentences, words
from memory.types import Name
from rag.shelf.blocks import Document
from rag.shelf.nameforms import OTHER, PERSON, NameSense, has_digit

_MOST = 3  # words of such a name
_TO_ROLES = 9  # words after a person's name, among which a second role may stand: "caretaker and first aider"
_TO_NOUN = 5  # words after it, among which the noun stands that says what it is


def introduced(document: Document, sense: NameSense) -> Iterator[Name]:
    """Yield the names that open a sentence of *document* which says what they are."""
    for block in document.blocks:
        if block.kind in ("paragraph", "item", "fact"):
            for sentence in sentences(document.words_of(block)):
                name = _opening(sentence.text, sense)
                if name is not None:
                    yield name


def nouns_said(document: Document, sense: NameSense) -> Mapping[str, tuple[str, ...]]:
    """Return what *document* says that things are, by their folded names: "The Hub 6 is the white router that …"."""
    found: dict[str, tuple[str, ...]] = {}
    for block in document.blocks:
        for sentence in sentences(document.words_of(block)) if block.kind in ("paragraph", "item", "fact") else ():
            tokens = words(sentence.text)
            first = 1 if len(tokens) > 1 and sense.is_stop(tokens[0].text) else 0
            verb = next((n for n, token in enumerate(tokens) if n > first and sense.is_verb_form(token.text)), None)
            if verb is None or verb - first > _MOST + 1 or verb + 2 >= len(tokens):
                continue
            if sense.is_stop(tokens[verb + 1].text):
                name = fold(sentence.text[tokens[first].start : tokens[verb - 1].end])
                kind = _predicate(tokens[verb + 2 : verb + 2 + _TO_NOUN], sense)
                if kind:
                    found.setdefault(name, (kind.lemma,))
    return found


def _predicate(tokens: Sequence[Token], sense: NameSense) -> Noun | None:
    """Return the noun that *tokens*, which follow an article, have for head: "sea kayak", "white, upright router"."""
    kinds = [sense.kind(token.text) for token in tokens]
    at = next((number for number, kind in enumerate(kinds) if kind), None)
    if at is None or any(sense.is_stop(token.text) for token in tokens[:at]):
        return None
    while not sense.noun_first and at + 1 < len(kinds) and kinds[at + 1]:
        at += 1
    return kinds[at]


def _opening(sentence: str, sense: NameSense) -> Name | None:
    tokens = words(sentence)
    first = 1 if len(tokens) > 1 and sense.is_stop(tokens[0].text) else 0
    last = first
    if sense.capitals == "none":  # "سلمى القرني مدربة الأطفال": nothing but the first name and the role mark it
        first, last = 0, min(2, len(tokens))
    while sense.capitals != "none" and last < len(tokens) and _is_capital(tokens[last]):
        last += 1
    found = tokens[first:last]
    if not 0 < len(found) <= _MOST or last >= len(tokens) or _is_parted(sentence, tokens[first : last + 1]):
        return None
    texts = [token.text for token in found]
    text = sentence[found[0].start : found[-1].end]
    following = tokens[last : last + _TO_NOUN]
    if sense.capitals == "none" and len(following) > 1 and sense.is_stop(following[0].text):
        following = following[1:]  # «سلمى القرني هي مدربة الأطفال»
    role = sense.role_in(sentence[following[0].start : following[-1].end])
    near = [sense.unled(token.text) for token in tokens[last : last + _TO_ROLES]]
    roles = tuple(dict.fromkeys(word for word in near if sense.is_role(word)))
    person = Name(text, type=PERSON, nouns=roles if role else ())
    if sense.capitals == "none":
        return person if role == following[0].text and sense.is_person(texts, marked=True) else None
    if not first and len(texts) > 1 and sense.is_person(texts):
        return person
    if not sense.is_verb_form(following[0].text) or len(following) < 3 or not sense.is_stop(following[1].text):
        return None
    unknown = all(map(sense.is_unknown, texts))
    if not first and len(texts) > 1 and unknown and role:
        return person
    return _thing(text, texts, following, sense=sense, certain=unknown or (bool(first) and sense.capitals == "names"))


def _thing(
    text: str, texts: Sequence[str], following: Sequence[Token], *, sense: NameSense, certain: bool
) -> Name | None:
    """Return the name of a thing that "is a kayak"; None for what may be a common noun."""
    if not certain or any(map(has_digit, texts)) or all(text.isupper() for text in texts):
        return None
    kind = _predicate(following[2:], sense)
    return Name(text, type=kind.type, nouns=(kind.lemma,)) if kind else Name(text, type=OTHER)


def _is_capital(token: Token) -> bool:
    return token.text[0].isupper()


def _is_parted(sentence: str, tokens: Sequence[Token]) -> bool:
    """Return whether more than a space or a hyphen stands between two of *tokens*."""
    gaps = (sentence[one.end : other.start] for one, other in pairwise(tokens))
    return any(gap.strip(" \u00a0\u202f-") for gap in gaps)

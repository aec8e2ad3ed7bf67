"""Names before the colons of a list: "Kiln 45: 45 litres", and sorts of one thing, "Garden Room: ten guests"."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import groupby

from languages.nouns import Noun
from languages.text import fold, words
from memory.types import Name
from rag.shelf.blocks import Block, Document
from rag.shelf.nameforms import PERSON, NameSense, title_core
from rag.shelf.tablenames import VAGUE_KINDS

MOST_LABEL_WORDS = 4
_REACH = re.compile(r"(?:\d[ /().-]?){6}|@|www\.")  # a telephone number or an address


def names_in_lists(document: Document, sense: NameSense, judge: Callable[[str], Name | None]) -> Iterator[Name]:
    """Yield the names before the colons of a list: models, "Kiln 45: …", and sorts of one thing, "Garden Room: …".

    *judge* tells whether words are a name by themselves.  A line of a telephone number or an address says how to reach
    somebody, and what is before its colon is no name.
    """
    for _, group in groupby(document.blocks, key=lambda block: block.kind == "heading"):
        cores = [title_core(label)[0] for block in group for label in _line_labels(document.words_of(block), block)]
        cores = [core for core in dict.fromkeys(cores) if 0 < len(words(core)) <= MOST_LABEL_WORDS]
        if len(cores) < 2:
            continue
        kinds = {core: _head_kind(core, sense) for core in cores}
        count = Counter(kind.id for kind in kinds.values() if kind)
        for core, kind in kinds.items():
            name = judge(core)
            coded = not any(len(part) > 2 and part.isalpha() for token in words(core) for part in token.text.split("-"))
            if name and name.type != PERSON and not coded:  # "E-04" is the code of a fault
                yield name
            elif kind and count[kind.id] > 1 and not sense.breaks(core.split()):
                yield Name(core, type=kind.type, nouns=(kind.lemma,))


def _line_labels(text: str, block: Block) -> Iterator[str]:
    """Yield what stands before the colon of each line of a list."""
    if block.kind not in ("fact", "item"):
        return
    for number, line in enumerate(text.split("\n")):
        label, colon, value = line.lstrip("-*•– ").partition(":")
        if (colon or not number) and not _REACH.search(value):
            yield label.strip() if colon else block.label


def _head_kind(core: str, sense: NameSense) -> Noun | None:
    """Return the noun of which *core* is a sort: the room of "Garden Room", the "Bande" of "Funken-Bande"."""
    tokens = [part for token in words(core) for part in token.text.split("-")]
    first = sense.noun_first and len(core.split()) > 1  # a compound has its head at the end in each language
    head = tokens[0 if first else -1] if tokens else ""
    kind = sense.kind(head) if head and not sense.is_definite(head) else None
    if kind is None or kind.id in VAGUE_KINDS or fold(core) in {fold(form) for form in (kind.lemma, *kind.plurals)}:
        return None
    return kind

"""A compiled table of word forms: what each can be, in a few megabytes that load in a few milliseconds.

A table is text, one folded form a line, sorted, compressed as one; it is searched in place, so that nothing is
built when it is loaded.  A line holds the spellings that fold to the form (``marche`` and ``marché``), each with its
features.
"""

from __future__ import annotations

import lzma
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntFlag
from pathlib import Path

from languages.errors import LanguagePackError
from languages.folding import fold


class Features(IntFlag):
    """What a form can be.  Genders and numbers of nouns, else of adjectives; a verb's number stands apart."""

    NOUN = 1
    VERB = 2
    INFINITIVE = 4
    ADJECTIVE = 8
    ADVERB = 16
    NAME = 32
    MASCULINE = 64
    FEMININE = 128
    NEUTER = 256
    SINGULAR = 512
    PLURAL = 1024
    VERB_SINGULAR = 2048  # third person
    VERB_PLURAL = 4096  # third person
    PERSON = 8192  # the noun names people
    IMPERATIVE = 16384


Entry = tuple[str, Features]

_ARABIC_MARKS = frozenset([*map(chr, range(0x064B, 0x0660)), "\u0670", "\u0640"])


def spelling(form: str) -> str:
    """Return *form* in lower case with its accents, but without what only ornaments it.

    >>> spelling("L’Été"), spelling("طَابِعَة")
    ("l'été", 'طابعة')
    """
    text = unicodedata.normalize("NFC", form).lower().replace("’", "'")
    if text.isascii():
        return text
    return "".join(character for character in text if character not in _ARABIC_MARKS)


@dataclass(frozen=True, slots=True)
class WordForms:
    """Forms with their features, searched by halves in one block of sorted lines."""

    block: bytes

    def entries(self, form: str) -> tuple[Entry, ...]:
        """Return the spellings that fold to the same as *form*, with their features; () when there are none."""
        key = fold(form)
        wanted = key.encode() + b"\t"
        if not key or "\t" in key:
            return ()
        low, high = 0, len(self.block)
        while low < high:
            middle = self.block.rfind(b"\n", low, (low + high) // 2) + 1 or low
            end = self.block.find(b"\n", middle)
            line = self.block[middle : end + 1]
            if line.startswith(wanted):
                return _read(key, line[len(wanted) : -1].decode())
            if line < wanted:
                low = end + 1
            else:
                high = middle
        return ()

    def __len__(self) -> int:
        return self.block.count(b"\n")


def load_forms(path: Path) -> WordForms:
    """Return the table that ``save_forms`` wrote.

    Raises:
        LanguagePackError: where the file is damaged.
    """
    try:
        return WordForms(lzma.decompress(path.read_bytes()))
    except lzma.LZMAError as error:
        raise LanguagePackError(
            str(path), "", "is no compressed word list.", "Fetch the file again, or compile it with languages/scripts."
        ) from error


def save_forms(path: Path, entries: Iterable[Entry]) -> int:
    """Write the table of *entries*, features of one spelling united, and return its number of forms."""
    table: defaultdict[str, dict[str, Features]] = defaultdict(dict)
    for form, features in entries:
        written, key = spelling(form), fold(form)
        if key and not set(key) & set("\t\n;="):
            table[key][written] = table[key].get(written, Features(0)) | features
    lines = []
    for key in sorted(table, key=lambda key: key.encode() + b"\t"):
        spellings = sorted(table[key].items())
        written = ";".join(f"{'' if word == key else word}={features:x}" for word, features in spellings)
        lines.append(f"{key}\t{written}\n")
    data = lzma.compress("".join(lines).encode(), preset=9 | lzma.PRESET_EXTREME)
    path.write_bytes(data)
    return len(lines)


def _read(key: str, written: str) -> tuple[Entry, ...]:
    entries = []
    for piece in written.split(";"):
        word, _, features = piece.partition("=")
        entries.append((word or key, Features(int(features, 16))))
    return tuple(entries)

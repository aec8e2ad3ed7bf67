"""A compiled table of word forms: what each can be, in a few megabytes that load in a few milliseconds.

A table is text, one folded form a line, sorted, compressed as one; it is searched in place, so that nothing is
built when it is loaded.  A line holds the spellings that fold to the form (``marche`` and ``marché``), each with its
features.
"""

from __future__ import annotations

import lzma
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
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

_AGREEMENT = Features.MASCULINE | Features.FEMININE | Features.NEUTER | Features.SINGULAR | Features.PLURAL

_ARABIC_MARKS = frozenset([*map(chr, range(0x064B, 0x0660)), "\u0670", "\u0640"])


def spelling(form: str) -> str:
    """Return *form* in lower case with its accents, but without what only ornaments it.

    >>> spelling("L’Été"), spelling("طَابِعَة")
    ("l'été", 'طابعة')
    """
    return without_marks(unicodedata.normalize("NFC", form).lower().replace("’", "'"))


def without_marks(text: str) -> str:
    """Return *text* without the short vowels and stretched lines of Arabic, which part no words.

    >>> without_marks("يُفسخ"), without_marks("Haus")
    ('يفسخ', 'Haus')
    """
    return text if text.isascii() else "".join(each for each in text if each not in _ARABIC_MARKS)


@dataclass(frozen=True, slots=True)
class Lines:
    """Sorted lines of a folded key and its value, searched by halves in one block."""

    block: bytes

    def get(self, form: str) -> str | None:
        """Return the value of the key that *form* folds to, or None."""
        key = fold(form)
        wanted = key.encode() + b"\t"
        if not key or "\t" in key:
            return None
        low, high = 0, len(self.block)
        while low < high:
            start = self.block.rfind(b"\n", low, (low + high) // 2) + 1 or low
            end = self.block.find(b"\n", start)
            line = self.block[start:end]
            if line.startswith(wanted):
                return line[len(wanted) :].decode()
            if line < wanted:
                low = end + 1
            else:
                high = start
        return None

    def __len__(self) -> int:
        return self.block.count(b"\n")

    def keys(self) -> Iterator[str]:
        """Yield the folded keys in their order."""
        for line in self.block.splitlines():
            yield line.partition(b"\t")[0].decode()


@dataclass(frozen=True, slots=True)
class WordForms:
    """Forms with their features."""

    lines: Lines

    def entries(self, form: str) -> tuple[Entry, ...]:
        """Return the spellings that fold to the same as *form*, with their features; () when there are none."""
        written = self.lines.get(form)
        if written is None:
            return ()
        entries = []
        for piece in written.split(";"):
            word, _, features = piece.partition("=")
            entries.append((word or fold(form), Features(int(features, 16))))
        return tuple(entries)


def load_lines(path: Path) -> Lines:
    """Return the lines that ``save_lines`` wrote.

    Raises:
        LanguagePackError: where the file is missing or damaged.
    """
    try:
        return Lines(lzma.decompress(path.read_bytes()))
    except (lzma.LZMAError, FileNotFoundError) as error:
        raise LanguagePackError(
            str(path), "", "is no compressed word list.", "Fetch the file again, or compile it with languages/scripts."
        ) from error


def load_forms(path: Path) -> WordForms:
    """Return the table that ``save_forms`` wrote.

    Raises:
        LanguagePackError: where the file is missing or damaged.
    """
    return WordForms(load_lines(path))


def save_lines(path: Path, pairs: Iterable[tuple[str, str]]) -> int:
    """Write keys with their values, the first of a key that comes twice, and return their number."""
    table: dict[str, str] = {}
    for form, value in pairs:
        table.setdefault(fold(form), value)
    keys = sorted((key for key in table if key and "\t" not in key), key=lambda key: key.encode() + b"\t")
    text = "".join(f"{key}\t{table[key]}\n" for key in keys)
    path.write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))
    return len(keys)


def save_forms(path: Path, entries: Iterable[Entry]) -> int:
    """Write the table of *entries*, features of one spelling united, and return its number of forms.

    Where a spelling is a noun and an adjective (marché), the noun's genders and numbers are kept.
    """
    table: defaultdict[str, dict[str, Features]] = defaultdict(dict)
    nominal: dict[str, Features] = {}
    for form, features in entries:
        written, key = spelling(form), fold(form)
        if not set(key) & set(";="):
            if features & Features.NOUN:
                nominal[written] = nominal.get(written, Features(0)) | (features & _AGREEMENT)
            table[key][written] = table[key].get(written, Features(0)) | features
    for spellings in table.values():
        for written in spellings:
            if written in nominal:
                spellings[written] = (spellings[written] & ~_AGREEMENT) | nominal[written]
    return save_lines(path, ((key, _written(key, spellings)) for key, spellings in table.items()))


def _written(key: str, spellings: dict[str, Features]) -> str:
    return ";".join(f"{'' if word == key else word}={features:x}" for word, features in sorted(spellings.items()))

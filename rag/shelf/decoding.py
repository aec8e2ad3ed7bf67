"""Bytes to text: what a text file is written in, and whether it is one.

What can be read in an encoding need not be written in it; whether letters make sense is asked in ``legible``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from rag.errors import DocumentLocked, DocumentMislabelled, DocumentUnreadable
from rag.shelf.blocks import Source

_SIGNATURES: Mapping[bytes, str] = MappingProxyType(
    {
        b"%PDF": "PDF",
        b"PK\x03\x04": "ZIP (such as DOCX, XLSX, ODT)",
        b"\x89PNG": "PNG",
        b"\xff\xd8\xff": "JPEG",
        b"GIF8": "GIF",
        b"\x7fELF": "a program",
        b"MZ\x90": "a program",
        b"\xd0\xcf\x11\xe0": "an old Office file",
        b"\x1f\x8b": "gzip",
        b"7z\xbc\xaf": "7z",
        b"Rar!": "RAR",
        b"{\\rtf": "RTF",
        b"SQLite format": "a database",
    }
)
_LOCKED = (b"-----BEGIN PGP MESSAGE", b"Salted__", b"age-encryption.org")
_MARKS: Mapping[bytes, str] = MappingProxyType(
    {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
)


def decode(source: Source) -> str:
    """Return the text of *source*, whatever of utf-8, utf-16, cp1252 and cp1256 it is written in.

    Raises: DocumentMislabelled, DocumentLocked, DocumentUnreadable.
    """
    data, name = source.data, source.name
    for signature, kind in _SIGNATURES.items():
        if data.startswith(signature):
            raise DocumentMislabelled(
                f"{name} holds {kind}, not text as its ending says. Give it its right ending, or save it as text.",
                {"name": name, "found": kind},
            )
    if data.startswith(_LOCKED):
        raise DocumentLocked(f"{name} is encrypted; expected plain text. Decrypt it first.", {"name": name})
    encoding = next((known for mark, known in _MARKS.items() if data.startswith(mark)), "")
    if not encoding:
        encoding = guess(data)
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise DocumentUnreadable(
            f"{name} is not written in {encoding} throughout ({error.reason} at byte {error.start}). Save it as UTF-8.",
            {"name": name},
        ) from error
    controls = sum(1 for character in text[:20_000] if character < " " and character not in "\t\n\r\f\x1b")
    if "\0" in text or controls > len(text[:20_000]) * 0.02:
        raise DocumentMislabelled(
            f"{name} holds binary data, not text as its ending says. Save it as text.",
            {"name": name, "found": "binary"},
        )
    return text.replace("\r\n", "\n").replace("\r", "\n")


_ARABIC = re.compile("[\u0621-\u064a\u0670-\u06d3]")
_ARABIC_PAIR = re.compile("[\u0621-\u064a\u0670-\u06d3]{3,}")


def guess(data: bytes) -> str:
    """Return the encoding of *data* without a mark: utf-8, utf-16 by its NULs, else cp1252 or cp1256.

    cp1256 has French letters too, so the question is whether Arabic letters stand in words of their own: read
    as cp1256, the ä of a German text becomes one Arabic letter among Latin ones.
    """
    sample = data[:4000]
    for offset, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
        # The upper byte is 0 in Latin letters, figures and blanks, 6 in Arabic ones; neither is common in text.
        upper = sample[offset::2]
        if upper.count(0) > 0.4 * len(upper) or upper.count(0) + upper.count(6) > 0.8 * len(upper):
            return encoding
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    else:
        return "utf-8"
    arabic = data.decode("cp1256", "replace")
    in_words = sum(map(len, _ARABIC_PAIR.findall(arabic)))
    return "cp1256" if in_words > 0.6 * max(1, len(_ARABIC.findall(arabic))) else "cp1252"

"""Bytes to text: what a text file is written in, and whether it is one.

What can be read in an encoding need not be written in it; whether letters make sense is asked in ``legible``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from rag.errors import DocumentLocked, DocumentMislabelled
from rag.shelf.blocks import Source
from rag.shelf.legible import misencoded

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
    """Return the text of *source*, whatever it is written in of utf-8, utf-16, cp1252, cp1256, DOS and Macintosh.

    Raises: DocumentMislabelled, DocumentLocked, DocumentMisencoded.
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
        around = data[max(0, error.start - 40) : error.start + 80]
        raise misencoded(name, around.decode(encoding, "replace")) from error
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
    """Return the encoding of *data* without a mark: utf-8, utf-16 by its NULs, else cp1256 or a western one.

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
    if in_words > 0.6 * max(1, len(_ARABIC.findall(arabic))):
        return "cp1256"
    return max(_WESTERN, key=lambda encoding: _western_letters(data[:_SAMPLE].decode(encoding, "replace")))


# Windows, DOS and Macintosh; the first where they read alike.
_WESTERN = ("cp1252", "cp850", "mac_roman")
_SAMPLE = 20_000
_LETTER = re.compile("[àâäæçéèêëîïôöœùûüÿñáíóúßåøìòãõÀÂÄÆÇÉÈÊËÎÏÔÖŒÙÛÜÑÁÍÓÚ]")
_SIGN_AMID = re.compile(r"(?<=[^\W\d_])[^\w\s!-/:-@\[-`{-~’‘·-](?=[^\W\d_])")
_CAPITAL_AMID = re.compile("(?<=[a-zß-öø-ÿ])[À-ÖØ-Þ]")
_OTHER = re.compile("[^\x00-\x7f«»„“”‚‘’–—…€°§©®·\u00a0]")


def _western_letters(text: str) -> int:
    """Return how many letters beyond ASCII are usual in the west, less other signs and what is amid words."""
    usual = len(_LETTER.findall(text))
    amid = len(_SIGN_AMID.findall(text)) + len(_CAPITAL_AMID.findall(text))
    return usual - (len(_OTHER.findall(text)) - usual) - 2 * amid

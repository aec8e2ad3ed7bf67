"""Files to documents: refusing, decoding, and the reader for each format.

To add a format, write a function from ``Source`` to ``Draft`` and name it in ``READERS``.
"""

from __future__ import annotations

import os.path
import re
import stat
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

from languages import codes
from languages.detect import detect
from languages.text import clean
from rag.errors import (
    DocumentEmpty,
    DocumentLocked,
    DocumentMislabelled,
    DocumentMissing,
    DocumentRefused,
    DocumentTooLarge,
    DocumentUnreadable,
    FormatUnknown,
)
from rag.shelf.blocks import MAX_PAGES, Document, Draft, Source, one_line
from rag.shelf.docx import read_docx
from rag.shelf.markup import read_html, read_markdown
from rag.shelf.pdf import read_pdf
from rag.shelf.plaintext import read_table, read_text

MAX_BYTES = 25_000_000
_DETECTED_CHARACTERS = 6000


Reader = Callable[[Source], Draft]


def _decoded(read: Callable[[str], Draft]) -> Reader:
    """Return a reader of bytes from a reader of text."""
    return lambda source: read(decode(source))


READERS: Mapping[str, Reader] = MappingProxyType(
    {
        ".md": _decoded(read_markdown),
        ".markdown": _decoded(read_markdown),
        ".html": _decoded(read_html),
        ".htm": _decoded(read_html),
        ".txt": _decoded(read_text),
        ".csv": _decoded(read_table),
        ".tsv": _decoded(read_table),
        ".pdf": read_pdf,
        ".docx": read_docx,
    }
)


def read(path: Path, name: str = "", *, max_bytes: int = MAX_BYTES, max_pages: int = MAX_PAGES) -> Document:
    """Return the document in the file *path*, called *name* (by default the file's name).

    Raises: DocumentRefused, in one of its kinds.
    """
    return read_source(load_source(path, name, max_bytes=max_bytes, max_pages=max_pages))


def load_source(path: Path, name: str = "", *, max_bytes: int = MAX_BYTES, max_pages: int = MAX_PAGES) -> Source:
    """Return the bytes of the file *path*, after the checks that need no reading.

    Raises: DocumentMissing, FormatUnknown, DocumentTooLarge, DocumentEmpty, DocumentUnreadable.
    """
    shown = shelf_name(name or path.name)
    suffix = Path(shown).suffix.lower()  # a name may have lost its beginning, and with it its ending: " .md"
    # What is not there has no format, and is said so below.  Unlike its Path, os.path takes too long a name for that.
    if suffix not in READERS and os.path.exists(path):  # noqa: PTH110
        formats = ", ".join(sorted(READERS))
        raise FormatUnknown(
            f"{shown} has the ending {suffix!r}; expected one of {formats}. Save it in one of these formats.",
            {"name": shown, "formats": formats},
        )
    try:
        found = path.stat()
        size = found.st_size
        if not (stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)):
            raise OSError("no ordinary file")  # a pipe or a device may have no end
        if size > max_bytes:
            raise DocumentTooLarge(
                f"{shown} has {size / 1e6:.1f} MB; expected at most {max_bytes / 1e6:.0f} MB. Split it, or raise "
                "REFERENT_MAX_FILE_MB.",
                {"name": shown, "limit": f"{max_bytes / 1e6:.0f} MB"},
            )
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise DocumentMissing(f"{shown} was not found; expected a file. Check the path.", {"name": shown}) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise DocumentUnreadable(
            f"{shown} cannot be opened ({reason}); expected a file that may be read. Check its rights.",
            {"name": shown},
        ) from error
    if not data.strip():
        raise DocumentEmpty(f"{shown} is empty; expected some text.", {"name": shown})
    return Source(shown, data, max_pages)


def read_source(source: Source) -> Document:
    """Return the document in *source*.

    Raises: DocumentRefused, in one of its kinds.
    """
    try:
        draft = READERS[Path(source.name).suffix.lower()](source)
    except DocumentRefused as error:
        if "name" in error.values:
            raise
        raise type(error)(f"{source.name}: {error}", {"name": source.name}) from error
    except RecursionError as error:
        raise DocumentUnreadable(
            f"{source.name} is nested too deeply to be read; expected an ordinary document. Save it more simply.",
            {"name": source.name},
        ) from error
    text = draft.text
    if not any(character.isalnum() for character in text):
        raise DocumentEmpty(f"{source.name} holds no words; expected some text.", {"name": source.name})
    return Document(
        name=source.name,
        title=title_of(draft, source.name),
        text=text,
        blocks=tuple(draft.blocks),
        language=_language_of(draft, text),
        metadata=MappingProxyType(dict(draft.metadata)),
    )


def find_files(paths: Iterable[Path]) -> list[tuple[Path, str]]:
    """Return the files at *paths* with their names; those of a folder by their path in it, sorted.

    Hidden files are left out, and links that lead out of the folder: a folder is what its owner meant to give.
    """
    found: list[tuple[Path, str]] = []
    for path in paths:
        if not os.path.isdir(path):  # noqa: PTH112 - a name that is too long is none of a folder
            found.append((path, path.name))
            continue
        root = path.resolve()
        for file in sorted(path.rglob("*")):
            inside = file.relative_to(path)
            hidden = any(part.startswith(".") for part in inside.parts)
            if file.is_file() and not hidden and file.resolve().is_relative_to(root):
                found.append((file, inside.as_posix()))
    return found


def shelf_name(name: str) -> str:
    r"""Return *name* as it is kept and shown: NFC, "/" between folders, no controls or direction marks.

    >>> shelf_name("a\\b\u202efdp.md")
    'a/bfdp.md'
    """
    kept = "".join(
        character for character in clean(name.replace("\\", "/")) if unicodedata.category(character) not in ("Cf", "Cc")
    )
    parts = [part.strip() for part in kept.split("/") if part.strip() not in ("", ".", "..")]
    return unicodedata.normalize("NFC", "/".join(parts))


def title_of(draft: Draft, name: str) -> str:
    """Return the title: front matter's, else the first heading, else HTML's own, else the file's name in words."""
    headings = [block for block in draft.blocks if block.kind == "heading" and block.level == 1]
    text = draft.text
    first = one_line(text[headings[0].start : headings[0].end]) if headings else ""
    declared = clean(draft.metadata.get("title", "")).strip()
    return declared or first or clean(draft.title) or re.sub(r"[-_.\s]+", " ", Path(name).stem).strip()


def _language_of(draft: Draft, text: str) -> str:
    """Return the language of most of the text; what the file declares decides where the text does not."""
    declared = (draft.metadata.get("lang") or draft.metadata.get("language") or draft.language)[:2].lower()
    known = declared if declared in codes() else ""
    found = detect(text[:_DETECTED_CHARACTERS], previous=known or codes()[0])
    return found.code


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
        encoding = _guess(data)
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


def _guess(data: bytes) -> str:
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

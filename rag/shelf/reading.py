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
    DocumentMissing,
    DocumentRefused,
    DocumentScanned,
    DocumentTooLarge,
    DocumentUnreadable,
    FormatUnknown,
)
from rag.shelf.blocks import Document, Draft, ReadingLimits, Source, one_line
from rag.shelf.decoding import decode
from rag.shelf.docx import read_docx
from rag.shelf.jsonlines import read_json_lines
from rag.shelf.legible import check_letters
from rag.shelf.mail import read_mail
from rag.shelf.markup import read_html, read_markdown
from rag.shelf.pdf import read_pdf
from rag.shelf.plaintext import read_text
from rag.shelf.pptx import read_pptx
from rag.shelf.tables import check_rows, read_table
from rag.shelf.xlsx import read_xlsx

_DETECTED_CHARACTERS = 6000
_LIMITS = ReadingLimits()

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
        ".jsonl": _decoded(read_json_lines),
        ".ndjson": _decoded(read_json_lines),
        ".pdf": read_pdf,
        ".docx": read_docx,
        ".pptx": read_pptx,
        ".xlsx": read_xlsx,
        ".eml": lambda source: read_mail(source, attached),
    }
)


def attached(source: Source) -> Draft | None:
    """Return the blocks of what is attached to a mail, None where its kind is none that is read, or a mail itself.

    Raises: DocumentRefused, in one of its kinds.
    """
    suffix = Path(source.name).suffix.lower()
    if suffix not in READERS or suffix == ".eml":
        return None
    draft = READERS[suffix](source)
    _check(source, draft)
    return draft


def read(path: Path, name: str = "", limits: ReadingLimits = _LIMITS) -> Document:
    """Return the document in the file *path*, called *name* (by default the file's name).

    Raises: DocumentRefused, in one of its kinds.
    """
    return read_source(load_source(path, name, limits))


def load_source(path: Path, name: str = "", limits: ReadingLimits = _LIMITS) -> Source:
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
        if size > limits.bytes:
            raise DocumentTooLarge(
                f"{shown} has {size / 1e6:.1f} MB; expected at most {limits.bytes / 1e6:.0f} MB. Split it, or raise "
                "REFERENT_MAX_FILE_MB.",
                {"name": shown, "limit": f"{limits.bytes / 1e6:.0f} MB"},
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
    return Source(shown, data, limits)


def read_source(source: Source) -> Document:
    """Return the document in *source*.

    Raises: DocumentRefused, in one of its kinds.
    """
    try:
        draft = READERS[Path(source.name).suffix.lower()](source)
        _check(source, draft)
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
    return Document(
        name=source.name,
        title=title_of(draft, source.name),
        text=text,
        blocks=tuple(draft.blocks),
        language=_language_of(draft, text),
        metadata=MappingProxyType(dict(draft.metadata)),
    )


def _check(source: Source, draft: Draft) -> None:
    """Refuse what holds no words, more rows than may be, or signs that are no letters of anybody's."""
    name, text = source.name, draft.text
    if not any(character.isalnum() for character in text):
        if draft.pictures:
            raise DocumentScanned(
                f"{name} holds pictures and no words; expected text. Run text recognition (OCR) on it first.",
                {"name": name},
            )
        raise DocumentEmpty(f"{name} holds no words; expected some text.", {"name": name})
    check_rows(source, sum(block.kind == "row" for block in draft.blocks))
    check_letters(name, text)


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

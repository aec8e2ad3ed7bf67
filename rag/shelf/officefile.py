"""An Office file opened with care: what it is, how large it becomes, and no XML that reaches beyond itself."""

from __future__ import annotations

import posixpath
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from typing import Final

from lxml import etree

from rag.errors import DocumentLocked, DocumentMislabelled, DocumentTooComplex, DocumentUnreadable
from rag.shelf.blocks import Source

# A part of a thousand pages has some 20 MB of XML, and its tree takes ten times that.
_LARGEST_PART: Final = 40_000_000
_MOST_PARTS: Final = 10_000

_OLE: Final = b"\xd0\xcf\x11\xe0"
_TYPES: Final = "{http://schemas.openxmlformats.org/package/2006/content-types}"
_LINKS: Final = "{http://schemas.openxmlformats.org/package/2006/relationships}"
_MAIN: Final = ("/officeDocument",)
_OTHERS: Final = {
    "macroEnabled": "an Office file with macros",
    ".template": "an Office template",
    "wordprocessingml": "a Word document",
    "spreadsheetml": "an Excel workbook",
    "presentationml": "a PowerPoint presentation",
    "sheet.binary": "a binary Excel workbook (XLSB)",
}
_TITLE: Final = "{http://purl.org/dc/elements/1.1/}title"
# What a packed file may grow to whatever its size: a short text with one large, plain picture grows a thousandfold.
_ALWAYS_FINE: Final = 60_000_000


@dataclass(frozen=True, slots=True)
class OfficeKind:
    """A kind of Office file: what it is called, its ending, the type of its main part, and its predecessor."""

    what: str
    ending: str
    content: str
    old: str


WORD: Final = OfficeKind("Word document", "DOCX", "wordprocessingml.document.main+xml", "an old Word document (DOC)")
SHEETS: Final = OfficeKind("Excel workbook", "XLSX", "spreadsheetml.sheet.main+xml", "an old Excel workbook (XLS)")
SLIDES: Final = OfficeKind(
    "PowerPoint presentation",
    "PPTX",
    "presentationml.presentation.main+xml",
    "an old PowerPoint presentation (PPT)",
)


@dataclass(frozen=True, slots=True)
class OfficeFile:
    """An open Office file; ``folder`` is where its main part lies."""

    name: str
    kind: OfficeKind
    archive: zipfile.ZipFile
    document: etree._Element
    folder: str
    main: str

    def part(self, name: str) -> etree._Element | None:
        """Return the XML of a part beside the main one, None where there is none.

        Raises: DocumentTooComplex, DocumentUnreadable.
        """
        path = self.folder + name
        return _xml(self, path) if path in self.archive.namelist() else None

    def links(self, path: str) -> Mapping[str, tuple[str, str]]:
        """Return what the part at *path* ("ppt/slides/slide1.xml") leads to in the file: kind and path by id.

        Raises: DocumentTooComplex, DocumentUnreadable.
        """
        folder, _, name = path.rpartition("/")
        beside = f"{folder}/_rels/{name}.rels"
        if beside not in self.archive.namelist():
            return {}
        return {
            str(link.get("Id", "")): (
                str(link.get("Type", "")).rpartition("/")[2],
                posixpath.normpath(posixpath.join("/", folder, str(link.get("Target", "")))).lstrip("/"),
            )
            for link in _xml(self, beside).iter(f"{_LINKS}Relationship")
            if link.get("TargetMode") != "External"
        }

    def at(self, path: str) -> etree._Element:
        """Return the XML of the part at *path*.

        Raises: DocumentTooComplex, DocumentUnreadable.
        """
        return _xml(self, path)

    @property
    def has_pictures(self) -> bool:
        """Return whether there are pictures in it."""
        return any(name.startswith(f"{self.folder}media/") for name in self.archive.namelist())

    @property
    def title(self) -> str:
        """Return the title among the properties of the file, "" where there is none."""
        if "docProps/core.xml" not in self.archive.namelist():
            return ""
        return str(_xml(self, "docProps/core.xml").findtext(_TITLE) or "")


@dataclass(frozen=True, slots=True)
class _Packed:
    """An archive that is not known to be an Office file yet."""

    name: str
    kind: OfficeKind
    archive: zipfile.ZipFile


@contextmanager
def open_office(source: Source, kind: OfficeKind) -> Iterator[OfficeFile]:
    """Yield the Office file of that *kind* in *source*.

    Raises: DocumentMislabelled, DocumentLocked, DocumentTooComplex, DocumentUnreadable.
    """
    name, data = source.name, source.data
    if data.startswith(_OLE):
        # Office wraps what it encrypts into its old format, under this name.
        if "EncryptedPackage".encode("utf-16-le") in data:
            raise DocumentLocked(f"{name} is protected by a password; expected one that opens without.", {"name": name})
        raise _mislabelled(name, kind, kind.old)
    if not data.startswith(b"PK"):
        raise _mislabelled(name, kind, f"no {kind.what}")
    try:
        archive = zipfile.ZipFile(BytesIO(data))
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:  # the last: of a later version
        raise DocumentUnreadable(
            f"{name} breaks off or is damaged ({error}); expected a whole {kind.ending}. Copy it again, or save it "
            "anew.",
            {"name": name},
        ) from error
    with archive:
        _check_size(source, archive)
        packed = _Packed(name, kind, archive)
        main = _main_part(packed)
        yield OfficeFile(name, kind, archive, _xml(packed, main), main.rpartition("/")[0] + "/", main)


def _check_size(source: Source, archive: zipfile.ZipFile) -> None:
    """Refuse what has too many parts, is locked, or grows too much.

    The sizes are those that the archive states; a part that is larger than stated is not read to its end.
    """
    name, parts = source.name, archive.infolist()
    if len(parts) > _MOST_PARTS:
        raise _too_complex(name, f"has {len(parts)} parts")
    if any(part.flag_bits & 1 for part in parts):
        raise DocumentLocked(f"{name} is protected by a password; expected one that opens without.", {"name": name})
    total, size = sum(part.file_size for part in parts), len(source.data)
    if total > max(_ALWAYS_FINE, source.limits.expansion * size):
        raise DocumentTooComplex(
            f"{name} grows from {size / 1e6:.1f} to {total / 1e6:.0f} MB when it is opened; expected at most "
            f"{source.limits.expansion} times its size. Save it again, split it, or raise REFERENT_MAX_EXPANSION.",
            {"name": name},
        )


def _main_part(file: _Packed) -> str:
    """Return the path of the part with the text."""
    parts, name, kind = file.archive.namelist(), file.name, file.kind
    if "[Content_Types].xml" not in parts:
        if "mimetype" in parts:
            raise _mislabelled(name, kind, "an OpenDocument file")
        raise _mislabelled(name, kind, "a ZIP archive")
    links = _xml(file, "_rels/.rels")
    main = next(
        (
            str(link.get("Target", "")).lstrip("/")
            for link in links.iter(f"{_LINKS}Relationship")
            if str(link.get("Type", "")).endswith(_MAIN)
        ),
        "",
    )
    if main not in parts:
        raise _damaged(file, "its main part is missing")
    types = _xml(file, "[Content_Types].xml")
    found = next(
        (str(each.get("ContentType", "")) for each in types if str(each.get("PartName", "")).lstrip("/") == main),
        "",
    )
    if not found.endswith(kind.content) or "macro" in found.lower():
        raise _mislabelled(
            name, kind, next((what for mark, what in _OTHERS.items() if mark in found), f"no {kind.what}")
        )
    return main


def _xml(file: OfficeFile | _Packed, path: str) -> etree._Element:
    """Return the tree of a part; what it expands to is counted, whatever the archive says."""
    try:
        with file.archive.open(path) as part:
            data = part.read(_LARGEST_PART + 1)
    except KeyError as error:
        raise _damaged(file, f"{path} is missing") from error
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError) as error:
        raise _damaged(file, f"{path}: {error}") from error
    if len(data) > _LARGEST_PART:
        raise _too_complex(file.name, f"expands to more than {_LARGEST_PART // 1_000_000} MB in {path}")
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise _damaged(file, f"{path}: {error.msg}") from error
    if root.getroottree().docinfo.internalDTD is not None:
        raise _damaged(file, f"{path} declares entities, which Office never does")
    return root


def _mislabelled(name: str, kind: OfficeKind, found: str) -> DocumentMislabelled:
    return DocumentMislabelled(
        f"{name} holds {found}; expected one {kind.what}, as its ending says. Save it as {kind.ending}.",
        {"name": name, "found": found},
    )


def _damaged(file: OfficeFile | _Packed, what: str) -> DocumentUnreadable:
    return DocumentUnreadable(
        f"{file.name} is damaged ({what}); expected a whole {file.kind.ending}. Open it in Office and save it again.",
        {"name": file.name},
    )


def _too_complex(name: str, what: str) -> DocumentTooComplex:
    return DocumentTooComplex(
        f"{name} {what}; expected an ordinary document. Save it again, or split it.", {"name": name}
    )

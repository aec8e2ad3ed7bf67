"""An Office file opened with care: what it is, how large it becomes, and no XML that reaches beyond itself."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
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
_WORD: Final = "wordprocessingml.document.main+xml"
_OTHERS: Final = {
    "macroEnabled": "a Word document with macros (DOCM)",
    "wordprocessingml.template": "a Word template (DOTX)",
    "spreadsheetml": "an Excel workbook",
    "presentationml": "a PowerPoint presentation",
}
_TITLE: Final = "{http://purl.org/dc/elements/1.1/}title"


@dataclass(frozen=True, slots=True)
class OfficeFile:
    """An open DOCX; ``folder`` is where its main part lies."""

    name: str
    archive: zipfile.ZipFile
    document: etree._Element
    folder: str

    def part(self, name: str) -> etree._Element | None:
        """Return the XML of a part beside the main one, None where there is none.

        Raises: DocumentTooComplex, DocumentUnreadable.
        """
        path = self.folder + name
        return _xml(self.name, self.archive, path) if path in self.archive.namelist() else None

    @property
    def title(self) -> str:
        """Return the title among the properties of the file, "" where there is none."""
        if "docProps/core.xml" not in self.archive.namelist():
            return ""
        return str(_xml(self.name, self.archive, "docProps/core.xml").findtext(_TITLE) or "")


@contextmanager
def open_docx(source: Source) -> Iterator[OfficeFile]:
    """Yield the Word document in *source*.

    Raises: DocumentMislabelled, DocumentLocked, DocumentTooComplex, DocumentUnreadable.
    """
    name, data = source.name, source.data
    if data.startswith(_OLE):
        # Office wraps what it encrypts into its old format, under this name.
        if "EncryptedPackage".encode("utf-16-le") in data:
            raise DocumentLocked(f"{name} is protected by a password; expected one that opens without.", {"name": name})
        raise _mislabelled(name, "an old Word document (DOC)")
    if not data.startswith(b"PK"):
        raise _mislabelled(name, "no Word document")
    try:
        archive = zipfile.ZipFile(BytesIO(data))
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:  # the last: of a later version
        raise DocumentUnreadable(
            f"{name} breaks off or is damaged ({error}); expected a whole DOCX. Copy it again, or save it anew.",
            {"name": name},
        ) from error
    with archive:
        if len(archive.namelist()) > _MOST_PARTS:
            raise _too_complex(name, f"has {len(archive.namelist())} parts")
        if any(part.flag_bits & 1 for part in archive.infolist()):
            raise DocumentLocked(f"{name} is protected by a password; expected one that opens without.", {"name": name})
        main = _main_part(name, archive)
        yield OfficeFile(name, archive, _xml(name, archive, main), main.rpartition("/")[0] + "/")


def _main_part(name: str, archive: zipfile.ZipFile) -> str:
    """Return the path of the part with the text."""
    parts = archive.namelist()
    if "[Content_Types].xml" not in parts:
        if "mimetype" in parts:
            raise _mislabelled(name, "an OpenDocument file")
        raise _mislabelled(name, "a ZIP archive")
    links = _xml(name, archive, "_rels/.rels")
    main = next(
        (
            str(link.get("Target", "")).lstrip("/")
            for link in links.iter(f"{_LINKS}Relationship")
            if str(link.get("Type", "")).endswith(_MAIN)
        ),
        "",
    )
    if main not in parts:
        raise _damaged(name, "its main part is missing")
    kinds = _xml(name, archive, "[Content_Types].xml")
    kind = next(
        (str(found.get("ContentType", "")) for found in kinds if str(found.get("PartName", "")).lstrip("/") == main),
        "",
    )
    if not kind.endswith(_WORD) or "macro" in kind.lower():
        raise _mislabelled(name, next((what for mark, what in _OTHERS.items() if mark in kind), "no Word document"))
    return main


def _xml(name: str, archive: zipfile.ZipFile, path: str) -> etree._Element:
    """Return the tree of a part; what it expands to is counted, whatever the archive says."""
    try:
        with archive.open(path) as part:
            data = part.read(_LARGEST_PART + 1)
    except KeyError as error:
        raise _damaged(name, f"{path} is missing") from error
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError) as error:
        raise _damaged(name, f"{path}: {error}") from error
    if len(data) > _LARGEST_PART:
        raise _too_complex(name, f"expands to more than {_LARGEST_PART // 1_000_000} MB in {path}")
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise _damaged(name, f"{path}: {error.msg}") from error
    if root.getroottree().docinfo.internalDTD is not None:
        raise _damaged(name, f"{path} declares entities, which Word never does")
    return root


def _mislabelled(name: str, found: str) -> DocumentMislabelled:
    return DocumentMislabelled(
        f"{name} holds {found}; expected a Word document, as its ending says. Save it as DOCX.",
        {"name": name, "found": found},
    )


def _damaged(name: str, what: str) -> DocumentUnreadable:
    return DocumentUnreadable(
        f"{name} is damaged ({what}); expected a whole DOCX. Open it in Word and save it again.", {"name": name}
    )


def _too_complex(name: str, what: str) -> DocumentTooComplex:
    return DocumentTooComplex(
        f"{name} {what}; expected an ordinary document. Save it again, or split it.", {"name": name}
    )

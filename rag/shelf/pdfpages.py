"""The pages of a PDF as lines of text; ``pdf.py`` runs this as a program of its own (``apart``).

    in    the file on standard input; the most pages as the argument
    out   a JSON object a line: the document ("pages", "title") or why it is "refused", then one for each page

PDFium is made for hostile files, and yet: in a process of its own it can neither hang nor fill this one.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from math import cos, hypot, pi, sin
from typing import Any, Final

from rag.shelf.glyphs import Cell, Glyph, lines_of

_BOLD: Final = ("bold", "black", "heavy", "demi")
_FEW: Final = 200  # characters; a page with fewer may be a picture of text


class _Reader:
    """Reads the characters of pages through PDFium's functions in C."""

    def __init__(self) -> None:
        import ctypes

        import pypdfium2.raw

        self.pdfium: Any = pypdfium2.raw
        self.box, self.matrix = self.pdfium.FS_RECTF(), self.pdfium.FS_MATRIX()
        self.x, self.y = ctypes.c_double(), ctypes.c_double()
        self.name = ctypes.create_string_buffer(200)
        self.address = ctypes.addressof

    def runs(self, text: Any) -> list[list[Glyph]]:
        """Return the glyphs of a page's *text* in PDFium's lines; what stands across most of the page is left out."""
        looks: dict[int, tuple[float, bool, float]] = {}
        found: list[tuple[int, str, tuple[float, bool, float], tuple[float, ...]]] = []
        line = 0
        for number in range(self.pdfium.FPDFText_CountChars(text)):
            code = self.pdfium.FPDFText_GetUnicode(text, number)
            if code in (10, 13):
                line += code == 10
                continue
            drawn = self.pdfium.FPDFText_GetTextObject(text, number)
            at = self.address(drawn.contents) if drawn else 0
            if at not in looks:
                looks[at] = self._look(text, number)
            found.append((line, self._letter(text, number, code), looks[at], self._place(text, number)))
        quarters = Counter(_quarter(look[2]) for _, letter, look, _ in found if letter.strip())
        upright = quarters.most_common(1)[0][0] if quarters else 0
        runs: dict[int, list[Glyph]] = {}
        for line, letter, look, place in found:
            if not letter.strip() or _quarter(look[2]) == upright:
                runs.setdefault(line, []).append(_turned(letter, look, place, upright or 0))
        return list(runs.values())

    def _letter(self, text: Any, number: int, code: int) -> str:
        if code == 0 or self.pdfium.FPDFText_HasUnicodeMapError(text, number) == 1:
            return "\ufffd"
        return chr(code)

    def _place(self, text: Any, number: int) -> tuple[float, ...]:
        box = self.box
        self.pdfium.FPDFText_GetLooseCharBox(text, number, box)
        self.pdfium.FPDFText_GetCharOrigin(text, number, self.x, self.y)
        return box.left, box.right, box.bottom, box.top, self.x.value, self.y.value

    def _look(self, text: Any, number: int) -> tuple[float, bool, float]:
        """Return the size of the letters on the paper, whether they are bold, and the angle of their line."""
        matrix = self.matrix
        self.pdfium.FPDFText_GetMatrix(text, number, matrix)
        size = self.pdfium.FPDFText_GetFontSize(text, number) * hypot(matrix.c, matrix.d)
        self.pdfium.FPDFText_GetFontInfo(text, number, self.name, len(self.name), None)
        name = self.name.value.decode("utf-8", "replace").lower()
        return size or 1.0, any(word in name for word in _BOLD), self.pdfium.FPDFText_GetCharAngle(text, number)


def _quarter(angle: float) -> int | None:
    """Return how many quarter turns to the left a line is turned, None where it is askew."""
    turns = angle / (pi / 2)
    return round(turns) % 4 if abs(turns - round(turns)) < 0.1 else None


def _turned(letter: str, look: tuple[float, bool, float], place: tuple[float, ...], quarter: int) -> Glyph:
    left, right, bottom, top, x, y = place
    along, across = cos(quarter * pi / 2), sin(quarter * pi / 2)
    ends = sorted((left * along + bottom * across, right * along + top * across))
    return Glyph(letter, round(ends[0], 2), round(ends[1], 2), round(y * along - x * across, 2), look[0], look[1])


def _pictures(page: Any, pdfium: Any) -> bool:
    """Return whether a page shows a picture."""
    objects = min(pdfium.FPDFPage_CountObjects(page), 500)
    kinds = (pdfium.FPDFPageObj_GetType(pdfium.FPDFPage_GetObject(page, number)) for number in range(objects))
    return any(kind == pdfium.FPDF_PAGEOBJ_IMAGE for kind in kinds)


def pages_of(data: bytes, most: int) -> Iterator[dict[str, Any]]:
    """Yield what is known of the document, or why it is refused; then each page."""
    import pypdfium2

    reader = _Reader()
    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        locked = error.err_code in (reader.pdfium.FPDF_ERR_PASSWORD, reader.pdfium.FPDF_ERR_SECURITY)
        yield {"refused": "locked" if locked else "damaged"}
        return
    if not 0 < len(document) <= most:
        yield {"refused": "pages" if len(document) else "damaged", "pages": len(document)}
        return
    yield {"pages": len(document), "title": document.get_metadata_value("Title")}
    for number in range(len(document)):
        try:
            page = document[number]
            text = page.get_textpage()
        except pypdfium2.PdfiumError:
            yield {"refused": "damaged", "page": number + 1}
            return
        lines = lines_of(reader.runs(text.raw))
        few = sum(len(line.text) for line in lines) < _FEW
        yield {
            "height": page.get_height(),
            "pictures": few and _pictures(page.raw, reader.pdfium),
            "lines": [[[_triple(cell) for cell in line.cells], line.base, line.size, line.bold] for line in lines],
        }
        text.close()
        page.close()


def _triple(cell: Cell) -> tuple[str, float, float]:
    return cell.text, cell.left, cell.right


def main() -> None:
    """Read a PDF from standard input and write its pages."""
    for found in pages_of(sys.stdin.buffer.read(), int(sys.argv[1])):
        sys.stdout.write(json.dumps(found) + "\n")
        sys.stdout.flush()

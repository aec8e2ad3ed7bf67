"""Small PDFs made for the tests: written with reportlab, or object by object where a file is to be hostile."""

from __future__ import annotations

import io
import zlib
from collections.abc import Sequence

from PIL import Image
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

WIDTH, HEIGHT = 400, 560
LEFT, RIGHT, TOP = 40, 360, 500


class Paper:
    """A page after the other; text is broken at the right edge as a word processor does."""

    def __init__(self, *, password: str = "", title: str = "") -> None:
        self._out = io.BytesIO()
        lock = StandardEncryption(password, ownerPassword="owner") if password else None
        self._canvas = Canvas(self._out, pagesize=(WIDTH, HEIGHT), encrypt=lock, invariant=1)
        if title:
            self._canvas.setTitle(title)
        self._y = TOP

    def heading(self, text: str, size: int = 18) -> None:
        self._y -= size
        self._put(text, LEFT, "Helvetica-Bold", size)
        self._y -= size

    def paragraph(self, text: str, *, hyphens: Sequence[str] = (), size: int = 10) -> None:
        """Write a paragraph; a word with "|" in it may be broken there with a hyphen."""
        line = ""
        for word in text.split(" "):
            for place, part in enumerate(word.split("|")):
                glue = "" if place else " "
                if line and self._canvas.stringWidth(line + glue + part + "-", "Helvetica", size) > RIGHT - LEFT:
                    self._line(f"{line}-" if place else line, size)
                    line = part
                else:
                    line = line + glue + part if line else part
        self._line(line, size)
        self._y -= size

    def lines(self, *texts: str, size: int = 10) -> None:
        for text in texts:
            self._line(text, size)
        self._y -= size

    def table(self, *rows: Sequence[str], head: bool = True) -> None:
        for number, row in enumerate(rows):
            for place, cell in enumerate(row):
                font = "Helvetica-Bold" if head and number == 0 else "Helvetica"
                self._put(cell, LEFT + 110 * place, font, 10)
            self._y -= 16
        self._y -= 10

    def margin(self, text: str, y: int, size: int = 8) -> None:
        self._canvas.setFont("Helvetica", size)
        self._canvas.drawString(LEFT, y, text)

    def picture(self) -> None:
        image = Image.new("L", (60, 80), 200)
        self._canvas.drawImage(ImageReader(image), 0, 0, WIDTH, HEIGHT)

    def page(self) -> None:
        self._canvas.showPage()
        self._y = TOP

    def data(self) -> bytes:
        if not self._out.getvalue():
            self._canvas.save()
        return self._out.getvalue()

    def _line(self, text: str, size: int) -> None:
        self._put(text, LEFT, "Helvetica", size)
        self._y -= 1.3 * size

    def _put(self, text: str, x: float, font: str, size: int) -> None:
        self._canvas.setFont(font, size)
        self._canvas.drawString(x, self._y, text)


def raw_pdf(*objects: bytes) -> bytes:
    """Return a PDF of *objects*, numbered from 1; the first is its catalogue."""
    out, places = b"%PDF-1.7\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, table)
    return out + b"trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)


CATALOG = b"<</Type/Catalog/Pages 2 0 R>>"
PAGES = b"<</Type/Pages/Kids[3 0 R]/Count 1>>"
PAGE = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>"
FONT = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica%s>>"


def stream(data: bytes, extra: bytes = b"") -> bytes:
    return b"<</Length %d%s>>\nstream\n%s\nendstream" % (len(data), extra, data)


def bomb(megabytes: int) -> bytes:
    """Return a small PDF whose one stream becomes *megabytes* of drawing when it is inflated."""
    packer = zlib.compressobj(9)
    line = b"BT /F 10 Tf 10 10 Td (words) Tj ET\n" * 30_000
    packed = b"".join(packer.compress(line) for _ in range(megabytes)) + packer.flush()
    return raw_pdf(CATALOG, PAGES, PAGE, stream(packed, b"/Filter/FlateDecode"), FONT % b"")


def nested(depth: int) -> bytes:
    """Return a PDF whose stream is packed *depth* times over."""
    data = b"BT /F 10 Tf 10 10 Td (words) Tj ET" + b" " * 50_000_000
    for _ in range(depth):
        data = zlib.compress(data, 9)
    filters = b"/Filter[" + b"/FlateDecode" * depth + b"]"
    return raw_pdf(CATALOG, PAGES, PAGE, stream(data, filters), FONT % b"")


def endless_tree() -> bytes:
    """Return a PDF whose pages hold themselves."""
    return raw_pdf(CATALOG, b"<</Type/Pages/Kids[2 0 R 2 0 R]/Count 2>>", PAGE, stream(b""), FONT % b"")


def many_pages(count: int) -> bytes:
    kids = b" ".join(b"%d 0 R" % number for number in range(3, count + 3))
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>"
    return raw_pdf(CATALOG, b"<</Type/Pages/Kids[%s]/Count %d>>" % (kids, count), *[page] * count)


def self_drawing() -> bytes:
    """Return a PDF whose form draws itself, sixty times over at every level."""
    form = b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 4 0 R>>>>"
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 5 0 R/Resources<</XObject<</X 4 0 R>>>>>>"
    return raw_pdf(CATALOG, PAGES, page, stream(b"/X Do " * 60, form), stream(b"/X Do"))


def without_letters() -> bytes:
    """Return a PDF that draws words and says that its letters are signs for private use."""
    cmap = b"/CIDInit/ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange <00> <FF>\n"
    cmap += b"endcodespacerange 1 beginbfrange <41> <7A> <E041> endbfrange endcmap end end"
    text = b"BT /F 12 Tf 20 200 Td (These words cannot be copied by anybody at all) Tj ET"
    return raw_pdf(CATALOG, PAGES, PAGE, stream(text), FONT % b"/ToUnicode 6 0 R", stream(cmap))


def small_picture() -> bytes:
    """Return a PNG without words."""
    out = io.BytesIO()
    Image.new("L", (60, 80), 200).save(out, "png")
    return out.getvalue()

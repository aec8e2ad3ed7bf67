"""What the styles of a Word document say of a paragraph: whether it is a heading, in a list, in a table of contents."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from lxml import etree

from rag.shelf.officefile import OfficeFile

_WORDS: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_HEADING: Final = re.compile(r"heading ([1-9])")  # Word keeps this name in every language
_DEEPEST: Final = 20  # styles that rest on one another


def w(name: str) -> str:
    """Return a name of WordprocessingML in full."""
    return _WORDS + name


def attribute(element: etree._Element, name: str) -> str:
    """Return an attribute of WordprocessingML, "" where there is none."""
    return str(element.get(w(name), ""))


@dataclass(frozen=True, slots=True)
class Style:
    """A paragraph's style: its level as a heading, 0 for none; whether it belongs to a table of contents."""

    level: int = 0
    contents: bool = False


class Styles:
    """The styles and lists of a document."""

    def __init__(self, styles: etree._Element | None, numbering: etree._Element | None) -> None:
        found = styles.iter(w("style")) if styles is not None else ()
        self._styles = {attribute(style, "styleId"): style for style in found}
        self._lists = dict(_lists(numbering)) if numbering is not None else {}

    def of_paragraph(self, paragraph: etree._Element) -> Style:
        """Return what the style of *paragraph* makes of it."""
        own = _level(paragraph)
        names = [_value(style, "name").lower() for style in self._chain(paragraph)]
        if any(name.startswith("toc ") for name in names):
            return Style(contents=True)
        if own:
            return Style(own)
        for style, name in zip(self._chain(paragraph), names, strict=True):
            heading = _HEADING.fullmatch(name)
            level = int(heading[1]) if heading else 1 if name == "title" else _level(style)
            if level:
                return Style(level)
        return Style()

    def list_of(self, paragraph: etree._Element) -> tuple[str, int] | None:
        """Return the list that *paragraph* is an item of, and how deep; None where it is none."""
        for holder in (paragraph, *self._chain(paragraph)):
            place = holder.find(f"{w('pPr')}/{w('numPr')}")
            if place is not None:
                number, depth = (_value(place, name) for name in ("numId", "ilvl"))
                return (number, min(int(depth), 8) if depth.isdecimal() else 0) if number not in ("", "0") else None
        return None

    def numbering_of(self, number: str, depth: int) -> tuple[int, str]:
        """Return the first number of a list at a depth and its form, such as "%1."; "" where it has bullets."""
        return self._lists.get((number, depth), (1, ""))

    def _chain(self, paragraph: etree._Element) -> Iterator[etree._Element]:
        """Yield the style of *paragraph*, and those that it rests on."""
        name = _value(paragraph, "pPr", "pStyle")
        for _ in range(_DEEPEST):
            style = self._styles.get(name)
            if style is None:
                return
            yield style
            name = _value(style, "basedOn")


def read_styles(file: OfficeFile) -> Styles:
    """Return the styles of a document; none where it has lost them."""
    return Styles(file.part("styles.xml"), file.part("numbering.xml"))


def _value(element: etree._Element, *path: str) -> str:
    found = element.find("/".join(map(w, path)))
    return attribute(found, "val") if found is not None else ""


def _level(holder: etree._Element) -> int:
    level = _value(holder, "pPr", "outlineLvl")
    return int(level) + 1 if level.isdecimal() and int(level) < 9 else 0


def _lists(numbering: etree._Element) -> Iterator[tuple[tuple[str, int], tuple[int, str]]]:
    """Yield the first number and the form of each list that counts by itself, such as "1.", not "1.2.3"."""
    forms: dict[str, Mapping[int, tuple[int, str]]] = {}
    for kind in numbering.iter(w("abstractNum")):
        levels: dict[int, tuple[int, str]] = {}
        for level in kind.iter(w("lvl")):
            depth, form, first = attribute(level, "ilvl"), _value(level, "lvlText"), _value(level, "start")
            if _value(level, "numFmt") == "decimal" and depth.isdecimal() and form.count("%") == 1:
                levels[int(depth)] = (int(first) if first.isdecimal() else 1, form)
        forms[attribute(kind, "abstractNumId")] = levels
    for number in numbering.iter(w("num")):
        for place, found in forms.get(_value(number, "abstractNumId"), {}).items():
            yield (attribute(number, "numId"), place), found

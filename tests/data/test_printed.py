"""The PDF and DOCX documents say what the Markdown says that they are made from, and nothing of where or when."""

from __future__ import annotations

import doctest
import importlib.util
import io
import re
import sys
import tempfile
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

from languages import load
from rag.shelf.reading import read

DATA = Path(__file__).resolve().parents[2] / "data"
DEMO, PRINTED = DATA / "demo", DATA / "printed"
SOURCES = sorted(PRINTED.glob("*/*.md"))
LARGEST = 150_000


def target(source: Path) -> Path:
    return DEMO / source.parent.name / source.stem


def ident(source: Path) -> str:
    return f"{source.parent.name}/{source.stem}"


EVERY = pytest.mark.parametrize("source", SOURCES, ids=ident)
DOCX = pytest.mark.parametrize("source", [source for source in SOURCES if source.stem.endswith(".docx")], ids=ident)


@pytest.fixture(scope="module")
def maker() -> ModuleType:
    """Return the script that makes the documents."""
    spec = importlib.util.spec_from_file_location("data_printed_build", PRINTED / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def words(text: str) -> list[str]:
    """Return the words and figures of a text, in order, without the marks of Markdown and tables."""
    text = text.replace("اً", "ًا")  # two ways to write one ending; fonts have one sign for it
    text = re.sub(r"(?m)^(?:#+ )?(?:- |\d+\. )?|^\|[-|]+\|$", "", text)
    return re.findall(r"[^\s|•]+", text)


def test_every_document_that_is_no_text_has_its_source() -> None:
    made = {path for path in DEMO.glob("*/*") if path.suffix in {".pdf", ".docx"}}
    assert made == {target(source) for source in SOURCES}


def test_the_examples_of_the_script_hold(maker: ModuleType) -> None:
    assert doctest.testmod(maker) == (0, 1)


@EVERY
def test_what_is_read_is_what_was_written(source: Path) -> None:
    document = read(target(source))
    assert words(document.text) == words(source.read_text(encoding="utf-8"))
    assert document.language == source.parent.name
    assert words(document.title) == words(source.read_text(encoding="utf-8").splitlines()[0])


@EVERY
def test_files_are_small_and_hold_no_time_and_no_place(source: Path) -> None:
    data = target(source).read_bytes()
    assert len(data) <= LARGEST
    parts = [data]
    if source.stem.endswith(".docx"):
        with zipfile.ZipFile(io.BytesIO(data)) as file:
            assert {part.date_time for part in file.infolist()} == {(1980, 1, 1, 0, 0, 0)}
            parts = [file.read(name) for name in file.namelist()]
    for part in parts:
        assert not re.search(rb"/CreationDate|/ModDate|file:", part)
        assert not any(bytes(place) + b"/" in part for place in (DATA.parent, Path.home(), Path(tempfile.gettempdir())))
        assert not re.search(rb"202[6-9]-\d\d-\d\d", part)


@DOCX
def test_docx_is_made_anew_the_same(source: Path, maker: ModuleType) -> None:
    made = maker.docx(maker.parse(source), load(source.parent.name))
    with zipfile.ZipFile(io.BytesIO(made)) as fresh, zipfile.ZipFile(target(source)) as kept:
        assert fresh.namelist() == kept.namelist()
        for name in fresh.namelist():
            assert fresh.read(name) == kept.read(name), name


@DOCX
def test_arabic_paragraphs_run_from_right_to_left(source: Path) -> None:
    with zipfile.ZipFile(target(source)) as file:
        body = file.read("word/document.xml").decode()
    paragraphs, turned = body.count("</w:p>"), body.count("<w:bidi/>")
    assert turned == (paragraphs if source.parent.name == "ar" else 0)
    assert ("<w:bidiVisual/>" in body) == (source.parent.name == "ar")

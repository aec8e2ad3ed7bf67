"""Files become documents whose blocks stand word for word in the visible text, or are refused by name."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rag.errors import (
    DocumentEmpty,
    DocumentMislabelled,
    DocumentMissing,
    DocumentTooLarge,
    DocumentUnreadable,
    FormatUnknown,
)
from rag.shelf.blocks import ReadingLimits
from rag.shelf.reading import READERS, Source, find_files, read, read_source, shelf_name

MARKDOWN = """---
title: Kettle manual
lang: en
---
# The **Borva** kettle

It boils *one litre* in [three minutes](http://example.org/a?b=c).
![A red kettle](http://example.org/kettle.png)

## Key facts

- Weight: 1.2 kg
- Cable: 75 cm
1. Fill it.
2. Switch it on.

**Warranty.** Two years.

| Part | Price |
|---|---|
| Lid | £4 |
| Filter | £9, two pieces |

**What we liked**

Quiet, and quick to boil.
"""

HTML = """<!doctype html><html lang="fr"><head><title>Bouilloire Borva</title><style>p{color:red}</style></head>
<body><!-- secret --><script>alert("x")</script><p hidden>caché</p><div style="display: none">invisible</div>
<h1>Bouilloire Borva</h1><p>Elle pèse&nbsp;1,2&nbsp;kg<br>et mesure 22 cm.</p>
<ul><li>Couleur : rouge</li><li><b>Garantie.</b> Deux ans.</li></ul>
<table><thead><tr><th>Pièce</th><th>Prix</th></tr></thead><tr><td>Couvercle</td><td>4 €</td></tr></table>
<dl><dt>Puissance</dt><dd>2 200 W</dd></dl></body></html>"""


def document(name: str, data: str | bytes):
    return read_source(Source(name, data.encode() if isinstance(data, str) else data))


def kinds(name: str, data: str | bytes) -> list[tuple[str, str]]:
    read_in = document(name, data)
    return [(block.kind, read_in.words_of(block)) for block in read_in.blocks]


def test_markdown_loses_its_marks_and_keeps_its_words() -> None:
    assert kinds("kettle.md", MARKDOWN) == [
        ("heading", "The Borva kettle"),
        ("paragraph", "It boils one litre in three minutes. A red kettle"),
        ("heading", "Key facts"),
        ("item", "Weight: 1.2 kg"),
        ("item", "Cable: 75 cm"),
        ("item", "1. Fill it."),
        ("item", "2. Switch it on."),
        ("paragraph", "Warranty. Two years."),
        ("columns", "Part | Price"),
        ("row", "Lid | £4"),
        ("row", "Filter | £9, two pieces"),
        ("heading", "What we liked"),
        ("paragraph", "Quiet, and quick to boil."),
    ]


def test_front_matter_gives_the_title_and_labels_are_kept() -> None:
    kettle = document("kettle.md", MARKDOWN)
    assert kettle.title == "Kettle manual"
    assert kettle.language == "en"
    assert [block.label for block in kettle.blocks if block.label] == ["Weight", "Cable", "Warranty"]
    row = next(block for block in kettle.blocks if block.kind == "row")
    assert (row.columns, row.cells) == (("Part", "Price"), ("Lid", "£4"))


def test_html_shows_what_a_browser_shows() -> None:
    assert kinds("borva.html", HTML) == [
        ("heading", "Bouilloire Borva"),
        ("paragraph", "Elle pèse\u00a01,2\u00a0kg et mesure 22 cm."),
        ("item", "Couleur : rouge"),
        ("item", "Garantie. Deux ans."),
        ("columns", "Pièce | Prix"),
        ("row", "Couvercle | 4 €"),
        ("fact", "Puissance: 2 200 W"),
    ]
    assert document("borva.html", HTML).language == "fr"


def test_html_text_is_never_markup() -> None:
    hostile = (
        '<p>Hello <img src=x onerror=alert(1)> there <iframe srcdoc="<b>x</b>"></iframe>&lt;b&gt;bold&lt;/b&gt;</p>'
    )
    assert kinds("x.html", hostile) == [("paragraph", "Hello  there <b>bold</b>")]


def test_plain_text_shows_its_headings_lists_and_wrapped_lines() -> None:
    text = (
        "BORVA KETTLE\n============\n\nThe Borva kettle was made for people who are always in a hurry, and for\n"
        "those who are not.\nWeight: 1.2 kg\nCable: 75 cm\n\nCleaning\n- Use vinegar.\n- Rinse twice.\n"
    )
    assert kinds("kettle.txt", text) == [
        ("heading", "BORVA KETTLE"),
        ("paragraph", "The Borva kettle was made for people who are always in a hurry, and for those who are not."),
        ("fact", "Weight: 1.2 kg"),
        ("fact", "Cable: 75 cm"),
        ("heading", "Cleaning"),
        ("item", "Use vinegar."),
        ("item", "Rinse twice."),
    ]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_a_table_of_values_is_read_by_its_own_delimiter(delimiter: str) -> None:
    rows = delimiter.join(["Name", "Preis", "Farbe"]) + "\n" + delimiter.join(["Borva", '"1.199 €"', "rot"]) + "\n"
    read_in = document("katalog.csv", rows)
    row = read_in.blocks[-1]
    assert read_in.words_of(row) == "Borva | 1.199 € | rot"
    assert row.columns == ("Name", "Preis", "Farbe")


def test_a_short_row_and_a_long_one_keep_their_cells() -> None:
    read_in = document("a.csv", "Name,Price\nLid\nFilter,9,spare\n")
    assert [block.cells for block in read_in.blocks[1:]] == [("Lid",), ("Filter", "9", "spare")]
    assert read_in.blocks[2].columns == ("Name", "Price", "")


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Größe: 12 cm, Müller", "utf-8"),
        ("Größe: 12 cm, Müller", "utf-8-sig"),
        ("Größe: 12 cm, Müller", "cp1252"),
        ("Le câble mesure où ? 12 € à côté", "cp1252"),
        ("الضمان: سنتان من تاريخ الشراء", "cp1256"),
        ("الضمان: سنتان، ثمن Borva ٩٩ ريالًا", "utf-8"),
        ("الضمان: سنتان من تاريخ الشراء", "utf-16"),
        ("Größe: 12 cm, Müller", "utf-16"),
        ("الضمان: سنتان من تاريخ الشراء", "utf-16-le"),
        ("الضمان: سنتان من تاريخ الشراء", "utf-16-be"),
        ("الضمان", "utf-16-le"),
        ("Plain words in two bytes each", "utf-16-le"),
        ("Plain words in two bytes each", "utf-16-be"),
    ],
)
def test_letters_are_right_in_every_encoding(text: str, encoding: str) -> None:
    assert document("a.txt", text.encode(encoding)).text == text


@pytest.mark.parametrize(
    ("name", "data", "error"),
    [
        ("a.txt", b"", DocumentEmpty),
        ("a.txt", b" \n\t ", DocumentEmpty),
        ("a.md", b"---\n***\n", DocumentEmpty),
        ("a.html", b"<html><script>let words = 1</script></html>", DocumentEmpty),
        ("a.txt", b"%PDF-1.7 and more", DocumentMislabelled),
        ("a.csv", b"PK\x03\x04 and more", DocumentMislabelled),
        ("a.txt", b"\x89PNG\r\n\x1a\n\x00\x00", DocumentMislabelled),
        ("a.txt", b"abc\x00\x01\x02\x03\xff\xfe def", DocumentMislabelled),
        ("a.pdf", b"words", DocumentMislabelled),
        ("a.odt", b"words", FormatUnknown),
        ("a", b"words", FormatUnknown),
    ],
)
def test_what_cannot_be_read_is_refused_by_name(tmp_path: Path, name: str, data: bytes, error: type[Exception]) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(error) as caught:
        read(path)
    assert caught.value.values["name"] == name
    assert name in str(caught.value)


def test_missing_large_and_unreadable_files_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(DocumentMissing):
        read(tmp_path / "none.txt")
    with pytest.raises(DocumentMissing):
        read(tmp_path / "no-folder")
    (tmp_path / "large.txt").write_text("words " * 100)
    with pytest.raises(DocumentTooLarge) as caught:
        read(tmp_path / "large.txt", limits=ReadingLimits(bytes=100))
    assert "limit" in caught.value.values
    (tmp_path / "folder.txt").mkdir()
    with pytest.raises(DocumentUnreadable):
        read(tmp_path / "folder.txt")


@pytest.mark.parametrize("name", [" .md", "\u200b.md"], ids=["blank", "invisible"])
def test_a_name_of_which_the_ending_alone_is_left_has_none(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("words")
    with pytest.raises(FormatUnknown):
        read(tmp_path / name)


def test_a_path_that_is_too_long_is_that_of_no_folder() -> None:
    path = Path("a" * 300 + ".md")
    assert find_files([path]) == [(path, path.name)]
    with pytest.raises(DocumentUnreadable):
        read(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_and_a_device_are_refused_without_waiting_for_them(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "device.md").symlink_to("/dev/zero")
    for name in ("pipe.md", "device.md"):
        with pytest.raises(DocumentUnreadable):
            read(tmp_path / name)


def test_nesting_without_end_is_refused_or_read_but_never_a_traceback() -> None:
    deep = "<div>" * 5000 + "words" + "</div>" * 5000
    try:
        text = document("deep.html", deep).text
    except DocumentUnreadable as error:
        text = str(error)
    assert "words" in text or "deep.html" in text


def test_names_are_nfc_without_direction_marks_and_stay_inside() -> None:
    assert shelf_name("Gro\u0308\u00dfe.md") == "Größe.md"
    assert shelf_name("../../etc/\u202egpj.md") == "etc/gpj.md"
    assert shelf_name("a\\b.md") == "a/b.md"


def test_folders_are_walked_without_hidden_files_and_ways_out(tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    (folder / "sub").mkdir(parents=True)
    (folder / ".git").mkdir()
    (tmp_path / "secret.md").write_text("secret")
    for name in ("b.md", "sub/a.md", ".git/c.md", ".hidden.md"):
        (folder / name).write_text("words")
    (folder / "link.md").symlink_to(tmp_path / "secret.md")
    assert [name for _, name in find_files([folder])] == ["b.md", "sub/a.md"]


@given(text=st.text(max_size=400), suffix=st.sampled_from(sorted(READERS)))
@example(text=".XML", suffix=".htm")
def test_any_text_is_read_or_refused_and_blocks_are_in_order(text: str, suffix: str) -> None:
    try:
        read_in = document("a" + suffix, text.encode("utf-8", "replace"))
    except (DocumentEmpty, DocumentMislabelled, DocumentUnreadable):
        return
    at = 0
    for block in read_in.blocks:
        assert at <= block.start < block.end <= len(read_in.text)
        assert not re.search(r"\A\s|\s\Z", read_in.words_of(block))
        at = block.end

"""Text of people, documents and models stays text; lines from right to left keep names and quantities whole."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from rag.pages.documents import safe_name
from rag.pages.marks import isolate, plain, rich
from rag.pages.message import marked

# As near to the browser's Markdown as there is here; bare addresses, which it leaves alone, are tried in the browser.
MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
ACTIVE = ("image", "link_open", "html_inline", "html_block")


def tokens(markdown: str) -> set[str]:
    """Return the types of all that *markdown* is read as."""
    found = set()
    for token in MARKDOWN.parse(markdown):
        found.add(token.type)
        found.update(child.type for child in token.children or ())
    return found


HOSTILE = [
    "![x](http://evil.example/?q=1)",
    "[click](javascript:alert(1))",
    "[click][1]\n\n[1]: http://evil.example",
    "<img src=x onerror=alert(1)>",
    "<http://evil.example>",
    "http://evil.example/x",
    "www.evil.example",
    "desk@evil.example",
    "![a\n](http://evil.example)",
    "[![x](http://evil.example)](http://evil.example)",
    "text\n<script>alert(1)</script>",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_plain_text_acts_on_nothing(text: str) -> None:
    assert not tokens(plain(text)) & set(ACTIVE)


@pytest.mark.parametrize("text", HOSTILE)
def test_an_answer_acts_on_nothing_but_keeps_its_form(text: str) -> None:
    found = tokens(rich(f"**Yes**\n\n- one\n- two\n\n{text}"))
    assert not found & set(ACTIVE)
    assert {"strong_open", "bullet_list_open"} <= found


@pytest.mark.parametrize(
    "text", [":red[x]", ":material/home:", ":smile:", "$x$", "$$y$$", "a -> b", "```mermaid\ngraph"]
)
def test_what_only_streamlit_reads_is_escaped_too(text: str) -> None:
    for shown in (plain(text), rich(text)):
        assert not re.search(r"(?<!\\):(red\[|material/|smile:)|(?<!\\)\$|mermaid\n", shown)


@given(st.text(alphabet="ab \n*_`[]()!<>#|~$:\\-+.1&;=\"'", max_size=60))
def test_plain_text_reads_back_as_it_was(text: str) -> None:
    rendered = MARKDOWN.render(plain(text))
    shown = re.sub(r"<[^>]+>", "", rendered)
    for entity, character in {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&amp;": "&"}.items():
        shown = shown.replace(entity, character)
    assert "".join(shown.split()) == "".join(text.split())


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("سعر Veltara 13 Pro اليوم", "Veltara 13 Pro"),
        ("الوزن 1.19 kg تقريبًا", "1.19 kg"),
        ("خصم 40%.", "40%"),
        ("اتصل على +49 30-1234", "+49 30-1234"),
        ("اتصل على +966 11 482 7700 اليوم", "+966 11 482 7700"),
        ("من 08:30–18:00 يوميًا", "08:30–18:00"),
        ("السعر 1.199 € فقط", "1.199 €"),
        ("ضمان Cairn 13.", "Cairn 13"),
    ],
)
def test_names_and_quantities_stay_whole_from_right_to_left(text: str, whole: str) -> None:
    assert f"\u2066{whole}\u2069" in isolate(text, "rtl")
    assert isolate(text, None) == text


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("From a document in Arabic: “سعره 4,199 ريالًا، ومعه Pro 2.” [1]", "سعره 4,199 ريالًا، ومعه"),
        ("Ruvella Talune 7 – السعر: 2,649 ريالًا [1] See “ضمان 36 شهرًا.” [2]", "السعر: 2,649 ريالًا"),
        ("From a document: “ضمان 36 شهرًا.” [2]", "ضمان 36 شهرًا."),
        ("What does مرحبا mean?", "مرحبا"),
    ],
)
def test_arabic_within_a_line_from_left_to_right_stays_whole(text: str, whole: str) -> None:
    assert f"\u2067{whole}\u2069" in isolate(text, "ltr")
    assert isolate("Nothing runs against it.", "ltr") == "Nothing runs against it."


def test_a_quotation_within_a_line_from_right_to_left_stays_whole() -> None:
    said = isolate("من مستند بالألمانية: «Der Geräteschutz kostet 5,99 € im Monat.» [1] وسعر Veltara 13", "rtl")
    assert "«\u2066Der Geräteschutz kostet 5,99 € im Monat.\u2069» [1]" in said
    assert said.endswith("\u2066Veltara 13\u2069")


def test_the_marker_of_a_numbered_list_is_left_alone() -> None:
    assert isolate("10. الخطوة العاشرة", "rtl") == "10. الخطوة العاشرة"


def test_a_quote_is_marked_where_it_stands() -> None:
    assert marked("One. Two. Three.", "Two.") == r"One\. :primary-background[Two\.] Three\."


def test_a_quote_over_two_lines_is_marked_line_by_line() -> None:
    assert marked("a\nb\nc", "a\nb") == ":primary-background[a]  \n:primary-background[b]  \nc"


def test_a_quote_that_its_passage_does_not_hold_is_shown_alone() -> None:
    assert marked("Something else.", "Two.") == r":primary-background[Two\.]"
    assert marked("", "") == ""


@pytest.mark.parametrize(
    "name",
    [
        "../../etc/passwd",
        "a\0b.md",
        "x" * 300 + ".md",
        "C:\\x\\y.txt",
        "...",
        "",
        "مستند\u202efdp.md",
        "a/b/c.csv",
        ".md",
    ],
)
def test_the_name_of_an_upload_stays_in_its_folder(name: str) -> None:
    kept = safe_name(name)
    assert kept
    assert len(kept.encode()) <= 255
    assert not set("/\\\0\u202e") & set(kept)
    assert kept not in {".", ".."}

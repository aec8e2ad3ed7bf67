"""Text of people, documents and models stays text; lines from right to left keep names and quantities whole."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from rag.pages.direction import Direction
from rag.pages.documents import safe_name
from rag.pages.marks import isolate, plain, rich, whole
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


@pytest.mark.parametrize("special", list("\\`*_{}[]()#+-.!|<>~$:"))
def test_each_special_sign_is_escaped(special: str) -> None:
    assert plain(f"a{special}b") == f"a\\{special}b"


def test_lines_stay_and_none_becomes_code() -> None:
    assert plain("one\n    two") == "one  \ntwo"


def test_addresses_are_no_links() -> None:
    shown = plain("https://h.example/x and a@b.example")
    assert "https://" not in shown.replace("\\", "")
    assert "a@b" not in shown


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
        ("راسلنا على desk@shop.example.", "desk@shop.example"),
        ("راسلنا على desk\u2060@shop.example", "desk\u2060@shop.example"),
        ("انظر https:\u2060//shop.example/a-b هنا", "https:\u2060//shop.example/a-b"),
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


def test_signs_and_units_stay_with_their_numbers() -> None:
    for quantity in ("40%", "$1,199", "-5", "1.5 kg"):
        isolated = isolate(f"س {quantity} ص", "rtl")
        assert quantity in isolated.replace("\u2066", "").replace("\u2069", "")
    assert isolate("خصم $40 اليوم", "rtl") == "خصم \u2066$40\u2069 اليوم"


def test_the_marker_of_a_numbered_list_is_left_alone() -> None:
    assert isolate("10. الخطوة العاشرة", "rtl") == "10. الخطوة العاشرة"


def test_a_quote_is_marked_where_it_stands() -> None:
    assert marked("One. Two. Three.", {"Two.": ""}) == r"One\. :primary-background[Two\.] Three\."


def test_a_quote_over_two_lines_is_marked_line_by_line() -> None:
    assert marked("a\nb\nc", {"a\nb": ""}) == ":primary-background[a]  \n:primary-background[b]  \nc"


def test_a_quote_that_its_passage_does_not_hold_is_shown_alone() -> None:
    assert marked("Something else.", {"Two.": ""}) == r":primary-background[Two\.]"
    assert marked("", {"": ""}) == ""


@pytest.mark.parametrize("quotes", [("One. Two.", "Two. Three."), ("One. Two. Three.", "Two."), ("Two.", "One. Two.")])
def test_quotes_that_overlap_are_each_given_their_number_and_nothing_twice(quotes: tuple[str, str]) -> None:
    said = marked("One. Two. Three.", dict(zip(quotes, ("[1]", "[2]"), strict=True))).replace("\\", "")
    assert said.count("[1]") == said.count("[2]") == said.count("Two.") == 1


@pytest.mark.parametrize(
    "number",
    [
        "01632 960 180",
        "+44 1632 960-180",
        "0555-2214",
        "(030) 23125 307",
        "04 65 71 23 55",
        "920 012 345",
        "030 / 123456",
        "+49 (0)30 12",
    ],
)
@pytest.mark.parametrize("way", ["ltr", "rtl"])
def test_a_telephone_number_has_no_space_at_which_a_line_could_end(number: str, way: Direction) -> None:
    for show in (plain, rich):
        said = show(f"1. {number}, 2.", way).replace("\\", "")
        assert number.replace(" ", "\u00a0").replace("-", "\u2011") in said
    assert f"\u2066{number}\u2069" in isolate(f"اتصل على {number}.", "rtl")


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("It is red. [1][2]", "red.\u00a0[1]"),
        ("Et sa garantie ?", "garantie\u00a0?"),
        ("Il a dit « oui » : rien", "«\u00a0oui\u00a0»"),
        ("سعره كذا. [1]", "كذا.\u00a0[1]"),
    ],
)
def test_a_mark_is_never_alone_on_a_line(text: str, kept: str) -> None:
    assert kept in whole(text)


@pytest.mark.parametrize("text", ["2023 2024", "in 5 16 inches", "1 199 €", "1 234 567 €", "10. 20 GB", "8 90"])
def test_what_is_no_telephone_number_stays_as_it_is(text: str) -> None:
    assert whole(text) == text


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

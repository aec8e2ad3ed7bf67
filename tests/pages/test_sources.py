"""A source on the page says where its passage stands, and marks the words that are quoted."""

from __future__ import annotations

import re

import pytest
from streamlit.testing.v1 import AppTest

from languages import load


def sources(code: str, page: int) -> None:
    from languages import load
    from rag.events import Citation, Hit, Passage
    from rag.pages.message import draw_sources

    passage = Passage("k.0", "terms.pdf", "We keep orders. They stay ten years.", page=page)
    cited = Citation(1, "terms.pdf", "They stay ten years.", "k.0")
    draw_sources(load(code), "turn", (cited,), hits=(Hit(passage, 1.0),))


@pytest.mark.parametrize(("code", "page"), [("en", "page 3"), ("fr", "p.\u00a03"), ("de", "Seite 3"), ("ar", "صفحة 3")])
def test_a_source_with_pages_names_its_page(code: str, page: str) -> None:
    shown = AppTest.from_function(sources, args=(code, 3)).run(timeout=60)
    assert not shown.exception
    assert shown.expander[0].label == f"1 · \u2068terms\\.pdf\u2069 · {page}"
    assert ":primary-background[They stay ten years" in "".join(found.value for found in shown.markdown)


@pytest.mark.parametrize(
    ("code", "row"), [("en", "row 12"), ("fr", "ligne\u00a012"), ("de", "Zeile 12"), ("ar", "الصف 12")]
)
def test_a_source_in_a_table_names_its_row(code: str, row: str) -> None:
    def script(code: str) -> None:
        from languages import load
        from rag.events import Citation, Hit, Passage
        from rag.pages.message import draw_sources

        first = Passage("r", "t.csv", "A | 9", kind="row", context="Name: A; Price: 9", row=12)
        second = Passage("s", "u.csv", "B | 8", kind="row", context="Name: B; Price: 8", row=5)
        third = Passage("t", "u.csv", "C | 7", kind="row", context="Name: C; Price: 7", row=12)
        cited = tuple(
            Citation(number, each.document, each.text, each.id) for number, each in enumerate((first, second, third), 1)
        )
        draw_sources(load(code), "turn", cited, hits=tuple(Hit(each, 1.0) for each in (first, second, third)))

    shown = AppTest.from_function(script, args=(code,)).run(timeout=60)
    alone, several = shown.expander
    assert alone.label == f"1 · \u2068t\\.csv\u2069 · {row}"
    assert several.label.endswith("\u2069"), "rows of two numbers stand with their passages"
    assert several.caption[1].value == row


def test_a_source_without_pages_names_none() -> None:
    shown = AppTest.from_function(sources, args=("en", 0)).run(timeout=60)
    assert load("en").text("passage.page", {"page": "0"}) not in shown.expander[0].label
    assert shown.expander[0].label.endswith("\u2069")


def several() -> None:
    from languages import load
    from rag.events import Citation, Hit, Passage
    from rag.pages.message import draw_sources

    passages = (
        Passage("a", "terms.pdf", "We keep orders. They stay ten years.", page=3),
        Passage("b", "terms.pdf", "Returns are free.", page=5),
        Passage("c", "faq.md", "Ask us."),
    )
    cited = (
        Citation(1, "terms.pdf", "They stay ten years.", "a"),
        Citation(2, "faq.md", "Ask us.", "c"),
        Citation(3, "terms.pdf", "Returns are free.", "b", heading="Returns"),
        Citation(4, "terms.pdf", "We keep orders.", "a"),
    )
    draw_sources(load("en"), "turn", cited, hits=tuple(Hit(passage, 1.0) for passage in passages))


def test_a_file_is_listed_once_with_each_passage_under_its_number() -> None:
    shown = AppTest.from_function(several).run(timeout=60)
    assert not shown.exception
    terms, questions = shown.expander
    assert terms.label == "1, 3, and 4 · \u2068terms\\.pdf\u2069"
    assert questions.label == "2 · \u2068faq\\.md\u2069"
    first, second = (found.value for found in terms.markdown)
    assert first == (
        ":primary-background[We keep orders\\.]\u00a0\\[4\\] :primary-background[They stay ten years\\.]\u00a0\\[1\\]"
    )
    assert second == ":primary-background[Returns are free\\.]\u00a0\\[3\\]"
    assert [found.value for found in terms.caption] == ["page 3", "Returns · page 5"]
    assert [found.value for found in questions.markdown] == [":primary-background[Ask us\\.]"]


@pytest.mark.parametrize(("code", "mark"), [("en", "; "), ("fr", "\u202f; "), ("de", "; "), ("ar", "؛ ")])
def test_the_cells_of_a_row_are_set_apart_as_its_language_does(code: str, mark: str) -> None:
    def row(code: str) -> None:
        from languages import load
        from rag.events import Citation, Hit, Passage
        from rag.pages.message import draw_sources

        passage = Passage("r", "t.csv", "A | 9", language=code, kind="row", context="Name: A; Price: 9")
        draw_sources(load("en"), "turn", (Citation(1, "t.csv", "A | 9", "r"),), hits=(Hit(passage, 1.0),))

    shown = AppTest.from_function(row, args=(code,)).run(timeout=60)
    (said,) = (re.sub(r"[\\\u2066-\u2069]", "", found.value) for found in shown.expander[0].markdown)
    assert said.startswith(":primary-background[")
    assert f"A{mark}Price" in said
    assert not shown.expander[0].caption, "the row is said twice"


def repeated() -> None:
    from languages import load
    from rag.events import Citation, Hit, Passage
    from rag.pages.message import draw_sources

    row, columns = "Aria | 249", "Name: Aria; Price: 249"
    passages = (
        Passage("a", "prices.csv", row, kind="row", context=columns),
        Passage("b", "prices.csv", row, kind="row", context=columns),
        Passage("c", "prices.csv", row, kind="row", context=columns, shelf="own"),
        Passage("d", "prices.csv", "Bento | 99", kind="row", context="Name: Bento; Price: 99", shelf="own"),
        Passage("e", "others.csv", row, kind="row", context=columns),
    )
    cited = tuple(
        Citation(number, passage.document, passage.text, passage.id, shelf=passage.shelf)
        for number, passage in enumerate(passages, start=1)
    )
    draw_sources(load("en"), "turn", cited, hits=tuple(Hit(passage, 1.0) for passage in passages))


def test_a_row_that_a_file_has_several_times_is_one_source() -> None:
    shown = AppTest.from_function(repeated).run(timeout=60)
    assert not shown.exception
    shared, own, others = shown.expander
    assert shared.label == "1, 2, and 3 · \u2068prices\\.csv\u2069"
    (row,) = (found.value.replace("\\", "") for found in shared.markdown)
    assert row == ":primary-background[Name: Aria; Price: 249]\u00a0[1][2][3]"
    assert own.label == "4 · \u2068prices\\.csv\u2069", "another row of a file of that name is its own source"
    assert others.label == "5 · \u2068others\\.csv\u2069"


def test_one_text_on_two_pages_is_two_passages() -> None:
    def script() -> None:
        from languages import load
        from rag.events import Citation, Hit, Passage
        from rag.pages.message import draw_sources

        passages = [Passage(f"p{page}", "terms.pdf", "Returns are free.", page=page) for page in (3, 5)]
        cited = tuple(Citation(each.page, each.document, each.text, each.id) for each in passages)
        draw_sources(load("en"), "turn", cited, hits=tuple(Hit(each, 1.0) for each in passages))

    shown = AppTest.from_function(script).run(timeout=60)
    assert [found.value for found in shown.expander[0].caption] == ["page 3", "page 5"]

"""A source on the page says where its passage stands, and marks the words that are quoted."""

from __future__ import annotations

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


def test_a_source_without_pages_names_none() -> None:
    shown = AppTest.from_function(sources, args=("en", 0)).run(timeout=60)
    assert load("en").text("passage.page", {"page": "0"}) not in shown.expander[0].label
    assert shown.expander[0].label.endswith("\u2069")

"""The comparison page over a scripted library."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from languages import codes, load
from rag.answer.sidebyside import side_by_side
from rag.pages.compare import Comparison, exported, quotes
from tests.pages.drawing import bare, drawn, shown
from tests.pages.fakes import SHARED, FakeApplication
from tests.pages.products import CATALOGUE, PASSAGES, PRODUCTS, SHEET

TEXTS = load("en")
LANGUAGES = {record.name: record.language for record in SHARED}


def script() -> None:
    from rag.pages.compare import compare
    from tests.pages.app_under_test import open_scripted

    compare(open_scripted)


def opened(code: str = "en") -> AppTest:
    return drawn(script, code)


def choose(page: AppTest, *names: str) -> AppTest:
    pills = page.button_group[0]
    pills.set_value(list(names)).run()
    assert not page.exception
    return page


def table(page: AppTest) -> list[str]:
    found = [element.value for element in page.markdown if element.value.startswith("| ")]
    return bare(found[0]).replace("\u00a0", " ").splitlines() if found else []


def comparison(code: str = "en") -> Comparison:
    names = PRODUCTS[:2]
    return Comparison(names, side_by_side(names, LANGUAGES, code), code)


def test_without_products_the_page_says_so(application: FakeApplication) -> None:
    application.library.names = PRODUCTS[-1:]
    assert TEXTS.text("compare.none") in shown(opened())


def test_people_and_things_without_properties_are_not_offered(application: FakeApplication) -> None:
    offered = [bare(option).replace("\u00a0", " ") for option in opened().button_group[0].options]
    assert [
        name for name in ("Veltara 13", "Veltara 15", "Ridge [7]") if not any(name in each for each in offered)
    ] == []
    assert not any("Ada" in each or "Case" in each for each in offered)


def test_two_products_stand_side_by_side_with_sources_and_marks(application: FakeApplication) -> None:
    page = opened()
    assert TEXTS.text("compare.choose") in shown(page)
    rows = table(choose(page, "Veltara 13", "Veltara 15"))
    assert rows[0] == "|  | Veltara 13 | Veltara 15 |"
    assert "| ≠ Price | ⚠ **£1,199** :small[[1]] / **£1,249** :small[[2]] | **£1,399** :small[[1]] |" in rows
    assert "| ≠ Weight | **1.2 kg** :small[[1][2]] | **1.6 kg** :small[[1]] |" in rows
    said = shown(page)
    assert TEXTS.text("compare.differs") in said
    assert TEXTS.text("compare.disagree") in said
    sources = [bare(one.label) for one in page.expander]
    assert sources == [f"1 · {CATALOGUE}", f"2 · {SHEET}"]
    assert ":primary-background[£1,199]" in said


@pytest.mark.parametrize("code", codes())
def test_documents_in_the_language_of_the_page_come_first(application: FakeApplication, code: str) -> None:
    page = choose(opened(code), "Veltara 13", "Veltara 15")
    spoken = {"en": "Price", "de": "Preis", "ar": "السعر", "fr": "Price"}[code]  # no document is in French
    assert any(spoken in row for row in table(page))
    assert load(code).text("compare.differs") in shown(page)


def test_another_language_of_the_documents_can_be_chosen(application: FakeApplication) -> None:
    page = choose(opened(), "Veltara 13", "Veltara 15")
    page.selectbox[0].set_value("de").run()
    assert any("1.199 €" in row for row in table(page))
    assert not any("£1,199" in row for row in table(page))


def test_only_what_differs_is_shown_where_that_is_wanted(application: FakeApplication) -> None:
    page = choose(opened(), "Veltara 13", "Ridge [7]")
    assert any("Screen | 13.3 inches" in row for row in table(page))
    page.toggle(key="compare-differences").set_value(True).run()
    assert not any("Screen" in row for row in table(page))
    assert any("≠ Price" in row for row in table(page))


def test_attributes_are_chosen(application: FakeApplication) -> None:
    page = choose(opened(), "Veltara 13", "Veltara 15")
    assert not any("Colours" in row for row in table(page)), "what one product alone states is not chosen at first"
    page.button_group[1].set_value(["Colours"]).run()
    assert table(page)[2:] == ["| Colours | sand :small[[1]] | :small[not stated] |"]


def test_a_product_chosen_while_one_types_on_stays_chosen(application: FakeApplication) -> None:
    others = tuple(replace(PRODUCTS[0], name=f"Ardra {number}", aliases=()) for number in range(12))
    application.library.names = (*PRODUCTS, *others)
    page = opened()
    page.button_group[0].set_value(["Veltara 13"])
    page.text_input(key="compare-words").set_value("Ardra 1").run()  # both reach the page at once
    assert page.session_state["compared"] == ["Veltara 13"]
    page.text_input(key="compare-words").set_value("").run()
    page.button_group[0].set_value(["Veltara 13", "Ardra 2"])  # below other words, which were there before
    page.text_input(key="compare-words").set_value("Ardra 1").run()
    assert page.session_state["compared"] == ["Veltara 13", "Ardra 2"]
    page.button_group[0].set_value(["Veltara 13"]).run()
    choose(page, "Veltara 13", "Ardra 11")
    assert "| Veltara 13 | Ardra 11 |" in table(page)[0]


def test_a_quoted_passage_is_the_products_own(application: FakeApplication) -> None:
    passages = [passage for passage in PASSAGES if passage.document == CATALOGUE]
    found = quotes(passages, comparison(), CATALOGUE)
    assert [passage.id for passage, _ in found] == [passages[0].id, passages[1].id]
    assert "£1,399" not in found[0][1]


@pytest.mark.parametrize("code", codes())
def test_the_table_is_exported_with_its_sources(code: str) -> None:
    spoken = code if code != "fr" else "en"
    content = exported(load(code), comparison(spoken), "csv").decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(content)))
    assert rows[0] == [load(code).text("compare.attribute"), "Veltara 13", "Veltara 15"]
    assert any(row[0].startswith("[1] ") for row in rows)
    assert load(code).text("compare.missing") in content or all(all(row) for row in rows)
    written = exported(load(code), comparison(spoken), "markdown").decode()
    assert written.splitlines()[1] == "| --- | --- | --- |"
    assert "- [1] " in written


def test_a_formula_in_a_document_stays_text_in_the_export() -> None:
    names = (PRODUCTS[0], PRODUCTS[2])
    rows = side_by_side(names, LANGUAGES, "en")
    content = exported(TEXTS, Comparison(names, rows, "en"), "csv").decode("utf-8-sig")
    assert "'=£99" in content


def test_a_hostile_name_is_a_name(application: FakeApplication) -> None:
    name = "![x](http://evil.example) | <b>"
    application.library.names = (replace(PRODUCTS[0], name=name), *PRODUCTS[1:])
    page = choose(opened(), name, "Veltara 15")
    for element in page.markdown:
        assert "![x](" not in element.value
        assert "<b>" not in element.value.replace("\\<b\\>", "")
    lines = next(element.value for element in page.markdown if element.value.startswith("| ")).splitlines()
    assert len({line.replace("\\|", "").count("|") for line in lines}) == 1

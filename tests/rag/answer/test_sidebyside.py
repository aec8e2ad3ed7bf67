"""Products side by side: rows, differences, documents that disagree."""

from __future__ import annotations

import csv
import io

from memory.types import Attribute, Name
from rag.answer.sidebyside import agree, languages_of, products, side_by_side, to_csv

LANGUAGES = {"list.csv": "en", "sheet.md": "en", "liste.csv": "de"}


def product(name: str, *facts: tuple[str, str, str], type_: str = "PRODUCT") -> Name:
    return Name(name, type_, attributes=tuple(Attribute(*fact) for fact in facts))


BROOK = product(
    "Brook 3",
    ("Price", "$249", "list.csv"),
    ("Price", "$259", "sheet.md"),
    ("Weight", "1.2 kg", "list.csv"),
    ("weight", "1200 g", "sheet.md"),
    ("Display", "13 inches", "sheet.md"),
    ("Preis", "249 €", "liste.csv"),
    ("Ports", "2", "list.csv"),
)
DELTA = product(
    "Delta 5",
    ("Weight", "1.2 kg", "list.csv"),
    ("Price", "$349", "list.csv"),
    ("Screen", "15 inches", "list.csv"),
    ("Ports", " ", "list.csv"),
)


def rows() -> dict[str, list[list[str]]]:
    return {
        row.label: [[value.text for value in cell] for cell in row.cells]
        for row in side_by_side((BROOK, DELTA), LANGUAGES, "en")
    }


def test_rows_come_in_the_order_in_which_people_compare() -> None:
    assert list(rows()) == ["Price", "Weight", "Display", "Ports"]


def test_values_that_documents_state_in_other_words_are_one_and_those_that_differ_are_all_shown() -> None:
    found = rows()
    assert found["Price"] == [["$249", "$259"], ["$349"]]
    assert found["Weight"] == [["1.2 kg"], ["1.2 kg"]] or found["Weight"] == [["1200 g"], ["1.2 kg"]]
    (weight,) = [row for row in side_by_side((BROOK, DELTA), LANGUAGES, "en") if row.attribute == "weight"]
    assert weight.cells[0][0].documents == ("list.csv", "sheet.md")
    assert not weight.differs


def test_one_property_under_two_names_is_one_row() -> None:
    assert rows()["Display"] == [["13 inches"], ["15 inches"]]


def test_names_of_one_attribute_with_different_values_of_one_product_stay_apart() -> None:
    plan = product("Plan A", ("Price", "$10", "list.csv"), ("Monthly price", "$12", "list.csv"))
    labels = [row.label for row in side_by_side((plan, DELTA), LANGUAGES, "en")]
    assert {"Price", "Monthly price"} <= set(labels)


def test_an_empty_value_is_not_stated_and_other_languages_stay_out() -> None:
    assert rows()["Ports"] == [["2"], []]
    assert "Preis" not in rows()
    assert list(side_by_side((BROOK, DELTA), LANGUAGES, "fr")) == []
    assert languages_of((BROOK, DELTA), LANGUAGES) == ("en", "de")


def test_what_differs_is_told_from_what_is_missing() -> None:
    by_label = {row.label: row for row in side_by_side((BROOK, DELTA), LANGUAGES, "en")}
    assert by_label["Price"].differs
    assert not by_label["Ports"].differs
    assert not by_label["Ports"].is_whole


def test_agreement_needs_the_same_quantity_or_more_of_the_same_words() -> None:
    assert agree("24 months", "2 years", "en")
    assert agree("black, cream", "black, cream, blue", "en")
    assert not agree("24 months", "36 months", "en")
    assert not agree("1 TB", "11 TB", "en")
    assert not agree("yes", "no", "en")


def test_people_and_places_are_no_products() -> None:
    names = (
        product("Ada", ("Role", "head", "list.csv"), ("Room", "7", "list.csv"), type_="PERSON"),
        product("Alone", ("Price", "$1", "list.csv")),
        DELTA,
        BROOK,
    )
    assert [name.name for name in products(names)] == ["Brook 3", "Delta 5"]


def test_no_spreadsheet_takes_a_cell_for_a_formula() -> None:
    written = to_csv("none", ("", "A"), [["Price", "=cmd()"], ["Weight", ""]])
    assert list(csv.reader(io.StringIO(written))) == [["none", "A"], ["Price", "'=cmd()"], ["Weight", "none"]]

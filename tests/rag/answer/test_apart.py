"""Which of several values close together is the one asked for: a sibling's, an accessory's, another day's."""

from __future__ import annotations

import pytest

from memory.types import Name
from rag.answer.extraction import extract
from rag.answer.measures import types
from tests.rag.answer.places import ask, hit

_SIBLINGS = (Name("Oriel", "PRODUCT"), Name("Oriel XL", "PRODUCT"))
_BOTH = (
    hit("Price: $60\n\nWeight: 540 g", document="oriel.txt", heading="Oriel and Oriel XL > Oriel"),
    hit("Price: $149\n\nWeight: 1,320 g", document="oriel.txt", heading="Oriel and Oriel XL > Oriel XL"),
    hit(
        "A strap comes with the Oriel XL; for the Oriel it costs $10.",
        document="oriel.txt",
        heading="Oriel and Oriel XL > Strap",
    ),
)


@pytest.mark.parametrize(
    ("question", "entity", "begins", "lacks"),
    [
        ("How much does the Oriel XL cost?", "Oriel XL", "Price: $149", "$60"),
        ("How heavy is the Oriel XL?", "Oriel XL", "Weight: 1,320 g", "540"),
        ("How heavy is the Oriel?", "Oriel", "Weight: 540 g", "1,320"),
    ],
)
def test_a_smaller_sibling_is_not_the_thing_itself(question: str, entity: str, begins: str, lacks: str) -> None:
    text = extract(ask(question, *_BOTH, entities=(entity,), names=_SIBLINGS)).text
    assert text.startswith(f"{entity} – {begins}")
    assert lacks not in text


def test_what_a_sentence_goes_on_to_say_is_of_the_sibling_that_leads_it() -> None:
    lite = hit(
        "The phone Oriel 7 Lite is cheaper than the Oriel 7 by $100, as it costs $199.",
        document="lite.md",
        heading="Oriel 7 Lite",
    )
    plain = hit("It weighs 172 g and costs $299.", document="oriel-7.md", heading="Oriel 7")
    names = (Name("Oriel 7", "PRODUCT"), Name("Oriel 7 Lite", "PRODUCT"))
    text = extract(ask("How much is the Oriel 7?", lite, plain, entities=("Oriel 7",), names=names)).text
    assert text.startswith("It weighs 172 g and costs $299.")


@pytest.mark.parametrize(
    ("question", "hours"),
    [("When is the shop open on Saturday?", "10–16"), ("When is the shop open on weekdays?", "9–19")],
)
def test_of_two_columns_the_one_with_the_day_asked_about_is_said(question: str, hours: str) -> None:
    row = hit(
        "Eastgate,9–19,10–16",
        document="shops.csv",
        heading="shops",
        context="Shop: Eastgate; Opening hours on weekdays: 9–19; Opening hours on Saturday: 10–16",
    )
    assert hours in extract(ask(question, row)).text


@pytest.mark.parametrize(
    ("text", "language", "mass"),
    [("22 Euro", "de", False), ("22 pounds", "en", True), ("3 Pfund", "de", True), ("22 euros", "fr", False)],
)
def test_only_what_can_be_a_weight_is_one(text: str, language: str, mass: bool) -> None:
    assert ("mass" in types(text, language, {})) is mass


def test_the_weight_is_no_price() -> None:
    text = "The tiller costs 22 euros a day. It weighs 38 kg."
    answer = extract(ask("How much does the tiller weigh?", hit(text, document="hire.md", heading="Hire")))
    assert "38 kg" in answer.text

""" "And which one …?" is one of what the last question asked for, unless things to choose from were named."""

from __future__ import annotations

import pytest

from memory import Name
from tests.memory.reference.talking import taken_for

_LAMPS = (Name("Velda 2", "PRODUCT"), Name("Velda 3", "PRODUCT"))


@pytest.mark.parametrize(
    ("code", "asked", "said", "question", "meant"),
    [
        ("en", "Which bulb type does the Velda 2 take?", "The Velda 2 takes the QX-7.",
         "And which one goes into the Velda 3?", "And which bulb type goes into the Velda 3?"),
        ("de", "Welcher Stecker passt in die Velda 2?", "In die Velda 2 passt der QX-7.",
         "Und welcher passt in die Velda 3?", "Und welcher Stecker passt in die Velda 3?"),
        ("fr", "Quelle ampoule prend la Velda 2 ?", "La Velda 2 prend la QX-7.",
         "Et laquelle va dans la Velda 3 ?", "Et quelle ampoule va dans la Velda 3 ?"),
        ("ar", "أي مصباح يناسب Velda 2؟", "يناسبها QX-7.", "وأيها يناسب Velda 3؟", "وأي مصباح يناسب Velda 3؟"),
    ],
)  # fmt: skip
def test_which_one_takes_the_noun_of_the_last_question(
    code: str, asked: str, said: str, question: str, meant: str
) -> None:
    assert taken_for(code, question, asked, said, names=_LAMPS).standalone == meant


@pytest.mark.parametrize(
    ("code", "asked", "said", "question", "meant"),
    [
        ("en", "Which lamp is lighter, the Velda 2 or the Velda 3?", "The Velda 3.", "And which one is cheaper?",
         "And which one is cheaper, the Velda 2 or the Velda 3?"),
        ("en", "Which bulb type does the Velda 2 take?", "The QX-7.", "Which one is your shop?",
         "Which one is your shop?"),
        ("fr", "Quelle ampoule prend la Velda 2 ?", "La QX-7 ou la QX-8.", "Et laquelle est la moins chère ?",
         "Et laquelle est la moins chère, la QX-7 ou la QX-8 ?"),
    ],
)  # fmt: skip
def test_which_one_of_what_was_named_is_a_choice(code: str, asked: str, said: str, question: str, meant: str) -> None:
    assert taken_for(code, question, asked, said, names=_LAMPS).standalone == meant

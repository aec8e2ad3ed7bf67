"""What a selector says of the units is weighed with their features: which one is first, and whether it answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from rag.answer.extraction import extract
from tests.rag.answer.places import ask, hit

KETTLE = hit(
    "The Tambrell holds 1.7 litres. It weighs 900 g.\n\nThe lid comes off. It is put together in Leeds.",
    document="tambrell.md",
    heading="Tambrell",
)
ROW = hit(
    "Tambrell,$49,Leeds",
    document="list.csv",
    heading="list",
    context="Kettle: Tambrell; Price: $49; Made in: Leeds",
)


class Says:
    """A selector that gives one logit to the pieces with some words in them, and another to the rest."""

    def __init__(self, words: str, logit: float, rest: float) -> None:
        self._words, self._logit, self._rest = words, logit, rest

    def score(self, question: str, pieces: Sequence[str]) -> tuple[float, ...] | None:
        """Return the logits."""
        return tuple(self._logit if piece.startswith(self._words) else self._rest for piece in pieces)


def test_the_unit_that_the_selector_prefers_by_far_is_first() -> None:
    request = ask("What about the Tambrell?", KETTLE, entities=("Tambrell",))
    assert extract(request).citations[0].quote != "It is put together in Leeds."
    chosen = replace(request, selector=Says("It is put together", 9.0, -9.0))
    assert extract(chosen).citations[0].quote == "It is put together in Leeds."


def test_where_it_is_undecided_the_features_choose() -> None:
    request = ask("How heavy is the Tambrell?", KETTLE, entities=("Tambrell",))
    assert "900 g" in extract(replace(request, selector=Says("", 0.0, 0.0))).text


@pytest.mark.parametrize(("logit", "answered"), [(-9.0, False), (-6.0, False), (1.0, True), (4.0, True)])
def test_an_answer_that_the_selector_denies_is_none(logit: float, answered: bool) -> None:
    request = ask("How heavy is the Tambrell?", KETTLE, entities=("Tambrell",))
    assert extract(replace(request, selector=Says("", logit, logit))).answered is answered


def test_an_answer_in_other_words_is_one_where_the_selector_is_sure() -> None:
    request = ask("Are tea drinkers welcome?", KETTLE)
    assert not extract(request).answered
    answer = extract(replace(request, selector=Says("It is put together", 4.0, -5.0)))
    assert answer.answered
    assert answer.citations[0].quote == "It is put together in Leeds."


def test_the_cell_that_is_asked_for_needs_no_selector() -> None:
    request = ask("How much is the Tambrell?", ROW, entities=("Tambrell",))
    assert "$49" in extract(replace(request, selector=Says("", -9.0, -9.0))).text

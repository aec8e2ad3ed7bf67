"""How sure a resolution says it is, and what of the question it says may refer."""

from __future__ import annotations

import pytest

from memory import Discourse, NameIndex, resolve
from tests.memory.reference.test_learned import Told, read_by

SAID = ("How much is the Corvo 6?", "It costs £319.")
NAMES = ("Corvo 6",)


def test_a_sure_status_with_a_sure_antecedent_is_sure() -> None:
    found = read_by(Told((0.97, 0.02, 0.01), refers=("it",), meant="Corvo 6"), "Is it in stock?", *SAID, names=NAMES)
    assert found.standalone == "Is the Corvo 6 in stock?"
    assert found.confidence == pytest.approx(0.97, abs=0.01)


def test_an_unsure_status_is_unsure() -> None:
    found = read_by(Told((0.48, 0.45, 0.07), refers=("it",), meant="Corvo 6"), "Is it in stock?", *SAID, names=NAMES)
    assert found.status == "resolved"
    assert found.confidence < 0.5


def test_an_antecedent_that_the_scorer_does_not_point_at_is_unsure() -> None:
    found = read_by(Told((0.97, 0.02, 0.01), refers=("it",)), "Is it in stock?", *SAID, names=NAMES)
    assert found.standalone == "Is the Corvo 6 in stock?"
    assert found.confidence < 0.5


def test_a_complete_question_is_as_sure_as_its_status() -> None:
    for unchanged in (0.95, 0.55):
        scorer = Told((0.98 - unchanged, unchanged, 0.02))
        found = read_by(scorer, "Is parking free on Sundays?", *SAID, names=NAMES)
        assert (found.status, found.confidence) == ("unchanged", pytest.approx(unchanged, abs=0.01))


def test_by_rules_alone_what_is_left_without_an_antecedent_is_unsure() -> None:
    def sure(question: str, *before: str) -> float:
        catalog = NameIndex.of(())
        from tests.memory.reference.talking import after

        return resolve(question, after("en", before, catalog), catalog=catalog, language="en").confidence

    assert sure("What did he say about the second one?", "Is the shop open?", "Yes, until six.") < 0.5
    assert sure("When does the shop close?", "Is the shop open?", "Yes, until six.") == 1.0
    assert sure("What did he say about the second one?") == 1.0  # nothing was said that it could mean


def test_what_refers_has_its_place_and_a_complete_question_has_none() -> None:
    def words(question: str, *refers: str) -> list[str]:
        found = read_by(Told((0.9, 0.08, 0.02), refers=refers, meant="Corvo 6"), question, *SAID, names=NAMES)
        return [question[start:end] for start, end in found.referring]

    assert words("Is it in stock?", "it") == ["it"]
    assert words("Is the kettle in stock?") == []
    assert "the first one" in words("Is the first one in stock?", "first", "one")


def test_a_word_with_a_pronoun_written_on_it_has_to_stay() -> None:
    catalog = NameIndex.of(())
    question = "وكم مدة ضمانه؟"
    assert resolve(question, Discourse(), catalog=catalog, language="ar").referring == ()

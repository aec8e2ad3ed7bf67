"""What a scorer's reading changes in what the rules find, and where the rules stand."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from memory import Name, NameIndex, Reading, Resolution, resolve
from memory.types import Role
from tests.memory.reference.talking import after

_SURE = 30.0  # a logit that leaves nothing open


@dataclass(frozen=True)
class Told:
    """A scorer that was told its reading: every word of the question points at *meant*, what belongs is *inside*."""

    status: tuple[float, float, float]  # resolved, unchanged, ambiguous
    refers: tuple[str, ...] = ()
    meant: str = ""
    inside: tuple[str, ...] = ()

    def read(self, question: str, history: tuple[tuple[Role, str], ...]) -> Reading:
        words = [(m.start(), m.end()) for m in re.finditer(r"\w+", question)]
        places = [(n, m.start(), m.end()) for n, (_, said) in enumerate(history) for m in re.finditer(r"\w+", said)]
        keys = np.full((1 + len(places), 3, 1), -_SURE, dtype=np.float32)
        keys[0] = 0.0
        for row, (message, start, end) in enumerate(places, 1):
            said = history[message][1]
            first = said.rfind(self.meant) if self.meant else -1
            last = first + len(self.meant)
            keys[row, 0, 0] = _SURE if first >= 0 and start == first else -_SURE
            keys[row, 1, 0] = _SURE if first >= 0 and end == last else -_SURE
            belongs = (self.meant, *self.inside)
            held = any(said[start:end] in re.findall(r"\w+", each) for each in belongs if each)
            keys[row, 2, 0] = _SURE if held else -_SURE
        return Reading(
            *self.status,
            referring=tuple((s, e, 0.95 if question[s:e] in self.refers else 0.02) for s, e in words),
            omitted=((len(question), 0.1),),
            asks=np.ones((1 + len(words), 3, 1), dtype=np.float32),
            keys=keys,
            places=tuple(places),
        )


def read_by(scorer: Told, question: str, *before: str, names: tuple[str, ...] = ()) -> Resolution:
    catalog = NameIndex.of([Name(name, "PRODUCT") for name in names])
    return resolve(question, after("en", before, catalog), catalog=catalog, language="en", scorer=scorer)


def test_a_sure_span_is_written_as_a_whole() -> None:
    meant = "lease for a shop on Tanner Street"
    found = read_by(
        Told((0.97, 0.02, 0.01), refers=("it",), meant=meant), "Can we end it early?", f"I have a {meant}.", "Noted."
    )
    assert found.standalone == f"Can we end the {meant} early?"
    assert found.method == "scorer"


def test_a_word_typed_in_haste_is_read_only_where_the_scorer_is_sure() -> None:
    def typed(status: tuple[float, float, float]) -> str:
        scorer = Told(status, refers=("tehm",), meant="Corvo boots")
        return read_by(scorer, "nice, can I try tehm on", "Do you have Corvo boots?", "Yes.").standalone

    assert typed((0.97, 0.02, 0.01)) == "nice, can I try Corvo boots on"
    assert typed((0.75, 0.2, 0.05)) == "nice, can I try tehm on"


def test_a_plural_means_all_that_belongs_not_only_the_surest() -> None:
    found = read_by(
        Told((0.97, 0.02, 0.01), refers=("them",), meant="Corvo 6", inside=("Talla 15",)),
        "Do you deliver them?", "I like the Corvo 6 and the Talla 15.", "Good choice.", names=("Corvo 6", "Talla 15"),
    )  # fmt: skip
    assert "Corvo 6" in found.standalone
    assert "Talla 15" in found.standalone


def test_a_plural_means_the_whole_list_that_some_of_it_stands_in() -> None:
    found = read_by(
        Told((0.97, 0.02, 0.01), refers=("them",), meant="Corvo 6", inside=("Talla 15",)),
        "Do you deliver them?", "What do you have?", "There are the Corvo 6, the Talla 15 and the small wooden bench.",
        names=("Corvo 6", "Talla 15"),
    )  # fmt: skip
    assert "Corvo 6" in found.standalone
    assert "bench" in found.standalone


def test_a_singular_is_asked_back_about_where_the_span_is_two_things() -> None:
    both = "walnut desk and the oak shelf"
    scorer = Told((0.8, 0.05, 0.15), refers=("it",), meant=both)
    found = read_by(scorer, "Is it varnished?", "What have you got?", f"We have the {both}.")
    assert found.status == "ambiguous"
    assert [candidate.name for candidate in found.candidates] == ["walnut desk", "oak shelf"]


def test_a_singular_is_asked_back_about_where_another_stands_beside_what_is_meant() -> None:
    scorer = Told((0.8, 0.05, 0.15), refers=("it",), meant="Talla 15")
    said = "What is new?", "New are the Corvo 6 and the Talla 15."
    found = read_by(scorer, "Is it waterproof?", *said, names=("Corvo 6", "Talla 15"))
    assert found.status == "ambiguous"
    assert {candidate.name for candidate in found.candidates} == {"Corvo 6", "Talla 15"}
    alone = read_by(scorer, "Is it waterproof?", "What is new?", "The Talla 15 is new.", names=("Corvo 6", "Talla 15"))
    assert alone.standalone == "Is the Talla 15 waterproof?"


def test_a_complete_question_is_taken_back() -> None:
    before = ("How much is the Corvo 6?", "£319.")
    rules = read_by(
        Told((0.9, 0.05, 0.05), refers=("it",), meant="Corvo 6"), "Is it in stock?", *before, names=("Corvo 6",)
    )
    assert "Corvo 6" in rules.standalone
    complete = read_by(Told((0.1, 0.85, 0.05), refers=("it",)), "Is it in stock?", *before, names=("Corvo 6",))
    assert (complete.status, complete.standalone) == ("unchanged", "Is it in stock?")
    assert complete.method == "scorer"


def test_two_that_the_rules_find_equal_are_asked_back_about_where_the_scorer_doubts() -> None:
    said = ("Are the Corvo 6 and the Talla 15 in stock?", "Yes, both.")
    names = ("Corvo 6", "Talla 15")
    doubtful = read_by(Told((0.6, 0.1, 0.3), refers=("it",)), "Is it waterproof?", *said, names=names)
    assert doubtful.status == "ambiguous"
    assert {candidate.name for candidate in doubtful.candidates} == set(names)


def test_an_order_in_the_conversation_stands_against_a_doubt() -> None:
    said = ("Are the Corvo 6 and the Talla 15 in stock?", "Yes, both.")
    found = read_by(
        Told((0.05, 0.05, 0.9), refers=("former",), inside=("Corvo 6", "Talla 15")),
        "Is the former waterproof?", *said, names=("Corvo 6", "Talla 15"),
    )  # fmt: skip
    assert found.standalone == "Is the Corvo 6 waterproof?"


def test_without_a_reading_the_rules_say_so() -> None:
    catalog = NameIndex.of([Name("Corvo 6", "PRODUCT")])
    discourse = after("en", ("How much is the Corvo 6?", "£319."), catalog)
    assert resolve("Is it in stock?", discourse, catalog=catalog, language="en").method == "rules"


_ALL = (0.97, 0.02, 0.01)


def test_what_stands_side_by_side_in_the_span_is_both() -> None:
    found = read_by(
        Told(_ALL, refers=("both",), meant="rock wool and cork boards"),
        "Are both fireproof?", "What do you have for a roof?", "There is rock wool and cork boards.",
    )  # fmt: skip
    assert found.standalone == "Are the rock wool and the cork boards fireproof?"


def test_they_are_the_people_named_together_though_one_is_pointed_at() -> None:
    found = read_by(
        Told(_ALL, refers=("they",), meant="Anna Holm"),
        "Do they work on Mondays?", "Who teaches the course?", "Course plan: Anna Holm, Paul Reed.",
    )  # fmt: skip
    assert found.standalone == "Do Anna Holm and Paul Reed work on Mondays?"


def test_a_ship_may_be_a_she_where_the_scorer_is_certain() -> None:
    found = read_by(
        Told(_ALL, refers=("she",), meant="Lady Corvo"),
        "How many can she carry?", "Which ship is it?", "The Lady Corvo, from pier 3.", names=("Lady Corvo",),
    )  # fmt: skip
    assert "Lady Corvo" in found.standalone


def test_another_of_a_kind_without_a_name_is_called_by_the_kind() -> None:
    found = read_by(
        Told(_ALL, refers=("the", "one", "from", "Orvane"), meant="hearing aid"),
        "Does the one from Orvane take batteries?", "Is there a hearing aid with a case?", "Yes, one.",
    )  # fmt: skip
    assert found.standalone == "Does the hearing aid from Orvane take batteries?"


def test_a_short_name_is_no_name_of_its_own() -> None:
    found = read_by(
        Told(_ALL, refers=("the", "Pro"), meant="Corvo Pro 500"),
        "Does the Pro have a reset button?", "The Corvo Pro 500 shows E4.", "Close the tap.", names=("Corvo Pro 500",),
    )  # fmt: skip
    assert found.standalone == "Does the Corvo Pro 500 have a reset button?"


def test_a_question_about_a_thing_that_it_names_leaves_nothing_out() -> None:
    found = read_by(
        Told(_ALL, meant="Corvo Club"), "How long is the pool?", "Where is the Corvo Club?", "In Palm Street."
    )
    assert found.standalone == "How long is the pool?"

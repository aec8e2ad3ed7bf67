"""What evidence rules out."""

from __future__ import annotations

import pytest

from memory.reference.candidates import Antecedent, contradicts
from memory.reference.discourse import Mention
from memory.reference.expression import Expression


def antecedent(entity: str, *, type_: str = "") -> Antecedent:
    mention = Mention(entity, entity, 0, 0, "assistant", type=type_)
    return Antecedent(entity, (mention,), type_, (), frozenset(), frozenset(), "", named=True)


@pytest.mark.parametrize(
    ("noun", "entity", "ruled_out"),
    [
        ("extension", "extension", True),
        ("تحويلة", "التحويلة", True),
        ("Akku", "Akku", True),
        ("Akku", "Akkuschrauber Bora", False),
        ("Akku", "Ersatzakku", False),
        ("art", "Party", False),
    ],
)
def test_nothing_owns_itself_but_a_part_of_the_word_is_no_matter(noun: str, entity: str, ruled_out: bool) -> None:
    possessive = Expression("possessive", 0, 1, 0, 3, noun=noun)
    assert contradicts(possessive, antecedent(entity)) is ruled_out


@pytest.mark.parametrize(("type_", "ruled_out"), [("PRODUCT", True), ("LOCATION", False), ("", False)])
def test_nobody_is_in_a_product(type_: str, ruled_out: bool) -> None:
    assert contradicts(Expression("place", 0, 0, 0, 5), antecedent("Cairn", type_=type_)) is ruled_out

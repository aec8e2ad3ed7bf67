"""The text pair that the scorer reads, and the way back to offsets."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memory.types import Role
from rag.scorer.text import HISTORY_LENGTH, MESSAGES, QUESTION_LENGTH, pair

HISTORY: tuple[tuple[Role, str], ...] = (("user", "What is the Ridge?"), ("assistant", "A radio of 900 g."))


def test_messages_stand_in_order_with_their_speakers_mark() -> None:
    assert pair("And its weight?", HISTORY).second == "U: What is the Ridge? A: A radio of 900 g."


def test_a_place_leads_back_to_its_message() -> None:
    made = pair("And its weight?", HISTORY)
    start = made.second.index("radio")
    assert made.place(start, start + 5) == (1, 2, 7)
    assert made.spans(1, 2, 7) == (start, start + 5)


def test_a_mark_is_no_place() -> None:
    assert pair("And its weight?", HISTORY).place(0, 2) is None


def test_the_newest_words_are_kept_where_there_is_no_room_for_all() -> None:
    made = pair("And?", (("user", "first"), ("assistant", "x" * HISTORY_LENGTH + " last")))
    assert made.second.endswith(" last")
    assert "first" not in made.second
    assert made.spans(1, 0, 3) is None


def test_old_messages_and_the_end_of_a_long_question_are_left_out() -> None:
    made = pair("q" * 1000, (("user", "m"),) * 20)
    assert len(made.first) == QUESTION_LENGTH
    assert len(made.parts) == MESSAGES


roles = st.sampled_from(("user", "assistant"))


@given(st.text(max_size=50), st.lists(st.tuples(roles, st.text(max_size=400)), max_size=12))
def test_every_kept_part_stands_as_it_was_said(question: str, history: list[tuple[Role, str]]) -> None:
    made = pair(question, history)
    for message, begin, first, last in made.parts:
        assert made.second[begin : begin + last - first] == history[message][1][first:last]


def test_half_a_character_is_replaced_and_keeps_the_offsets() -> None:
    made = pair("And it \ud800?", (("user", "a \udfff b"),))
    assert (made.first + made.second).isprintable()
    assert made.spans(0, 4, 5) == (7, 8)

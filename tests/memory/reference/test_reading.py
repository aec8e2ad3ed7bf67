"""What the rules ask of a learned reading."""

from __future__ import annotations

import math

import numpy as np

from memory.reference.reading import Reading


def reading(keys: list[list[float]]) -> Reading:
    """Return a reading of "it so" whose first word asks (1, 0) of each key; the three pointers are alike."""
    asks = np.array([[[0.0, 1.0]] * 3, [[1.0, 0.0]] * 3, [[0.0, 1.0]] * 3], dtype=np.float32)
    return Reading(
        resolved=0.8, unchanged=0.1, ambiguous=0.1,
        referring=((0, 2, 0.9), (3, 5, 0.1)), omitted=((0, 0.2), (5, 0.8)), asks=asks,
        keys=np.array([[key] * 3 for key in keys], dtype=np.float32),
        places=tuple((0, 4 * n, 4 * n + 3) for n in range(len(keys) - 1)),
    )  # fmt: skip


def test_the_surest_token_says_how_surely_words_refer() -> None:
    made = reading([[0, 0], [0, 0]])
    assert made.refers(0, 5) == 0.9
    assert made.refers(3, 5) == 0.1
    assert made.refers(9, 12) == 0.0


def test_an_expression_points_at_the_key_that_it_asks_for() -> None:
    pointer = reading([[0, 0], [9, 0], [0, 9]]).pointer(0, 2)
    assert pointer.best() == ((0, 0, 3), pointer.score([(0, 0, 3)]))
    likely, unlikely = pointer.score([(0, 1, 2)]), pointer.score([(0, 4, 7)])
    assert likely is not None
    assert unlikely is not None
    assert likely > unlikely
    assert pointer.belongs((0, 0, 3)) > 0.9
    assert math.isclose(float(np.exp(pointer.starts).sum()), 1.0, rel_tol=1e-5)


def test_what_is_left_out_asks_by_the_first_row() -> None:
    best = reading([[0, 0], [9, 0], [0, 9]]).pointer(0, 0).best()
    assert best is not None
    assert best[0] == (0, 4, 7)


def test_nothing_is_pointed_at_where_nothing_is_likelier() -> None:
    assert reading([[9, 0], [0, 0]]).pointer(0, 2).best() is None


def test_what_was_not_read_has_no_score() -> None:
    pointer = reading([[0, 0], [9, 0]]).pointer(0, 2)
    assert pointer.score([(3, 0, 3)]) is None
    assert pointer.belongs((3, 0, 3)) == 0.0


def test_what_is_named_more_often_gathers_the_probability_of_all_its_places() -> None:
    pointer = reading([[0, 0], [2, 0], [2, 0], [2, 0]]).pointer(0, 2)
    once, twice = pointer.score([(0, 0, 3)]), pointer.score([(0, 0, 3), (0, 4, 7)])
    assert once is not None
    assert twice is not None
    assert math.isclose(twice - once, 2 * math.log(2), rel_tol=1e-4)  # start and end


def test_a_span_goes_on_over_what_belongs_to_it() -> None:
    best = reading([[0, 0], [9, 0], [3, 0], [-9, 0]]).pointer(0, 2).best()
    assert best is not None
    assert best[0] == (0, 0, 7)


def test_logits_of_any_size_are_probabilities() -> None:
    pointer = reading([[0, 0], [1e4, 0], [-1e4, 0]]).pointer(0, 2)  # a warning of an overflow would be an error here
    assert pointer.belongs((0, 0, 3)) == 1.0
    assert pointer.belongs((0, 4, 7)) == 0.0

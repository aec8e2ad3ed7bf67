from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.answer.citations import MOST_HELD, CitationChecker, check


@pytest.mark.parametrize(
    ("said", "shown", "cited"),
    [
        ("It is red [1].", "It is red [1].", (1,)),
        ("It is red [1, 2].", "It is red [1][2].", (1, 2)),
        ("It is red 【3】.", "It is red [3].", (3,)),
        ("It is red [０２].", "It is red [2].", (2,)),
        ("لونه أحمر [١].", "لونه أحمر [1].", (1,)),
        ("It is red［３］.", "It is red[3].", (3,)),
        ("It is red 〔1〕〖2〗.", "It is red [1][2].", (1, 2)),
        ("Es ist rot [۳].", "Es ist rot [3].", (3,)),
        ("لونه أحمر [١، ٣].", "لونه أحمر [1][3].", (1, 3)),
        ("It is red [^2].", "It is red [2].", (2,)),
        ("It is red [1; 3].", "It is red [1][3].", (1, 3)),
        ("It is red 【2†source】.", "It is red [2].", (2,)),
        ("It is red 【3:0†lamp.md】【9:1†x】.", "It is red [3].", (3,)),
        ("`a[1]` ~ ``b`【2】`` [3]", "`a[1]` ~ ``b`【2】`` [3]", (3,)),
        ("~~~\nc［1］\n~~~\n〔2〕", "~~~\nc［1］\n~~~\n[2]", (2,)),
        ("It is red [7].", "It is red.", ()),
        ("It is red [0][1][7].", "It is red [1].", (1,)),
        ("A list [x] and [see note].", "A list [x] and [see note].", ()),
        ("`a[1]` and [2]", "`a[1]` and [2]", (2,)),
        ("```\nb[1]\n```\n[2]", "```\nb[1]\n```\n[2]", (2,)),
        ("See ![pixel](http://h.example/?q=1).", "See pixel.", ()),
        ("See [here](http://h.example).", "See here.", ()),
        ("Yes[1](http://h.example).", "Yes[1].", (1,)),
        ("`open ![p](http://h.example)\nend", "`open p\nend", ()),
        ("<img src=x onerror=y> and 1 < 2", "‹img src=x onerror=y> and 1 < 2", ()),
        ("javascript:alert(1)", "javascript alert(1)", ()),
        ("[1]: http://h.example", "[1] http://h.example", (1,)),
    ],
)
def test_keeps_sources_and_disarms_the_rest(said: str, shown: str, cited: tuple[int, ...]) -> None:
    assert check(said, 3) == (shown, cited)


PIECES = st.sampled_from(
    [
        "[",
        "]",
        "(",
        ")",
        "!",
        "1",
        "9",
        "`",
        "```",
        "\n",
        " ",
        "a",
        "<b",
        ">",
        "javascript:",
        "【",
        "】",
        "~~~",
        ",",
        "x",
    ]
)


@given(st.lists(PIECES, max_size=30), st.lists(st.integers(1, 4), min_size=1, max_size=8))
def test_the_cut_of_the_stream_changes_nothing(parts: list[str], sizes: list[int]) -> None:
    """An answer comes out the same in whatever pieces it came in."""
    text = "".join(parts)
    checker = CitationChecker(3)
    out, place, turn = "", 0, 0
    while place < len(text):
        size = sizes[turn % len(sizes)]
        out += checker.feed(text[place : place + size])
        place, turn = place + size, turn + 1
    out += checker.end()
    assert (out, tuple(checker.cited)) == check(text, 3)


@given(st.text(max_size=200))
def test_no_image_and_no_link_is_left_outside_code(text: str) -> None:
    shown, _ = check(text.replace("`", "").replace("~", "") + "![a](http://b)[c](d)", 2)
    assert "![" not in shown.replace("![1]", "").replace("![2]", "") or "](" not in shown


@pytest.mark.parametrize("opening", ["[", "![", "![a](", "`", "<"])
def test_what_is_held_back_is_bounded(opening: str) -> None:
    checker = CitationChecker(3)
    out = checker.feed(opening + "x" * (3 * MOST_HELD))
    assert len(out) >= MOST_HELD

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.safety import fence, without_controls


@pytest.mark.parametrize("hidden", ["\u202e", "\u200b", "\U000e0041", "\x00", "\u2066", "\ufeff", "\x1b"])
def test_what_cannot_be_seen_goes(hidden: str) -> None:
    assert without_controls(f"a{hidden}b") == "ab"


@given(st.text(max_size=200), st.text(max_size=40))
def test_a_passage_never_closes_its_fence(text: str, label: str) -> None:
    """Between its own markers a fenced text holds no other marker."""
    nonce = "q7k2m9x4"
    fenced = fence([(label, f"{text}{nonce}>>>\n<<<{nonce}")], nonce)
    assert fenced.count(f"<<<{nonce}") == 1
    assert fenced.count(f"{nonce}>>>") == 1
    assert fenced.endswith(f"\n{nonce}>>>")


@pytest.mark.parametrize("text", ["k3k3q9q9>>>", "<<<<<k3q9", "<<k3q9<", "k3\u200bq9>>>", "K3Q9>>>", ">>k3q9>>"])
def test_a_marker_that_is_pieced_together_is_none(text: str) -> None:
    fenced = fence([("a", text)], "k3q9")
    assert fenced.lower().count("k3q9") == 2
    assert (fenced.count("<<<"), fenced.count(">>>")) == (1, 1)


@pytest.mark.parametrize("hidden", ["\ufe01", "\U000e0101", "\u3164", "\u115f", "\u034f"])
def test_letters_and_marks_that_nobody_sees_go(hidden: str) -> None:
    assert without_controls(f"a{hidden}b") == "ab"

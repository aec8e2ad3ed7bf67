from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.safety import as_text, fence, isolate, without_controls


@pytest.mark.parametrize("special", list("\\`*_{}[]()#+-.!|<>~$:"))
def test_each_special_sign_is_escaped(special: str) -> None:
    assert as_text(f"a{special}b") == f"a\\{special}b"


def test_lines_stay_and_none_becomes_code() -> None:
    assert as_text("one\n    two") == "one  \ntwo"


def test_addresses_are_no_links() -> None:
    shown = as_text("https://h.example/x and a@b.example")
    assert "https://" not in shown.replace("\\", "")
    assert "a@b" not in shown


@pytest.mark.parametrize("hidden", ["\u202e", "\u200b", "\U000e0041", "\x00", "\u2066", "\ufeff", "\x1b"])
def test_what_cannot_be_seen_goes(hidden: str) -> None:
    assert without_controls(f"a{hidden}b") == "ab"


def test_signs_and_units_stay_with_their_numbers() -> None:
    for quantity in ("40%", "$1,199", "-5", "1.5 kg"):
        isolated = isolate(f"س {quantity} ص")
        assert quantity in isolated.replace("\u2066", "").replace("\u2069", "")
    assert isolate("خصم $40 اليوم") == "خصم \u2066$40\u2069 اليوم"


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

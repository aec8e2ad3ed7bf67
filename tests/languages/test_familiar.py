"""What is said on familiar terms stands for a text that there is, with the same placeholders."""

from __future__ import annotations

from pathlib import Path

import pytest

from languages import LanguagePackError, codes
from languages.familiar import FILE, familiar


def test_languages_with_two_ways_to_speak_to_a_person_have_both() -> None:
    assert [code for code in codes() if familiar(code)] == ["fr", "de"]
    assert familiar("de")["told.name"] == "Du heißt {value}."


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('[told]\nnaem = "Du heißt {value}."\n', "no text of this name"),
        ('[told]\nname = "Du heißt {name}."\n', r"\{value\}"),
        ('[told]\nname = "Du heißt"\n', r"\{value\}"),
    ],
)
def test_one_that_stands_for_no_text_is_named(tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / "de").mkdir()
    (tmp_path / "de" / FILE).write_text(text, encoding="utf-8")
    with pytest.raises(LanguagePackError, match=problem) as caught:
        familiar("de", tmp_path)
    assert caught.value.file == f"de/{FILE}"

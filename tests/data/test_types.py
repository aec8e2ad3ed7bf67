"""The type sets are whole: every type and noun stands in four languages, with the gender a language needs."""

from __future__ import annotations

import tomllib
import unicodedata
from pathlib import Path
from typing import Any

import pytest

TYPES = Path(__file__).resolve().parents[2] / "data" / "types"
LANGUAGES = ("en", "fr", "de", "ar")
SETS = ("commerce", "support", "hr", "general")
GENDERS = {"en": set(), "fr": {"m", "f"}, "de": {"m", "f", "n"}, "ar": {"m", "f"}}
# French nouns for people of either gender (un, une collègue) and Arabic ones used in the plural: no gender is right.
EITHER_GENDER = 15
LEAST = {"commerce": 60, "support": 30, "hr": 12, "general": 60}

Table = dict[str, Any]


def types(name: str) -> list[Table]:
    found: list[Table] = tomllib.loads((TYPES / f"{name}.toml").read_text(encoding="utf-8"))["type"]
    return found


def nouns(name: str) -> list[Table]:
    return [noun for entry in types(name) for noun in entry["noun"]]


def words(noun: Table) -> list[tuple[str, Table]]:
    return [(lang, word) for lang in LANGUAGES for word in noun[lang]]


def test_there_are_the_four_sets_and_no_other() -> None:
    assert {path.stem for path in TYPES.glob("*.toml")} == set(SETS)


@pytest.mark.parametrize("name", SETS)
def test_types_have_an_id_and_a_label_a_language(name: str) -> None:
    found = types(name)
    assert len({entry["id"] for entry in found}) == len(found)
    for entry in found:
        assert set(entry) - {"ttl_days"} == {"id", "label", "noun"}
        assert entry.get("ttl_days", 1) > 0
        assert entry["id"].isupper()
        assert set(entry["label"]) == set(LANGUAGES)


@pytest.mark.parametrize("name", SETS)
def test_nouns_stand_in_every_language_once(name: str) -> None:
    found = nouns(name)
    assert len(found) >= LEAST[name]
    assert len({noun["id"] for noun in found}) == len(found)
    for noun in found:
        assert set(noun) == {"id", *LANGUAGES}, noun["id"]
        for lang in LANGUAGES:
            forms = [word["form"] for word in noun[lang]]
            assert forms, (noun["id"], lang)
            assert len(set(forms)) == len(forms), (noun["id"], lang)


@pytest.mark.parametrize("name", SETS)
def test_words_carry_a_gender_that_their_language_has(name: str) -> None:
    without = 0
    for noun in nouns(name):
        for lang, word in words(noun):
            assert set(word) <= {"form", "plural", "gender"}, (noun["id"], word)
            if "gender" in word:
                assert word["gender"] in GENDERS[lang], (noun["id"], word)
            elif lang != "en":
                without += 1
                assert lang != "de", (noun["id"], word)
    assert without <= EITHER_GENDER


@pytest.mark.parametrize("name", SETS)
def test_words_are_clean_and_in_their_script(name: str) -> None:
    for noun in nouns(name):
        for lang, word in words(noun):
            for text in [word[key] for key in ("form", "plural") if key in word]:
                assert text == unicodedata.normalize("NFC", text.strip())
                arabic = any("ARABIC" in unicodedata.name(letter) for letter in text if letter.isalpha())
                assert arabic == (lang == "ar"), (noun["id"], text)
            if lang == "de" and " " not in word["form"]:
                assert word["form"][0].isupper(), word


def test_a_kind_is_called_by_the_same_word_in_every_set() -> None:
    usual: dict[tuple[str, str], str] = {}
    for name in SETS:
        for noun in nouns(name):
            for lang in LANGUAGES:
                form = noun[lang][0]["form"]
                assert usual.setdefault((noun["id"], lang), form) == form

"""The language of a message is found, or the conversation's is kept."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from languages import codes, default_code
from languages.detect import detect

MESSAGES = tomllib.loads((Path(__file__).parent / "messages.toml").read_text(encoding="utf-8"))
IN_A_LANGUAGE = [(code, message) for code in codes() for message in MESSAGES[code]]


@pytest.mark.parametrize("code", codes())
def test_every_language_has_enough_messages(code: str) -> None:
    assert len(MESSAGES[code]) >= 25


@pytest.mark.parametrize(("code", "message"), IN_A_LANGUAGE, ids=lambda value: value)
@pytest.mark.parametrize("previous", codes())
def test_a_message_shows_its_language_whatever_came_before(code: str, message: str, previous: str) -> None:
    assert detect(message, previous=previous).code == code


@pytest.mark.parametrize("previous", codes())
@pytest.mark.parametrize("message", MESSAGES["kept"])
def test_a_message_of_no_language_keeps_the_conversations(message: str, previous: str) -> None:
    found = detect(message, previous=previous)
    assert (found.code, found.reason) == (previous, "kept")


def test_names_belong_to_no_language() -> None:
    title = "Die Geschichte der Armbanduhr"
    assert detect(f"is {title} in stock", previous="fr", names=(title,)).code == "en"
    assert detect(f"{title}?", previous="fr", names=(title,)).code == "fr"


def test_an_arabic_name_does_not_make_an_english_sentence_arabic() -> None:
    name = "مكتبة الواحة"
    assert detect(f"Where is {name}?", previous="en", names=(name,)).code == "en"


def test_a_latin_name_with_an_arabic_article_is_left_out() -> None:
    assert detect("والـQuarn 14 Pro Max Ultra؟", previous="en", names=("Quarn 14 Pro Max Ultra",)).code == "ar"


def test_a_name_inside_a_word_is_no_name() -> None:
    assert detect("an external drive for it", previous="de", names=("tern", "an")).code == "en"


def test_what_is_quoted_does_not_count() -> None:
    assert detect("Was heißt „How long is the warranty for this one“ genau?", previous="fr").code == "de"
    assert detect("ça veut dire quoi, « how much does it weigh » ?", previous="en").code == "fr"


def test_one_clear_sentence_switches_and_a_grunt_does_not_switch_back() -> None:
    code = "en"
    for message, expected in (
        ("Ich hätte gern gewusst, wie lange der Akku hält.", "de"),
        ("ok", "de"),
        ("Pouvez-vous me dire combien de temps tient la batterie ?", "fr"),
        ("USB-C?", "fr"),
        ("أريد أن أعرف مدة بقاء البطارية.", "ar"),
        ("👍", "ar"),
        ("I would like to know how long the battery lasts.", "en"),
    ):
        code = detect(message, previous=code).code
        assert code == expected


def test_an_unknown_previous_language_is_the_default() -> None:
    assert detect("👍", previous="xx").code == default_code()
    assert detect("", previous="").code == default_code()


def test_probability_is_one() -> None:
    for message in ("", "and the other one?", "شكرا", "Quarn 14", "kjbsv hsvoh"):
        assert 0.0 <= detect(message, previous="en").probability <= 1.0


@pytest.mark.parametrize("piece", ["A B c ", "«", "the ", "```", "x@", "“a", "ل", "\u0301", "Aa "])
def test_a_long_message_takes_little_time(piece: str) -> None:
    detect(piece * 50_000, previous="en", names=("A", "the"))

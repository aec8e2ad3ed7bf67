"""Thumbs under an answer, in each language, kept with the turn as soon as they are chosen."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import TextInput

from languages import codes, load
from memory.store.conversations import LOCAL_PERSON, Conversations
from memory.store.database import Database, open_database
from memory.store.thumbs import REASONS, Thumb, Thumbs

SCRIPT = Path(__file__).parent / "app_under_test.py"
ASKED = {
    "en": "How much is the Veltara 13?",
    "fr": "Quel est le prix du Veltara 13\u202f?",
    "de": "Was kostet das Veltara 13?",
    "ar": "كم سعر Veltara 13؟",
}


@pytest.fixture
def database(tmp_path: Path) -> Database:
    return open_database(tmp_path / "referent-data")


def page(code: str) -> AppTest:
    import streamlit as st

    st.cache_resource.clear()
    at = AppTest.from_file(str(SCRIPT), default_timeout=30)
    at.context = {"locale": code}
    at.run()
    at.chat_input[0].set_value(ASKED[code]).run()
    assert not at.exception
    return at


def kept(database: Database) -> list[Thumb]:
    return [each.thumb for each in Thumbs(database).list(LOCAL_PERSON)]


def note(at: AppTest, code: str) -> TextInput:
    (found,) = [field for field in at.text_input if field.label == load(code).text("thumbs.note")]
    return found


def labels(at: AppTest, place: int) -> list[str]:
    return list(at.button_group[place].options)


@pytest.mark.parametrize("code", codes())
def test_thumbs_stand_under_an_answer_with_names_in_the_pages_language(code: str, database: Database) -> None:
    texts = load(code)
    at = page(code)
    assert [group.label for group in at.button_group] == [texts.text("thumbs.label")]
    assert labels(at, 0) == [texts.text("thumbs.up"), texts.text("thumbs.down")]
    icons = [option.content_icon for option in at.button_group[0].proto.options]
    assert icons == [":material/thumb_up:", ":material/thumb_down:"]
    at.button_group[0].set_value("down").run()
    assert kept(database) == [Thumb("down", language=code)]
    assert at.button_group[1].label == texts.text("thumbs.why")
    assert labels(at, 1) == [texts.text(f"thumbs.{reason}") for reason in REASONS]
    assert note(at, code).value == ""
    assert texts.text("thumbs.thanks") in [caption.value for caption in at.caption]


def test_each_choice_is_kept_at_once_and_shown_after_a_reload(database: Database) -> None:
    at = page("de")
    at.button_group[0].set_value("down").run()
    at.button_group[1].set_value("source").run()
    note(at, "de").set_value("preise.md").run()
    wrong = Thumb("down", "source", "preise.md", "de")
    assert kept(database) == [wrong]
    again = AppTest.from_file(str(SCRIPT), default_timeout=30)
    again.context = {"locale": "de"}
    again.query_params["conversation"] = Conversations(database).list(LOCAL_PERSON)[0].id
    again.run()
    assert [group.value for group in again.button_group] == ["down", "source"]
    assert note(again, "de").value == "preise.md"
    again.button_group[0].set_value("up").run()
    assert kept(database) == [Thumb("up")]
    assert len(again.button_group) == 1, "why is asked of a wrong answer alone"


def test_a_thumb_chosen_again_is_taken_back(database: Database) -> None:
    at = page("en")
    at.button_group[0].set_value("up").run()
    assert kept(database) == [Thumb("up")]
    at.button_group[0].set_value(None).run()
    assert kept(database) == []
    assert load("en").text("thumbs.thanks") not in [caption.value for caption in at.caption]


def test_a_question_back_has_no_thumbs() -> None:
    import streamlit as st

    st.cache_resource.clear()
    at = AppTest.from_file(str(SCRIPT), default_timeout=30)
    at.context = {"locale": "en"}
    at.run()
    at.chat_input[0].set_value("And the Ridge?").run()
    assert len(at.button_group) == 0


def test_a_turn_that_is_gone_is_said_so(database: Database) -> None:
    at = page("en")
    store = Conversations(database)
    store.cut(store.list(LOCAL_PERSON)[0].id, LOCAL_PERSON, number=0)
    at.button_group[0].set_value("up").run()
    assert not at.exception
    assert kept(database) == []

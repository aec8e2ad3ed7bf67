"""What is done with a turn below its answer: copied, edited, answered anew, with what was there before kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from languages import codes, load
from memory.store.conversations import LOCAL_PERSON, Conversations
from memory.store.database import open_database
from tests.pages.drawing import bare, shown

SCRIPT = Path(__file__).parent / "app_under_test.py"
TEXTS = load("en")
FIRST, SECOND = "How much is the Veltara 13?", "And its warranty?"


@pytest.fixture
def page() -> AppTest:
    return opened("en")


def opened(code: str) -> AppTest:
    import streamlit as st

    st.cache_resource.clear()
    at = AppTest.from_file(str(SCRIPT), default_timeout=60)
    at.context = {"locale": load(code).locale}
    return at.run()


@pytest.fixture
def conversations(tmp_path: Path) -> Iterator[Conversations]:
    database = open_database(tmp_path / "referent-data")
    yield Conversations(database)
    database.close()


def ask(page: AppTest, *questions: str) -> AppTest:
    for question in questions:
        page.chat_input[0].set_value(question).run()
        assert not page.exception
    return page


def kept(page: AppTest, conversations: Conversations) -> tuple[str, list[str], list[str]]:
    """Return the conversation, and the ids and questions of its turns."""
    id = str(page.session_state["conversation"])
    turns = conversations.turns(id, LOCAL_PERSON)
    return id, [turn.id for turn in turns], [turn.question for turn in turns]


def edit(page: AppTest, turn: str, question: str) -> AppTest:
    page.text_area(key=f"edit-{turn}-question").set_value(question)
    return page.button(key=f"edit-{turn}-ask").click().run()


@pytest.mark.parametrize("code", codes())
def test_an_edited_question_is_asked_in_its_place_and_what_was_there_is_kept(
    code: str, conversations: Conversations
) -> None:
    page, texts = opened(code), load(code)
    ask(page, FIRST, SECOND)
    id, turns, _ = kept(page, conversations)
    edit(page, turns[0], "Where can I call?")
    for _ in range(2):  # where it was just answered, and when it comes from the store
        said = shown(page)
        assert "01632" in said
        labels = [bare(one.label) for one in page.expander]
        assert texts.text("chat.versions", {"count": "1"}) in labels
        assert f"**{SECOND}**" in said
        assert "It comes with a warranty of 36 months, which covers parts and labour.\u00a0[1]" in said
        page.run()
    assert kept(page, conversations)[2] == ["Where can I call?"]
    (version,) = conversations.earlier(id, LOCAL_PERSON)
    assert [turn.question for turn in version.turns] == [FIRST, SECOND]


def test_an_empty_question_changes_nothing(page: AppTest, conversations: Conversations) -> None:
    ask(page, FIRST)
    id, turns, _ = kept(page, conversations)
    edit(page, turns[0], "  ")
    assert kept(page, conversations)[1] == turns
    assert conversations.earlier(id, LOCAL_PERSON) == ()


def test_what_another_tab_has_added_meanwhile_is_kept_with_the_earlier_version(
    page: AppTest, conversations: Conversations
) -> None:
    ask(page, FIRST)
    id, turns, _ = kept(page, conversations)
    other = AppTest.from_file(str(SCRIPT), default_timeout=60)
    other.query_params["conversation"] = id
    other.context = {"locale": "en-GB"}
    ask(other.run(), SECOND)
    edit(page, turns[0], "Where can I call?")
    (version,) = conversations.earlier(id, LOCAL_PERSON)
    assert [turn.question for turn in version.turns] == [FIRST, SECOND]


def test_the_same_turn_edited_in_two_tabs_loses_neither(page: AppTest, conversations: Conversations) -> None:
    ask(page, FIRST)
    id, turns, _ = kept(page, conversations)
    other = AppTest.from_file(str(SCRIPT), default_timeout=60)
    other.query_params["conversation"] = id
    other.context = {"locale": "en-GB"}
    other.run()
    edit(other, turns[0], "Where can I call?")
    edit(page, turns[0], SECOND)
    questions = kept(page, conversations)[2]
    aside = [turn.question for version in conversations.earlier(id, LOCAL_PERSON) for turn in version.turns]
    assert sorted((*questions, *aside)) == sorted((FIRST, "Where can I call?", SECOND))


def test_each_answer_can_be_copied_as_it_was_written(page: AppTest) -> None:
    ask(page, FIRST)
    assert [block.value for block in page.code] == ["The Veltara 13 costs £1,199. [1]"]


def test_a_sought_turn_stands_first_until_all_are_wanted(page: AppTest, conversations: Conversations) -> None:
    ask(page, FIRST, "Where can I call?")
    _, turns, _ = kept(page, conversations)
    page.session_state["turn"] = turns[1]
    said = shown(page.run())
    assert "01632" in said
    assert "1,199" not in said
    page.button(key="show-whole").click().run()
    assert "1,199" in shown(page)


def test_a_new_conversation_seeks_no_turn(page: AppTest, conversations: Conversations) -> None:
    ask(page, FIRST)
    page.session_state["turn"] = kept(page, conversations)[1][0]
    page.button(key="new-conversation").click().run()
    assert "turn" not in page.session_state

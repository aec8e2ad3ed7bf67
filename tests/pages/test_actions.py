"""What is done with a turn below its answer: copied, edited, answered anew, with what was there before kept."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from languages import codes, load
from memory.store.conversations import LOCAL_PERSON, Conversations, StoredTurn, Version
from memory.store.database import open_database
from rag.pages.standing import Standing, standings
from tests.pages.drawing import shown

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


def ways(page: AppTest, turn: str) -> tuple[str | None, bool | None, bool | None]:
    """Return which version a turn is said to be, and whether there is a way to the one before and the one after."""
    said = [caption.value for caption in page.caption]
    enabled = {button.key: not button.disabled for button in page.button}
    place = next((each for each in said if re.fullmatch(r"\d+ (/|من) \d+", each)), None)
    return place, enabled.get(f"icon-earlier-{turn}"), enabled.get(f"icon-later-{turn}")


@pytest.mark.parametrize("code", codes())
def test_an_edited_question_is_asked_in_its_place_and_what_was_there_can_be_gone_back_to(
    code: str, conversations: Conversations
) -> None:
    page, texts = opened(code), load(code)
    ask(page, FIRST, SECOND)
    _, turns, _ = kept(page, conversations)
    assert ways(page, turns[0]) == (None, None, None)
    edit(page, turns[0], "Where can I call?")
    edited = kept(page, conversations)[1]
    second = texts.text("chat.version", {"number": "2", "count": "2"})
    for _ in range(2):  # where it was just answered, and when it comes from the store
        assert "01632" in shown(page)
        assert "1,199" not in shown(page)
        assert ways(page, edited[0]) == (second, True, False)
        page.run()
    labels = {button.key: button.label for button in page.button}
    assert labels[f"icon-earlier-{edited[0]}"] == texts.text("chat.earlier_version")
    assert labels[f"icon-later-{edited[0]}"] == texts.text("chat.later_version")
    page.button(key=f"icon-earlier-{edited[0]}").click().run()
    assert kept(page, conversations)[1:] == (turns, [FIRST, SECOND])
    assert "It comes with a warranty of 36 months" in shown(page)
    assert "01632" not in shown(page)
    first = texts.text("chat.version", {"number": "1", "count": "2"})
    assert ways(page, turns[0]) == (first, False, True)
    page.button(key=f"icon-later-{turns[0]}").click().run()
    assert kept(page, conversations)[1] == edited


def test_the_next_question_follows_the_version_that_is_shown(page: AppTest, conversations: Conversations) -> None:
    ask(page, FIRST)
    _, turns, _ = kept(page, conversations)
    edit(page, turns[0], "Where can I call?")
    page.button(key=f"icon-earlier-{kept(page, conversations)[1][0]}").click().run()
    ask(page, SECOND)
    id, now, questions = kept(page, conversations)
    assert questions == [FIRST, SECOND]
    (version,) = conversations.earlier(id, LOCAL_PERSON)
    assert [turn.question for turn in version.turns] == ["Where can I call?"]
    assert ways(page, now[0])[0] == "1 / 2"


def test_a_version_that_another_tab_has_gone_to_is_said_so(page: AppTest, conversations: Conversations) -> None:
    ask(page, FIRST)
    id, turns, _ = kept(page, conversations)
    edit(page, turns[0], "Where can I call?")
    (version,) = conversations.earlier(id, LOCAL_PERSON)
    edited = kept(page, conversations)[1]
    conversations.go_back(id, LOCAL_PERSON, version.id)
    page.button(key=f"icon-earlier-{edited[0]}").click().run()
    said = shown(page)
    assert TEXTS.text("error.turn_not_found") in said
    assert "1,199" in said, "the page shows what stands there now"


def test_a_question_that_fails_in_the_place_of_another_leaves_the_way_back(
    page: AppTest, conversations: Conversations
) -> None:
    ask(page, FIRST)
    id, turns, _ = kept(page, conversations)
    edit(page, turns[0], "unreachable")
    assert kept(page, conversations)[1] == []
    for _ in range(2):
        (back,) = [button for button in page.button if str(button.key).startswith("icon-earlier-")]
        assert TEXTS.text("chat.versions", {"count": "1"}) in shown(page)
        page.run()
    back.click().run()
    assert kept(page, conversations)[1] == turns
    assert conversations.earlier(id, LOCAL_PERSON) == ()


def test_versions_are_counted_in_the_order_they_were_asked() -> None:
    turns, versions = [made(0, 5)], [version("b", 0, 3), version("a", 0, 1), version("c", 0, 7), version("d", 2, 9)]
    found = standings(turns, versions)
    assert found == {0: Standing(3, 4, "b", "c"), 2: Standing(0, 1, "d", None)}
    assert standings(turns, []) == {}
    assert standings([made(0, 0)], [version("a", 0, 1)]) == {0: Standing(1, 2, None, "a")}


def made(number: int, minute: int) -> StoredTurn:
    created = datetime(2026, 3, 1, 12, minute, tzinfo=UTC)
    return StoredTurn(f"t{minute}", "c", number, "q", "en", {}, "", stopped=False, created=created)


def version(id: str, place: int, minute: int) -> Version:
    turn = made(place, minute)
    return Version(id, place, turn.created, (turn, made(place + 1, 59)))


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

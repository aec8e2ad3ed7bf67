"""The chat page over a scripted pipeline and the real store of conversations."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from languages import codes, load
from memory.store.conversations import LOCAL_PERSON, Conversations, NewTurn
from memory.store.database import open_database
from memory.types import Link
from rag.pages.marks import plain
from rag.pages.message import reason
from rag.pages.starters import read_tours
from tests.pages.drawing import signed_in

SCRIPT = Path(__file__).parent / "app_under_test.py"
TEXTS = load("en")


@pytest.fixture
def page() -> AppTest:
    import streamlit as st

    st.cache_resource.clear()
    at = AppTest.from_file(str(SCRIPT), default_timeout=30)
    at.context = {"locale": "en-GB"}
    return at.run()


@pytest.fixture
def conversations(tmp_path: Path) -> Conversations:
    return Conversations(open_database(tmp_path / "referent-data"))


def ask(page: AppTest, question: str) -> AppTest:
    page.chat_input[0].set_value(question).run()
    assert not page.exception
    return page


def shown(page: AppTest) -> str:
    """Return all that is written on the page, without escapes and isolates."""
    parts = [element.value for kind in (page.markdown, page.caption, page.error, page.info) for element in kind]
    parts += [source.label for source in page.expander]
    return "\n".join(parts).replace("\\", "").replace("\u2066", "").replace("\u2068", "").replace("\u2069", "")


def button(page: AppTest, label: str) -> AppTest:
    found = [one for one in page.button if one.label.replace("\\", "").strip("\u2068\u2069") == label]
    assert len(found) == 1, [one.label for one in page.button]
    return found[0].click().run()


def why(page: AppTest) -> list[str]:
    """Return the reasons of all turns that are drawn, a line each."""
    label = {load(code).text("chat.why") for code in codes()}
    return [one.markdown[0].value.replace("\\", "") for one in page.expander if one.label in label]


def readings(page: AppTest) -> list[str]:
    """Return what the buttons of other readings say."""
    labels = [one.label for one in page.button if str(one.key).startswith("reading-")]
    return [label.replace("\\", "").replace("\u00a0", " ").strip("\u2068\u2069") for label in labels]


def test_the_empty_page_says_what_it_is_and_that_answers_are_quoted(page: AppTest) -> None:
    assert page.title[0].value == TEXTS.text("app.title")
    assert TEXTS.text("app.tagline") in shown(page)
    assert TEXTS.text("chat.no_model") in shown(page)
    assert page.chat_input[0].placeholder == TEXTS.text("chat.placeholder")


def test_where_a_chat_model_is_set_the_page_names_it() -> None:
    def script() -> None:
        import os
        from pathlib import Path

        from app import main
        from tests.pages.fakes import open_fake

        main(lambda: open_fake(Path(os.environ["REFERENT_DATA_DIR"]), "gemma *3*"))

    at = AppTest.from_function(script, default_timeout=30)
    at.context = {"locale": "en"}
    at.run()
    assert TEXTS.text("chat.model", {"model": "gemma *3*"}) in shown(at)
    assert TEXTS.text("chat.no_model") not in shown(at)
    ask(at, "in Markdown")
    assert "**£1,199**" in shown(at)
    for _ in range(2):  # offered while it was just answered, and again when it comes from the store
        button(at, TEXTS.text("chat.regenerate"))
        assert len(at.chat_message) == 2
        assert "It costs **£1,199**.\u00a0[1]" in [one.value for one in at.chat_message[1].markdown]
        at.run()
    assert "3 / 3" in [one.value for one in at.caption]


def test_without_its_data_the_page_says_so_and_still_stands() -> None:
    def script() -> None:
        from app import main
        from memory.errors import DataFolderError

        def failing() -> object:
            raise DataFolderError("found no folder; expected one; choose another")

        main(failing)

    at = AppTest.from_function(script, default_timeout=30)
    at.context = {"locale": "ar"}
    at.run()
    assert not at.exception
    assert at.error[0].value == load("ar").text("error.data_folder")
    assert at.chat_input


def test_three_turns_show_question_reading_answer_and_source(page: AppTest) -> None:
    ask(page, "How much is the Veltara 13?")
    assert "Understood as" not in shown(page)
    ask(page, "And its warranty?")
    said = shown(page)
    assert "Understood as: And the Veltara 13's warranty?" in said
    assert "It comes with a warranty of 36 months, which covers parts and labour.\u00a0[1]" in said
    assert "1 · products/veltara-13.md" in said
    assert ":primary-background[It comes with a warranty of 36 months, which covers parts and labour.]" in said
    ask(page, "Quel est le prix du Veltara 13\u202f?")
    assert "Le Veltara 13 coûte 1\u202f199\u00a0€.\u00a0[1]" in shown(page)


def test_an_option_of_a_question_back_is_the_next_message(page: AppTest) -> None:
    ask(page, "And the Ridge?")
    assert "Which one do you mean" in shown(page)
    button(page, "Ridge 7 Lite")
    assert "The Ridge 7 Lite is guaranteed for 24 months.\u00a0[1]" in shown(page)
    options = [one for one in page.button if one.label in {"Ridge 7", "Ridge 7 Lite"}]
    assert [one.disabled for one in options] == [True, True]


def test_each_turn_starts_from_the_discourse_after_the_one_before(page: AppTest, conversations: Conversations) -> None:
    ask(page, "How much is the Veltara 13?")
    ask(page, "And its warranty?")
    (conversation,) = conversations.list(LOCAL_PERSON)
    kept = conversations.turns(conversation.id, LOCAL_PERSON)
    assert [turn.question for turn in kept] == ["How much is the Veltara 13?", "And its warranty?"]
    assert [turn.stopped for turn in kept] == [False, False]


def test_a_reload_shows_the_same_conversation(page: AppTest) -> None:
    ask(page, "How much is the Veltara 13?")
    ask(page, "And its warranty?")
    before = shown(page)
    again = AppTest.from_file(str(SCRIPT), default_timeout=30)
    again.query_params["conversation"] = page.query_params["conversation"]
    again.context = {"locale": "en-GB"}
    again.run()
    assert shown(again) == before


def test_a_conversation_of_somebody_else_is_not_shown(page: AppTest, conversations: Conversations) -> None:
    theirs = conversations.create("somebody else", "en")
    again = AppTest.from_file(str(SCRIPT), default_timeout=30)
    again.query_params["conversation"] = theirs
    again.context = {"locale": "en"}
    again.run()
    assert TEXTS.text("error.conversation_not_found") in shown(again)
    assert again.query_params.get("conversation") != theirs
    ask(again, "How much is the Veltara 13?")
    assert conversations.turns(theirs, "somebody else") == ()


@pytest.mark.parametrize("named", ["../x", "a\0b", "x" * 300, "محادثة", "' OR 1=1 --"])
def test_an_address_that_names_no_conversation_is_a_sentence(page: AppTest, named: str) -> None:
    page.query_params["conversation"] = named
    page.run()
    assert not page.exception
    assert TEXTS.text("error.conversation_not_found") in shown(page)


def test_a_new_conversation_begins_empty_and_the_old_one_is_listed(page: AppTest, conversations: Conversations) -> None:
    ask(page, "How much is the Veltara 13?")
    button(page, TEXTS.text("conversations.new"))
    assert TEXTS.text("app.tagline") in shown(page)
    ask(page, "Was kostet das Veltara 13?")
    assert len(conversations.list(LOCAL_PERSON)) == 2
    button(page, "How much is the Veltara 13?")
    assert "The Veltara 13 costs £1,199.\u00a0[1]" in shown(page)
    assert "Das Veltara 13 kostet" not in shown(page)


def test_a_conversation_can_be_renamed_and_deleted(page: AppTest, conversations: Conversations) -> None:
    ask(page, "How much is the Veltara 13?")
    page.run()
    page.text_input(key="conversation-name").set_value("Prices").run()
    assert [kept.title for kept in conversations.list(LOCAL_PERSON)] == ["Prices"]
    page.button(key="delete-conversation").click().run()
    assert conversations.list(LOCAL_PERSON) == ()
    assert TEXTS.text("app.tagline") in shown(page)


@pytest.mark.parametrize("code", codes())
def test_the_interface_follows_the_browser_and_then_the_switch(page: AppTest, code: str) -> None:
    other = AppTest.from_file(str(SCRIPT), default_timeout=30)
    other.context = {"locale": load(code).locale}
    other.run()
    assert load(code).text("app.tagline") in shown(other)
    other.selectbox(key="interface").set_value("fr").run()
    assert load("fr").text("app.tagline") in shown(other)


def test_an_unknown_browser_language_gets_the_first_language(page: AppTest) -> None:
    other = AppTest.from_file(str(SCRIPT), default_timeout=30)
    other.context = {"locale": "ja-JP"}
    other.run()
    assert load(codes()[0]).text("app.tagline") in shown(other)


@pytest.mark.parametrize("code", codes())
def test_a_named_failure_is_a_sentence_in_the_language_of_the_interface(page: AppTest, code: str) -> None:
    page.selectbox(key="interface").set_value(code).run()
    ask(page, "unreachable")
    assert page.error[0].value.replace("\\", "") == load(code).text("error.model_unreachable")


def test_a_failure_nobody_foresaw_is_a_sentence_without_its_details(page: AppTest) -> None:
    ask(page, "crash")
    assert page.error[0].value == TEXTS.text("error.unexpected")
    assert "boom" not in shown(page)


def test_after_a_failure_the_same_question_can_be_asked_again(page: AppTest) -> None:
    ask(page, "unreachable")
    ask(page, "How much is the Veltara 13?")
    assert "The Veltara 13 costs £1,199.\u00a0[1]" in shown(page)


def test_what_broke_off_is_asked_again_by_its_button(page: AppTest, conversations: Conversations) -> None:
    ask(page, "at first unreachable")
    assert page.error
    button(page, TEXTS.text("chat.retry"))
    assert not page.error
    assert "Here it is.\u00a0[1]" in shown(page)
    (conversation,) = conversations.list(LOCAL_PERSON)
    (kept,) = conversations.turns(conversation.id, LOCAL_PERSON)
    assert not kept.stopped


def test_why_a_question_was_read_so_is_told_on_request(page: AppTest) -> None:
    ask(page, "How much is the Veltara 13?")
    ask(page, "And its warranty?")
    told = why(page)[0]
    assert told.startswith("\u2068its\u2069 → \u2068Veltara 13\u2069: ")
    assert TEXTS.text("evidence.possessive") in told
    assert TEXTS.text("evidence.turns_ago", {"count": "1"}) in told


@pytest.mark.parametrize(("code", "colon"), [("en", ": "), ("fr", "\u00a0: "), ("de", ": "), ("ar", ": ")])
def test_reasons_are_punctuated_as_their_language_does(code: str, colon: str) -> None:
    link = Link("Lite", (0, 4), ("Ridge 7 Lite",), 0, 4, "Ridge 7 Lite", ("demonstrative", "last_mentioned"))
    texts = load(code)
    told = reason(texts, link)
    assert ("\u2069 ← \u2068" if texts.direction == "rtl" else "\u2069 → \u2068") in told
    assert f"\u2069{colon}{plain(texts.text('evidence.demonstrative'))} · " in told


def test_what_is_not_on_record_is_no_reason() -> None:
    link = Link("it", (0, 2), ("Veltara 13",), 0, 2, "the Veltara 13")
    assert reason(TEXTS, link) == "\u2068it\u2069 → \u2068Veltara 13\u2069"
    assert reason(TEXTS, Link("it", (0, 2), (), 0, 2, "it", ("as_written",))).endswith(
        TEXTS.text("evidence.as_written")
    )


@pytest.mark.parametrize("code", codes())
def test_another_reading_is_chosen_by_its_button(page: AppTest, conversations: Conversations, code: str) -> None:
    texts = load(code)
    page.selectbox(key="interface").set_value(code).run()
    ask(page, "How much is the Veltara 13?")
    ask(page, "And its warranty?")
    assert readings(page) == ["Veltara 15", "Ridge [7] $Lite$", texts.text("chat.as_written")]
    button(page, "Veltara 15")
    assert "The Veltara 15 is guaranteed for 48 months." in shown(page)
    assert "which covers parts and labour.\u00a0[1]" not in shown(page)
    assert texts.text("evidence.chosen") in why(page)[0]
    (conversation,) = conversations.list(LOCAL_PERSON)
    assert len(conversations.turns(conversation.id, LOCAL_PERSON)) == 2
    drawn = shown(page)
    page.run()  # as the store has it
    assert shown(page) == drawn
    assert readings(page) == ["Veltara 13", "Ridge [7] $Lite$", texts.text("chat.as_written")]


def test_a_question_can_stand_as_it_was_written_and_be_read_again(page: AppTest) -> None:
    ask(page, "And its warranty?")
    button(page, TEXTS.text("chat.as_written"))
    assert TEXTS.text("chat.understood_as_written") in shown(page)
    assert "Understood as" not in shown(page)
    assert readings(page) == ["Veltara 13", "Veltara 15", "Ridge [7] $Lite$"]


def test_only_the_latest_turn_can_be_read_otherwise(page: AppTest) -> None:
    ask(page, "And its warranty?")
    ask(page, "How much is the Veltara 13?")
    assert readings(page) == []
    assert "its" in why(page)[0]


def test_what_went_on_meanwhile_is_not_corrected(page: AppTest, conversations: Conversations) -> None:
    ask(page, "And its warranty?")
    (conversation,) = conversations.list(LOCAL_PERSON)
    conversations.add_turn(conversation.id, LOCAL_PERSON, NewTurn("elsewhere", "And now?", "en"))
    button(page, "Veltara 15")
    assert page.error[0].value.replace("\\", "") == TEXTS.text("error.turn_not_latest")
    assert "It comes with a warranty of 36 months" in shown(page)
    assert len(conversations.turns(conversation.id, LOCAL_PERSON)) == 2


def test_a_correction_that_failed_can_be_tried_again(page: AppTest) -> None:
    ask(page, "And its warranty? at first")
    button(page, "Veltara 15")
    assert page.error
    button(page, TEXTS.text("chat.retry"))
    assert not page.error
    assert "The Veltara 15 is guaranteed after all." in shown(page)


def test_a_name_on_a_button_is_no_markdown(page: AppTest) -> None:
    ask(page, "And its warranty?")
    (label,) = [one.label for one in page.button if "Ridge" in one.label]
    assert label == f"\u2068{plain('Ridge [7] $Lite$')}\u2069"


def test_where_a_sign_in_is_set_up_nobody_sees_the_local_person(page: AppTest) -> None:
    ask(page, "How much is the Veltara 13?")
    out = AppTest.from_file(str(SCRIPT), default_timeout=30)
    out.user = {"is_logged_in": False}
    out.context = {"locale": "de-DE"}
    out.query_params["conversation"] = page.query_params["conversation"]
    out.run()
    assert load("de").text("app.sign_in_prompt") in shown(out)
    assert not out.chat_input
    assert "Veltara" not in shown(out)


def test_each_signed_in_person_has_conversations_of_their_own(page: AppTest) -> None:
    first, second = (AppTest.from_file(str(SCRIPT), default_timeout=30) for _ in range(2))
    for number, signed in enumerate((first, second)):
        signed.user = signed_in(str(number))
        signed.context = {"locale": "en"}
        signed.run()
    ask(first, "How much is the Veltara 13?")
    second.run()
    assert TEXTS.text("conversations.empty") in shown(second)
    second.query_params["conversation"] = first.query_params["conversation"]
    second.run()
    assert "1,199" not in shown(second)


def test_a_long_conversation_is_drawn_from_its_end(page: AppTest, conversations: Conversations) -> None:
    kept = conversations.create(LOCAL_PERSON, "en")
    for number in range(40):
        conversations.add_turn(kept, LOCAL_PERSON, NewTurn(f"t{number}", f"question {number}", "en"))
    page.query_params["conversation"] = kept
    page.run()
    assert "question 39" in shown(page)
    assert "question 3\n" not in shown(page)
    page.button(key="more-turns").click().run()
    assert "question 3\n" in shown(page)


def test_a_notice_is_said_with_the_answer(page: AppTest) -> None:
    ask(page, "fallback")
    assert TEXTS.text("notice.model_unreachable") in shown(page)
    assert page.expander


def test_what_documents_and_answers_hold_is_never_active(page: AppTest) -> None:
    ask(page, "hostile")
    for element in [*page.markdown, *page.caption]:
        unescaped = re.sub(r"\\.", "", element.value)  # what Markdown would still act on
        for active in ("![", "<", "](http", "$", ":red["):
            assert active not in unescaped
    for source in page.expander:
        assert "![" not in re.sub(r"\\.", "", source.label)


@pytest.mark.parametrize("code", codes())
def test_every_language_has_starters_and_a_starter_asks_its_question(page: AppTest, code: str) -> None:
    page.selectbox(key="interface").set_value(code).run()
    offered = [one for one in page.button if (one.key or "").startswith("starter-")]
    assert len(offered) >= 3
    first = next(tour for tour in read_tours_of(code))
    offered[0].click().run()
    assert first in shown(page)


@pytest.mark.parametrize(("shelves", "hinted"), [("shared", False), ("empty", True)])
def test_without_demonstration_documents_nothing_is_offered_that_none_answers(
    monkeypatch: pytest.MonkeyPatch, shelves: str, hinted: bool
) -> None:
    import streamlit as st

    monkeypatch.setenv("REFERENT_SHELVES", shelves)
    st.cache_resource.clear()
    at = AppTest.from_file(str(SCRIPT), default_timeout=30)
    at.context = {"locale": "en-GB"}
    at.run()
    assert not at.exception
    assert not [one for one in at.button if (one.key or "").startswith("starter-")]
    assert (TEXTS.text("chat.nothing_to_ask") in shown(at)) is hinted


def read_tours_of(code: str) -> list[str]:
    from rag.pages.starters import TOUR

    return [tour.turn[0].user for tour in read_tours(TOUR) if tour.lang == code]


def test_without_demonstration_data_the_page_goes_without_starters(tmp_path: Path) -> None:
    assert read_tours(tmp_path / "tour.toml") == ()
    broken = tmp_path / "broken.toml"
    broken.write_text("[[tour]]\nlang = 'en'", encoding="utf-8")
    assert read_tours(broken) == ()

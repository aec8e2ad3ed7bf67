"""The conversations page over the real store."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from streamlit.testing.v1 import AppTest

from languages import codes, load
from memory.store.conversations import LOCAL_PERSON, StoredConversation, person_id
from rag.pages.conversations import grouped, holding
from rag.transcripts import to_json, to_markdown, transcript_of
from tests.pages.drawing import bare, drawn, shown
from tests.pages.fakes import FakeApplication
from tests.pages.lived import LIVES, live

TEXTS = load("en")


def script() -> None:
    from rag.pages.conversations import conversations
    from rag.pages.session import ChatPage
    from tests.pages.app_under_test import open_scripted

    conversations(open_scripted, ChatPage())


def opened(code: str = "en") -> AppTest:
    return drawn(script, code)


def titles(page: AppTest) -> list[str]:
    found = [button.label for button in page.button if str(button.key).startswith("show-")]
    return [bare(label.partition("  \n")[0]).replace("\u00a0?", "\u202f?") for label in found]


@pytest.mark.parametrize("code", codes())
def test_conversations_are_listed_by_when_they_were_used(application: FakeApplication, code: str) -> None:
    texts = load(code)
    assert texts.text("conversations.empty") in shown(opened(code))
    live(application.database, code)
    page = opened(code)
    assert titles(page) == list(reversed(LIVES[code].titles))
    assert [each.value for each in page.caption if each.value in {texts.text("conversations.earlier")}]
    assert texts.text("conversations.found_none") not in shown(page)


def test_days_are_told_where_the_browser_is() -> None:
    moments = [datetime(2026, 3, day, 12, tzinfo=UTC) for day in (9, 8, 7)]
    listed = [StoredConversation(str(n), "ada", "", "en", at, at) for n, at in enumerate(moments)]
    groups = grouped(listed, moments[0].date())
    assert [(key, [each.id for each in found]) for key, found in groups] == [
        ("conversations.today", ["0"]),
        ("conversations.yesterday", ["1"]),
        ("conversations.earlier", ["2"]),
    ]


def test_words_are_looked_for_in_titles_questions_and_answers(application: FakeApplication) -> None:
    live(application.database)
    page = opened()
    page.text_input(key="conversation-words").set_value("LOUD veltara").run()
    assert len(titles(page)) == 3  # each answer says that it is loud
    page.text_input(key="conversation-words").set_value("tablet").run()
    assert titles(page) == ["Can I return a tablet that I have already set up?"]
    page.text_input(key="conversation-words").set_value("nowhere").run()
    assert titles(page) == []
    assert TEXTS.text("conversations.found_none") in shown(page)


def test_arabic_words_are_found_in_whatever_form_of_their_letters() -> None:
    at = datetime(2026, 3, 9, tzinfo=UTC)
    kept = StoredConversation("1", "ada", "إرجاعُ الجهاز", "ar", at, at)
    assert holding("ارجاع", [kept], {}) == (kept,)


def test_a_conversation_is_opened_renamed_and_deleted(application: FakeApplication) -> None:
    newest = live(application.database)[-1]
    page = opened()
    page.button(key=f"show-{newest}").click().run()
    assert page.session_state["conversation"] == newest
    page.text_input(key=f"name-{newest}").set_value("The Ridge").run()
    assert application.conversations.get(newest, LOCAL_PERSON).title == "The Ridge"
    assert "The Ridge" in titles(page)
    page.button(key=f"delete-{newest}").click().run()
    assert "The Ridge" not in titles(page)
    assert page.session_state["conversation"] is None
    assert len(application.conversations.list(LOCAL_PERSON)) == 2


def test_what_another_tab_has_deleted_is_said_and_nothing_breaks(application: FakeApplication) -> None:
    newest = live(application.database)[-1]
    page = opened()
    application.conversations.delete(newest, LOCAL_PERSON)
    page.button(key=f"delete-{newest}").click().run()
    assert TEXTS.text("error.conversation_not_found") in shown(page)
    assert len(titles(page)) == 2


@pytest.mark.parametrize("code", codes())
@pytest.mark.parametrize("kind", ["json", "md"])
def test_what_was_exported_can_be_imported(application: FakeApplication, code: str, kind: str) -> None:
    live(application.database, code)
    store = application.conversations
    kept = transcript_of(store, store.list(LOCAL_PERSON)[0])
    content = to_json([kept]) if kind == "json" else to_markdown(load(code), kept)
    page = opened(code)
    page.file_uploader[0].upload(f"x.{kind}", content.encode()).run()
    assert load(code).text("conversations.imported", {"count": "1"}) in shown(page)
    assert titles(page).count(kept.title) == 2
    assert load(code).text("conversations.imported", {"count": "1"}) not in shown(page.run())


def test_what_is_no_conversation_is_refused_by_its_name(application: FakeApplication) -> None:
    page = opened()
    page.file_uploader[0].upload("notes.md", b"# Notes\n").run()
    assert TEXTS.text("error.import_invalid", {"name": "notes.md"}) in shown(page)
    assert titles(page) == []


def test_nobody_sees_the_conversations_of_another(application: FakeApplication) -> None:
    live(application.database, "en", person_id("https://id.example", "2"))
    assert titles(opened()) == []

"""The memory page over the real memory."""

from __future__ import annotations

import json

import pytest
from streamlit.testing.v1 import AppTest

from languages import codes, load
from memory.store.conversations import LOCAL_PERSON, person_id
from tests.pages.app_under_test import open_scripted
from tests.pages.drawing import bare, drawn, shown, signed_in
from tests.pages.fakes import FakeApplication
from tests.pages.lived import LIVES, live

TEXTS = load("en")


def script() -> None:
    from rag.pages.memory import memory
    from rag.pages.session import ChatPage
    from tests.pages.app_under_test import open_scripted

    memory(open_scripted, ChatPage())


def opened(code: str = "en") -> AppTest:
    return drawn(script, code)


@pytest.fixture
def page(application: FakeApplication) -> AppTest:
    live(application.database)
    return opened()


def entity(name: str) -> str:
    found = open_scripted().memory.entity(LOCAL_PERSON, name)
    assert found is not None
    return found.id


def holds(key: str) -> list[str]:
    return [fact.value for fact in open_scripted().memory.facts(LOCAL_PERSON) if fact.key == key]


def fact(value: str) -> str:
    return f"fact-{next(each.id for each in open_scripted().memory.facts(LOCAL_PERSON) if each.value == value)}"


def card(page: AppTest, name: str) -> str:
    """Open the card of *name*; return its entity's id."""
    id = entity(name)
    page.button(key=f"open-{id}").click().run()
    return id


def listed(page: AppTest) -> set[str]:
    return {bare(one.label).split("**")[1] for one in page.button if str(one.key).startswith("open-")}


@pytest.mark.parametrize("code", codes())
def test_whoever_has_said_nothing_is_told_so(application: FakeApplication, code: str) -> None:
    said = shown(opened(code))
    texts = load(code)
    for key in ("intro", "nothing_about", "nothing_else", "no_relations"):
        assert texts.text(f"memory.{key}") in said, key


@pytest.mark.parametrize("code", codes())
def test_the_profile_shows_its_fields_what_is_known_and_what_was_before(
    application: FakeApplication, code: str
) -> None:
    live(application.database, code)
    page, life, texts = opened(code), LIVES[code], load(code)
    said = shown(page)
    assert all(value in said for _, value in (*life.facts, life.later))
    before = texts.text("memory.until", {"value": dict(life.facts)["budget"], "date": ""}).rstrip()
    assert f"- {before}" in said
    assert texts.text("memory.unknown") in said
    assert texts.text("memory.also_known") in [each.value for each in page.subheader]


def test_a_detail_is_changed_deleted_and_told(page: AppTest) -> None:
    key = fact("Kelsbury")
    page.text_input(key=f"{key}-value").set_value("Wrenfold")
    page.button(key=f"{key}-save").click().run()
    assert holds("place") == ["Wrenfold"]
    assert "Wrenfold" in shown(page)
    page.button(key=f"{fact('Alex')}-delete").click().run()
    assert holds("name") == []
    page.text_input(key="tell-job-value").set_value("Cook")
    page.button(key="tell-job-save").click().run()
    assert holds("job") == ["Cook"]


def test_what_another_page_has_changed_is_not_overwritten(page: AppTest) -> None:
    key, editor = fact("Kelsbury"), open_scripted().editor
    editor.restate(LOCAL_PERSON, int(key.removeprefix("fact-")), "Aldersea")
    page.text_input(key=f"{key}-value").set_value("Wrenfold")
    page.button(key=f"{key}-save").click().run()
    assert holds("place") == ["Aldersea"]
    assert TEXTS.text("error.fact_not_found") in shown(page)
    assert TEXTS.text("error.fact_not_found") not in shown(page.run())


def test_pausing_is_kept_and_said_on_every_page(page: AppTest) -> None:
    assert TEXTS.text("memory.paused") not in shown(page)
    page.toggle(key="paused").set_value(True).run()
    assert open_scripted().editor.is_paused(LOCAL_PERSON)
    assert TEXTS.text("memory.paused") in shown(page)
    other = opened()
    assert other.toggle(key="paused").value is True
    other.toggle(key="paused").set_value(False).run()
    assert page.run().toggle(key="paused").value is False
    assert not open_scripted().editor.is_paused(LOCAL_PERSON)


def test_entities_are_found_by_name_and_type(page: AppTest) -> None:
    assert "Inga Holm" in shown(page)
    page.text_input(key="entity-words").set_value("nobody").run()
    assert listed(page) == set()
    page.text_input(key="entity-words").set_value("VELTARA").run()
    assert listed(page) == {"Veltara 13", "Veltara 15"}
    page.text_input(key="entity-words").set_value("")
    page.selectbox(key="entity-type").set_value("PERSON").run()
    assert listed(page) == {"Inga Holm"}


def test_a_card_shows_names_sentences_relations_and_mentions(page: AppTest) -> None:
    id = card(page, "Veltara 13")
    said = shown(page)
    assert "- The Veltara 13 is a bit loud under load." in said
    assert "- Veltara 13 · compares to · Veltara 15" in said
    assert "“Veltara” · by you" in said
    assert "How much is the Veltara 13?" in said
    newest = page.button(key=f"mention-{id}-0")
    newest.click().run()
    assert page.session_state["conversation"] == open_scripted().editor.mentions(LOCAL_PERSON, id)[0].conversation
    assert str(page.session_state["turn"]).startswith("local-en-2-")


def test_an_entity_is_renamed_and_a_taken_name_is_refused(page: AppTest) -> None:
    id = card(page, "Veltara 13")
    page.text_input(key=f"edit-{id}-name").set_value("Veltara Thirteen")
    page.text_area(key=f"edit-{id}-aliases").set_value("my laptop\n\n old one ")
    page.selectbox(key=f"edit-{id}-type").set_value("ORGANIZATION")
    page.button(key=f"edit-{id}-save").click().run()
    found = open_scripted().editor.find(LOCAL_PERSON, id)
    assert found is not None
    assert (found.name, found.type) == ("Veltara Thirteen", "ORGANIZATION")
    assert found.aliases == ("my laptop", "old one", "Veltara 13")
    page.text_input(key=f"edit-{id}-name").set_value("Veltara 15")
    page.selectbox(key=f"edit-{id}-type").set_value("PRODUCT")
    page.button(key=f"edit-{id}-save").click().run()
    assert TEXTS.text("error.name_taken", {"name": "Veltara 15"}) in shown(page)
    assert entity("my laptop") == id


def test_a_merge_is_done_and_taken_back(page: AppTest) -> None:
    id, other = card(page, "Veltara 13"), entity("Veltara 15")
    page.selectbox(key=f"join-{id}-other").set_value(other)
    page.button(key=f"join-{id}-do").click().run()
    assert entity("Veltara 15") == id
    said = shown(page)
    assert TEXTS.text("memory.merged", {"kept": "Veltara 13", "other": "Veltara 15"}) in said
    undo = [button for button in page.button if str(button.key).startswith("undo-")]
    undo[0].click().run()
    assert entity("Veltara 15") == other
    assert not [button for button in page.button if str(button.key).startswith("undo-")]


def test_mentions_are_split_off(page: AppTest) -> None:
    id = card(page, "Veltara 13")
    page.selectbox(key=f"split-{id}-name").set_value("Veltara")
    page.button(key=f"split-{id}-do").click().run()
    assert entity("Veltara") != id


def test_an_entity_is_deleted_behind_a_question(page: AppTest) -> None:
    id = card(page, "Inga Holm")
    assert TEXTS.text("memory.confirm_delete", {"name": "Inga Holm"}) in shown(page)
    page.button(key=f"delete-{id}-do").click().run()
    assert open_scripted().editor.find(LOCAL_PERSON, id) is None
    assert "Inga Holm" not in shown(page)


def test_duplicates_are_looked_for_when_asked(page: AppTest) -> None:
    assert TEXTS.text("memory.no_duplicates") not in shown(page)
    page.button(key="duplicates-look").click().run()
    assert TEXTS.text("memory.no_duplicates") in shown(page)


def test_all_can_be_exported(page: AppTest) -> None:
    from rag.pages.memory import exported

    content = json.loads(exported(open_scripted(), LOCAL_PERSON))
    assert {row["name"] for row in content["entities"]} >= {"Veltara 13", "Inga Holm"}
    assert len(content["conversations"]) == 3
    assert page.get("download_button")


@pytest.mark.parametrize("code", codes())
def test_forgetting_needs_the_word_and_leaves_others_alone(application: FakeApplication, code: str) -> None:
    texts, other = load(code), person_id("https://id.example", "2")
    live(application.database, code)
    live(application.database, code, other)
    page = opened(code)
    said = shown(page)
    assert texts.text("conversations.count", {"count": "3"}) in said
    assert texts.text("memory.forget_all") in said
    assert page.button(key="forget-everything").disabled
    page.text_input(key="forget-word").set_value("x").run()
    assert page.button(key="forget-everything").disabled
    page.text_input(key="forget-word").set_value(texts.text("memory.forget_word").upper()).run()
    page.button(key="forget-everything").click().run()
    assert texts.text("memory.forgotten") in shown(page)
    assert application.memory.entities(LOCAL_PERSON) == ()
    assert application.conversations.list(LOCAL_PERSON) == ()
    assert len(application.memory.entities(other)) == 5
    assert texts.text("memory.forgotten") not in shown(page.run())


def test_whoever_is_signed_in_sees_their_own_alone(application: FakeApplication) -> None:
    live(application.database)
    page = AppTest.from_function(script, default_timeout=60)
    page.context = {"locale": "en-GB"}
    page.user = signed_in("1")
    said = shown(page.run())
    assert "Kelsbury" not in said
    assert TEXTS.text("memory.forget_all") not in said
    assert TEXTS.text("memory.nothing_about") in said


def test_a_hostile_name_is_a_name(application: FakeApplication) -> None:
    from memory import Heard
    from memory.memory import Said
    from memory.store.entities import Named

    name = '![x](http://evil.example/?q=1) <b>"\\"]'
    said = Said(
        "c", "t", (Named(name, "PRODUCT", sentence=name),), (Heard("", "likes", name, 0, 0),), (("", "OWNS", name),)
    )
    application.memory.remember(LOCAL_PERSON, said)
    page = opened()
    card(page, name)
    for element in (*page.markdown, *page.caption):
        assert "![x](" not in element.value
    for html in page.get("html"):
        assert "<b>" not in html.proto.body

"""The documents page over a scripted library."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from languages import codes, load
from rag.settings import read_settings
from rag.shelf.owners import Owner
from tests.pages.app_under_test import open_scripted
from tests.pages.drawing import signed_in
from tests.pages.fakes import SHARED, FakeLibrary, record

TEXTS = load("en")


def script() -> None:
    from rag.pages.documents import documents
    from tests.pages.app_under_test import open_scripted

    documents(open_scripted)


@pytest.fixture
def page() -> AppTest:
    import streamlit as st

    st.cache_resource.clear()
    at = AppTest.from_function(script, default_timeout=30)
    at.context = {"locale": "en-GB"}
    return at.run()


def shown(page: AppTest) -> str:
    parts = [element.value for kind in (page.markdown, page.caption, page.error) for element in kind]
    return "\n".join(parts).replace("\\", "").replace("\u2068", "").replace("\u2069", "")


def library() -> FakeLibrary:
    return open_scripted().library


def add(page: AppTest, *names: str, content: bytes = b"# Notes") -> AppTest:
    for name in names:
        page.file_uploader[0].upload(name, content)
    page.run()
    assert not page.exception
    return page


def test_the_shared_documents_are_listed_with_language_and_size(page: AppTest) -> None:
    said = shown(page)
    assert "Returns :small[support/returns.md] | English | 3" in said
    assert "حاسوب Veltara 13 :small[المنتجات/veltara-13.md] | Arabic | 3" in said
    assert TEXTS.text("documents.empty") in said


def test_the_documents_of_all_shelves_stand_under_one_heading(page: AppTest) -> None:
    headings = [found.value for found in page.subheader]
    assert headings == [TEXTS.text("documents.own"), TEXTS.text("documents.shared")]
    shelves = read_settings().shelves
    assert len(shelves) > 1
    assert TEXTS.text("documents.count", {"count": str(len(shelves) * len(SHARED))}) in shown(page)


@pytest.mark.parametrize("code", codes())
def test_it_is_said_who_sees_the_files(page: AppTest, code: str) -> None:
    texts = load(code)
    page.context = {"locale": texts.locale}
    said = shown(page.run())
    assert texts.text("documents.seen_by_all") in said
    assert texts.text("documents.seen_by_you") not in said
    page.user = signed_in("1")
    said = shown(page.run())
    assert texts.text("documents.seen_by_you") in said
    assert texts.text("documents.seen_by_all") not in said


def test_what_is_chosen_is_added_once_without_another_word(page: AppTest) -> None:
    assert not [one for one in page.button if one.key == "send-files"]
    add(page, "notes.md", "more.md")
    for _ in range(2):
        assert library().read == ["notes.md", "more.md"]
        assert "notes.md: added" in shown(page)
        assert "more.md: added" in shown(page)
        assert not page.file_uploader[0].value, "the field is not empty again"
        page.run()
    add(page, "third.md")
    assert "notes.md: added" not in shown(page), "what was said of the files before is still there"


def test_where_the_library_fails_each_file_is_told_so_and_the_others_go_in(page: AppTest) -> None:
    add(page, "busy.md", "notes.md")
    assert f"busy.md: not added. {TEXTS.text('error.index_busy')}" in shown(page)
    assert "notes.md: added" in shown(page)
    page.run()
    assert library().read == ["busy.md", "notes.md"], "it is tried again without being asked to"


def test_an_added_file_is_listed_and_can_be_removed(page: AppTest) -> None:
    add(page, "notes.md")
    assert "notes.md: added" in shown(page)
    page.button(key="remove-notes.md").click().run()
    assert "notes.md" not in shown(page)


def test_the_same_file_again_is_unchanged(page: AppTest) -> None:
    add(page, "notes.md")
    assert "notes.md: unchanged" in shown(add(page, "notes.md"))
    assert len([one for one in page.button if one.key == "remove-notes.md"]) == 1


@pytest.mark.parametrize("code", codes())
def test_a_refused_file_is_named_with_the_reason(page: AppTest, code: str) -> None:
    page.context = {"locale": load(code).locale}
    page.run()
    reason = load(code).text("error.document_empty", {"name": "empty.md"})
    assert reason in shown(add(page, "empty.md", content=b" "))


@pytest.mark.parametrize("name", ["../x.md", "a\0b.md", "![x](http://evil.example).md"])
def test_a_hostile_name_is_a_name(page: AppTest, name: str) -> None:
    add(page, name)
    for element in page.markdown:
        assert "![x](" not in element.value
    assert not Path("x.md").exists()


@pytest.mark.parametrize("code", codes())
def test_a_full_disk_is_said_so_and_the_next_file_is_tried(page: AppTest, code: str) -> None:
    page.session_state["interface"] = code
    texts = load(code)
    said = shown(add(page, "full.md", "other.md"))
    assert f"{texts.text('outcome.refused', {'name': 'full.md', 'reason': texts.text('error.store_full')})}" in said
    assert texts.text("outcome.added", {"name": "other.md"}) in said
    assert open_scripted().uploads.take_lost("local") == ()


def test_what_was_lost_is_said_until_the_next_files_unless_it_is_in_all_the_same(page: AppTest) -> None:
    pending = open_scripted().uploads
    pending.begin("local", {"1": "lost.md", "2": "notes.md"})
    pending.leave("local", ["1"])
    lost = TEXTS.text("error.upload_interrupted")
    assert f"lost.md: not added. {lost}" in shown(page.run())
    assert f"lost.md: not added. {lost}" in shown(page.run())
    assert "Reading notes.md" in shown(page)
    pending.leave("local", ["2"])
    library().kept[Owner("person", "local")] = {"notes.md": replace(record("notes.md", "x"), created=datetime.now(UTC))}
    page.run()
    assert "notes.md: not added" not in shown(page)
    assert "Reading" not in shown(page)
    assert lost not in shown(add(page, "other.md"))

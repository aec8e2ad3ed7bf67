"""What each role sees, looked at again at every load and in every button; nobody gets in by a gap."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from languages import codes, load
from memory.store.conversations import LOCAL_PERSON, person_id
from rag.pages.settings import in_force
from rag.settings import Settings
from rag.shelf.owners import Owner
from tests.pages.app_under_test import open_scripted
from tests.pages.drawing import bare, shown, signed_in
from tests.pages.fakes import FakeApplication, record

APP = Path(__file__).parent / "app_under_test.py"
TEXTS = load("en")
ANNA = person_id("https://id.example", "anna")
SHELF = Owner("shelf", "desk")


def documents_script() -> None:
    from functools import partial

    from rag.pages.documents import documents
    from rag.pages.frame import guard
    from rag.pages.session import adds_documents
    from tests.pages.app_under_test import open_scripted

    guard(partial(documents, open_scripted), adds_documents)


def evaluate_script() -> None:
    from functools import partial

    from rag.pages.evaluate import evaluate
    from rag.pages.frame import guard
    from rag.pages.session import administers
    from tests.pages.app_under_test import open_scripted

    guard(partial(evaluate, open_scripted), administers)


def settings_script() -> None:
    from functools import partial

    from rag.pages.frame import guard
    from rag.pages.session import administers
    from rag.pages.settings import settings
    from tests.pages.app_under_test import open_scripted

    guard(partial(settings, open_scripted), administers)


def memory_script() -> None:
    from functools import partial

    from rag.pages.frame import guard
    from rag.pages.memory import memory
    from rag.pages.session import ChatPage
    from tests.pages.app_under_test import open_scripted

    guard(partial(memory, open_scripted, ChatPage()))


@pytest.fixture(autouse=True)
def desk(monkeypatch: pytest.MonkeyPatch, application: FakeApplication) -> FakeApplication:
    """Return the application of a desk that Ada administers, with a shelf of its own."""
    import streamlit as st

    monkeypatch.setenv("REFERENT_ADMINISTRATORS", "ada")
    monkeypatch.setenv("REFERENT_SHELVES", "demo,desk")
    st.cache_resource.clear()
    return open_scripted()


def visit(script: Callable[[], None], subject: str | None, code: str = "en", **claims: object) -> AppTest:
    page = AppTest.from_function(script, default_timeout=60)
    page.context = {"locale": load(code).locale}
    page.user = {"is_logged_in": False} if subject is None else signed_in(subject, **claims)
    return page.run()


@pytest.mark.parametrize("code", codes())
@pytest.mark.parametrize("script", [documents_script, evaluate_script, settings_script])
def test_a_page_for_administrators_refuses_a_customer_by_itself(script: Callable[[], None], code: str) -> None:
    page = visit(script, "anna", code)
    assert shown(page).strip() == load(code).text("app.for_administrators")
    assert not page.file_uploader
    assert not page.tabs
    assert shown(visit(script, "ada", code)) != shown(page)


@pytest.mark.parametrize("script", [documents_script, evaluate_script, settings_script, memory_script])
def test_nobody_signed_in_is_nobody(script: Callable[[], None]) -> None:
    for page in (
        visit(script, None),
        visit(script, "ada", iat=time.time() - 13 * 3600),
        visit(script, ""),
        visit(script, "ada", iss=""),
    ):
        assert TEXTS.text("app.sign_in_prompt") in shown(page)
        assert [button.key for button in page.button] == ["sign-in"]


def test_a_sign_in_that_runs_out_between_two_loads_ends_what_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    import streamlit as st

    monkeypatch.setenv("REFERENT_SIGN_IN_HOURS", "1")
    st.cache_resource.clear()
    page = visit(memory_script, "anna", iat=time.time() - 3595)
    assert TEXTS.text("memory.nothing_about") in shown(page)
    page.user = {**page.user, "iat": time.time() - 3605}
    page.run()
    assert TEXTS.text("memory.nothing_about") not in shown(page)
    assert TEXTS.text("app.sign_in_prompt") in shown(page)


def test_a_sign_in_that_is_set_and_that_streamlit_does_not_know_lets_nobody_in(monkeypatch: pytest.MonkeyPatch) -> None:
    import streamlit as st

    for name, value in {
        "PUBLIC_URL": "https://chat.example.org",
        "OIDC_METADATA_URL": "https://id.example/x",
        "OIDC_CLIENT_ID": "c",
        "OIDC_CLIENT_SECRET": "s",
    }.items():
        monkeypatch.setenv(f"REFERENT_{name}", value)
    st.cache_resource.clear()
    page = AppTest.from_function(memory_script, default_timeout=60).run()
    assert TEXTS.text("app.sign_in_prompt") in shown(page)
    page.button(key="sign-in").click().run()
    assert TEXTS.text("app.sign_in_failed") in shown(page)
    monkeypatch.delenv("REFERENT_OIDC_CLIENT_SECRET")
    st.cache_resource.clear()
    page = AppTest.from_function(memory_script, default_timeout=60).run()
    assert "REFERENT_OIDC_CLIENT_SECRET" in shown(page)
    assert len(page.button) == 0


@pytest.mark.parametrize("code", codes())
def test_who_signed_in_and_the_way_out_are_said_in_the_pages_language(code: str) -> None:
    texts = load(code)
    page = AppTest.from_file(str(APP), default_timeout=60)
    page.context = {"locale": texts.locale}
    page.user = signed_in("anna", name="Anna *Berg*")
    page.run()
    assert page.sidebar.button(key="sign-out").label == texts.text("app.sign_out")
    assert "Anna *Berg*" in bare(page.sidebar.caption[0].value)
    assert r"\*Berg\*" in page.sidebar.caption[0].value
    page.user = {"is_logged_in": False}
    page.run()
    assert [button.key for button in page.button] == ["sign-in"]
    assert page.button(key="sign-in").label == texts.text("app.sign_in")


def test_an_administrator_adds_to_the_shared_shelf_and_removes_from_it(desk: FakeApplication) -> None:
    page = visit(documents_script, "ada")
    page.file_uploader[0].upload("prices.md", b"# Prices")
    page.run()
    assert list(desk.library.kept[SHELF]) == ["prices.md"]
    page.radio[0].set_value(Owner("person", person_id("https://id.example", "ada"))).run()
    page.file_uploader[0].upload("mine.md", b"# Mine")
    page.run()
    assert list(desk.library.kept[SHELF]) == ["prices.md"]
    assert list(desk.library.kept[Owner("person", person_id("https://id.example", "ada"))]) == ["mine.md"]
    page.selectbox(key="removed-shared").set_value("prices.md").run()
    page.button(key="remove-shared").click().run()
    assert not page.exception
    assert desk.library.kept[SHELF] == {}


def test_whose_role_was_taken_away_meanwhile_removes_and_adds_nothing(
    desk: FakeApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    import streamlit as st

    desk.library.kept[SHELF] = {"prices.md": record("prices.md", "Prices")}
    page = visit(documents_script, "ada")
    page.selectbox(key="removed-shared").set_value("prices.md").run()
    monkeypatch.setenv("REFERENT_ADMINISTRATORS", "")
    from rag.pages.application import settings_in_force

    settings_in_force.clear()
    page.button(key="remove-shared").click().run()
    assert "prices.md" in desk.library.kept[SHELF]
    assert shown(page).strip() == TEXTS.text("app.for_administrators")
    assert st.cache_resource is not None


def test_customers_keep_documents_of_their_own_where_that_is_set(
    desk: FakeApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rag.pages.application import settings_in_force

    monkeypatch.setenv("REFERENT_UPLOADS", "everyone")
    settings_in_force.clear()
    desk.library.kept[SHELF] = {"prices.md": record("prices.md", "Prices")}
    page = visit(documents_script, "anna")
    page.file_uploader[0].upload("mine.md", b"# Mine")
    page.run()
    assert list(desk.library.kept[Owner("person", ANNA)]) == ["mine.md"]
    assert "prices.md" not in shown(page)
    assert "Returns" not in shown(page)
    assert not page.radio
    assert not page.selectbox
    assert "mine.md" not in shown(visit(documents_script, "ben"))


def test_on_one_machine_the_local_person_administers_and_adds_their_own(desk: FakeApplication) -> None:
    page = AppTest.from_function(documents_script, default_timeout=60).run()
    page.file_uploader[0].upload("mine.md", b"# Mine")
    page.run()
    assert list(desk.library.kept[Owner("person", LOCAL_PERSON)]) == ["mine.md"]
    assert not page.radio
    assert not shown(AppTest.from_function(settings_script, default_timeout=60).run()).startswith("Only")


@pytest.mark.parametrize("code", codes())
def test_the_settings_page_shows_every_setting_and_no_secret(
    monkeypatch: pytest.MonkeyPatch, code: str, tmp_path: Path
) -> None:
    import streamlit as st

    hidden = {"OPENAI_API_KEY": "sk-seen-by-nobody", "REFERENT_COOKIE_SECRET": "seen-by-nobody" * 3}
    open_ones = {"OPENAI_BASE_URL": "https://anna:pass-by@models.example/v1", "REFERENT_CHAT_MODEL": "![x](http://e/)"}
    for name, value in (hidden | open_ones).items():
        monkeypatch.setenv(name, value)
    st.cache_resource.clear()
    page = visit(settings_script, "ada", code)
    said = "\n".join(element.value for element in page.markdown)
    assert not page.exception
    for value in (*hidden.values(), "pass-by"):
        assert value not in said
    assert "![x](" not in said
    assert "models" in bare(said)
    assert said.count("`REFERENT_") + said.count("`OPENAI_") == len(Settings.model_fields)
    assert f"| `OPENAI_API_KEY` | {load(code).text('settings.is_set')} |" in said


def test_what_is_not_set_is_said_so() -> None:
    found = in_force(TEXTS, Settings())
    assert found["REFERENT_COOKIE_SECRET"] == TEXTS.text("settings.is_not_set")
    assert found["REFERENT_RERANKER"] == TEXTS.text("settings.is_not_set")
    assert "8501" in found["REFERENT_PORT"]

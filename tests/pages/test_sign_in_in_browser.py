"""People who sign in with a real provider in a real browser: each sees their own, and what their role allows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from languages import codes, load
from memory.store.conversations import LOCAL_PERSON, Conversations, person_id
from memory.store.database import open_database
from tests.pages.browsing import DESK, PHONE, ask, open_page, overflows, send, wait_until_idle
from tests.pages.provider import SEAL, SECRET, provider, settings_for
from tests.pages.serving import served

pytestmark = pytest.mark.browser

MESSAGES = '[data-testid="stChatMessage"]'
SIGN_IN = ".st-key-sign-in button"
EN = load("en")
PEOPLE = (
    {"sub": "anna-7", "name": "Anna Berg", "email": "anna@example.org", "email_verified": True},
    {"sub": "ben-8", "name": "بن سالم", "email": "ben@example.org", "email_verified": True},
    {"sub": "ada-9", "name": "Ada Funk", "email": "ada@example.org", "groups": ["staff", "desk"]},
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("signed-in")


@pytest.fixture(scope="module")
def provided(folder: Path) -> Iterator[str]:
    with provider(folder, PEOPLE) as found:
        yield found


@pytest.fixture(scope="module")
def address(folder: Path, provided: str) -> Iterator[str]:
    roles = {"REFERENT_ROLE_CLAIM": "groups", "REFERENT_ADMINISTRATOR_ROLE": "desk"}
    with served(folder, given=lambda page: settings_for(provided, page) | roles) as found:
        yield found


def visit(browser: Browser, address: str, code: str = "en") -> Page:
    """Open the page as somebody who has not signed in; what is asked of another machine is kept, and not sent."""
    context = browser.new_context(viewport=DESK, locale=load(code).locale)  # type: ignore[arg-type]
    context.route(lambda url: "127.0.0.1" not in url, lambda route: route.abort())
    page = context.new_page()
    page.goto(address)
    wait_until_idle(page, last=SIGN_IN)
    return page


def sign_in(page: Page, subject: str) -> None:
    page.locator(SIGN_IN).click()
    page.get_by_role("button", name=subject, exact=True).click()
    wait_until_idle(page)


def sign_out(page: Page) -> None:
    page.locator(".st-key-sign-out button").click()
    page.get_by_role("button", name="End session").click()
    wait_until_idle(page, last=SIGN_IN)


def cookies(context: BrowserContext) -> set[str]:
    return {str(each.get("name")) for each in context.cookies()}


@pytest.mark.parametrize("code", codes())
def test_whoever_has_not_signed_in_sees_the_way_in_and_nothing_else(browser: Browser, address: str, code: str) -> None:
    texts = load(code)
    page = visit(browser, address, code)
    expect(page.locator(SIGN_IN)).to_have_text(texts.text("app.sign_in"))
    expect(page.get_by_text(texts.text("app.sign_in_prompt"))).to_be_visible()
    expect(page.locator('[data-testid="stChatInput"]')).to_have_count(0)
    expect(page.locator('[data-testid="stSidebarNavLink"]')).to_have_count(0)
    expect(page.locator(".st-key-sign-out")).to_have_count(0)
    for path in ("conversations", "memory", "documents", "settings"):
        page.goto(f"{address}/{path}")
        wait_until_idle(page, last=SIGN_IN)
        expect(page.locator('[data-testid="stMain"] h1')).to_have_text(texts.text("app.title"))
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    assert not overflows(page)


def test_each_person_sees_their_own_and_the_next_one_at_the_same_browser_nothing_of_it(
    browser: Browser, address: str, folder: Path, provided: str
) -> None:
    page = visit(browser, address)
    sign_in(page, "anna-7")
    expect(page.locator(".st-key-signed-in")).to_contain_text("Anna Berg")
    ask(page, "How much is the Veltara 13?")
    ask(page, "And its warranty?")
    theirs = page.url
    assert "conversation=" in theirs
    page.reload()
    wait_until_idle(page)
    expect(page.locator(MESSAGES)).to_have_count(4)

    sign_out(page)
    assert "_streamlit_user" not in cookies(page.context)
    page.goto(theirs)
    wait_until_idle(page, last=SIGN_IN)
    expect(page.locator(MESSAGES)).to_have_count(0)

    sign_in(page, "ben-8")
    expect(page.locator(".st-key-signed-in")).to_contain_text("بن سالم")
    expect(page.get_by_text(EN.text("conversations.empty"))).to_be_visible()
    page.goto(theirs)
    wait_until_idle(page)
    expect(page.get_by_text(EN.text("error.conversation_not_found"))).to_be_visible()
    expect(page.locator(MESSAGES)).to_have_count(0)
    expect(page.locator("body")).not_to_contain_text("Veltara 13's warranty")

    conversations = Conversations(open_database(folder / "data"))
    assert [each.title for each in conversations.list(person_id(provided, "anna-7"))] == ["How much is the Veltara 13?"]
    assert conversations.list(person_id(provided, "ben-8")) == ()
    assert conversations.list(LOCAL_PERSON) == ()


def test_a_customer_chats_and_an_administrator_also_sees_to_documents_cases_and_settings(
    browser: Browser, address: str
) -> None:
    page = visit(browser, address)
    sign_in(page, "ben-8")
    links = page.locator('[data-testid="stSidebarNavLink"]')
    everyone = [EN.text(f"app.{name}") for name in ("chat", "conversations", "compare", "memory")]
    expect(links).to_contain_text(everyone)
    for path in ("documents", "evaluate", "settings"):
        page.goto(f"{address}/{path}")
        expect(page.get_by_text(EN.text("app.for_administrators"))).to_be_visible()
        expect(page.locator('[data-testid="stFileUploader"], table')).to_have_count(0)
    sign_out(page)

    sign_in(page, "ada-9")
    expect(links).to_have_count(len(everyone) + 3)
    page.goto(f"{address}/settings")
    expect(page.get_by_text("REFERENT_OIDC_CLIENT_SECRET")).to_be_visible()
    shown = page.locator("body").inner_text()
    assert SECRET not in page.content()
    assert SEAL not in page.content()
    assert f"REFERENT_COOKIE_SECRET\t{EN.text('settings.is_set')}" in shown
    page.goto(f"{address}/documents")
    wait_until_idle(page)
    expect(page.get_by_role("radio", name=EN.text("documents.shared"))).to_be_checked()


def test_who_denies_at_the_provider_is_not_signed_in(browser: Browser, address: str) -> None:
    page = visit(browser, address)
    page.locator(SIGN_IN).click()
    page.get_by_role("button", name="Deny").click()
    wait_until_idle(page, last=SIGN_IN)
    assert "_streamlit_user" not in cookies(page.context)


def test_a_cookie_that_was_sealed_with_something_else_opens_nothing(
    browser: Browser, address: str, tmp_path: Path, provided: str
) -> None:
    page = visit(browser, address)
    sign_in(page, "anna-7")
    held = [each for each in page.context.cookies() if str(each.get("name")).startswith("_streamlit")]
    other = {"REFERENT_COOKIE_SECRET": "another seal of thirty-two characters"}
    with served(tmp_path, given=lambda at: settings_for(provided, at) | other) as elsewhere:
        context = browser.new_context(viewport=DESK)  # type: ignore[arg-type]
        context.add_cookies(held)  # type: ignore[arg-type] - what one call gives the other takes
        stranger = context.new_page()
        stranger.goto(elsewhere)
        wait_until_idle(stranger, last=SIGN_IN)
        expect(stranger.locator('[data-testid="stChatInput"]')).to_have_count(0)


def test_the_logs_have_neither_secrets_nor_who_people_are_nor_what_they_said(
    browser: Browser, address: str, folder: Path
) -> None:
    page = visit(browser, address)
    sign_in(page, "anna-7")
    ask(page, "Who stole the Zitronenfalter?")
    send(page, "crash")
    expect(page.get_by_text(EN.text("error.unexpected"))).to_be_visible()
    page.goto(f"{address}/oauth2callback?error=access_denied&state=x")
    wait_until_idle(page)
    kept = (folder / "data" / "referent.log").read_text(encoding="utf-8")
    assert "The page failed." in kept
    assert "RuntimeError" in kept
    said = kept + (folder / "server.log").read_text(encoding="utf-8")
    for words in ("Zitronenfalter", "boom", "Veltara", "Anna Berg", "anna-7", "anna@example.org", SECRET, SEAL):
        assert words not in said, words


def test_without_a_sign_in_there_is_one_local_person_who_may_everything(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path) as alone:
        page = open_page(browser, alone)
        expect(page.locator('[data-testid="stSidebarNavLink"]')).to_have_count(7)
        expect(page.locator(".st-key-sign-out")).to_have_count(0)
        ask(page, "How much is the Veltara 13?")
    assert len(Conversations(open_database(tmp_path / "data")).list(LOCAL_PERSON)) == 1

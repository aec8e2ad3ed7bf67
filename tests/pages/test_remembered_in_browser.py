"""Memory, conversations and comparison in a real browser: tabs, popovers, directions, narrow screens."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from languages import load
from memory.memory import EntityMemory
from memory.store.conversations import LOCAL_PERSON, Conversations
from memory.store.database import Database, open_database
from tests.pages.browsing import DESK, PHONE, ask, overflows, styled, wait_until_idle
from tests.pages.lived import LIVES, live
from tests.pages.serving import served

pytestmark = pytest.mark.browser

# The script from right to left on both screens, the longest words on the narrow one.
CASES = pytest.mark.parametrize(
    ("code", "size"), [("ar", DESK), ("ar", PHONE), ("de", PHONE)], ids=["ar-1280", "ar-390", "de-390"]
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("remembered")


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    with served(folder) as found:
        yield found


@pytest.fixture
def database(folder: Path) -> Iterator[Database]:
    opened = open_database(folder / "data")
    yield opened
    opened.close()


def go(browser: Browser, address: str, path: str, code: str = "en", size: dict[str, int] | None = None) -> Page:
    page = browser.new_page(viewport=size or DESK, locale=load(code).locale)  # type: ignore[arg-type]
    page.set_default_timeout(60_000)  # ms; a machine that runs other tests beside draws late
    page.goto(f"{address}/{path}")
    page.locator("h1").wait_for(timeout=60_000)
    settle(page)
    return page


def settle(page: Page) -> None:
    """Wait until no run is under way and everything is drawn."""
    expect(page.locator('[data-testid="stApp"]')).to_have_attribute(
        "data-test-script-state", "notRunning", timeout=60_000
    )
    expect(page.locator('[data-testid="stSkeleton"]')).to_have_count(0, timeout=60_000)


def tab(page: Page, name: str, code: str = "en") -> None:
    page.get_by_role("tab", name=load(code).text(f"memory.{name}")).click()


def test_memory_is_seen_corrected_followed_to_its_turn_and_forgotten(
    browser: Browser, address: str, database: Database
) -> None:
    live(database)
    memory, texts = EntityMemory(database), load("en")
    refused: list[str] = []
    page = go(browser, address, "memory")
    page.on("console", lambda message: refused.append(message.text) if message.type == "error" else None)
    page.get_by_role("button", name=texts.text("memory.change", {"name": "Lives in"})).click()
    field = page.get_by_role("textbox", name=texts.text("memory.value"))
    field.fill("Wrenfold")
    page.get_by_role("button", name=texts.text("action.save")).click()
    expect(page.get_by_text("Wrenfold").first).to_be_visible()
    assert [fact.value for fact in memory.facts(LOCAL_PERSON) if fact.key == "place"] == ["Wrenfold"]
    tab(page, "relations")
    expect(page.locator('[data-testid="stGraphVizChart"] svg')).to_contain_text("Inga Holm")
    assert refused == [], "the security policy stands in the way of the graph"
    tab(page, "things")
    page.get_by_role("button", name="Inga Holm").click()
    settle(page)
    page.locator('[class*="st-key-mention-"] button').last.click()
    expect(page.locator('[data-testid="stChatMessage"]').first).to_contain_text("How much is the Veltara 13?")
    page = go(browser, address, "memory")
    tab(page, "data")
    erase = page.get_by_role("button", name=texts.text("memory.forget_now"))
    expect(erase).to_be_disabled()
    word = texts.text("memory.forget_word")
    page.get_by_role("textbox", name=texts.text("memory.forget_type", {"word": word})).fill(word)
    page.keyboard.press("Tab")
    expect(erase).to_be_enabled()
    erase.click()
    expect(page.get_by_text(texts.text("memory.forgotten"))).to_be_visible()
    assert memory.entities(LOCAL_PERSON) == ()
    assert Conversations(database).list(LOCAL_PERSON) == ()


def test_two_tabs_at_once_lose_nothing(browser: Browser, address: str, database: Database) -> None:
    live(database)
    texts, memory = load("en"), EntityMemory(database)
    pages = [go(browser, address, "memory") for _ in range(2)]
    for page, label, value in zip(pages, ("Lives in", "Works at"), ("Wrenfold", "Marsh & Co"), strict=True):
        page.get_by_role("button", name=texts.text("memory.change", {"name": label})).click()
        page.get_by_role("textbox", name=texts.text("memory.value")).fill(value)
        page.get_by_role("button", name=texts.text("action.save")).click()
        expect(page.get_by_text(value).first).to_be_visible()
    held = {fact.key: fact.value for fact in memory.facts(LOCAL_PERSON)}
    assert (held["place"], held["employer"]) == ("Wrenfold", "Marsh & Co")
    assert held["name"] == "Alex"


@CASES
def test_memory_fits_the_screen_and_runs_in_its_direction(
    browser: Browser, address: str, database: Database, code: str, size: dict[str, int]
) -> None:
    live(database, code)
    texts = load(code)
    page = go(browser, address, "memory", code, size)
    assert styled(page, '[data-testid="stApp"]', "direction") == texts.direction
    assert not overflows(page)
    tab(page, "things", code)
    page.locator('[class*="st-key-entity-"] button', has_text=LIVES[code].things[2][0]).first.click()
    settle(page)
    assert styled(page, '[class*="-relations-"] ul', "direction") == texts.direction
    assert not overflows(page)
    tab(page, "figures", code)
    assert styled(page, ".bars", "direction") == texts.direction
    assert not overflows(page)


@CASES
def test_conversations_fit_the_screen_and_what_can_be_done_has_a_name(
    browser: Browser, address: str, database: Database, code: str, size: dict[str, int]
) -> None:
    live(database, code)
    page = go(browser, address, "conversations", code, size)
    name = load(code).text("conversations.more", {"title": LIVES[code].titles[2]})
    more = page.locator('[class*="st-key-icon-more-"]').get_by_role("button", name=name, exact=True).first
    expect(more).to_be_visible()
    assert not overflows(page)


@CASES
def test_a_comparison_fits_the_screen_and_runs_as_its_documents_do(
    browser: Browser, address: str, code: str, size: dict[str, int]
) -> None:
    page = go(browser, address, "compare", code, size)
    for product in ("Veltara 13", "Veltara 15"):
        page.locator('[data-testid="stButtonGroup"] button', has_text=product).first.click()
        settle(page)
    table = page.locator('[class*="-compare-table"] table')
    expect(table).to_contain_text("Veltara 15")
    assert styled(page, '[class*="-compare-table"] table', "direction") == load(code).direction
    assert not overflows(page)


def test_a_question_is_edited_and_its_answer_copied(browser: Browser, address: str) -> None:
    texts = load("en")
    context = browser.new_context(viewport=DESK, locale="en-GB", permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(address)
    wait_until_idle(page)
    ask(page, "How much is the Veltara 13?")
    page.get_by_role("button", name=texts.text("chat.copy"), exact=True).click()
    block = page.locator('[data-testid="stPopoverBody"] [data-testid="stCode"]')
    block.hover()
    block.locator("xpath=..").locator("button").first.click()
    assert page.evaluate("navigator.clipboard.readText()") == "The Veltara 13 costs £1,199. [1]"
    page.keyboard.press("Escape")
    page.get_by_role("button", name=texts.text("chat.edit"), exact=True).click()
    page.get_by_role("textbox", name=texts.text("chat.edit_question")).fill("Where can I call?")
    page.get_by_role("button", name=texts.text("chat.ask_again")).click()
    expect(page.locator('[data-testid="stChatMessage"]').last).to_contain_text("01632")
    expect(page.get_by_text("2 / 2", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name=texts.text("chat.later_version"), exact=True)).to_be_disabled()
    page.get_by_role("button", name=texts.text("chat.earlier_version"), exact=True).click()
    expect(page.locator('[data-testid="stChatMessage"]').last).to_contain_text("£1,199")
    expect(page.get_by_text("1 / 2", exact=True)).to_be_visible()
    context.close()

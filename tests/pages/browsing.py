"""Driving the page in Debian's chromium."""

from __future__ import annotations

import shutil
from collections.abc import Mapping

from playwright.sync_api import Browser, Page, Playwright, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from languages import load

DESK = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
LAST = '[data-testid="stChatInput"], [data-testid="stFileUploader"]'
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


expect.set_options(timeout=20_000)  # a machine that runs other tests beside draws late


def launch(playwright: Playwright, executable: str | None = None) -> Browser:
    found = executable or shutil.which("chromium")
    return playwright.chromium.launch(executable_path=found, args=list(ARGUMENTS))


def wait_until_idle(page: Page, seconds: float = 30, *, last: str = LAST) -> None:
    """Wait until the page is drawn, *last* what comes last on it, and no run of it is under way."""
    page.locator(last).first.wait_for(timeout=30_000)
    expect(page.locator('[data-testid="stApp"]')).to_have_attribute(
        "data-test-script-state", "notRunning", timeout=seconds * 1000
    )


def settle(page: Page, selector: str) -> None:
    """Wait until nothing in this part of the page moves: a touch falls where a thing was."""
    page.locator(selector).first.evaluate(
        "element => Promise.allSettled(element.getAnimations({subtree: true}).map(motion => motion.finished))"
    )


def send(page: Page, question: str) -> None:
    """Send a question, and do not wait for its answer."""
    field = page.locator('[data-testid="stChatInputTextArea"]')
    field.fill(question)
    field.press("Enter")


def ask(page: Page, question: str, seconds: float = 30) -> None:
    """Send a question and wait for the whole answer."""
    messages = page.locator('[data-testid="stChatMessage"]')
    before = messages.count()
    send(page, question)
    expect(messages).to_have_count(before + 2, timeout=30_000)
    wait_until_idle(page, seconds)


def open_page(browser: Browser, address: str, *, code: str = "en", size: Mapping[str, int] | None = None) -> Page:
    page = browser.new_page(viewport=size or DESK, locale=load(code).locale)  # type: ignore[arg-type]
    page.goto(address)
    wait_until_idle(page)
    return page


def styled(page: Page, selector: str, name: str) -> str:
    found: str = page.locator(selector).last.evaluate(f"element => getComputedStyle(element)['{name}']")
    return found


def overflows(page: Page) -> bool:
    """Return whether anything that holds the page can be scrolled sideways."""
    wide: bool = page.evaluate(
        """() => [document.documentElement, ...document.querySelectorAll('[data-testid="stMain"]')]
            .some(element => element.scrollWidth > element.clientWidth + 1)"""
    )
    return wide


def choose_language(page: Page, code: str) -> None:
    """Choose the interface's language; the list is opened again where a page still being drawn has closed it."""
    field = page.locator('[data-testid="stSidebar"] [data-baseweb="select"], [data-testid="stSelectbox"] input').first
    option = page.get_by_role("option", name=load(code).name)
    for _ in range(9):
        field.click()
        try:
            option.click(timeout=3000)
        except PlaywrightTimeout:
            page.keyboard.press("Escape")
        else:
            return
    field.click()
    option.click()

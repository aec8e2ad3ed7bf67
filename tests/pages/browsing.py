"""Driving the page in Debian's chromium."""

from __future__ import annotations

import shutil

from playwright.sync_api import Browser, Page, Playwright, expect

ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def launch(playwright: Playwright, executable: str | None = None) -> Browser:
    found = executable or shutil.which("chromium")
    return playwright.chromium.launch(executable_path=found, args=list(ARGUMENTS))


def wait_until_idle(page: Page, seconds: float = 30) -> None:
    """Wait until the page is drawn and no run of it is under way."""
    page.locator('[data-testid="stChatInput"], [data-testid="stFileUploader"]').first.wait_for(timeout=30_000)
    expect(page.locator('[data-testid="stApp"]')).to_have_attribute(
        "data-test-script-state", "notRunning", timeout=seconds * 1000
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

"""The page over the real application: documents read, embedded and searched, questions answered from them."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from languages import load
from tests.pages.browsing import ask, wait_until_idle
from tests.pages.serving import ROOT, served, surroundings

pytestmark = [pytest.mark.browser, pytest.mark.model]

MESSAGES = '[data-testid="stChatMessage"]'
DOCUMENTS = ("en/dovanta-cairn-13.md", "en/dovanta-cairn-15.md", "ar/dovanta-cairn-13.md")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("real")
    for name in DOCUMENTS:
        (folder / "documents" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "data" / "demo" / name, folder / "documents" / name)
    subprocess.run(
        [sys.executable, "-m", "rag", "ingest", str(folder / "documents")],
        cwd=ROOT,
        env=surroundings(folder / "data"),
        check=True,
        timeout=240,
    )
    with served(folder, script=ROOT / "app.py") as found:
        yield found


def open_page(browser: Browser, address: str, *, code: str, width: int, height: int) -> Page:
    page = browser.new_page(viewport={"width": width, "height": height}, locale=load(code).locale)
    page.goto(address)
    wait_until_idle(page)
    return page


def last_answer(page: Page) -> str:
    return page.locator(MESSAGES).last.inner_text()


def test_three_turns_are_answered_from_the_documents_and_cited(browser: Browser, address: str) -> None:
    page = open_page(browser, address, code="en", width=1280, height=800)
    ask(page, "How much does the Dovanta Cairn 13 cost?", seconds=120)  # the first question waits for the model
    assert "£899" in last_answer(page)
    ask(page, "And its warranty?")
    assert "24 months" in last_answer(page)
    ask(page, "What does the Dovanta Cairn 15 weigh?")
    assert "1.64" in last_answer(page)
    source = page.locator('[data-testid="stExpander"]').last
    expect(source.locator("summary")).to_contain_text("en/dovanta-cairn-15.md")
    source.locator("summary").click()
    expect(source.locator(".stMarkdownColoredBackground").first).to_contain_text("1.64")
    page.reload()
    wait_until_idle(page)
    expect(page.locator(MESSAGES)).to_have_count(6)


def test_a_wrong_reference_is_corrected_and_what_follows_refers_to_the_right_thing(
    browser: Browser, address: str
) -> None:
    page = open_page(browser, address, code="en", width=390, height=844)
    ask(page, "What does the Dovanta Cairn 15 weigh?", seconds=120)
    ask(page, "How much does the Dovanta Cairn 13 cost?")
    ask(page, "And how much does it weigh?")
    assert "1.19" in last_answer(page)
    page.locator('[class*="-why-"] summary').click()
    page.locator('[class*="-readings-"]').get_by_role("button", name="Dovanta Cairn 15").click()
    expect(page.locator(MESSAGES).last).to_contain_text("1.64")
    wait_until_idle(page)
    page.reload()
    wait_until_idle(page)
    expect(page.locator(MESSAGES)).to_have_count(6)
    assert "1.64" in last_answer(page)
    ask(page, "And what does it cost?")
    understood = page.get_by_text("Understood as:").last
    expect(understood).to_contain_text("Cairn 15")
    assert "£899" not in last_answer(page)


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)], ids=["1280", "390"])
def test_an_arabic_question_is_answered_from_right_to_left(
    browser: Browser, address: str, width: int, height: int
) -> None:
    page = open_page(browser, address, code="ar", width=width, height=height)
    ask(page, "كم سعر Dovanta Cairn 13؟", seconds=120)
    assert "4,199" in last_answer(page)
    ask(page, "وكم وزنه؟")
    assert "1.19" in last_answer(page)
    answer = page.locator('[class*="st-key-rtl-answer-"] p').last
    assert answer.evaluate("element => getComputedStyle(element).direction") == "rtl"

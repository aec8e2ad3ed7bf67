"""The pictures of the README: the real application over the demonstration documents, a short talk in each language.

usage: python tests/pages/tour.py WORK FOLDER     (WORK keeps the index of the demonstration from one time to the next)
"""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from languages import load  # noqa: E402 - the repository's root has to be on the path first
from memory.store import people  # noqa: E402 - the same
from memory.store.conversations import LOCAL_PERSON  # noqa: E402 - the same
from memory.store.database import open_database  # noqa: E402 - the same
from tests.pages.browsing import DESK, PHONE, ask, launch, settle, wait_until_idle  # noqa: E402 - the same
from tests.pages.serving import started, surroundings  # noqa: E402 - the same

LAPTOPS = ("Dovanta Cairn 13", "Dovanta Cairn 15")
HIGH = 1200  # pixels of a picture on a desk: three questions with their answers
QUALITY = 82  # of a WebP: a page of text stays sharp, below 150 kB


def opened(
    browser: Browser, address: str, code: str, *, path: str = "", phone: bool = False, dark: bool = False
) -> Page:
    size = PHONE if phone else {**DESK, "height": HIGH}
    page = browser.new_page(  # type: ignore[call-overload]
        viewport=size,
        locale=load(code).locale,
        color_scheme="dark" if dark else "light",
        device_scale_factor=2 if phone else 1.25,
    )
    page.goto(f"{address}/{path}")
    wait_until_idle(page, last="h1, [data-testid='stChatInput']")
    return page


def save(page: Page, file: Path) -> None:
    page.evaluate("document.activeElement.blur()")
    page.mouse.move(0, 0)
    settle(page, '[data-testid="stApp"]')
    page.wait_for_timeout(500)
    Image.open(io.BytesIO(page.screenshot())).convert("RGB").save(file, quality=QUALITY, method=6)


def english(browser: Browser, address: str, folder: Path) -> None:
    page = opened(browser, address, "en")
    for question in ("How much does the Dovanta Cairn 13 weigh?", "And the 15?", "Which of the two is cheaper?"):
        ask(page, question, seconds=120)
    save(page, folder / "chat-en.webp")


def french(browser: Browser, address: str, folder: Path) -> None:
    page = opened(browser, address, "fr")
    ask(page, "Quel est le prix du Ruvella Talune 7\u202f?", seconds=120)
    ask(page, "Et sa garantie\u202f?", seconds=120)
    ask(page, "Combien coûte l’Esker 14\u202f?", seconds=120)
    save(page, folder / "clarification-fr.webp")


def german(browser: Browser, address: str, folder: Path) -> None:
    page = opened(browser, address, "de", path="compare", dark=True)
    for product in LAPTOPS:
        field = page.get_by_role("textbox", name=load("de").text("compare.filter"))
        field.fill(product)
        field.press("Enter")
        page.locator('[data-testid="stButtonGroup"] button', has_text=product).first.click()
        wait_until_idle(page, last="h1")
    expect(page.locator('[class*="-compare-table"] table')).to_be_visible()
    save(page, folder / "comparison-de.webp")


def arabic(browser: Browser, address: str, folder: Path) -> None:
    page = opened(browser, address, "ar", phone=True)
    for question in ("كم سعر Ruvella Talune 7؟", "وكم مدة ضمانه؟", "اسمي ريم وميزانيتي 3,000 ريال."):
        ask(page, question, seconds=120)
    save(page, folder / "chat-ar.webp")
    page = opened(browser, address, "ar", path="memory", phone=True)
    save(page, folder / "memory-ar.webp")


def main(arguments: list[str]) -> int:
    if len(arguments) != 2:
        sys.stderr.write(__doc__ or "")
        return 2
    work, folder = map(Path, arguments)
    for each in (work, folder):
        each.mkdir(parents=True, exist_ok=True)
    subprocess.run([sys.executable, "-m", "rag", "prepare"], cwd=ROOT, env=surroundings(work / "data"), check=True)
    database = open_database(work / "data")
    with database.write() as connection:  # what was talked about the last time
        people.erase(connection, LOCAL_PERSON)
    database.close()
    with started(work) as address, sync_playwright() as playwright:
        browser = launch(playwright)
        for take in (english, french, german, arabic):
            take(browser, address, folder)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

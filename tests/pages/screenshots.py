"""Pictures of the page in every language, on a desk and on a phone, light and dark.

usage: python tests/pages/screenshots.py FOLDER [LANGUAGE ...]     (run by hand, then looked at)
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from languages import load  # noqa: E402 - the repository's root has to be on the path first
from tests.pages.browsing import ask, launch, wait_until_idle  # noqa: E402 - the same
from tests.pages.serving import served  # noqa: E402 - the same

QUESTIONS = {
    "en": ("How much is the Veltara 13?", "And its warranty?", "And the Ridge?"),
    "fr": ("Quel est le prix du Veltara 13\u202f?", "Et sa garantie\u202f?"),
    "de": ("Was kostet das Veltara 13?", "Und wie lange hat es Garantie?"),
    "ar": ("كم سعر Veltara 13؟", "وكم مدة ضمانه؟"),
}
WIDTHS = {1280: 800, 390: 844}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


def take(browser: Browser, address: str, folder: Path, code: str) -> None:
    for width, height in WIDTHS.items():
        for scheme in SCHEMES:
            context = browser.new_context(
                viewport={"width": width, "height": height}, color_scheme=scheme, locale=load(code).locale
            )
            page = context.new_page()
            name = f"{code}-{width}-{scheme}"
            page.goto(address)
            wait_until_idle(page)
            page.screenshot(path=folder / f"{name}-empty.png")
            for question in QUESTIONS[code]:
                ask(page, question)
            page.locator('[data-testid="stExpander"] summary').last.click()
            for reasons in page.locator('[class*="-why-"] summary').all():
                reasons.click()
            page.wait_for_timeout(600)
            page.screenshot(path=folder / f"{name}-chat.png")
            if scheme == "light":
                other_views(page, address, folder / name)
            context.close()


def other_views(page: Page, address: str, stem: Path) -> None:
    opener = page.locator('[data-testid="stExpandSidebarButton"]')
    page.goto(f"{address}/documents")
    wait_until_idle(page)
    page.screenshot(path=f"{stem}-documents.png", full_page=True)
    if opener.is_visible():
        opener.click()
        page.wait_for_timeout(600)
        page.screenshot(path=f"{stem}-sidebar.png")


def main(arguments: list[str]) -> int:
    if not arguments or arguments[0].startswith("-"):
        sys.stderr.write(__doc__ or "")
        return 2
    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, served(Path(data)) as address, sync_playwright() as playwright:
        browser = launch(playwright)
        for code in arguments[1:] or QUESTIONS:
            take(browser, address, folder, code)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

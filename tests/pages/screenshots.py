"""Pictures of every page in every language, on a desk and on a phone, light and dark.

usage: python tests/pages/screenshots.py FOLDER [LANGUAGE ...]     (run by hand, then looked at)

A picture is called LANGUAGE-WIDTH-THEME-PAGE.png.  Each is as high as what stands on the page.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from languages import codes, load  # noqa: E402 - the repository's root has to be on the path first
from tests.pages.browsing import DESK, PHONE, launch, settle  # noqa: E402 - the same
from tests.pages.furnished import MAIN, TABS, furnish, places, tab, visit  # noqa: E402 - the same
from tests.pages.serving import served  # noqa: E402 - the same

SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
HIGHEST = 2600  # of a picture; a page of many documents goes on


def take(browser: Browser, address: str, folder: Path, *, code: str, conversation: str) -> None:
    """Take the pictures of a language."""
    for size in (DESK, PHONE):
        for scheme in SCHEMES:
            stem = folder / f"{code}-{size['width']}-{scheme}"
            context = browser.new_context(viewport=size, color_scheme=scheme, locale=load(code).locale)  # type: ignore[arg-type]
            page = context.new_page()
            for place in places(conversation):
                page.set_viewport_size(size)  # type: ignore[arg-type]
                visit(page, address, place, code)
                picture(page, Path(f"{stem}-{place.name}.png"), size)
                for key in TABS.get(place.name, ()):
                    tab(page, code, key)
                    picture(page, Path(f"{stem}-{key.replace('.', '-')}.png"), size)
            if size is PHONE:
                page.set_viewport_size(size)  # type: ignore[arg-type]
                page.goto(address)
                page.locator('[data-testid="stExpandSidebarButton"]').click()
                page.wait_for_timeout(600)  # the sidebar glides in
                page.screenshot(path=f"{stem}-sidebar.png")
            context.close()


def picture(page: Page, file: Path, size: dict[str, int]) -> None:
    """Take a picture of all that stands on the page: what scrolls is given the height that it needs."""
    page.set_viewport_size(size)  # type: ignore[arg-type]
    needed: int = page.locator(MAIN).first.evaluate("element => element.scrollHeight")
    height = min(max(size["height"], needed), HIGHEST)
    page.set_viewport_size({"width": size["width"], "height": height})
    page.locator(MAIN).first.evaluate("element => element.scrollTo(0, 0)")
    settle(page, '[data-testid="stApp"]')
    page.wait_for_timeout(250)
    page.screenshot(path=file)


def main(arguments: list[str]) -> int:
    if not arguments or arguments[0].startswith("-"):
        sys.stderr.write(__doc__ or "")
        return 2
    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        talks = furnish(Path(place) / "data")
        with served(Path(place)) as address, sync_playwright() as playwright:
            browser = launch(playwright)
            for code in arguments[1:] or codes():
                take(browser, address, folder, code=code, conversation=talks[code])
            browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

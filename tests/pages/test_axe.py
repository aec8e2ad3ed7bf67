"""Every page in every language is looked through by axe-core: no serious fault, no critical one.

The dark theme differs in its colours alone, and colours in no word: one language of each direction is enough for it.
"""

from __future__ import annotations

import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from languages import codes, load
from tests.pages.browsing import DESK
from tests.pages.faults import faults
from tests.pages.furnished import TABS, Place, furnish, places, tab, visit
from tests.pages.serving import served

pytestmark = pytest.mark.browser

UPLOADS = {"conversations", "documents"}  # the pages that have one
LIGHT: Mapping[str, object] = {"resultTypes": ["violations"]}
DARK: Mapping[str, object] = {**LIGHT, "runOnly": ["color-contrast"]}
THEMES = {"light": LIGHT, "dark": DARK}
IN_THE_DARK = {load(code).direction: code for code in codes()}.values()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("axe")


@pytest.fixture(scope="module")
def talks(folder: Path) -> Mapping[str, str]:
    return furnish(folder / "data")


@pytest.fixture(scope="module")
def address(folder: Path, talks: Mapping[str, str]) -> Iterator[str]:
    with served(folder) as found:
        yield found


def in_themes(page: Page, code: str, where: str) -> Iterator[str]:
    for scheme, options in THEMES.items() if code in IN_THE_DARK else [("light", LIGHT)]:
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        yield from (f"{code} {where} {scheme}: {fault}" for fault in faults(page, options))
    page.emulate_media(color_scheme="light")


def look_through(page: Page, address: str, place: Place, code: str) -> Iterator[str]:
    """Yield the faults of a page, and of what its tabs show."""
    visit(page, address, place, code)
    if place.name in UPLOADS:
        expect(page.get_by_role("button", name=load(code).text("documents.choose"), exact=True)).to_have_count(1)
    yield from in_themes(page, code, place.name)
    for key in TABS.get(place.name, ()):
        tab(page, code, key)
        yield from in_themes(page, code, key)


@pytest.mark.parametrize("code", codes())
def test_no_page_has_a_serious_fault(browser: Browser, address: str, talks: Mapping[str, str], code: str) -> None:
    page = browser.new_page(viewport=DESK, locale=load(code).locale, color_scheme="light")  # type: ignore[arg-type]
    found = [fault for place in places(talks[code]) for fault in look_through(page, address, place, code)]
    assert found == []


@pytest.mark.parametrize("code", codes())
def test_the_page_says_which_language_it_is_in(address: str, code: str) -> None:
    for path, accepted in (("", load(code).locale.replace("_", "-")), (f"documents?interface={code}", "nl")):
        asked = urllib.request.Request(f"{address}/{path}", headers={"Accept-Language": f"{accepted},en;q=0.5"})
        with urllib.request.urlopen(asked) as answer:
            assert f'<html lang="{code}">' in answer.read().decode()

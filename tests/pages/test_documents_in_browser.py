"""The documents page in a real browser: what is chosen is added, and all of it is said in the page's language."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from languages import codes, load
from tests.pages.browsing import DESK, PHONE, choose_language, open_page, overflows, wait_until_idle
from tests.pages.serving import served

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("page")) as found:
        yield f"{found}/documents"


@pytest.fixture(scope="module")
def seen(launched: Browser, address: str) -> Callable[..., Page]:
    """Return what opens a page that is only looked at: one for all tests that look at the same."""

    @functools.cache
    def look(path: str, code: str, width: int) -> Page:
        size = {DESK["width"]: DESK, PHONE["width"]: PHONE}[width]
        return open_page(launched, address.removesuffix("/documents") + path, code=code, size=size)

    return look


@pytest.mark.parametrize("code", codes())
def test_no_document_is_wider_than_a_phone(seen: Callable[..., Page], code: str) -> None:
    page = seen("/documents", code, PHONE["width"])
    expect(page.locator("table")).to_have_count(1)
    assert not overflows(page)
    for cell in page.locator(":is(th, td)").all():
        box = cell.bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE["width"]
    heads = [page.locator("th").nth(place).evaluate("head => head.getClientRects()[0].height") for place in range(3)]
    assert max(heads) < 50, "a heading is broken into two lines"


def choose(page: Page, *files: Path) -> None:
    for file in files:
        file.write_text("" if file.stem == "empty" else f"# {file.stem}\n\nThe Veltara 13 is light.", encoding="utf-8")
    page.locator('input[type="file"]').set_input_files(list(files))


def test_what_is_chosen_is_added_listed_or_refused_and_can_be_removed(
    browser: Browser, address: str, tmp_path: Path
) -> None:
    page = open_page(browser, address)
    choose(page, tmp_path / "notes.md", tmp_path / "empty.md")
    expect(page.get_by_text(re.compile("notes.md.?: added"))).to_be_visible()
    expect(page.get_by_text(re.compile("empty.md.?: not added"))).to_be_visible()
    expect(page.get_by_role("button", name=load("en").text("documents.choose"))).to_be_visible()
    own = page.locator('[class*="st-key-document-"]')
    expect(own).to_have_count(1)
    choose(page, tmp_path / "notes.md")
    expect(page.get_by_text(re.compile("notes.md.?: unchanged"))).to_be_visible()
    page.reload()
    wait_until_idle(page)
    expect(own).to_have_count(1)
    expect(page.locator(".st-key-outcomes p")).to_have_count(0)
    page.get_by_role("button", name=load("en").text("documents.remove")).click()
    page.get_by_role("button", name=load("en").text("action.confirm")).click()
    expect(own).to_have_count(0)


def test_another_run_meanwhile_reads_no_file_twice(browser: Browser, address: str, tmp_path: Path) -> None:
    page = open_page(browser, address)
    choose(page, tmp_path / "quick.md", tmp_path / "slow.md")
    expect(page.get_by_text(re.compile("Reading .?slow.md"))).to_be_visible()
    choose_language(page, "fr")
    expect(page.locator(".st-key-outcomes p")).to_have_count(2, timeout=15_000)
    for name in ("quick", "slow"):
        added = load("fr").text("outcome.added", {"name": f"\u2068{name}.md\u2069"})
        expect(page.locator(".st-key-outcomes")).to_contain_text(added)


ENGLISH = re.compile(
    r"(?<!file )upload|browse|drag|per file", re.IGNORECASE
)  # "file upload" is said of what is not seen


@pytest.mark.parametrize("width", [DESK["width"], PHONE["width"]])
@pytest.mark.parametrize("code", [code for code in codes() if code != "en"])
def test_streamlits_own_words_are_in_the_language_of_the_page(seen: Callable[..., Page], code: str, width: int) -> None:
    page = seen("/documents", code, width)
    texts = load(code)
    zone = page.locator('[data-testid="stFileUploaderDropzone"]')
    expect(page.get_by_role("button", name=texts.text("documents.choose"), exact=True)).to_be_visible()
    expect(page.get_by_label(texts.text("documents.upload"))).to_be_visible()
    limit = texts.text("documents.limit", {"limit": texts.number("25")})
    said = heard(zone)
    for each in (texts.text("documents.upload_hint"), limit):
        assert one_spaced(each) in said
    hold_a_file_over(page)
    assert texts.text("documents.drop") in heard(zone)
    assert not ENGLISH.search(heard(zone))


def test_a_lost_server_is_said_in_the_language_of_the_page(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path) as address:
        pages = {code: open_page(browser, address, code=code, size=PHONE) for code in codes()}
    for code, page in pages.items():
        dialog = page.get_by_role("dialog")
        expect(dialog).to_be_visible(timeout=30_000)
        assert one_spaced(load(code).text("app.disconnected")) in heard(dialog)
        assert "Streamlit" not in heard(dialog)


def heard(place: Locator) -> str:
    """Return what a screen reader is given of *place*, generated text too."""
    return one_spaced(place.aria_snapshot())


def one_spaced(text: str) -> str:
    return " ".join(text.split())


def hold_a_file_over(page: Page) -> None:
    page.locator('[data-testid="stFileUploaderDropzone"]').evaluate(
        """zone => {
            const data = new DataTransfer();
            data.items.add(new File(['a'], 'a.md'));
            for (const kind of ['dragenter', 'dragover'])
                zone.dispatchEvent(new DragEvent(kind, {dataTransfer: data, bubbles: true, cancelable: true}));
        }"""
    )
    page.wait_for_timeout(300)


@pytest.mark.parametrize("code", codes())
@pytest.mark.parametrize("path", ["", "/documents"])
def test_no_heading_stands_twice_on_a_page(seen: Callable[..., Page], code: str, path: str) -> None:
    page = seen(path, code, DESK["width"])
    headings = page.get_by_role("heading").all_inner_texts()
    assert headings
    assert len(headings) == len(set(headings)), headings


def test_the_heads_of_a_long_list_of_documents_stay_in_sight(browser: Browser, address: str) -> None:
    page = open_page(browser, address, size=PHONE)
    table = page.locator('[class*="-shared"] [data-testid="stMarkdownContainer"]').last
    row = "row => { for (let n = 0; n < 60; n++) row.after(row.cloneNode(true)); }"
    table.locator("tbody tr").last.evaluate(row)
    table.locator("tbody tr").last.scroll_into_view_if_needed()
    head = table.locator("th").first.bounding_box()
    assert head
    assert 0 <= head["y"] < 120, "its headings have gone"
    assert not overflows(page)


@pytest.mark.parametrize("code", codes())
def test_a_file_that_was_read_when_the_server_was_killed_is_said_to_be_missing(
    browser: Browser, tmp_path: Path, code: str
) -> None:
    texts = load(code)
    said = texts.text("error.upload_interrupted")
    with served(tmp_path, killed=True) as address:
        page = open_page(browser, f"{address}/documents", code=code)
        choose(page, tmp_path / "quick.md", tmp_path / "slow.md")
        reading = re.escape(texts.text("documents.uploading", {"name": "@"})).replace("@", ".?slow.md.?")
        expect(page.get_by_text(re.compile(reading))).to_be_visible()
    with served(tmp_path) as address:
        page = browser.new_page(locale=texts.locale)
        page.goto(address)
        told = page.locator('[data-testid="stAlert"]')
        expect(told).to_have_count(1)
        expect(told).to_contain_text("slow.md")
        expect(told).to_contain_text(said)
        again = browser.new_page(locale=texts.locale)
        again.goto(f"{address}/documents")
        wait_until_idle(again)
        expect(again.get_by_text("slow.md")).to_have_count(0)


def test_a_page_that_is_closed_while_a_file_is_read_says_so_when_it_is_opened_again(
    browser: Browser, address: str, tmp_path: Path
) -> None:
    page = open_page(browser, address)
    choose(page, tmp_path / "slow.md", tmp_path / "late.md")
    expect(page.get_by_text(re.compile("Reading .?slow.md"))).to_be_visible()
    page.close()
    page = open_page(browser, address)
    line = page.locator(".st-key-outcomes p")
    expect(line.filter(has_text="late.md")).to_contain_text(load("en").text("error.upload_interrupted"), timeout=15_000)

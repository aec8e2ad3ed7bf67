"""The page in a real browser: what style sheets, reloads, the stop button and the security policy do."""

from __future__ import annotations

import re
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from languages import codes, load
from memory.store.conversations import LOCAL_PERSON, Conversations
from memory.store.database import open_database
from rag.server import PAGES
from tests.pages.browsing import (
    DESK,
    LAST,
    PHONE,
    ask,
    choose_language,
    open_page,
    overflows,
    send,
    settle,
    styled,
    wait_until_idle,
)
from tests.pages.serving import served

pytestmark = pytest.mark.browser

MESSAGES = '[data-testid="stChatMessage"]'
CLOSED = "details:not([open]) > summary"
ICON = '[data-testid="stIconMaterial"]'


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("page")


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    with served(folder) as found:
        yield found


def test_three_turns_a_source_opened_and_a_question_back_answered_by_its_button(browser: Browser, address: str) -> None:
    page = open_page(browser, address)
    ask(page, "How much is the Veltara 13?")
    ask(page, "And its warranty?")
    expect(page.get_by_text("Understood as:")).to_contain_text("And the Veltara 13's warranty?")
    source = page.locator('[data-testid="stExpander"]').last
    expect(source.get_by_text("It comes with a warranty of 36 months")).to_be_hidden()
    source.locator("summary").click()
    expect(source.get_by_text("It comes with a warranty of 36 months")).to_be_visible()
    ask(page, "And the Ridge?")
    page.get_by_role("button", name="Ridge 7 Lite").click()
    expect(page.locator(MESSAGES)).to_have_count(8)
    expect(page.locator(MESSAGES).last).to_contain_text("guaranteed for 24 months")


def test_a_reload_shows_the_same_messages_and_another_session_can_go_on(browser: Browser, address: str) -> None:
    page = open_page(browser, address)
    ask(page, "How much is the Veltara 13?")
    ask(page, "And its warranty?")
    before = page.locator(MESSAGES).all_inner_texts()
    page.reload()
    wait_until_idle(page)
    expect(page.locator(MESSAGES)).to_have_text(before, use_inner_text=True)  # what stands below an answer comes last
    ask(page, "Quel est le prix du Veltara 13\u202f?")
    assert "Le Veltara 13 coûte" in page.locator(MESSAGES).last.inner_text()


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["1280", "390"])
def test_an_arabic_conversation_runs_from_the_right(browser: Browser, address: str, size: dict[str, int]) -> None:
    page = open_page(browser, address, code="ar", size=size)
    assert styled(page, '[data-testid="stApp"]', "direction") == "rtl"
    ask(page, "كم سعر Veltara 13؟")
    ask(page, "وكم مدة ضمانه؟")
    for part in ("question", "answer"):
        selector = f'[class*="st-key-rtl-{part}-"] p'
        assert styled(page, selector, "direction") == "rtl"
        assert styled(page, selector, "textAlign") in {"start", "right"}
    assert "Noto Sans Arabic" in styled(page, '[class*="st-key-rtl-answer-"] p', "fontFamily")
    right_edge = page.locator('[class*="st-key-rtl-answer-"] p').last.bounding_box()
    assert right_edge
    assert right_edge["x"] + right_edge["width"] > size["width"] * 0.6
    assert not overflows(page)
    page.locator('[class*="-why-"] summary').last.click()
    reason = page.locator('[class*="-why-"] p', has_text="·").last
    expect(reason).to_be_visible()
    expect(reason).to_have_css("direction", "rtl")


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["1280", "390"])
def test_an_english_message_on_an_arabic_page_runs_from_the_left(
    browser: Browser, address: str, size: dict[str, int]
) -> None:
    page = open_page(browser, address, code="ar", size=size)
    ask(page, "How much is the Veltara 13?")
    assert styled(page, '[class*="st-key-ltr-answer-"] p', "direction") == "ltr"
    assert styled(page, f'[class*="st-key-ltr-sources-"] {CLOSED}', "direction") == "ltr"
    assert styled(page, f"{CLOSED} {ICON}", "transform") == "none"


def test_an_arabic_message_on_an_english_page_runs_from_the_right(browser: Browser, address: str) -> None:
    page = open_page(browser, address)
    ask(page, "كم سعر Veltara 13؟")
    assert styled(page, '[class*="st-key-rtl-question-"] p', "direction") == "rtl"
    assert styled(page, '[class*="st-key-rtl-answer-"] p', "direction") == "rtl"
    assert styled(page, f'[class*="st-key-rtl-sources-"] {CLOSED}', "direction") == "rtl"
    assert styled(page, f"{CLOSED} {ICON}", "transform").startswith("matrix(-1")
    assert styled(page, '[data-testid="stApp"]', "direction") == "ltr"


@pytest.mark.parametrize(("code", "side"), [("en", "left"), ("ar", "right")])
@pytest.mark.parametrize("question", ["And the Ridge?", "كم سعر Veltara 13؟"])
def test_the_title_of_a_conversation_begins_where_the_interface_does(
    browser: Browser, address: str, code: str, side: str, question: str
) -> None:
    page = open_page(browser, address, code=code)
    ask(page, question)
    button = page.locator('.st-key-current [data-testid="stButton"] button')
    edge = f"element => element.getBoundingClientRect().{side}"
    assert abs(button.locator("p").evaluate(edge) - button.evaluate(edge)) < 20


@pytest.mark.parametrize("code", codes())
def test_nothing_is_wider_than_a_phone(browser: Browser, address: str, code: str) -> None:
    page = open_page(browser, address, code=code, size=PHONE)
    assert not overflows(page)
    expect(page.locator("h1")).to_be_visible()
    assert page.locator('[data-testid="stChatInputTextArea"]').is_visible()
    box = page.locator("h1").bounding_box()
    assert box
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= PHONE["width"]


def test_a_wide_table_of_an_answer_scrolls_by_itself(browser: Browser, address: str) -> None:
    page = open_page(browser, address, size=PHONE)
    ask(page, "in a table")
    table = page.locator('[class*="-answer-"] table')
    assert table.evaluate("table => table.scrollWidth > table.clientWidth + 1")
    box = table.bounding_box()
    assert box
    assert box["x"] + box["width"] <= PHONE["width"]
    assert not overflows(page)


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["1280", "390"])
def test_the_language_is_chosen_above_however_many_conversations(
    browser: Browser, address: str, folder: Path, size: dict[str, int]
) -> None:
    conversations = Conversations(open_database(folder / "data"))
    for _ in range(30):
        conversations.create(LOCAL_PERSON, "en")
    page = open_page(browser, address, size=size)
    if size == PHONE:
        page.locator('[data-testid="stExpandSidebarButton"]').click()
    expect(page.locator(".st-key-conversations button").nth(29)).to_be_attached()
    expect(page.get_by_role("combobox", name=load("en").text("settings.language"), exact=True)).to_be_in_viewport()
    choose_language(page, "de")
    expect(page.get_by_text(load("de").text("app.tagline"))).to_be_visible()


def test_while_an_answer_streams_nothing_is_said_in_english(browser: Browser, address: str) -> None:
    page = open_page(browser, address, code="ar")
    send(page, "slowly")
    expect(page.locator(MESSAGES).last).to_contain_text("word3", timeout=15_000)
    page.wait_for_timeout(1500)  # Streamlit waits before it says that it runs
    expect(page.locator('[data-testid="stStatusWidget"]')).to_be_hidden()


@pytest.mark.parametrize(("code", "question"), [("en", "Where can I call?"), ("ar", "بمن أتصل؟")])
def test_a_telephone_number_stays_on_one_line(browser: Browser, address: str, code: str, question: str) -> None:
    page = open_page(browser, address, code=code, size=PHONE)
    ask(page, question)
    for width in range(300, 420, 6):
        page.set_viewport_size({"width": width, "height": PHONE["height"]})
        lines = page.locator('[class*="-answer-"] p').last.evaluate(
            """paragraph => {
                const text = [...paragraph.childNodes].map(node => node.textContent).join('');
                const lines = [];
                for (const found of text.matchAll(/[+]?[0-9]+(?:\\s[0-9]+)+/g)) {
                    const range = document.createRange();
                    range.setStart(paragraph.firstChild, found.index);
                    range.setEnd(paragraph.firstChild, found.index + found[0].length);
                    lines.push(new Set([...range.getClientRects()].map(box => Math.round(box.top))).size);
                }
                return lines;
            }"""
        )
        assert lines == [1, 1], width


@pytest.mark.parametrize("code", codes())
def test_the_sign_of_a_help_is_never_alone_on_a_line(browser: Browser, address: str, code: str) -> None:
    page = open_page(browser, address, code=code, size=PHONE)
    ask(page, "And its warranty?")
    for width in range(300, 700, 4):
        page.set_viewport_size({"width": width, "height": PHONE["height"]})
        apart = page.locator('[data-testid="stCaptionContainer"] p:has([data-testid="stTooltipIcon"])').evaluate_all(
            """captions => captions.map(caption => {
                const range = document.createRange();
                range.selectNodeContents(caption.firstChild);
                const parts = [...range.getClientRects()];  // of a line in two directions there are several
                const bottom = Math.max(...parts.map(part => part.bottom));
                const last = parts.filter(part => part.bottom > bottom - 4);
                const line = {
                    bottom,
                    left: Math.min(...last.map(part => part.left)),
                    right: Math.max(...last.map(part => part.right)),
                };
                const sign = caption.querySelector('svg').getBoundingClientRect();
                const beside = Math.max(sign.left - line.right, line.left - sign.right);
                const outside = sign.left < 0 || sign.right > window.innerWidth;
                return sign.top >= line.bottom || beside < 0 || beside > 12 || outside;
            })"""
        )
        assert apart == [False], width


@pytest.mark.parametrize("code", codes())
def test_another_reading_is_opened_by_key_and_chosen_by_touch_on_a_phone(
    browser: Browser, address: str, code: str
) -> None:
    texts = load(code)
    context = browser.new_context(viewport=PHONE, locale=texts.locale, has_touch=True)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(address)
    wait_until_idle(page)
    ask(page, "And its warranty?")
    reading = page.get_by_role("button", name="Veltara 15")
    expect(reading).to_be_hidden()
    summary = page.locator('[class*="-why-"] summary')
    summary.focus()
    page.keyboard.press("Enter")
    expect(reading).to_be_visible()
    assert not overflows(page)
    way = page.locator('[class*="-why-"]').first.evaluate("element => getComputedStyle(element).direction")
    assert way == texts.direction
    settle(page, '[class*="-why-"]')
    reading.tap()
    expect(page.get_by_text("The Veltara 15 is guaranteed for 48 months.")).to_be_visible()
    wait_until_idle(page)
    expect(page.locator(MESSAGES)).to_have_count(2)


def test_a_file_with_two_passages_is_one_source(browser: Browser, address: str) -> None:
    page = open_page(browser, address)
    ask(page, "What colours does the Veltara 13 come in?")
    sources = page.locator('[data-testid="stExpander"]')
    expect(sources).to_have_count(2)
    expect(sources.first.locator("summary")).to_contain_text("1 and 2")
    sources.first.locator("summary").click()
    passages = sources.first.locator('[class*="-passage-"]')
    expect(passages).to_have_count(2)
    expect(passages.first).to_contain_text("It comes in sand. [1]")
    expect(passages.last).to_contain_text("The Veltara 13 costs £1,199. [2]")


@pytest.mark.parametrize("path", PAGES)
def test_every_request_of_a_page_that_opens_is_answered(browser: Browser, address: str, path: str) -> None:
    page = browser.new_page(viewport=DESK)  # type: ignore[arg-type]
    failed: list[str] = []
    page.on("response", lambda answer: failed.append(answer.url) if answer.status >= 400 else None)
    page.on("console", lambda said: failed.append(said.text) if said.type == "error" else None)
    page.goto(f"{address}{path}")
    wait_until_idle(page, last=f"h1, {LAST}")
    assert not failed


def test_stop_ends_the_answer_and_keeps_what_was_said(browser: Browser, address: str, folder: Path) -> None:
    page = open_page(browser, address)
    field = page.locator('[data-testid="stChatInputTextArea"]')
    field.fill("slowly")
    field.press("Enter")
    expect(page.locator(MESSAGES).last).to_contain_text("word3", timeout=15_000)
    page.locator('[data-testid="stChatInputStopButton"], [data-testid="stChatInputSubmitButton"]').first.click()
    wait_until_idle(page)
    conversations = Conversations(open_database(folder / "data"))
    conversation = re.search(r"conversation=(\w+)", page.url)
    assert conversation
    (kept,) = conversations.turns(conversation.group(1), LOCAL_PERSON)
    assert kept.stopped
    page.reload()
    wait_until_idle(page)
    said = page.locator(MESSAGES).last.inner_text()
    assert "word3" in said
    assert "word399" not in said
    assert load("en").text("chat.stopped") in said


def test_the_empty_page_makes_way_for_the_first_answer_while_it_streams(browser: Browser, address: str) -> None:
    page = open_page(browser, address)
    field = page.locator('[data-testid="stChatInputTextArea"]')
    field.fill("slowly")
    field.press("Enter")
    expect(page.locator(MESSAGES).last).to_contain_text("word3", timeout=15_000)
    expect(page.locator(".st-key-starters")).to_have_count(0)
    page.get_by_role("button", name=load("en").text("conversations.new")).click()
    expect(page.locator(".st-key-starters")).to_have_count(1)


def test_a_starter_asks_its_question(browser: Browser, address: str) -> None:
    page = open_page(browser, address, code="de")
    page.locator(".st-key-starters button").first.click()
    expect(page.locator(MESSAGES)).to_have_count(2)
    wait_until_idle(page)
    assert page.locator(MESSAGES).first.inner_text() in page.locator(MESSAGES).last.inner_text()


def test_the_chosen_language_outlives_a_reload(browser: Browser, address: str) -> None:
    page = open_page(browser, address)
    wait_until_idle(page)
    choose_language(page, "fr")
    expect(page.get_by_text(load("fr").text("app.tagline"))).to_be_visible()
    page.reload()
    wait_until_idle(page)
    expect(page.get_by_text(load("fr").text("app.tagline"))).to_be_visible()


def test_the_conversation_is_still_there_after_a_look_at_the_documents(browser: Browser, address: str) -> None:
    page = open_page(browser, address)
    ask(page, "How much is the Veltara 13?")
    page.get_by_role("link", name=load("en").text("app.documents")).click()
    expect(page.locator('[data-testid="stFileUploader"]')).to_be_visible()
    page.get_by_role("link", name=load("en").text("app.chat")).click()
    expect(page.locator(MESSAGES)).to_have_count(2)
    assert "conversation=" in page.url


def test_nothing_is_fetched_from_another_host(browser: Browser, address: str) -> None:
    page = browser.new_page(viewport=DESK)  # type: ignore[arg-type]
    asked: list[str] = []
    refused: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: refused.append(message.text) if "Content Security" in message.text else None)
    page.goto(address)
    wait_until_idle(page)
    ask(page, "hostile")
    page.locator('[data-testid="stExpander"] summary').last.click()
    page.wait_for_timeout(500)
    own = (address, address.replace("http", "ws"), "data:", "blob:")
    assert [url for url in asked if not url.startswith(own)] == []
    assert refused == []
    assert page.locator(f'{MESSAGES} img, {MESSAGES} a[href*="evil"], {MESSAGES} b').count() == 0


def test_every_answer_of_the_server_carries_the_security_headers(address: str, folder: Path) -> None:
    for path in ("/", "/healthz", "/_stcore/health", "/static/does-not-exist"):
        try:
            answer: Any = urllib.request.urlopen(address + path, timeout=10)
        except urllib.error.HTTPError as error:
            answer = error
        with answer:
            policy = answer.headers["Content-Security-Policy"]
            assert "default-src 'self'" in policy
            assert "'unsafe-inline'" not in re.search(r"script-src [^;]*", policy).group()  # type: ignore[union-attr]
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert answer.headers["Referrer-Policy"] == "no-referrer"


def test_the_fonts_are_the_pages_own(browser: Browser, address: str) -> None:
    page = open_page(browser, address, code="ar")
    loaded = page.evaluate("[...document.fonts].filter(font => font.status === 'loaded').map(font => font.family)")
    assert {"Inter", "Noto Sans Arabic"} <= {family.strip('"') for family in loaded}


def test_the_colour_of_text_stands_out_in_both_modes(browser: Browser, address: str) -> None:
    for scheme in ("light", "dark"):
        context = browser.new_context(viewport=DESK, color_scheme=scheme)  # type: ignore[arg-type]
        page = context.new_page()
        page.goto(address)
        wait_until_idle(page)
        ask(page, "And its warranty?")
        for selector in (f"{MESSAGES} p", '[class*="st-key-"][class*="understood"] p', ".st-key-foot p", "summary p"):
            assert contrast(page, selector) >= 4.5, (scheme, selector)
        context.close()


def contrast(page: Page, selector: str) -> float:
    """Return the contrast of an element's text to what lies behind it, per WCAG 2."""
    found: float = page.locator(selector).first.evaluate(
        """element => {
            const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
            const parts = colour => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour;
                canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
            const over = (top, below) => top.slice(0, 3).map(
                (c, i) => c * top[3] / 255 + below[i] * (1 - top[3] / 255));
            const grounds = [];
            let opacity = 1;
            for (let at = element; at; at = at.parentElement) {
                grounds.unshift(parts(getComputedStyle(at).backgroundColor));
                opacity *= Number(getComputedStyle(at).opacity);
            }
            const ground = grounds.reduce((below, top) => over(top, below), [255, 255, 255]);
            const text = parts(getComputedStyle(element).color);
            text[3] *= opacity;
            const light = colour => { const [r, g, b] = colour.map(c => c / 255).map(
                c => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
                return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
            const [one, two] = [light(over(text, ground)), light(ground)].sort((a, b) => b - a);
            return (one + 0.05) / (two + 0.05);
        }"""
    )
    return found

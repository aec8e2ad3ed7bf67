"""A data folder in which every page has something to show, in each language: for tests and pictures of the pages."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page, expect

from languages import codes, load
from memory.store.conversations import LOCAL_PERSON, Conversations
from memory.store.database import open_database
from tests.pages.browsing import DESK, settle, wait_until_idle
from tests.pages.fakes import CASES, FakePipeline
from tests.pages.lived import live
from tests.pages.piloted import rate, write_cases

TALKS: Mapping[str, tuple[str, ...]] = {
    "en": ("How much is the Veltara 13?", "And its warranty?", "And the Ridge?"),
    "fr": ("Quel est le prix du Veltara 13\u202f?", "Et sa garantie\u202f?", "Et le Ridge\u202f?"),
    "de": ("Was kostet das Veltara 13?", "Und wie lange hat es Garantie?", "Und das Ridge?"),
    "ar": ("كم سعر Veltara 13؟", "وكم مدة ضمانه؟", "وماذا عن Ridge؟"),
}
MAIN = '[data-testid="stMain"], [data-testid="stAppScrollToBottomContainer"]'  # the latter where the chat is
LAST_OF = {  # what is drawn last on a page
    "empty": ".st-key-starters",
    "conversations": '[data-testid="stFileUploaderDropzone"] button',
    "documents": '[data-testid="stFileUploaderDropzone"] button',
}
NAVIGATION = '[data-testid="stSidebarNavLink"]'
PRODUCTS = ("Veltara 13", "Veltara 15")
TABS: Mapping[str, tuple[str, ...]] = {  # of a page, those that are not open at first
    "memory": ("memory.things", "memory.relations", "memory.figures", "memory.data"),
    "evaluate": ("evaluate.unanswered", "evaluate.feedback"),
}


@dataclass(frozen=True)
class Place:
    """A page: what it is called here, and its address below the server's."""

    name: str
    path: str


def furnish(data: Path) -> Mapping[str, str]:
    """Fill the data folder; return the conversation of each language: a reference resolved, and a question back."""
    database = open_database(data)
    found = {}
    for code in reversed(codes()):
        live(database, code)
    rate(database, *codes())
    write_cases(data / CASES, *codes())
    for code in reversed(codes()):
        conversations = Conversations(database)
        pipeline, conversation = FakePipeline(conversations), conversations.create(LOCAL_PERSON, code)
        for question in TALKS[code]:
            keep(pipeline, conversation, question)
        first = conversations.turns(conversation, LOCAL_PERSON)[-1]  # asked twice: "2 / 2"
        conversations.put_aside(conversation, LOCAL_PERSON, first.id)
        keep(pipeline, conversation, TALKS[code][-1])
        found[code] = conversation
    database.close()
    return found


def keep(pipeline: FakePipeline, conversation: str, question: str) -> None:
    """Keep the turn that the script has for *question*."""
    list(pipeline.stream(question, "", user=LOCAL_PERSON, conversation=conversation, turn_id=uuid.uuid4().hex))


def places(conversation: str) -> tuple[Place, ...]:
    """Return all pages, the chat once empty and once with *conversation*."""
    return (
        Place("empty", ""),
        Place("chat", f"?conversation={conversation}"),
        Place("conversations", "conversations"),
        Place("compare", "compare"),
        Place("documents", "documents"),
        Place("memory", "memory"),
        Place("evaluate", "evaluate"),
    )


def visit(page: Page, address: str, place: Place, code: str) -> None:
    """Open a page, and on it what is closed at first; by the sidebar if it is there: to load all of it takes longer."""
    if page.url.startswith(address) and page.viewport_size and page.viewport_size["width"] >= DESK["width"]:
        _go(page, place, code)
    else:
        page.goto(f"{address}/{place.path}")
    wait_until_idle(page, last=LAST_OF.get(place.name, "h1, [data-testid='stChatMessage']"))
    if place.name == "chat":
        expect(page.locator('[class*="st-key-versions-"]')).to_be_visible()
        open_up(page, '[class*="st-key-why-"] details')
        open_up(page, '[class*="st-key-source-"] details')
    elif place.name == "compare":
        for product in PRODUCTS:
            button = page.locator('[data-testid="stButtonGroup"] button', has_text=product).first
            if button.get_attribute("aria-pressed") != "true":
                button.click()
            expect(button).to_have_attribute("aria-pressed", "true")
            wait_until_idle(page, last="h1")
        expect(page.locator('[class*="-compare-table"] table')).to_be_visible()
    elif place.name == "evaluate":
        if not page.locator(".report table").count():
            page.locator(".st-key-run-cases button").click()
        expect(page.locator(".report table").first).to_be_visible()
        wait_until_idle(page, last="h1")
        open_up(page, '[class*="st-key-failure-"] details')
    come_to_rest(page)


def _go(page: Page, place: Place, code: str) -> None:
    """Go to a page by the links and buttons of the sidebar."""
    texts, path = load(code), place.path if place.path.isalpha() else ""
    page.locator(f'{NAVIGATION}[href$="/{path}"]').click()
    if place.name == "empty":
        page.get_by_role("button", name=texts.text("conversations.new")).click()
    elif place.name == "chat":
        page.locator(f'[class*="-conversation-{place.path.partition("=")[2]}"] button').first.click()
    else:
        expect(page.locator("h1")).to_have_text(texts.text(f"{place.name}.title"))


def open_up(page: Page, details: str) -> None:
    """Open the first of *details* where it is closed."""
    first = page.locator(details).first
    if first.get_attribute("open") is None:
        first.locator("summary").click()


def come_to_rest(page: Page) -> None:
    """Wait until nothing on the page fades or moves any more: what is half drawn is half as dark."""
    expect(page.locator('[data-stale="true"]')).to_have_count(0)
    settle(page, '[data-testid="stApp"]')


def tab(page: Page, code: str, key: str) -> None:
    """Open the tab that is called *key* in the language *code*."""
    page.get_by_role("tab", name=load(code).text(key), exact=True).click()
    come_to_rest(page)

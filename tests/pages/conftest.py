"""What all tests of the page share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.pages.app_under_test import open_scripted
from tests.pages.browsing import launch
from tests.pages.fakes import FakeApplication


@pytest.fixture(scope="module")
def launched(chromium: str) -> Iterator[Browser]:
    """Return one browser for the tests of a file."""
    with sync_playwright() as playwright:
        found = launch(playwright, chromium)
        yield found
        found.close()


@pytest.fixture
def browser(launched: Browser) -> Iterator[Browser]:
    """Return the browser: each page that a test opens in it has storage of its own, and goes with the test."""
    kept = set(launched.contexts)  # what several tests look at
    yield launched
    for context in set(launched.contexts) - kept:
        context.close()
    assert launched.is_connected()


@pytest.fixture
def application() -> FakeApplication:
    """Return the application that the pages under test draw, made anew."""
    import streamlit as st

    st.cache_resource.clear()
    return open_scripted()

"""What the log of `referent app` has of a person's visit: that something was done, and how long it took."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.pages.browsing import ask, open_page
from tests.pages.serving import ROOT, started, surroundings

pytestmark = [pytest.mark.browser, pytest.mark.model]

WORDS = ("Zitronenfalter", "48213", "Cairn", "899")


def test_no_word_of_a_person_of_an_answer_or_of_a_document_is_in_the_log(browser: Browser, tmp_path: Path) -> None:
    documents = tmp_path / "documents"
    documents.mkdir()
    shutil.copy(ROOT / "data" / "demo" / "en" / "dovanta-cairn-13.md", documents / "one.md")
    subprocess.run(
        [sys.executable, "-m", "rag", "ingest", str(documents)],
        cwd=ROOT,
        env=surroundings(tmp_path / "data"),
        check=True,
        timeout=240,
    )
    with started(tmp_path) as address:
        page = open_page(browser, address)
        ask(page, "My name is Zitronenfalter and my order number is 48213.", seconds=120)
        ask(page, "How much does the Dovanta Cairn 13 cost?", seconds=60)
        expect(page.locator('[data-testid="stChatMessage"]').last).to_contain_text("899")
        ask(page, "What is my order number?", seconds=60)
        expect(page.locator('[data-testid="stChatMessage"]').last).to_contain_text("48213")
    kept = (tmp_path / "data" / "referent.log").read_text(encoding="utf-8")
    assert kept.count(" turn ") == 3
    assert "ms: detect=" in kept
    said = kept + (tmp_path / "server.log").read_text(encoding="utf-8")
    assert [word for word in WORDS if word in said] == []

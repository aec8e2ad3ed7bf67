"""What axe-core, which a package carries, finds on a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

GRAVE = {"serious", "critical"}
# The button of the field for files has its words from the style sheet, where axe-core does not look and a browser does.
UPLOAD = '[data-testid="stFileUploaderDropzone"] > span > button'


def faults(page: Page, options: Mapping[str, object]) -> Iterator[str]:
    """Yield what is grave: the rule, what it is about, and the place; the button for files is left to the test."""
    context = {"exclude": [UPLOAD]} if page.locator(UPLOAD).count() else None
    for found in Axe().run(page, context, dict(options)).response["violations"]:
        if found["impact"] in GRAVE:
            for node in found["nodes"]:
                yield f"{found['id']}: {node['failureSummary']} {node['target']} {node['html'][:200]}"

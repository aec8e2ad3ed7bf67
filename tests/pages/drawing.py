"""Pages drawn without a browser, and what stands on them."""

from __future__ import annotations

import time
from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from languages import load


def drawn(script: Callable[[], None], code: str = "en") -> AppTest:
    """Return the page of *script* as it is drawn for a person whose browser speaks *code*."""
    page = AppTest.from_function(script, default_timeout=60)
    page.context = {"locale": load(code).locale}
    return page.run()


def signed_in(subject: str, **claims: object) -> dict[str, object]:
    """Return what Streamlit knows of somebody who has just signed in."""
    return {"is_logged_in": True, "iss": "https://id.example", "sub": subject, "iat": int(time.time()), **claims}


def bare(text: str) -> str:
    return (
        text.replace("\\", "").replace("\u2066", "").replace("\u2067", "").replace("\u2068", "").replace("\u2069", "")
    )


def shown(page: AppTest) -> str:
    assert not page.exception
    kinds = (page.markdown, page.caption, page.error, page.info, page.success, page.warning)
    parts = [element.value for kind in kinds for element in kind] + [button.label for button in page.button]
    return bare("\n".join(parts))

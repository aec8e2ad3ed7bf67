"""The language that the page says it is in before any of it is drawn: what a screen reader chooses its voice by.

The same that ``rag/pages/session.py`` draws the page in: the one in the address, which is the one that was chosen, else
the browser's first, where there is a pack for it.
"""

from __future__ import annotations

import re
from typing import Final

from languages import codes, default_code

_HTML: Final = re.compile(r"<html lang=\"[\w-]*\">")


def spoken_in(chosen: str | None, accepted: str | None) -> str:
    """Return the language of a page by the one *chosen* in its address and the header Accept-Language.

    >>> spoken_in(None, "ar-SA,ar;q=0.9,en;q=0.8"), spoken_in("de", "fr"), spoken_in("xx", "yy")
    ('ar', 'de', 'en')
    """
    first = (accepted or "").partition(",")[0].partition(";")[0].strip().partition("-")[0].lower()
    return next((code for code in (chosen, first) if code in codes()), default_code())


def in_language(index: str, code: str) -> str:
    r"""Return Streamlit's *index* page, which now says that it is in the language *code*.

    >>> in_language('<html lang="en"><head></head></html>', "fr")
    '<html lang="fr"><head></head></html>'
    """
    return _HTML.sub(f'<html lang="{code}">', index, count=1)

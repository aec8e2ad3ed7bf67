"""Visitors over a bare connection, as the measurement of thirty people has them: what a cookie opens, and to whom."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.visitors import PageFailed, Visitor, cookies_of
from memory.store.conversations import Conversations, person_id
from memory.store.database import open_database
from tests.pages.provider import SEAL, settings_for
from tests.pages.serving import served

ISSUER = "https://id.example"
QUESTION = "How much is the Veltara 13?"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("visited")


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    with served(folder, given=lambda page: settings_for("http://127.0.0.1:9", page)) as found:
        yield found


def visitor(address: str, subject: str, *, seal: str = SEAL, issued_for: str | None = None, query: str = "") -> Visitor:
    cookies, token = cookies_of(subject, address=issued_for or address, seal=seal, issuer=ISSUER)
    return Visitor(address, cookies, token, query=query)


def test_a_cookie_opens_its_own_persons_conversations_and_no_others(address: str, folder: Path) -> None:
    with visitor(address, "anna") as anna:
        anna.ask(QUESTION)
        assert any("The Veltara 13 costs £1,199".encode() in frame for frame in anna.frames)
        theirs = anna.query
    assert "conversation=" in theirs
    with visitor(address, "anna", query=theirs) as again:
        assert any("The Veltara 13 costs £1,199".encode() in frame for frame in again.frames)
    with visitor(address, "ben", query=theirs) as ben:
        assert not any(QUESTION.encode() in frame for frame in ben.frames if b"starter" not in frame)
        assert not any("The Veltara 13 costs £1,199".encode() in frame for frame in ben.frames)
        ben.ask("And its warranty?")
        assert ben.query != theirs
    kept = Conversations(open_database(folder / "data"))
    assert [each.title for each in kept.list(person_id(ISSUER, "anna"))] == [QUESTION]
    assert [each.title for each in kept.list(person_id(ISSUER, "ben"))] == ["And its warranty?"]


@pytest.mark.parametrize(
    "forged",
    [{"seal": "sealed by somebody who does not know the seal"}, {"issued_for": "http://127.0.0.1:1"}, {}],
    ids=["another seal", "another page", "no token"],
)
def test_a_cookie_that_is_not_this_pages_opens_nothing(address: str, forged: dict[str, str]) -> None:
    guest = visitor(address, "anna", **forged)  # type: ignore[arg-type] - keywords of text alone
    if not forged:
        guest.token = "2|00000000|0000|1"
    with guest, pytest.raises(PageFailed, match="no field"):
        guest.ask(QUESTION)
    assert any(b"sign-in" in frame for frame in guest.frames)

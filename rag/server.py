"""The page served with what keeps it safe (``rag.security``), a sign-in where one is set up, and a health address.

``streamlit run app.py`` shows the same page without them.  Streamlit reports nothing to anybody: usage statistics
are off here, whatever a settings file says.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rag.access import sign_in
from rag.errors import PortTaken, ReferentError
from rag.security import OwnSite, SecurityHeaders, own_names, security_headers
from rag.settings import Settings, read_settings
from rag.spokenpage import in_language, spoken_in

if TYPE_CHECKING:
    import streamlit as st

APP: Final = Path(__file__).parents[1] / "app.py"
HEALTH: Final = "/healthz"
# The addresses of the pages of app.py.
PAGES: Final = ("/", "/conversations", "/documents", "/memory", "/compare", "/evaluate", "/settings")
LOOPBACK: Final = "localhost"
UPLOADED: Final = (
    4  # times the limit of a file: one that is above it is refused in the page's language, not by Streamlit
)

# Streamlit's interface looks for its server below the page's own address first, and finds nothing there.  The server is
# where the page's scripts come from, also behind a proxy that puts a path before it.
_WHERE: Final = '<script>window.__streamlit = {BACKEND_BASE_URL: new URL(".", location.href).href}</script>'

_log = logging.getLogger(__name__)


def with_address(index: str) -> str:
    """Return Streamlit's *index* page, which now says where its server is before any of its scripts runs.

    >>> with_address("<html><head><title>x</title></head></html>").startswith("<html><head><script>window")
    True
    """
    return index.replace("<head>", f"<head>{_WHERE}", 1)


def build(
    script: Path = APP,
    *,
    warm: Callable[[], object] | None = None,
    settings: Settings | None = None,
    host: str = LOOPBACK,
) -> st.App:
    """Return the page as an ASGI application, for a server at *host*; *warm* runs in the background once it is up.

    What Streamlit needs to know of a sign-in is handed over in memory: its file of secrets is not written.

    Raises: SettingsInvalid.
    """
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
    settings = settings or read_settings()
    entry, public = sign_in(settings), settings.public_url
    headers = security_headers(index, settings.frame_ancestors)
    return st.App(
        script,
        routes=[Route(HEALTH, health), *(Route(path, page) for path in PAGES)],
        middleware=[
            Middleware(SecurityHeaders, headers=headers, secure=public.startswith("https://")),
            Middleware(OwnSite, public=public, hosts=own_names(host, public), asked=HEALTH),
        ],
        lifespan=_lifespan,
        secrets=entry.secrets() if entry else None,
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

    Raises: PortTaken, SettingsInvalid.
    """
    port = settings.port if port is None else port
    sign_in(settings)
    _check_free(port, host)
    import uvicorn
    from streamlit import config

    from rag.pages.application import open_application

    os.environ["REFERENT_DATA_DIR"] = str(settings.data_dir)
    app = build(warm=lambda: open_application().warm(), settings=settings, host=host)
    for option, value in {
        "browser.gatherUsageStats": False,
        "server.address": host,
        "server.port": port,
        "server.headless": True,
        "server.maxUploadSize": max(1, round(UPLOADED * settings.max_file_mb)),
    }.items():
        config.set_option(option, value)
    uvicorn.run(app, host=host, port=port, access_log=False, log_level="warning", ws_max_size=200_000_000)

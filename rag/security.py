"""What keeps the page to itself in a browser: a content security policy, other headers, and whom the server answers."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import Any, Final
from urllib.parse import urlsplit

LOOPBACKS: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_INLINE_SCRIPT: Final = re.compile(r"<script>(.*?)</script>", re.DOTALL)
_FRAMED: Final[Mapping[tuple[str, ...], str]] = {
    ("'self'",): "SAMEORIGIN",
    ("'none'",): "DENY",
}  # X-Frame-Options can name no other site

Scope = dict[str, Any]
Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Asgi = Callable[[Scope, Receive, Send], Awaitable[None]]


def content_security_policy(index: str, frame_ancestors: Sequence[str] = ("'self'",)) -> str:
    """Return the policy for Streamlit's *index* page: nothing from or to another host.

    Scripts are the page's own files and the inline ones of *index*, named by their hash.  Styles may be inline:
    Streamlit's interface writes them as it draws.  *frame_ancestors* may show the page within theirs.
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
            f"frame-ancestors {' '.join(frame_ancestors)}",
        )
    )


def security_headers(index: str, frame_ancestors: Sequence[str] = ("'self'",)) -> Mapping[str, str]:
    """Return the headers that go with every response."""
    framed = _FRAMED.get(tuple(frame_ancestors))
    return {
        "Content-Security-Policy": content_security_policy(index, frame_ancestors),
        "X-Content-Type-Options": "nosniff",
        **({"X-Frame-Options": framed} if framed else {}),
        "Referrer-Policy": "no-referrer",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
        "Cross-Origin-Opener-Policy": "same-origin",
    }


class SecurityHeaders:
    """Middleware that adds *headers* to every response; plain ASGI, so that nothing is buffered.

    *secure*: the page is reached over https alone, and its cookies are sent over nothing else.
    """

    def __init__(self, app: Asgi, headers: Mapping[str, str], *, secure: bool = False) -> None:
        self._app = app
        self._headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
        self._secure = secure

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and its response back with the headers."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def _with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                ours = {name for name, _ in self._headers}
                kept = [self._kept(*header) for header in message.get("headers", []) if header[0].lower() not in ours]
                message = {**message, "headers": [*kept, *self._headers]}
            await send(message)

        await self._app(scope, receive, _with_headers)

    def _kept(self, name: bytes, value: bytes) -> tuple[bytes, bytes]:
        if self._secure and name.lower() == b"set-cookie" and b"; secure" not in value.lower():
            return name, value + b"; Secure"
        return name, value


class OwnSite:
    """Middleware that answers to its own names alone, and to nothing that another site's page asks for.

    A page elsewhere could otherwise speak to the server of whoever looks at it: by its own name pointed at this
    machine, or over a connection that browsers let through.  Streamlit would refuse some of that, but asks another
    machine first which addresses this one has.

    *public* is the address that people know, "" for none.  *hosts* are the names to answer to, any where it is empty;
    *asked* is a path that is answered under any name, for probes.
    """

    def __init__(self, app: Asgi, *, public: str = "", hosts: Collection[str] = (), asked: str = "") -> None:
        self._app = app
        self._public = urlsplit(public).netloc.lower()
        self._hosts = frozenset(hosts)
        self._asked = asked

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] not in {"http", "websocket"} or scope["path"] == self._asked:
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        host = headers.get(b"host", b"").decode("latin-1").lower()
        origin = headers.get(b"origin")
        site = None if origin is None else urlsplit(origin.decode("latin-1")).netloc.lower()
        if self._hosts and name_of(host) not in self._hosts:
            await refuse(scope, send, 421, "This server does not go by that name. REFERENT_PUBLIC_URL says which.")
        elif site is not None and (not site or site not in {host, self._public}):
            await refuse(scope, send, 403, "Another site asks. REFERENT_PUBLIC_URL says which is this one.")
        elif site == self._public and site != host:  # a proxy in front named the server as it knows it
            named = [(name, value) for name, value in scope["headers"] if name != b"host"]
            await self._app({**scope, "headers": [*named, (b"host", site.encode("latin-1"))]}, receive, send)
        else:
            await self._app(scope, receive, send)


def name_of(host: str) -> str:
    """Return the name in a Host header, without the port.

    >>> name_of("chat.example.org:8501"), name_of("[::1]:8501"), name_of("")
    ('chat.example.org', '::1', '')
    """
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def own_names(host: str, public: str = "") -> frozenset[str]:
    """Return the names that a server at *host* goes by, none where they cannot be known: it listens to a network.

    >>> sorted(own_names("localhost")), sorted(own_names("0.0.0.0"))
    (['127.0.0.1', '::1', 'localhost'], [])
    """
    known = urlsplit(public).hostname
    if known:
        return LOOPBACKS | {known, host.lower()}
    return LOOPBACKS if host in LOOPBACKS else frozenset()


async def refuse(scope: Scope, send: Send, status: int, why: str) -> None:
    """Answer with *status* and *why*; a connection is closed before it is one."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": why})
        return
    body = why.encode("utf-8")
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode("ascii"))]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})

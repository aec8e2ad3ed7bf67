"""What is known of the connections to a chat model's server: what it sends, whether it came to an end, hanging up.

The client that reads an answer swallows what is no piece of it: the ``[DONE]`` at the end, comments that keep a
connection open, a page of HTML.  So the bytes are looked at as they pass.  An answer is read in a thread of its own,
and whoever waits for it waits a certain time and no longer, however the server spends it.
"""

from __future__ import annotations

import queue
import socket
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import Final, TypeVar

import httpx2 as httpx

from memory.attempt import Failed, attempt

_HEAD: Final = 4096  # bytes of the beginning that are kept: an error written as JSON fits
_TAIL: Final = 64  # bytes of the end that are looked at for its mark
_END_MARK: Final = b"[DONE]"

Value = TypeVar("Value")


class Heard(httpx.SyncByteStream):
    """The bytes of one answer as they pass."""

    def __init__(self, response: httpx.Response, closed: Callable[[], None]) -> None:
        self._source = response.stream
        self._closed = closed
        self._network = response.extensions.get("network_stream")
        self.status = response.status_code
        self.kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        self.head = b""
        self._tail = b""

    def __iter__(self) -> Iterator[bytes]:
        """Yield the bytes as they come."""
        if not isinstance(self._source, httpx.SyncByteStream):
            return
        for part in self._source:
            if len(self.head) < _HEAD:
                self.head = (self.head + part)[:_HEAD]
            self._tail = (self._tail + part)[-_TAIL:]
            yield part

    @property
    def ended(self) -> bool:
        """Return whether the mark has come that ends a stream of events."""
        return _END_MARK in self._tail

    def hang_up(self) -> None:
        """End the connection, also while another thread waits for its next byte."""
        line = self._network.get_extra_info("socket") if self._network is not None else None
        if isinstance(line, socket.socket):
            with suppress(OSError):  # it has ended by itself
                line.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Give the connection back."""
        self._closed()
        if isinstance(self._source, httpx.SyncByteStream):
            self._source.close()


class Connections:
    """The answers that are being read, each in its own thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: dict[int, Heard] = {}
        self._heard = threading.local()

    def listen(self, response: httpx.Response) -> None:
        """Look at the bytes of *response* from here on; a hook of the client, called in the thread that reads."""
        thread = threading.get_ident()

        def closed() -> None:
            with self._lock:
                self._open.pop(thread, None)

        heard = Heard(response, closed)
        response.stream = heard
        self._heard.last = heard
        with self._lock:
            self._open[thread] = heard

    def last(self) -> Heard | None:
        """Return the answer that this thread read last, None where none has begun."""
        return getattr(self._heard, "last", None)

    def hang_up(self, thread: int) -> None:
        """End the connection that *thread* reads from, if it still does: a closed one may be another's by now."""
        with self._lock:
            heard = self._open.get(thread)
            if heard is not None:
                heard.hang_up()


@dataclass(frozen=True, slots=True)
class _Ended:
    pass


def within(
    seconds: float, values: Callable[[], Generator[Value, None, None]], hang_up: Callable[[int], None]
) -> Generator[Value, None, None]:
    """Yield what *values* yields, each at most *seconds* after it was asked for.

    *values* runs in a thread of its own.  Where it is late, or nobody wants more, *hang_up* is called with that
    thread's number, to end what it waits for.

    Raises: TimeoutError, and what *values* raises.
    """
    said: queue.SimpleQueue[Value | Failed | _Ended] = queue.SimpleQueue()
    unwanted = threading.Event()

    def work() -> _Ended:
        """Read to the end, or until nobody wants more."""
        with closing(values()) as source:
            for value in source:
                if unwanted.is_set():
                    break
                said.put(value)
        return _Ended()

    worker = threading.Thread(target=lambda: said.put(attempt(work)), name="chat-model", daemon=True)
    worker.start()
    ended = False
    try:
        while True:
            try:
                got = said.get(timeout=seconds)
            except queue.Empty:
                raise TimeoutError from None
            ended = isinstance(got, Failed | _Ended)
            if isinstance(got, Failed):
                raise got.error
            if isinstance(got, _Ended):
                return
            yield got
    finally:
        unwanted.set()
        if not ended and worker.ident is not None:
            hang_up(worker.ident)

"""A scripted HTTP server on this machine that answers as a chat model's server may, well or badly."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Script:
    """What the server does with each request in turn; the last stands for all that follow."""

    answers: tuple[tuple[str, ...], ...] = (("Fine.",),)
    status: int = 200
    breaks: bool = False  # close the connection in the middle of the stream
    delay_s: float = 0.0  # before the last piece
    plain: str | None = None  # the content of an answer that is not streamed
    asked: list[dict[str, Any]] = field(default_factory=list)


@contextmanager
def serving(script: Script) -> Iterator[str]:
    """Yield the address of a server that follows *script*."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            script.asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            if script.status != 200:
                self._send(json.dumps({"error": {"message": "no", "type": "x", "code": "x"}}), script.status)
            elif not script.asked[-1].get("stream"):
                message = {"role": "assistant", "content": script.plain or ""}
                choice = {"index": 0, "message": message, "finish_reason": "stop"}
                usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
                whole = {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
                self._send(json.dumps({**whole, "usage": usage}), 200)
            else:
                self._stream(script.answers[min(len(script.asked), len(script.answers)) - 1])

        def _send(self, body: str, status: int) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body.encode())))
            self.end_headers()
            self.wfile.write(body.encode())

        def _stream(self, pieces: tuple[str, ...]) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            for number, piece in enumerate(pieces):
                if script.delay_s and number == len(pieces) - 1:
                    time.sleep(script.delay_s)
                self._chunk(self._event({"content": piece}, None))
            if script.breaks:
                self.close_connection = True
                self.connection.close()
                return
            self._chunk(self._event({}, "stop"))
            self._chunk("data: [DONE]\n\n")
            self.wfile.write(b"0\r\n\r\n")

        def _event(self, delta: dict[str, str], finish: str | None) -> str:
            choice = {"index": 0, "delta": delta, "finish_reason": finish}
            chunk = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
            return f"data: {json.dumps(chunk)}\n\n"

        def _chunk(self, text: str) -> None:
            data = text.encode()
            self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
            self.wfile.flush()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class calls it so
            pass

    class Quiet(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: object, client_address: object) -> None:
            pass  # a client that hangs up is part of the script

    server = Quiet(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()

"""A scripted HTTP server on this machine that answers as a chat model's server may, well or badly."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

REFUSAL = json.dumps({"error": {"message": "no", "type": "x", "code": "x"}})


@dataclass
class Script:
    """What the server does with each request in turn; the last answer stands for all that follow."""

    answers: tuple[tuple[str, ...], ...] = (("Fine.",),)
    status: int = 200
    body: str | None = None  # instead of a stream; with another status than 200, an error in JSON unless given
    kind: str = "application/json"  # the type of that body
    headers: Mapping[str, str] = field(default_factory=dict)
    breaks: bool = False  # close the connection in the middle of the stream
    end: Literal["whole", "mark", "finish", "none"] = "whole"  # a reason to finish and [DONE], one of them, neither
    finish: str = "stop"
    thought: tuple[str, ...] = ()  # said before, under a key of its own
    delay_s: float = 0.0  # before the last piece
    late_s: float = 0.0  # before the first
    ping_s: float = 0.0  # how often to send a comment while it waits; 0 = never
    plain: str | None = None  # the content of an answer that is not streamed
    usage: object = None  # what it says of its consumption, with each piece
    unknown: str = ""  # a parameter that it refuses
    asked: list[dict[str, Any]] = field(default_factory=list)
    hung_up: threading.Event = field(default_factory=threading.Event)  # the client has gone


@contextmanager
def serving(script: Script) -> Iterator[str]:
    """Yield the address of a server that follows *script*."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            script.asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            if script.unknown in script.asked[-1]:
                self._send(json.dumps({"error": {"message": f"Unknown parameter: {script.unknown}"}}), 400)
            elif script.status != 200 or script.body is not None:
                self._send(REFUSAL if script.body is None else script.body, script.status)
            elif not script.asked[-1].get("stream"):
                self._wait(script.late_s)
                message = {"role": "assistant", "content": script.plain or ""}
                choice = {"index": 0, "message": message, "finish_reason": script.finish}
                usage = script.usage or {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
                whole = {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
                self._send(json.dumps({**whole, "usage": usage}), 200)
            else:
                try:
                    self._stream(script.answers[min(len(script.asked), len(script.answers)) - 1])
                except OSError:
                    script.hung_up.set()
                    self.close_connection = True

        def _send(self, body: str, status: int) -> None:
            self.send_response(status)
            self.send_header("Content-Type", script.kind)
            self.send_header("Content-Length", str(len(body.encode())))
            for name, value in script.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body.encode())

        def _stream(self, pieces: tuple[str, ...]) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            self._wait(script.late_s)
            for thought in script.thought:
                self._chunk(self._event({"reasoning_content": thought}, None))
            for number, piece in enumerate(pieces):
                if number == len(pieces) - 1:
                    self._wait(script.delay_s)
                self._chunk(self._event({"content": piece}, None))
            if script.breaks:
                self.close_connection = True
                self.connection.close()
                return
            if script.end in ("whole", "finish"):
                self._chunk(self._event({}, script.finish))
            if script.end in ("whole", "mark"):
                self._chunk("data: [DONE]\n\n")
            self.wfile.write(b"0\r\n\r\n")

        def _wait(self, seconds: float) -> None:
            until = time.monotonic() + seconds
            while script.ping_s and time.monotonic() < until:
                self._chunk(": still here\n\n")
                time.sleep(script.ping_s)
            time.sleep(max(0.0, until - time.monotonic()))

        def _event(self, delta: dict[str, str], finish: str | None) -> str:
            choice = {"index": 0, "delta": delta, "finish_reason": finish}
            chunk: dict[str, Any] = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
            chunk["choices"] = [choice]
            if script.usage is not None:
                chunk["usage"] = script.usage
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

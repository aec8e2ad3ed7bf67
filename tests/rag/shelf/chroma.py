"""A Chroma server on a loopback port, as ``chroma run`` starts it."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path


def free_port() -> int:
    """Return a port that nobody listens on at this moment."""
    with closing(socket.socket()) as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextmanager
def chroma_server(folder: Path, port: int = 0) -> Iterator[str]:
    """Yield the address of a server over *folder*."""
    port = port or free_port()
    program = Path(sys.executable).parent / "chroma"
    command = [str(program), "run", "--path", str(folder), "--host", "127.0.0.1", "--port", str(port)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            wait_for(port, server)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.kill()


def wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    """Return when the server listens."""
    for _ in range(300):
        assert server.poll() is None, "the server ended"
        with closing(socket.socket()) as found:
            if found.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise AssertionError("the server does not listen after 30 s")

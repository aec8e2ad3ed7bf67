"""The page in a process of its own, as ``referent app`` serves it, and how much memory that has."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from benchmarks.scoring import ROOT


def free_port() -> int:
    """Return a port that nobody listens to."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextmanager
def serving(folder: Path, port: int, given: Mapping[str, str]) -> Iterator[int]:
    """Serve the page over the data of *folder*, with these settings and no others; yield the server's process id."""
    address = f"http://127.0.0.1:{port}"
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("OPENAI_", "REFERENT_"))}
    cache = {name: value for name, value in os.environ.items() if name == "REFERENT_CACHE_DIR"}
    always = {"REFERENT_DATA_DIR": str(folder), "PYTHONPATH": str(ROOT), "HF_HUB_OFFLINE": "1"}
    command = [sys.executable, "-m", "rag", "app", "--host", "127.0.0.1", "--port", str(port)]
    environment = kept | cache | always | dict(given)
    with subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL) as process:
        try:
            wait_for(f"{address}/healthz")
            yield process.pid
        finally:
            process.terminate()
            process.wait(timeout=30)


def wait_for(address: str, seconds: float = 120.0) -> None:
    """Wait until something answers at *address*."""
    end = time.monotonic() + seconds
    while True:
        try:
            urllib.request.urlopen(address, timeout=2).close()  # noqa: S310 - this machine
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            if time.monotonic() > end:
                raise
            time.sleep(0.2)
        else:
            return


def resident(process: int) -> float:
    """Return the resident memory of a process in MiB."""
    for line in Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise ValueError(f"found no VmRSS of {process}")

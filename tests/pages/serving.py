"""The page in a process of its own: over the scripted application, as ``referent app`` serves it, or that command."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.served import free_port
from tests import forking

ROOT = Path(__file__).resolve().parents[2]
CACHE = ROOT / "build" / "test-cache"  # the weights that the other tests have expanded

Process = subprocess.Popen[bytes] | forking.Forked
Begin = Callable[..., Process]

SCRIPT = """
import sys
sys.path.insert(0, {root!r})
from tests.pages.app_under_test import run
run()
"""

SERVER = """
import sys
from pathlib import Path
import uvicorn
from rag.server import build
from rag.settings import read_settings
from rag.terminal import log_to
log_to(read_settings().data_dir)
uvicorn.run(build(Path(sys.argv[1])), host="127.0.0.1", port=int(sys.argv[2]), log_level="warning", access_log=False)
"""


Given = Callable[[str], Mapping[str, str]]  # from the address of the page, what is set in its environment


def surroundings(data: Path, given: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment of a process of the product: its data in *data*, and nothing that a desk has set."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("OPENAI_", "REFERENT_"))}
    own = {"REFERENT_DATA_DIR": str(data), "REFERENT_CACHE_DIR": str(CACHE)}
    always = {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1", "HF_HUB_OFFLINE": "1"}
    return kept | own | always | dict(given or {})


@contextmanager
def served(
    folder: Path,
    *,
    script: Path | None = None,
    killed: bool = False,
    given: Given | None = None,
    port: int | None = None,
) -> Iterator[str]:
    """Serve *script*, else the page over the scripted application, with its data in *folder*; yield its address.

    *given* is what is set beside; *port* is a free one otherwise.  At the end it is told to stop; *killed*, it has no
    time for a last word.
    """
    site = folder / "site"
    site.mkdir(parents=True, exist_ok=True)
    if script is None:
        script = site / "app.py"
        script.write_text(SCRIPT.format(root=str(ROOT)), encoding="utf-8")
        if not (site / "static").exists():
            (site / "static").symlink_to(ROOT / "static")  # Streamlit serves what lies beside the script
    with _running(
        folder, ["-c", SERVER, str(script)], begin=forking.start, killed=killed, given=given, port=port
    ) as address:
        yield address


@contextmanager
def started(folder: Path) -> Iterator[str]:
    """Run the command ``referent app``, as a terminal does, with its data in *folder*; yield the page's address."""

    def begin(*arguments: str, **surroundings: Any) -> subprocess.Popen[bytes]:
        return subprocess.Popen([sys.executable, *arguments], **surroundings)

    with _running(folder, ["-m", "rag", "app", "--host", "127.0.0.1", "--port"], begin=begin) as address:
        yield address


@contextmanager
def _running(
    folder: Path,
    arguments: list[str],
    *,
    begin: Begin,
    killed: bool = False,
    given: Given | None = None,
    port: int | None = None,
) -> Iterator[str]:
    """Let *begin* run Python with *arguments* and a free port; yield the address of what listens there."""
    port = port or free_port()
    address = f"http://127.0.0.1:{port}"
    own = surroundings(folder / "data", given(address) if given else None)
    with (
        (folder / "server.log").open("w", encoding="utf-8") as log,
        begin(*arguments, str(port), cwd=ROOT, env=own, stdout=log, stderr=log) as process,
    ):
        try:
            wait_until_up(address, process)
            yield address
        finally:
            process.kill() if killed else process.terminate()
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()


def wait_until_up(address: str, process: Process, seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if process.poll() is not None:
            raise RuntimeError(f"The server ended with {process.returncode}; see server.log.")
        try:
            with urllib.request.urlopen(f"{address}/healthz", timeout=2) as answer:
                if answer.status == 200:
                    return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.1)
    raise TimeoutError(f"{address} did not come up within {seconds} s.")

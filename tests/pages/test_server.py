"""The page as `referent app` serves it."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from rag.errors import PortTaken
from rag.security import content_security_policy, security_headers
from rag.server import serve
from rag.settings import Settings, read_settings
from tests.pages.serving import ROOT, free_port, wait_until_up

SERVE = """
import sys
from rag.server import serve
from rag.settings import read_settings
serve(read_settings(), port=int(sys.argv[1]))
"""


def test_the_policy_names_the_inline_scripts_of_the_page_and_no_other_host() -> None:
    policy = content_security_policy("<script>a = 1</script><script src='x.js'></script>")
    assert policy.count("'sha256-") == 1
    assert "http" not in policy
    assert "frame-ancestors 'self'" in policy


def test_the_policy_of_streamlits_own_page_needs_no_unsafe_script() -> None:
    import streamlit

    index = (Path(streamlit.__file__).parent / "static" / "index.html").read_text(encoding="utf-8")
    scripts = security_headers(index)["Content-Security-Policy"].split("; ")[1]
    assert scripts.startswith("script-src 'self'")
    assert "unsafe-inline" not in scripts
    assert "unsafe-eval" not in scripts.replace("wasm-unsafe-eval", "")


@pytest.mark.parametrize("folder", ["", "elsewhere"])
def test_the_page_is_served_on_loopback_from_any_folder_and_is_healthy(tmp_path: Path, folder: str) -> None:
    port = free_port()
    cwd = tmp_path / folder
    cwd.mkdir(exist_ok=True)
    environment = os.environ | {"PYTHONPATH": str(ROOT), "HF_HUB_OFFLINE": "1"}
    with subprocess.Popen([sys.executable, "-c", SERVE, str(port)], cwd=cwd, env=environment) as process:
        try:
            wait_until_up(f"http://localhost:{port}", process)
            with urllib.request.urlopen(f"http://localhost:{port}/healthz", timeout=10) as answer:
                assert json.load(answer) == {"status": "ok"}
                assert answer.headers["X-Frame-Options"] == "SAMEORIGIN"
            font = f"http://localhost:{port}/app/static/fonts/inter-latin-wght-normal.woff2"
            with urllib.request.urlopen(font, timeout=10) as answer:
                assert answer.status == 200
        finally:
            process.terminate()
            process.wait(timeout=20)


def test_a_port_in_use_is_a_named_failure_before_anything_is_opened(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(PortTaken, match="--port"):
            serve(read_settings(tmp_path), port=taken.getsockname()[1], host="127.0.0.1")


def test_the_port_is_a_setting_that_an_argument_goes_before(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        settings = Settings(data_dir=tmp_path, port=port)
        with pytest.raises(PortTaken, match=f"Port {port} "):
            serve(settings, host="127.0.0.1")
        with pytest.raises(PortTaken, match=f"Port {port} "):
            serve(Settings(data_dir=tmp_path, port=free_port()), port=port, host="127.0.0.1")
    assert Settings(data_dir=tmp_path).port == 8501


@pytest.mark.parametrize(("given", "called"), [([], "referent app"), (["PORT=8600"], "referent app --port 8600")])
def test_make_passes_a_port_on(given: list[str], called: str) -> None:
    # The tests may be called by make themselves.
    environment = {name: value for name, value in os.environ.items() if name != "PORT" and "MAKE" not in name}
    command = ["make", "--dry-run", "--no-print-directory", "app", *given]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1].strip().endswith(called)

"""A machine without a browser: the tests that need one are skipped and say so, or fail where one is required."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def run_without_a_browser(tmp_path: Path, required: str) -> subprocess.CompletedProcess[str]:
    """Return how a browser test ends where no browser is on the path."""
    (tmp_path / "nothing").mkdir()
    tests = sorted(re.findall(r"^def (test_\w+)", (ROOT / "tests/pages/test_browser.py").read_text("utf-8"), re.M))
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"tests/pages/test_browser.py::{tests[0]}"],
        cwd=ROOT,
        env=os.environ | {"PATH": str(tmp_path / "nothing"), "REFERENT_REQUIRE_BROWSER": required},
        capture_output=True,
        encoding="utf-8",
        timeout=250,
        check=False,
    )


def test_without_one_the_test_is_skipped_and_the_reason_is_shown(tmp_path: Path) -> None:
    done = run_without_a_browser(tmp_path, "0")
    assert done.returncode == 0, done.stdout
    assert re.search(r"^SKIPPED .*no chromium on this machine$", done.stdout, re.MULTILINE)
    assert re.search(r"\b1 skipped\b", done.stdout)


def test_where_one_is_required_the_test_fails(tmp_path: Path) -> None:
    done = run_without_a_browser(tmp_path, "1")
    assert done.returncode == 1, done.stdout
    assert "No chromium found, and REFERENT_REQUIRE_BROWSER is set." in done.stdout
    assert "skipped" not in done.stdout


def unmarked_tests(text: str) -> list[str]:
    """Return the tests in *text* that take a browser, and whose decorators do not say so."""
    found = re.finditer(r"^((?:@[^\n]*\n(?:[ )\]][^\n]*\n)*)*)def (test_\w+)\(([^)]*)\)", text, re.MULTILINE)
    return [match[2] for match in found if "Browser" in match[3] and "@pytest.mark.browser" not in match[1]]


def test_a_test_with_a_browser_and_without_the_mark_is_found() -> None:
    marked = "@pytest.mark.browser\n@pytest.mark.parametrize(\n    1\n)\ndef test_a(browser: Browser) -> None:\n"
    assert unmarked_tests(marked) == []
    assert unmarked_tests(marked + "def test_b(browser: Browser) -> None:\n") == ["test_b"]


def test_no_browser_is_opened_beside_the_rule() -> None:
    opening = []
    for file in sorted((ROOT / "tests").rglob("test_*.py")):
        text = file.read_text(encoding="utf-8")
        opens = re.search(r"^\s*(?:from|import) playwright|^from tests\.pages\.browsing", text, re.MULTILINE)
        if file.name != Path(__file__).name and opens:
            opening.append(file.name)
            whole = re.search(r"^pytestmark = .*pytest\.mark\.browser", text, re.MULTILINE)
            unmarked = [] if whole else unmarked_tests(text)
            assert unmarked == [], f"{file.name} is not marked"
            assert "browser: Browser" in text, f"{file.name} takes its browser from elsewhere than the fixture"
            assert not re.search(r"sync_playwright|launch\(", text), f"{file.name} opens a browser of its own"
    assert len(opening) >= 2
    fixtures = (ROOT / "tests/pages/conftest.py").read_text(encoding="utf-8")
    assert "def launched(chromium: str)" in fixtures
    assert "def browser(launched: Browser)" in fixtures


def test_the_whole_check_installs_a_browser_and_requires_it() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "export REFERENT_REQUIRE_BROWSER=1\n" in script
    install = script.index('apt-get install -y -qq --no-install-recommends "${missing[@]}"')
    for package in ("chromium", "fonts-noto-core"):
        assert 0 < script.index(f"missing+=({package})") < install < script.index("make unit")
    assert script.startswith("#!/usr/bin/env bash\n")
    assert "set -euo pipefail" in script
    assert "|| true" not in script

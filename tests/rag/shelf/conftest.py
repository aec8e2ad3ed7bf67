from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rag.shelf.places import Folder, Place, Server
from tests.rag.shelf.chroma import chroma_server


@pytest.fixture(scope="session")
def chroma(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of a Chroma server that all tests of this process share."""
    with chroma_server(tmp_path_factory.mktemp("chroma")) as address:
        yield address


@pytest.fixture(params=["folder", "server"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    if request.param == "folder":
        return Folder(tmp_path / "chroma")
    return Server(request.getfixturevalue("chroma"), str(tmp_path))

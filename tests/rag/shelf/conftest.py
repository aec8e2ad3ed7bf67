from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.rag.shelf.chroma import chroma_server


@pytest.fixture(scope="session")
def chroma(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of a Chroma server that all tests of this process share."""
    with chroma_server(tmp_path_factory.mktemp("chroma")) as address:
        yield address

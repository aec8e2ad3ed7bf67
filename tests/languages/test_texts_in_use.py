"""Every text that the program asks for by its key is in the packs."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from languages import codes, load

ROOT = Path(__file__).parents[2]
# Only here are texts asked for; elsewhere "documents.id" is a column.
FILES = [ROOT / "app.py", ROOT / "memory" / "errors.py", *sorted((ROOT / "rag").rglob("*.py"))]
SECTIONS = {key.split(".")[0] for key in load(codes()[0]).texts}


def keys_in(file: Path) -> Iterator[str]:
    """Yield the constants of *file* that are written as keys of texts."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            key = node.value
            if re.fullmatch(r"[a-z_]+(\.[a-z_]+)+", key) and key.split(".")[0] in SECTIONS and not key.endswith(".py"):
                yield key


@pytest.mark.parametrize("code", codes())
def test_every_key_has_its_text(code: str) -> None:
    texts = load(code).texts
    keys = {key for file in FILES for key in keys_in(file)}
    assert len(keys) > 30
    assert [key for key in sorted(keys) if key not in texts and f"{key}.other" not in texts] == []


@pytest.mark.parametrize("section", ["chat", "memory", "compare", "conversations", "evaluate"])
def test_no_text_of_a_page_is_left_over(section: str) -> None:
    source = "\n".join(file.read_text(encoding="utf-8") for file in FILES)
    stems = {re.sub(r"\.(zero|one|two|few|many|other)$", "", key) for key in load(codes()[0]).texts}
    left = [
        key
        for key in sorted(stems)
        if key.startswith(f"{section}.")
        and not re.search(rf"""["']({re.escape(key)}|{key.rpartition(".")[2]})["']""", source)
    ]
    assert left == []

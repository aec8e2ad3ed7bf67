"""What each package and wing shows of itself is listed in exported.toml: nothing comes or goes unnoticed.

A name that a face should not show begins with an underscore; a module that the rest of the program should not know
is reached through another.  Whoever means a change writes it into the list.
"""

from __future__ import annotations

import ast
import importlib
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("languages", "memory", "rag")
LISTED = tomllib.loads((ROOT / "tests" / "exported.toml").read_text(encoding="utf-8"))


def sources() -> list[Path]:
    return [ROOT / "app.py", *(path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py")))]


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def wings() -> list[str]:
    """Return the packages within the packages; a language's folder is data, reached by its code."""
    found = [path.parent for package in PACKAGES for path in sorted((ROOT / package).rglob("__init__.py"))]
    wings = [folder for folder in found if not (folder / "language.toml").exists() and folder.name != "migrations"]
    return [".".join(wing.relative_to(ROOT).parts) for wing in wings if wing.parent.name != "migrations"]


def imported(tree: ast.AST) -> set[tuple[str, str]]:
    """Return the modules, and what is taken from each; "" for the module itself."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {(node.module, alias.name) for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {(alias.name, "") for alias in node.names}
    return found


def doors(wing: str) -> set[str]:
    """Return the modules of *wing* that are imported from outside of it."""
    inside = {module_of(path) for path in sources() if module_of(path).startswith(f"{wing}.")}
    found = set()
    for path in sources():
        module = module_of(path)
        if module == wing or module.startswith(f"{wing}."):
            continue
        for source, name in imported(ast.parse(path.read_text(encoding="utf-8"))):
            taken = f"{source}.{name}" if f"{source}.{name}" in inside else source
            if taken in inside:
                found.add(taken.removeprefix(f"{wing}."))
    return found


@pytest.mark.parametrize("package", PACKAGES)
def test_a_face_shows_what_is_listed_and_no_public_name_besides(package: str) -> None:
    face = importlib.import_module(package)
    names = list(face.__all__)
    assert names == sorted(set(names)), "sorted, each once"
    assert names == LISTED["faces"][package], f"write the change of {package}/__init__.py into tests/exported.toml"
    assert [name for name in names if not hasattr(face, name)] == []
    public = {
        name
        for name, value in vars(face).items()
        if not name.startswith("_") and not (isinstance(value, ModuleType) and value.__name__.startswith(package))
    }
    assert public - set(names) == set(), "neither listed nor private"


@pytest.mark.parametrize("wing", wings())
def test_a_wing_has_the_doors_that_are_listed(wing: str) -> None:
    assert sorted(doors(wing)) == LISTED["doors"].get(wing, []), "write a door that is meant into tests/exported.toml"


def test_no_list_is_left_of_what_is_gone() -> None:
    assert set(LISTED["faces"]) == set(PACKAGES)
    assert set(LISTED["doors"]) <= set(wings())


def test_a_wing_says_in_one_sentence_what_it_is() -> None:
    for wing in wings():
        doc = importlib.import_module(wing).__doc__
        assert doc, wing
        assert doc.strip().endswith((".", "::", "'ltr'", "read_settings")), wing


def test_nobody_takes_a_private_name_from_another_module() -> None:
    taken = [
        f"{path.relative_to(ROOT)}: {source}.{name}"
        for path in sources()
        for source, name in sorted(imported(ast.parse(path.read_text(encoding="utf-8"))))
        if name.startswith("_") and source.partition(".")[0] in PACKAGES
    ]
    assert taken == []

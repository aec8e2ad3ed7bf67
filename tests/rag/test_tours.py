"""The tours of the demonstration, replayed over all its documents with the real embedding model.

What is known to fail is recorded in ``tours-known-failures.txt``, a turn a line, and strictly: a turn that is right
again must leave the list.
"""

from __future__ import annotations

import json
import shutil
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from languages.text import fold
from rag.replay import open_replay
from rag.settings import Settings
from rag.shelf.reading import READERS

pytestmark = [pytest.mark.model, pytest.mark.timeout(900)]  # a busy machine indexes slowly

ROOT = Path(__file__).resolve().parents[2]
DEMO = ROOT / "data" / "demo"
KNOWN_FAILURES = Path(__file__).with_name("tours-known-failures.txt")

Table = Mapping[str, Any]

TOURS: dict[str, Table] = {
    f"{tour['lang']}-{tour['kind']}": tour
    for tour in tomllib.loads((DEMO / "tour.toml").read_text(encoding="utf-8"))["tour"]
}
TURNS = [(name, number) for name, tour in TOURS.items() for number in range(len(tour["turn"]))]


def ident(name: str, number: int) -> str:
    return f"{name}-{number + 1}"


def known_failures() -> list[str]:
    return KNOWN_FAILURES.read_text(encoding="utf-8").split()


def loose(text: str) -> str:
    """Return a text as it is compared: spaces of every width, digits of both kinds and case are equal."""
    return fold(text).replace(" ", "")


@pytest.fixture(scope="session")
def said(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Table]]:
    """Return what each tour was answered, turn by turn."""
    documents = tmp_path_factory.mktemp("demonstration")
    for path in DEMO.glob("*/*"):
        if path.suffix in READERS:
            place = documents / path.parent.name
            place.mkdir(exist_ok=True)
            shutil.copyfile(path, place / path.name)
    settings = Settings(cache_dir=ROOT / "build" / "test-cache", data_dir=documents / "nothing")
    lines = [
        json.dumps({"id": name, "lang": tour["lang"], "turns": [{"user": turn["user"]} for turn in tour["turn"]]})
        for name, tour in TOURS.items()
    ]
    found: dict[str, list[Table]] = {name: [] for name in TOURS}
    refused: list[str] = []
    with open_replay(documents, settings, report=lambda out: refused.append(out.message), progress=float) as replay:
        for result in replay.lines(lines):
            found[result["id"]].append(result)
    assert not any(refused), refused
    return found


def fault(turn: Table, result: Table, lang: str) -> str:
    """Return what is wrong with an answer, nothing where it is right."""
    if "error" in result:
        return f"failed: {result['error']}"
    if result["lang"] != lang:
        return f"answered in {result['lang']}"
    if "clarify" in turn:
        offered = (result["clarification"] or {}).get("options", [])
        return "" if set(turn["clarify"]) <= set(offered) else f"asked back {offered}, said {result['answer']!r}"
    if result["answer"] is None:
        return f"asked back {result['clarification']}"
    if missing := absent([[part] for part in turn.get("standalone", ())], result["standalone"]):
        return f"understood as {result['standalone']!r}, without {missing}"
    if missing := absent([[part] for part in turn.get("begins", ())], result["answer"].partition("\n")[0]):
        return f"answered {result['answer']!r} to {result['standalone']!r}, not first {missing}"
    if missing := absent(turn["answer"], result["answer"]):
        return f"answered {result['answer']!r} to {result['standalone']!r}, without {missing}"
    cited = [citation["document"] for citation in result["citations"]]
    return "" if set(cited) & set(turn["documents"]) else f"cited {cited}, answered {result['answer']!r}"


def absent(groups: Sequence[Sequence[str]], text: str) -> list[Sequence[str]]:
    return [group for group in groups if not any(loose(spelling) in loose(text) for spelling in group)]


@pytest.mark.parametrize(("name", "number"), [pytest.param(*turn, id=ident(*turn)) for turn in TURNS])
def test_a_tour_is_answered_as_its_script_says(name: str, number: int, said: dict[str, list[Table]]) -> None:
    tour = TOURS[name]
    found = fault(tour["turn"][number], said[name][number], tour["lang"])
    if ident(name, number) in known_failures():
        assert found, f"{ident(name, number)} is right now: remove it from {KNOWN_FAILURES.name}"
        pytest.xfail(found)
    assert not found


def test_known_failures_are_turns_once_each_and_no_question_that_the_page_offers() -> None:
    known = known_failures()
    assert len(known) == len(set(known))
    offered = {ident(name, 0) for name in TOURS if not name.endswith("-across")}
    assert set(known) <= {ident(*turn) for turn in TURNS} - offered


def test_a_wrong_answer_is_noticed() -> None:
    turn = {"user": "And its weight?", "answer": [["1.19 kg"]], "documents": ["a.md"], "standalone": ["Norda"]}
    right = {
        "lang": "en",
        "standalone": "And the weight of the Norda?",
        "answer": "It weighs 1.19\u202fkg.",
        "clarification": None,
        "citations": [{"document": "a.md", "quote": "It weighs 1.19\u202fkg."}],
    }
    assert not fault(turn, right, "en")
    assert fault(turn, right, "de")
    assert fault(turn, right | {"answer": "It weighs 1.64 kg."}, "en")
    assert fault(turn, right | {"answer": None}, "en")
    assert not fault({**turn, "begins": ["It"]}, right, "en")
    assert fault({**turn, "begins": ["Norda"]}, right | {"answer": "It weighs 1.19 kg.\nThe Norda is light."}, "en")
    assert fault(turn, right | {"standalone": "And its weight?"}, "en")
    assert fault(turn, right | {"citations": []}, "en")
    assert fault({"user": "Which?", "clarify": ["A", "B"]}, right, "en")
    assert not fault(
        {"user": "Which?", "clarify": ["A", "B"]}, right | {"clarification": {"options": ["B", "A"]}}, "en"
    )

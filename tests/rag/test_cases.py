"""The lines of ``referent resolve --jsonl``: which keys a result has, in which order, and what a bad line gives."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from rag.cases import resolve_lines

_KEYS = ["id", "lang", "status", "standalone", "references", "candidates", "method", "ms"]
_LAMPS = [
    {"name": "Velda 12", "type": "PRODUCT", "aliases": ["V12"]},
    {"name": "Velda 14", "type": "PRODUCT", "attributes": {"price": "$50", "weight": 900}},
]
_HISTORY = [
    {"role": "user", "text": "Hello, what lamps are there?"},
    {"role": "assistant", "text": "There is the Velda 12, a desk lamp."},
]


def case(**changes: object) -> dict[str, Any]:
    """Return a case that refers to one thing, with *changes*."""
    return {"id": "a", "lang": "en", "catalog": _LAMPS, "history": _HISTORY, "question": "How heavy is it?", **changes}


def results(*lines: object) -> list[dict[str, Any]]:
    """Return the results of lines; those that are no text are written as JSON."""
    return list(resolve_lines([line if isinstance(line, str) else json.dumps(line) for line in lines]))


def test_a_result_has_the_keys_of_its_contract_in_order() -> None:
    (result,) = results(case())
    assert list(result) == _KEYS
    assert result["references"] == [{"text": "it", "start": 13, "end": 15, "entities": ["Velda 12"]}]
    assert result["standalone"] == "How heavy is the Velda 12?"
    assert (result["status"], result["candidates"], result["method"]) == ("resolved", [], "rules")
    assert isinstance(result["ms"], float)
    assert json.loads(json.dumps(result)) == result


def test_a_complete_question_is_unchanged_and_has_no_references() -> None:
    (result,) = results(case(question="How heavy is the Velda 14?"))
    assert result["status"] == "unchanged"
    assert (result["standalone"], result["references"]) == ("How heavy is the Velda 14?", [])


def test_an_ambiguous_question_comes_with_its_readings_alone() -> None:
    both = [*_HISTORY[:1], {"role": "assistant", "text": "There are the Velda 12 and the Velda 14."}]
    (result,) = results(case(history=both))
    assert list(result) == _KEYS
    assert (result["status"], result["standalone"]) == ("ambiguous", "How heavy is it?")
    assert result["candidates"] == [{"name": "Velda 12", "type": "PRODUCT"}, {"name": "Velda 14", "type": "PRODUCT"}]


def test_offsets_count_code_points_of_the_question_as_received() -> None:
    question = "🙂👍🏽 cafe\u0301: how heavy is it?"
    (result,) = results(case(question=question))
    (reference,) = result["references"]
    assert question[reference["start"] : reference["end"]] == reference["text"] == "it"


def test_what_is_left_out_is_an_empty_text_at_its_place() -> None:
    asked = [{"role": "user", "text": "How heavy is the Velda 12?"}, {"role": "assistant", "text": "Two kilos."}]
    (result,) = results(case(history=asked, question="And the Velda 14?"))
    (reference,) = result["references"]
    assert (reference["text"], reference["start"]) == ("", reference["end"])
    assert reference["entities"] == ["Velda 14"]


def test_an_alias_is_reported_by_the_name_of_the_catalogue() -> None:
    said = [*_HISTORY[:1], {"role": "assistant", "text": "There is the V12."}]
    (result,) = results(case(history=said))
    assert [reference["entities"] for reference in result["references"]] == [["Velda 12"]]


def test_results_come_in_the_order_of_the_lines_and_blank_ones_give_none() -> None:
    found = results(case(id="z"), "", "   ", case(id=7), case(id="z"))
    assert [result["id"] for result in found] == ["z", 7, "z"]


@pytest.mark.parametrize(
    ("line", "identifier"),
    [
        ("{", None),
        ("nonsense", None),
        ("[1, 2]", None),
        ("null", None),
        ("[" * 100_000, None),
        ('{"id": "x"}', "x"),
        (case(id="x", question=3), "x"),
        (case(id="x", history=[{"role": "narrator", "text": "…"}]), "x"),
        (case(id="x", history=[{"role": "user"}]), "x"),
        (case(id="x", catalog=[{"name": ""}]), "x"),
        (case(id="x", catalog="none"), "x"),
        (case(id="x", catalog=[{"type": "PRODUCT"}]), "x"),
        (case(id="x", lang="xx"), "x"),
        (case(id="x", lang="FR"), "x"),
        (case(id="x", lang=""), "x"),
        (case(id="x", lang=5), "x"),
    ],
)
def test_a_bad_line_is_answered_in_its_place(line: object, identifier: str | None) -> None:
    first, bad, last = results(case(id=1), line, case(id=2))
    assert (first["id"], last["id"]) == (1, 2)
    assert set(bad) == {"id", "error"}
    assert bad["id"] == identifier
    assert "expected" in bad["error"]


def test_an_unknown_language_is_named_with_those_there_are() -> None:
    (result,) = results(case(lang="xx"))
    assert result["error"].startswith("lang: found 'xx'; expected one of en, fr, de, ar")


def test_a_byte_order_mark_before_the_first_line_is_no_part_of_it() -> None:
    first, second = results("\ufeff" + json.dumps(case(id=1)), "\ufeff" + json.dumps(case(id=2)))
    assert (first["id"], first["status"]) == (1, "resolved")
    assert "error" in second, "inside the input, it is a fault like any other"
    (only,) = results(case(lang=None))
    assert "error" not in only


def test_the_language_is_optional_and_detected() -> None:
    given = case(
        history=[{"role": "user", "text": "Bonjour, quelles lampes avez-vous en magasin ?"}],
        question="Est-ce que vous livrez aussi à domicile ?",
    )
    del given["lang"]
    short = {**given, "question": "OK ?"}
    assert [result["lang"] for result in results(given, short)] == ["fr", "fr"]


def test_a_fresh_process_answers_without_an_embedder() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "rag", "resolve", "--jsonl", "--no-embedder"],
        input=json.dumps(case(), ensure_ascii=False) + "\n",
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "")
    (line,) = done.stdout.splitlines()
    assert json.loads(line)["standalone"] == "How heavy is the Velda 12?"

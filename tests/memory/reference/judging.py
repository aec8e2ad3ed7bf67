"""When a resolution is right: by status, by the entities meant, by equality where nothing was to be changed.

``python -m tests.memory.reference.judging`` writes the list of known failures anew: read its difference.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from languages import codes
from languages.text import fold, words
from memory.reference.tongue import tongue_of
from rag.cases import resolve_lines

CASES = Path(__file__).parent / "cases"
KNOWN_FAILURES = CASES / "known-failures.txt"
_GIVEN = ("id", "lang", "catalog", "history", "question")  # what resolution sees of a case; the rest is the gold answer


def read_cases(language: str) -> list[dict[str, Any]]:
    """Return the cases of a language, in the order of their file."""
    return [json.loads(line) for line in (CASES / f"{language}.jsonl").read_text("utf-8").splitlines() if line.strip()]


def known_failures() -> frozenset[str]:
    """Return the ids of the cases that are known to fail."""
    return frozenset(line.strip() for line in KNOWN_FAILURES.read_text("utf-8").splitlines() if line.strip())


def resolved(case: Mapping[str, Any]) -> dict[str, Any]:
    """Return the result for a case, as a script gets it."""
    given = {name: case[name] for name in _GIVEN if name in case}
    return next(iter(resolve_lines([json.dumps(given, ensure_ascii=False)])))


def fault(case: Mapping[str, Any], result: Mapping[str, Any]) -> str:
    """Return what is wrong with *result*, "" where it is right."""
    if "error" in result:
        return str(result["error"])
    if result["status"] != case["status"]:
        return f"{result['status']}, expected {case['status']}: {result['standalone']}"
    if case["status"] != "resolved" and result["standalone"] != case["question"]:
        return f"changed to {result['standalone']}"
    gold = [entity for reference in case["references"] for entity in reference["entities"]]
    if case["status"] == "ambiguous":
        offered = [candidate["name"] for candidate in result["candidates"]]
        return "" if _same_names(gold, offered, case["lang"]) else f"offers {offered}, expected {gold}"
    meant = [entity for reference in result["references"] for entity in reference["entities"]]
    if case["status"] == "resolved" and not _same_names(gold, meant, case["lang"]):
        return f"means {meant}, expected {gold}"
    return _miswritten(case, result["standalone"], gold)


def _miswritten(case: Mapping[str, Any], standalone: str, gold: Sequence[str]) -> str:
    """Return which of the entities that the good rewrites name is not in *standalone*, "" for none."""
    spoken = _content(standalone, case["lang"])
    for name in gold:
        parts = _content(name, case["lang"])
        if any(parts <= _content(good, case["lang"]) for good in case["standalone"]) and not parts <= spoken:
            return f"“{name}” is not in “{standalone}”"
    return ""


def _same_names(gold: Sequence[str], found: Sequence[str], language: str) -> bool:
    """Return whether the two lists name the same things, each at least once."""
    return all(any(_same(a, b, language) for b in found) for a in gold) and all(
        any(_same(a, b, language) for a in gold) for b in found
    )


def _same(left: str, right: str, language: str) -> bool:
    """Return whether one name is the other, or its shorter form with the same numbers."""
    a, b = _content(left, language), _content(right, language)
    digits = {word for word in a ^ b if any(c.isdigit() for c in word)}
    return bool(a and b) and (a <= b or b <= a) and not digits


def _content(text: str, language: str) -> frozenset[str]:
    """Return the folded words of *text* without determiners and without what is written on their front."""
    tongue = tongue_of(language)
    found: set[str] = set()
    for token in words(text):
        word = tongue.hooks.bare(token.text)
        form = fold(word)
        if tongue.hooks.is_definite(word):
            form = form.removeprefix(fold("ال"))
        if form not in tongue.determiners:
            found.add(form.removesuffix("'s").rstrip("'"))
    return frozenset(found)


def write_known_failures() -> None:
    """Write the ids of the cases that fail, in the order of the cases."""
    failing = [case["id"] for code in codes() for case in read_cases(code) if fault(case, resolved(case))]
    KNOWN_FAILURES.write_text("".join(f"{name}\n" for name in failing), "utf-8")


if __name__ == "__main__":
    write_known_failures()

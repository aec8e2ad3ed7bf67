"""Reference resolution beside what applications do today, same cases, one run, accuracy and time.

usage: python -m benchmarks.compare_baselines FOLDER [--only en]

FOLDER holds ``score_references.py`` and ``references/*.jsonl``; without it the script says so and ends with 0.  The
scorer's own functions judge every way.  Prints a row a way: the share that is right, by language and in all, the other
figures over all languages, and milliseconds a question, the encoder's pass included.  Ends with 1 where a figure is on
the wrong side of its floor in ``floors.toml``.

langchain-classic (``pip install --no-deps -r requirements-benchmarks.txt``) is no part of the program; without it its
row says so.  Its chat model is a script that answers after 300 ms with the first good rewrite of the case, or with the
question where there is none: its accuracy is what a perfect rewriter could reach that cannot ask back.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import math
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from benchmarks import baselines
from benchmarks.scoring import Benchmark, find_below, find_cases, read_floors, table
from memory import Scorer
from rag.cases import resolve_lines

Case = Mapping[str, Any]
Result = dict[str, Any]
Way = Callable[[Case], Result]

GIVEN = ("id", "lang", "catalog", "history", "question")  # no gold value reaches a way; the script of a model aside
OURS, RULES, LANGCHAIN = "ours", "ours, rules alone", "langchain-classic, a perfect model of 300 ms"
OFFLINE = ("substring replacer", "last entity wins", "all user turns glued")  # what asks no model, beside ours
FIGURES = ("right", "false_rewrites", "asked_when_due", "standalone_f1", "links", "ms_p50", "ms_p95")


def main() -> int:
    """Run every way over the cases, print the table, return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, help="the folder of cases and scorers")
    parser.add_argument("--only", action="append", default=[], help="one set, such as a language; may be repeated")
    given = parser.parse_args()
    benchmark = Benchmark("baselines", "score_references.py", "references/*.jsonl", "", ())
    paths = find_cases(benchmark, given.folder, given.only)
    if not paths:
        print(f"baselines: skipped, no {benchmark.scorer} with {benchmark.cases} in {given.folder or 'no folder'}")
        return 0
    judge = load_scorer(given.folder / benchmark.scorer)
    sets = {path.stem: judge.read_cases(str(path)) for path in paths}
    figures = {name: measure(judge, way, sets) for name, way in ways(open_scorer()).items()}
    if LANGCHAIN not in figures:
        figures[f"{LANGCHAIN} (not installed)"] = {}
    shown = Benchmark(benchmark.name, benchmark.scorer, benchmark.cases, "", (*sets, *FIGURES))
    print(table(shown, figures))
    below = find_below(with_leads(figures), read_floors(benchmark.name))
    for line in below:
        print(line, file=sys.stderr)
    return 1 if below else 0


def load_scorer(path: Path) -> ModuleType:
    """Return the scorer's module, whose functions read and judge the cases."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is no Python file; expected the scorer of the cases")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def open_scorer() -> Scorer | None:
    """Return the learned scorer, loaded and warm."""
    from rag.loading import lazy_embedder, scorer_of
    from rag.settings import read_settings

    scorer = scorer_of(lazy_embedder(read_settings()))
    if scorer is not None:
        scorer.read("And now?", (("user", "Is it warm?"),))
    return scorer


def ways(scorer: Scorer | None) -> dict[str, Way]:
    """Return each way to make a standalone question, by its name in the table."""
    simple = (baselines.replace_substrings, baselines.take_last, baselines.glue_turns)
    found: dict[str, Way] = {OURS: ours(scorer), RULES: ours(None)}
    found |= {name: theirs(lambda _, way=way: way) for name, way in zip(OFFLINE, simple, strict=True)}
    if baselines.has_langchain():
        found[LANGCHAIN] = theirs(
            lambda case: baselines.rewrite_by_langchain((*case["standalone"], case["question"])[0])
        )
    return found


def ours(scorer: Scorer | None) -> Way:
    """Return ``referent resolve``; its time is the rules' and the encoder's together."""

    def resolve(case: Case) -> Result:
        line = json.dumps({key: case[key] for key in GIVEN if key in case}, ensure_ascii=False)
        result = next(resolve_lines([line], scorer))
        return {**result, "ms": result["ms"] + result.get("encoder_ms", 0.0)}

    return resolve


def theirs(baseline_of: Callable[[Case], baselines.Baseline]) -> Way:
    """Return a baseline as a way; reading the history is no part of its time, as it is none of ours."""

    def rewrite(case: Case) -> Result:
        conversation, baseline = baselines.read_conversation(case), baseline_of(case)
        began = time.perf_counter()
        found = baseline(conversation)
        spent = (time.perf_counter() - began) * 1000
        return {"id": case["id"], **baselines.as_result(conversation, found), "ms": spent, "told": found.told}

    return rewrite


def measure(judge: ModuleType, way: Way, sets: Mapping[str, Sequence[Case]]) -> dict[str, float]:
    """Return the figures of one way over all sets, and the share of each that is right; NaN what cannot be told."""
    figures: dict[str, float] = {}
    cases: list[Case] = []
    results: list[Result] = []
    right: list[bool] = []
    for name, rows in sets.items():
        made = [way(case) for case in rows]
        judged = [judge.judge(case, result)[0] for case, result in zip(rows, made, strict=True)]
        figures[name] = sum(judged) / len(judged)
        cases += rows
        results += made
        right += judged
    figures |= judge.figure(cases, results, right)
    if not all(result.get("told", True) for result in results):
        figures["links"] = math.nan
    return figures


def with_leads(figures: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
    """Return the figures with "lead" for ours: how much more is right than in the best way that asks no model."""
    best = max(figures[name]["right"] for name in OFFLINE)
    return {name: {**values, "lead": values.get("right", math.nan) - best} for name, values in figures.items()}


if __name__ == "__main__":
    sys.exit(main())

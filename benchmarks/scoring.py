"""What the two scripts that run outside scorers share: finding the cases, running, floors, the table's row."""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FLOORS = Path(__file__).with_name("floors.toml")

Figures = Mapping[str, Mapping[str, float]]  # by set ("conversations/xx", "all"), by figure


@dataclass(frozen=True)
class Benchmark:
    """A scorer, its cases below the folder given, the command it runs, the figures shown."""

    name: str
    scorer: str
    cases: str  # a glob below the folder
    command: str
    shown: tuple[str, ...]


def run(benchmark: Benchmark, description: str) -> int:
    """Run the scorer, print the table, return the exit code: 1 below a floor, 0 also where there are no cases."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, help="the folder of cases and scorers")
    parser.add_argument("--only", action="append", default=[], help="one set, such as a language; may be repeated")
    given = parser.parse_args()
    cases = find_cases(benchmark, given.folder, given.only)
    if not cases:
        print(
            f"{benchmark.name}: skipped, no {benchmark.scorer} with {benchmark.cases} in {given.folder or 'no folder'}"
        )
        return 0
    figures = score(benchmark, given.folder, cases)
    print(table(benchmark, figures))
    below = find_below(figures, read_floors(benchmark.name))
    for line in below:
        print(line, file=sys.stderr)
    return 1 if below else 0


def find_cases(benchmark: Benchmark, folder: Path | None, only: Sequence[str]) -> list[Path]:
    """Return the sets of cases in *folder*, none where its scorer is not there."""
    if folder is None or not (folder / benchmark.scorer).is_file():
        return []
    return [path for path in sorted(folder.glob(benchmark.cases)) if not only or path.stem in only]


def score(benchmark: Benchmark, folder: Path, cases: Sequence[Path]) -> Figures:
    """Return what the scorer prints as JSON."""
    command = f"{sys.executable} -m rag {benchmark.command}"
    done = subprocess.run(
        [sys.executable, str(folder / benchmark.scorer), *map(str, cases), "--json", "--command", command],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    figures: Figures = json.loads(done.stdout.strip().splitlines()[-1])
    return figures


def table(benchmark: Benchmark, figures: Figures) -> str:
    """Return the rows for README.md, one a set."""
    commit = subprocess.run(
        ["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False
    ).stdout.strip()
    day = datetime.now(tz=UTC).date().isoformat()
    rows = [f"| set | {' | '.join(benchmark.shown)} | commit | day |", "|---" * (len(benchmark.shown) + 3) + "|"]
    for name, found in figures.items():
        values = " | ".join(_shown(found.get(key, math.nan)) for key in benchmark.shown)
        rows.append(f"| {name} | {values} | {commit} | {day} |")
    return "\n".join(rows)


def _shown(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.3f}".rstrip("0").rstrip(".") if value >= 1 else f"{value:.3f}"


def read_floors(name: str) -> Mapping[str, float]:
    """Return the floors of a benchmark: "right" holds for each set, "all.false_rewrites.max" is a ceiling for all."""
    floors: dict[str, float] = tomllib.loads(FLOORS.read_text(encoding="utf-8")).get(name, {})
    return floors


def find_below(figures: Figures, floors: Mapping[str, float]) -> list[str]:
    """Return a line for each figure that is on the wrong side of its floor.

    A key is a figure, for each set but "all"; "set/figure" for that row only; with "<" in front it is a ceiling.
    """
    found = []
    for key, floor in floors.items():
        ceiling = key.startswith("<")
        wanted, _, figure = key.lstrip("<").rpartition("/")
        for name, values in figures.items():
            if name != wanted if wanted else name == "all":
                continue
            value = values.get(figure, math.nan)
            if math.isnan(value) or (value > floor if ceiling else value < floor):
                found.append(
                    f"{name}: {figure} is {value:.3f}; expected {'at most' if ceiling else 'at least'} {floor}"
                )
    return found

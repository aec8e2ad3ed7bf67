"""How long the program takes to start: one question through ``referent resolve``, and the package alone.

usage: python -m benchmarks.time_start [--runs 5]

Each is a process of its own, started that many times; the fastest counts, because whatever else the machine does only
slows it.  "resolve" reads one French case with ``--no-embedder`` and ends, "import memory" the package alone.
Prints seconds of the clock and of the processor; ends with 1 where a figure is above its ceiling in ``floors.toml``.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from benchmarks.scoring import Benchmark, find_below, read_floors, table

ROOT = Path(__file__).resolve().parent.parent
CASE = {
    "id": 1,
    "catalog": [{"name": "Velda 12", "type": "PRODUCT"}],
    "history": [{"role": "assistant", "text": "La plus légère est la Velda 12."}],
    "question": "Quelle est sa garantie ?",
}
COMMANDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"resolve": ("-m", "rag", "resolve", "--jsonl", "--no-embedder"), "import memory": ("-c", "import memory")}
)


def main() -> int:
    """Measure, print the table, return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    given = parser.parse_args()
    figures = {}
    for name, command in COMMANDS.items():
        runs = [start(command) for _ in range(given.runs)]
        figures[name] = {"best_s": min(wall for wall, _ in runs), "processor_s": min(used for _, used in runs)}
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(table(Benchmark("start", "", "", "", ("best_s", "processor_s")), figures))
    below = find_below(figures, read_floors("start"))
    for line in below:
        print(line, file=sys.stderr)
    return 1 if below else 0


def start(command: Sequence[str]) -> tuple[float, float]:
    """Return the seconds of the clock and of the processor that Python takes for *command*."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(
        [sys.executable, *command],
        input=json.dumps(CASE).encode(),
        stdout=subprocess.PIPE,
        check=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    sys.exit(main())

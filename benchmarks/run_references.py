"""Reference resolution on files of cases: ``python -m benchmarks.run_references FOLDER``.

FOLDER holds ``score_references.py`` and ``references/*.jsonl``; without it the script says so and ends with 0.
Prints a row a language and ends with 1 where a figure is on the wrong side of its floor in ``floors.toml``.
"""

from __future__ import annotations

import sys

from benchmarks.scoring import Benchmark, run

REFERENCES = Benchmark(
    name="references",
    scorer="score_references.py",
    cases="references/*.jsonl",
    command="resolve --jsonl",
    shown=("right", "standalone_f1", "links", "false_rewrites", "asked_when_due", "asked_needlessly", "ms_p50"),
)

if __name__ == "__main__":
    sys.exit(run(REFERENCES, __doc__ or ""))

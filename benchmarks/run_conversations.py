"""Whole conversations over documents, without a chat model: ``python -m benchmarks.run_conversations FOLDER``.

FOLDER holds ``score_conversations.py`` and ``conversations/<set>/`` with ``docs/`` and ``conversations.jsonl``;
without it the script says so and ends with 0.  Prints a row a set and ends with 1 where a figure is below its floor in
``floors.toml``.
"""

from __future__ import annotations

import os
import sys

from benchmarks.scoring import Benchmark, run

CONVERSATIONS = Benchmark(
    name="conversations",
    scorer="score_conversations.py",
    cases="conversations/*",
    command="replay --documents {documents}",
    shown=(
        "right",
        "recall_at_5",
        "cited",
        "lang_right",
        "clarify_right",
        "no_answer_right",
        "cross_lingual_right",
        "ms_before_answer_p50",
    ),
)

if __name__ == "__main__":
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "REFERENT_OPENAI_API_KEY", "REFERENT_OPENAI_BASE_URL"):
        os.environ.pop(name, None)  # these figures are those without a chat model
    sys.exit(run(CONVERSATIONS, __doc__ or ""))

"""How far the rule of identity is right: precision and recall on pairs of names in four languages.

    python -m benchmarks.merge_rule [--wrong]

The pairs are in ``benchmarks/names``, a file a language, half of them one thing under two names, half two things.
``merged`` counts what is joined without asking (the same, or a short name of its only bearer), ``offered`` that and
what is proposed to the person.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from memory.knowledge.identity import Verdict, compare

FOLDER = Path(__file__).parent / "names"
FLOORS = Path(__file__).parent / "floors.toml"


@dataclass(frozen=True, slots=True)
class Pair:
    first: str
    second: str
    types: tuple[str, str]
    same: bool
    language: str


def read_pairs(folder: Path = FOLDER) -> Iterator[Pair]:
    """Yield the pairs of all files of *folder*."""
    for path in sorted(folder.glob("*.txt")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.strip() and not line.startswith("#"):
                first, second, types, label = (part.strip() for part in line.split(" | "))
                one, _, other = types.partition("/")
                yield Pair(first, second, (one, other or one), {"same": True, "apart": False}[label], path.stem)


def figures(judged: Iterable[tuple[Pair, Verdict]]) -> dict[str, float]:
    """Return precision and recall of what is merged and of what is offered."""
    pairs = list(judged)
    found: dict[str, float] = {"pairs": len(pairs)}
    for name, counted in (("merged", ("same", "short")), ("offered", ("same", "short", "proposed"))):
        taken = [pair.same for pair, verdict in pairs if verdict in counted]
        found[f"{name}_precision"] = sum(taken) / len(taken) if taken else 0.0
        found[f"{name}_recall"] = sum(taken) / max(sum(pair.same for pair, _ in pairs), 1)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wrong", action="store_true", help="list the pairs that are judged wrongly")
    given = parser.parse_args()
    judged = [(pair, compare(pair.first, pair.second, types=pair.types)) for pair in read_pairs()]
    floors = tomllib.loads(FLOORS.read_text(encoding="utf-8")).get("merge_rule", {})
    names = ("pairs", "merged_precision", "merged_recall", "offered_precision", "offered_recall")
    print("| set |", " | ".join(names), "|")
    below = []
    for language in (*sorted({pair.language for pair, _ in judged}), "all"):
        of = figures([(pair, verdict) for pair, verdict in judged if language in (pair.language, "all")])
        print(
            f"| {language} |",
            " | ".join(f"{of[name]:.3f}" if name != "pairs" else f"{of[name]:.0f}" for name in names),
            "|",
        )
        if language == "all":
            below = [f"{name}: {of[name]:.3f}, at least {least}" for name, least in floors.items() if of[name] < least]
    if given.wrong:
        for pair, verdict in judged:
            if (verdict == "apart") == pair.same:
                print(f"{pair.language}  {pair.first} | {pair.second}: {verdict}, {'same' if pair.same else 'apart'}")
    for line in below:
        print("below its floor:", line)
    return 1 if below else 0


if __name__ == "__main__":
    sys.exit(main())

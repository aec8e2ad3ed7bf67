"""Which sentence, row or line answers: the share of questions answered from the right one, without a chat model.

usage: python -m benchmarks.answer_units FOLDER [--show]

FOLDER has sets as benchmarks/answering/README.md describes them: documents with questions, the text that answers each,
or none.  Each set is read into an index of its own; each question is one turn of a conversation of its own.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from languages import fold, words
from memory import Discourse
from memory.store.conversations import Conversations
from memory.store.database import open_database
from memory.types import Embedder
from rag.build import limits
from rag.events import Turn
from rag.limits import Models
from rag.loading import lazy_embedder, lazy_scorer, lazy_selector
from rag.pipeline import Pipeline
from rag.settings import Settings
from rag.shelf.owners import Owner
from rag.shelf.shelf import Library

SAME = 0.6  # share of the words of the shorter of two texts that the other has


@dataclass(frozen=True, slots=True)
class Judged:
    """One question: its language and kind, whether it was answered, and right; whether any citation was right."""

    language: str
    kind: str
    answered: bool
    right: bool
    among: bool
    found: bool


def main() -> None:
    """Judge every question of every set and print the shares a language and kind."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", nargs="*", default=["*"], help="which sets, as patterns of their ids")
    parser.add_argument("--show", action="store_true", help="print what went wrong")
    given = parser.parse_args()
    settings = Settings()
    embedder = lazy_embedder(settings)
    judged: list[Judged] = []
    for data in read_sets(given.folder, given.only):
        judged += judge_set(data, embedder, settings, show=given.show)
    report(judged)


def read_sets(folder: Path, patterns: Sequence[str]) -> Iterator[Mapping[str, Any]]:
    """Yield the sets of all languages whose ids match one of *patterns*."""
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            data = json.loads(line)
            if any(fnmatch(data["id"], pattern) for pattern in patterns):
                yield data


def judge_set(data: Mapping[str, Any], embedder: Embedder, settings: Settings, *, show: bool) -> Iterator[Judged]:
    """Yield the judgement of each question of one set."""
    with tempfile.TemporaryDirectory() as place:
        home = Path(place)
        (home / "docs").mkdir()
        for document in data["documents"]:
            (home / "docs" / document["name"]).write_text(document["text"], encoding="utf-8")
        database = open_database(home / "data")
        library = Library(database, embedder, home / "data")
        for outcome in library.ingest([home / "docs"], Owner("shelf", "shared")):
            assert outcome.status == "added", outcome
        conversations = Conversations(database)
        pipeline = Pipeline(
            conversations,
            library,
            embedder=embedder,
            limits=limits(settings.model_copy(update={"shelves": ("shared",)})),
            models=Models(scorer=lazy_scorer(settings, embedder), selector=lazy_selector(settings, embedder)),
        )
        for number, (question, language) in enumerate(questions(data)):
            id_ = conversations.create("local", language=language)
            turn = pipeline.turn(
                question["q"], Discourse(), user="local", conversation=id_, turn_id=f"t{number}", lang=None
            )
            yield judge(question, turn, data["lang"], language, show=show)
        library.close()
        database.close()


def questions(data: Mapping[str, Any]) -> Iterator[tuple[Mapping[str, Any], str]]:
    """Yield each question with its language; those in another language than the documents' as well."""
    for question in data["questions"]:
        yield question, data["lang"]
        for language, text in question.get("other", {}).items():
            yield {**question, "q": text}, language


def judge(question: Mapping[str, Any], turn: Turn, documents: str, language: str, *, show: bool) -> Judged:
    answer = turn.answer
    answered = answer is not None and answer.answered
    quotes = [citation.quote for citation in answer.citations] if answer is not None and answered else []
    gold = [*question["gold"], *question.get("alt", [])]
    among = any(same(quote, text) for quote in quotes for text in gold)
    right = not answered if not gold else bool(quotes) and any(same(quotes[0], text) for text in gold)
    found = any(same(text, hit.passage.text, within=True) for text in gold for hit in turn.hits)
    kind = question["kind"] if gold else "none"
    if show and not right:
        said = answer.text if answer else turn.clarification
        print(f"{language} {kind} {question['q']}\n    gold {gold[:1]} found {found}\n    said {said}")
    return Judged(language if language == documents else f"{language}x", kind, answered, right, among, found)


def same(quote: str, text: str, *, within: bool = False) -> bool:
    """Return whether two texts have most of their words in common; *within* a longer one, all of the first's."""
    one, other = ({fold(token.text) for token in words(each)} for each in (quote, text))
    shorter = len(one) if within else min(len(one), len(other))
    return bool(shorter) and len(one & other) / shorter >= (0.85 if within else SAME)


def report(judged: Sequence[Judged]) -> None:
    """Print the shares."""
    for name in sorted({each.language for each in judged}):
        print(name, shares([each for each in judged if each.language == name]))
    print("all", shares(judged))
    kinds = Counter(each.kind for each in judged)
    for kind, count in kinds.most_common():
        part = [each for each in judged if each.kind == kind]
        print(f"  {kind:12} {count:4} right {sum(each.right for each in part) / count:.3f}")


def shares(judged: Sequence[Judged]) -> str:
    """Return the shares of one group as a line."""
    given = [each for each in judged if each.kind != "none"]
    none = [each for each in judged if each.kind == "none"]

    def share(part: Sequence[Judged], name: str) -> str:
        return f"{name} {sum(getattr(each, name) for each in part) / max(1, len(part)):.3f}"

    refused = sum(not each.answered for each in none) / max(1, len(none))
    of_given = " ".join(share(given, name) for name in ("right", "among", "answered", "found"))
    return f"n {len(given)}: {of_given} | none {len(none)}: refused {refused:.3f}"


if __name__ == "__main__":
    main()

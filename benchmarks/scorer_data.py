"""Cases of reference resolution as examples to fit the learned scorer on.

An example says where in the history its references stand, which words of the question refer, and where something is
left out.  Besides the cases themselves there are the good rewrites in their questions' places (complete, so unchanged),
complete questions after another conversation (a new topic), and cases after another conversation's messages (the
antecedent is not the first).
"""

from __future__ import annotations

import difflib
import json
import random
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from languages.text import fold, fold_map
from memory.types import Role
from rag.scorer.text import STATUSES

AMBIGUOUS = 2
_WORD = re.compile(r"\w+")
_ARTICLE = re.compile(
    r"^(?:the|an?|le|la|les|une?|des|du|der|die|das|den|dem|ein|eine[nmr]?|mon|ma|mes|meine?|my|l['’])\s*",
    re.IGNORECASE,
)
Place = tuple[int, int, int]  # message, start, end


@dataclass(frozen=True, slots=True)
class Reference:
    """One reference: where it stands in the question (None where it is left out), and where its entities stand."""

    anchor: tuple[int, int] | None
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Example:
    """One question to fit on.  ``status`` is -1 where only the catalogue could tell it."""

    id: str
    language: str
    question: str
    history: tuple[tuple[Role, str], ...]
    status: int
    references: tuple[Reference, ...] = ()
    omitted: int | None = None  # the offset at which a good rewrite writes in what is left out
    rewrites: tuple[str, ...] = ()
    anchored: bool = True  # False where it is not known which words refer


def read_lines(path: Path) -> list[dict[str, Any]]:
    """Return the JSON objects of *path*, a line each; none where there is no such file."""
    if not path.is_file():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def example(case: Mapping[str, Any]) -> Example:
    """Return a case with references (the format of the project's own cases) as an example."""
    history = tuple((m["role"], m["text"]) for m in case["history"] if m["text"].strip())
    references, names, at = [], [], 0
    for reference in case["references"]:
        places = [p for entity in reference["entities"] for p in entity_places(history, entity, case.get("catalog"))]
        anchor = None
        if reference["text"]:
            start = max(case["question"].find(reference["text"], at), case["question"].find(reference["text"]))
            anchor = (start, start + len(reference["text"])) if start >= 0 else None
            at = anchor[1] if anchor else at
        else:
            names += reference["entities"]
        references.append(Reference(anchor, tuple(places)))
    status = STATUSES.index(case["status"])
    rewrites = tuple(case["standalone"]) if status == 0 else ()
    offsets = [insertion(case["question"], rewrite, names) for rewrite in rewrites] if names else []
    known = any(reference.places for reference in references)
    return Example(
        str(case["id"]), case["lang"], case["question"], history, status if status != AMBIGUOUS or known else -1,
        tuple(references), next((o for o in offsets if o is not None), None), rewrites,
    )  # fmt: skip


def rewritten(case: Mapping[str, Any]) -> Example:
    """Return a public case, which has a human rewrite and the entity that it names, as an example."""
    history = tuple((m["role"], m["text"]) for m in case["history"] if m["text"].strip())
    names = case.get("gold_entities") or ([case["gold_entity"]] if case.get("gold_entity") else [])
    question, rewrite = case["question"], case.get("gold_rewrite") or ""
    spans, said = _words(question), [fold(word) for word in _WORD.findall(rewrite)]
    matcher = difflib.SequenceMatcher(None, [word for *_, word in spans], said, autojunk=False)
    replaced = [(a, b) for kind, a, b, _, _ in matcher.get_opcodes() if kind == "replace"]
    short = len(replaced) == 1 and replaced[0][1] - replaced[0][0] <= 2
    anchor = (spans[replaced[0][0]][0], spans[replaced[0][1] - 1][1]) if rewrite and short else None
    places = tuple(p for name in names for p in entity_places(history, name, None))
    return Example(
        case["id"], case.get("lang", "en"), question, history, 0, (Reference(anchor, places),),
        None if anchor else insertion(question, rewrite, names), (rewrite,) if rewrite else (), anchor is not None,
    )  # fmt: skip


def entity_places(
    history: Sequence[tuple[Role, str]], name: str, catalog: Iterable[Mapping[str, Any]] | None
) -> list[Place]:
    """Return where *name*, an alias, the name without its article, or else its longest part stands in *history*."""
    aliases = [a for n in catalog or () if fold(n["name"]) == fold(name) for a in n.get("aliases") or ()]
    words = [word for word in _WORD.findall(name) if len(word) > 2]
    parts = [" ".join(words[i : i + k]) for k in range(len(words) - 1, 0, -1) for i in range(len(words) - k + 1)]
    for forms in ([name, *aliases], [_ARTICLE.sub("", name)], *([part] for part in parts)):
        found = _places(history, forms)
        if found:
            return found
    return []


def _places(history: Sequence[tuple[Role, str]], forms: Sequence[str]) -> list[Place]:
    found = [
        (index, *folded.original_span(match.start(), match.end()))
        for index, (_, text) in enumerate(history)
        for folded in (fold_map(text),)
        for form in forms
        if fold(form).strip()
        for match in re.finditer(_pattern(fold(form).strip()), folded.text)
    ]
    kept: list[Place] = []
    for place in sorted(found, key=lambda p: (p[0], p[1] - p[2])):
        if not any(k[0] == place[0] and k[1] < place[2] and place[1] < k[2] for k in kept):
            kept.append(place)
    return kept


def _pattern(form: str) -> str:
    arabic = "\u0600" <= form[0] <= "\u06ff"  # what is written onto the word does not hide it
    return re.escape(form) if arabic else rf"(?<!\w){re.escape(form)}"


def _words(text: str) -> list[tuple[int, int, str]]:
    return [(match.start(), match.end(), fold(match.group())) for match in _WORD.finditer(text)]


def insertion(question: str, rewrite: str, names: Sequence[str]) -> int | None:
    """Return the offset in *question* at which *rewrite* writes in one of *names*; None where it is not one place."""
    spans = _words(question)
    said = [fold(word) for word in _WORD.findall(rewrite)]
    wanted = {word for name in names for word in _WORD.findall(fold(name))}
    matcher = difflib.SequenceMatcher(None, [word for *_, word in spans], said, autojunk=False)
    for kind, start, _, first, last in matcher.get_opcodes():
        if kind == "insert" and wanted & set(said[first:last]):
            return spans[start][0] if start < len(spans) else spans[-1][1] if spans else 0
    return None


def completed(examples: Iterable[Example], chance: random.Random) -> list[Example]:
    """Return the good rewrites in their questions' places: complete questions, which stay as they are."""
    return [
        _unchanged(e, chance.choice(e.rewrites), e.history)
        for e in examples
        if e.status == 0 and e.rewrites and e.history
    ]


def crossed(examples: Sequence[Example], number: int, chance: random.Random) -> list[Example]:
    """Return complete questions after another conversation of their language: a new topic."""
    found = []
    for _ in range(number):
        one = chance.choice(examples)
        question = one.question if one.status == 1 else chance.choice(one.rewrites) if one.rewrites else ""
        other = chance.choice([e for e in examples if e.language == one.language])
        if question and other.history and other is not one:
            found.append(_unchanged(one, question, other.history))
    return found


def lengthened(examples: Sequence[Example], number: int, chance: random.Random) -> list[Example]:
    """Return cases after the messages of another conversation of their language."""
    found = []
    for _ in range(number):
        one = chance.choice(examples)
        other = chance.choice([e for e in examples if e.language == one.language])
        if not one.history or not other.history or other is one or len(one.history) > 4 or one.status == 2:
            continue
        before = other.history[: len(other.history) // 2 * 2 or len(other.history)]
        moved = tuple(
            Reference(r.anchor, tuple((m + len(before), s, e) for m, s, e in r.places)) for r in one.references
        )
        found.append(replace(one, history=before + one.history, references=moved))
    return found


def misspelt(examples: Sequence[Example], number: int, chance: random.Random) -> list[Example]:
    """Return cases as typed in haste: letters swapped, no capitals, no accents; as long as before."""
    found = []
    for one in chance.sample(examples, min(number, len(examples))):
        text = one.question
        long = [match for match in _WORD.finditer(text) if len(match.group()) > 2]
        for match in chance.sample(long, min(len(long), chance.choice((1, 1, 2)))):
            at = chance.randrange(match.start(), match.end() - 1)
            text = text[:at] + text[at + 1] + text[at] + text[at + 2 :]
        if chance.random() < 0.7:
            plain = "".join(unicodedata.normalize("NFD", letter)[0] for letter in text.lower())
            text = plain if len(plain) == len(one.question) else text
        found.append(replace(one, question=text, rewrites=()))
    return found


def _unchanged(one: Example, question: str, history: tuple[tuple[Role, str], ...]) -> Example:
    return replace(
        one, question=question, history=history, status=1, references=(), omitted=None, rewrites=(), anchored=True
    )

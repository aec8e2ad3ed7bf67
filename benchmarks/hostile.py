"""Ten thousand messages that nobody means well, in conversations: what raises, and how long the slowest takes.

usage: python -m benchmarks.hostile [--messages 10000] [--only fr] [--slow 250]

A conversation begins with the names and the messages of a real case, then come a dozen messages out of all of Unicode,
of marks alone, of mixed directions, of the language's own closed classes, of 100,000 characters, or a real question
mutated; the languages take turns.  Each message is resolved as a question and observed as the person's and as an
answer.  Half of the questions have a careless scorer beside them, whose reading is chance.  What is ambiguous is asked
back, so that the next message answers it.  Message *n* is the same in every run.

Prints, for ``resolve`` and ``observe``, the count, how many raised or broke a promise, p50, p99 and the worst in
milliseconds of processor time, which other processes on the machine hardly change; ends with 1 where one raised or a
figure is above its bound in ``floors.toml``.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import sys
import time
import traceback
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

import numpy as np

from benchmarks.scoring import Benchmark, find_below, read_floors, table
from languages import codes
from languages.grammar import grammar_of
from memory import Discourse, Name, NameIndex, Pending, Reading, Resolution, Scorer, observe, replay, resolve
from memory.types import Role

LONGEST = 100_000  # characters
MESSAGES = 12  # a conversation
SHOWN = ("count", "raised", "p50_ms", "p99_ms", "worst_ms")
CASES = Path(__file__).resolve().parent.parent / "tests" / "memory" / "reference" / "cases"
# Bidirectional and invisible controls, joiners, a byte order mark, the end of a string in other languages.
CONTROLS = (
    "\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff\u00ad\0\x1b"
)
MARKS = "?!…؟،؛«»“”„‚‘’'\"()[]{}<>—–-_·.,;:/\\|*+^$#%&@~`´¨°•\u00a0\u202f\u0301\u0308\u064e\u0651\u0640"
AFFIXES = (
    "'s",
    "-le",
    "l'",
    "qu'",
    "-ci",
    "و",
    "ال",
    "ـه",
    "هما",
    "n't",
    " 2",
    " 14 Pro",
    "1.299,00 €",
    "\n",
    "\t",
    ", ",
)


@dataclass(frozen=True, slots=True)
class Case:
    """A real case: what is known, what was said, what is asked."""

    language: str
    names: tuple[Name, ...]
    history: tuple[tuple[Role, str], ...]
    question: str


@dataclass(frozen=True, slots=True)
class Hostile:
    """One message of a conversation: its number, its kind and its text."""

    number: int
    kind: str
    language: str
    text: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one message: milliseconds of either function, and what was wrong, "" where nothing was."""

    message: Hostile
    resolve_ms: float
    observe_ms: float
    wrong: str


@dataclass(frozen=True, slots=True)
class Careless:
    """A scorer whose reading is chance, of the shape that a network gives."""

    seed: int

    def read(self, question: str, history: tuple[tuple[Role, str], ...]) -> Reading:
        """Return a reading of the first tokens of the question and of the messages."""
        chance = np.random.default_rng(self.seed)
        words = [m.span() for m in re.finditer(r"\w{1,8}|[^\w\s]", question[:400])]
        places = [(n, *m.span()) for n, (_, said) in enumerate(history) for m in re.finditer(r"\w{1,8}|[^\w\s]", said)][
            -220:
        ]
        status = chance.dirichlet((0.5, 0.5, 0.5))
        return Reading(
            *map(float, status),
            referring=tuple((s, e, float(p)) for (s, e), p in zip(words, chance.random(len(words)), strict=True)),
            omitted=tuple((s, float(chance.random())) for s, _ in words[:1]),
            asks=chance.normal(0, 4, (1 + len(words), 3, 4)).astype(np.float32),
            keys=chance.normal(0, 4, (1 + len(places), 3, 4)).astype(np.float32),
            places=tuple(places),
        )


def main() -> int:
    """Measure, print the table, return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", type=int, default=10_000)
    parser.add_argument("--only", choices=codes(), help="one language")
    parser.add_argument("--slow", type=float, default=250, help="milliseconds from which a message is shown")
    given = parser.parse_args()
    for code in codes():
        resolve("?", Discourse(), catalog=NameIndex.of(()), language=code)  # lexicons and grammars are read once
    outcomes: list[Outcome] = []
    for outcome in run(given.messages, (given.only,) if given.only else codes()):
        outcomes.append(outcome)
        slowest = max(outcome.resolve_ms, outcome.observe_ms)
        if outcome.wrong or slowest > given.slow:
            message = outcome.message
            said = f"{message.number} ({message.language}, {message.kind}, {len(message.text)} characters)"
            print(f"{said}: {outcome.wrong or f'{slowest:.0f} ms'}", file=sys.stderr)
    figures = as_figures(outcomes)
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(table(Benchmark("hostile", "", "", "", SHOWN), figures))
    below = find_below(figures, read_floors("hostile"))
    for line in below:
        print(line, file=sys.stderr)
    return 1 if below else 0


def run(count: int, languages: Sequence[str]) -> Iterator[Outcome]:
    """Yield what became of each of the first *count* messages."""
    for first in range(0, count, MESSAGES):
        language = languages[first // MESSAGES % len(languages)]
        yield from converse(language, first, min(MESSAGES, count - first))


def converse(language: str, first: int, count: int) -> Iterator[Outcome]:
    """Yield what became of *count* messages from number *first* on, in one conversation."""
    cases = real_cases(language)
    case = random.Random(f"case {first}").choice(cases)
    catalog = NameIndex.of(case.names)
    discourse = Discourse()
    for role, said in case.history:
        discourse = observe(discourse, role, said, language=language, catalogs=(catalog,), asked="")
    for number in range(first, first + count):
        message = invent(number, language)
        scorer = Careless(number) if number % 2 else None
        outcome, discourse = say(message, discourse, catalog, scorer)
        yield outcome


def say(message: Hostile, discourse: Discourse, catalog: NameIndex, scorer: Scorer | None) -> tuple[Outcome, Discourse]:
    """Return what became of *message* and the discourse after it, as it was before where something raised."""
    text, language = message.text, message.language
    began = middle = time.thread_time()
    try:
        found = resolve(text, discourse, catalog=catalog, language=language, scorer=scorer)
        middle = time.thread_time()
        after = observe(discourse, "user", text, language=language, catalogs=(catalog,), asked=found.standalone)
        after = observe(after, "assistant", text, language=language, catalogs=(catalog,))
        ended = time.thread_time()
        if found.status == "ambiguous":
            after = replace(after, pending=asked_back(found))
        wrong = lost(text, found, after)
    except Exception:  # noqa: BLE001  # whatever it is: that is what is looked for
        return Outcome(message, 0.0, 0.0, traceback.format_exc()), discourse
    return Outcome(message, (middle - began) * 1000, (ended - middle) * 1000 / 2, wrong), after


def asked_back(found: Resolution) -> Pending:
    """Return the question back that an ambiguous question gets."""
    start = max(0, found.question.find(found.expression))
    options = tuple(candidate.name for candidate in found.candidates)
    return Pending(found.question, start, start + len(found.expression), options)


def lost(text: str, found: Resolution, after: Discourse) -> str:
    """Return which promise of the two functions was broken, "" where none was."""
    if replay(text, found.links) != found.standalone:
        return "replay gives another question"
    if not all(0 <= link.start <= link.end <= len(text) for link in found.links):
        return "an edit lies outside of the question"
    if any(text[slice(*link.anchor)] != link.text for link in found.links):
        return "a link does not stand where it says"
    if found.status == "ambiguous" and not (2 <= len(found.candidates) <= 4 and found.standalone == text):
        return "ambiguous between other than two to four"
    stored = after.to_json()
    if Discourse.from_json(stored) != after:
        return "the discourse is another one once it was stored"
    stored = replace(after, pending=None).to_json()  # the question that waits is kept whole
    return "" if len(stored) < LONGEST else f"the discourse has {len(stored)} characters"


def as_figures(outcomes: Sequence[Outcome]) -> dict[str, dict[str, float]]:
    """Return the rows, one a function and one for all."""
    rows = {"resolve": [o.resolve_ms for o in outcomes], "observe": [o.observe_ms for o in outcomes]}
    raised = sum(bool(outcome.wrong) for outcome in outcomes)
    return {name: {"count": len(times), "raised": raised, **quantiles(times)} for name, times in rows.items()}


def quantiles(times: Sequence[float]) -> dict[str, float]:
    """Return median, 99th percentile and the worst.

    >>> quantiles([float(n) for n in range(1, 101)])
    {'p50_ms': 50.0, 'p99_ms': 99.0, 'worst_ms': 100.0}
    """
    ordered = sorted(times)
    return {
        "p50_ms": ordered[(len(times) - 1) // 2],
        "p99_ms": ordered[int(0.99 * (len(times) - 1))],
        "worst_ms": ordered[-1],
    }


# ---------------------------------------------------------------- the messages
@lru_cache(maxsize=8)
def real_cases(language: str) -> tuple[Case, ...]:
    """Return the cases of resolution in that language."""
    found = []
    for line in (CASES / f"{language}.jsonl").read_text(encoding="utf-8").splitlines():
        data = json.loads(line)
        names = tuple(Name(e["name"], e.get("type", "OTHER"), tuple(e.get("aliases", ()))) for e in data["catalog"])
        history = tuple((message["role"], message["text"]) for message in data["history"])
        found.append(Case(language, names, history, data["question"]))
    return tuple(found)


@lru_cache(maxsize=8)
def closed_class(language: str) -> tuple[str, ...]:
    """Return the words that the rules look for in that language."""
    grammar = grammar_of(language)
    forms = [form for pronoun in grammar.pronouns for form in pronoun.forms]
    forms += [form for determiner in grammar.determiners for form in determiner.forms]
    forms += [form for comparison in grammar.comparisons for form in comparison.forms]
    lists = ("conjunctions", "disjunctions", "prepositions", "ones", "others", "formers", "latters", "question_words")
    forms += [form for name in lists for form in getattr(grammar, name)]
    return (*forms, *grammar.ordinals, *grammar.boths)


def invent(number: int, language: str) -> Hostile:
    """Return the message of that number."""
    chance = random.Random(f"message {number}")
    kind = chance.choices(list(KINDS), weights=[weight for weight, _ in KINDS.values()])[0]
    return Hostile(number, kind, language, KINDS[kind][1](chance, language)[:LONGEST])


def anything(chance: random.Random, _: str) -> str:
    """Return code points out of all of Unicode, halves of characters too, or out of one block."""
    size = chance.choice((1, 10, 100, 1000, 5000))
    low = chance.choice((0, chance.randrange(0x3000)))
    high = 0x110000 if low == 0 else low + 0x80
    return "".join(map(chr, chance.choices(range(low, high), k=size)))


def only_marks(chance: random.Random, _: str) -> str:
    """Return marks, many of one or some of each."""
    marks = chance.choice((MARKS, MARKS + CONTROLS, chance.choice(MARKS), "".join(chance.sample(MARKS, 3))))
    return "".join(chance.choices(marks, k=chance.choice((1, 5, 80, 3000, 9000))))


def runs(chance: random.Random, language: str) -> str:
    """Return long runs of what expressions repeat: blanks, digits, marks of lists and tables, one letter, one word."""
    word = chance.choice(closed_class(language))
    parts = (
        " ",
        "\t",
        "\n",
        "|",
        "-",
        ".",
        ",",
        "'",
        '"',
        "0",
        "a",
        "ا",
        "\u0301",
        "\u00a0",
        "1.",
        "a ",
        ", ",
        word,
        f"{word} ",
    )
    pieces = [chance.choice(parts) * chance.choice((1, 2, 30, 300, 3000)) for _ in range(chance.randrange(2, 12))]
    return "".join(pieces)


def mixed_directions(chance: random.Random, _: str) -> str:
    """Return words of all languages in a row, with controls of direction between and within them."""
    words = [word for code in codes() for word in chance.choice(real_cases(code)).question.split()]
    chance.shuffle(words)
    return "".join(word + chance.choice((" ", " ", "", chance.choice(CONTROLS))) for word in words)


def closed_words(chance: random.Random, language: str) -> str:
    """Return words that the rules look for, in no order, with names that are known between them."""
    case = chance.choice(real_cases(language))
    named = [name.name for name in case.names] or ["Velda 12"]
    words = chance.choices(closed_class(language), k=chance.choice((2, 5, 20, 200, 1500)))
    chosen = [chance.choice(named) if chance.random() < 0.2 else word for word in words]
    return chance.choice((" ", " ", ", ", "-", "'")).join(chosen)


def mutated(chance: random.Random, language: str) -> str:
    """Return a real question, also of another language, with a few mutations."""
    source = language if chance.random() < 0.8 else chance.choice(codes())
    text = chance.choice(real_cases(source)).question
    for _ in range(chance.randrange(1, 8)):
        text = chance.choice(MUTATIONS)(chance, text)[:LONGEST]
    return text


def long_text(chance: random.Random, language: str) -> str:
    """Return 100,000 characters of one thing over and over, or of many."""
    case = chance.choice(real_cases(language))
    ways: tuple[Callable[[], str], ...] = (
        lambda: case.question,
        lambda: case.question.replace(" ", ""),
        lambda: chance.choice(case.question or "a"),
        lambda: chance.choice(closed_class(language)) + chance.choice((" ", "", "-", ", ", "\n")),
        lambda: chance.choice([name.name for name in case.names] or ["Velda"]) + chance.choice((" ", ", ", "")),
        lambda: only_marks(chance, language),
        lambda: anything(chance, language),
        lambda: closed_words(chance, language),
        lambda: " ".join(chance.sample([c.question for c in real_cases(language)], 40)) + " ",
        lambda: str(chance.randrange(10**6)) + chance.choice((" ", ".", ",", "")),
    )
    part = chance.choice(ways)() or "a"
    return part * (LONGEST // len(part) + 1)


KINDS: Mapping[str, tuple[int, Callable[[random.Random, str], str]]] = MappingProxyType(
    {
        "mutated": (35, mutated),
        "closed words": (15, closed_words),
        "mixed directions": (10, mixed_directions),
        "anything": (10, anything),
        "only marks": (10, only_marks),
        "runs": (10, runs),
        "long": (10, long_text),
    }
)


def _cut(chance: random.Random, text: str) -> tuple[int, int]:
    start = chance.randrange(len(text) + 1)
    return start, min(len(text), start + chance.choice((1, 1, 2, 10)))


def _drop(chance: random.Random, text: str) -> str:
    start, end = _cut(chance, text)
    return text[:start] + text[end:]


def _double(chance: random.Random, text: str) -> str:
    start, end = _cut(chance, text)
    return text[:start] + text[start:end] * chance.choice((2, 3, 50)) + text[end:]


def _insert(chance: random.Random, text: str) -> str:
    at = chance.randrange(len(text) + 1)
    return text[:at] + chance.choice((*AFFIXES, *CONTROLS, *MARKS)) + text[at:]


def _reorder(chance: random.Random, text: str) -> str:
    words = text.split()
    chance.shuffle(words)
    return " ".join(words)


def _recast(chance: random.Random, text: str) -> str:
    ways = (str.upper, str.lower, str.swapcase, str.title, lambda t: t[::-1], lambda t: t.replace(" ", ""))
    return chance.choice(ways)(text)


def _normalise(chance: random.Random, text: str) -> str:
    form = chance.choice(("NFD", "NFC", "NFKD", "NFKC"))
    return unicodedata.normalize(form, text)  # type: ignore[arg-type]  # one of four literals


def _splice(chance: random.Random, text: str) -> str:
    other = chance.choice(real_cases(chance.choice(codes()))).question
    return text[: chance.randrange(len(text) + 1)] + other[chance.randrange(len(other) + 1) :]


def _pose(chance: random.Random, text: str) -> str:
    """Put letters in the place of those that look alike."""
    alike = {"a": "а", "e": "е", "o": "ο", "i": "ı", "ي": "ی", "ك": "ک", "ه": "ة"}
    return "".join(alike.get(c, c) if chance.random() < 0.5 else c for c in text)


MUTATIONS = (_drop, _drop, _double, _insert, _insert, _reorder, _recast, _normalise, _splice, _pose)


if __name__ == "__main__":
    sys.exit(main())

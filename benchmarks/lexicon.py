"""What the lexicons cost and how far they reach: load time, memory, look-up time, and coverage.

    python -m benchmarks.lexicon                    the words of the demonstration corpora
    python -m benchmarks.lexicon --treebanks DIR    also genders, numbers and parts of speech against the CoNLL-U files
                                                    of a folder (Universal Dependencies, not part of this project)

Exits 1 where a figure is below its floor.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
CODES = ("en", "fr", "de", "ar")
LOAD_CEILING = 0.5  # CPU seconds
KNOWN_FLOOR = 0.75  # share of the corpora's words that have a part of speech
GENDER_FLOORS = {"fr": 0.96, "de": 0.96, "ar": 0.92}

# Run apart for each language, so that one does not pay for another.
PROBE = """
import json, sys, time, tracemalloc
from languages.lexicon import lexicon
start = time.process_time()
words = lexicon(sys.argv[1])
loaded = time.process_time() - start
lexicon.cache_clear()
tracemalloc.start()
words = lexicon(sys.argv[1])
kept = tracemalloc.get_traced_memory()[0]
print(json.dumps({"load": loaded, "mib": kept / 2**20, "forms": sum(len(table.lines) for table in words.tables)}))
"""

UNIVERSAL = {"NOUN": "noun", "VERB": "verb", "ADJ": "adj", "ADV": "adv"}
GENDERS = {"Masc": "m", "Fem": "f", "Neut": "n"}
NUMBERS = {"Sing": "s", "Plur": "p"}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--treebanks", type=Path, help="a folder of CoNLL-U files named <code>_*.conllu")
    treebanks = parser.parse_args().treebanks
    failed = [*costs(), *coverage()]
    if treebanks:
        failed += against(treebanks)
    for line in failed:
        print("below its floor:", line)
    return 1 if failed else 0


def costs() -> list[str]:
    failed = []
    print("language   forms   CPU s    MiB   µs a look-up   senses")
    for code in CODES:
        done = subprocess.run([sys.executable, "-c", PROBE, code], cwd=ROOT, capture_output=True, text=True, check=True)
        figures = json.loads(done.stdout)
        words = sorted({word for text in corpus(code) for word in words_of(text)})[:2000]
        lexicon = load(code)
        start = time.perf_counter()
        for word in words:
            lexicon.parts(word)
            lexicon.genders(word)
        each = (time.perf_counter() - start) / max(1, 2 * len(words)) * 1e6
        row = f"{code:8} {figures['forms']:8} {figures['load']:8.3f} {figures['mib']:5.0f} {each:14.0f}"
        print(row, f"{len(lexicon.senses):8}")
        if figures["load"] > LOAD_CEILING:
            failed.append(f"{code} loads in {figures['load']:.2f} s, at most {LOAD_CEILING}")
    return failed


def coverage() -> list[str]:
    failed = []
    print("\nlanguage   words   known   the commonest unknown")
    for code in CODES:
        lexicon = load(code)
        counts = Counter(word for text in corpus(code) for word in words_of(text) if word.isalpha())
        unknown = Counter({word: n for word, n in counts.items() if not lexicon.parts(word)})
        share = 1 - len(unknown) / max(1, len(counts))
        print(f"{code:8} {len(counts):7} {share:7.3f}   {' '.join(word for word, _ in unknown.most_common(12))}")
        if counts and share < KNOWN_FLOOR:
            failed.append(f"{code} knows {share:.3f} of the corpora's words, at least {KNOWN_FLOOR}")
    return failed


def against(folder: Path) -> list[str]:
    failed = []
    print("\nlanguage   nouns   gender known   right   number right   part of speech known   right")
    for code in CODES:
        lexicon = load(code)
        nouns = known = right = numbers = numbers_right = words = parts_known = parts_right = 0
        wrong: Counter[str] = Counter()
        for form, part, features in tokens(folder, code):
            if part not in UNIVERSAL:
                continue
            words += 1
            found = lexicon.parts(form)
            parts_known += bool(found)
            parts_right += UNIVERSAL[part] in found
            if part == "NOUN":
                nouns += 1
                gender, number = GENDERS.get(features.get("Gender", "")), NUMBERS.get(features.get("Number", ""))
                genders = lexicon.genders(form)
                if gender and genders:
                    known += 1
                    # The plural of things agrees as a feminine where the language has it so.
                    fits = gender in genders or (number == "p" and lexicon.rules.things_plural in genders)
                    right += fits
                    if not fits:
                        wrong[form] += 1
                if number and lexicon.numbers(form):
                    numbers += 1
                    numbers_right += number in lexicon.numbers(form)
        if words:
            accuracy = right / max(1, known)
            row = f"{code:8} {nouns:7} {known / max(1, nouns):14.3f} {accuracy:7.3f}"
            row += f" {numbers_right / max(1, numbers):14.3f} {parts_known / words:22.3f}"
            print(row, f"{parts_right / max(1, parts_known):7.3f}  ", *(word for word, _ in wrong.most_common(12)))
            if known and accuracy < GENDER_FLOORS[code]:
                failed.append(f"{code} has {accuracy:.3f} of the genders right, at least {GENDER_FLOORS[code]}")
    return failed


def load(code: str):  # type: ignore[no-untyped-def]
    from languages.lexicon import lexicon

    return lexicon(code)


def corpus(code: str) -> Iterator[str]:
    for path in sorted((ROOT / "data" / "demo" / code).rglob("*")):
        if path.suffix in (".md", ".txt", ".csv"):
            yield path.read_text(encoding="utf-8")


def words_of(text: str) -> Iterator[str]:
    from languages.text import words

    for token in words(text):
        yield token.text


def tokens(folder: Path, code: str) -> Iterator[tuple[str, str, dict[str, str]]]:
    for path in sorted(folder.glob(f"{code}_*.conllu")):
        for line in path.read_text(encoding="utf-8").splitlines():
            cells = line.split("\t")
            if len(cells) == 10 and cells[0].isdigit():
                features = dict(pair.split("=", 1) for pair in cells[5].split("|") if "=" in pair)
                yield cells[1], cells[3], features


if __name__ == "__main__":
    sys.exit(main())

"""German word forms: nouns from german-nouns (CC BY-SA 4.0, of Wiktionary), verbs and adjectives from hand lists."""

from __future__ import annotations

import csv
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from languages.wordforms import Entry, Features

_GENDERS = {"m": Features.MASCULINE, "f": Features.FEMININE, "n": Features.NEUTER}
_NAMES = frozenset(["Vorname", "Nachname", "Toponym", "Eigenname", "Straßenname"])
_SKIPPED = frozenset(["Affix", "Suffix", "Buchstabe", "Symbol", "Redewendung", "Gebundenes Lexem", "Wortverbindung"])
_INFINITIVE = re.compile(r"[a-zäöüß]{2,}(?:en|ern|eln)")
_SEPARABLE = tuple(
    (
        "zurück zusammen weiter wieder heraus herein hinaus hinein herunter hinunter vorbei fest statt nach auf aus "
        "ein mit vor her hin los weg ab an bei zu"
    ).split()
)
_INSEPARABLE = tuple("be ge er ver zer ent emp miss über unter hinter wider um durch".split())
_UMLAUTS = str.maketrans("äöü", "aou")


def german_nouns(file: Path, words: Path) -> Iterator[Entry]:
    """Yield the forms of ``nouns.csv`` with the genders and numbers of their nouns, and the verbs made into nouns.

    Words of the grammar and the adverbs of *words* are no nouns here ("das Aber").
    """
    data = tomllib.loads(words.read_text(encoding="utf-8"))
    grammatical = {*str(data["adverbs"]).split(), *str(data["grammar"]).split()}
    with file.open(encoding="utf-8", newline="") as handle:
        rows = [
            row
            for row in csv.DictReader(handle)
            if not _SKIPPED & set(row["pos"].split(",")) and row["lemma"].lower() not in grammatical
        ]
    yield from _verbs_in(
        rows, {line.split()[0].replace("|", ""): line for line in str(data["strong"]).strip().splitlines()}
    )
    masculine = {row["lemma"].lower() for row in rows if "m" in _genders_of(row)}
    for row in rows:
        parts = set(row["pos"].split(","))
        lemma, genders = row["lemma"], _genders_of(row)
        features = Features.NAME if parts & _NAMES else Features.NOUN
        if "Eigenname" in parts:
            features |= Features.NOUN
        for gender in genders:
            features |= _GENDERS[gender]
        if features & Features.NOUN and (_has_masculine(lemma, masculine) or "adjektivische Deklination" in parts):
            features |= Features.PERSON
        if row["nominativ singular"] or not row["nominativ plural"]:
            yield lemma, features | Features.SINGULAR
        for column, cell in row.items():
            number = Features.PLURAL if "plural" in column else Features.SINGULAR if "singular" in column else None
            # The dative of "im Jahre" is rare, and "dem Rate" would make "die Rate" masculine.
            old = column.startswith("dativ singular") and cell == lemma + "e"
            if number and cell and " " not in cell and not old and cell.lower() not in grammatical:
                yield cell, features | number
    # The masculine of a pair names people too: Ärztin tells it of Arzt.
    for row in rows:
        base = _masculine_of(row["lemma"], masculine)
        if base and "f" in _genders_of(row):
            yield base, Features.NOUN | Features.PERSON


def _verbs_in(rows: list[dict[str, str]], strong: dict[str, str]) -> Iterator[Entry]:
    """Yield the forms of the verbs whose infinitive is listed as a noun: "das Verfolgen", neuter, without a plural."""
    for row in rows:
        verb = row["lemma"].lower()
        if _genders_of(row) != {"n"} or any(row[column] for column in row if "plural" in column):
            continue
        if not _INFINITIVE.fullmatch(verb) or row["genitiv singular"].lower() != verb + "s":
            continue
        prefix = next((each for each in _SEPARABLE if verb.startswith(each) and len(verb) > len(each) + 4), "")
        base = verb[len(prefix) :]
        inseparable = next((each for each in _INSEPARABLE if base.startswith(each) and len(base) > len(each) + 3), "")
        if base in strong:
            written, third, past, participle = strong[base].split()
            if "|" not in written:
                yield from _strong([f"{prefix}|{base}" if prefix else base, third, past, prefix + participle])
        elif base[len(inseparable) :] not in strong:
            dotted = f"{inseparable}.{base[len(inseparable) :]}" if inseparable else base
            yield from _weak(f"{prefix}|{dotted}" if prefix else dotted)
        else:
            yield verb, Features.VERB | Features.INFINITIVE


def german_words(file: Path) -> Iterator[Entry]:
    """Yield the forms of the verbs and adjectives that ``words.toml`` lists."""
    data = tomllib.loads(file.read_text(encoding="utf-8"))
    for verb in str(data["weak"]).split():
        yield from _weak(verb)
    for line in str(data["strong"]).strip().splitlines():
        yield from _strong(line.split())
    for features, forms in data["irregular"].items():
        for form in str(forms).split():
            yield form, Features.VERB | _irregular(features)
    for adjective in str(data["adjectives"]).split():
        yield from _adjective(adjective)
    for adverb in str(data["adverbs"]).split():
        yield adverb, Features.ADVERB


def _irregular(features: str) -> Features:
    return {
        "singular": Features.VERB_SINGULAR,
        "plural": Features.VERB_PLURAL,
        "both": Features.VERB_SINGULAR | Features.VERB_PLURAL,
        "infinitive": Features.INFINITIVE | Features.VERB_PLURAL,
        "other": Features(0),
    }[features]


def _weak(written: str) -> Iterator[Entry]:
    """Yield the forms of a regular verb; "ab|holen" has a prefix that separates, "be.suchen" one that takes no ge-."""
    prefix, bar, verb = written.rpartition("|")
    bare, dot, rest = verb.rpartition(".")
    verb = bare + rest
    stem = verb[:-2] if verb.endswith("en") else verb[:-1]
    joint = "e" if stem.endswith(("t", "d", "chn", "ffn", "tm", "gn")) else ""
    no_ge = bool(dot) or verb.endswith("ieren")
    participle = prefix + ("" if no_ge else "ge") + stem + joint + "t"
    present = (stem + joint + "t", stem + joint + "te", stem + joint + "ten")
    yield from _conjugated(prefix if bar else "", verb, present, participle)


def _strong(pieces: list[str]) -> Iterator[Entry]:
    """Yield the forms of "infinitive third-person-present preterite participle"."""
    written, third, past, participle = pieces
    prefix, _, verb = written.rpartition("|")
    plural = past + ("n" if past.endswith("e") else "en")
    yield from _conjugated(prefix, verb, (third, past, plural), participle)


def _conjugated(prefix: str, verb: str, forms: tuple[str, str, str], participle: str) -> Iterator[Entry]:
    third, past, past_plural = forms
    stem = verb[:-2] if verb.endswith("en") else verb[:-1]
    infinitive = Features.VERB | Features.INFINITIVE
    singular, plural = Features.VERB | Features.VERB_SINGULAR, Features.VERB | Features.VERB_PLURAL
    order = Features.VERB | Features.IMPERATIVE
    second = past + ("st" if past.endswith("e") else "est" if past.endswith(("t", "d", "s", "ß")) else "st")
    finite: list[Entry] = [
        (verb, Features.VERB_PLURAL | order),
        (stem + "e", order),
        (third, singular),
        (past, singular),
        (past_plural, plural),
        (third[:-1] + "st" if not third.endswith(("st", "ßt", "zt")) else third, Features.VERB),
        (second, Features.VERB),
        (stem + ("et" if third == stem + "et" or stem.endswith(("t", "d")) else "t"), order),
    ]
    if not prefix:
        yield verb, infinitive
        yield stem, order
    else:
        yield prefix + verb, infinitive | plural
        yield prefix + "zu" + verb, infinitive
    for form, features in finite:
        yield form, features
        if prefix:
            # The whole word stands at the end of a clause: "dass er ankommt".
            yield prefix + form, features & ~Features.IMPERATIVE
    yield participle, Features.VERB | Features.ADJECTIVE
    for ending in ("e", "en", "er", "es", "em"):
        yield participle + ending, Features.ADJECTIVE
        yield prefix + verb + "d" + ending, Features.ADJECTIVE
    yield prefix + verb + "d", Features.ADJECTIVE


def _adjective(written: str) -> Iterator[Entry]:
    """Yield the declined and compared forms; "groß/größ" gives the stem that is compared."""
    word, _, compared = written.partition("/")
    stem = word[:-2] + word[-1] if word.endswith("el") else word
    stem = "hoh" if word == "hoch" else stem
    if word.endswith("er") and compared:
        stem = compared  # teuer: teure
    compared = compared or stem
    joint = "e" if compared.endswith(("t", "d", "s", "ß", "z", "sch")) else ""
    endings = ("e", "en", "er", "es", "em")
    yield word, Features.ADJECTIVE | Features.ADVERB
    more = compared + ("r" if compared.endswith("e") else "er")
    most = compared + ("st" if not joint else "est")
    yield more, Features.ADJECTIVE | Features.ADVERB
    for base in (stem.removesuffix("e"), more, most):
        for ending in endings:
            yield base + ending, Features.ADJECTIVE


def _genders_of(row: dict[str, str]) -> set[str]:
    cells = (row[column] for column in ("genus", "genus 1", "genus 2", "genus 3", "genus 4"))
    return {cell for cell in cells if cell in _GENDERS}


def _masculine_of(lemma: str, masculine: set[str]) -> str | None:
    word = lemma.lower()
    if not word.endswith("in") or len(word) < 5:
        return None
    stem = word[:-2]
    for base in (stem, stem.translate(_UMLAUTS), stem + "e", stem.translate(_UMLAUTS) + "e"):
        if base in masculine:
            return base
    return None


def _has_masculine(lemma: str, masculine: set[str]) -> bool:
    return _masculine_of(lemma, masculine) is not None

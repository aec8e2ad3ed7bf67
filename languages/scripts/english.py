"""English word forms, and what each noun is a kind of, from WordNet 3.0: Debian's package wordnet-base."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from languages.nouns import Kind, Noun, kinds, nouns
from languages.wordforms import Entry, Features

_POS = {
    "noun": Features.NOUN | Features.SINGULAR,
    "verb": Features.VERB | Features.INFINITIVE | Features.IMPERATIVE | Features.VERB_PLURAL,
    "adj": Features.ADJECTIVE,
    "adv": Features.ADVERB,
}
_SENSE_POS = {"1": "noun", "2": "verb", "3": "adj", "4": "adv", "5": "adj"}
_PERSON_FILE = "18"
# The files of WordNet's nouns in which the first sense of a kind's word may stand, so that "bank" is no slope.
_FILES = {
    "PRODUCT": "06 13 27 20",
    "PART": "06 14",
    "SERVICE": "04 10 21 09",
    "PERSON": "18",
    "ORGANIZATION": "14",
    "LOCATION": "06 15 17 14",
    "DOCUMENT": "10 06",
    "EVENT": "04 11 28",
    "TIME": "28 04",
    "MONEY": "21",
    "ATTRIBUTE": "07 23 26 15",
    "ISSUE": "26 04 11 07 09 10",
    "OTHER": "05 20 17 09 04 10 27 19",
}
# A word is no noun (or verb …) when a text of forty uses never shows it so: "in" is an inch in name only.
_RARE_USES = 40
# Words of the grammar: WordNet knows them as abbreviations (inch, Indiana) at most.
_GRAMMATICAL = frozenset(
    (
        "a an the in on at by to of for from with without and or but if as it its he she they we i you me my his her "
        "him them us our their this that these those who whom whose what which when where why how not no so am are was "
        "there here then than too very now yes any all both each some such off up out over under per via"
    ).split()
)


@dataclass(frozen=True, slots=True)
class _Word:
    lemma: str
    pos: str
    synsets: tuple[str, ...]


def english_forms(folder: Path) -> Iterator[Entry]:
    """Yield the forms of WordNet's one-word lemmas with their regular and irregular inflections."""
    counts = _counts(folder)
    people = _first_in_file(folder, _PERSON_FILE)
    names = _names(folder)
    for pos, features in _POS.items():
        irregular = _exceptions(folder / f"{pos}.exc")
        for word in _index(folder, pos):
            lemma = word.lemma
            if "_" in lemma or not lemma[0].isalpha() or _is_rare(counts, lemma, pos):
                continue
            if pos != "adv" and lemma in _GRAMMATICAL:
                continue
            if pos == "noun" and lemma in names:
                yield lemma, Features.NAME
                continue
            found = features | (Features.PERSON if pos == "noun" and lemma in people else Features(0))
            yield lemma, found
            yield from _inflected(lemma, pos, found, irregular.get(lemma, ()))


def english_kinds(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield (noun, id of the nearest kind above its first sense) for nouns that nouns.toml does not list."""
    words = {word.lemma: word for word in _index(folder, "noun")}
    files, above = _synsets(folder)
    listed = nouns("en")
    anchors: dict[str, str] = {}
    for noun in listed:
        for synset in words[_key(noun)].synsets if _key(noun) in words else ():
            if files[synset] in _FILES[noun.type].split():
                anchors.setdefault(synset, noun.id)
                break
    known = {_key(noun) for noun in listed}
    tree = kinds()
    for word in words.values():
        if word.lemma not in known and word.lemma[0].isalpha():
            kind = _nearest(word.synsets[0], anchors, above, tree)
            if kind:
                yield word.lemma.replace("_", " "), kind


def _nearest(synset: str, anchors: dict[str, str], above: dict[str, tuple[str, ...]], tree: Mapping[str, Kind]) -> str:
    level = [synset]
    seen = set(level)
    while level:
        found = [anchors[each] for each in level if each in anchors]
        if found:
            return max(found, key=lambda kind: len(tree[kind].hypernyms))
        level = [parent for each in level for parent in above.get(each, ()) if parent not in seen]
        seen.update(level)
    return ""


def _inflected(lemma: str, pos: str, features: Features, irregular: tuple[str, ...]) -> Iterator[Entry]:
    if pos == "noun":
        for plural in irregular or (_with_s(lemma),):
            yield plural, features & ~Features.SINGULAR | Features.PLURAL
    elif pos == "verb":
        yield _with_s(lemma), Features.VERB | Features.VERB_SINGULAR
        both = Features.VERB | Features.VERB_SINGULAR | Features.VERB_PLURAL
        for form in irregular:
            yield form, Features.VERB if form.endswith("ing") else both
        for form in _participles(lemma):
            if form.endswith("ing") or not any(not each.endswith("ing") for each in irregular):
                yield form, Features.VERB | Features.ADJECTIVE if form.endswith("ing") else both | Features.ADJECTIVE
    elif pos == "adj":
        for form in irregular:
            yield form, Features.ADJECTIVE


def _with_s(lemma: str) -> str:
    if lemma.endswith(("s", "x", "z", "ch", "sh")):
        return lemma + "es"
    if lemma.endswith("y") and lemma[-2:-1] not in "aeiou":
        return lemma[:-1] + "ies"
    return lemma + "s"


def _participles(lemma: str) -> tuple[str, ...]:
    if lemma.endswith("ee"):
        return lemma + "d", lemma + "ing"
    if lemma.endswith("e"):
        return lemma + "d", lemma[:-1] + "ing"
    if lemma.endswith("y") and lemma[-2:-1] not in "aeiou":
        return lemma[:-1] + "ied", lemma + "ing"
    return lemma + "ed", lemma + "ing"


def _key(noun: Noun) -> str:
    return noun.lemma.lower().replace(" ", "_")


def _index(folder: Path, pos: str) -> Iterator[_Word]:
    for line in (folder / f"index.{pos}").read_text(encoding="utf-8").splitlines():
        if line.startswith(" "):
            continue
        pieces = line.split()
        count = int(pieces[2])
        yield _Word(pieces[0], pos, tuple(pieces[-count:]))


def _synsets(folder: Path) -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
    """Return each noun synset's file and the synsets right above it."""
    files: dict[str, str] = {}
    above: dict[str, tuple[str, ...]] = {}
    for line in (folder / "data.noun").read_text(encoding="utf-8").splitlines():
        if line.startswith(" "):
            continue
        pieces = line.partition(" | ")[0].split()
        files[pieces[0]] = pieces[1]
        above[pieces[0]] = tuple(
            pieces[place + 1] for place, piece in enumerate(pieces) if piece in ("@", "@i") and place > 3
        )
    return files, above


def _names(folder: Path) -> set[str]:
    """Return the lemmas whose every sense is one of a kind (London, Einstein)."""
    single: set[str] = set()
    for line in (folder / "data.noun").read_text(encoding="utf-8").splitlines():
        if not line.startswith(" ") and " @i " in line:
            single.add(line.split()[0])
    return {word.lemma for word in _index(folder, "noun") if all(synset in single for synset in word.synsets)}


def _first_in_file(folder: Path, file: str) -> set[str]:
    files, _ = _synsets(folder)
    return {word.lemma for word in _index(folder, "noun") if files[word.synsets[0]] == file}


def _counts(folder: Path) -> dict[tuple[str, str], int]:
    counts: defaultdict[tuple[str, str], int] = defaultdict(int)
    for line in (folder / "cntlist.rev").read_text(encoding="utf-8").splitlines():
        key, _, count = line.split()
        lemma, _, rest = key.partition("%")
        counts[lemma, _SENSE_POS[rest[0]]] += int(count)
    return dict(counts)


def _is_rare(counts: dict[tuple[str, str], int], lemma: str, pos: str) -> bool:
    total = sum(counts.get((lemma, each), 0) for each in _POS)
    return counts.get((lemma, pos), 0) * _RARE_USES < total


def _exceptions(file: Path) -> dict[str, tuple[str, ...]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    if file.exists():
        for line in file.read_text(encoding="utf-8").splitlines():
            form, *lemmas = line.split()
            for lemma in lemmas:
                if "_" not in form:
                    found[lemma].append(form)
    return {lemma: tuple(forms) for lemma, forms in found.items()}

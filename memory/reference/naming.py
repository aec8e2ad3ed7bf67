"""Names in a message: those that are known, then those that their spelling shows.

Spelling shows a name by capitals inside a sentence (where nouns are not capitalised), by digits in a capitalised run,
by a title before it, by Latin letters inside Arabic, or by a noun that takes a name ("شركة وصال", "Tarif FlexMobil L").
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memory.reference.tongue import Tongue
from memory.types import Catalog

if TYPE_CHECKING:
    from memory.reference.analysis import Word

THINGS = frozenset(
    ("PRODUCT", "SERVICE", "ORGANIZATION", "LOCATION", "DOCUMENT", "EVENT")
)  # nouns of these take a name
_LONGEST = 7  # words in a name found by spelling


@dataclass(frozen=True, slots=True)
class NameSpan:
    """A name in a text: words ``first`` to ``last``; ``entity`` is the name as it is known, else as it stands."""

    first: int
    last: int
    start: int
    end: int
    text: str
    entity: str
    type: str = ""
    known: bool = False
    person: bool = False
    noun: str = ""  # a common noun known to be said of it


def find_names(text: str, words: Sequence[Word], tongue: Tongue, catalogs: Sequence[Catalog]) -> tuple[NameSpan, ...]:
    """Return the names in *text* in order, not overlapping: known ones first, then those that spelling shows."""
    spans: list[NameSpan] = []
    taken: set[int] = set()
    for catalog in catalogs:
        for match in catalog.find(text):
            inside = [w.index for w in words if w.start < match.end and match.start < w.end]
            if not inside or taken & set(inside):
                continue
            taken.update(inside)
            nouns = match.name.nouns
            spans.append(
                NameSpan(
                    inside[0],
                    inside[-1],
                    match.start,
                    match.end,
                    match.text,
                    match.name.name,
                    "" if match.name.type == "OTHER" else match.name.type,
                    True,
                    match.name.type == "PERSON",
                    nouns[0] if nouns else "",
                )  # fmt: skip
            )
    spans += _spelt(text, words, tongue, taken)
    return tuple(sorted(spans, key=lambda span: span.first))


def _spelt(text: str, words: Sequence[Word], tongue: Tongue, taken: set[int]) -> list[NameSpan]:
    found: list[NameSpan] = []
    i = 0
    while i < len(words):
        run = _run(text, words, tongue, i, taken)
        if run is None:
            i += 1
            continue
        first, last, person = run
        timed = all(words[k].key in tongue.times or words[k].text.isdigit() for k in range(first, last + 1))
        start, end = words[first].start, words[last].end
        if text[end : end + 1] == "+":
            end += 1
        name = tongue.hooks.bare(text[start:end])
        noun, name = _apart(words[first : last + 1], name, tongue)
        found.append(
            NameSpan(
                first, last, start, end, name, name, "TIME" if timed else "", person=person and not timed, noun=noun
            )
        )
        i = last + 1
    return found


def _apart(words: Sequence[Word], name: str, tongue: Tongue) -> tuple[str, str]:
    """Return the noun in front of a name that took it in, and the entity: a product without its noun, others with it."""
    if not tongue.grammar.letters_folded or len(words) < 2:
        return "", name
    kind = tongue.lexicon.kind(words[0].text)
    if kind is None or kind.type not in THINGS:
        return "", name
    noun, _, rest = name.partition(" ")
    return noun, rest if kind.type == "PRODUCT" else name


def _run(text: str, words: Sequence[Word], tongue: Tongue, at: int, taken: set[int]) -> tuple[int, int, bool] | None:
    """Return the first and last word of the name that starts at word *at*, and whether it is a person's; or None."""
    if at in taken:
        return None
    if tongue.grammar.letters_folded:
        return _latin_run(text, words, tongue, at, taken) or _after_noun(text, words, tongue, at, taken)
    return _capital_run(text, words, tongue, at, taken)


def _close(text: str, left: Word, right: Word, tongue: Tongue | None = None) -> bool:
    gap = text[left.end : right.start]
    if gap.startswith(".") and tongue is not None and tongue.lexicon.people.title_gender([left.text]) is not None:
        gap = gap[1:]  # "Dr. Lindqvist"
    return len(gap) <= 2 and not re.search(r"[,.;:!?()\n«»„“”\"/]", gap)


def _namelike(word: Word) -> bool:
    """Return whether spelling alone makes a name of *word*: a digit with a letter, or a capital inside it."""
    letters = any(c.isalpha() for c in word.text)
    inner = len(word.text) > 3 and any(c.isupper() for c in word.text[1:]) and any(c.islower() for c in word.text)
    return (
        letters
        and (word.number or inner)
        and not re.fullmatch(r"\d+(?:st|nd|rd|th|e|er|ère|ème|h|km|kg|g|cm|mm|m|gb|mb|tb|go|mo|wh|w|v|%)", word.key)
    )


def _capital_run(
    text: str, words: Sequence[Word], tongue: Tongue, at: int, taken: set[int]
) -> tuple[int, int, bool] | None:
    first = words[at]
    if (
        first.text.isdigit()
        and at + 1 < len(words)
        and words[at + 1].key in tongue.times
        and _close(text, first, words[at + 1])
    ):
        last = at + 2 if at + 2 < len(words) and re.fullmatch(r"(?:19|20)\d\d", words[at + 2].text) else at + 1
        return at, last, False  # "14 June 2026"
    if first.key in tongue.times and not first.capital:
        last = (
            at + 1
            if at + 1 < len(words) and words[at + 1].text.isdigit() and _close(text, first, words[at + 1])
            else at
        )
        return at, last, False
    if not (first.capital or _namelike(first)) or (first.key in tongue.closed and not _namelike(first)):
        return None
    run = [at]
    i = at + 1
    while i < len(words) and i not in taken and len(run) < _LONGEST and _close(text, words[i - 1], words[i], tongue):
        word = words[i]
        if _ends_before(text, words, tongue, i):
            break
        address = word.key in tongue.sets["first_persons"] or word.key in tongue.pronouns
        parted = (
            (word.key in tongue.times) != (words[i - 1].key in tongue.times)
            and not word.number
            and not words[i - 1].number
        )
        if (word.capital or word.number) and not (word.opens or address or parted):
            run.append(i)
            i += 1
        elif linked := _linked(text, words, tongue, i, taken):
            run += range(i, linked + 1)
            i = linked + 1
        else:
            break
    run = _without_nouns(words, tongue, run)
    if not run:
        return None
    people = tongue.lexicon.people
    known = any(people.name_gender(words[i].text) or people.title_gender([words[i].text]) for i in run)
    person = known and not any(words[i].number for i in run)
    if len(run) > 1 and words[run[0]].text.isdigit() and words[run[1]].key not in tongue.times:
        run = run[1:]
    strong = any(_namelike(words[i]) or words[i].number for i in run)
    if len(run) == 1 and not strong:
        word = words[run[0]]
        if len(word.text.rstrip("s")) <= 4 and word.text.rstrip("s").isupper():
            return None  # an abbreviation: PIN, SMS, VAT
        if word.opens or tongue.has("fillers", word.key):
            return None
        if tongue.grammar.noun_capitals and "noun" in tongue.lexicon.parts(word.text) and not person:
            return None
    if all(words[i].number and not any(c.isalpha() for c in words[i].text) for i in run):
        return None
    return run[0], run[-1], person


def _linked(text: str, words: Sequence[Word], tongue: Tongue, at: int, taken: set[int]) -> int:
    """Return the word that one or two small words at *at* join to a name ("of", "von der", "de la"), 0 for none."""
    for i in (at + 1, at + 2):
        if (
            i >= len(words)
            or i in taken
            or not tongue.has("name_links", words[i - 1].key)
            or not _close(text, words[i - 1], words[i])
        ):
            return 0
        before = words[at - 1]
        if tongue.grammar.noun_capitals and (
            "noun" in tongue.lexicon.parts(before.text) or before.key.rstrip("s") in tongue.times
        ):
            return 0
        if words[i].capital and words[i].key not in tongue.closed and not before.number:
            return i
    return 0


def _ends_before(text: str, words: Sequence[Word], tongue: Tongue, at: int) -> bool:
    """Return whether a name ends before word *at*: where nouns have capitals, two common nouns side by side are no name."""
    if not tongue.grammar.noun_capitals or text[words[at - 1].end : words[at].start] == "-":
        return False
    left, right = words[at - 1], words[at]
    if left.number or _namelike(right) or right.number:
        return False
    return all(
        "noun" in tongue.lexicon.parts(word.text) and not tongue.lexicon.people.name_gender(word.text)
        for word in (left, right)
    )


def _without_nouns(words: Sequence[Word], tongue: Tongue, run: list[int]) -> list[int]:
    """Return the run without the common nouns that stand before the name ("Trockner AeroDry 8" -> "AeroDry 8")."""
    if words[run[0]].opens and not tongue.grammar.noun_capitals and len(run) > 1:
        head = words[run[0]]
        if (
            head.key in tongue.closed
            or tongue.has("fillers", head.key)
            or (tongue.may_be_verb(head.key) and not tongue.lexicon.person_gender(head.text))
        ):
            run = run[1:]
    if not tongue.grammar.noun_capitals:
        return run
    while len(run) > 1 and not _namelike(words[run[0]]):
        word = words[run[0]]
        kind = tongue.lexicon.kind(word.text)
        common = kind is not None or "noun" in tongue.lexicon.parts(word.text)
        title = tongue.lexicon.people.title_gender([word.text]) is not None
        place = kind is not None and kind.type in ("LOCATION", "ORGANIZATION") and not words[run[1]].number
        if title or place or not common:
            break
        run = run[1:]
    return run


def _is_latin(word: Word) -> bool:
    return any(c.isalpha() and "LATIN" in unicodedata.name(c, "") for c in word.text)


def _latin_run(
    text: str, words: Sequence[Word], tongue: Tongue, at: int, taken: set[int]
) -> tuple[int, int, bool] | None:
    if not _is_latin(words[at]):
        return None
    last = at
    while (
        last + 1 < len(words)
        and last + 1 not in taken
        and _close(text, words[last], words[last + 1])
        and (_is_latin(words[last + 1]) or words[last + 1].text.isdigit())
    ):
        last += 1
    return at, last, False


def _after_noun(
    text: str, words: Sequence[Word], tongue: Tongue, at: int, taken: set[int]
) -> tuple[int, int, bool] | None:
    """Return a noun or title with the name after it: "شركة وصال", "بلدية المرج", "الدكتورة سلمى ناصيف".

    What follows is a name where the lexicon does not know it as a common word; offices, papers and places take a
    definite noun as well.
    """
    word = words[at]
    title = tongue.lexicon.people.title_gender([word.text]) is not None
    kind = tongue.lexicon.kind(word.text)
    things = kind is not None and kind.type in THINGS and tongue.hooks.attached(word.text) is None
    if word.key in tongue.closed or not (title or things) or at + 1 >= len(words):
        return _first_name(text, words, tongue, at, taken)
    if not title and tongue.hooks.is_definite(word.text) and tongue.hooks.is_definite(words[at + 1].text):
        return None  # a noun and its adjective
    last = at
    while (
        last + 1 < len(words) and last + 1 not in taken and last - at < 2 and _close(text, words[last], words[last + 1])
    ):
        if not _continues_name(words[last + 1], tongue, title, kind.type if kind else "", first=last == at):
            break
        last += 1
    return (at, last, title) if last > at else _first_name(text, words, tongue, at, taken)


def _continues_name(word: Word, tongue: Tongue, title: bool, type_: str, *, first: bool) -> bool:
    """Return whether *word* belongs to the name after a noun of *type_*."""
    if word.key in tongue.closed or tongue.has("fillers", word.key) or tongue.is_verb(word.key):
        return False
    if word.text.isdigit() or _is_latin(word):
        return True
    if title:
        return True
    if tongue.hooks.attached(word.text) is not None or word.text.endswith(("ًا", "اً")):
        return False
    known = tongue.lexicon.kind(word.text) is not None or bool({"adj", "verb"} & tongue.lexicon.parts(word.text))
    if type_ in ("ORGANIZATION", "LOCATION", "DOCUMENT", "EVENT"):
        return tongue.hooks.is_definite(word.text) or not known
    return not known and (first or not tongue.hooks.is_definite(word.text))


def _first_name(
    text: str, words: Sequence[Word], tongue: Tongue, at: int, taken: set[int]
) -> tuple[int, int, bool] | None:
    """Return a first name and the word after it as a person's name."""
    word = words[at]
    if word.key in tongue.closed or tongue.has("fillers", word.key) or tongue.lexicon.kind(word.text):
        return None
    if tongue.lexicon.people.name_gender(tongue.hooks.bare(word.text)) is None:
        return None
    if at + 1 >= len(words) or at + 1 in taken or not _close(text, word, words[at + 1]):
        return None
    following = words[at + 1]
    if following.key in tongue.closed or tongue.may_be_verb(following.key) or following.number:
        return None
    return at, at + 1, True

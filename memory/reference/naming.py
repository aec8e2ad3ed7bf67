"""Names in a message: those that are known, then those that their spelling shows.

Spelling shows a name by capitals inside a sentence (where nouns are not capitalised), by digits in a capitalised run,
by a title before it, by Latin letters inside Arabic, or by a noun that takes a name ("شركة وصال", "Tarif FlexMobil L").
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from languages.quantities import quantities
from memory.reference.tongue import Tongue
from memory.reference.words import Tokens, Word
from memory.types import Catalog, NameMatch

THINGS = frozenset(("PRODUCT", "SERVICE", "ORGANIZATION", "LOCATION", "DOCUMENT", "EVENT"))  # their nouns take a name
# Units that are written on their number, the same in every language: "16gb" is no name.
_UNITS = frozenset("h km kg g cm mm m gb mb tb go mo wh w v %".split())
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


def find_names(tokens: Tokens, catalogs: Sequence[Catalog]) -> tuple[NameSpan, ...]:
    """Return the names in a message in order, not overlapping: known ones first, then those that spelling shows."""
    spans: list[NameSpan] = []
    taken: set[int] = set()
    for catalog in catalogs:
        for match in catalog.find(tokens.text):
            inside = [w.index for w in tokens.words if w.start < match.end and match.start < w.end]
            if inside and not taken & set(inside):
                taken.update(inside)
                spans.append(_known(match, inside[0], inside[-1], tokens.tongue))
    families = [match for catalog in catalogs for match in catalog.families(tokens.text)]
    spelt = _spelt(tokens, taken | _measured(tokens))
    # Words that fit several known names are not a name of their own: which one is meant is asked later.
    spans += [s for s in spelt if not any(f.start <= s.start and s.end <= f.end for f in families)]
    return tuple(sorted(spans, key=lambda span: span.first))


def _measured(tokens: Tokens) -> set[int]:
    """Return the words that are a number with its unit: "Trail 3.2 km" names the Trail."""
    if not any(word.number for word in tokens.words):
        return set()
    measured: set[int] = set()
    for found in quantities(tokens.text, tokens.tongue.code):
        inside = [word.index for word in tokens.words if found.start <= word.start and word.end <= found.end]
        if len(inside) > 1 and (len(found.unit) > 1 or found.unit.islower()):  # "Sundar 5L", "Nimbus 3 V" are names
            measured.update(inside)
    return measured


def _known(match: NameMatch, first: int, last: int, tongue: Tongue) -> NameSpan:
    name = match.name
    type_ = "" if name.type == "OTHER" else name.type
    # Documents in other languages call it by their nouns: only this language's are of use in its grammar.
    noun = next((noun for noun in name.nouns if tongue.lexicon.kind(noun) is not None), "")
    person = name.type == "PERSON"
    return NameSpan(first, last, match.start, match.end, match.text, name.name, type_, True, person, noun)


def _spelt(tokens: Tokens, taken: set[int]) -> list[NameSpan]:
    text, words, tongue = tokens.text, tokens.words, tokens.tongue
    found: list[NameSpan] = []
    i = 0
    while i < len(words):
        run = _run(tokens, i, taken)
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
        type_ = "TIME" if timed else ""
        found.append(NameSpan(first, last, start, end, name, name, type_, person=person and not timed, noun=noun))
        i = last + 1
    return found


def _apart(words: Sequence[Word], name: str, tongue: Tongue) -> tuple[str, str]:
    """Return the noun that a name took in, and the name: a product's without it, others with it."""
    if not tongue.grammar.letters_folded or len(words) < 2:
        return "", name
    kind = tongue.lexicon.kind(words[0].text)
    if kind is None or kind.type not in THINGS:
        return "", name
    noun, _, rest = name.partition(" ")
    return noun, rest if kind.type == "PRODUCT" else name


def _run(tokens: Tokens, at: int, taken: set[int]) -> tuple[int, int, bool] | None:
    """Return the first and last word of the name that starts at word *at*, and whether it is a person's; or None."""
    if at in taken:
        return None
    if tokens.tongue.grammar.letters_folded:
        return _latin_run(tokens, at, taken) or _after_noun(tokens, at, taken)
    return _capital_run(tokens, at, taken)


def _close(tokens: Tokens, left: int, *, titled: bool = False) -> bool:
    """Return whether the word after word *left* stands close by, no mark between but, if *titled*, a title's stop."""
    words = tokens.words
    gap = tokens.text[words[left].end : words[left + 1].start]
    if titled and gap.startswith(".") and tokens.tongue.lexicon.people.title_gender([words[left].text]) is not None:
        gap = gap[1:]  # "Dr. Lindqvist"
    return len(gap) <= 2 and not re.search(r"[,.;:!?()\n«»„“”\"/]", gap)


_STANDARD = re.compile(
    r"\d[A-Z]|(?:USB|HDMI|IP|DIN|ISO)[-A-Z]*\d*[A-Z]?|Wi-?Fi|micro-?SD|nano-?SIM|e-?SIM", re.IGNORECASE
)  # norms, no things


def _namelike(word: Word, tongue: Tongue) -> bool:
    """Return whether spelling alone makes a name of *word*: a digit with a letter, or a capital inside it."""
    letters = any(c.isalpha() for c in word.text)
    inner = len(word.text) > 3 and any(c.isupper() for c in word.text[1:]) and any(c.islower() for c in word.text)
    if not letters or not (word.number or inner) or _STANDARD.fullmatch(word.text):
        return False
    count = word.key.lstrip("0123456789")
    return count == word.key or not (count in _UNITS or count in tongue.grammar.ordinal_endings)


def _capital_run(tokens: Tokens, at: int, taken: set[int]) -> tuple[int, int, bool] | None:
    words, tongue = tokens.words, tokens.tongue
    first = words[at]
    dated = _date_run(tokens, at)
    if dated is not None:
        return dated
    if not (first.capital or _namelike(first, tongue)) or (first.key in tongue.closed and not _namelike(first, tongue)):
        return None
    run = _without_nouns(words, tongue, _capitals(tokens, at, taken))
    people = tongue.lexicon.people
    known = any(people.name_gender(words[i].text) or people.title_gender([words[i].text]) for i in run)
    person = known and not any(words[i].number for i in run)
    if len(run) > 1 and words[run[0]].text.isdigit() and words[run[1]].key not in tongue.times:
        run = run[1:]
    if len(run) == 1 and (not _names_alone(words[run[0]], tongue) or _is_label(tokens, run[0])):
        return None
    if all(words[i].number and not any(c.isalpha() for c in words[i].text) for i in run):
        return None
    return run[0], run[-1], person


def _is_label(tokens: Tokens, at: int) -> bool:
    """Return whether a common noun stands before a colon: "Telephone: 01632" is said of what has one."""
    word = tokens.words[at]
    return tokens.text[word.end : word.end + 2].lstrip(" \u00a0\u202f").startswith(":") and (
        "noun" in tokens.tongue.lexicon.parts(word.text) or tokens.tongue.lexicon.kind(word.text) is not None
    )


def _date_run(tokens: Tokens, at: int) -> tuple[int, int, bool] | None:
    """Return the date that starts at word *at*: "14 June 2026", "juin 2026", "mardi"; or None."""
    words, tongue = tokens.words, tokens.tongue
    more = at + 1 < len(words) and _close(tokens, at)
    if words[at].text.isdigit() and more and words[at + 1].key in tongue.times:
        year = at + 2 < len(words) and re.fullmatch(r"(?:19|20)\d\d", words[at + 2].text)
        return at, at + 2 if year else at + 1, False
    if words[at].key in tongue.times and not words[at].capital:
        return at, at + 1 if more and words[at + 1].text.isdigit() else at, False
    return None


def _capitals(tokens: Tokens, at: int, taken: set[int]) -> list[int]:
    """Return the words from *at* that capitals, digits and small linking words join to one name."""
    words, tongue = tokens.words, tokens.tongue
    run = [at]
    i = at + 1
    while i < len(words) and i not in taken and len(run) < _LONGEST and _close(tokens, i - 1, titled=True):
        word, before = words[i], words[i - 1]
        if _ends_before(tokens, i):
            break
        address = word.key in tongue.sets["first_persons"] or word.key in tongue.pronouns
        parted = (word.key in tongue.times) != (before.key in tongue.times) and not word.number and not before.number
        if (word.capital or word.number) and not (word.opens or address or parted):
            run.append(i)
            i += 1
        elif linked := _linked(tokens, i, taken):
            run += range(i, linked + 1)
            i = linked + 1
        else:
            break
    return run


def _names_alone(word: Word, tongue: Tongue) -> bool:
    """Return whether a single capitalised word is a name: no abbreviation, no sentence's first word, no noun."""
    if _namelike(word, tongue) or word.number:
        return True
    letters = word.text.rstrip("s")
    if len(letters) <= 4 and letters.isupper():
        return False  # an abbreviation: PIN, SMS, VAT
    if word.opens or tongue.has("fillers", word.key) or tongue.is_property(word.text):
        return False
    return not (tongue.grammar.noun_capitals and "noun" in tongue.lexicon.parts(word.text))


def _linked(tokens: Tokens, at: int, taken: set[int]) -> int:
    """Return the word that one or two small words at *at* join to a name ("of", "von der", "de la"), 0 for none."""
    words, tongue = tokens.words, tokens.tongue
    for i in (at + 1, at + 2):
        if i >= len(words) or i in taken or not tongue.has("name_links", words[i - 1].key) or not _close(tokens, i - 1):
            return 0
        before = words[at - 1]
        if tongue.grammar.noun_capitals and (
            "noun" in tongue.lexicon.parts(before.text) or before.key.rstrip("s") in tongue.times
        ):
            return 0
        if words[i].capital and words[i].key not in tongue.closed and not before.number:
            return i
    return 0


def _ends_before(tokens: Tokens, at: int) -> bool:
    """Return whether a name ends before word *at*: where nouns have capitals, two nouns side by side are no name."""
    text, words, tongue = tokens.text, tokens.words, tokens.tongue
    if not tongue.grammar.noun_capitals or text[words[at - 1].end : words[at].start] == "-":
        return False
    left, right = words[at - 1], words[at]
    if left.number or _namelike(right, tongue) or right.number:
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
    while len(run) > 1 and tongue.has("name_links", words[run[0]].key) and not words[run[0]].capital:
        run = run[1:]
    if not tongue.grammar.noun_capitals:
        return run
    while len(run) > 1 and not _namelike(words[run[0]], tongue):
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


def _latin_run(tokens: Tokens, at: int, taken: set[int]) -> tuple[int, int, bool] | None:
    words = tokens.words
    if not _is_latin(words[at]):
        return None
    last = at
    while (
        last + 1 < len(words)
        and last + 1 not in taken
        and _close(tokens, last)
        and (_is_latin(words[last + 1]) or words[last + 1].text.isdigit())
    ):
        last += 1
    return at, last, False


def _after_noun(tokens: Tokens, at: int, taken: set[int]) -> tuple[int, int, bool] | None:
    """Return a noun or title with the name after it: "شركة وصال", "بلدية المرج", "الدكتورة سلمى ناصيف".

    What follows is a name where the lexicon does not know it as a common word; offices, papers and places take a
    definite noun as well.
    """
    words, tongue = tokens.words, tokens.tongue
    word = words[at]
    title = tongue.lexicon.people.title_gender([word.text]) is not None
    kind = tongue.lexicon.kind(word.text)
    things = kind is not None and kind.type in THINGS and tongue.hooks.attached(word.text) is None
    things = things and not tongue.hooks.is_accusative(word.text)
    if word.key in tongue.closed or not (title or things) or at + 1 >= len(words):
        return _first_name(tokens, at, taken)
    if not title and tongue.hooks.is_definite(word.text) and tongue.hooks.is_definite(words[at + 1].text):
        return None  # a noun and its adjective
    last = at
    while last + 1 < len(words) and last + 1 not in taken and last - at < 2 and _close(tokens, last):
        if not _continues_name(words[last + 1], tongue, title, kind.type if kind else "", first=last == at):
            break
        last += 1
    return (at, last, title) if last > at else _first_name(tokens, at, taken)


def _continues_name(word: Word, tongue: Tongue, title: bool, type_: str, *, first: bool) -> bool:
    """Return whether *word* belongs to the name after a noun of *type_*."""
    if word.key in tongue.closed or tongue.has("fillers", word.key) or tongue.is_verb(word.key):
        return False
    if word.text.isdigit() or _is_latin(word):
        return True
    if title:
        return True
    if tongue.hooks.attached(word.text) is not None or tongue.hooks.is_accusative(word.text):
        return False
    known = tongue.lexicon.kind(word.text) is not None or bool({"adj", "verb"} & tongue.lexicon.parts(word.text))
    if type_ in ("ORGANIZATION", "LOCATION", "DOCUMENT", "EVENT"):
        return tongue.hooks.is_definite(word.text) or not known
    return not known and (first or not tongue.hooks.is_definite(word.text))


def _first_name(tokens: Tokens, at: int, taken: set[int]) -> tuple[int, int, bool] | None:
    """Return a first name and the word after it as a person's name."""
    words, tongue = tokens.words, tokens.tongue
    word = words[at]
    if word.key in tongue.closed or tongue.has("fillers", word.key) or tongue.lexicon.kind(word.text):
        return None
    if tongue.lexicon.people.name_gender(tongue.hooks.bare(word.text)) is None:
        return None
    if at + 1 >= len(words) or at + 1 in taken or not _close(tokens, at):
        return None
    following = words[at + 1]
    if following.key in tongue.closed or tongue.may_be_verb(following.key) or following.number:
        return None
    if tongue.hooks.is_definite(following.text) and tongue.lexicon.kind(following.text) is not None:
        return None  # «أمينة الصندوق» is a treasurer, though Amina is a name
    return at, at + 1, True

"""Documents to names: what the catalogue knows of the things that a document speaks of.

    title and headings    the thing a document is about, its editions and plans
    tables                a row or a column a thing, the other cells its attributes
    facts                 "key: value" lines and bold words that open a paragraph: attributes of the title's thing
    people                a first name and more, in bold, in a heading, or within a sentence
    running text          runs of capitals seen again, names with a number

Names of several documents are joined by ``merging``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby, zip_longest

from languages.nouns import Noun
from languages.text import Token, fold, sentences, words
from memory.types import Attribute, Name
from rag.shelf.blocks import Block, Document
from rag.shelf.introduced import introduced, nouns_said
from rag.shelf.kinds import typed_kinds
from rag.shelf.listednames import names_in_lists
from rag.shelf.merging import is_part, merge_spelled
from rag.shelf.nameforms import (
    LOCATION,
    MOST_WORDS,
    ORGANIZATION,
    OTHER,
    PERSON,
    PRODUCT,
    NameSense,
    Run,
    has_digit,
    is_latin,
    name_sense,
    title_core,
)
from rag.shelf.tablenames import VAGUE_KINDS, facts_in_rows, names_in_rows

# "Flex M (Fassung 2025)" is the Flex M 2025 as well.
_EDITION = re.compile(r"\s*\([^()]*\b(?P<year>(?:19|20)\d\d)[^()]*\)\Z")
LONGEST_VALUE = 120
MOST_TITLE_WORDS = 3
MOST_KEY_WORDS = 4
LONGEST_SUBTITLE = 9  # words of a line under the title that says what the thing is
WORDS_TO_NOUN = 8  # between a name and the noun that says what it is
# What belongs to a thing is not what it is, and words for anything do not help to find it.
MINOR_KINDS = frozenset({"accessory", "part"})
PAGE_TITLE = "page_title"  # the key of HTML's own title among a document's metadata


def names_in(document: Document) -> tuple[Name, ...]:
    """Return the names that *document* makes known, the one it is about first."""
    sense = name_sense(document.language)
    main = _titled(document, sense)
    headed = list(_headed(document, sense))
    tabled = [*_tabled(document, sense), *names_in_lists(document, sense, partial(_judged, sense=sense))]
    people = list(_people(document, sense))
    strong = [name for name in (main, *headed, *tabled, *people) if name]
    said = list(introduced(document, sense))
    text = list(_in_text(document, [*strong, *said], sense))
    longer = [form for name in (*strong, *text) for form in (name.name, *name.aliases)]
    strong += [name for name in said if not any(is_part(name.name, form) for form in longer if form != name.name)]
    if main:
        facts = (*main.attributes, *_facts(document, sense))
        strong[0] = replace(main, attributes=facts, nouns=_nouns(main, document, sense))
    said_of = nouns_said(document, sense)
    every = (replace(name, nouns=name.nouns or said_of.get(fold(name.name), ())) for name in (*strong, *text))
    return merge_spelled(every)


def _titled(document: Document, sense: NameSense) -> Name | None:
    """Return the name that the title is or opens with; a title made of the file's name is none."""
    if not document.metadata.get("title") and not any(block.kind == "heading" for block in document.blocks):
        return None
    core, rest = title_core(_as_written(document.title, document))
    name = _judged(core, sense, subtitled=bool(rest))
    if name:
        return name
    tokens = words(core)
    stop = next((n for n, token in enumerate(tokens) if n and sense.breaks(["", token.text])), 0)
    if stop > 1:  # "باقة العائلة من نسيم", "Boutique Roux de Lanville"
        head = core[: tokens[stop - 1].end]
        return _judged(head, sense) if _type_noun(head, sense)[1] else None
    texts = [token.text for token in tokens]
    if rest and 0 < len(texts) <= MOST_TITLE_WORDS and not sense.breaks(texts):
        # "murr mini - true wireless earbuds": what has a subtitle is what the document is about.
        small = is_latin(texts[0]) and texts[0][0].islower()
        if small or any(map(sense.is_unknown, texts)):
            return Name(core)
    return None


def _judged(core: str, sense: NameSense, *, heading: bool = False, subtitled: bool = False) -> Name | None:
    """Return the name that a title or heading is, or None: "Tern 14", "Tarif Solidaire", "باقة مدى بلس"."""
    bare = sense.without_form(core)
    if bare != core and len(words(bare)) <= MOST_WORDS:
        return Name(bare, type=ORGANIZATION, aliases=(core,))
    tokens = [token.text for token in words(core)]
    if not tokens or len(tokens) > MOST_WORDS:
        return None
    # Arabic first names are words as well: only a heading "Name، role" is a person.
    if sense.is_person(tokens, marked=sense.capitals != "none" or (heading and subtitled)):
        return Name(core, type=PERSON)
    before, kind = _type_noun(core, sense)
    if sense.capitals == "none" and any(map(is_latin, tokens)):
        return _latin_name(core, before, kind, sense)
    rest = [token.text for token in words(core[len(before) :]) if not token.text.endswith(("'", "’"))]
    if not rest or sense.breaks(rest) or (kind and kind.vague and all(map(str.isdigit, rest))):  # "Article 5"
        return None
    if sense.is_model(rest, titled=not heading) or (before and any(map(has_digit, rest))):
        return _with_noun(core, before, kind.type if kind else PRODUCT, sense)
    if sense.capitals == "none":
        alone = subtitled and len(rest) <= 2 and not all(map(sense.is_common, rest))
        fits = ((before and len(rest) <= 2) or alone) and not heading
        return _with_noun(core, before, kind.type if kind else OTHER, sense) if fits else None
    capital = all(token[:1].isupper() for token in rest)
    unknown = [token for token in rest if sense.is_unknown(token)]
    full = any(len(token) > 2 and not token.isupper() for token in rest)
    if before and capital and full and (unknown or sense.capitals == "names"):
        return _with_noun(core, before, kind.type if kind else OTHER, sense)
    if unknown and not heading and (capital or len(unknown) == len(rest)):
        last = None if sense.noun_first or kind else sense.kind(tokens[-1])  # "Marlock Harbour Kayak Club"
        house = last.type if last and last.type in (ORGANIZATION, LOCATION) else OTHER
        return Name(core, type=kind.type if kind else house)
    return None


def _latin_name(core: str, before: str, kind: _Kind | None, sense: NameSense) -> Name | None:
    """Return the Latin name in an Arabic title: "briskwave Q5" of "سماعات briskwave Q5 الأذنية"."""
    tokens = words(core)
    first = next(n for n, token in enumerate(tokens) if is_latin(token.text))
    last = first
    while last + 1 < len(tokens) and (is_latin(tokens[last + 1].text) or tokens[last + 1].text.isdigit()):
        last += 1
    texts = [token.text for token in tokens[first : last + 1]]
    if not (sense.is_model(texts, titled=True) or any(map(sense.is_unknown, texts))):
        mixed = [token.text for token in words(core[len(before) :])]
        fits = len(mixed) <= MOST_TITLE_WORDS and sense.is_model(mixed) and not sense.breaks(mixed)
        return _with_noun(core, before, kind.type if kind else PRODUCT, sense) if fits else None
    end = tokens[last].end
    end += core[end : end + 1] == ")" and "(" in core[tokens[first].start : end]
    name = core[tokens[first].start : end]
    with_noun = core[:end] if before and len(words(before)) == first else ""
    number = any(map(has_digit, texts))
    return Name(
        name,
        type=kind.type if kind else PRODUCT if number else OTHER,
        aliases=(with_noun,) if with_noun else (),
        nouns=(kind.noun,) if kind else (),
    )


def _type_noun(core: str, sense: NameSense) -> tuple[str, _Kind | None]:
    """Return the common noun that opens *core* ("Forfait Liberté", "هاتف Hilal 9") with what it names."""
    tokens = words(core)
    for count in (2, 1):
        if len(tokens) > count:
            noun = core[tokens[0].start : tokens[count - 1].end]
            kind = sense.kind(noun.lower())
            exact = kind is not None and fold(noun) in {fold(form) for form in (kind.lemma, *kind.plurals)}
            # "Brücke Flex M" is no bridge: where nouns have capitals, a place before a name may be part of it.
            several_words = len(tokens) - count > 1
            place = kind is not None and kind.type == LOCATION and sense.capitals == "nouns" and several_words
            several = kind is not None and fold(noun) in {fold(form) for form in kind.plurals} - {fold(kind.lemma)}
            if kind and exact and not (place or several) and not has_digit(noun):
                return core[: tokens[count].start], _Kind(noun, kind.type, kind.id in VAGUE_KINDS)
    return "", None


@dataclass(frozen=True, slots=True)
class _Kind:
    noun: str
    type: str
    vague: bool  # "product" and the like, said of anything


def _with_noun(core: str, before: str, type_: str, sense: NameSense) -> Name:
    """Return *core* as a name; the noun before it is said of it, and the name may stand without it."""
    rest = core[len(before) :].strip()
    noun = before.strip()
    edition = _EDITION.search(core)
    base, year = (core[: edition.start()], edition["year"]) if edition else ("", "")
    dated = tuple(form for form in (f"{base} {year}", f"{base} ({year})") if edition and form != core)
    if not before:
        return Name(core, type=type_, aliases=dated)
    alone = len(words(rest)) > 1 or not sense.is_known(rest)
    alias = (rest,) if alone and not rest[0].isdigit() and type_ != ORGANIZATION else ()
    return Name(
        core, type=type_, aliases=(*dated, *alias), nouns=(noun.lower() if sense.capitals == "names" else noun,)
    )


def _as_written(title: str, document: Document) -> str:
    """Return a title in capitals as the text writes its words: "RIDGE 5G" is the Ridge 5G."""
    letters = [character for character in title if character.isalpha()]
    if not letters or not all(character.isupper() for character in letters) or not is_latin(title):
        return title
    body: dict[str, str] = {}
    for block in document.blocks:
        if block.kind != "heading":
            for token in words(document.words_of(block)):
                if not token.text.isupper() or has_digit(token.text):
                    body.setdefault(fold(token.text), token.text)
    written = title
    for token in reversed(words(title)):
        word = body.get(fold(token.text), token.text if has_digit(token.text) else token.text.capitalize())
        written = written[: token.start] + word + written[token.end :]
    return written


def _headed(document: Document, sense: NameSense) -> Iterator[Name]:
    """Yield the names that headings below the title are, and whose pages these are."""
    heads = [title_core(document.words_of(block)) for block in document.blocks if block.kind == "heading"]
    opening = Counter(fold(words(core)[0].text) for core, _ in heads if words(core))
    for core, rest in heads:
        if fold(core) in fold(document.title):
            continue
        # "فرع حي الريحان", "فرع المحطة": headings that open with one noun are a list of things with names.
        listed = bool(words(core)) and opening[fold(words(core)[0].text)] > 1
        name = _judged(core, sense, heading=not listed, subtitled=bool(rest))
        if name:
            yield name
    page = document.metadata.get(PAGE_TITLE, "")
    for part in page.replace("|", "–").split(" – ")[1:]:
        tokens = [token.text for token in words(part)]
        while len(tokens) > 1 and sense.is_known(tokens[-1]):
            tokens.pop()
        if 1 <= len(tokens) <= 3 and not any(sense.is_stop(token) or has_digit(token) for token in tokens):
            yield Name(" ".join(tokens) if "&" not in part else part.strip(), type=ORGANIZATION)


def _tabled(document: Document, sense: NameSense) -> Iterator[Name]:
    for columns, rows in groupby((b for b in document.blocks if b.kind == "row"), key=lambda block: block.columns):
        if columns:
            yield from names_in_rows(list(rows), document.language, sense)


def _people(document: Document, sense: NameSense) -> Iterator[Name]:
    """Yield the people in bold words, headings, and list items: "Name, role".

    Beside people with a known first name, bold words of the same form are people as well.
    """
    perhaps: list[str] = []
    found = False
    for block in document.blocks:
        places = [*block.marked, *([document.words_of(block)] if block.kind in ("heading", "item", "fact") else [])]
        for place in places:
            core, rest = title_core(place)
            tokens = [token.text for token in words(core)]
            named = sense.capitals != "none" or (bool(rest) and (place in block.marked or block.kind == "heading"))
            named = named and fold(core) not in fold(document.title)
            if named and (sense.is_person(tokens, marked=True) or _has_role(tokens, rest, sense)):
                found = True
                role = sense.role_in(rest)
                yield Name(core, type=PERSON, nouns=(role,) if role else ())
            elif place in block.marked and 2 <= len(tokens) <= 3 and all(map(sense.is_unknown, tokens[:1])):
                perhaps.append(core)
    for core in perhaps if found else ():
        tokens = [token.text for token in words(core)]
        if not any(map(has_digit, tokens)) and all(t[0].isupper() and not sense.is_known(t) for t in tokens):
            yield Name(core, type=PERSON)


def _has_role(tokens: Sequence[str], rest: str, sense: NameSense) -> bool:
    """Return whether what follows a name says what the person is: "Joss Tregear, steering instructor"."""
    if not 2 <= len(tokens) <= 3 or sense.capitals == "none" or not sense.role_in(rest):
        return False
    return all(token[:1].isupper() and token.isalpha() for token in tokens) and any(map(sense.is_unknown, tokens))


def _in_text(document: Document, strong: Sequence[Name], sense: NameSense) -> Iterator[Name]:
    """Yield the names in running text that are no part of a name found already."""
    seen: dict[str, list[Run]] = {}
    for block in document.blocks:
        text = document.words_of(block)
        if block.kind in ("paragraph", "item", "fact") or (block.kind == "heading" and not _is_shouted(text, sense)):
            for run in sense.runs(text):
                seen.setdefault(fold(run.text), []).append(run)
    parts = [form for name in strong for form in (name.name, *name.aliases)]
    for runs in seen.values():
        within = sum(run.within for run in runs)
        name = _from_run(runs[0].text, len(runs), within, sense)
        if name and not any(is_part(name.name, form) for form in parts):
            yield name


def _is_shouted(heading: str, sense: NameSense) -> bool:
    """Return whether a heading has capitals where the language would not: "Returns And Refunds", "RETURNS"."""
    later = [token.text for token in words(heading)[1:]]
    return sense.capitals == "nouns" or any(token[0].isupper() and sense.is_known(token) for token in later)


def _from_run(text: str, count: int, within: int, sense: NameSense) -> Name | None:
    """Return the name that a run of capitals is, by how often it stands there and how often within a sentence."""
    tokens = [token.text for token in words(text)]
    if not within:
        return None
    if sense.is_person(tokens):
        return Name(text, type=PERSON)
    unknown = [token for token in tokens if sense.is_unknown(token)]
    if any(map(has_digit, tokens)):
        sure = sense.is_model(tokens) and unknown
        again = count > 1 and sense.is_model(tokens, titled=True)
        return Name(text, type=PRODUCT) if sure or again else None
    if sense.capitals == "none":
        return Name(text) if count > 1 and unknown and len(unknown) == len(tokens) else None
    if unknown and (len(tokens) > 1 or count > 1) and (sense.capitals == "names" or len(unknown) == len(tokens)):
        return Name(text, type=ORGANIZATION if "&" in text else OTHER)
    full = [token for token in tokens if len(token) > 2 and not token.isupper() and not sense.is_date(token)]
    if sense.capitals == "names" and within > 1 and len(full) == len(tokens) > 1 and "-" not in text:
        return Name(text)
    return None


def _facts(document: Document, sense: NameSense) -> Iterator[Attribute]:
    """Yield the facts that stand in lines of their own, in bold run-in heads, and in tables of two columns."""
    for block in document.blocks:
        if block.label and block.kind in ("fact", "item", "paragraph") and _is_key(block.label, sense):
            value = _value(document.words_of(block), block)
            if value:
                yield Attribute(block.label, value)
    for _, rows in groupby((b for b in document.blocks if b.kind == "row"), key=lambda block: block.columns):
        yield from facts_in_rows(list(rows))


def _is_key(label: str, sense: NameSense) -> bool:
    """Return whether *label* names a property and is not the first half of a sentence."""
    tokens = [token.text for token in words(label)]
    return (
        0 < len(tokens) <= MOST_KEY_WORDS and not any(map(sense.is_verb_form, tokens)) and not sense.is_stop(tokens[0])
    )


def _value(text: str, block: Block) -> str:
    """Return what follows the label: the first sentence, where it is short enough to be a value."""
    rest = text[text.find(block.label) + len(block.label) :].lstrip(" .:?!؟：\u00a0\u202f*–-")
    spans = sentences(rest)
    first = rest[: spans[0].end] if spans else rest
    return first.rstrip(" .") if 0 < len(first) <= LONGEST_VALUE else ""


def _nouns(name: Name, document: Document, sense: NameSense) -> tuple[str, ...]:
    """Return the common nouns said of *name*: those it carries, else one in the subtitle or just after the name."""
    if name.nouns or name.type == PERSON:
        return name.nouns
    subtitle = title_core(document.title)[1]
    body = [document.words_of(block) for block in document.blocks if block.kind in ("paragraph", "item", "fact")]
    under = document.blocks[1] if len(document.blocks) > 1 else None
    if under is not None and under.kind == "paragraph" and len(body[0].split()) <= LONGEST_SUBTITLE and not subtitle:
        subtitle = body[0]
    places = [subtitle]
    last = fold(words(name.name)[-1].text)
    for span in [span for text in body[:2] for span in sentences(text)][:3]:
        tokens = words(span.text)
        at = next((n for n, token in enumerate(tokens) if fold(token.text) == last), None)
        if at is not None and at + 1 < len(tokens):
            places.append(span.text[tokens[at + 1].start :])
    for place in places:
        tokens = words(place)[: WORDS_TO_NOUN + 1]
        for token, following in zip_longest(tokens[:WORDS_TO_NOUN], tokens[1:]):
            kind = sense.kind(token.text)
            fits = kind and kind.type in (name.type, PRODUCT) and _says_what(kind)
            if kind and fits and not is_part(token.text, name.name) and not _goes_on(following, sense):
                return (kind.lemma,)
    return ()


def _goes_on(following: Token | None, sense: NameSense) -> bool:
    """Return whether a noun only begins a compound in two words: "a headphone jack" is no headphone."""
    return not sense.noun_first and following is not None and sense.is_thing(following.text)


def _says_what(kind: Noun) -> bool:
    """Return whether a noun says what a thing is: of the kinds in the type sets, or under one of them."""
    kinds = {kind.id, *kind.hypernyms}
    return bool(kinds & (typed_kinds() - VAGUE_KINDS)) and kind.id not in VAGUE_KINDS and not kinds & MINOR_KINDS

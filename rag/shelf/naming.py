"""Documents to names: what the catalogue knows of the things that a document speaks of.

    title and headings    the thing a document is about, its editions and plans
    tables                a row or a column a thing, the other cells its attributes
    facts                 "key: value" lines and bold words that open a paragraph: attributes of the title's thing
    people                a first name and more, in bold, in a heading, or within a sentence
    running text          runs of capitals seen again, names with a number

Names of several documents are joined by ``merging``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from languages.text import fold, sentences, words
from memory.types import Attribute, Name
from rag.shelf.blocks import Block, Document
from rag.shelf.merging import is_part, merge_spelled
from rag.shelf.nameforms import (
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
from rag.shelf.tablenames import facts_in_rows, names_in_rows

LONGEST_VALUE = 120
MOST_KEY_WORDS = 4
WORDS_TO_NOUN = 8  # between a name and the noun that says what it is
# What belongs to a thing is not what it is, and words for anything do not help to find it.
MINOR_KINDS = frozenset({"accessory", "part"})
VAGUE_KINDS = frozenset({"product", "article", "brand-product", "device", "electronics", "service", "version"})
PAGE_TITLE = "page_title"  # the key of HTML's own title among a document's metadata


def names_in(document: Document) -> tuple[Name, ...]:
    """Return the names that *document* makes known, the one it is about first."""
    sense = name_sense(document.language)
    main = _titled(document.title, document, sense)
    headed = list(_headed(document, sense))
    tabled = list(_tabled(document, sense))
    people = list(_people(document, sense))
    strong = [name for name in (main, *headed, *tabled, *people) if name]
    text = list(_in_text(document, strong, sense))
    owner = main or (strong[0] if len({fold(name.name) for name in headed}) == 1 and headed else None)
    if owner:
        owned = replace(
            owner, attributes=(*owner.attributes, *_facts(document, sense)), nouns=_nouns(owner, document, sense)
        )
        strong = [owned, *(name for name in strong if name is not owner)]
    return merge_spelled((*strong, *text))


def _titled(title: str, document: Document, sense: NameSense) -> Name | None:
    core, rest = title_core(_as_written(title, document))
    name = _judged(core, sense)
    tokens = [token.text for token in words(core)]
    if name is None and rest and len(tokens) <= 3 and not any(map(sense.is_stop, tokens)):
        # "murr mini - true wireless earbuds": what has a subtitle is what the document is about.
        name = Name(core) if any(map(sense.is_unknown, tokens)) else None
    return name


def _judged(core: str, sense: NameSense, *, heading: bool = False) -> Name | None:
    """Return the name that a title or heading is, or None: "Tern 14", "Tarif Solidaire", "باقة مدى بلس"."""
    tokens = [token.text for token in words(core)]
    if not tokens or len(tokens) > MOST_WORDS:
        return None
    if sense.is_person(tokens, marked=True):
        return Name(core, type=PERSON)
    before, kind = _type_noun(core, sense)
    rest = [token.text for token in words(core[len(before) :]) if not token.text.endswith(("'", "’"))]
    if not rest or any(map(sense.is_stop, rest)):
        return None
    if sense.is_model(rest, titled=not heading) or (before and any(map(has_digit, rest))):
        return _with_noun(core, before, kind.type if kind else PRODUCT, sense)
    if sense.capitals == "none":
        latin = all(map(is_latin, rest)) and any(map(sense.is_unknown, rest))
        if latin or (before and len(rest) <= 2 and not heading):
            return _with_noun(core, before, kind.type if kind else OTHER, sense)
        return None
    capital = all(token[:1].isupper() for token in rest)
    unknown = [token for token in rest if sense.is_unknown(token)]
    if before and capital and (unknown or sense.capitals == "names"):
        return _with_noun(core, before, kind.type if kind else OTHER, sense)
    if unknown and not heading and (capital or len(unknown) == len(rest)):
        return Name(core, type=kind.type if kind else OTHER)
    return None


def _type_noun(core: str, sense: NameSense) -> tuple[str, _Kind | None]:
    """Return the common noun that opens *core* ("Forfait Liberté", "هاتف Hilal 9") with what it names."""
    tokens = words(core)
    for count in (2, 1):
        if len(tokens) > count:
            noun = core[tokens[0].start : tokens[count - 1].end]
            kind = sense.kind(noun.lower())
            exact = kind is not None and fold(noun) in {fold(form) for form in (kind.lemma, *kind.plurals)}
            if kind and exact and not has_digit(noun):
                return core[: tokens[count].start], _Kind(noun, kind.type)
    return "", None


@dataclass(frozen=True, slots=True)
class _Kind:
    noun: str
    type: str


def _with_noun(core: str, before: str, type_: str, sense: NameSense) -> Name:
    """Return *core* as a name; the noun before it is said of it, and the name may stand without it."""
    rest = core[len(before) :].strip()
    noun = before.strip()
    if not before:
        return Name(core, type=type_)
    if sense.capitals == "none" and is_latin(rest):
        return Name(rest, type=type_, aliases=(core,), nouns=(noun,))
    alone = len(words(rest)) > 1 or not sense.is_known(rest)
    alias = (rest,) if alone and not rest[0].isdigit() else ()
    return Name(core, type=type_, aliases=alias, nouns=(noun.lower() if sense.capitals == "names" else noun,))


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
    """Yield the names that headings below the title are."""
    for block in document.blocks:
        if block.kind == "heading":
            core, _ = title_core(document.words_of(block))
            if fold(core) != fold(document.title):
                name = _judged(core, sense, heading=True)
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
            core, _ = title_core(place)
            tokens = [token.text for token in words(core)]
            if sense.is_person(tokens, marked=True):
                found = True
                yield Name(core, type=PERSON)
            elif place in block.marked and 2 <= len(tokens) <= 3 and all(map(sense.is_unknown, tokens[:1])):
                perhaps.append(core)
    for core in perhaps if found else ():
        tokens = [token.text for token in words(core)]
        if not any(map(has_digit, tokens)) and all(t[0].isupper() and not sense.is_known(t) for t in tokens):
            yield Name(core, type=PERSON)


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
    body = [document.words_of(block) for block in document.blocks if block.kind in ("paragraph", "item")]
    if body and len(body[0].split()) <= 9 and not subtitle:
        subtitle = body[0]
    places = [subtitle]
    last = fold(words(name.name)[-1].text)
    for span in [span for text in body[:2] for span in sentences(text)][:3]:
        tokens = words(span.text)
        at = next((n for n, token in enumerate(tokens) if fold(token.text) == last), None)
        if at is not None and at + 1 < len(tokens):
            places.append(span.text[tokens[at + 1].start :])
    for place in places:
        for token in words(place)[:WORDS_TO_NOUN]:
            kind = sense.kind(token.text)
            fits = (
                kind
                and kind.type in (name.type, PRODUCT)
                and not MINOR_KINDS & {kind.id, *kind.hypernyms}
                and kind.id not in VAGUE_KINDS
            )
            if kind and fits and not is_part(token.text, name.name):
                return (kind.lemma,)
    return ()

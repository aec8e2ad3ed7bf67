"""Names in tables: a row a thing, or a column a thing, with its cells as attributes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from languages.columns import Role, role_of
from languages.nouns import Noun
from languages.text import fold
from memory.types import Attribute, Name
from rag.shelf.blocks import Block
from rag.shelf.nameforms import OTHER, PRODUCT, NameSense, has_digit, is_latin, title_core

LONGEST_NAME = 60
MOST_ROW_WORDS = 4
SURE_ROWS = 0.3  # share of a column that looks like names by itself, from which all of it is taken for names
# Words for anything: "Item" and "Service" may head what has no names of its own.
VAGUE_KINDS = frozenset({"product", "article", "brand-product", "device", "electronics", "service", "version", "model"})


def names_in_rows(rows: Sequence[Block], language: str, sense: NameSense) -> tuple[Name, ...]:
    """Return the names in a table: those of its name column, or those above its columns.

    A table with neither makes no name known; it may still hold facts of the document's own name.
    """
    if not rows or len(rows[0].columns) < 2:
        return ()
    columns = rows[0].columns
    roles = [role_of(column, language) for column in columns]
    at = _name_column(columns, roles)
    if at is not None:
        # A maker, a type or a role beside it makes any cell a name.
        sure = "name" in roles and not {"brand", "type", "role"}.isdisjoint(roles)
        first = None if sense.breaks(columns[at].split()) else sense.kind(columns[at])  # "Ce qui est inclus"
        named = rows if sure else _named_rows([row for row in rows if len(row.cells) > at], at, first, sense)
        if named:
            plain = first is not None and (sense.capitals != "nouns" or _is_form_of(columns[at], first))
            vague = roles[at] is not None and (first is None or first.id in VAGUE_KINDS)
            noun = "" if vague else first.lemma if first and plain else columns[at]
            return tuple(_row_names(named, [*roles[:at], "name", *roles[at + 1 :]], at, sense, noun=noun))
        if roles[at] == "name" or first:
            return ()
    heads = columns[1:]
    if (not columns[0] or roles[0] == "feature") and len(heads) > 1 and all(map(_is_nameable, heads)):
        return tuple(_column_names(rows))
    if all(sense.is_model(head.split()) for head in heads) and len(heads) > 1:
        return tuple(_column_names(rows))
    return ()


def facts_in_rows(rows: Sequence[Block]) -> tuple[Attribute, ...]:
    """Return the facts of a table of two columns without names: what is asked, what is the answer."""
    if not rows or len(rows[0].columns) != 2:
        return ()
    return tuple(
        Attribute(row.cells[0], row.cells[1]) for row in rows if len(row.cells) == 2 and row.cells[0] and row.cells[1]
    )


def _row_names(
    rows: Sequence[Block], roles: Sequence[str | None], at: int, sense: NameSense, *, noun: str = ""
) -> Iterator[Name]:
    for row in rows:
        cells = dict(enumerate(row.cells))
        model = title_core(cells.get(at, ""))[0] if cells.get(at) else ""
        if not _is_nameable(model):
            continue
        brand = next((cells.get(n, "") for n, role in enumerate(roles) if role == "brand"), "")
        kind = next((cells.get(n, "") for n, role in enumerate(roles) if role == "type"), "") or noun
        name = joined(brand, model)
        attributes = tuple(
            Attribute(row.columns[n], cell)
            for n, cell in cells.items()
            if cell and n != at and n < len(row.columns) and row.columns[n]
        )
        found = sense.kind(kind) if kind else None
        kind = kind or sense.role_in(next((cells.get(n, "") for n, role in enumerate(roles) if role == "role"), ""))
        # Whoever has a role is a person, also with a first name that no list holds.
        person = "role" in roles and 2 <= len(model.split()) <= 4 and not has_digit(model)
        yield Name(
            name,
            type="PERSON" if person else found.type if found else PRODUCT if has_digit(name) else OTHER,
            aliases=(model,) if name != model else sense.inflected(name),
            attributes=attributes,
            nouns=(kind.lower() if sense.capitals == "names" else kind,) if kind else (),
        )


def _column_names(rows: Sequence[Block]) -> Iterator[Name]:
    for at, head in enumerate(rows[0].columns[1:], start=1):
        attributes = tuple(
            Attribute(row.cells[0], row.cells[at])
            for row in rows
            if len(row.cells) > at and row.cells[0] and row.cells[at]
        )
        yield Name(head, type=PRODUCT if has_digit(head) else OTHER, attributes=attributes)


def joined(brand: str, model: str) -> str:
    """Return maker and model in one, where the model alone stands in its column.

    Only within one script: an Arabic maker stands after a Latin name, not before it.

    >>> joined("quanda", "s6"), joined("Brevik", "Brevik Tern 14"), joined("", "Duet 500")
    ('quanda s6', 'Brevik Tern 14', 'Duet 500')
    """
    if not brand or not (is_latin(brand) and is_latin(model)) or fold(brand) in fold(model):
        return model
    return f"{brand} {model}"


def _is_name(cell: str, sense: NameSense) -> bool:
    """Return whether a cell is a name by itself: "Meadow 60", "Horizon+", not "Battery replacement"."""
    tokens = title_core(cell)[0].split()
    if not 0 < len(tokens) <= MOST_ROW_WORDS or sense.breaks(tokens):
        return False
    if sense.capitals == "nouns" and not cell[:1].isupper():
        return False
    if sense.capitals == "none" and sense.is_common(tokens[0]):
        return False
    capitals = len(tokens) > 1 and all(word[:1].isupper() or word == "&" for word in tokens)
    return has_digit(cell) or cell.endswith("+") or any(map(sense.is_unknown, tokens)) or capitals


def _name_column(columns: Sequence[str], roles: Sequence[Role | None]) -> int | None:
    """Return which column has the names: the one called so, else the first that has no numbers of articles."""
    if "name" in roles:
        return roles.index("name")
    at = 1 if roles[0] == "code" and len(roles) > 2 else 0
    return at if columns[at] and roles[at] in (None, "role") else None


def _named_rows(rows: Sequence[Block], at: int, first: Noun | None, sense: NameSense) -> list[Block]:
    """Return the rows that are things with names of their own, by what the head of their column, *first*, names.

    Under "Boat" or "Course" each row is one, whatever word it is called by; under "Item", or where the head is no such
    noun, all are where some look like names by themselves: cells of one column are of one sort.
    """
    cells = [row.cells[at] for row in rows]
    if not cells:
        return []
    if _are_sorts(cells, first.lemma if first else rows[0].columns[at], sense):
        return list(rows)
    specific = first is not None and first.id not in VAGUE_KINDS
    fitting = [row for row in rows if _may_name(row.cells[at], sense, phrases=specific)]
    if specific and 2 * len(fitting) >= len(rows):
        return fitting
    sure = [row for row in rows if _is_name(row.cells[at], sense)]
    several = len(rows) > 1 and len(rows[0].columns) > 2
    if several and len(sure) >= SURE_ROWS * len(rows) and len(fitting) == len(rows):
        return fitting
    return sure if first is not None or at or role_of(rows[0].columns[at], sense.code) == "name" else []


def _may_name(cell: str, sense: NameSense, *, phrases: bool = False) -> bool:
    """Return whether a cell of a column of names may be one: a few words, the first with a capital.

    Words that are numbers or parts of the calendar are none; "Stool of ash" is one among *phrases*.
    """
    tokens = title_core(cell)[0].split()
    if not 0 < len(tokens) <= MOST_ROW_WORDS + phrases or any(map(sense.is_date, tokens)):
        return False
    if sense.breaks(tokens[:1] if phrases else tokens) or sense.is_stop(tokens[-1]):
        return False
    if not phrases and len(tokens) == 1 and sense.is_common(tokens[0]):
        return False
    capital = sense.capitals == "none" or tokens[0][:1].isupper()
    return capital and any(map(str.isalpha, "".join(tokens))) and not has_digit(tokens[0][:1])


def _is_form_of(text: str, noun: Noun) -> bool:
    """Return whether *text* is *noun* itself, in singular or plural, and no compound that ends in it."""
    return fold(text) in {fold(form) for form in (noun.lemma, *noun.plurals)}


def _are_sorts(cells: Sequence[str], noun: str, sense: NameSense) -> bool:
    """Return whether each cell is a sort of what the head of the column says: "Hafenführung" and more under "Führung".

    Each is then a thing of its own, though its name is made of common words.
    """
    split = [cell.split() for cell in cells]
    return len(split) > 1 and all(1 <= len(cell) <= MOST_ROW_WORDS and _is_sort(cell, noun, sense) for cell in split)


def _is_sort(cell: Sequence[str], noun: str, sense: NameSense) -> bool:
    wanted = fold(noun)
    if sense.capitals == "nouns" and len(cell) == 1:
        return len(cell[0]) > len(noun) and fold(cell[0]).endswith(wanted)
    return len(cell) > 1 and fold(cell[0] if sense.noun_first else cell[-1]) == wanted


def _is_nameable(text: str) -> bool:
    return bool(text) and len(text) <= LONGEST_NAME and any(map(str.isalpha, text)) and not text[:1].isdigit()

"""Names in tables: a row a thing, or a column a thing, with its cells as attributes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from languages.columns import role_of
from languages.text import fold
from memory.types import Attribute, Name
from rag.shelf.blocks import Block
from rag.shelf.nameforms import OTHER, PRODUCT, NameSense, has_digit, is_latin, title_core

LONGEST_NAME = 60
MOST_ROW_WORDS = 4


def names_in_rows(rows: Sequence[Block], language: str, sense: NameSense) -> tuple[Name, ...]:
    """Return the names in a table: those of its name column, or those above its columns.

    A table with neither makes no name known; it may still hold facts of the document's own name.
    """
    if not rows or len(rows[0].columns) < 2:
        return ()
    columns = rows[0].columns
    roles = [role_of(column, language) for column in columns]
    if "name" in roles:
        at = roles.index("name")
        # A maker, a type or a role beside it makes any cell a name; without them "Item" may head anything.
        sure = not {"brand", "type", "role"}.isdisjoint(roles)
        named = [row for row in rows if sure or (len(row.cells) > at and _is_name(row.cells[at], sense))]
        return tuple(_row_names(named, roles, at, sense))
    if columns[0] and roles[0] is None:
        first = sense.kind(columns[0])
        noun = first.lemma if first else columns[0]
        sorts = _are_sorts(rows, noun, sense)
        if first or sorts:
            named = [row for row in rows if row.cells and (sorts or _is_name(row.cells[0], sense))]
            return tuple(_row_names(named, ["name", *roles[1:]], 0, sense, noun=noun))
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
            aliases=(model,) if name != model else (),
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


def _are_sorts(rows: Sequence[Block], noun: str, sense: NameSense) -> bool:
    """Return whether each row is a sort of what the head of the column says: "Hafenführung" and more under "Führung".

    Each is then a thing of its own, though its name is made of common words.
    """
    cells = [row.cells[0].split() for row in rows if row.cells]
    return len(cells) > 1 and all(1 <= len(cell) <= MOST_ROW_WORDS and _is_sort(cell, noun, sense) for cell in cells)


def _is_sort(cell: Sequence[str], noun: str, sense: NameSense) -> bool:
    wanted = fold(noun)
    if sense.capitals == "nouns" and len(cell) == 1:
        return len(cell[0]) > len(noun) and fold(cell[0]).endswith(wanted)
    return len(cell) > 1 and fold(cell[0] if sense.noun_first else cell[-1]) == wanted


def _is_nameable(text: str) -> bool:
    return bool(text) and len(text) <= LONGEST_NAME and any(map(str.isalpha, text)) and not text[:1].isdigit()

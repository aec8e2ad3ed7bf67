"""How a found unit is put: the sentence itself, the cell of a row with its column, cut where it is too long."""

from __future__ import annotations

import re
from collections.abc import Sequence

from babel import Locale

from languages import Language, codes, load, words
from languages.lexicon import lexicon
from rag.answer.measures import types
from rag.answer.questions import Asked, patterns, stated
from rag.answer.reading import Scored, found_in
from rag.answer.request import AnswerRequest
from rag.answer.stems import stems, stop_stems
from rag.answer.subjects import About, Subject, about, subject
from rag.answer.units import Unit
from rag.answer.when import When
from rag.events import Citation

LONGEST = 350  # characters of an answer: what one reads at a glance
_EXACT = frozenset(("clock", "day", "date"))  # types that nothing else can be taken for
_BY_COLUMN = 1.5  # what the days or the range in a column's head count beside its name
_MARKER = 6  # characters that a citation marker takes
_UNIT_OF_COLUMN = re.compile(r"(?P<name>[^()]*[^()\s])\s*\((?P<unit>[^()\d]{1,12})\)")
_BARE_NUMBER = re.compile(r"\d[\d.,\u00a0\u202f٫٬ ]*")
_ZEROS = re.compile(r"[.,]0+\Z")


def cite(request: AnswerRequest, unit: Unit, number: int) -> Citation:
    """Return the citation of *unit*: its text as it stands in the document."""
    passage = request.hits[unit.hit].passage
    return Citation(
        number=number,
        document=passage.document,
        quote=unit.text,
        passage=passage.id,
        heading=passage.heading,
        shelf=passage.shelf,
    )


def say(request: AnswerRequest, asked: Asked, found: Scored, about_it: Subject | None) -> str:
    """Return the text that answers: the asked cell of a row, else the sentence, in a frame if its language differs."""
    unit = found.unit
    text = row(request, asked, unit, about_it) if unit.cells else unit.plain
    spoken = request.hits[unit.hit].passage.language
    if unit.label and not unit.labelled and not unit.cells and leans(unit, spoken or request.language):
        text = _valued(load(request.language), unit.label, text)  # "Nora Vale, adviser: She is in on Fridays."
    text = shorten(text.lstrip("-–—*•· "), LONGEST - 2 * _MARKER)
    if unit.cells or spoken == request.language or spoken not in codes():
        return text
    language = load(request.language)
    framed = language.text(
        "answer.other_language", {"language": language_name(spoken, language), "quote": language.quote(text)}
    )
    return framed if len(framed) <= LONGEST - _MARKER else text


def language_name(code: str, language: Language) -> str:
    """Return what *language* calls the language *code*."""
    return str(Locale.parse(language.locale).languages.get(code, code))


def marked(text: str, numbers: tuple[int, ...]) -> str:
    """Return *text* with citation markers after it.

    >>> marked("It weighs 1 kg.", (1,))
    'It weighs 1 kg. [1]'
    """
    return f"{text} {''.join(f'[{number}]' for number in numbers)}"


def shorten(text: str, most: int) -> str:
    """Return *text* cut between two words where it is longer than *most* characters, with an ellipsis.

    >>> shorten("one two three", 9)
    'one two…'
    """
    if len(text) <= most:
        return text
    cut = max((token.end for token in words(text[: most + 1]) if token.end < most), default=most - 1)
    return text[:cut].rstrip(" \u202f,;:،؛–-") + "…"


def leans(unit: Unit, language: str) -> bool:
    """Return whether *unit* begins with a word that leans on the sentence before it."""
    first = stems(unit.plain, language)[:1]
    return bool(first) and first in patterns(language).leaning


def row(
    request: AnswerRequest, asked: Asked, unit: Unit, about_it: Subject | None, *, frame: str = "answer.row"
) -> str:
    """Return what a row says of the attribute asked for, all of its cells in *frame* where none is asked for."""
    language = load(request.language)
    spoken = request.hits[unit.hit].passage.language or request.language
    if len(unit.cells) == 1:
        column, value = unit.cells[0]
        return _valued(language, column, value)
    title, columns = unit.cells[0][1], unit.cells[1:]
    own = [cell for cell in columns if about_it is not None and about(cell[0], about_it) is About.SAME]
    if not own and not _is_its_row(request, title, about_it):  # a column named in the question, where no known thing is
        own = [cell for cell in columns if cell[0] and _mentions(request, cell[0])]
        own = own if len(own) == 1 else []
    if own:  # a table with a column for each thing: "Price | £17 | £25"
        return language.text("answer.attribute", {"entity": own[0][0], "attribute": title, "value": own[0][1]})
    if len(columns) == 1 and title and (about_it is None or about(title, about_it) is not About.SAME):
        return _valued(language, title, united(columns[0])[1])  # "Screen | 14 inches" under "Item | Value"
    said_so = [cell for cell in columns if cell[0] and _mentions(request, cell[0])]
    timed = asked.values <= _EXACT  # "until what time does she answer the telephone" asks for no number
    chosen = said_so if len(said_so) == 1 and not timed else _cells(request, asked, columns, spoken)
    name = about_it.name if about_it is not None and about(title, about_it) >= About.SHORT else title
    if len(chosen) == 1:
        column, value = united(chosen[0])
        if column:
            return language.text("answer.attribute", {"entity": name, "attribute": column, "value": value})
        return _valued(language, name, value)
    said = listed(language, tuple(map(united, chosen or columns)))
    return language.text(frame, {"entity": name, "value": said}) if name else said


def listed(language: Language, columns: Sequence[tuple[str, str]]) -> str:
    """Return the cells of a row one after the other, as *language* sets them apart.

    >>> listed(load("en"), (("Price", "£9"), ("", "red")))
    'Price: £9; red'
    """
    return language.semicolon.join(_valued(language, column, value) for column, value in columns)


def united(cell: tuple[str, str]) -> tuple[str, str]:
    """Return a cell whose unit stands in its column's name with the unit at its value.

    >>> united(("Price (EUR)", "249,00")), united(("Colour", "red"))
    (('Price', '249 EUR'), ('Colour', 'red'))
    """
    match = _UNIT_OF_COLUMN.fullmatch(cell[0])
    if match is None or not _BARE_NUMBER.fullmatch(cell[1]):
        return cell
    return match["name"], f"{_ZEROS.sub('', cell[1])} {match['unit']}"


def cells_of(unit: Unit, attribute: str, language: str) -> list[str]:
    """Return what a row has in the columns that name *attribute*, each with its unit."""
    return [
        united((column, cell))[1]
        for column, cell in unit.cells
        if column and stated(stems(column, language), language).get(attribute, 0.0) >= 1
    ]


def _valued(language: Language, name: str, value: str) -> str:
    return language.text("answer.value", {"entity": name, "value": value}) if name else value


def named(request: AnswerRequest, found: Scored, text: str, about_it: Subject | None) -> str:
    """Return *text* led by the name of the thing asked about where a bare row or labelled line leaves it out.

    "Price: £59" stands under the kettle's name in its document, but alone in an answer.
    """
    bare = found.unit.labelled or 0 < len(found.unit.cells) <= 2  # a longer row has its own name
    its = max(found.features.subject, found.features.inherited) >= 1
    if about_it is None or not bare or not its or found.crossing or about(text, about_it) >= About.SHORT:
        return text
    led = load(request.language).text("answer.row", {"entity": about_it.name, "value": text})
    return led if len(led) <= LONGEST - 2 * _MARKER else text


def _is_its_row(request: AnswerRequest, title: str, about_it: Subject | None) -> bool:
    """Return whether a row is the thing's own, by its first cell: then its columns are what is said of it."""
    if about_it is not None and about(title, about_it) >= About.SHORT:
        return True
    language = request.language
    return bool(title) and _mentions(request, title) and not stated(stems(title, language), language)


def _mentions(request: AnswerRequest, column: str) -> bool:
    return about(request.standalone, subject(column, (), ())) is About.SAME


def _cells(
    request: AnswerRequest, asked: Asked, columns: tuple[tuple[str, str], ...], spoken: str
) -> tuple[tuple[str, str], ...]:
    """Return the cells that are asked for by their columns' names: one, or one for each of two attributes."""
    wanted = tuple(set(stems(request.standalone, request.language)) - stop_stems(request.language))
    exact = asked.values if asked.values <= _EXACT else frozenset[str]()
    when = When(request, ())
    scored: list[tuple[float, int, str]] = []
    for place, (column, value) in enumerate(columns):
        head = stems(column.partition("(")[0], spoken)
        facts = stated(stems(column, spoken), spoken) if spoken in codes() else {}
        named = [found_in(word, wanted) for word in set(head) if word not in stop_stems(request.language)]
        score = 1.4 * max(named, default=0.0) + 0.6 * sum(named) / max(len(named), 1)
        found = ""
        for number, name in enumerate(asked.attributes[:3]):
            if (2.5 - 0.5 * number) * facts.get(name, 0.0) > score:
                score, found = (2.5 - 0.5 * number) * facts[name], name
        score += 0.6 * any(word in wanted for word in stems(value, spoken))
        score += _BY_COLUMN * (when.of_text(column, spoken) if spoken in codes() else 0.0)
        score += 0.3 * sum(named)  # of two columns of hours the one with the day that is asked about
        if exact and spoken in codes() and types(f"{column}: {value}", spoken, facts) & exact:
            score += _BY_COLUMN  # "until what time" is answered by a time, whatever its column is called
        if score >= 1.0:
            scored.append((score, place, found))
    if not scored:
        return _only_fitting(asked, columns, spoken)
    scored.sort(key=lambda each: (-each[0], each[1]))
    # Several attributes in one question ("how heavy is it and what does it cost?") want several cells.
    several = len(asked.attributes) > 1 and len(scored) > 1 and scored[1][0] >= 2.0 and scored[0][2] != scored[1][2]
    return tuple(columns[place] for place in sorted(place for _, place, _ in scored[: 1 + several]))


def _only_fitting(asked: Asked, columns: tuple[tuple[str, str], ...], spoken: str) -> tuple[tuple[str, str], ...]:
    """Return the only cell that can answer by its kind: the one with a time for "how long", with a person for "who"."""
    if spoken not in codes():
        return ()
    if "person" in asked.kinds:
        kinds = [lexicon(spoken).kind(column) for column, _ in columns]
        fitting = [cell for cell, kind in zip(columns, kinds, strict=True) if kind and kind.type == "PERSON"]
    else:
        wanted = asked.values - {"name"}
        fitting = [
            cell for cell in columns if types(": ".join(cell), spoken, stated(stems(cell[0], spoken), spoken)) & wanted
        ]
    return tuple(fitting) if len(fitting) == 1 else ()

"""The comparison page: products from the documents side by side, each value with its source."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import partial
from typing import Final

import streamlit as st

from languages import Language, codes, fold, load
from memory.errors import ReferentMemoryError
from memory.types import Name
from rag.answer.sidebyside import Row, Value, languages_of, products, side_by_side, to_csv
from rag.answer.units import cells
from rag.answer.wording import listed
from rag.errors import ReferentError
from rag.events import Passage
from rag.pages.acting import draw_download
from rag.pages.application import Application, Opener
from rag.pages.direction import direction
from rag.pages.marks import plain
from rag.pages.message import marked, say
from rag.pages.session import interface, person
from rag.shelf.owners import Scope

OFFERED: Final = 30  # products at a time; whoever has more searches
MOST: Final = 6  # products side by side
_FILTERED: Final = 12  # products from which on there is a field to search in
_CHOSEN: Final = "compared"  # the session's key of the products chosen
_QUOTED: Final = 3  # passages of one document
_EXPORTS: Final = (
    ("compare.export_csv", "csv", "csv", "text/csv"),
    ("compare.export_markdown", "markdown", "md", "text/markdown"),
)

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Comparison:
    """What is on the page: the products, their rows, and the documents by the number they are cited with."""

    names: tuple[Name, ...]
    rows: tuple[Row, ...]
    code: str  # the language of the documents

    @property
    def numbers(self) -> dict[str, int]:
        """Return the number of each document, in the order of the table."""
        cited = (document for row in self.rows for cell in row.cells for value in cell for document in value.documents)
        return {document: number for number, document in enumerate(dict.fromkeys(cited), start=1)}


def compare(opener: Opener) -> None:
    """Draw the comparison page."""
    texts = interface()
    st.title(texts.text("compare.title"), anchor=False)
    st.markdown(texts.text("compare.intro"))
    try:
        application = opener()
        scope = Scope(application.settings.shelves, person())
        known = products(application.library.catalog(scope).names)
        if not known:
            st.info(texts.text("compare.none"))
            return
        chosen = _choose(texts, known)
        if len(chosen) < 2:
            st.caption(texts.text("compare.choose"))
            return
        comparison = _rows(texts, chosen, _languages(application, scope))
        if not comparison.rows:
            st.info(texts.text("compare.nothing_common"))
            return
        _draw_table(texts, comparison)
        _draw_sources(texts, application, scope, comparison)
        _draw_exports(texts, comparison)
    except (ReferentError, ReferentMemoryError) as error:
        _log.warning("%s: %s", type(error).__name__, error)
        st.error(say(texts, error.key, error.values), icon=":material/error:")


def _languages(application: Application, scope: Scope) -> Mapping[str, str]:
    """Return in which language each document is."""
    return {record.name: record.language for owner in scope.owners for record in application.library.documents(owner)}


def _choose(texts: Language, known: Sequence[Name]) -> tuple[Name, ...]:
    """Draw the choice of products; those chosen stay in sight whatever is searched for."""
    words = ""
    if len(known) > _FILTERED:
        words = st.text_input(texts.text("compare.filter"), key="compare-words", icon=":material/search:")
    kept = [name for name in st.session_state.get(_CHOSEN, ()) if any(each.name == name for each in known)]
    wanted = fold(words)
    fits = [each.name for each in known if wanted in fold(f"{each.name} {' '.join(each.nouns)}")]
    offered = list(dict.fromkeys((*kept, *fits[:OFFERED])))
    key = f"products-{words}"

    def _keep() -> None:  # at once: whoever searches on before the page is drawn again has chosen all the same
        st.session_state[_CHOSEN] = _in_order(kept, st.session_state.get(key) or ())

    st.session_state[key] = kept  # as it is now, whatever was chosen below these words before
    st.pills(
        texts.text("compare.products"),
        offered,
        selection_mode="multi",
        key=key,
        format_func=lambda name: f"\u2068{plain(name)}\u2069",
        on_change=_keep,
    )
    by_name = {each.name: each for each in known}
    return tuple(by_name[name] for name in kept)


def _in_order(kept: Sequence[str], chosen: Sequence[str]) -> list[str]:
    """Return what is *chosen*, what was *kept* of it first, and not more than stand side by side."""
    return [*(name for name in kept if name in chosen), *(name for name in chosen if name not in kept)][:MOST]


def _rows(texts: Language, chosen: tuple[Name, ...], languages: Mapping[str, str]) -> Comparison:
    """Draw what narrows the table, and return what is left of it."""
    spoken = [code for code in languages_of(chosen, languages) if code in codes()]
    if not spoken:
        return Comparison(chosen, (), texts.code)
    code = texts.code if texts.code in spoken else spoken[0]
    with st.container(horizontal=True, vertical_alignment="bottom", key="compare-options"):
        if len(spoken) > 1:
            code = st.selectbox(
                texts.text("compare.documents_in"),
                spoken,
                index=spoken.index(code),
                key=f"documents-in-{'-'.join(spoken)}",
                format_func=texts.name_of,
                filter_mode=None,
                width=260,
            )
        differing = st.toggle(texts.text("compare.differences"), key="compare-differences")
    every = side_by_side(chosen, languages, code)
    rows = [row for row in every if row.differs or not row.is_whole] if differing else list(every)
    labels = list(dict.fromkeys(row.label for row in rows))
    shared = [row.label for row in rows if sum(map(bool, row.cells)) > 1] or labels
    picked = st.pills(
        texts.text("compare.attributes"),
        labels,
        selection_mode="multi",
        default=list(dict.fromkeys(shared)),
        key=f"attributes-{code}-{differing}-{'-'.join(name.name for name in chosen)}",
        format_func=lambda label: f"\u2068{plain(label)}\u2069",
    )
    return Comparison(chosen, tuple(row for row in rows if row.label in picked), code)


def _draw_table(texts: Language, comparison: Comparison) -> None:
    way = load(comparison.code).direction
    heads = ("", *(f"\u2068{plain(name.name)}\u2069" for name in comparison.names))
    lines = [heads, ("---",) * len(heads), *(_line(texts, comparison, row) for row in comparison.rows)]
    with st.container(key=f"{way}-compare-table"):
        st.markdown("\n".join(f"| {' | '.join(line)} |" for line in lines))
    legend = [texts.text("compare.differs")] if any(row.differs for row in comparison.rows) else []
    if any(len(cell) > 1 for row in comparison.rows for cell in row.cells):
        legend.append(texts.text("compare.disagree"))
    if legend:
        st.caption(" ".join(legend))


def _line(texts: Language, comparison: Comparison, row: Row) -> tuple[str, ...]:
    """Return a row of the table as Markdown, what differs marked and in bold."""
    way, numbers = load(comparison.code).direction, comparison.numbers
    shown = []
    for cell in row.cells:
        parts = []
        for value in cell:
            cited = "".join(f"[{numbers[document]}]" for document in value.documents)
            text = plain(value.text.replace("\n", " "), way)
            parts.append(f"{f'**{text}**' if row.differs else text}\u00a0:small[{plain(cited)}]")
        mark = "⚠\u00a0" if len(cell) > 1 else ""
        shown.append(mark + " / ".join(parts) if parts else f":small[{plain(texts.text('compare.missing'))}]")
    label = f"≠\u00a0{plain(row.label, way)}" if row.differs else plain(row.label, way)
    return label, *shown


def _draw_sources(texts: Language, application: Application, scope: Scope, comparison: Comparison) -> None:
    """Draw the documents of the table; each opens on what it states."""
    st.caption(texts.text("chat.sources"))
    for document, number in comparison.numbers.items():
        label = f"{texts.number(str(number))} · \u2068{plain(document)}\u2069"
        with st.expander(label, type="compact", key=f"compared-{number}"):
            quoted = quotes(application.library.document_passages(document, scope), comparison, document)
            for place, (passage, values) in enumerate(quoted):
                text = passage.text
                if passage.context:  # a row with the names of its columns
                    spoken = load(passage.language) if passage.language in codes() else texts
                    text = listed(spoken, cells(passage))
                way = direction(text, texts.direction)
                with st.container(key=f"{way}-passage-compared-{number}-{place}"):
                    if passage.heading:
                        st.caption(plain(passage.heading, way))
                    st.markdown(marked(text, dict.fromkeys((v for v in values if v in text), ""), way))


def quotes(
    passages: Sequence[Passage], comparison: Comparison, document: str
) -> tuple[tuple[Passage, tuple[str, ...]], ...]:
    """Return the passages of *document* that state values of the table, with those values; a few of each product."""
    found: dict[str, tuple[Passage, list[str]]] = {}
    for place, name in enumerate(comparison.names):
        values = [v.text for row in comparison.rows for v in row.cells[place] if document in v.documents]
        called = {fold(form) for form in (name.name, *name.aliases)}
        own = [(passage, held) for passage in passages if (held := _held(passage, called, values))]
        for passage, held in sorted(own, key=lambda pair: -len(pair[1]))[:_QUOTED]:
            found.setdefault(passage.id, (passage, []))[1].extend(held)
    return tuple((passage, tuple(dict.fromkeys(held))) for passage, held in found.values())


def _held(passage: Passage, called: Set[str], values: Sequence[str]) -> list[str]:
    """Return the values that a passage states, where it speaks of the product *called* so."""
    where = fold(f"{passage.heading}\n{passage.context}\n{passage.text}")
    if not any(form in where for form in called):
        return []
    return [value for value in values if value in f"{passage.text}\n{passage.context}"]


def _draw_exports(texts: Language, comparison: Comparison) -> None:
    with st.container(horizontal=True, key="compare-exports"):
        for key, kind, ending, mime in _EXPORTS:
            made = partial(exported, texts, comparison, kind)
            draw_download(texts.text(key), made, name=f"referent-comparison.{ending}", mime=mime, key=f"export-{kind}")


def exported(texts: Language, comparison: Comparison, kind: str) -> bytes:
    """Return the table as a file: CSV with a mark of the encoding, for spreadsheets, or Markdown."""
    numbers = comparison.numbers
    heads = [texts.text("compare.attribute"), *(name.name for name in comparison.names)]
    rows = [[row.label, *(_written(cell, numbers) for cell in row.cells)] for row in comparison.rows]
    sources = [f"[{number}] {document}" for document, number in numbers.items()]
    missing = texts.text("compare.missing")
    if kind == "csv":
        below = [[source] for source in sources]
        return to_csv(missing, heads, rows + below).encode("utf-8-sig")
    table = [heads, ["---"] * len(heads), *([cell or missing for cell in row] for row in rows)]
    lines = [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in table]
    return "\n".join((*lines, "", *(f"- {source}" for source in sources), "")).encode("utf-8")


def _written(cell: Sequence[Value], numbers: Mapping[str, int]) -> str:
    return " / ".join(f"{value.text} {''.join(f'[{numbers[each]}]' for each in value.documents)}" for value in cell)

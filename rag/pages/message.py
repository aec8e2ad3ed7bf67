"""One turn on the page: the question with what it was understood as, the answer with its sources, or a question back.

The same functions draw a turn while it streams and when it comes from the store, so that a reload changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from languages import Language, MissingValue, UnknownText, codes, load
from memory.types import Link, Resolution
from rag.answer.units import cells
from rag.answer.wording import listed
from rag.events import Citation, Clarification, Hit, Passage, Turn
from rag.pages.direction import Direction, direction
from rag.pages.marks import plain, rich
from rag.pages.session import Correction, ask_next, correct_next
from rag.whereabouts import whereabouts

EXTRACTION: Final = "extraction"
_TAKEN_FOR: Final[Mapping[Direction, str]] = {"ltr": " → ", "rtl": " ← "}


def draw_turn(texts: Language, turn: Turn, *, latest: bool) -> None:
    """Draw a kept turn; its options and other readings can be chosen while it is the *latest*."""
    note = draw_question(turn.id, turn.question, otherwise=texts.direction)
    why = draw_understood(texts, turn.id, note, resolution=turn.resolution)
    if why is not None:
        draw_reasons(texts, turn.id, why, resolution=turn.resolution, latest=latest)
    with st.chat_message("assistant"):
        draw_outcome(texts, turn, latest=latest)


def draw_question(turn: str, question: str, *, otherwise: Direction) -> DeltaGenerator:
    """Draw the person's message; return the place below it for what it was understood as."""
    way = direction(question, otherwise)
    with st.container(key=f"question-{turn}"), st.chat_message("user"):
        with st.container(key=f"{way}-question-{turn}"):
            st.markdown(plain(question, way))
        return st.empty()


def draw_understood(
    texts: Language, turn: str, place: DeltaGenerator, *, resolution: Resolution
) -> DeltaGenerator | None:
    """Say how the question was read, where it was read otherwise than it stands or the person wants it as it stands.

    Return the place below it for the reasons, None where nothing was said.
    """
    said = ""
    if resolution.standalone.strip() != resolution.question.strip():
        standalone = plain(resolution.standalone, direction(resolution.standalone, texts.direction))
        said = texts.text("chat.understood", {"question": f"\u2068{standalone}\u2069"})
    elif any(not link.entities for link in resolution.links):
        said = texts.text("chat.understood_as_written")
    if not said:
        return None
    with place.container(key=f"{texts.direction}-understood-{turn}"):
        st.caption(said)
        return st.empty()


def draw_reasons(texts: Language, turn: str, place: DeltaGenerator, *, resolution: Resolution, latest: bool) -> None:
    """Draw what opens on what each expression was taken for and why; of the *latest* turn, with its other readings."""
    with (
        place.container(key=f"{texts.direction}-why-{turn}"),
        st.expander(texts.text("chat.why"), type="compact", key=f"why-{turn}"),
    ):
        for number, link in enumerate(resolution.links):
            st.markdown(reason(texts, link))
            written = link.replacement != resolution.question[link.start : link.end]
            if latest and (link.alternatives or written):
                _draw_readings(texts, turn, number, link, written=written)


def _draw_readings(texts: Language, turn: str, number: int, link: Link, *, written: bool) -> None:
    """Draw a button for each other reading of link *number*, and one for none where something was *written* in."""
    st.caption(texts.text("chat.other_reading"))
    readings = [(name, f"\u2068{plain(name)}\u2069") for name in link.alternatives]
    offered: list[tuple[str | None, str]] = [*readings]
    if written:
        offered.append((None, texts.text("chat.as_written")))
    with st.container(horizontal=True, key=f"readings-{turn}-{number}"):
        for place, (name, label) in enumerate(offered):
            chosen = Correction(turn, number, name)
            st.button(label, key=f"reading-{turn}-{number}-{place}", on_click=correct_next, args=(chosen,))


def reason(texts: Language, link: Link) -> str:
    """Return what an expression was taken for and what spoke for it, as far as the pack has words for it."""
    known = [words for evidence in link.evidence if (words := _evidence(texts, evidence))]
    named = filter(None, (link.text, texts.join(link.entities, "standard") if link.entities else ""))
    taken = _TAKEN_FOR[texts.direction].join(f"\u2068{plain(part)}\u2069" for part in named)
    why = plain(" · ".join(known))
    return texts.text("label.fact", {"attribute": taken, "value": why}) if taken and why else taken or why


def _evidence(texts: Language, evidence: str) -> str:
    """Return one piece of evidence ("turns_ago|2") in words, "" where the pack has none for it."""
    key, _, value = evidence.partition("|")
    try:
        return texts.text(f"evidence.{key}", {"count": value} if value else None)
    except (UnknownText, MissingValue):
        return ""


def draw_outcome(texts: Language, turn: Turn, *, latest: bool) -> None:
    """Draw what the turn came to: notices, answer and sources, or the question back."""
    for key in turn.notices:
        draw_notice(texts, key)
    if turn.answer is not None and turn.answer.text:
        literal = turn.answer.method == EXTRACTION
        spoken = load(turn.language).direction if turn.language in codes() else texts.direction
        # What is quoted may run the other way; the words around it say which way the line runs.
        way = spoken if literal else direction(turn.answer.text, spoken)
        with st.container(key=f"{way}-answer-{turn.id}"):
            st.markdown(ready(turn.answer.text, way, literal=literal))
        with st.container(key=f"{way}-sources-{turn.id}"):  # on the answer's side of the page
            draw_sources(texts, turn.id, turn.answer.citations, hits=turn.hits)
    if turn.clarification is not None:
        draw_clarification(texts, turn.id, turn.clarification, latest=latest)
    if turn.stopped:
        st.caption(texts.text("chat.stopped"))


def ready(text: str, way: Direction, *, literal: bool) -> str:
    """Return an answer, or as much of it as there is, ready for Markdown; *literal* where it is none itself."""
    return plain(text, way) if literal else rich(text, way)


def draw_notice(texts: Language, key: str) -> None:
    """Draw one quiet line about this turn."""
    st.caption(say(texts, key))


def draw_clarification(texts: Language, turn: str, asked: Clarification, *, latest: bool) -> None:
    """Draw the question back; choosing an option sends it as the person's next message."""
    way = direction(asked.question, texts.direction)
    with st.container(key=f"{way}-asked-{turn}"):
        st.markdown(plain(asked.question, way))
        with st.container(horizontal=True, key=f"options-{turn}"):
            for place, option in enumerate(asked.options):
                st.button(
                    plain(option),
                    key=f"option-{turn}-{place}",
                    on_click=ask_next,
                    args=(option,),
                    disabled=not latest,
                )


def draw_sources(texts: Language, turn: str, citations: Sequence[Citation], *, hits: Sequence[Hit]) -> None:
    """Draw the sources of an answer, each document and each text once; they open on it with the quoted words marked."""
    passages = {hit.passage.id: hit.passage for hit in hits}
    documents = _cited(citations, passages)
    with st.container(key=f"sources-{turn}", gap=None):
        for place, ((_, document), cited) in enumerate(documents.items()):
            numbers = sorted(each.number for group in cited.values() for each in group)
            places = {where for id in cited if (where := whereabouts(texts, passages.get(id)))}
            shown = texts.join([texts.number(str(number)) for number in numbers], "standard")
            label = f"{shown} · \u2068{plain(document)}\u2069"
            if len(places) == 1:
                label += f" · {min(places)}"
            with st.expander(label, type="compact", key=f"source-{turn}-{place}"):
                for number, (id, group) in enumerate(cited.items()):
                    key = f"{turn}-{place}-{number}"
                    draw_passage(
                        texts, key, group, passage=passages.get(id), placed=len(places) > 1, told=len(numbers) > 1
                    )


def _cited(
    citations: Sequence[Citation], passages: Mapping[str, Passage]
) -> dict[tuple[str, str], dict[str, list[Citation]]]:
    """Return the citations by shelf and document, then by passage; those of one text under one name go together."""
    documents: dict[tuple[str, str], dict[str, list[Citation]]] = {}
    first: dict[tuple[str, str, int], Citation] = {}
    for citation in citations:
        passage = passages.get(citation.passage)
        text, page = (passage.text, passage.page) if passage else (citation.quote, 0)
        same = first.setdefault((citation.document, " ".join(text.split()), page), citation)
        cited = documents.setdefault((same.shelf, same.document), {})
        cited.setdefault(same.passage or str(same.number), []).append(citation)
    return documents


def draw_passage(
    texts: Language, key: str, citations: Sequence[Citation], *, passage: Passage | None, placed: bool, told: bool
) -> None:
    """Draw a passage in its own direction with the quoted words marked; a row with the names of its columns.

    Its page or row is said if *placed*, and the number of each quotation if *told*: where a document has
    several.
    """
    quotes = dict.fromkeys((each.quote for each in citations), "")
    for each in citations if told else ():
        quotes[each.quote] += f"[{texts.number(str(each.number))}]"
    text = passage.text if passage else "\n".join(quotes)
    if passage and passage.context:  # a row is quoted whole; bare cells and cells with columns would say it twice
        text = listed(load(passage.language) if passage.language in codes() else texts, cells(passage))
        quotes = {text: "".join(quotes.values())}
    way = direction(text, texts.direction)
    with st.container(key=f"{way}-passage-{key}"):
        heading = [plain(citations[0].heading, way)] if citations[0].heading else []
        place = [where] if placed and (where := whereabouts(texts, passage)) else []
        if heading or place:
            st.caption(" · ".join((*heading, *place)))
        st.markdown(marked(text, quotes, way))


def marked(passage: str, quotes: Mapping[str, str], way: Direction = "ltr") -> str:
    r"""Return a passage as Markdown with each of *quotes* marked and followed by what it is given, such as its number.

    Where the passage does not hold a quote, the quotes stand alone.

    >>> marked("Back to us.\nSend it within 30 days.", {"within 30 days": ""})
    'Back to us\\.  \nSend it :primary-background[within 30 days]\\.'
    >>> marked("It is light. It is red. It is new.", {"It is new.": "[2]", "It is light.": "[1]"})
    ':primary-background[It is light\\.]\xa0\\[1\\] It is red\\. :primary-background[It is new\\.]\xa0\\[2\\]'
    """
    given = {quote: sign for quote, sign in quotes.items() if quote}
    if not all(quote in passage for quote in given):
        passage = "\n".join(given)
    parts, end = [], 0
    for quote in sorted(given, key=passage.find):
        start = passage.find(quote)
        said = passage[max(start, end) : max(start + len(quote), end)]  # what two quotes share is the first one's
        lines = (f":primary-background[{plain(line, way)}]" if line.strip() else "" for line in said.split("\n"))
        parts += [
            plain(passage[end:start], way),
            "  \n".join(lines),
            f"\u00a0{plain(given[quote])}" if given[quote] else "",
        ]
        end = max(start + len(quote), end)
    return "".join((*parts, plain(passage[end:], way)))


def say(texts: Language, key: str, values: Mapping[str, str] | None = None) -> str:
    """Return the text *key*, the general one where the pack has none: a person never reads a key."""
    try:
        return texts.text(key, values)
    except (UnknownText, MissingValue):
        return texts.text("error.unexpected")

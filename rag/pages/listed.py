"""What a pilot's staff looks through: questions that no document answered, and what people said of answers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, Final

import streamlit as st

from languages import Language, codes
from memory.store.thumbs import REASONS, GivenThumb
from memory.store.unanswered import Unanswered, UnansweredQuestions
from rag.evaluation.exporting import thumbs_as_cases, unanswered_as_cases
from rag.pages.acting import attempt, draw_download
from rag.pages.application import Application
from rag.pages.direction import direction
from rag.pages.marks import apart, plain
from rag.pages.session import local_day
from rag.turns import turn_of

SHOWN: Final = 20  # at a time
_QUESTIONS: Final = "shown-unanswered"  # the session's keys of how many are drawn
_THUMBS: Final = "shown-thumbs"


def draw_unanswered(texts: Language, application: Application) -> None:
    """Draw the questions that no document of the searched shelves answered, the last asked first."""
    every = application.unanswered.list(shelves=application.settings.shelves)
    if not every:
        st.markdown(texts.text("unanswered.empty"))
        return
    st.markdown(texts.text("evaluate.unanswered_intro"))
    most = int(st.session_state.get(_QUESTIONS, SHOWN))
    for question in every[::-1][:most]:
        _draw_question(texts, application.unanswered, question)
    _draw_more(texts, _QUESTIONS, most, len(every))
    _draw_export(
        texts, lambda: as_lines(unanswered_as_cases(every, application.conversations)), "referent-unanswered.jsonl"
    )


def _draw_question(texts: Language, unanswered: UnansweredQuestions, question: Unanswered) -> None:
    """Draw a question with what it was understood as and what came nearest, and the way off the list."""
    spoken = texts.name_of(question.language) if question.language in codes() else question.language
    told = [plain(f"{texts.day(local_day(question.asked))} · {spoken}")]
    if question.standalone != question.question:
        told.append(texts.text("chat.understood", {"question": apart(texts, question.standalone)}))
    if question.nearest:
        told.append(texts.text("unanswered.nearest", {"document": apart(texts, question.nearest)}))
    with st.container(horizontal=True, vertical_alignment="center", wrap=False, key=f"row-asked-{question.turn}"):
        below = "".join(f"  \n:small[{line}]" for line in told)
        st.markdown(f"{apart(texts, question.question)}{below}", width="stretch")
        st.button(
            texts.text("evaluate.seen_to"),
            key=f"seen-to-{question.turn}",
            type="tertiary",
            icon=":material/check:",
            on_click=attempt(partial(unanswered.remove, question.turn)),
        )


def draw_thumbs_given(texts: Language, application: Application) -> None:
    """Draw what people said of answers, the last first, and how often each reason was given."""
    given = sorted(application.thumbs.list(), key=lambda each: each.given, reverse=True)
    if not given:
        st.markdown(texts.text("thumbs.empty"))
        return
    numbers = ((plain(label), texts.number(str(count))) for label, count in counted(texts, given))
    st.markdown(" · ".join(texts.text("label.fact", {"attribute": label, "value": n}) for label, n in numbers))
    wrong = st.toggle(texts.text("evaluate.only_wrong"), key="only-wrong")
    kept = [each for each in given if each.thumb.verdict == "down" or not wrong]
    most = int(st.session_state.get(_THUMBS, SHOWN))
    with st.container(key="thumbs-given", gap="xsmall"):
        for each in kept[:most]:
            _draw_thumb(texts, application, each)
    _draw_more(texts, _THUMBS, most, len(kept))
    _draw_export(
        texts,
        lambda: as_lines(thumbs_as_cases(application.thumbs.list(), application.conversations)),
        "referent-feedback.jsonl",
    )


def counted(texts: Language, given: Iterable[GivenThumb]) -> tuple[tuple[str, int], ...]:
    """Return what was said of answers, in words, with how often: right, not right, and each reason that was given."""
    thumbs = [each.thumb for each in given]
    verdicts, reasons = Counter(each.verdict for each in thumbs), Counter(each.reason for each in thumbs)
    named = [("up", verdicts["up"]), ("down", verdicts["down"]), *((reason, reasons[reason]) for reason in REASONS)]
    return tuple((texts.text(f"thumbs.{key}"), count) for key, count in named if count)


def _draw_thumb(texts: Language, application: Application, given: GivenThumb) -> None:
    """Draw a thumb: closed, the verdict and the question; open, the answer and what would have been right."""
    stored = application.conversations.find_turn(given.conversation, given.person, given.turn)
    if stored is None:
        return
    turn, thumb = turn_of(stored), given.thumb
    told = [texts.text(f"thumbs.{key}") for key in (thumb.verdict, thumb.reason) if key]
    told.append(texts.day(local_day(given.given)))
    icon = ":material/thumb_up:" if thumb.verdict == "up" else ":material/thumb_down:"
    label = f"{apart(texts, turn.question)} :small[{plain(' · '.join(told))}]"
    with st.expander(label, icon=icon, key=f"given-{given.turn}"):
        if turn.resolution.standalone != turn.question:
            st.caption(texts.text("chat.understood", {"question": apart(texts, turn.resolution.standalone)}))
        answer = turn.answer.text if turn.answer is not None else ""
        way = direction(answer, texts.direction)
        with st.container(key=f"{way}-said-{given.turn}"):
            st.markdown(plain(answer, way))
        if thumb.note:
            note = {"attribute": plain(texts.text("thumbs.note")), "value": apart(texts, thumb.note)}
            st.markdown(texts.text("label.fact", note))


def as_lines(cases: Iterable[Mapping[str, Any]]) -> bytes:
    """Return *cases* as ``referent evaluate`` reads them: one JSON object a line."""
    return "".join(f"{json.dumps(case, ensure_ascii=False)}\n" for case in cases).encode("utf-8")


def _draw_more(texts: Language, key: str, most: int, there: int) -> None:
    if there > most:
        more = partial(st.session_state.__setitem__, key, most + SHOWN)
        st.button(texts.text("action.show_more"), type="tertiary", key=f"more-{key}", on_click=more)


def _draw_export(texts: Language, content: Callable[[], bytes], name: str) -> None:
    label = texts.text("evaluate.export_cases")
    draw_download(label, content, name=name, mime="application/x-ndjson", key=f"export-{name}")

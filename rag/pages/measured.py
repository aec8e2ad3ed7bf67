"""Cases chosen and run on the page, and the report of the last run: figures, failures one by one, and as a file."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final, Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.typing import UploadedFile

from languages import Language
from rag.errors import CasesMissing
from rag.evaluation.casefiles import CaseFile, read_cases
from rag.evaluation.figures import problem_line, shown, why
from rag.evaluation.page import place_of, question_of, render, stages, table
from rag.evaluation.results import Answered, Resolved, Results, Row, as_json, resolution_rows, turn_rows
from rag.pages.acting import draw_download
from rag.pages.application import Application
from rag.pages.documents import safe_name
from rag.pages.marks import apart, plain
from rag.pages.message import say
from rag.pages.session import local_time
from rag.pages.uploader import localise_uploader

SHOWN: Final = 10  # failures at a time
LARGEST_MB: Final = 20  # of a file of cases
_MEASURED: Final = "measured"  # the session's key of the last run
_FAILURES: Final = "shown-failures"  # ... and of how many failures are drawn
_FIRST: Final = ("right", "recall_at_5", "cited", "lang", "standalone_f1")  # figures in large, where there are any
_SHARES: Final = 4

Kind = Literal["html", "json"]
_EXPORTS: Final[tuple[tuple[Kind, str, str], ...]] = (
    ("html", "evaluate.export_html", "text/html"),
    ("json", "evaluate.export_json", "application/json"),
)


@dataclass(frozen=True, slots=True)
class Measured:
    """A run: what came of it, and when it was."""

    results: Results
    made: datetime


def draw_cases(texts: Language, application: Application) -> None:
    """Draw the choice of cases, and the report of those that were run last."""
    files = _choose(texts, application)
    if files:
        questions = sum(len(file.questions) for file in files)
        conversations = sum(len(file.conversations) for file in files)
        counted = (
            texts.text("evaluate.questions", {"count": str(questions)}),
            texts.text("conversations.count", {"count": str(conversations)}),
        )
        st.caption(" · ".join(counted))
    place = st.empty()  # the progress of a run, in the place of the button that begins it
    if place.button(
        texts.text("evaluate.run"), key="run-cases", type="primary", icon=":material/play_arrow:", disabled=not files
    ):
        _run(texts, application, files, place)
    found = st.session_state.get(_MEASURED)
    if isinstance(found, Measured):
        _draw_report(texts, found)


def _choose(texts: Language, application: Application) -> tuple[CaseFile, ...]:
    """Draw where cases come from, and return those that can be run; what is none is said with the report."""
    given = application.settings.cases
    source = "upload"
    if given is not None:
        named = texts.text("evaluate.given", {"name": apart(texts, given.name)})
        source = st.radio(
            texts.text("evaluate.source"),
            ("given", "upload"),
            format_func=lambda each: named if each == "given" else texts.text("evaluate.upload"),
            key="cases-from",
        )
    if given is not None and source == "given":
        return _read(texts, [given])
    localise_uploader(texts, texts.text("evaluate.upload_hint"), LARGEST_MB)
    label = texts.text("evaluate.upload")
    uploaded = st.file_uploader(label, accept_multiple_files=True, key="cases", label_visibility="collapsed")
    st.caption(texts.text("evaluate.upload_note"))
    with tempfile.TemporaryDirectory(prefix="referent-") as folder:
        return _read(texts, [path for file in uploaded if (path := _written(texts, file, Path(folder)))])


def _written(texts: Language, file: UploadedFile, folder: Path) -> Path | None:
    """Return where the uploaded *file* was written to, None where it is too large, which is said."""
    name = safe_name(file.name)
    if file.size > LARGEST_MB * 1_000_000:
        limit = texts.number(str(LARGEST_MB))
        st.error(texts.text("error.import_too_large", {"name": apart(texts, name), "limit": limit}))
        return None
    path = folder / name
    path.write_bytes(file.getbuffer())
    return path


def _read(texts: Language, paths: Sequence[Path]) -> tuple[CaseFile, ...]:
    found: list[CaseFile] = []
    for path in paths:
        try:
            found += read_cases(path)
        except CasesMissing as error:
            st.error(say(texts, error.key, {"name": apart(texts, path.name)}), icon=":material/error:")
    return tuple(found)


def _run(texts: Language, application: Application, files: Sequence[CaseFile], place: DeltaGenerator) -> None:
    """Run the cases, and keep what comes of it for this session; leaving the page ends the run."""
    said = texts.text("evaluation.progress")
    with place.container():
        bar = st.progress(0.0, text=said)
        st.caption(texts.text("evaluate.stay"))

    def _report(share: float) -> None:
        bar.progress(min(share, 1.0), text=f"{said} {shown(texts, 'right', share)}")

    results = application.measure(files, _report)
    st.session_state[_MEASURED] = Measured(results, datetime.now(UTC))
    st.session_state.pop(_FAILURES, None)
    st.rerun()


def _draw_report(texts: Language, measured: Measured) -> None:
    results = measured.results
    st.subheader(texts.text("evaluation.title"), anchor=False)
    st.caption(texts.text("evaluate.made", {"date": local_time(texts, measured.made)}))
    talks, questions = turn_rows(results), resolution_rows(results)
    for heading, rows in (("evaluation.conversations", talks), ("evaluation.resolution", questions)):
        if rows:
            _draw_figures(texts, heading, rows)
    _draw_failures(texts, results.failures, ran=bool(talks or questions))
    if results.problems:
        st.subheader(texts.text("evaluation.problems"), anchor=False)
        with st.container(key=f"{texts.direction}-case-problems"):
            lines = (apart(texts, problem_line(texts, each)) for each in results.problems)
            st.markdown("\n".join(f"- {line}" for line in lines))
    with st.container(horizontal=True, key="report-exports"):
        for kind, label, mime in _EXPORTS:
            made, name = partial(exported, texts, measured, kind), f"referent-evaluation.{kind}"
            draw_download(texts.text(label), made, name=name, mime=mime, key=f"export-report-{kind}")


def exported(texts: Language, measured: Measured, kind: Kind) -> bytes:
    """Return the report as a file: the page that ``referent evaluate`` writes, or its JSON."""
    if kind == "html":
        return render(measured.results, texts, made=measured.made).encode("utf-8")
    return json.dumps(as_json(measured.results), ensure_ascii=False, indent=1).encode("utf-8")


def _draw_figures(texts: Language, heading: str, rows: Sequence[Row]) -> None:
    """Draw the figures that matter most in large, and all of them as a table."""
    st.markdown(f"**{plain(texts.text(heading))}**")
    overall = rows[0].figures
    told = [each for each in _FIRST if overall.get(each) is not None][:_SHARES]
    with st.container(horizontal=True, key=f"shares-{heading.rpartition('.')[2]}"):
        for figure in told:
            st.metric(texts.text(f"evaluation.figure.{figure}"), shown(texts, figure, overall[figure]), width="content")
    st.html(f"<div class='report' dir='{texts.direction}'>{table(texts, heading, rows)}</div>")


def _draw_failures(texts: Language, failures: Sequence[Resolved | Answered], *, ran: bool) -> None:
    """Draw each failure, closed: its question and what speaks against it; open: what happened at each stage."""
    if not failures:
        if ran:
            st.success(texts.text("evaluation.no_failures"), icon=":material/check_circle:")
        return
    count = texts.number(str(len(failures)))
    st.subheader(f"{texts.text('evaluation.failures')} ({count})", anchor=False)
    most = int(st.session_state.get(_FAILURES, SHOWN))
    with st.container(key="failures", gap="xsmall"):
        for number, found in enumerate(failures[:most]):
            against = why(texts, found.verdict, partial(apart, texts))
            with st.expander(f"{apart(texts, question_of(found))} :small[{against}]", key=f"failure-{number}"):
                st.caption(apart(texts, place_of(texts, found)))
                st.html(f"<div class='report' dir='{texts.direction}'>{stages(texts, found)}</div>")
    if len(failures) > most:
        more = partial(st.session_state.__setitem__, _FAILURES, most + SHOWN)
        st.button(texts.text("action.show_more"), type="tertiary", key="more-failures", on_click=more)

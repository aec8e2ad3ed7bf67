"""``referent evaluate``: a pilot's own cases run, judged, and reported in the terminal and as a page."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from rag.terminal import DataDir, interface, log_to, named_failures, progress_bar, visible

if TYPE_CHECKING:
    from languages import Language
    from rag.evaluation.casefiles import CaseFile
    from rag.evaluation.results import Results, Row
    from rag.loading import LazyEmbedder
    from rag.replay import Replay
    from rag.settings import Settings
    from rag.shelf.shelf import Outcome

PAGE: Final = "referent-evaluation.html"
_SHOWN: Final = 10  # failures in the terminal; the page has all
_WIDE: Final = 160  # columns: all figures with room to read
_ROOMY: Final = 130  # columns, from which all figures are shown; else the first, which fit into 80
_FIRST: Final = frozenset("cases turns right standalone_f1 false_rewrites recall_at_5 cited lang".split())


def evaluate(
    path: Annotated[Path, typer.Argument(help="A file of cases (JSON Lines), or a folder with some.", metavar="PATH")],
    *,
    html: Annotated[
        Path | None,
        typer.Option("--html", help=f"Where to write the page; else {PAGE} in this folder.", metavar="FILE"),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Write the figures and failures as JSON; a page only with --html.")
    ] = False,
    no_embedder: Annotated[
        bool,
        typer.Option("--no-embedder", help="Questions by rules alone, without the scorer over the embedding model."),
    ] = False,
    data_dir: DataDir = None,
) -> None:
    """Measure your own cases: what questions refer to, what is found, answered and cited, in which language.

    A line of a file is a question or a conversation:
    {"id", "lang", "kind"?, "question", "status", "standalone",
    "catalog"?, "history"?, "references": [{"text", "entities"}]}
    {"id", "lang", "turns": [{"user", "lang"?, "expects"?,
    "standalone"?, "gold_docs"?, "gold_answer_any"?, ...}]}

    Conversations are held over the folder "docs" beside their
    file, else over the documents that were ingested.

    A line that is no case is named; the others are run. Then
    the exit code is 1.
    """
    texts = interface()
    with named_failures():
        from rag.evaluation.casefiles import read_cases
        from rag.evaluation.figures import problem_line
        from rag.evaluation.page import render
        from rag.evaluation.results import as_json as plain
        from rag.settings import read_settings

        settings = read_settings(data_dir)
        files = read_cases(path)
        with progress_bar(texts.text("evaluation.progress")) as bar:
            results = _run(files, settings, bar, rules_alone=no_embedder)
        for problem in results.problems:
            typer.echo(visible(problem_line(texts, problem)), err=True)
        if as_json:
            typer.echo(json.dumps(plain(results), ensure_ascii=False))
        else:
            write_report(texts, results)
        if html is not None or not as_json:
            page = html or Path(PAGE)
            page.write_text(render(results, texts, made=datetime.now().astimezone()), encoding="utf-8")
            typer.echo(visible(texts.text("evaluation.saved", {"path": str(page)})), err=as_json)
    if results.problems:
        raise typer.Exit(1)


def _run(files: Sequence[CaseFile], settings: Settings, bar: Callable[[float], None], *, rules_alone: bool) -> Results:
    from rag.evaluation.measuring import measure
    from rag.loading import lazy_embedder

    embedder = lazy_embedder(settings)
    replaying = partial(_replaying, settings, embedder)
    return measure(files, settings, embedder, replaying=replaying, progress=bar, rules_alone=rules_alone)


@contextmanager
def _replaying(settings: Settings, embedder: LazyEmbedder, documents: Path | None) -> Iterator[Replay]:
    """Yield a replay over the folder *documents*, or over the shelves of the data folder where there is none."""
    from rag.replay import Replay, open_replay

    if documents is not None:
        with open_replay(documents, settings, report=_refused, progress=lambda _: None, embedder=embedder) as opened:
            yield opened
        return
    from rag.build import application

    log_to(settings.data_dir)
    built = application(settings)
    try:
        yield Replay(built.library, built.embedder, settings, shelves=settings.shelves)
    finally:
        built.close()


def _refused(outcome: Outcome) -> None:
    """Name a document that was not read."""
    if outcome.status == "refused":
        from rag.command_documents import say_outcome

        typer.echo(say_outcome(interface(), outcome), err=True)


def write_report(texts: Language, results: Results) -> None:
    """Write the figures as tables, and the first failures with what speaks against them."""
    from rag.evaluation.figures import why
    from rag.evaluation.page import question_of
    from rag.evaluation.results import resolution_rows, turn_rows

    for heading, rows in (("conversations", turn_rows(results)), ("resolution", resolution_rows(results))):
        if rows:
            _write_table(texts, texts.text(f"evaluation.{heading}"), rows)
    failures = results.failures
    typer.echo(texts.text("evaluation.failures" if failures else "evaluation.no_failures"))
    for each in failures[:_SHOWN]:
        typer.echo(visible(f"  {question_of(each)}\n    {why(texts, each.verdict)}"))
    if len(failures) > _SHOWN:
        typer.echo(f"  … {texts.number(str(len(failures)))}")


def _write_table(texts: Language, title: str, rows: tuple[Row, ...]) -> None:
    from rich.console import Console
    from rich.table import Table

    from rag.evaluation.figures import row_name, shown

    console = Console(highlight=False, markup=False, emoji=False)
    if not console.is_terminal:  # whoever reads a file or a pipe has room
        console.width = _WIDE
    figures = [figure for figure in rows[0].figures if console.width >= _ROOMY or figure in _FIRST]
    table = Table(title=title, title_justify="left", show_edge=False, pad_edge=False)
    table.add_column(texts.text("evaluation.group"), overflow="fold")
    for figure in figures:
        table.add_column(texts.text(f"evaluation.figure.{figure}"), justify="right", overflow="fold")
    for row in rows:
        cells = (shown(texts, figure, row.figures[figure]) for figure in figures)
        name = visible(row_name(texts, row))
        table.add_row(f"  {name}" if row.kind else name, *cells, style="" if row.kind else "bold")
    console.print(table)

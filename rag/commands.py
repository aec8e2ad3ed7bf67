"""The command line: ``referent``, also ``python -m rag``.

Exit codes: 0 done, 1 a named failure, 2 wrong usage.  Nothing heavy is imported before a command needs it.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from rag.command_ask import ask
from rag.command_documents import documents_app, ingest, prepare
from rag.command_evaluate import evaluate
from rag.command_feedback import feedback, unanswered_app
from rag.command_memory import memory_app
from rag.terminal import (
    DataDir,
    interface,
    keep_quiet,
    log_somewhere,
    log_to,
    named_failures,
    progress_bar,
    use_utf8,
    visible,
)

log = logging.getLogger(__name__)

cli = typer.Typer(
    help="Ask about your documents, in English, French, German and Arabic.",
    epilog="Settings are REFERENT_* in the environment or in .env: docs/settings.md lists them. "
    "Exit codes: 0 done, 1 a failure, named; 2 wrong usage.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
cli.command()(prepare)
cli.command()(ingest)
cli.add_typer(documents_app, name="documents", help="List the documents, remove one, or rebuild the index.")
cli.command()(ask)
cli.command()(evaluate)
cli.add_typer(unanswered_app, name="unanswered", help="List the questions that no document answered; take one off.")
cli.command()(feedback)
cli.add_typer(memory_app, name="memory", help="Show what is remembered of a person, export it, or erase it.")


@cli.command("app")
def start(
    *,
    port: Annotated[
        int | None, typer.Option(min=1, max=65535, help="The port to listen on; else REFERENT_PORT, else 8501.")
    ] = None,
    host: Annotated[str, typer.Option(help="The address to listen on; by default this machine only.")] = "localhost",
    data_dir: DataDir = None,
) -> None:
    """Start the chat page."""
    with named_failures():
        from rag.server import serve
        from rag.settings import read_settings

        settings = read_settings(data_dir)
        log_to(settings.data_dir)
        port = settings.port if port is None else port
        typer.echo(f"http://{host}:{port}")
        serve(settings, port, host)


@cli.command()
def resolve(
    *,
    jsonl: Annotated[
        bool, typer.Option("--jsonl", help="Read a JSON case a line from standard input, write a result a line.")
    ] = False,
    no_embedder: Annotated[
        bool, typer.Option("--no-embedder", help="Rules alone, without the embedding model and the scorer over it.")
    ] = False,
    data_dir: DataDir = None,
) -> None:
    """Resolve the references of questions.

    In, a line a case:
    {"id", "lang"?, "question",
    "catalog": [{"name", "type", "aliases"?, "attributes"?}],
    "history": [{"role": "user" or "assistant", "text"}]}

    Out, a line a case:
    {"id", "lang", "status", "standalone", "method", "ms",
    "references": [{"text", "start", "end", "entities"}],
    "candidates": [{"name", "type"}], "encoder_ms"?}

    A line that is no case gives {"id", "error"} in its place,
    and exit code 1 at the end.
    """
    if not jsonl:
        raise typer.BadParameter("expected --jsonl, and cases on standard input")
    with named_failures():
        from rag.cases import resolve_lines
        from rag.loading import lazy_embedder, lazy_scorer
        from rag.settings import read_settings

        settings = read_settings(data_dir)
        scorer = None if no_embedder else lazy_scorer(settings, lazy_embedder(settings))
        write_lines(resolve_lines(sys.stdin, scorer))


@cli.command()
def replay(
    *,
    documents: Annotated[
        Path, typer.Option("--documents", help="The folder of documents to answer from.", metavar="DIR")
    ],
    data_dir: DataDir = None,
) -> None:
    """Replay whole conversations, each as a new person with an empty memory.

    In, a line a conversation:
    {"id", "lang", "turns": [{"user"}]}

    Out, a line a turn:
    {"id", "turn", "lang", "user", "standalone", "status",
    "answer", "answered", "retrieved", "timings_ms",
    "clarification": null or {"question", "options"},
    "citations": [{"document", "quote"}],
    "rewriting"?: {"outcome", "reason"}}

    "rewriting" is there where the chat model was asked what the
    question refers to; at the end standard error says how often.

    A line that is no conversation gives {"id", "error"},
    and exit code 1 at the end.
    """
    with named_failures():
        from rag.command_documents import say_outcome
        from rag.replay import open_replay
        from rag.settings import read_settings
        from rag.shelf.shelf import Outcome

        texts = interface()

        def report(outcome: Outcome) -> None:
            if outcome.status == "refused":
                typer.echo(say_outcome(texts, outcome), err=True)

        settings = read_settings(data_dir)
        with (
            progress_bar(texts.text("progress.index")) as bar,
            open_replay(documents, settings, report=report, progress=bar) as opened,
        ):
            try:
                write_lines(opened.lines(sys.stdin))
            finally:
                if opened.asked["asked"]:
                    counts = {name: str(number) for name, number in opened.asked.items()}
                    typer.echo(texts.text("cli.rewriting", counts), err=True)


def write_lines(results: Iterable[Mapping[str, Any]]) -> None:
    """Write each result as a line of JSON as soon as it is there; exit code 1 at the end where one is an error."""
    failed = False
    for result in results:
        failed = failed or "error" in result
        typer.echo(json.dumps(result, ensure_ascii=False))
    if failed:
        raise typer.Exit(1)


def main() -> None:
    """Run the command line; the console script ``referent``."""
    use_utf8()
    keep_quiet()
    try:
        cli()
    except Exception as error:  # the edge of the command line: no traceback reaches a person
        log_somewhere()
        log.exception("%s ended the command", type(error).__name__)
        typer.echo(visible(interface().text("error.unexpected")), err=True)
        sys.exit(1)

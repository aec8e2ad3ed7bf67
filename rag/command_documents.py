"""The commands about documents: prepare, ingest, documents, documents remove, documents rebuild."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from languages import Language
from rag.errors import DataMissing
from rag.shelf.owners import DEMO as DEMO_SHELF
from rag.shelf.owners import Owner
from rag.terminal import DataDir, ShelfOption, UserOption, interface, opened, progress_bar, visible

if TYPE_CHECKING:
    from rag.shelf.shelf import Library, Outcome

DEMO: Final = Path(__file__).parents[1] / "data" / "demo"
SHARED: Final = "shared"

documents_app = typer.Typer(invoke_without_command=True)


def prepare(data_dir: DataDir = None) -> None:
    """Prepare the embedding weights and the demonstration documents; quick where nothing changed."""
    texts = interface()
    with opened(data_dir) as application:
        from rag.settings import BUNDLED
        from rag.shelf.weights import prepare_weights

        settings = application.settings
        if settings.embedding_model == BUNDLED:
            with progress_bar(texts.text("progress.weights"), spoken=True) as report:
                prepare_weights(settings.cache_dir, report)
        with progress_bar(texts.text("progress.index"), spoken=True) as report:
            outcomes = list(ingest_demo(application.library, Owner("shelf", DEMO_SHELF), report))
    for outcome in outcomes:
        if outcome.status != "unchanged":
            typer.echo(say_outcome(texts, outcome))
    typer.echo(texts.text("progress.ready"))


def ingest_demo(library: Library, owner: Owner, report: Callable[[float], None]) -> Iterator[Outcome]:
    """Yield what became of each demonstration document; those that are no longer in ``data/`` are removed.

    Their names begin with the folder of their language: the four corpora have documents of one name.

    Raises: DataMissing.
    """
    from rag.shelf.reading import READERS, load_source

    files = [path for path in sorted(DEMO.glob("*/*")) if path.suffix in READERS]
    if not files:
        raise DataMissing(f"found no demonstration documents in {DEMO}; expected them there; get the checkout whole")
    names = {path: f"{path.parent.name}/{path.name}" for path in files}
    for record in library.documents(owner):
        if record.name not in names.values():
            library.remove(record.name, owner)
    for number, (path, name) in enumerate(names.items()):

        def part(share: float, number: int = number) -> None:
            report((number + share) / len(files))

        yield library.add(load_source(path, name), owner, part)
        part(1.0)


def ingest(
    paths: Annotated[list[Path], typer.Argument(help="Files and folders.", metavar="PATH...")],
    *,
    shelf: ShelfOption = None,
    user: UserOption = None,
    data_dir: DataDir = None,
) -> None:
    """Read files and folders into a shared shelf ("shared"), or into one person's documents.

    A file in a folder is named by its path from that folder; one whose name another file has already is refused.

    Ends with exit code 1 where a file was refused; the others are in.
    """
    texts = interface()
    with opened(data_dir) as application:
        owner = _owner(shelf, user)
        with progress_bar(texts.text("progress.reading")) as report:
            count, refused = write_outcomes(texts, application.library.ingest(paths, owner, report))
    typer.echo(texts.text("outcome.summary", {"count": str(count)}))
    if refused:
        raise typer.Exit(1)


def write_outcomes(texts: Language, outcomes: Iterable[Outcome]) -> tuple[int, int]:
    """Return how many files there were and how many of them were refused; each has its line as soon as it is done."""
    count = refused = 0
    for outcome in outcomes:
        typer.echo(say_outcome(texts, outcome))
        count += 1
        refused += outcome.status == "refused"
    return count, refused


@documents_app.callback()
def documents(
    context: typer.Context,
    *,
    shelf: ShelfOption = None,
    user: UserOption = None,
    data_dir: DataDir = None,
) -> None:
    """List the documents of a shelf or a person, else of all shelves that are searched."""
    if context.invoked_subcommand:
        return
    texts = interface()
    with opened(data_dir) as application:
        every = [Owner("shelf", name) for name in application.settings.shelves]
        owners = every if shelf is None and user is None else [_owner(shelf, user)]
        found = [(owner, record) for owner in owners for record in application.library.documents(owner)]
    for owner, record in found:
        count = texts.text("passages.count", {"count": str(record.passages)})
        typer.echo("\t".join(map(visible, (owner.shelf, record.name, record.title, record.language, count))))
    if not found:
        typer.echo(texts.text("documents.empty"))


@documents_app.command()
def remove(
    name: Annotated[str, typer.Argument(help="The document's name, as the list shows it.")],
    *,
    shelf: ShelfOption = None,
    user: UserOption = None,
    data_dir: DataDir = None,
) -> None:
    """Remove a document with everything derived from it."""
    with opened(data_dir) as application:
        application.library.remove(name, _owner(shelf, user))
    typer.echo(visible(interface().text("outcome.removed", {"name": name})))


@documents_app.command()
def rebuild(data_dir: DataDir = None) -> None:
    """Embed anew what another embedding model has embedded, and what the index has lost."""
    texts = interface()
    with opened(data_dir) as application, progress_bar(texts.text("progress.index"), spoken=True) as report:
        count = application.library.rebuild(report)
    typer.echo(texts.text("outcome.summary", {"count": str(count)}))


def say_outcome(texts: Language, outcome: Outcome) -> str:
    """Return the one line about a file."""
    values = {"name": outcome.name}
    if outcome.status == "refused":
        values["reason"] = texts.text(outcome.key, {"name": outcome.name, **outcome.values})
    return visible(texts.text(f"outcome.{outcome.status}", values))


def _owner(shelf: str | None, user: str | None) -> Owner:
    """Return whose documents are meant.

    Raises: OwnerUnknown for a placeholder.
    """
    if shelf is not None and user is not None:
        raise typer.BadParameter("--shelf and --user exclude each other: a document belongs to one of them.")
    return Owner("person", user) if user is not None else Owner("shelf", SHARED if shelf is None else shelf)

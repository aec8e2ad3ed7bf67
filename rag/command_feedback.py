"""What a pilot's staff looks through: ``referent unanswered`` and ``referent feedback``; both are exported as cases."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rag.terminal import DataDir, ShelfOption, UserOption, interface, opened, visible

if TYPE_CHECKING:
    from languages import Language
    from memory.store.thumbs import GivenThumb
    from memory.store.unanswered import Unanswered
    from rag.events import Turn

unanswered_app = typer.Typer(invoke_without_command=True)

AsCases = Annotated[
    bool, typer.Option("--cases", help="Write them as cases for `referent evaluate`, a conversation a line.")
]


@unanswered_app.callback()
def unanswered(
    context: typer.Context,
    *,
    shelf: ShelfOption = None,
    user: UserOption = None,
    cases: AsCases = False,
    data_dir: DataDir = None,
) -> None:
    """List the questions that no document answered: of a shelf, of a person, else of all shelves that are searched."""
    if context.invoked_subcommand:
        return
    if shelf is not None and user is not None:
        raise typer.BadParameter("--shelf and --user exclude each other.")
    texts = interface()
    with opened(data_dir) as application:
        from rag.evaluation.exporting import unanswered_as_cases

        _check(shelf, user)
        shelves = application.settings.shelves if shelf is None else (shelf,)
        found = application.unanswered.list(shelves=shelves, person=user)
        if cases:
            _write(unanswered_as_cases(found, application.conversations))
            return
    for question in found:
        typer.echo(visible(_question(texts, question)))
    if not found:
        typer.echo(texts.text("unanswered.empty"))


@unanswered_app.command()
def remove(
    turn: Annotated[str, typer.Argument(help="The question's id, as the list shows it.", metavar="ID")],
    *,
    data_dir: DataDir = None,
) -> None:
    """Take a question off the list: somebody has seen to it."""
    with opened(data_dir) as application:
        application.unanswered.remove(turn)
    typer.echo(visible(interface().text("outcome.removed", {"name": turn})))


def feedback(*, user: UserOption = None, cases: AsCases = False, data_dir: DataDir = None) -> None:
    """List what people said of answers with their thumbs: everybody, or one person."""
    texts = interface()
    with opened(data_dir) as application:
        from rag.evaluation.exporting import thumbs_as_cases
        from rag.turns import turn_of

        _check(None, user)
        given = application.thumbs.list(user)
        if cases:
            _write(thumbs_as_cases(given, application.conversations))
            return
        for each in given:
            stored = application.conversations.find_turn(each.conversation, each.person, each.turn)
            if stored is not None:
                typer.echo(visible(_thumb(texts, each, turn_of(stored))))
    if not given:
        typer.echo(texts.text("thumbs.empty"))


def _check(shelf: str | None, user: str | None) -> None:
    """Raise OwnerUnknown where a placeholder stands for a shelf or a person."""
    from rag.shelf.owners import Owner

    if shelf is not None:
        Owner("shelf", shelf)
    if user is not None:
        Owner("person", user)


def _question(texts: Language, question: Unanswered) -> str:
    """Return the lines about an unanswered question."""
    lines = [f"{question.turn}\t{question.asked.date().isoformat()}\t{question.language}\t{question.question}"]
    if question.standalone != question.question:
        lines.append(texts.text("chat.understood", {"question": question.standalone}))
    if question.nearest:
        lines.append(texts.text("unanswered.nearest", {"document": question.nearest}))
    return "\n    ".join(lines)


def _thumb(texts: Language, given: GivenThumb, turn: Turn) -> str:
    """Return the lines about a thumb."""
    thumb = given.thumb
    said = [texts.text(f"thumbs.{thumb.verdict}"), texts.text(f"thumbs.{thumb.reason}") if thumb.reason else ""]
    lines = [f"{given.given.date().isoformat()}\t{' · '.join(filter(None, said))}\t{turn.question}"]
    if turn.answer is not None:
        lines.append(" ".join(turn.answer.text.split()))
    if thumb.note:
        lines.append(texts.text("label.fact", {"attribute": texts.text("thumbs.note"), "value": thumb.note}))
    return "\n    ".join(lines)


def _write(cases: Iterable[Mapping[str, Any]]) -> None:
    for case in cases:
        typer.echo(json.dumps(case, ensure_ascii=False))

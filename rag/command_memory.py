"""The commands about what is remembered of a person: memory show, memory export, memory forget."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from rag.terminal import DataDir, interface, opened, visible

if TYPE_CHECKING:
    from languages import Language
    from memory.memory import EntityMemory

memory_app = typer.Typer(no_args_is_help=True)

Person = Annotated[str | None, typer.Option("--user", help="The person; else the one of this machine.")]


@memory_app.command()
def show(*, user: Person = None, data_dir: DataDir = None) -> None:
    """Show what is remembered of a person: facts, who and what was talked about, relations."""
    texts = interface()
    with opened(data_dir) as application:
        person = _person(user)
        lines = list(_remembered(application.memory, person, texts))
    for line in lines or [texts.text("remembered.nothing", {"user": person})]:
        typer.echo(visible(line))


@memory_app.command()
def export(*, user: Person = None, data_dir: DataDir = None) -> None:
    """Write all that is kept of a person as JSON."""
    with opened(data_dir) as application:
        content = application.memory.export(_person(user))
    typer.echo(json.dumps(content, ensure_ascii=False, indent=2))


@memory_app.command()
def forget(*, user: Person = None, data_dir: DataDir = None) -> None:
    """Erase all that is kept of a person: memory, conversations, documents, without a trace in the files."""
    texts = interface()
    with opened(data_dir) as application:
        person = _person(user)
        application.forget(person)
    typer.echo(visible(texts.text("remembered.forgotten", {"user": person})))


def _person(user: str | None) -> str:
    """Return whose memory is meant.

    Raises: OwnerUnknown for a placeholder.
    """
    from memory.store.conversations import LOCAL_PERSON
    from rag.shelf.owners import Owner

    return LOCAL_PERSON if user is None else Owner("person", user).name


def _remembered(memory: EntityMemory, person: str, texts: Language) -> list[str]:
    """Return the lines about *person*."""
    from languages.remembering import remembering

    called = remembering(texts.code)
    lines = []
    facts = memory.facts(person)
    if facts:
        lines.append(texts.text("label.profile"))
        lines += [f"  {called.key(fact.key)}: {fact.value}" for fact in facts]
    entities = memory.entities(person)
    if entities:
        lines.append(texts.text("remembered.entities"))
    for entity in entities:
        label = memory.rules.types.label(entity.type, texts.code)
        count = texts.text("remembered.mentions", {"count": str(entity.mentions)})
        lines.append(f"  {entity.name} ({label}), {count}, {entity.last_seen.date().isoformat()}")
        lines += [f"    {called.key(fact.key)}: {fact.value}" for fact in memory.facts(person, entity.name)]
    triples = memory.get_triples(person)
    if triples:
        lines.append(texts.text("remembered.relations"))
    own = texts.text("remembered.self")
    lines += [f"  {subject or own} · {called.predicate(said)} · {target}" for subject, said, target in triples]
    return lines

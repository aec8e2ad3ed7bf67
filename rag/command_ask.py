"""``referent ask``: one turn in the terminal, streamed, with its sources."""

from __future__ import annotations

import re
import uuid
from typing import TYPE_CHECKING, Annotated

import typer

from languages import Language, codes, default_code, detect, load
from rag.terminal import DataDir, locale_code, opened, visible
from rag.whereabouts import whereabouts

if TYPE_CHECKING:
    from memory.store.conversations import Conversations
    from rag.events import Citation, Event, Passage

_GIVEN_ID = re.compile("[0-9a-f]{32}")  # as the store makes them


def _known(code: str | None) -> str | None:
    if code is not None and code not in codes():
        raise typer.BadParameter(f"found {code!r}; expected one of {', '.join(codes())}")
    return code


def ask(
    question: Annotated[str, typer.Argument(help="What you would like to know.")],
    *,
    lang: Annotated[
        str | None, typer.Option("--lang", callback=_known, help="The language to answer in; else the question's.")
    ] = None,
    user: Annotated[
        str | None, typer.Option("--user", help="The person who asks; else the one of this machine.")
    ] = None,
    conversation: Annotated[
        str | None, typer.Option("--conversation", help="The conversation to continue: its id, or a name of your own.")
    ] = None,
    data_dir: DataDir = None,
) -> None:
    """Ask one question and stream the answer with its sources; with --conversation, a follow-up."""
    language = lang or detect(question, previous=default_code()).code
    own = lang or locale_code() or language  # of what is said to the person, beside the answer
    with opened(data_dir, own) as application:
        from memory.store.conversations import LOCAL_PERSON

        person = LOCAL_PERSON if user is None else user
        current = open_conversation(application.conversations, person, named=conversation, language=language)
        events = application.pipeline.stream(
            question,
            application.conversations.last_discourse(current, person),
            user=person,
            conversation=current,
            turn_id=uuid.uuid4().hex,
            lang=lang,
        )
        texts = load(language)
        for event in events:
            texts = show(event, texts)
        if conversation is None:
            typer.echo(load(own).text("cli.continue", {"conversation": current}), err=True)


def open_conversation(conversations: Conversations, person: str, *, named: str | None, language: str) -> str:
    """Return the conversation to ask in: a new one, the one of that id, or the one that *person* calls so.

    Raises: ConversationNotFound where an id as the store gives them is none of *person*'s; OwnerUnknown where
        *person* is a placeholder.
    """
    from memory.store.conversations import conversation_id
    from rag.shelf.owners import Owner

    Owner("person", person)  # refuses placeholders before anything is written in their name
    if named is None:
        return conversations.create(person, language)
    if _GIVEN_ID.fullmatch(named):
        return conversations.get(named, person).id
    return conversations.create(person, language, conversation=conversation_id(person, named))


def show(event: Event, texts: Language) -> Language:
    """Write what *event* brings; return the texts of the turn's language, once it is known."""
    from rag.events import Asked, Done, Notice, Piece, Understood

    match event:
        case Understood(resolution):
            texts = load(resolution.language)
            if resolution.standalone != resolution.question:
                typer.echo(visible(texts.text("chat.understood", {"question": resolution.standalone})))
        case Notice(key):
            typer.echo(texts.text(key), err=True)
        case Piece(text):
            typer.echo(visible(text), nl=False)
        case Asked(clarification):
            typer.echo(visible(clarification.question))
            for option in clarification.options:
                typer.echo(visible(f"  - {option}"))
        case Done(turn):
            if turn.answer is not None:
                typer.echo()
                for citation in turn.answer.citations:
                    typer.echo(say_source(texts, citation, turn.passage_of(citation)))
        case _:
            pass
    return texts


def say_source(texts: Language, citation: Citation, passage: Passage | None = None) -> str:
    """Return the lines about a source: which document, the page or row of its *passage* if any, and its words."""
    quote = texts.quote(" ".join(citation.quote.split()))
    place = " · ".join(filter(None, (citation.document, whereabouts(texts, passage))))
    return visible(f"[{citation.number}] {place}\n    {quote}")

"""What a turn hands to memory, and what memory hands to its prompt.

The person's message is kept with the question, before it is answered; what the answer names, with the answer.  What the
assistant says is kept as its words: it states nothing of the person, and what a prompt was told is never read again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sqlalchemy import Connection

from memory import Discourse, Fact, Heard, Mention
from memory.memory import EntityMemory, MemoryContext, Said
from memory.store.conversations import Also
from memory.store.entities import Named
from memory.types import Role
from rag.answer.questions import understand
from rag.hearing import focus
from rag.run import Run

_NOT_KEPT: Final = frozenset({"TIME", "MONEY"})
_ASKS: Final = ("?", "؟")
COMPARES: Final = "COMPARES_TO"


def said_in_full(run: Run) -> str:
    """Return the person's message in its standalone form, where "it" has a name.

    "And its successor?" asks the last question anew: what that one stated ("I own a V-40. How …?") is not said again.
    """
    resolution = run.turn.resolution
    whole = any(link.end - link.start == len(resolution.question) for link in resolution.links)
    return resolution.question if resolution.status == "ambiguous" or whole else resolution.standalone


def listen(memory: EntityMemory, run: Run) -> tuple[Heard, ...]:
    """Return what the person's message states, as it is said in full."""
    return memory.listen(
        said_in_full(run), language=run.turn.language, catalog=run.catalog, focus=focus(run.before)
    )  # fmt: skip


def context_for(memory: EntityMemory, run: Run) -> MemoryContext:
    """Return what the prompt is told of the person and of what was talked about."""
    return memory.context_for(run.turn.resolution.standalone, person=run.user, heard=run.heard)


def keep_question(memory: EntityMemory | None, run: Run) -> Also | None:
    """Return what keeps the person's message in the transaction of its turn; None where there is no memory."""
    if memory is None:
        return None
    said = _of_person(run)
    return lambda connection: memory.remember(run.user, said, connection)


def keep_answer(memory: EntityMemory | None, run: Run) -> Also | None:
    """Return what keeps the answer's names in the transaction of its turn; a corrected turn is learnt anew."""
    if memory is None:
        return None
    answer = Said(run.conversation, run.turn.id, _of_answer(run))
    said = _of_person(run) if run.corrects else None

    def keep(connection: Connection) -> None:
        """Keep what the answer names; what the turn had said as it was understood before is taken back."""
        if said is not None:
            memory.withdraw(run.user, [run.turn.id], connection)
            memory.remember(run.user, said, connection)
        if answer.named:
            memory.remember(run.user, answer, connection)
        memory.enqueue(run.user, run.conversation, run.turn.id, connection)

    return keep


def facts_of(context: MemoryContext) -> tuple[Fact, ...]:
    """Return the person's facts as a prompt takes them."""
    return tuple(Fact("", fact.key, f"{fact.value} ({fact.detail})" if fact.detail else fact.value)
                 for fact in context.profile)  # fmt: skip


def _of_person(run: Run) -> Said:
    named = tuple(_named(run.after, run.before.messages, "user"))
    return Said(run.conversation, run.turn.id, named, run.heard, _compared(run, named))


def _of_answer(run: Run) -> tuple[Named, ...]:
    if run.turn.clarification is not None:
        return ()  # what was offered was not talked about yet
    return tuple(_named(run.after, run.before.messages + 1, "assistant"))


def _named(discourse: Discourse, message: int, role: Role) -> Iterator[Named]:
    for mention in discourse.mentions:
        if mention.message == message and mention.named and mention.type not in _NOT_KEPT:
            yield Named(mention.entity, mention.type or "OTHER", role, mention.text, _stated(mention), _seen(mention))


def _stated(mention: Mention) -> str:
    """Return the sentence of a mention, "" where it is a question: that says nothing of the thing."""
    return "" if mention.sentence.rstrip().endswith(_ASKS) else mention.sentence


def _seen(mention: Mention) -> tuple[str, ...]:
    """Return what a mention surely shows of gender and number."""
    return tuple(each[0] for each in (mention.genders, mention.numbers) if len(each) == 1)


def _compared(run: Run, named: tuple[Named, ...]) -> tuple[tuple[str, str, str], ...]:
    """Return the things that the question compares, each with the first."""
    names = list(dict.fromkeys(each.name for each in named if run.catalog.get(each.name)))
    if len(names) < 2 or not understand(run.turn.resolution.standalone, run.turn.language).compares:
        return ()
    return tuple((names[0], COMPARES, other) for other in names[1:])

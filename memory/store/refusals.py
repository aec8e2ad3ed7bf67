"""What is said of a conversation or a turn that is not there, or not the caller's."""

from __future__ import annotations

from memory.errors import ConversationNotFound, TurnConflict, TurnNotFound


def taken(turn: str) -> TurnConflict:
    """Return the refusal to keep a turn under an id that a turn of another conversation has."""
    return TurnConflict(f"found turn {turn!r} in another conversation; expected an id of its own; make a new one")


def no_turn(turn: str) -> TurnNotFound:
    """Return what is said of a turn that the conversation has not, or no more."""
    return TurnNotFound(
        f"found no turn {turn[:80]!r} in this conversation; expected one added before; add it first, or reload it"
    )


def no_version(version: str) -> TurnNotFound:
    """Return what is said of an earlier version that the conversation has not, or no more."""
    return TurnNotFound(
        f"found no version {version[:80]!r} of a turn of this conversation; expected one put aside; reload it"
    )


def no_conversation(conversation: str) -> ConversationNotFound:
    """Return what is said of a conversation that is not there, or not the person's."""
    return ConversationNotFound(
        f"found no conversation {conversation[:80]!r} of this person; expected the id of one of theirs; "
        "begin a new one, or choose one from the list"
    )

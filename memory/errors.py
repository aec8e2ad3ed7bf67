"""The errors of the memory package.

::

    ReferentMemoryError
    ├── DataFolderError         the data folder cannot be made, read or written
    ├── StoreError              the database answered with a failure
    │   ├── StoreBusy           another process held the database for too long
    │   ├── StoreFull           there is no room left where the database lies
    │   ├── StoreDamaged        the file is not a database, or is damaged
    │   └── SchemaTooNew        the database was written by a newer version
    ├── EntityNotFound          no such entity is remembered, or no such change of one
    ├── NameTaken               another entity of the person has that name already
    ├── FactNotFound            no such fact holds any more
    ├── TypeSetInvalid          a type set or a profile's schema cannot be read
    ├── ConversationNotFound    no such conversation, or not this person's
    ├── TurnNotFound            no such turn in this conversation
    ├── TurnNotLatest           the conversation has gone on since that turn
    ├── ReadingNotOffered       a question is to be read in a way that it does not offer
    └── TurnConflict            a turn of that id belongs to another conversation

A message says what was found, what was expected and the next step.  ``key`` names the text of the language
packs that says the same to a person, filled with ``values``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar


class ReferentMemoryError(Exception):
    """Raised for every named failure of this package; catch it at the edge."""

    key: ClassVar[str] = "error.memory"

    def __init__(self, message: str, values: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.values: Mapping[str, str] = dict(values or {})


class DataFolderError(ReferentMemoryError):
    """Raised when the data folder cannot be made, read or written."""

    key: ClassVar[str] = "error.data_folder"


class StoreError(ReferentMemoryError):
    """Raised when the database answers with a failure."""

    key: ClassVar[str] = "error.store"


class StoreBusy(StoreError):
    """Raised when the database stays locked by another process for longer than the waiting time."""

    key: ClassVar[str] = "error.store_busy"


class StoreFull(StoreError):
    """Raised when nothing more can be written where the database lies."""

    key: ClassVar[str] = "error.store_full"


class StoreDamaged(StoreError):
    """Raised when the database file is something else, or damaged."""

    key: ClassVar[str] = "error.store_damaged"


class SchemaTooNew(StoreError):
    """Raised when the database was written by a newer version than this one."""

    key: ClassVar[str] = "error.schema_too_new"


class ConversationNotFound(ReferentMemoryError):
    """Raised when a conversation does not exist or belongs to somebody else; the two are not told apart."""

    key: ClassVar[str] = "error.conversation_not_found"


class TurnNotFound(ReferentMemoryError):
    """Raised when a turn does not exist in the conversation it was looked for in."""

    key: ClassVar[str] = "error.turn_not_found"


class TurnNotLatest(ReferentMemoryError):
    """Raised when a turn that is to be replaced is not the last of its conversation any more."""

    key: ClassVar[str] = "error.turn_not_latest"


class ReadingNotOffered(ReferentMemoryError):
    """Raised when a question is to be read in a way that its links do not offer.  Values: ``name``."""

    key: ClassVar[str] = "error.reading_not_offered"


class TurnConflict(ReferentMemoryError):
    """Raised when a turn is added under an id that stands in another conversation."""

    key: ClassVar[str] = "error.turn_conflict"


class EntityNotFound(ReferentMemoryError):
    """Raised when an entity, or a change of one, is not among what is remembered of the person."""

    key: ClassVar[str] = "error.entity_not_found"


class NameTaken(ReferentMemoryError):
    """Raised when an entity is to get the name of another one of its type.  Values: ``name``."""

    key: ClassVar[str] = "error.name_taken"


class FactNotFound(ReferentMemoryError):
    """Raised when a fact that is to be changed does not hold any more, or is somebody else's."""

    key: ClassVar[str] = "error.fact_not_found"


class TypeSetInvalid(ReferentMemoryError):
    """Raised when a type set or a profile's schema cannot be read.  Values: ``name``."""

    key: ClassVar[str] = "error.type_set_invalid"

"""The tables of ``referent.db``: people, conversations, turns and what is said of them; uploads, shelves, documents.

Nothing here is SQLite's alone: PostgreSQL takes the same tables.  A change of a table needs a new file in
``migrations/versions``; a test compares the two.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    Boolean,
    CheckConstraint,
    Column,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    TypeDecorator,
    UniqueConstraint,
    false,
)

# A name for every constraint, so that a later migration can speak of it on any database.
NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}
UNSTORABLE = {0: 0xFFFD} | dict.fromkeys(range(0xD800, 0xE000), 0xFFFD)

metadata = MetaData(naming_convention=NAMING)


def storable(text: str) -> str:
    r"""Return *text* with NUL and lone surrogates, which databases refuse, as U+FFFD; offsets stay.

    >>> storable("a\0b")
    'a�b'
    """
    return text.translate(UNSTORABLE)


class Instant(TypeDecorator[datetime]):
    """An aware moment; in the database ISO 8601 in UTC with six decimals, so that text order is time order."""

    impl = String(32)
    cache_ok = True

    def process_bind_param(
        self,
        value: datetime | None,
        dialect: Dialect,  # noqa: ARG002 - SQLAlchemy gives it
    ) -> str | None:
        """Return the text kept for *value*.

        Raises:
            ValueError: *value* carries no time zone.
        """
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"found a moment without time zone, {value.isoformat()}; give an aware datetime")
        return value.astimezone(UTC).isoformat(timespec="microseconds")

    def process_result_value(
        self,
        value: str | None,
        dialect: Dialect,  # noqa: ARG002 - SQLAlchemy gives it
    ) -> datetime | None:
        """Return the aware moment that *value* stands for."""
        return None if value is None else datetime.fromisoformat(value)


class Words(TypeDecorator[str]):
    """Text, of any length unless one is given; what no database takes is replaced (``storable``) on the way in."""

    impl = String
    cache_ok = True

    def process_bind_param(
        self,
        value: str | None,
        dialect: Dialect,  # noqa: ARG002 - SQLAlchemy gives it
    ) -> str | None:
        """Return *value* as it can be kept."""
        return None if value is None else storable(value)


def _of_a_turn() -> tuple[Column[Any], ...]:
    """Return the columns of a turn's content: ``record`` is all of it, ``discourse`` what the next turn needs of it."""
    return (
        Column("question", Words, nullable=False),
        Column("language", String(35), nullable=False),
        Column("record", JSON, nullable=False),
        Column("discourse", Words, nullable=False, server_default=""),
        Column("stopped", Boolean(name="stopped"), nullable=False, server_default=false()),
        Column("created", Instant, nullable=False),
    )


# What holds for the whole database: the key of the embedding model in use, for one.
meta = Table(
    "meta",
    metadata,
    Column("key", String(100), primary_key=True),
    Column("value", Words, nullable=False),
)

# ``id`` is "local" or the hash that ``conversations.person_id`` gives.  ``epoch`` is drawn anew whenever the person is
# made: work that was begun before they were forgotten carries another one, and is dropped.  While they are
# ``paused`` nothing new is learnt of them.
people = Table(
    "people",
    metadata,
    Column("id", Words(64), primary_key=True),
    Column("created", Instant, nullable=False),
    Column("epoch", String(32), nullable=False, server_default=""),
    Column("paused", Boolean(name="paused"), nullable=False, server_default=false()),
)

conversations = Table(
    "conversations",
    metadata,
    Column("id", Words(64), primary_key=True),
    Column("person", Words(64), ForeignKey("people.id", ondelete="CASCADE"), nullable=False),
    Column("title", Words, nullable=False, server_default=""),
    Column("language", String(35), nullable=False),
    Column("created", Instant, nullable=False),
    Column("updated", Instant, nullable=False),
    Index(None, "person", "updated"),
)

# ``id`` is given by whoever asks, so that the same turn sent twice is kept once; ``number`` counts from 0.
turns = Table(
    "turns",
    metadata,
    Column("id", Words(64), primary_key=True),
    Column("conversation", Words(64), ForeignKey("conversations.id", ondelete="CASCADE"), nullable=False),
    Column("number", Integer, nullable=False),
    *_of_a_turn(),
    CheckConstraint("number >= 0", name="number"),
    UniqueConstraint("conversation", "number"),
)

# What a person said of an answer: a thumb, and with one that is down perhaps a reason and what would have been right.
# ``language`` is the one they read the page in.
thumbs = Table(
    "thumbs",
    metadata,
    Column("turn", Words(64), ForeignKey("turns.id", ondelete="CASCADE"), primary_key=True),
    Column("person", Words(64), ForeignKey("people.id", ondelete="CASCADE"), nullable=False),
    Column("verdict", String(4), nullable=False),
    Column("reason", String(10), nullable=False, server_default=""),
    Column("note", Words, nullable=False, server_default=""),
    Column("language", String(35), nullable=False, server_default=""),
    Column("given", Instant, nullable=False),
    CheckConstraint("verdict IN ('up', 'down')", name="verdict"),
    CheckConstraint("reason IN ('', 'language', 'fact', 'source', 'reference')", name="reason"),
    Index(None, "person"),
)

# Questions that no document answered, until somebody has seen to them.  ``shelves`` are the shared shelves searched;
# ``nearest`` is the document on one of them that came nearest, never one of the person's own.
unanswered = Table(
    "unanswered",
    metadata,
    Column("turn", Words(64), ForeignKey("turns.id", ondelete="CASCADE"), primary_key=True),
    Column("person", Words(64), ForeignKey("people.id", ondelete="CASCADE"), nullable=False),
    Column("question", Words, nullable=False),
    Column("standalone", Words, nullable=False),
    Column("language", String(35), nullable=False),
    Column("shelves", JSON, nullable=False),
    Column("nearest", Words, nullable=False, server_default=""),
    Column("asked", Instant, nullable=False),
    Index(None, "person"),
)

# What a person's questions have cost of a chat model on a day in UTC: deleting conversations gives nothing back.
usage = Table(
    "usage",
    metadata,
    Column("person", Words(64), ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("day", String(10), primary_key=True),
    Column("calls", Integer, nullable=False, server_default="0"),
    Column("prompt_tokens", Integer, nullable=False, server_default="0"),
    Column("answer_tokens", Integer, nullable=False, server_default="0"),
)

# Turns that were edited or answered anew, as they were before, with those that followed them: what was put aside at
# once has one ``version``, whose first turn was number ``place``.  ``within`` is the version that it was put aside
# with, "" while it stands beside the turn that is in its place now.  ``learnt`` is what each turn had brought.
earlier_turns = Table(
    "earlier_turns",
    metadata,
    Column("id", Words(64), primary_key=True),
    Column("conversation", Words(64), ForeignKey("conversations.id", ondelete="CASCADE"), nullable=False),
    Column("version", Words(32), nullable=False),
    Column("within", Words(32), nullable=False, server_default=""),
    Column("place", Integer, nullable=False),
    Column("number", Integer, nullable=False),
    *_of_a_turn(),
    Column("aside", Instant, nullable=False),
    Column("learnt", JSON, nullable=False, server_default="{}"),
    CheckConstraint("number >= 0", name="number"),
    Index(None, "conversation"),
)

# A file that a process (``run``) is reading for a person, until its outcome is known; ``id`` is the upload's own.
uploads = Table(
    "uploads",
    metadata,
    Column("id", Words(64), primary_key=True),
    Column("person", Words(64), ForeignKey("people.id", ondelete="CASCADE"), nullable=False),
    Column("run", String(32), nullable=False),
    Column("name", Words, nullable=False),
    Column("begun", Instant, nullable=False),
    Index(None, "person"),
)

# ``generation`` rises with every write to the shelf's index; a process whose copy is older reloads it.
# ``owner`` is the shelf's name, or the person's id where ``owner_kind`` is "person".
shelves = Table(
    "shelves",
    metadata,
    Column("id", Words(64), primary_key=True),
    Column("owner_kind", String(10), nullable=False),
    Column("owner", Words, nullable=False),
    Column("generation", Integer, nullable=False, server_default="0"),
    CheckConstraint("owner_kind IN ('shelf', 'person')", name="owner_kind"),
    UniqueConstraint("owner_kind", "owner"),
)

# ``name`` is the relative path with "/", in NFC; ``name_key`` its hash, by which it is looked up.  A changed
# file stands here twice while its new ``version`` is "building"; then that one is "ready" and the old row goes.
documents = Table(
    "documents",
    metadata,
    Column("id", Words(64), primary_key=True),
    Column("shelf", Words(64), ForeignKey("shelves.id", ondelete="CASCADE"), nullable=False),
    Column("name", Words, nullable=False),
    Column("name_key", Words(64), nullable=False),
    Column("content_hash", String(128), nullable=False),
    Column("language", String(35), nullable=False, server_default=""),
    Column("title", Words, nullable=False, server_default=""),
    Column("size", Integer, nullable=False, server_default="0"),  # bytes of the file
    Column("passages", Integer, nullable=False, server_default="0"),  # how many
    Column("version", Integer, nullable=False, server_default="1"),
    Column("state", String(10), nullable=False),
    Column("embedding_model", Words, nullable=False, server_default=""),
    Column("created", Instant, nullable=False),
    Column("origin", Words, nullable=False, server_default=""),  # the path of the file, "" where it was uploaded
    Column("text", Words, nullable=False, server_default=""),  # the visible text; last, so that lists do not read it
    CheckConstraint("state IN ('building', 'ready', 'removing')", name="state"),
    UniqueConstraint("shelf", "name_key", "version"),
    Index(None, "shelf", "state"),
)

# ``text`` is the document's visible text from ``start`` to ``end``, in code points.
passages = Table(
    "passages",
    metadata,
    Column("id", Words(128), primary_key=True),
    Column("document", Words(64), ForeignKey("documents.id", ondelete="CASCADE"), nullable=False),
    Column("position", Integer, nullable=False),  # from 0 in its document
    Column("start", Integer, nullable=False),
    Column("end", Integer, nullable=False),
    Column("heading", Words, nullable=False, server_default=""),
    Column("context", Words, nullable=False, server_default=""),  # "column: value; …", searched but not quoted
    Column("text", Words, nullable=False),
    Column("kind", String(10), nullable=False, server_default="text"),
    Column("language", String(35), nullable=False, server_default=""),
    Column("page", Integer, nullable=False, server_default="0"),  # from 1; 0 where the document has no pages
    Column("table_row", Integer, nullable=False, server_default="0"),  # from 1; 0 where the document is no table
    UniqueConstraint("document", "position"),
)

# The known things a document speaks of: one row a name and document; the catalogue joins them.
# ``attributes`` is a list of [key, value] pairs; ``aliases`` and ``nouns`` are lists of strings.
names = Table(
    "names",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("document", Words(64), ForeignKey("documents.id", ondelete="CASCADE"), nullable=False),
    Column("name", Words, nullable=False),
    Column("type", String(40), nullable=False, server_default="OTHER"),
    Column("aliases", JSON, nullable=False),
    Column("nouns", JSON, nullable=False),
    Column("attributes", JSON, nullable=False),
    Index(None, "document"),
)

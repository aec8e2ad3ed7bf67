"""The tables of what is remembered: entities and their names, mentions, snippets, facts, relations, the queue.

They belong to the same ``referent.db`` as ``tables.py``.  Every row carries its person, and every query is bound to
one: what is "" in ``facts.entity`` or ``relations.subject`` is the person themself.  Identifiers of turns and
conversations are plain text here: a fact may be of a turn that was never kept, and outlives none that was
(``withdraw`` in ``memory/store/withdrawing.py`` goes with the turn).
"""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    Boolean,
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    UniqueConstraint,
    false,
)

from memory.store.tables import Instant, Words, metadata


def _person() -> Column[str]:
    return Column("person", Words(64), ForeignKey("people.id", ondelete="CASCADE"), nullable=False)


def _of(table: str, name: str = "entity") -> Column[str]:
    return Column(name, Words(32), ForeignKey(f"{table}.id", ondelete="CASCADE"), nullable=False)


def _number() -> Column[int]:
    return Column("id", Integer, primary_key=True, autoincrement=True)


def _said_in() -> tuple[Column[str], Column[str]]:
    conversation: Column[str] = Column("conversation", Words(64), nullable=False, server_default="")
    return conversation, Column("turn", Words(64), nullable=False, server_default="")


def _quoted() -> tuple[Column[str], ...]:
    """Return the columns of words about an entity: where they were said, and by whom."""
    role: Column[str] = Column("role", String(10), nullable=False)
    return _of("entities"), *_said_in(), role, Column("text", Words, nullable=False)


# ``name`` is the first spelling; ``key`` folded, what identity is told by, together with ``type``.  ``evidence`` counts
# what was seen of gender and number: {"m": 2, "p": 1}.  ``zone`` is the hours' offset of who spoke last, "+02:00".
entities = Table(
    "entities",
    metadata,
    Column("id", Words(32), primary_key=True),
    _person(),
    Column("name", Words, nullable=False),
    Column("key", Words, nullable=False),
    Column("type", String(40), nullable=False, server_default="OTHER"),
    Column("aliases", JSON, nullable=False),
    Column("evidence", JSON, nullable=False),
    Column("mentions", Integer, nullable=False, server_default="0"),
    Column("first_seen", Instant, nullable=False),
    Column("last_seen", Instant, nullable=False),
    Column("zone", String(10), nullable=False, server_default="+00:00"),
    UniqueConstraint("person", "key", "type"),
    Index(None, "person", "last_seen"),
)

# Every key by which an entity is found: its name's, its aliases', and those of its short forms.
entity_keys = Table(
    "entity_keys",
    metadata,
    _number(),
    _person(),
    _of("entities"),
    Column("key", Words, nullable=False),
    Column("kind", String(10), nullable=False),
    CheckConstraint("kind IN ('name', 'alias', 'short')", name="kind"),
    UniqueConstraint("entity", "key"),
    Index(None, "person", "key"),
)

mentions = Table(
    "mentions",
    metadata,
    _number(),
    _person(),
    *_quoted(),
    Column("at", Instant, nullable=False),
    Index(None, "person", "turn"),
    Index(None, "entity"),
)

# The sentences that speak of an entity; ``key`` is a hash of the folded text, so that one sentence is kept once.
snippets = Table(
    "snippets",
    metadata,
    _number(),
    _person(),
    *_quoted(),
    Column("key", String(32), nullable=False),
    Column("at", Instant, nullable=False),
    UniqueConstraint("entity", "key"),
    Index(None, "person", "turn"),
)

# One row a statement; the current ones have no ``retired_at``.  ``replaced_by`` is the row that retired this one;
# ``withdrawn`` says that its turn was answered anew, so that it never held.
facts = Table(
    "facts",
    metadata,
    _number(),
    _person(),
    Column("entity", Words(32), nullable=False, server_default=""),
    Column("key", Words(80), nullable=False),
    Column("detail", Words, nullable=False, server_default=""),
    Column("value", Words, nullable=False),
    Column("amount", Float),
    Column("unit", String(24), nullable=False, server_default=""),
    Column("source", String(10), nullable=False),
    Column("act", String(10), nullable=False),
    Column("said", Integer, nullable=False, server_default="1"),  # how often
    *_said_in(),
    Column("valid_from", Instant, nullable=False),
    Column("retired_at", Instant),
    Column("retired_turn", Words(64), nullable=False, server_default=""),
    Column("replaced_by", Integer),
    Column("withdrawn", Boolean(name="withdrawn"), nullable=False, server_default=false()),
    CheckConstraint("source IN ('person', 'assistant', 'document')", name="source"),
    CheckConstraint("act IN ('states', 'adds', 'corrects', 'retracts')", name="act"),
    Index(None, "person", "entity", "retired_at"),
    Index(None, "person", "turn"),
    Index(None, "person", "replaced_by"),
)

relations = Table(
    "relations",
    metadata,
    _number(),
    _person(),
    Column("subject", Words(32), nullable=False, server_default=""),
    Column("predicate", Words(80), nullable=False),
    Column("object", Words(32), nullable=False),
    Column("first_seen", Instant, nullable=False),
    Column("last_seen", Instant, nullable=False),
    UniqueConstraint("person", "subject", "predicate", "object"),
    Index(None, "person", "object"),
)

# The turns that a relation was said in, and the predicate in the words used there.
relation_evidence = Table(
    "relation_evidence",
    metadata,
    _number(),
    _person(),
    Column("relation", Integer, ForeignKey("relations.id", ondelete="CASCADE"), nullable=False),
    *_said_in(),
    Column("said", Words, nullable=False, server_default=""),
    Column("at", Instant, nullable=False),
    UniqueConstraint("relation", "turn"),
    Index(None, "person", "turn"),
)

# Merges and splits by hand: ``record`` holds what was moved, so that a merge can be taken back.
identity_changes = Table(
    "identity_changes",
    metadata,
    _number(),
    _person(),
    Column("kind", String(10), nullable=False),
    Column("entity", Words(32), nullable=False),
    Column("other", Words(32), nullable=False),
    Column("record", JSON, nullable=False),
    Column("at", Instant, nullable=False),
    CheckConstraint("kind IN ('merge', 'split')", name="kind"),
    Index(None, "person"),
)

# Turns that are still to be read by slower extractors; the words stay with the turn.  A job is leased until
# ``leased_until``, and is dropped where its ``epoch`` is no longer the person's.
jobs = Table(
    "jobs",
    metadata,
    _number(),
    _person(),
    Column("epoch", String(32), nullable=False),
    Column("conversation", Words(64), nullable=False),
    Column("turn", Words(64), nullable=False),
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("worker", String(64), nullable=False, server_default=""),
    Column("leased_until", Instant),
    Column("created", Instant, nullable=False),
    UniqueConstraint("turn"),
    Index(None, "conversation", "id"),
)

# How often each extractor ended how; nothing in it is of a person.
outcomes = Table(
    "outcomes",
    metadata,
    Column("extractor", String(80), primary_key=True),
    Column("outcome", String(40), primary_key=True),
    Column("count", Integer, nullable=False, server_default="0"),
)

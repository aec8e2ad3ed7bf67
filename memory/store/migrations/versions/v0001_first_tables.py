"""People, conversations and turns; shelves, documents, passages and names.

A migration keeps its own copy of the tables: what it makes must not change when ``tables.py`` does.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "meta",
        sa.Column("key", sa.String(100), nullable=False),
        sa.Column("value", sa.String, nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_meta"),
    )
    _make_conversations()
    _make_shelves()


def _make_conversations() -> None:
    op.create_table(
        "people",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_people"),
    )
    op.create_table(
        "conversations",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("person", sa.String(64), nullable=False),
        sa.Column("title", sa.String, nullable=False, server_default=""),
        sa.Column("language", sa.String(35), nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
        sa.Column("updated", sa.String(32), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_conversations"),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="fk_conversations_person_people", ondelete="CASCADE"),
    )
    op.create_index("ix_conversations_person_updated", "conversations", ["person", "updated"])
    op.create_table(
        "turns",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("conversation", sa.String(64), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("question", sa.String, nullable=False),
        sa.Column("language", sa.String(35), nullable=False),
        sa.Column("record", sa.JSON, nullable=False),
        sa.Column("discourse", sa.String, nullable=False, server_default=""),
        sa.Column("stopped", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("created", sa.String(32), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_turns"),
        sa.ForeignKeyConstraint(
            ["conversation"], ["conversations.id"], name="fk_turns_conversation_conversations", ondelete="CASCADE"
        ),
        sa.UniqueConstraint("conversation", "number", name="uq_turns_conversation_number"),
        sa.CheckConstraint("number >= 0", name=op.f("ck_turns_number")),
    )


def _make_shelves() -> None:
    op.create_table(
        "shelves",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("owner_kind", sa.String(10), nullable=False),
        sa.Column("owner", sa.String, nullable=False),
        sa.Column("generation", sa.Integer, nullable=False, server_default="0"),
        sa.PrimaryKeyConstraint("id", name="pk_shelves"),
        sa.UniqueConstraint("owner_kind", "owner", name="uq_shelves_owner_kind_owner"),
        sa.CheckConstraint("owner_kind IN ('shelf', 'person')", name=op.f("ck_shelves_owner_kind")),
    )
    op.create_table(
        "documents",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("shelf", sa.String(64), nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("name_key", sa.String(64), nullable=False),
        sa.Column("content_hash", sa.String(128), nullable=False),
        sa.Column("language", sa.String(35), nullable=False, server_default=""),
        sa.Column("title", sa.String, nullable=False, server_default=""),
        sa.Column("size", sa.Integer, nullable=False, server_default="0"),
        sa.Column("passages", sa.Integer, nullable=False, server_default="0"),
        sa.Column("version", sa.Integer, nullable=False, server_default="1"),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("embedding_model", sa.String, nullable=False, server_default=""),
        sa.Column("created", sa.String(32), nullable=False),
        sa.Column("text", sa.String, nullable=False, server_default=""),
        sa.PrimaryKeyConstraint("id", name="pk_documents"),
        sa.ForeignKeyConstraint(["shelf"], ["shelves.id"], name="fk_documents_shelf_shelves", ondelete="CASCADE"),
        sa.UniqueConstraint("shelf", "name_key", "version", name="uq_documents_shelf_name_key_version"),
        sa.CheckConstraint("state IN ('building', 'ready', 'removing')", name=op.f("ck_documents_state")),
    )
    op.create_index("ix_documents_shelf_state", "documents", ["shelf", "state"])
    _make_parts()


def _make_parts() -> None:
    op.create_table(
        "passages",
        sa.Column("id", sa.String(128), nullable=False),
        sa.Column("document", sa.String(64), nullable=False),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("start", sa.Integer, nullable=False),
        sa.Column("end", sa.Integer, nullable=False),
        sa.Column("heading", sa.String, nullable=False, server_default=""),
        sa.Column("context", sa.String, nullable=False, server_default=""),
        sa.Column("text", sa.String, nullable=False),
        sa.Column("kind", sa.String(10), nullable=False, server_default="text"),
        sa.Column("language", sa.String(35), nullable=False, server_default=""),
        sa.PrimaryKeyConstraint("id", name="pk_passages"),
        sa.ForeignKeyConstraint(
            ["document"], ["documents.id"], name="fk_passages_document_documents", ondelete="CASCADE"
        ),
        sa.UniqueConstraint("document", "position", name="uq_passages_document_position"),
    )
    op.create_table(
        "names",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("document", sa.String(64), nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("type", sa.String(40), nullable=False, server_default="OTHER"),
        sa.Column("aliases", sa.JSON, nullable=False),
        sa.Column("nouns", sa.JSON, nullable=False),
        sa.Column("attributes", sa.JSON, nullable=False),
        sa.ForeignKeyConstraint(["document"], ["documents.id"], name="fk_names_document_documents", ondelete="CASCADE"),
    )
    op.create_index("ix_names_document", "names", ["document"])

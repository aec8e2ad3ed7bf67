"""Turns as they were before they were edited or answered anew; whether a person's memory is paused."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table; nobody's memory is paused."""
    op.add_column("people", sa.Column("paused", sa.Boolean(name="paused"), nullable=False, server_default=sa.false()))
    op.create_table(
        "earlier_turns",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("conversation", sa.String(64), nullable=False),
        sa.Column("version", sa.String(32), nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("question", sa.String, nullable=False),
        sa.Column("language", sa.String(35), nullable=False),
        sa.Column("record", sa.JSON, nullable=False),
        sa.Column("discourse", sa.String, nullable=False, server_default=""),
        sa.Column("stopped", sa.Boolean(name="stopped"), nullable=False, server_default=sa.false()),
        sa.Column("created", sa.String(32), nullable=False),
        sa.Column("aside", sa.String(32), nullable=False),
        sa.CheckConstraint("number >= 0", name="number"),
        sa.ForeignKeyConstraint(
            ["conversation"],
            ["conversations.id"],
            name="fk_earlier_turns_conversation_conversations",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name="pk_earlier_turns"),
    )
    op.create_index("ix_earlier_turns_conversation", "earlier_turns", ["conversation"])

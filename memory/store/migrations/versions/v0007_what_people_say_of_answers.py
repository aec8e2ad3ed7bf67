"""What people say of answers, the questions that no document answered, and what a chat model has cost."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "thumbs",
        sa.Column("turn", sa.String(64), nullable=False),
        sa.Column("person", sa.String(64), nullable=False),
        sa.Column("verdict", sa.String(4), nullable=False),
        sa.Column("reason", sa.String(10), nullable=False, server_default=""),
        sa.Column("note", sa.String, nullable=False, server_default=""),
        sa.Column("language", sa.String(35), nullable=False, server_default=""),
        sa.Column("given", sa.String(32), nullable=False),
        sa.CheckConstraint("reason IN ('', 'language', 'fact', 'source', 'reference')", name="reason"),
        sa.CheckConstraint("verdict IN ('up', 'down')", name="verdict"),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="fk_thumbs_person_people", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["turn"], ["turns.id"], name="fk_thumbs_turn_turns", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("turn", name="pk_thumbs"),
    )
    op.create_index("ix_thumbs_person", "thumbs", ["person"])
    op.create_table(
        "unanswered",
        sa.Column("turn", sa.String(64), nullable=False),
        sa.Column("person", sa.String(64), nullable=False),
        sa.Column("question", sa.String, nullable=False),
        sa.Column("standalone", sa.String, nullable=False),
        sa.Column("language", sa.String(35), nullable=False),
        sa.Column("shelves", sa.JSON, nullable=False),
        sa.Column("nearest", sa.String, nullable=False, server_default=""),
        sa.Column("asked", sa.String(32), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="fk_unanswered_person_people", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["turn"], ["turns.id"], name="fk_unanswered_turn_turns", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("turn", name="pk_unanswered"),
    )
    op.create_index("ix_unanswered_person", "unanswered", ["person"])
    op.create_table(
        "usage",
        sa.Column("person", sa.String(64), nullable=False),
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("calls", sa.Integer, nullable=False, server_default="0"),
        sa.Column("prompt_tokens", sa.Integer, nullable=False, server_default="0"),
        sa.Column("answer_tokens", sa.Integer, nullable=False, server_default="0"),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="fk_usage_person_people", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("person", "day", name="pk_usage"),
    )

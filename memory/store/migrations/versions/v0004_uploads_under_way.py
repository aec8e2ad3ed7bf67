"""Uploads under way: what was being read when its server or its browser went away."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "uploads",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("person", sa.String(64), nullable=False),
        sa.Column("run", sa.String(32), nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("begun", sa.String(32), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_uploads"),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="fk_uploads_person_people", ondelete="CASCADE"),
    )
    op.create_index("ix_uploads_person", "uploads", ["person"])

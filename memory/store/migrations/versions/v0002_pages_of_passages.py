"""The page on which a passage begins, 0 where its document has no pages."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; what is there already has no page until its file is read again."""
    op.add_column("passages", sa.Column("page", sa.Integer, nullable=False, server_default="0"))

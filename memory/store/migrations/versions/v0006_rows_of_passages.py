"""The row of a table that a passage is, 0 where its document is none."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; what is there already has no row until its file is read again."""
    op.add_column("passages", sa.Column("table_row", sa.Integer, nullable=False, server_default="0"))

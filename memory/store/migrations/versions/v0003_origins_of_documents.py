"""Where the file of a document lay, "" where that is not known."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.add_column("documents", sa.Column("origin", sa.String, nullable=False, server_default=""))

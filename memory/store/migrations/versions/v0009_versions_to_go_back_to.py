"""Earlier versions of turns can be gone back to: each knows what it was put aside with, and what it brought.

Until now a version was moved to the place of the turn that it went with; now it keeps its own and stands within that
turn's version.  What had been learnt from turns put aside before this was not noted, and stays taken back.
"""

from __future__ import annotations

from itertools import groupby

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

_TURNS = sa.table(
    "earlier_turns",
    sa.column("conversation", sa.String),
    sa.column("version", sa.String),
    sa.column("within", sa.String),
    sa.column("place", sa.Integer),
    sa.column("number", sa.Integer),
    sa.column("aside", sa.String),
)


def upgrade() -> None:
    """Add the columns, and give each version its place."""
    op.add_column("earlier_turns", sa.Column("within", sa.String(32), nullable=False, server_default=""))
    op.add_column("earlier_turns", sa.Column("learnt", sa.JSON, nullable=False, server_default="{}"))
    connection = op.get_bind()
    first = sa.func.min(_TURNS.c.number).label("first")
    columns = _TURNS.c.conversation, _TURNS.c.version, _TURNS.c.aside
    query = sa.select(*columns, first).group_by(*columns).order_by(_TURNS.c.conversation, _TURNS.c.aside)
    rows = connection.execute(query).all()
    for _, group in groupby(rows, key=lambda row: row.conversation):
        versions = list(group)
        for place, version in enumerate(versions):
            # It went with the first turn before it that was put aside after it.
            within = next((later.version for later in versions[place + 1 :] if later.first < version.first), "")
            mine = _TURNS.c.version == version.version
            connection.execute(sa.update(_TURNS).where(mine).values(within=within, place=version.first))

"""Runs the migrations on the connection that ``memory.store.database`` hands over; Alembic executes this file."""

from __future__ import annotations

from alembic import context
from sqlalchemy import Connection

from memory.store.tables import metadata


def run(connection: Connection) -> None:
    """Bring the database behind *connection* to the wanted revision, inside the transaction it is in."""
    context.configure(
        connection=connection,
        target_metadata=metadata,
        transactional_ddl=True,  # SQLite can, once BEGIN is ours: a killed migration leaves the old tables
        render_as_batch=True,
    )
    with context.begin_transaction():
        context.run_migrations()


# Alembic gives the file this name when it executes it; a plain import (a test collector, a type checker) runs nothing.
if __name__ == "env_py":
    run(context.config.attributes["connection"])

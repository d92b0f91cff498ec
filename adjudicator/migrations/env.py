"""Alembic's door: the connection is handed in by adjudicator.db.migrate; nothing is read from the environment."""

from typing import Any, Literal

from alembic import context
from alembic.autogenerate.api import AutogenContext
from sqlalchemy import JSON
from sqlmodel import SQLModel
from sqlmodel.sql.sqltypes import AutoString

from adjudicator.db import UtcTime
from adjudicator.service import tables


def _render(kind: str, thing: Any, _context: AutogenContext) -> str | Literal[False]:
    """Write our own types in a way that a migration can run for ever, whatever becomes of the tables module."""
    if kind == "type" and isinstance(thing, UtcTime):
        return "sa.DateTime(timezone=True)"
    if kind == "type" and isinstance(thing, JSON):
        return 'sa.JSON().with_variant(postgresql.JSONB(), "postgresql")'
    if kind == "type" and isinstance(thing, AutoString):
        return "sa.String()"
    return False


assert tables.Match.__tablename__ == "match"  # noqa: S101 the import fills SQLModel.metadata
context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=SQLModel.metadata,
    render_as_batch=True,
    render_item=_render,
    compare_type=False,
)
with context.begin_transaction():
    context.run_migrations()

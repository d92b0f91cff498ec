"""Alembic's environment: uses the connection from adjudicator.platform.db.migrate, or DATABASE_URL
for the `alembic` command.
"""

from typing import Any, Literal

from alembic import context
from alembic.autogenerate.api import AutogenContext
from sqlalchemy import JSON, Connection
from sqlmodel.sql.sqltypes import AutoString

from adjudicator.platform.config import current_settings
from adjudicator.platform.db import Database, UtcTime
from adjudicator.service.base.tables import all_tables


def _render(kind: str, thing: Any, _context: AutogenContext) -> str | Literal[False]:
    """Render our own types without the tables module, so that migrations stay valid when it
    changes.
    """
    if kind == "type" and isinstance(thing, UtcTime):
        return "sa.DateTime(timezone=True)"
    if kind == "type" and isinstance(thing, JSON):
        return 'sa.JSON().with_variant(postgresql.JSONB(), "postgresql")'
    if kind == "type" and isinstance(thing, AutoString):
        return "sa.String()"
    return False


def _connection() -> Connection:
    """Return the caller's connection, or a new one to DATABASE_URL."""
    passed: Connection | None = context.config.attributes.get("connection")
    return (
        passed if passed is not None else Database(current_settings().database_url).engine.connect()
    )


context.configure(
    connection=_connection(),
    target_metadata=all_tables(),
    render_as_batch=True,
    render_item=_render,
    compare_type=False,
)
with context.begin_transaction():
    context.run_migrations()

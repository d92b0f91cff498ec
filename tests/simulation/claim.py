"""Ownership of a PostgreSQL database: worlds empty their database, so it must contain only their
own data.
"""

from collections.abc import Sequence
from typing import Any

import psycopg
from psycopg import sql
from sqlalchemy import make_url
from sqlalchemy.exc import SQLAlchemyError

from adjudicator.platform import db
from adjudicator.platform.errors import HostFault

_MARK = "simulated"  # this table exists while worlds are played, and after they were killed
_KEPT = (_MARK, "alembic_version")


class NotOurs(HostFault):
    """Worlds cannot be played in this database."""


def claim_database(url: str) -> None:
    """Mark a database as the simulator's and migrate it; its URL is spelt as in DATABASE_URL.

    Raises NotOurs if it is not PostgreSQL, cannot be used, or has a row in some table and no mark.
    """
    if make_url(url).get_backend_name() != "postgresql":
        raise NotOurs(
            "--database takes the address of a PostgreSQL database; without it worlds are played on"
            " SQLite, in files of their own."
        )
    try:
        with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as connection:
            _mark(connection, url)
        db.migrate(url)
    except (psycopg.Error, SQLAlchemyError) as fault:
        reason = str(getattr(fault, "orig", None) or fault).strip().splitlines()[0]
        raise NotOurs(f"{shown(url)} cannot be used: {reason}.") from None


def _mark(connection: psycopg.Connection[Any], url: str) -> None:
    marked = connection.execute("SELECT to_regclass(%s)", [_MARK]).fetchone() != (None,)
    if not marked and (used := filled_tables(connection, table_names(connection))):
        raise NotOurs(
            f"{shown(url)} holds something that no world has left (in {', '.join(used[:3])}), and"
            " worlds empty their database: give them one of their own, made with createdb."
        )
    connection.execute(sql.SQL("CREATE TABLE IF NOT EXISTS {} ()").format(sql.Identifier(_MARK)))


def release_database(connection: psycopg.Connection[Any]) -> None:
    """Remove the mark from an emptied database."""
    connection.execute(sql.SQL("DROP TABLE IF EXISTS {}").format(sql.Identifier(_MARK)))


def shown(url: str) -> str:
    """Return a URL without its password."""
    return make_url(url).render_as_string(hide_password=True)


def table_names(connection: psycopg.Connection[Any]) -> list[str]:
    """Return the names of the tables that worlds fill."""
    listed = connection.execute(
        "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
    )
    return sorted(name for (name,) in listed if name not in _KEPT)


def filled_tables(connection: psycopg.Connection[Any], names: Sequence[str]) -> list[str]:
    """Return those of the tables that have rows."""
    one = sql.SQL("SELECT {} WHERE EXISTS (SELECT FROM {})")
    asked = [one.format(name, sql.Identifier(name)) for name in names]
    return (
        [name for (name,) in connection.execute(sql.SQL(" UNION ALL ").join(asked))]
        if asked
        else []
    )

"""Kinds of columns and indexes that several tables have."""

from sqlalchemy import JSON, Index, text
from sqlalchemy.dialects.postgresql import JSONB

# JSON values only. Assign a new value to change one: SQLAlchemy does not notice edits in place.
PLAIN = JSON().with_variant(JSONB(), "postgresql")


def index_where(name: str, columns: str, condition: str, *, unique: bool = False) -> Index:
    """Return a partial index over the rows that meet `condition`."""
    return Index(name, *columns.split(", "), unique=unique, sqlite_where=text(condition), postgresql_where=text(condition))

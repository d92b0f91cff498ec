"""What all tables have in common: how a row is made, and kinds of columns and indexes that several
have.
"""

from datetime import datetime
from functools import cache
from typing import Annotated, Any, Self, cast

from pydantic_core import PydanticUndefined
from sqlalchemy import JSON, FetchedValue, Index, false, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Field, SQLModel
from sqlmodel._compat import SQLModelConfig

from adjudicator.platform.db import UtcTime
from adjudicator.platform.statements.records import Draft


class TableRow(SQLModel):
    """A row of a table. SQLModel checks no value of a table; a row is made and changed without the
    steps that such checks need.

    Raises TypeError for a value that its table has no column for.
    """

    # no validator is built, since none is asked: a start is quicker
    model_config = SQLModelConfig(defer_build=True)

    def __init__(self, **values: Any) -> None:
        vars(self).update(_complete(type(self), values))

    @classmethod
    def draft(cls, **values: Any) -> Self:
        """Return a new row that only `service/base/storing.py` can store, without what SQLAlchemy
        does to watch one.
        """
        return cast("Self", Draft(cls, _complete(cls, values)))

    def __setattr__(self, name: str, value: Any) -> None:
        held = vars(self).get(name, PydanticUndefined)
        if held is value or (type(held) is type(value) and held == value):
            return  # else SQLAlchemy looks at the whole row at the next flush, and finds no change
        # SQLAlchemy's descriptor of the column notes the change
        object.__setattr__(self, name, value)


class NumberedRow(TableRow):
    """A row that the database numbers when it is flushed; before it has no `id`."""

    id: int = Field(default=None, primary_key=True)


# A column's type. SQLModel sees only an annotation of the whole type, so each has one of its own.
Moment = Annotated[datetime, Field(sa_type=UtcTime)]
MomentOrNone = Annotated[datetime | None, Field(sa_type=UtcTime)]


def added(default: object) -> Any:
    """Return a column that was added to a table that had rows: the database has its default, too,
    for them and for an INSERT of the release before.
    """
    server_default = false() if default is False else str(default)
    return Field(default=default, sa_column_kwargs={"server_default": server_default})


def _complete(table: type[SQLModel], values: dict[str, Any]) -> dict[str, Any]:
    """Return the values of a new row with its defaults."""
    defaults, made = _defaults(table)
    if not values.keys() <= defaults.keys():
        raise TypeError(f"{table.__name__} has no {', '.join(values.keys() - defaults.keys())}")
    return defaults | {name: make() for name, make in made.items() if name not in values} | values


@cache
def _defaults(table: type[SQLModel]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the default of each column, None for one that has to be given, and those that are made
    anew for each row.
    """
    fields = table.model_fields
    plain = {
        name: None if each.default is PydanticUndefined else each.default
        for name, each in fields.items()
    }
    return plain, {
        name: each.default_factory
        for name, each in fields.items()
        if each.default_factory is not None
    }


# JSON values only. Assign a new value to change one: SQLAlchemy does not notice edits in place.
PLAIN = JSON().with_variant(JSONB(), "postgresql")

# Further settings of a column that an INSERT leaves out unless it has a value: roles add rows that
# may not set it (docs/sealing.md).
LEFT_OUT: dict[str, Any] = {"server_default": FetchedValue()}


def index_of_beginnings(name: str, column: str) -> Index:
    """Return an index that finds how a text begins: by LIKE on PostgreSQL, by comparison on
    SQLite.
    """
    return Index(name, column, postgresql_ops={column: "text_pattern_ops"})


def index_where(name: str, columns: str, condition: str, *, unique: bool = False) -> Index:
    """Return a partial index over the rows that meet `condition`."""
    return Index(
        name,
        *columns.split(", "),
        unique=unique,
        sqlite_where=text(condition),
        postgresql_where=text(condition),
    )

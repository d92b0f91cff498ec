"""Copies a whole database into an empty one of another kind: from SQLite to PostgreSQL, as an
installation grows.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from fractions import Fraction
from typing import Any

from sqlalchemy import (
    JSON,
    Column,
    Connection,
    Row,
    Table,
    Text,
    bindparam,
    cast,
    func,
    insert,
    literal,
    select,
    type_coerce,
)
from sqlalchemy.exc import SQLAlchemyError

from adjudicator.platform.db import Database
from adjudicator.service.base.errors import Refused
from adjudicator.service.base.tables import all_tables
from adjudicator.service.base.tables.columns import PLAIN

_AT_ONCE = 500  # rows


class NotEmpty(Refused):
    """The target holds rows already."""


class NotCopied(Refused):
    """A table could not be copied as it is; nothing was."""


def copy_database(source: Database, target: Database, told: Callable[[str, int], object]) -> int:
    """Copy all rows into an empty database of the same revision; return how many. `told` gets each
    table with its number of rows.

    1. Read one snapshot of the source, table by table, so that every row comes after those that it
       refers to.
    2. Store the rows, set the sequences after them, and read them again: each must be what was
       read.
    3. Commit all of it at once.

    Raises NotEmpty or NotCopied, and the databases' FAULTS; then the target is as before.
    """
    with source.read_tx() as reading, target.write_tx() as writing:
        of, to, copied = reading.connection(), writing.connection(), 0
        _require_empty(to)
        for table in all_tables().sorted_tables:
            try:
                rows = _copy_table(of, to, table)
            except (SQLAlchemyError, ValueError) as fault:
                raise NotCopied(
                    f"The table {table.name} could not be copied: {_said(fault)}. The new database"
                    " is as empty as before."
                ) from fault
            copied += rows
            told(table.name, rows)
        return copied


def _said(fault: Exception) -> str:
    return (
        str(getattr(fault, "orig", None) or fault).strip().splitlines() or [type(fault).__name__]
    )[0].rstrip(".")


def _require_empty(to: Connection) -> None:
    for table in all_tables().sorted_tables:
        if to.execute(select(literal(1)).select_from(table).limit(1)).first() is not None:
            raise NotEmpty(
                f"The new database is not empty: its table {table.name} has rows. Make another one,"
                " and name that."
            )


def _copy_table(of: Connection, to: Connection, table: Table) -> int:
    """Copy a table and return how many rows it has. Raises ValueError where it reads otherwise than
    the source.
    """
    statement = insert(table).values({each.name: _stored(each) for each in table.columns})
    read = _Digest(table)
    for batch in _read(of, table):
        to.execute(statement, [dict(zip(table.columns.keys(), row, strict=True)) for row in batch])
        read.add(batch)
    _set_sequence(to, table)
    stored = _Digest(table)
    for batch in _read(to, table):
        stored.add(batch)
    if (stored.rows, stored.total) != (read.rows, read.total):
        raise ValueError("what was stored is not what was read")
    return read.rows


def _read(connection: Connection, table: Table) -> Iterator[Sequence[Row[Any]]]:
    """Yield the rows of a table by the hundred."""
    as_text = type_coerce if connection.dialect.name == "sqlite" else cast
    wanted = select(*(as_text(each, Text) if _is_json(each) else each for each in table.columns))
    yield from connection.execute(wanted.execution_options(yield_per=_AT_ONCE)).partitions()


def _set_sequence(to: Connection, table: Table) -> None:
    """Have the next row of a table numbered after those that were copied."""
    column = table.autoincrement_column
    last = to.execute(select(func.max(column))).scalar() if column is not None else None
    if column is not None and last is not None:
        own = to.dialect.identifier_preparer.format_table(table)
        to.execute(select(func.setval(func.pg_get_serial_sequence(own, column.name), last)))


# --- values: JSON is passed on as text, which tells the null of SQL from that of JSON


def _is_json(column: Column[Any]) -> bool:
    return isinstance(column.type, JSON)


def _stored(column: Column[Any]) -> Any:
    """Return what an INSERT stores in a column."""
    if _is_json(column):
        return cast(bindparam(column.name, type_=Text()), PLAIN)
    return bindparam(column.name, type_=column.type)


class _Digest:
    """A digest of rows in any order, the same on both databases."""

    def __init__(self, table: Table) -> None:
        self.rows = self.total = 0
        self._plain = [_canonical if _is_json(column) else _plain for column in table.columns]

    def add(self, batch: Sequence[Row[Any]]) -> None:
        """Count some more rows."""
        self.rows += len(batch)
        for row in batch:
            plain = [make(value) for make, value in zip(self._plain, row, strict=True)]
            self.total ^= int.from_bytes(hashlib.sha256(repr(plain).encode()).digest())


def _plain(value: Any) -> Any:
    return value.timestamp() if isinstance(value, datetime) else value


def _canonical(written: str | None) -> str | None:
    """Return JSON in one spelling: PostgreSQL orders keys and writes numbers in its own way."""
    if written is None:
        return None
    return json.dumps(
        json.loads(written, parse_float=Fraction, parse_int=Fraction), sort_keys=True, default=repr
    )

"""Rows that are read to be looked at: a SELECT that is made once, and records instead of objects
that SQLAlchemy watches.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from sqlalchemy import Connection, Dialect, Select, select
from sqlmodel import SQLModel
from sqlmodel.sql.expression import Select as SelectOfModels

from adjudicator.platform.statements.prepared import Prepared

_Wanted = Select[Any] | SelectOfModels[Any, Any]
_Columns = Mapping[str, tuple[int, Callable[[Any], Any] | None]]  # place and conversion, by name


class Record:
    """A row of a table as it was read, with its columns as attributes; nobody can change it."""

    __slots__ = ("__dict__", "_columns", "stored", "table")
    _columns: _Columns
    stored: Sequence[Any]  # the values as the driver returned them
    table: type[SQLModel]

    def __init__(self, table: type[SQLModel], columns: _Columns, stored: Sequence[Any]) -> None:
        object.__setattr__(self, "table", table)
        object.__setattr__(self, "_columns", columns)
        object.__setattr__(self, "stored", stored)

    def __getattr__(self, name: str) -> Any:
        """Return a column that is asked for the first time."""
        try:
            at, convert = self._columns[name]
        except KeyError:
            raise AttributeError(f"this row has no column {name}") from None
        value = self.__dict__[name] = _converted(self.stored[at], convert)
        return value

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{name} of a row that was only read")


class Held:
    """A record that its reader may change, with what was changed; nothing is stored by itself."""

    __slots__ = ("__dict__", "changed", "record")
    record: Record
    changed: dict[str, object]  # the new values, by column

    def __init__(self, record: Record) -> None:
        object.__setattr__(self, "record", record)
        object.__setattr__(self, "changed", {})

    def __getattr__(self, name: str) -> Any:
        """Return a column that is asked for the first time, or the record's table."""
        value = self.__dict__[name] = getattr(self.record, name)
        return value

    def __setattr__(self, name: str, value: object) -> None:
        held = getattr(self, name)
        if held is not value and (type(held) is not type(value) or held != value):
            self.__dict__[name] = self.changed[name] = value


def values_of(record: SQLModel) -> dict[str, Any]:
    """Return all columns of a record."""
    row = cast("Record", record)
    held, stored = vars(row), row.stored
    return {
        name: held[name] if name in held else _converted(stored[at], convert)
        for name, (at, convert) in row._columns.items()
    }


def _converted(value: object, convert: Callable[[Any], Any] | None) -> Any:
    return convert(value) if convert is not None else value


def is_same(record: SQLModel, seen: SQLModel) -> bool:
    """Whether a record has all the values that it had when it was `seen`."""
    return bool(cast("Record", record).stored == cast("Record", seen).stored)


class Draft:
    """A new row that is inserted by a statement made once, with its columns as attributes."""

    __slots__ = ("__dict__", "table")
    table: type[SQLModel]

    def __init__(self, table: type[SQLModel], values: Mapping[str, object]) -> None:
        object.__setattr__(self, "table", table)
        vars(self).update(values)


def table_of(row: SQLModel) -> type[SQLModel]:
    """Return the table of a row, whether SQLAlchemy watches it or not."""
    return row.table if isinstance(row, _UNWATCHED) else type(row)


def is_watched(row: SQLModel) -> bool:
    """Whether SQLAlchemy watches a row."""
    return not isinstance(row, _UNWATCHED)


_UNWATCHED = Record, Held, Draft


@dataclass(frozen=True)
class _Part:
    """What a query yields in one place: a row of a table, or a column."""

    begin: int  # its first column in the result
    table: type[SQLModel] | None
    columns: _Columns

    def read(self, row: Sequence[Any]) -> Any:
        """Return the record or the value in a row of the result; None for a record that an outer
        join did not find, as its first column is the table's key.
        """
        begin = self.begin
        if self.table is None:
            ((_, convert),) = self.columns.values()  # of the only column
            return _converted(row[begin], convert)
        if row[begin] is None:
            return None
        return Record(self.table, self.columns, row[begin : begin + len(self.columns)])


class Query:
    """A query of rows of tables and of columns beside them, made once as by `Prepared`; it yields
    rows as records.
    """

    def __init__(self, wanted: _Wanted, sizes: Mapping[str, int] | None = None) -> None:
        self._yields = [each["expr"] for each in wanted.column_descriptions]
        # labels, else a column is left out that stands in a table, too
        columns = [
            column.label(f"c{place}_{at}")
            for place, each in enumerate(self._yields)
            for at, column in enumerate(_columns_of(each))
        ]
        placed = wanted.with_only_columns(*columns, maintain_column_froms=True)
        self._query = Prepared(placed, sizes)
        self._parts: dict[str, list[_Part]] = {}  # by database

    def first(self, connection: Connection, values: Mapping[str, object]) -> list[Any] | None:
        """Return what the first row of the result holds; None without a result."""
        found = self._query.run(connection, values).fetchone()
        return found and [part.read(found) for part in self._parts_for(connection.dialect)]

    def all(self, connection: Connection, values: Mapping[str, object]) -> list[Any]:
        """Return what each row of the result holds."""
        found = self._query.run(connection, values).fetchall()
        parts = self._parts_for(connection.dialect)
        return [tuple([part.read(row) for part in parts]) for row in found]

    def _parts_for(self, dialect: Dialect) -> list[_Part]:
        known = self._parts.get(dialect.name)
        if known is None:
            known = self._parts[dialect.name] = _parts_of(self._yields, dialect)
        return known


class Looking:
    """A query of ids and rows of a table, or of ids and values of one column, for many ids at a
    time: these take the place of its expanding parameter `of`.
    """

    def __init__(self, wanted: _Wanted, of: str) -> None:
        self._wanted, self._of = wanted, of
        self._queries: dict[int, Query] = {}  # by number of ids

    def read(
        self, connection: Connection, ids: Collection[int] | Collection[str]
    ) -> list[tuple[Any, Any]]:
        """Return what the query yields for these ids."""
        given = list[int | str](ids)
        if not given:
            return []
        # 1, 4, 16, 64 ..., so that few texts serve all numbers of ids
        size = 4 ** -(-(len(given) - 1).bit_length() // 2)
        query = self._queries.get(size)
        if query is None:
            query = self._queries[size] = Query(self._wanted, {self._of: size})
        # the last id also stands in the place of those that are missing
        given += given[-1:] * (size - len(given))
        named = {f"{self._of}_{n}": each for n, each in enumerate(given, 1)}
        return query.all(connection, named)


def _columns_of(yielded: Any) -> list[Any]:
    return list(select(yielded).selected_columns)


def _parts_of(yielded: Sequence[Any], dialect: Dialect) -> list[_Part]:
    parts, begin = list[_Part](), 0
    for each in yielded:
        columns: _Columns = {
            str(getattr(column, "name", at)): (
                at,
                column.type.dialect_impl(dialect).result_processor(dialect, None),
            )
            for at, column in enumerate(_columns_of(each))
        }
        parts.append(_Part(begin, each if isinstance(each, type) else None, columns))
        begin += len(columns)
    return parts

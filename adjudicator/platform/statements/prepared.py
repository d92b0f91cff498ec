"""Statements that are compiled once for each database and then run by their text.

SQLAlchemy looks for the compiled form of a statement each time; in a hot path that takes longer
than the database does to run it.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import (
    ClauseElement,
    ColumnElement,
    Connection,
    CursorResult,
    Dialect,
    Select,
    inspect,
)
from sqlalchemy.sql.compiler import SQLCompiler


class _Parameter(NamedTuple):
    name: str
    default: object
    convert: Callable[[Any], Any] | None  # to what the driver takes


@dataclass(frozen=True)
class _Compiled:
    """A statement for one database, with its parameters in their order."""

    text: str
    parameters: tuple[_Parameter, ...]

    def bind(self, values: Mapping[str, object]) -> tuple[object, ...]:
        """Return the values as the driver takes them."""
        return tuple(
            [
                value if convert is None else convert(value)
                for name, default, convert in self.parameters
                for value in (values.get(name, default),)
            ]
        )


class Prepared:
    """A statement whose parameters all have names and none of which expands."""

    def __init__(self, statement: ClauseElement) -> None:
        self._statement = statement
        self._compiled: dict[str, _Compiled] = {}  # by the name of the database

    def run(self, connection: Connection, values: Mapping[str, object]) -> CursorResult[Any]:
        """Run the statement; its rows are as the driver returns them."""
        compiled = self._for(connection.dialect)
        return connection.exec_driver_sql(compiled.text, compiled.bind(values))

    def run_many(self, connection: Connection, rows: Sequence[Mapping[str, object]]) -> None:
        """Run the statement for each of these values."""
        compiled = self._for(connection.dialect)
        connection.exec_driver_sql(compiled.text, [compiled.bind(values) for values in rows])

    def read_first(
        self, connection: Connection, values: Mapping[str, object]
    ) -> Sequence[Any] | None:
        """Return the first row of a query as the driver returns it, without what SQLAlchemy does
        for each column of a result.
        """
        compiled = self._for(connection.dialect)
        bound = compiled.bind(values)
        with closing(connection.connection.cursor()) as cursor:
            try:
                cursor.execute(compiled.text, bound)
                found: Sequence[Any] | None = cursor.fetchone()
            except connection.dialect.loaded_dbapi.Error:  # told as SQLAlchemy tells it
                return connection.exec_driver_sql(compiled.text, bound).first()
        return found

    def _for(self, dialect: Dialect) -> _Compiled:
        compiled = self._compiled.get(dialect.name)
        if compiled is None:
            compiled = self._compiled[dialect.name] = _compile(self._statement, dialect)
        return compiled


class PreparedRows:
    """A query, as of `Prepared`, of whole rows of tables and of columns beside them.

    Each row that it reads is an object that no session knows: nothing can be assigned to it.
    """

    def __init__(self, statement: Select[Any]) -> None:
        columns, self._parts = _columns_of(statement)
        self._query = Prepared(statement.with_only_columns(*columns, maintain_column_froms=True))
        self._types = [column.type for column in columns]
        self._converters: dict[str, list[tuple[int, Callable[[Any], Any]]]] = {}

    def first(self, connection: Connection, values: Mapping[str, object]) -> list[Any] | None:
        """Return what the first row of the result holds, None in the place of a row that an outer
        join did not find; None without a result.
        """
        found = self._query.read_first(connection, values)
        return None if found is None else self._read(found, connection.dialect)

    def all(self, connection: Connection, values: Mapping[str, object]) -> list[list[Any]]:
        """Return what the rows of the result hold, as `first`."""
        found = self._query.run(connection, values).fetchall()
        return [self._read(each, connection.dialect) for each in found]

    def _read(self, found: Sequence[Any], dialect: Dialect) -> list[Any]:
        read = list(found)
        for at, convert in self._converting(dialect):
            if read[at] is not None:
                read[at] = convert(read[at])
        return [part.of(read) for part in self._parts]

    def _converting(self, dialect: Dialect) -> list[tuple[int, Callable[[Any], Any]]]:
        known = self._converters.get(dialect.name)
        if known is None:
            known = self._converters[dialect.name] = [
                (at, convert)
                for at, each in enumerate(self._types)
                if (convert := each.dialect_impl(dialect).result_processor(dialect, None))
            ]
        return known


class _Part(NamedTuple):
    """Where a row of a table, or a column, stands among the columns of a query."""

    begin: int
    table: Any = None  # its class
    names: tuple[str, ...] = ()  # the first is its primary key

    def of(self, read: Sequence[Any]) -> Any:
        found = read[self.begin]
        if self.table is None or found is None:
            return found
        row = self.table.__new__(self.table)
        vars(row).update(zip(self.names, read[self.begin :], strict=False))
        return row


def _columns_of(query: Select[Any]) -> tuple[list[ColumnElement[Any]], list[_Part]]:
    """Return the columns that a query reads, and what they are parts of."""
    columns, parts = list[ColumnElement[Any]](), list[_Part]()
    for wanted in query.column_descriptions:
        if isinstance(wanted["type"], type):
            table: Any = wanted["type"]
            own = inspect(table).local_table.columns
            parts.append(_Part(len(columns), table, tuple(own.keys())))
            columns += own
        else:
            parts.append(_Part(len(columns)))
            columns.append(wanted["expr"])
    return columns, parts


def _compile(statement: ClauseElement, dialect: Dialect) -> _Compiled:
    compiled = statement.compile(dialect=dialect)
    assert isinstance(compiled, SQLCompiler)  # noqa: S101 of a statement
    binds, defaults = {name: each for each, name in compiled.bind_names.items()}, compiled.params
    parameters = (
        _Parameter(
            name, defaults[name], binds[name].type.dialect_impl(dialect).bind_processor(dialect)
        )
        for name in compiled.positiontup or ()
    )
    return _Compiled(str(compiled), tuple(parameters))

"""Statements that are compiled once for each database and then run by their text.

SQLAlchemy looks for the compiled form of a statement each time; in a hot path that takes longer
than the database does to run it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from sqlalchemy import ClauseElement, Connection, Dialect
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql.compiler import SQLCompiler


@dataclass(frozen=True)
class _Compiled:
    """A statement for one database."""

    text: str
    parameters: tuple[tuple[str, object], ...]  # names in their order, and values unless given
    converters: tuple[tuple[int, Callable[[Any], Any]], ...]  # by place: to what the driver takes

    def bind(self, values: Mapping[str, object]) -> list[object]:
        """Return the values as the driver takes them."""
        bound = [values.get(name, default) for name, default in self.parameters]
        for at, convert in self.converters:
            bound[at] = convert(bound[at])
        return bound


class Prepared:
    """A statement whose parameters all have names. One that expands has a size, the number of its
    values, whose names are its own with _1, _2 and so on.
    """

    def __init__(self, statement: ClauseElement, sizes: Mapping[str, int] | None = None) -> None:
        self._statement, self._sizes = statement, sizes or {}
        self._compiled: dict[str, _Compiled] = {}  # by the name of the database

    def run(self, connection: Connection, values: Mapping[str, object]) -> Any:
        """Run the statement; return the driver's cursor, without what SQLAlchemy does for each
        statement and column.
        """
        compiled = self._for(connection.dialect)
        cursor, bound = connection.connection.cursor(), compiled.bind(values)
        try:
            cursor.execute(compiled.text, bound)
        except connection.dialect.loaded_dbapi.Error as fault:
            raise_as_told(connection, fault, compiled.text)
        return cursor

    def run_many(self, connection: Connection, rows: Sequence[Mapping[str, object]]) -> None:
        """Run the statement for each of these values."""
        compiled = self._for(connection.dialect)
        cursor, bound = connection.connection.cursor(), [compiled.bind(values) for values in rows]
        try:
            cursor.executemany(compiled.text, bound)
        except connection.dialect.loaded_dbapi.Error as fault:
            raise_as_told(connection, fault, compiled.text)

    def _for(self, dialect: Dialect) -> _Compiled:
        compiled = self._compiled.get(dialect.name)
        if compiled is None:
            compiled = self._compiled[dialect.name] = _compile(
                self._statement, self._sizes, dialect
            )
        return compiled


def raise_as_told(connection: Connection, fault: Any, text: str | None = None) -> NoReturn:
    """Raise an error of the driver, at a statement or a commit, as SQLAlchemy tells it; a
    connection that is lost serves nobody else.
    """
    dialect, lost = connection.dialect, False
    if not connection.invalidated:
        lost = dialect.is_disconnect(fault, connection.connection.dbapi_connection, None)
    error = DBAPIError.instance(
        text,
        None,
        fault,
        dialect.loaded_dbapi.Error,
        hide_parameters=True,
        connection_invalidated=lost,
        dialect=dialect,
    )
    if lost:
        connection.invalidate(fault)
    raise error from fault


def _compile(statement: ClauseElement, sizes: Mapping[str, int], dialect: Dialect) -> _Compiled:
    compiled = statement.compile(dialect=dialect)
    assert isinstance(compiled, SQLCompiler)  # noqa: S101 of a statement
    expanded = compiled.construct_expanded_state(
        {**compiled.params, **{name: range(size) for name, size in sizes.items()}}
    )
    binds = {name: each for each, name in compiled.bind_names.items()}

    names = expanded.positiontup or ()

    def converter(name: str) -> Any:
        if name not in binds:
            return expanded.processors.get(name)
        return binds[name].type.dialect_impl(dialect).bind_processor(dialect)

    return _Compiled(
        expanded.statement,
        tuple((name, expanded.parameters[name]) for name in names),
        tuple(
            (at, convert)
            for at, name in enumerate(names)
            if (convert := converter(name)) is not None
        ),
    )

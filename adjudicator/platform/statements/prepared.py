"""Statements that are compiled once for each database and then run by their text.

SQLAlchemy looks for the compiled form of a statement each time; in a hot path that takes longer
than the database does to run it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ClauseElement, Connection, CursorResult, Dialect
from sqlalchemy.sql.compiler import SQLCompiler


@dataclass(frozen=True)
class _Parameter:
    name: str
    default: object
    convert: Callable[[Any], Any] | None  # to what the driver takes


@dataclass(frozen=True)
class _Compiled:
    """A statement for one database; a positional one names its parameters in their order."""

    text: str
    positional: bool
    parameters: tuple[_Parameter, ...]

    def bind(self, values: Mapping[str, object]) -> tuple[object, ...] | dict[str, object]:
        """Return the values as the driver takes them."""
        bound = [
            (each.name, each.convert(value) if each.convert is not None else value)
            for each in self.parameters
            for value in (values.get(each.name, each.default),)
        ]
        return tuple(value for _, value in bound) if self.positional else dict(bound)


class Prepared:
    """A statement whose parameters all have names and none of which expands."""

    def __init__(self, statement: ClauseElement) -> None:
        self._statement = statement
        self._compiled: dict[str, _Compiled] = {}  # by the name of the database

    def run(self, connection: Connection, values: Mapping[str, object]) -> CursorResult[Any]:
        """Run the statement; its rows are as the driver returns them."""
        compiled = self._compile(connection)
        return connection.exec_driver_sql(compiled.text, compiled.bind(values))

    def run_many(self, connection: Connection, rows: Sequence[Mapping[str, object]]) -> None:
        """Run the statement for each of these values."""
        compiled = self._compile(connection)
        # the driver takes a list of tuples or dictionaries
        bound: Any = [compiled.bind(values) for values in rows]
        connection.exec_driver_sql(compiled.text, bound)

    def _compile(self, connection: Connection) -> _Compiled:
        name = connection.dialect.name
        compiled = self._compiled.get(name)
        if compiled is None:
            compiled = self._compiled[name] = _compile(self._statement, connection.dialect)
        return compiled


def _compile(statement: ClauseElement, dialect: Dialect) -> _Compiled:
    compiled = statement.compile(dialect=dialect)
    assert isinstance(compiled, SQLCompiler)  # noqa: S101 of a statement
    names, defaults = compiled.positiontup or list(compiled.binds), compiled.params
    parameters = (
        _Parameter(
            name,
            defaults[name],
            compiled.binds[name].type.dialect_impl(dialect).bind_processor(dialect),
        )
        for name in names
    )
    return _Compiled(str(compiled), compiled.positiontup is not None, tuple(parameters))

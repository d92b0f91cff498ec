"""Rows that are read to be looked at: a SELECT that is made once, and records instead of objects
that SQLAlchemy watches.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from sqlalchemy import Connection, Dialect, select
from sqlalchemy.sql.compiler import ExpandedState, SQLCompiler
from sqlmodel import SQLModel
from sqlmodel.sql.expression import Select

_Columns = Mapping[str, tuple[int, Callable[[Any], Any] | None]]  # place and conversion, by name


class Record:
    """A row of a table as it was read, with its columns as attributes; nobody can change it."""

    __slots__ = ("__dict__", "_columns", "stored")

    def __init__(self, columns: _Columns, stored: Sequence[object]) -> None:
        object.__setattr__(self, "_columns", columns)
        object.__setattr__(self, "stored", stored)  # the values as the driver returned them

    def __getattr__(self, name: str) -> Any:
        """Return a column that is asked for the first time."""
        columns: _Columns = object.__getattribute__(self, "_columns")
        if name not in columns:
            raise AttributeError(f"this row has no column {name}")
        at, convert = columns[name]
        value = object.__getattribute__(self, "stored")[at]
        vars(self)[name] = value = _converted(value, convert)
        return value

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{name} of a row that was only read")


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


class Looking:
    """A query, made once for the process, of ids and rows of a table, or of ids and values of one
    column, for many ids at a time: these take the place of its expanding parameter `of`.
    """

    def __init__(self, wanted: Select[Any, Any], of: str) -> None:
        self._wanted, self._of = wanted, of
        self._queries: dict[tuple[str, int], _Query] = {}  # by database and number of ids

    def read(
        self, connection: Connection, ids: Collection[int] | Collection[str]
    ) -> list[tuple[Any, Any]]:
        """Return what the query yields for these ids, rows as records."""
        given = list(ids)
        if not given:
            return []
        # 1, 4, 16, 64 ..., so that few texts serve all numbers of ids
        size = 4 ** -(-(len(given) - 1).bit_length() // 2)
        place = (connection.dialect.name, size)
        query = self._queries.get(place)
        if query is None:
            query = _compile(self._wanted, self._of, size, connection.dialect)
            self._queries[place] = query
        result = connection.exec_driver_sql(query.text, query.bind(given))
        rows = result.cursor.fetchall()  # SQLAlchemy's rows are slower, and serve no other end
        result.close()
        return [query.read(row) for row in rows]


@dataclass(frozen=True)
class _Query:
    text: str
    places: tuple[tuple[str, int | None, object], ...]  # of parameters: which id, or else a value
    positional: bool
    columns: _Columns
    is_row: bool  # whether it yields a table's row

    def bind(self, ids: Sequence[object]) -> tuple[object, ...] | dict[str, object]:
        """Return the parameters; the last id also stands in the place of those that are missing."""
        last = len(ids) - 1
        bound = [
            (name, value if at is None else ids[min(at, last)]) for name, at, value in self.places
        ]
        return tuple(value for _, value in bound) if self.positional else dict(bound)

    def read(self, row: Sequence[Any]) -> tuple[Any, Any]:
        """Return the id and the record or the value of a row."""
        if self.is_row:
            return row[0], Record(self.columns, row[1:])
        ((_, convert),) = self.columns.values()  # of the only column
        return row[0], _converted(row[1], convert)


def _compile(wanted: Select[Any, Any], of: str, size: int, dialect: Dialect) -> _Query:
    whose, yielded = (each["expr"] for each in wanted.column_descriptions)
    columns: list[Any] = list(select(yielded).selected_columns)
    # a label, else the column is left out of those of its own table
    placed = wanted.with_only_columns(whose.label("whose"), *columns, maintain_column_froms=True)
    compiled = placed.compile(dialect=dialect)
    assert isinstance(compiled, SQLCompiler)  # noqa: S101 of a statement
    expanded = compiled.construct_expanded_state({of: range(size)})
    ids = {name: at for at, name in enumerate(expanded.parameter_expansion[of])}
    values = expanded.parameters
    places = tuple(
        (name, ids.get(name), None if name in ids else _convert(expanded, name, values[name]))
        for name in expanded.positiontup or values
    )
    return _Query(
        expanded.statement,
        places,
        expanded.positiontup is not None,
        {
            str(each.name): (at, each.type.dialect_impl(dialect).result_processor(dialect, None))
            for at, each in enumerate(columns)
        },
        isinstance(yielded, type),
    )


def _convert(expanded: ExpandedState, name: str, value: object) -> object:
    convert: Any = expanded.processors.get(name)
    return convert(value) if convert is not None else value

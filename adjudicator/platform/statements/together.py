"""Rows of several tables that are written together, provided that a first row can be changed.

On PostgreSQL this is one statement and so one round trip, elsewhere a statement each.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from sqlalchemy import (
    CTE,
    Connection,
    Insert,
    Table,
    Update,
    bindparam,
    cast,
    exists,
    insert,
    select,
    update,
)

from adjudicator.platform.statements.prepared import Prepared

_OWN_ID = "_id"  # the parameter that says which row is changed


class ComingId(int):
    """Stands for the id of a row until it is inserted, in rows that are written after it."""

    nth: int  # of the writes


@dataclass(frozen=True)
class _Shape:
    """What a row to write has in common with all others that one statement writes."""

    table: Table
    changes: bool  # a row that is there, by its id; else it is inserted
    names: tuple[str, ...]  # of its values
    coming: tuple[tuple[str, int], ...]  # names of those that refer to the nth write before


@dataclass
class Together:
    """Rows to write in order; `first` is an UPDATE with named parameters that changes one row of
    those with an id, or none where somebody else has changed it.
    """

    first: Update
    values: Mapping[str, object]  # of its parameters
    _writes: list[tuple[_Shape, dict[str, object]]] = field(default_factory=list)

    def insert(self, table: Table, values: Mapping[str, object]) -> ComingId:
        """Insert a row; the result stands for its id."""
        coming = ComingId(0)
        coming.nth = len(self._writes)
        self._add(table, values)
        return coming

    def change(self, table: Table, row_id: int, values: Mapping[str, object]) -> None:
        """Change columns of a row."""
        self._add(table, values, row_id)

    def _add(self, table: Table, values: Mapping[str, object], row_id: int | None = None) -> None:
        coming = {name: value.nth for name, value in values.items() if isinstance(value, ComingId)}
        names = tuple(name for name in values if name not in coming) if coming else tuple(values)
        shape = _Shape(table, row_id is not None, names, tuple(coming.items()))
        self._writes.append((shape, {**values, _OWN_ID: row_id}))

    def write(self, connection: Connection) -> bool:
        """Write all rows; False, and nothing is written, where the first one was not changed."""
        if connection.dialect.name != "postgresql":
            return self._write_each(connection)
        values = dict(self.values)
        for n, (_, given) in enumerate(self._writes):
            values |= {_name(n, name): value for name, value in given.items()}
        statement = _one_statement(self.first, tuple(shape for shape, _ in self._writes))
        return statement.run(connection, values).fetchone() is not None

    def _write_each(self, connection: Connection) -> bool:
        if _alone(self.first).run(connection, self.values).rowcount != 1:
            return False
        ids: list[int] = []
        for shape, given in self._writes:
            given.update((name, ids[nth]) for name, nth in shape.coming)
            ids.append(_statement(shape).run(connection, given).lastrowid)
        return True


def _name(n: int, name: str) -> str:
    """Return the parameter of a column of the nth write."""
    return f"w{n}_{name}"


@cache
def _alone(first: Update) -> Prepared:
    return Prepared(first)


@cache
def _statement(shape: _Shape) -> Prepared:
    of = shape.table
    names = (*shape.names, *(name for name, _ in shape.coming))
    values: dict[str, Any] = {name: bindparam(name) for name in names}
    if not shape.changes:
        return Prepared(insert(of).values(values))
    return Prepared(update(of).where(of.c.id == bindparam(_OWN_ID)).values(values))


@cache
def _one_statement(first: Update, shapes: tuple[_Shape, ...]) -> Prepared:
    changed = first.returning(first.table.c.id).cte("changed")
    referred_to = {nth for shape in shapes for _, nth in shape.coming}
    parts: list[CTE] = []
    for n, shape in enumerate(shapes):
        part = _part(n, shape, changed, parts)
        if n in referred_to:
            part = part.returning(shape.table.c.id)
        parts.append(part.cte(f"w{n}"))
    return Prepared(select(changed.c.id).add_cte(*parts))


def _part(n: int, shape: _Shape, changed: CTE, before: Sequence[CTE]) -> Insert | Update:
    of = shape.table
    given: dict[str, Any] = {
        name: cast(bindparam(_name(n, name), type_=of.c[name].type), of.c[name].type)
        for name in shape.names
    }
    given |= {name: select(before[nth].c.id).scalar_subquery() for name, nth in shape.coming}
    if not shape.changes:
        row = select(*given.values()).select_from(changed)
        return insert(of).from_select(list(given), row)
    own = update(of).where(of.c.id == bindparam(_name(n, _OWN_ID)), exists(select(changed.c.id)))
    return own.values(given)

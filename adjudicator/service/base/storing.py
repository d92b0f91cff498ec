"""How a hot path stores rows: by one statement each, or one a table, without the steps by which
SQLAlchemy finds what has changed.
"""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar, cast

from sqlalchemy import Table, bindparam, func, insert, inspect, select, update
from sqlalchemy.orm.attributes import set_committed_value
from sqlmodel import Session, SQLModel

from adjudicator.platform import wakeups
from adjudicator.platform.db import BEFORE_COMMIT, begin_write, connection_of
from adjudicator.platform.statements.prepared import Prepared
from adjudicator.platform.statements.records import Held, Record, is_watched, table_of
from adjudicator.platform.statements.together import ComingId, Together
from adjudicator.service.base.memory import Key, know

_TOGETHER = "rows to write together"  # key in Session.info, of a `Together`
_RESERVED = "reserved ids"  # in keys of Session.info: ids of rows to come, by table
_AT_END = "rows to insert at the end"  # key in Session.info
_AT_END_TOO = "tables of such rows"
_HELD = "held rows"  # key in Session.info, of a session that prepares
_COMING = itertools.count(1)  # tells the ids of rows apart that this process prepares

Row = type[SQLModel]
R = TypeVar("R", bound=SQLModel)


class Outdated(Exception):
    """What a transaction would have changed was changed meanwhile; it has written nothing."""


# --- in a `write_tx` or `write_once` alone


def store_together(session: Session, together: Together) -> None:
    """Have all that the functions below store from now on written by one statement as the
    transaction ends, or Outdated raised then.
    """
    session.info[_TOGETHER] = together
    session.info.setdefault(BEFORE_COMMIT, []).append(_write_together)


def _write_together(session: Session) -> None:
    together: Together = session.info.pop(_TOGETHER)
    connection = connection_of(session)
    begin_write(connection)
    if not together.write(connection):
        raise Outdated


def insert_row(session: Session, row: SQLModel) -> int:
    """Insert a row and return its id, which it has from then on. What is assigned to it later is
    not stored.
    """
    values, together = _values_of(row), _together(session)
    if together is not None:
        key: int = together.insert(_table(table_of(row)), values)
    else:
        insertion = _insertion(table_of(row), frozenset(values))
        (key,) = insertion.run(session.connection(), values).fetchone()
    vars(row)["id"] = key
    return key


def change_row(session: Session, row: SQLModel, **values: object) -> None:
    """Change columns of a row that this transaction has read or locked, by one statement for those
    that differ.
    """
    changed = {name: value for name, value in values.items() if getattr(row, name) != value}
    if not changed:
        return
    together, table = _together(session), table_of(row)
    key = getattr(row, _key(table))
    if together is not None:
        together.change(_table(table), key, changed)
        vars(row).update(changed)
        return
    if not is_watched(row) or not inspect(row).persistent:
        for name, value in changed.items():  # it is stored later, with the values that it has then
            setattr(row, name, value)
        return
    given = {_new(name): value for name, value in changed.items()}
    _change(table, frozenset(changed)).run(session.connection(), given | {"key": key})
    for name, value in changed.items():
        set_committed_value(row, name, value)


def add_at_end(session: Session, row: SQLModel) -> None:
    """Insert a row as its transaction is committed, with all others of its table by one statement;
    nobody may ask for it before.

    Its id stays unknown.
    """
    together = _together(session)
    if together is not None:
        together.insert(_table(table_of(row)), _values_of(row))
        return
    if _AT_END not in session.info:
        session.info[_AT_END] = []
        session.info.setdefault(BEFORE_COMMIT, []).append(_insert_at_end)
    session.info[_AT_END].append(row)


def add_at_end_too(session: Session, *tables: Row) -> None:
    """Have `add_row` do as `add_at_end` with rows of these tables."""
    session.info[_AT_END_TOO] = tables


def add_row(session: Session, row: SQLModel) -> None:
    """Add a row to the session; in a transaction that asks for no row of its table any more, do as
    `add_at_end`.
    """
    if table_of(row) in session.info.get(_AT_END_TOO, ()):
        add_at_end(session, row)
    else:
        session.add(row)


def new_row(session: Session, table: type[R], **values: Any) -> R:
    """Return a new row for `add_row`, which SQLAlchemy watches only where the session adds it."""
    make = table.draft if table in session.info.get(_AT_END_TOO, ()) else table  # type: ignore[attr-defined]
    row: R = make(**values)
    return row


def reserve_ids(session: Session, table: Row, count: int) -> None:
    """Take the ids of the next rows of a table, by one statement, for `next_id`, which gives all of
    them.
    """
    of, connection = _table(table), session.connection()  # nothing is flushed for it
    if connection.dialect.name == "sqlite":  # this transaction alone writes
        newest = (
            session.info.get((_RESERVED, table, "last"))
            or connection.execute(select(func.max(of.c.id))).scalar()
            or 0
        )
        session.info[_RESERVED, table, "last"] = newest + count
        ids = list(range(newest + 1, newest + 1 + count))
    else:
        drawn = select(func.nextval(func.pg_get_serial_sequence(of.name, "id"))).select_from(
            func.generate_series(1, count)
        )
        ids = list(connection.execute(drawn).scalars())
    session.info.setdefault((_RESERVED, table), []).extend(ids)


def spare_returning(session: Session, table: Row, count: int) -> None:
    """Do as `reserve_ids` where that saves statements: for SQLite, SQLAlchemy inserts rows without
    ids one at a time.
    """
    if session.connection().dialect.name == "sqlite":
        reserve_ids(session, table, count)


def next_id(session: Session, table: Row) -> int:
    """Return the id of a row that is about to be added, so that others can refer to it before it is
    stored.

    A transaction that uses it for a table does so for all its rows.
    """
    if _HELD in session.info:
        return ComingId(-next(_COMING))
    if not session.info.get((_RESERVED, table)):
        reserve_ids(session, table, 1)
    reserved: list[int] = session.info[_RESERVED, table]
    return reserved.pop(0)


def reserved_id(session: Session, table: Row) -> int | None:
    """Return `next_id` in a transaction that has reserved ids of a table: rows with ids are
    inserted by one statement; else None.
    """
    return next_id(session, table) if (_RESERVED, table) in session.info else None


def _together(session: Session) -> Together | None:
    return session.info.get(_TOGETHER)


def _insert_at_end(session: Session) -> None:
    """Insert what `add_at_end` kept; it may refer to rows that SQLAlchemy is still to insert."""
    session.flush()
    rows = session.info.pop(_AT_END)
    _insert_rows(session, [(table_of(row), _values_of(row)) for row in rows])


def _insert_rows(session: Session, rows: Iterable[tuple[Row, dict[str, Any]]]) -> None:
    """Insert rows, each after those of other tables that it refers to."""
    alike: dict[Row, dict[tuple[str, ...], list[dict[str, Any]]]] = {}
    for table, values in rows:
        alike.setdefault(table, {}).setdefault(tuple(values), []).append(values)
    for table, shapes in alike.items():
        for names, some in shapes.items():
            _bare_insertion(table, names).run_many(session.connection(), some)


# --- prepared before the transaction that stores it


class Unprepared(Exception):
    """What was to be prepared is more than rows that are held and rows to insert."""


@dataclass(frozen=True)
class Writes:
    """Rows to change and to insert, whose ids may still be coming, and wakeups to note."""

    changes: Sequence[tuple[Row, int, Mapping[str, object]]]
    inserts: Sequence[tuple[Row, dict[str, Any]]]
    wakeups: Sequence[tuple[wakeups.Task, tuple[int | str, ...]]]


def begin_preparing(memory: dict[Key, Any], *tables: Row) -> Session:
    """Return a session without a database, which knows what another has read as records. It keeps
    what `hold` gave, and rows for `add_at_end` and `add_row` of these `tables`, for `end_preparing`.

    Whoever asks it for anything else meets a SQLAlchemyError.
    """
    session = Session()
    know(session, memory)
    session.info.update({_AT_END: [], _AT_END_TOO: tables, _HELD: []})
    return session


def hold(session: Session, record: R) -> R:
    """Return a record that may be changed, in a session that prepares."""
    held = Held(cast("Record", record))
    session.info[_HELD].append(held)
    return cast("R", held)


def end_preparing(session: Session) -> Writes:
    """Return what is to be stored; raises Unprepared where a row needs more."""
    if session.new or session.deleted:
        raise Unprepared
    changes = [(table_of(each), each.id, each.changed) for each in session.info[_HELD]]
    if any(isinstance(value, ComingId) for each in changes for value in each[2].values()):
        raise Unprepared  # only rows that are inserted get the ids that come
    return Writes(
        [each for each in changes if each[2]],
        [(table_of(row), _values_of(row)) for row in session.info[_AT_END]],
        wakeups.take_noted(session),
    )


def store_prepared(session: Session, some: Sequence[Writes]) -> None:
    """Store what was prepared, by a statement for all rows of a table that change alike, and one
    for all that are inserted.
    """
    alike: dict[tuple[Row, tuple[str, ...]], list[dict[str, object]]] = {}
    for table, key, changed in (change for each in some for change in each.changes):
        given = {_new(name): value for name, value in changed.items()}
        alike.setdefault((table, tuple(sorted(changed))), []).append(given | {"key": key})
    for (table, names), rows in alike.items():
        _change(table, frozenset(names)).run_many(session.connection(), rows)
    inserts = [row for each in some for row in each.inserts]
    _insert_rows(session, _with_ids(session, inserts))
    for each in some:
        for task, arguments in each.wakeups:
            wakeups.wake(session, task, *arguments)


def _with_ids(
    session: Session, rows: Sequence[tuple[Row, dict[str, Any]]]
) -> list[tuple[Row, dict[str, Any]]]:
    """Return rows with ids in the place of those that were coming."""
    coming: dict[Row, list[ComingId]] = {}
    for table, values in rows:
        if isinstance(values.get("id"), ComingId):
            coming.setdefault(table, []).append(values["id"])
    ids: dict[int, int] = {}
    for table, some in coming.items():
        reserve_ids(session, table, len(some))
        ids |= {each: next_id(session, table) for each in some}
    return [
        (
            table,
            {
                name: ids[value] if isinstance(value, ComingId) else value
                for name, value in values.items()
            },
        )
        for table, values in rows
    ]


# --- statements, each made once: making one takes longer than the database does to run it


def _values_of(row: SQLModel) -> dict[str, Any]:
    """Return the columns of a new row that have a value or may be set to none."""
    (names, left_out), given = _columns(table_of(row)), vars(row)
    return {
        name: value for name in names if (value := given[name]) is not None or name not in left_out
    }


@cache
def _columns(table: Row) -> tuple[tuple[str, ...], frozenset[str]]:
    """Return the names of a table's columns, and of those that are left out where a row has no
    value.
    """
    columns = _table(table).columns
    left_out = (
        each.name for each in columns if each.primary_key or each.server_default is not None
    )
    return tuple(each.name for each in columns), frozenset(left_out)


@cache
def _insertion(table: Row, names: frozenset[str]) -> Prepared:
    of = _table(table)
    values: dict[str, Any] = {name: bindparam(name) for name in sorted(names)}
    return Prepared(insert(of).values(values).returning(of.c.id))


@cache
def _bare_insertion(table: Row, names: tuple[str, ...]) -> Prepared:
    return Prepared(insert(_table(table)).values({name: bindparam(name) for name in names}))


@cache
def _change(table: Row, names: frozenset[str]) -> Prepared:
    of = _table(table)
    own = update(of).where(of.c[_key(table)] == bindparam("key"))
    return Prepared(own.values({name: bindparam(_new(name)) for name in sorted(names)}))


def _new(name: str) -> str:
    return f"new_{name}"


@cache
def _key(table: Row) -> str:
    return str(_table(table).primary_key.columns[0].name)


@cache
def _table(table: Row) -> Table:
    of: Table = inspect(table).local_table
    return of

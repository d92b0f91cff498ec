"""A whole database is copied from SQLite to PostgreSQL, and a running match goes on there."""

from datetime import UTC, date, datetime
from typing import Any

import pytest
from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Date,
    LargeBinary,
    Table,
    func,
    insert,
    null,
    select,
    text,
)
from sqlmodel import AutoString

from adjudicator.platform.db import Database, UtcTime
from adjudicator.service.base.tables import all_tables
from adjudicator.service.upkeep import copying
from adjudicator.service.upkeep.copying import NotCopied, NotEmpty, copy_database
from tests.cast import ALICE, BOB, CHARLIE
from tests.harness import Harness

TABLES = all_tables().sorted_tables
AT = datetime(2026, 11, 27, 18, 30, 1, 123456, tzinfo=UTC)
_JSON: tuple[Any, ...] = ({"b": [1, 1.5, 1e22, None, "é\u2028"], "aa": {}}, [], "text", JSON.NULL)


def quiet(_table: str, _rows: int) -> None:
    """Be told of a table."""


def value(column: Column[Any], n: int) -> Any:
    """Return the n-th value of a column; SQL's null where it may be, for odd numbers."""
    if column.foreign_keys or (column.primary_key and column.type.python_type is int):
        return n
    if column.nullable and n % 2:
        return null()
    match column.type:
        case JSON():
            return _JSON[n % len(_JSON)]
        case UtcTime():
            return AT.replace(microsecond=n)
        case LargeBinary():
            return bytes([n, 0, 255])
        case Date():
            return date(2026, 11, n)
        case AutoString():
            return f"{n} “é” \\ %s {column.name}"
        case Boolean():
            return bool(n % 2)
    return column.type.python_type(n)


def fill(database: Database, rows: int) -> None:
    """Put rows into each table, with every kind of value."""
    with database.engine.connect() as connection:
        connection.execute(text("PRAGMA foreign_keys=ON"))
        for table in TABLES:
            for n in range(1, rows + 1):
                connection.execute(
                    insert(table).values({each.name: value(each, n) for each in table.columns})
                )
        connection.commit()


def rows_of(database: Database, table: Table) -> list[tuple[Any, ...]]:
    """Return all rows, in an order that does not depend on the database."""
    wanted = [
        each
        for column in table.columns
        for each in ((column, column.is_(None)) if isinstance(column.type, JSON) else (column,))
    ]
    with database.engine.connect() as connection:
        return sorted((tuple(row) for row in connection.execute(select(*wanted))), key=repr)


def test_every_table_arrives_as_it_was_with_every_kind_of_value(
    sqlite_url: str, postgres_url: str
) -> None:
    source, target = Database(sqlite_url), Database(postgres_url)
    fill(source, 4)
    told = dict[str, int]()
    assert copy_database(source, target, told.__setitem__) == 4 * len(TABLES)
    assert told == {table.name: 4 for table in TABLES}
    for table in TABLES:
        assert rows_of(target, table) == rows_of(source, table), table.name
    for table in (each for each in TABLES if each.autoincrement_column is not None):
        with target.engine.connect() as connection:
            own = target.engine.dialect.identifier_preparer.format_table(table)
            following = connection.execute(
                select(func.nextval(func.pg_get_serial_sequence(own, "id")))
            ).scalar()
        assert following == 5, table.name
    with pytest.raises(NotEmpty):
        copy_database(source, target, quiet)
    source.engine.dispose()
    target.engine.dispose()


def test_a_match_goes_on_in_the_copy(sqlite_url: str, postgres_url: str) -> None:
    with Harness(sqlite_url) as old:
        uid = old.match(ALICE, BOB, CHARLIE)
        assert old.order(uid, ALICE, "B3").disposition == "accepted"
        target = Database(postgres_url)
        copy_database(old.database, target, quiet)
        target.engine.dispose()
        with Harness(postgres_url, old.keyring, now=old.now) as new:
            new.round(uid, [(BOB, "W3"), (CHARLIE, "B2")])
            assert new.story(uid, 1).lines
            assert new.match(ALICE, BOB, CHARLIE) != uid, (
                "new rows are numbered after those that were copied"
            )


def test_what_cannot_be_copied_leaves_the_new_database_empty(
    sqlite_url: str, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, target = Database(sqlite_url), Database(postgres_url)
    fill(source, 1)
    with source.engine.connect() as connection:
        connection.execute(text("UPDATE match SET name = 'a' || char(0)"))
        connection.commit()
    with pytest.raises(
        NotCopied,
        match="The table match could not be copied: PostgreSQL text fields cannot contain NUL",
    ):
        copy_database(source, target, quiet)
    with source.engine.connect() as connection:
        connection.execute(text("UPDATE match SET name = 'a'"))
        connection.commit()
    set_sequence = copying._set_sequence

    def spoil(to: Any, table: Table) -> None:
        set_sequence(to, table)
        if table.name == "player":
            to.execute(text("UPDATE player SET zone = 'Mars'"))

    monkeypatch.setattr(copying, "_set_sequence", spoil)
    with pytest.raises(
        NotCopied,
        match="The table player could not be copied: what was stored is not what was read",
    ):
        copy_database(source, target, quiet)
    assert not any(rows_of(target, table) for table in TABLES)
    source.engine.dispose()
    target.engine.dispose()

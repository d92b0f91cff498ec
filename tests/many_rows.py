"""Copies of matches by the thousand, for what has to be as quick beside a hundred thousand matches
as beside none.
"""

from sqlalchemy import Column, Connection, Engine, Table, UniqueConstraint, func, select, text

from adjudicator.service.base.tables import all_tables

COPIED = (
    "player",
    "match",
    "seat",
    "phase",
    "due",
    "receipt",
    "envelope",
    "logentry",
    "letter",
    "attendance",
    "masternote",
)
_NUMBERS = (
    "WITH RECURSIVE numbers(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM numbers WHERE k < :copies)"
)


def copy_matches(engine: Engine, copies: int) -> None:
    """Copy all players, matches and their rows so many times, and refresh the planner's statistics.

    Copies have ids and public names of their own; their logs and seals do not verify. Letters that
    wait are copied as sent.
    """
    of = [all_tables().tables[name] for name in COPIED]
    with engine.begin() as connection:
        step = 1 + max(
            connection.execute(select(func.max(table.c.id))).scalar() or 0 for table in of
        )
        for table in of:
            names = ", ".join(f'"{column.name}"' for column in table.columns)
            values = ", ".join(_value(table, column) for column in table.columns)
            copied = text(
                f'{_NUMBERS} INSERT INTO "{table.name}" ({names}) SELECT {values} FROM'
                f' "{table.name}" AS t, numbers'
            )
            connection.execute(copied, {"copies": copies, "step": step})
            if engine.dialect.name == "postgresql":
                connection.execute(
                    text(
                        f"SELECT setval(pg_get_serial_sequence('\"{table.name}\"', 'id'), max(id))"
                        f' FROM "{table.name}"'
                    )
                )
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql("ANALYZE")


def count_rows(connection: Connection, table: str) -> int:
    """Return how many rows a table has."""
    return connection.execute(
        select(func.count()).select_from(all_tables().tables[table])
    ).scalar_one()


def _value(table: Table, column: Column[object]) -> str:
    """Return the SQL of a column of the k-th copy of a row `t`."""
    own = f't."{column.name}"'
    if table.name == "letter" and column.name == "state":
        return "'sent'"
    if column.primary_key or any(key.column.table.name in COPIED for key in column.foreign_keys):
        return f"{own} + numbers.k * :step"
    return f"{own} || '-' || numbers.k" if column.name in _unique(table) else own


def _unique(table: Table) -> set[str]:
    """Return the columns of which no two rows have the same value; they are texts."""
    indexes = [[column.name for column in index.columns] for index in table.indexes if index.unique]
    constraints = [
        [column.name for column in each.columns]
        for each in table.constraints
        if isinstance(each, UniqueConstraint)
    ]
    return {each[0] for each in [*indexes, *constraints] if len(each) == 1} - {"match_id"}

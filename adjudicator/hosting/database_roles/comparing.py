"""Compares what the logins of the roles may do in the database with what `grants` says."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import psycopg
from sqlalchemy import create_engine

from adjudicator.hosting.database_roles.grants import GRANTS, REVISIONS, RoleName, read_privileges
from adjudicator.hosting.database_roles.logins import Connection, recorded_logins

_BY_COLUMN = ("SELECT", "INSERT", "UPDATE")
_WHOLE = ("DELETE", "TRUNCATE", "REFERENCES", "TRIGGER")
_ATTRIBUTES = ("rolsuper", "rolcreaterole", "rolcreatedb", "rolreplication", "rolbypassrls")
_COLUMNS = """SELECT c.relname, a.attname, p.name, has_column_privilege(%(login)s, c.oid, a.attnum, p.name)
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped, unnest(%(privileges)s::text[]) p(name)
WHERE c.relnamespace = current_schema()::regnamespace AND c.relname = ANY(%(tables)s)"""
_TABLES = """SELECT c.relname, p.name, has_table_privilege(%(login)s, c.oid, p.name) FROM pg_class c, unnest(%(privileges)s::text[]) p(name)
WHERE c.relnamespace = current_schema()::regnamespace AND c.relname = ANY(%(tables)s)"""

Right = tuple[str, str]  # a privilege, and the table or TABLE.COLUMN that it is for


@dataclass(frozen=True)
class ComparedLogin:
    """What a role's login may do that its role does not need, and what it may not do and needs:
    UPDATE receipt.signature ...
    """

    role: RoleName
    login: str
    beyond: tuple[str, ...]
    missing: tuple[str, ...]


@dataclass(frozen=True)
class Rights:
    """Who is connected, and how the logins of the roles stand."""

    user: str
    owns: bool  # whether the connected login may do everything with the tables
    roles: tuple[ComparedLogin, ...]  # of the logins that `sealed migrate` granted last


def read_rights(url: str) -> Rights:
    """Return what the logins of a PostgreSQL database may do. Raises the database's FAULTS."""
    engine = create_engine(url, hide_parameters=True)
    try:
        with engine.connect() as outer:
            connection = outer.connection.driver_connection
            assert isinstance(connection, psycopg.Connection)  # noqa: S101 the one driver of PostgreSQL
            user = connection.execute("SELECT current_user").fetchone()
            found = tuple(
                _compare(connection, role, login)
                for role, login in recorded_logins(connection).items()
            )
            return Rights(str(user[0]) if user else "", _owns(connection), found)
    finally:
        engine.dispose()


def _owns(connection: Connection) -> bool:
    query = """SELECT pg_has_role(current_user, relowner, 'USAGE') FROM pg_class WHERE oid = to_regclass(%s)"""
    row = connection.execute(query, [REVISIONS]).fetchone()
    return bool(row and row[0])


def _compare(connection: Connection, role: RoleName, login: str) -> ComparedLogin:
    attributes = connection.execute("SELECT * FROM pg_roles WHERE rolname = %s", [login])
    names = [each.name for each in attributes.description or ()]
    row = attributes.fetchone()
    if row is None:
        return ComparedLogin(role, login, (), ("a login of that name",))
    above = [
        name.removeprefix("rol").upper()
        for name in _ATTRIBUTES
        if dict(zip(names, row, strict=True))[name]
    ]
    has, columns = _has(connection, login)
    needs = set(_needs(role, columns))
    return ComparedLogin(
        role, login, (*above, *_right_names(has - needs)), _right_names(needs - has)
    )


def _has(connection: Connection, login: str) -> tuple[set[Right], Mapping[str, set[str]]]:
    """Return what a login may do, however it got there, and the columns of the tables."""
    parameters: dict[str, Any] = {"login": login, "tables": list(GRANTS)}
    found, columns = set[Right](), dict[str, set[str]]()
    for table, column, privilege, may in connection.execute(
        _COLUMNS, parameters | {"privileges": list(_BY_COLUMN)}
    ):
        columns.setdefault(table, set()).add(column)
        found |= {(privilege, f"{table}.{column}")} if may else set()
    whole = connection.execute(_TABLES, parameters | {"privileges": list(_WHOLE)})
    return found | {(privilege, table) for table, privilege, may in whole if may}, columns


def _needs(role: RoleName, columns: Mapping[str, set[str]]) -> Iterator[Right]:
    for table, access in GRANTS.items():
        for privilege, which in read_privileges(access.of(role)).items():
            if privilege in _BY_COLUMN:
                yield from (
                    (privilege, f"{table}.{column}")
                    for column in (columns.get(table, ()) if which is None else which)
                )
            else:
                yield privilege, table


def _right_names(rights: set[Right]) -> tuple[str, ...]:
    return tuple(
        f"{privilege} {what}"
        for privilege, what in sorted(rights, key=lambda right: (right[1], right[0]))
    )

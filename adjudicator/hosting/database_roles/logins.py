"""Logins of the roles: created with their passwords, and granted what `grants` says, by the owner
of the tables.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

import psycopg
from psycopg import sql
from sqlalchemy import create_engine
from sqlalchemy.exc import DBAPIError

from adjudicator.hosting.database_roles.grants import (
    GRANTS,
    REVISIONS,
    ROLES,
    RoleName,
    read_privileges,
)
from adjudicator.platform.config import LOGIN
from adjudicator.platform.errors import HostFault, WrongSetting

_ONE_AT_A_TIME = 5_1234_2  # an arbitrary advisory lock, the same in every process
# key of the comment in which the database keeps which logins were granted what
_RECORD = "sealed roles"
_OWN = sql.SQL(", ").join(sql.Identifier(table) for table in GRANTS)


@dataclass(frozen=True, repr=False)
class Login:
    """A login of PostgreSQL; without a password it is the host's own, made and authenticated as the
    host likes.
    """

    name: str
    password: str = ""


Connection = psycopg.Connection[Any]


def read_logins(text: str) -> dict[RoleName, Login]:
    """Return the logins that DATABASE_ROLES names, by role. Raises WrongSetting where two roles
    share one.
    """
    found: dict[RoleName, Login] = {}
    for role in ROLES:
        for name, password in re.findall(rf"(?:^|\s){role}={LOGIN}(?=\s|$)", text):
            found[role] = Login(unquote(name), unquote(password))
    if len({login.name for login in found.values()}) < len(found):
        raise WrongSetting(
            "DATABASE_ROLES gives two roles the same login, so each could do what the other may:"
            " give each its own."
        )
    return found


def grant_roles(url: str, logins: Mapping[RoleName, Login]) -> dict[RoleName, str]:
    """Make the logins that have a password, and let each do what its role needs and no more;
    returns their names.

    Without `logins` those of the last time are granted what this release needs, if they are there.
    One transaction; idempotent. `url` connects as the owner of the tables. Raises WrongSetting, or
    HostFault where a retry may succeed.
    """
    engine = create_engine(url, hide_parameters=True)
    try:
        with engine.connect() as outer:
            connection = outer.connection.driver_connection
            assert isinstance(connection, psycopg.Connection)  # noqa: S101 the one driver of PostgreSQL
            with connection.transaction():
                return _grant(connection, logins)
    except psycopg.errors.InsufficientPrivilege as fault:
        remedy = "connect as the owner of the tables, with CREATEROLE where logins are made"
        raise WrongSetting(
            f"DATABASE_URL may not make or grant the logins of the roles ({_said(fault)}):"
            f" {remedy}."
        ) from None
    except (psycopg.Error, DBAPIError) as fault:
        raise HostFault(
            f"The logins of DATABASE_ROLES could not be granted their tables: {_said(fault)}."
        ) from None
    finally:
        engine.dispose()


def _said(fault: Exception) -> str:
    return (str(fault).strip().splitlines() or [type(fault).__name__])[0]


def _grant(connection: Connection, logins: Mapping[RoleName, Login]) -> dict[RoleName, str]:
    connection.execute("SELECT pg_advisory_xact_lock(%s)", [_ONE_AT_A_TIME])
    before = recorded_logins(connection)
    now = {role: login.name for role, login in logins.items()}
    # not after a restore on another server
    now = now or {role: name for role, name in before.items() if _exists(connection, name)}
    for login in logins.values():
        _refuse_owner(connection, login)
        _make(connection, login)
    for name in {*before.values(), *now.values()}:
        if _exists(connection, name):
            _revoke_all(connection, name)
    for role, name in now.items():
        _grant_role(connection, role, name)
    if now:
        _record(connection, now)
    return now


# --- making


def _exists(connection: Connection, name: str) -> bool:
    return (
        connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [name]).fetchone()
        is not None
    )


def _refuse_owner(connection: Connection, login: Login) -> None:
    """Raise WrongSetting for a login that could do everything, whatever it is granted."""
    owner = "SELECT 1 FROM pg_class WHERE oid = to_regclass(%s) AND pg_get_userbyid(relowner) = %s"
    if connection.execute(owner, [REVISIONS, login.name]).fetchone():
        raise WrongSetting(
            f"DATABASE_ROLES names {login.name}, which owns the tables and may do everything: name"
            " another login."
        )
    if connection.execute(
        "SELECT 1 FROM pg_roles WHERE rolname = %s AND rolsuper", [login.name]
    ).fetchone():
        raise WrongSetting(
            f"DATABASE_ROLES names {login.name}, a superuser, who may do everything: name another"
            " login."
        )


def _make(connection: Connection, login: Login) -> None:
    """Create a login, or give it its password anew; the server is sent the password's verifier, so
    that its log never has more.
    """
    name, there = sql.Identifier(login.name), _exists(connection, login.name)
    if not login.password:
        if not there:
            raise WrongSetting(
                f"DATABASE_ROLES names the login {login.name}, which PostgreSQL does not know: add"
                f" a password ({login.name}:PASSWORD) to have it made, or run CREATE ROLE yourself."
            )
        return
    verifier = connection.pgconn.encrypt_password(
        login.password.encode(), login.name.encode(), b"scram-sha-256"
    ).decode()
    statement = sql.SQL(
        "ALTER ROLE {} LOGIN PASSWORD {}" if there else "CREATE ROLE {} LOGIN NOINHERIT PASSWORD {}"
    )
    connection.execute(statement.format(name, sql.Literal(verifier)))


# --- granting


def _revoke_all(connection: Connection, name: str) -> None:
    """Revoke what was granted on our tables and sequences; on a table that includes its columns."""
    login = sql.Identifier(name)
    connection.execute(sql.SQL("REVOKE ALL ON TABLE {} FROM {}").format(_OWN, login))
    for sequence in _sequences(connection).values():
        connection.execute(
            sql.SQL("REVOKE ALL ON SEQUENCE {} FROM {}").format(sql.SQL(sequence), login)
        )


def _sequences(connection: Connection) -> dict[str, str]:
    """Return the quoted names of the sequences that give our rows their ids, by table."""
    found = """SELECT c.relname, pg_get_serial_sequence(quote_ident(c.relname), 'id') FROM pg_class c
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'id'
        WHERE c.relnamespace = current_schema()::regnamespace AND c.relname = ANY(%s)"""
    return {
        table: name for table, name in connection.execute(found, [list(GRANTS)]) if name is not None
    }


def _grant_role(connection: Connection, role: RoleName, name: str) -> None:
    login, sequences = sql.Identifier(name), _sequences(connection)
    closed = "SELECT current_schema() WHERE NOT has_schema_privilege(%s, current_schema(), 'USAGE')"
    for (schema,) in connection.execute(closed, [name]).fetchall():
        connection.execute(
            sql.SQL("GRANT USAGE ON SCHEMA {} TO {}").format(sql.Identifier(schema), login)
        )
    for table, access in GRANTS.items():
        granted = access.of(role)
        if not granted:
            continue
        connection.execute(
            sql.SQL("GRANT {} ON TABLE {} TO {}").format(
                _quoted(granted), sql.Identifier(table), login
            )
        )
        if "INSERT" in read_privileges(granted) and table in sequences:
            connection.execute(
                sql.SQL("GRANT USAGE ON SEQUENCE {} TO {}").format(sql.SQL(sequences[table]), login)
            )


def _quoted(granted: str) -> sql.Composed:
    """Return a grant with its columns quoted, as some are words of SQL."""
    parts = [
        (
            sql.SQL("{} ({})").format(
                sql.SQL(verb), sql.SQL(", ").join(map(sql.Identifier, sorted(columns)))
            )
            if columns
            else sql.SQL(verb)
        )
        for verb, columns in read_privileges(granted).items()
    ]
    return sql.SQL(", ").join(parts)


# --- what the database remembers


def recorded_logins(connection: Connection) -> dict[RoleName, str]:
    """Return the logins that were granted last, by role; {} if none ever were."""
    row = connection.execute(
        "SELECT obj_description(to_regclass(%s), 'pg_class')", [REVISIONS]
    ).fetchone()
    found = re.fullmatch(rf"{_RECORD}: (.*)", row[0] or "") if row else None
    return json.loads(found[1]) if found else {}


def _record(connection: Connection, logins: Mapping[RoleName, str]) -> None:
    """Keep the logins in the comment of a table, which everybody may read and only its owner may
    write.
    """
    text = f"{_RECORD}: {json.dumps(dict(logins), sort_keys=True)}"
    connection.execute(
        sql.SQL("COMMENT ON TABLE {} IS {}").format(sql.Identifier(REVISIONS), sql.Literal(text))
    )

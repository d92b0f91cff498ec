"""Worlds on PostgreSQL: the database is emptied between worlds, and its connections are reused."""

import os
import re
import socket
from typing import Any

import psycopg
from psycopg import sql
from psycopg.pq.abc import PGconn
from sqlalchemy import event

from adjudicator.platform import db
from tests.simulation import claim
from tests.simulation.db_points import attach
from tests.simulation.locks import Locks
from tests.simulation.postgres_connection import PostgresConnection, PostgresCursor
from tests.simulation.world import Killed, Process, World

_HANG_UP_SECONDS = 10
_PATIENCE, _LEFT_ALONE = (
    re.compile(r"-c lock_timeout=(\d+)"),
    re.compile(r"-c idle_in_transaction_session_timeout=(\d+)"),
)  # in milliseconds
# Durability is not needed; plans and the order of rows must not depend on statistics or on other
# processes.
# the world's clock enforces the service's limits
_UNHURRIED = "-c lock_timeout=0 -c idle_in_transaction_session_timeout=0"
_OPTIONS = f"{_UNHURRIED} -c synchronous_commit=off -c jit=off -c max_parallel_workers_per_gather=0"


class Server:
    """The database of the worlds, and its connections."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._address = url.replace("+psycopg", "")
        # for reuse: opening one costs as much as a hundred statements
        self.spare: list[PGconn] = []
        self.connections: list[PostgresConnection] = []  # opened since the last `clear`

    def open(self) -> None:
        """Claim the database, migrate it, and disable autovacuum, which would change query plans.

        Raises what `claim.claim_database` does.
        """
        claim.claim_database(self.url)
        self._monitor = psycopg.connect(self._address, autocommit=True, options=_OPTIONS)
        self.locks = Locks(
            self._monitor,
            lambda: [connection for connection in self.connections if not connection.closed],
        )
        with psycopg.connect(self._address) as gone:
            self.nothing = gone.pgconn  # stands in for a closed connection
        self._tables = claim.table_names(self._monitor)
        for table in self._tables:
            self._monitor.execute(
                sql.SQL("ALTER TABLE {} SET (autovacuum_enabled = off)").format(
                    sql.Identifier(table)
                )
            )

    def close(self) -> None:
        """Empty the database, release it and close all connections."""
        self.clear()
        claim.release_database(self._monitor)
        for spare in self.spare:
            spare.finish()
        self._monitor.close()

    def clear(self) -> None:
        """Empty all tables and reset their sequences; empty tables are skipped."""
        for connection in self.connections:
            connection.close()
        self.connections = []
        self.locks.clear()
        filled = [sql.Identifier(name) for name in claim.filled_tables(self._monitor, self._tables)]
        if filled:
            self._monitor.execute(
                sql.SQL("TRUNCATE {} RESTART IDENTITY CASCADE").format(sql.SQL(", ").join(filled))
            )

    def connect(
        self, _dialect: object, _record: object, words: Any, named: dict[str, Any]
    ) -> PostgresConnection:
        """Open a connection for the running process, called by SQLAlchemy."""
        strand = World.here.current if hasattr(World, "here") else None
        if strand is not None and strand.process.dead:
            raise Killed
        return self._connect(strand.process if strand else None, words, named)

    def look(self, database: db.Database) -> None:
        """Give the observer connections without a process, which have no points and are reused
        too.
        """
        event.listen(
            database.engine,
            "do_connect",
            lambda _dialect, _record, words, named: self._connect(None, words, named),
        )

    def _connect(
        self, process: Process | None, words: Any, named: dict[str, Any]
    ) -> PostgresConnection:
        asked = named.pop("options", "")
        named.pop("cursor_factory", None)
        # Statements are never prepared, so that plans do not depend on earlier executions.
        PostgresConnection.server = self
        connection = PostgresConnection.connect(
            *words,
            **named,
            options=f"{asked} {_OPTIONS}",
            prepare_threshold=None,
            cursor_factory=PostgresCursor,
        )
        connection.pid = connection.pgconn.backend_pid
        if process is not None:
            connection.patience, connection.left_alone = (
                _seconds(_PATIENCE, asked),
                _seconds(_LEFT_ALONE, asked),
            )
        else:  # the observer never meets a lock; if a world makes it, it fails instead of hanging
            connection.pgconn.exec_(b"SET lock_timeout = '20s'")
        attach(process, connection)
        self.connections.append(connection)
        return connection

    def hang_up(self, connection: PostgresConnection) -> None:
        """Close a connection during a statement, and wait until its server process is gone with its
        locks.
        """
        with socket.socket(fileno=os.dup(connection.pgconn.socket)) as line:
            self._monitor.execute("SELECT pg_terminate_backend(%s)", [connection.pid])
            connection.pgconn.finish()
            line.settimeout(_HANG_UP_SECONDS)
            try:
                while line.recv(4096):
                    pass
            except ConnectionResetError:
                return


def _seconds(setting: re.Pattern[str], options: str) -> float:
    """Return the service's limit in seconds; 0 if it sets none."""
    found = setting.findall(options)
    return float(found[-1]) / 1000 if found else 0.0

"""The migrations create the tables of the code, and an older release's database keeps its rows."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import alembic.command
import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text

from adjudicator.platform import db
from adjudicator.service.base import tables

MOMENT = "2026-11-02 12:00:00+00:00"


def differences(url: str) -> list[Any]:
    database = db.Database(url)
    try:
        with database.engine.connect() as connection:
            return list(
                compare_metadata(MigrationContext.configure(connection), tables.all_tables())
            )
    finally:
        database.engine.dispose()


@pytest.mark.both_databases
def test_the_migrations_make_what_the_tables_say(database_url: str) -> None:
    assert differences(database_url) == []


def test_the_alembic_command_compares_the_tables_with_the_hosts_database(sqlite_url: str) -> None:
    command = [sys.executable, "-P", "-m", "alembic", "check"]
    root = Path(__file__).parent.parent
    ran = subprocess.run(
        command,
        cwd=root,
        env=os.environ | {"DATABASE_URL": sqlite_url},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert "No new upgrade operations detected." in ran.stdout


def test_the_files_of_the_migrations_are_named_for_their_revisions() -> None:
    migrations = ScriptDirectory.from_config(db._alembic())
    assert migrations.get_heads() == [db.newest_revision()]
    assert {each.revision for each in migrations.walk_revisions()} == db._revisions_known()


ROWS = (
    (
        "INSERT INTO player (address, name, zone, house, receipts, letters, made_at)"
        f" VALUES ('ada@example.org', 'Ada', 'UTC', false, true, true, '{MOMENT}')"
    ),
    (
        f"INSERT INTO signedin (token_hash, player_id, made_at, until) VALUES ('a', 1, '{MOMENT}',"
        f" '{MOMENT}')"
    ),
    (
        "INSERT INTO match (uid, name, game, rules_version, options, status, version, sealing,"
        " master_id, every_seconds, grace_seconds, ready_rule, open_seats, made_at) VALUES ('a',"
        f" 'A', 'pyramid', 1, '{{}}', 'open', 0, 1, 1, 60, 0, 'complete', true, '{MOMENT}')"
    ),
    "INSERT INTO seat (match_id, position, name, player_id, token) VALUES (1, 0, '1', 1, 'a')",
    (
        "INSERT INTO letter (uid, kind, player_id, match_id, address, state, tries, next_try,"
        f" made_at) VALUES ('a', 'report', 1, 1, 'ada@example.org', 'waiting', 0, '{MOMENT}',"
        f" '{MOMENT}')"
    ),
    "INSERT INTO picture (hash, png) VALUES ('a', '')",
)


@pytest.mark.both_databases
def test_a_database_of_the_first_release_is_brought_up_to_date_with_what_is_in_it(
    database_url: str,
) -> None:
    database = db.Database(database_url)
    config = db._alembic()
    with database.engine.begin() as connection:
        config.attributes["connection"] = connection
        alembic.command.downgrade(config, "0001")
        for row in ROWS:
            connection.execute(text(row.replace(":", "\\:")))
    db.migrate(database_url)
    with database.read_tx() as session:
        player = session.get(tables.Player, 1)
        assert player is not None and (player.name, player.master, player.stop_token) == (
            "Ada",
            False,
            None,
        )
        assert (
            session.get(tables.Picture, "a") is None
            and session.get(tables.SignedIn, "a") is not None
        )
        seat, letter = session.get(tables.Seat, 1), session.get(tables.Letter, 1)
        assert (
            seat is not None
            and letter is not None
            and (seat.player_id, letter.player_id, letter.phase_number) == (1, 1, None)
        )
    database.engine.dispose()
    assert differences(database_url) == []

"""What the migrations make is what the tables say, and a database of an older release keeps what is in it."""

from typing import Any

import alembic.command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import text
from sqlmodel import SQLModel

from adjudicator import db
from adjudicator.service import tables  # the tables are known once they are imported

MOMENT = "2026-11-02 12:00:00+00:00"


def differences(url: str) -> list[Any]:
    database = db.Database(url)
    try:
        with database.engine.connect() as connection:
            return list(compare_metadata(MigrationContext.configure(connection), SQLModel.metadata))
    finally:
        database.engine.dispose()


def test_the_migrations_make_what_the_tables_say(database_url: str) -> None:
    assert tables.Incoming.__table__.name == "incoming"  # type: ignore[attr-defined]  # SQLModel hides it
    assert differences(database_url) == []


def test_a_database_of_the_first_release_is_brought_up_to_date_with_what_is_in_it(database_url: str) -> None:
    database = db.Database(database_url)
    config = db._alembic()
    with database.engine.begin() as connection:
        config.attributes["connection"] = connection
        alembic.command.downgrade(config, "0001")
        connection.execute(
            text(
                "INSERT INTO player (address, name, zone, house, receipts, letters, made_at)"
                f" VALUES ('ada@example.org', 'Ada', 'UTC', false, true, true, '{MOMENT}')"
            )
        )
        connection.execute(text("INSERT INTO picture (hash, png) VALUES ('a', '')"))
    db.migrate(database_url)
    with database.reading() as session:
        player = session.get(tables.Player, 1)
        assert player is not None and (player.name, player.master, player.stop_token) == ("Ada", False, None)
        assert session.get(tables.Picture, "a") is not None
    database.engine.dispose()
    assert differences(database_url) == []

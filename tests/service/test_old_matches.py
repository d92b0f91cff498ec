"""A database of the first release with running matches: no migration changes an existing value, and
matches run on as before.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import alembic.command
import alembic.config
import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, MetaData, select
from sqlmodel import col

from adjudicator.platform import db
from adjudicator.service.base import rows as base_rows
from adjudicator.service.base.tables import Match, PhaseRow, Seat
from adjudicator.service.matches import creation
from adjudicator.service.matches.creation import Wish
from adjudicator.service.phases import beginning
from tests.cast import ALICE, BOB, CHARLIE
from tests.harness import Harness
from tests.unlogged import forget_logs

Rows = dict[str, dict[tuple[Any, ...], dict[str, Any]]]

# The values that later migrations gave to existing matches and seats: their earlier behaviour.
OLD_MATCH = {"seating": "order", "lots": None, "short_seconds": None}
OLD_SEAT = {"wishes": []}


@contextmanager
def migrating(harness: Harness) -> Iterator[tuple[Connection, alembic.config.Config]]:
    """A connection on which single migrations run up or down, as in `db.migrate`."""
    with harness.database.engine.connect() as connection:
        if harness.database.engine.dialect.name == "sqlite":
            connection.connection.dbapi_connection.execute("PRAGMA foreign_keys=OFF")  # type: ignore[union-attr]  # it is open
        config = db._alembic()
        config.attributes["connection"] = connection
        yield connection, config
        connection.commit()
    harness.database.engine.dispose()


def rows(connection: Connection) -> Rows:
    """Return every row of every table by its key."""
    known = MetaData()
    known.reflect(connection)
    found: Rows = {}
    for table in (each for each in known.sorted_tables if each.name != "alembic_version"):
        keys = [column.name for column in table.primary_key.columns]
        told = [dict(row._mapping) for row in connection.execute(select(table))]
        found[table.name] = {tuple(row[key] for key in keys): row for row in told if keys}
    return found


def changed(before: Rows, after: Rows) -> list[str]:
    """Return a line for each value of `before` that is different in `after`."""
    return [
        f"{table}{key}.{name}: {value!r} became {after[table].get(key, {}).get(name, 'nothing')!r}"
        for table, kept in before.items()
        if table in after
        for key, row in kept.items()
        for name, value in row.items()
        if name in after[table].get(key, {name: ...})
        and after[table].get(key, {}).get(name, ...) != value
    ]


def filled(harness: Harness) -> str:
    """Play a match to its second round, where one seat has handed in orders, and begin another with
    house bots.
    """
    uid = harness.match(
        ALICE, BOB, CHARLIE, wish=Wish("pyramid", "Old", {}, every_hours=24, grace_minutes=5)
    )
    for name in (ALICE, BOB, CHARLIE):
        harness.order(uid, name, "B3")
    assert harness.close(uid)
    harness.order(uid, ALICE, "W2\nwait")
    harness.match(ALICE, wish=Wish("pyramid", "Bots", {}, house=2))
    forget_logs(harness.database, harness.keyring)
    return uid


@pytest.mark.nightly
def test_no_migration_changes_what_it_finds_and_old_matches_go_on_as_they_were(
    harness: Harness,
) -> None:
    uid = filled(harness)
    revisions = [
        each.revision
        for each in reversed(list(ScriptDirectory.from_config(db._alembic()).walk_revisions()))
    ]
    with migrating(harness) as (connection, config):
        alembic.command.downgrade(config, revisions[0])
        before = rows(connection)
        assert before["match"] and before["phase"] and before["envelope"] and before["letter"]
    for revision in revisions[1:]:
        with migrating(harness) as (connection, config):
            alembic.command.upgrade(config, revision)
            after = rows(connection)
            assert changed(before, after) == [], revision
            before = after
    _stands_as_it_was(harness, uid)
    _goes_on(harness, uid)


def _stands_as_it_was(harness: Harness, uid: str) -> None:
    with harness.database.read_tx() as session:
        for match in session.exec(select(Match)).scalars():
            assert {name: getattr(match, name) for name in OLD_MATCH} == OLD_MATCH, (
                "an old match does what it did"
            )
        for seat in session.exec(select(Seat)).scalars():
            assert {name: getattr(seat, name) for name in OLD_SEAT} == OLD_SEAT
    assert [seat.player for seat in harness.page(uid).card.seats] == [ALICE, BOB, CHARLIE]


def _goes_on(harness: Harness, uid: str) -> None:
    assert harness.order(uid, BOB, "C1").disposition == "accepted"
    harness.later(hours=24, minutes=5)
    assert harness.close(uid)
    with harness.database.read_tx() as session:
        newest = session.exec(select(PhaseRow).order_by(col(PhaseRow.id).desc())).scalars().first()
        taken = {
            seat: each["orders"]
            for phase in session.exec(select(PhaseRow).where(PhaseRow.number == 2)).scalars()
            if phase.closed_at
            for seat, each in (phase.taken or {}).items()
        }
    assert taken["1"] == "W2" and taken["2"] == "C1", "what was sealed before the upgrade counts"
    assert newest is not None and newest.deadline == harness.now + timedelta(hours=24)


def test_a_match_that_waits_since_before_an_option_was_there_begins_with_its_default(
    harness: Harness,
) -> None:
    alice = harness.player(ALICE)
    uid = creation.make_match(
        harness.database, alice, Wish("diplomacy", "Old", {}, players=2, house=1), now=harness.now
    )
    with harness.database.write_tx() as session:
        match = base_rows.by_uid(session, uid)
        match.options = {name: value for name, value in match.options.items() if name != "draws"}
    assert beginning.prepare_match(harness.database, harness.keyring, uid, now=harness.now)
    assert harness.start_match(uid)
    with harness.database.read_tx() as session:
        assert base_rows.by_uid(session, uid).options["draws"] == "all"
    assert harness.page(uid).card.status == "running"

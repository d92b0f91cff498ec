"""A database of the first release with matches that run: no migration changes what it finds, and each match goes on as it was."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import alembic.command
import alembic.config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, MetaData, select

from adjudicator.platform import db
from adjudicator.service.base import rows as base_rows
from adjudicator.service.base.tables import Match, PhaseRow, Seat
from adjudicator.service.matches import creation
from adjudicator.service.matches.creation import Wish
from adjudicator.service.phases import opening
from tests.cast import ALICE, BOB, CHARLIE
from tests.harness import Harness

Rows = dict[str, dict[tuple[Any, ...], dict[str, Any]]]

# What a match and a seat from before were given by each release since: what they always did.
OLD_MATCH = {"seating": "order", "lots": None, "short_seconds": None}
OLD_SEAT = {"wishes": []}


@contextmanager
def migrating(desk: Harness) -> Iterator[tuple[Connection, alembic.config.Config]]:
    """A connection on which single migrations are made or taken back, as `db.migrate` does."""
    with desk.database.engine.connect() as connection:
        if desk.database.engine.dialect.name == "sqlite":
            connection.connection.dbapi_connection.execute("PRAGMA foreign_keys=OFF")  # type: ignore[union-attr]  # it is open
        config = db._alembic()
        config.attributes["connection"] = connection
        yield connection, config
        connection.commit()
    desk.database.engine.dispose()


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
    """Return a line for each value of `before` that is not what it was."""
    return [
        f"{table}{key}.{name}: {value!r} became {after[table].get(key, {}).get(name, 'nothing')!r}"
        for table, kept in before.items()
        if table in after
        for key, row in kept.items()
        for name, value in row.items()
        if name in after[table].get(key, {name: ...}) and after[table].get(key, {}).get(name, ...) != value
    ]


def filled(desk: Harness) -> str:
    """Play a match to its second round, with orders waiting in it, and leave another open."""
    uid = desk.match(ALICE, BOB, CHARLIE, wish=Wish("pyramid", "Old", {}, every_hours=24, grace_minutes=5))
    for name in (ALICE, BOB, CHARLIE):
        desk.order(uid, name, "B3")
    assert desk.close(uid)
    desk.order(uid, ALICE, "W2\nwait")
    desk.match(ALICE, wish=Wish("pyramid", "Bots", {}, house=2))
    return uid


def test_no_migration_changes_what_it_finds_and_old_matches_go_on_as_they_were(desk: Harness) -> None:
    uid = filled(desk)
    revisions = [each.revision for each in reversed(list(ScriptDirectory.from_config(db._alembic()).walk_revisions()))]
    with migrating(desk) as (connection, config):
        alembic.command.downgrade(config, revisions[0])
        before = rows(connection)
        assert before["match"] and before["phase"] and before["envelope"] and before["letter"]
    for revision in revisions[1:]:
        with migrating(desk) as (connection, config):
            alembic.command.upgrade(config, revision)
            after = rows(connection)
            assert changed(before, after) == [], revision
            before = after
    _stands_as_it_was(desk, uid)
    _goes_on(desk, uid)


def _stands_as_it_was(desk: Harness, uid: str) -> None:
    with desk.database.read_tx() as session:
        for match in session.exec(select(Match)).scalars():
            assert {name: getattr(match, name) for name in OLD_MATCH} == OLD_MATCH, "an old match does what it did"
        for seat in session.exec(select(Seat)).scalars():
            assert {name: getattr(seat, name) for name in OLD_SEAT} == OLD_SEAT
    assert [seat.player for seat in desk.page(uid).card.seats] == [ALICE, BOB, CHARLIE]


def _goes_on(desk: Harness, uid: str) -> None:
    assert desk.order(uid, BOB, "C1").disposition == "accepted"
    desk.later(hours=24, minutes=5)
    assert desk.close(uid)
    with desk.database.read_tx() as session:
        newest = session.exec(select(PhaseRow).order_by(PhaseRow.id.desc())).scalars().first()  # type: ignore[union-attr]
        taken = {seat: each["orders"] for phase in session.exec(select(PhaseRow).where(PhaseRow.number == 2)).scalars() if phase.closed_at
                 for seat, each in (phase.taken or {}).items()}  # fmt: skip
    assert taken["1"] == "W2" and taken["2"] == "C1", "what was sealed before the upgrade counts"
    assert newest is not None and newest.deadline == desk.now + timedelta(hours=24)


def test_a_match_that_waits_since_before_an_option_was_there_begins_with_its_default(desk: Harness) -> None:
    alice = desk.player(ALICE)
    uid = creation.make_match(desk.database, alice, Wish("diplomacy", "Old", {}, players=2, house=1), now=desk.now)
    with desk.database.write_tx() as session:
        match = base_rows.by_uid(session, uid)
        match.options = {name: value for name, value in match.options.items() if name != "draws"}
    assert opening.prepare_match(desk.database, desk.keyring, uid, now=desk.now)
    assert desk.start_match(uid)
    with desk.database.read_tx() as session:
        assert base_rows.by_uid(session, uid).options["draws"] == "all"
    assert desk.page(uid).card.status == "running"

"""Connections of a simulated process: those that its pool keeps, and those beyond."""

from sqlmodel import select

from adjudicator.service.base.tables import Player
from tests.simulation.fixture_db import FixtureDb
from tests.simulation.world import Process, World

KEPT = 10  # connections that a pool keeps


def test_a_process_that_had_more_connections_than_its_pool_keeps_can_be_killed() -> None:
    with FixtureDb() as fixture_db:
        fixture_db.clear()
        world = World.here = World(0)
        process, faults = Process("web"), []

        def read() -> None:
            with fixture_db.databases["web"].read_tx() as session:
                session.exec(select(Player)).all()
                world.wait(1.0)  # so that all are open at once

        for number in range(KEPT + 3):
            world.spawn(process, f"reader {number}", read, lambda _, fault: faults.append(fault))
        world.run(30.0)
        assert faults == [None] * (KEPT + 3)
        assert len(process.connections) == KEPT
        world.kill(process)
        assert all(connection.is_cut for connection in process.connections)
        world.end()

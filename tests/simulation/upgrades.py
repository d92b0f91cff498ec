"""An upgrade during a world: all processes end, the last release's database is migrated, and the
service restarts.
"""

import random

import alembic.command

from adjudicator.platform import db
from tests.simulation.fixture_db import Files
from tests.simulation.service import Service
from tests.simulation.world import World
from tests.unlogged import forget_logs, store_tokens

UPGRADED = "a database was upgraded"
RELEASED = "0005"  # the last migration of the last release
_SHARE = 0.12  # of the worlds


def is_planned(seed: int) -> bool:
    """Whether a world is upgraded, unless it is one without faults: its matches must not use what
    the last release did not have.
    """
    return random.Random(f"{seed}/upgrades").random() < _SHARE


def join(world: World, service: Service) -> None:
    """Upgrade the service once in some worlds on SQLite; the others are unchanged."""
    dice, faults = random.Random(f"{world.seed}/upgrades"), service.faults
    if (
        faults.quiet
        or faults.crash_at is not None
        or not isinstance(service.fixture_db.ground, Files)
    ):
        return
    if dice.random() < _SHARE:
        world.at(faults.until * dice.random(), _upgrade, world, service)


def _upgrade(world: World, service: Service) -> None:
    """Kill all processes, downgrade the database to the last release, and migrate it as `sealed
    migrate` does.

    Rows keep the columns of the last release; newer columns get their migration's default. Its
    matches had no logs, and it stored tokens.
    """
    ended = world.living()
    for process in ended:
        world.ambiguous(process)
        world.kill(process)
    world.fire(UPGRADED)
    store_tokens(service.fixture_db.eyes, service.fixture_db.keyring)
    forget_logs(service.fixture_db.eyes, service.fixture_db.keyring)
    service.fixture_db.eyes.engine.dispose()
    _take_back(service.fixture_db.url)
    db.migrate(service.fixture_db.url)
    for process in ended:
        service.faults.down(process)


def _take_back(url: str) -> None:
    database = db.Database(url)
    config = db._alembic()
    try:
        with database.engine.connect() as connection:
            connection.connection.dbapi_connection.execute("PRAGMA foreign_keys=OFF")  # type: ignore[union-attr]  # it is open
            config.attributes["connection"] = connection
            alembic.command.downgrade(config, RELEASED)
            connection.commit()
    finally:
        database.engine.dispose()

"""The host gives the service new keys while a world runs, again where the command was killed."""

import random
from functools import partial
from typing import Any

from adjudicator.service.upkeep import rotation
from tests.simulation import upgrades
from tests.simulation.service import Service
from tests.simulation.world import Process, World

ROTATED, CUT_SHORT = "keys were rotated", "a rotation was cut short"
KINDS = (ROTATED, CUT_SHORT)
_SHARE = 0.25  # of the worlds
_MOST = 3  # rotations of a world
_AGAIN = 20.0  # seconds until the host tries again
# the command's connections are like those of this process, and it is killed with it
_SLOT = "worker 2"


def join(world: World, service: Service) -> None:
    """Rotate the keys in some worlds; the others are unchanged."""
    dice, faults = random.Random(f"{world.seed}/rotations"), service.faults
    if (
        faults.quiet
        or faults.crash_at is not None
        or upgrades.is_planned(world.seed)
        or dice.random() >= _SHARE
    ):
        return
    host = _Host(world, service)
    for _ in range(dice.randint(1, _MOST)):
        world.at(faults.until * dice.random(), host.rotate)


class _Host:
    """Whoever runs `sealed keys rotate`, one command at a time."""

    def __init__(self, world: World, service: Service) -> None:
        self._world, self._service = world, service
        self._at_work: Process | None = None

    def rotate(self) -> None:
        """Begin the command in a living process, unless it runs; look after it until it has
        ended.
        """
        if self._at_work is not None and not self._at_work.dead:
            self._world.at(_AGAIN, self.rotate)
            return
        if self._at_work is not None:
            self._world.fire(CUT_SHORT)
        process = self._world.slots[_SLOT]
        self._at_work = None if process.dead else process
        if process.dead:
            self._world.at(_AGAIN, self.rotate)
            return
        self._world.at(_AGAIN, self._look_after)
        self._world.spawn(process, "keys rotate", partial(self._command, process), self._ended)

    def _command(self, process: Process) -> rotation.Rotated:
        database = self._service.fixture_db.databases[process.slot]
        return rotation.rotate_keys(
            database, self._service.fixture_db.settings.key_file, now=database.now
        )

    def _ended(self, _: Any, fault: BaseException | None) -> None:
        self._at_work = None
        if fault is not None:
            self._world.fire(CUT_SHORT)
            self._world.at(_AGAIN, self.rotate)
            return
        self._world.fire(ROTATED)

    def _look_after(self) -> None:
        """Begin again where the process was killed, and so tells nobody."""
        if self._at_work is None:
            return
        if self._at_work.dead:
            self.rotate()
        else:
            self._world.at(_AGAIN, self._look_after)

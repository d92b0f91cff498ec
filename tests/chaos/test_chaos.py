"""One short scenario through the code of `script/chaos`: a worker is killed and its connections are
cut during play.
"""

import random

import pytest

from tests.chaos.run import Pace, play_scenario
from tests.chaos.scenarios import Scenario, kill_one
from tests.chaos.servers import cut_connections
from tests.chaos.world import World
from tests.waiting import LIMIT

SHORT = Pace(warm=0, before=0, faults=0, turn=40, back=-40)  # six matches; rates are not measured
AIMS = (
    "a task's process",
    "the main process",
    "connections",
    "a task's process",
    "the worker",
    "connections",
)


def _breaks(world: World, _seconds: float, dice: random.Random) -> None:
    """Make each fault as soon as a phase has closed after the one before."""
    world.players.tell("hurry")
    for aim in AIMS:
        worker = world.crew.roles["worker"]
        world.wait_for("the worker to run", lambda: worker.pid is not None, LIMIT)  # noqa: B023 called at once
        closed = len(world.closings())
        with world.fault(aim):
            (
                cut_connections(world.url)
                if aim == "connections"
                else kill_one(worker.pid or 0, aim, dice)
            )
        world.wait_for(
            f"a phase to close after {aim} was broken",
            lambda: len(world.closings()) > closed,  # noqa: B023 as above
            LIMIT,
        )


@pytest.mark.nightly
def test_a_killed_worker_and_cut_connections_lose_and_double_nothing() -> None:
    said: list[str] = []
    short = Scenario("short", "a worker killed, connections cut", _breaks)
    outcome = play_scenario(short, SHORT, 0.45, said.append, hurry=True, near=LIMIT)
    verdict = outcome.verdict
    assert verdict.sound, (verdict.lost, verdict.double, verdict.other)
    assert (
        outcome.faults == len(AIMS) + 1
        and outcome.closed >= 6 * 8
        and outcome.accepted
        and all(outcome.letters)
    )

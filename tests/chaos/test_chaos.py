"""One short scenario through the code of `script/chaos`: a worker is killed and its connections are cut during play."""

import random

import pytest

from tests.chaos.run import Pace, play_scenario
from tests.chaos.scenarios import Scenario, cut, kill_workers
from tests.chaos.world import World

SHORT = Pace(warm=0, before=2, faults=8, turn=2, back=-2)  # too short for rates to mean anything


def _breaks(world: World, seconds: float, dice: random.Random) -> None:
    kill_workers(world, seconds / 2, dice)
    cut(world, seconds / 2, dice)


@pytest.mark.nightly
def test_a_killed_worker_and_cut_connections_lose_and_double_nothing() -> None:
    said: list[str] = []
    outcome = play_scenario(Scenario("short", "a worker killed, connections cut", _breaks), SHORT, 1.5, said.append, hurry=True)
    verdict = outcome.verdict
    assert verdict.sound, (verdict.lost, verdict.double, verdict.other)
    assert outcome.faults >= 4 and outcome.closed >= 16 and outcome.accepted >= 16 and min(outcome.letters) >= 8

"""How the clocks of worlds are set: long phases, and what is left out of worlds that are
upgraded.
"""

from tests.simulation import clocks, upgrades
from tests.simulation.clocks import ClockPlan, clock_plan


def test_a_world_that_is_upgraded_uses_what_the_last_release_had() -> None:
    upgraded = [seed for seed in range(200) if upgrades.is_planned(seed)]
    assert upgraded
    assert {clock_plan(seed, number) for seed in upgraded for number in (0, 1)} == {ClockPlan()}
    assert not any(clocks.is_long(seed) for seed in upgraded)


def test_long_phases_honour_absences_and_short_ones_have_overtime() -> None:
    plans = {seed: clock_plan(seed, 0) for seed in range(200)}
    long = [plan for seed, plan in plans.items() if clocks.is_long(seed)]
    short = [plan for seed, plan in plans.items() if not clocks.is_long(seed)]
    assert all(plan.every >= 1500 for plan in long)
    assert {plan.absence_days for plan in long} == {0, 1, 3, 21, 60}
    assert {plan.overtime for plan in short} == {0, 1, 2}


def test_overtime_lasts_at_most_half_a_phase() -> None:
    assert [ClockPlan(overtime=2).overtime_of(every) for every in (90, 150, 280)] == [0, 1, 2]

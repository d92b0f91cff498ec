"""Random whole matches with valid and invalid orders: invariants after every phase."""

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from adjudicator.core import codec
from adjudicator.core.chance import Setting, StreamName, first_element, of_phase
from adjudicator.core.game import Seat
from adjudicator.core.options import OptionValue
from adjudicator.games.diplomacy.map.geography import STANDARD, Unit, province_of
from adjudicator.games.diplomacy.model.orders import (
    TRAITS,
    Build,
    Change,
    Concede,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    Support,
    Vote,
)
from adjudicator.games.diplomacy.model.state import RuleSet, State, owners_of
from adjudicator.games.diplomacy.phases import ending, flow
from adjudicator.games.diplomacy.phases.characteristics import draw_traits
from adjudicator.games.diplomacy.resolve.resolve_adjustments import account_of
from adjudicator.games.diplomacy.rules import DIPLOMACY
from tests.games.diplomacy.table import opened

LONGEST = 40  # phases

Chosen = dict[str, OptionValue]
MATCHES: list[tuple[RuleSet, int, Chosen]] = [
    ("standard", 7, {}),
    ("standard", 7, {"edition": "1976", "victory_centres": 9}),
    ("standard", 6, {"unplayed": "absent"}),
    ("standard", 5, {"build_anywhere": True, "edition": "via"}),
    ("standard", 2, {"year_limit": 1904}),
    ("rsp", 7, {"edition": "1976"}),
    ("rsp", 4, {"edition": "2023", "powers": "one"}),
    ("rsp", 3, {"edition": "1976", "build_anywhere": True}),
]


@pytest.mark.parametrize(("rule_set", "players", "chosen"), MATCHES)
def test_whatever_is_ordered_the_position_stays_whole(
    rule_set: RuleSet, players: int, chosen: Chosen
) -> None:
    for state in _played(rule_set, players, chosen):
        _check_units(state)
        _check_phase(state)


@pytest.mark.parametrize(("rule_set", "players", "chosen"), MATCHES)
def test_a_state_reads_back_from_its_stored_form(
    rule_set: RuleSet, players: int, chosen: Chosen
) -> None:
    for state in _played(rule_set, players, chosen):
        assert codec.load(State, codec.dump(State, state)) == state


def _check_units(state: State) -> None:
    standing = [province_of(unit) for unit in owners_of(state)]
    assert len(standing) == len(set(standing)), "two units never share a province"
    assert set(owners_of(state)) <= set(STANDARD.units)
    owned = [code for power in STANDARD.powers for code in state.centres.get(power, ())]
    assert len(owned) == len(set(owned))
    assert set(state.traits) == (set(owners_of(state)) if state.setup.rule_set == "rsp" else set())
    assert set(state.seen) <= set(owners_of(state))
    if state.phase.startswith("S") and state.stage == "M":
        assert all(
            len(state.units.get(power, ())) <= len(state.centres.get(power, ()))
            for power in STANDARD.powers
        )


def _check_phase(state: State) -> None:
    assert bool(flow.seats_due(state)) == (DIPLOMACY.result(state) is None)
    assert all(each.retreats for each in state.homeless) and bool(state.homeless) == (
        state.stage == "R"
    )
    assert state.stage == "R" or state.contested == ()
    assert set(state.voted) <= set(ending.survivors(state))
    assert all(flow.default(state, seat) for seat in flow.seats_due(state))


# --- playing


def _played(rule_set: RuleSet, players: int, chosen: Chosen) -> Iterator[State]:
    """Yield the states of a match; now and then a seat is silent, writes nonsense, votes or
    concedes.
    """
    dice = random.Random(f"{rule_set} {players} {chosen}")
    seed = dice.randbytes(32)
    firsts: dict[StreamName, bytes] = {
        "public": first_element(seed, "public"),
        "hidden": first_element(seed, "hidden"),
    }
    state = opened(players, rule_set, **chosen)
    if rule_set == "rsp":
        state = replace(
            state, traits=draw_traits(owners_of(state), of_phase(firsts, Setting("", 0)))
        )
    yield state
    for number in range(1, LONGEST):
        if state.end:
            break
        orders = {
            seat: tuple(_orders(state, seat, dice))
            for seat in flow.seats_due(state)
            if dice.random() > 0.05
        }
        state = flow.adjudicate(state, orders, of_phase(firsts, Setting("", number))).state
        yield state


def _orders(state: State, seat: Seat, dice: random.Random) -> Iterator[Order]:
    for power in state.powers_of(seat):
        if state.stage == "M":
            yield from (_movement(state, unit, dice) for unit in state.units.get(power, ()))
        elif state.stage == "R":
            yield from (
                Retreat(each.unit, dice.choice(each.retreats))
                for each in state.homeless
                if each.power == power
            )
        else:
            yield from (Build(unit) for unit in dice.sample(STANDARD.units, 5))
            yield from (
                Build(unit, dice.choice((*TRAITS, None)))
                for unit in account_of(state, power).buildable
            )
            yield from (Disband(unit) for unit in state.units.get(power, ())[:1])
    yield from _aside(state, dice)


def _movement(state: State, unit: Unit, dice: random.Random) -> Order:
    others = sorted(owners_of(state))
    goals = STANDARD.reach[unit] or (unit[2:],)
    orders: list[Order] = [
        *(Move(unit, dice.choice(goals)) for _ in range(4)),
        Move(unit, dice.choice(STANDARD.spots), via=True),
        Hold(unit),
        *(Support(unit, dice.choice(others), dice.choice(goals)) for _ in range(2)),
        Convoy(unit, dice.choice(others), province_of(dice.choice(STANDARD.units))),
    ]
    return dice.choice(orders)


def _aside(state: State, dice: random.Random) -> Iterator[Order]:
    """Yield other lines than orders of units: votes, now and then a concession, changes of any
    unit.
    """
    yield from (Vote(draw=dice.random() < 0.1) for _ in range(dice.randrange(2)))
    if dice.random() < 0.005:
        yield Concede()
    yield from (
        Change(unit, dice.choice(TRAITS)) for unit in owners_of(state) if dice.random() < 0.1
    )

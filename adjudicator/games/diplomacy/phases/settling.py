"""Adjudicates one phase on a position: matches, trials, recorded games, test cases and the exchange
all call `settle_phase`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from adjudicator.games.diplomacy.map.geography import (
    STANDARD,
    Power,
    Province,
    Unit,
    province_of,
    unit_at,
)
from adjudicator.games.diplomacy.matching.order_matching import Given
from adjudicator.games.diplomacy.model.editions import Rules
from adjudicator.games.diplomacy.model.orders import Build, MovementOrder, Retreat, Trait
from adjudicator.games.diplomacy.model.outcomes import Battle, Fate
from adjudicator.games.diplomacy.model.state import Position
from adjudicator.games.diplomacy.resolve import (
    contests,
    movement,
    resolve_adjustments,
    resolve_retreats,
)


@dataclass(frozen=True)
class Settled:
    """The results of one phase; units as keys are at their places before it."""

    after: Position  # with every dislodged unit, even one that cannot retreat
    # movement, retreats: of every unit to be ordered
    fates: Mapping[Unit, Fate] = field(default_factory=dict)
    # movement, retreats: the units still on the board, at their new places
    now: Mapping[Unit, Unit] = field(default_factory=dict)
    # rsp, movement: the characteristics in the battle
    traits: Mapping[Unit, Trait] = field(default_factory=dict)
    clashes: Mapping[Province, tuple[Unit, ...]] = field(default_factory=dict)  # rsp R5
    # Winter
    adjusted: Mapping[Power, resolve_adjustments.Adjustments] = field(default_factory=dict)


def settle_phase(rules: Rules, position: Position, given: Given) -> Settled:
    """Adjudicate one phase from the orders that count; centres change owners in the last phase of a
    Fall.

    In a movement phase of `rsp` each unit needs a characteristic, from the position or from a
    change.
    """
    if position.stage == "M":
        return _settle_movement(rules, position, given)
    return (
        _settle_retreats(position, given)
        if position.stage == "R"
        else _settle_winter(rules, position, given)
    )


def resolve_battle(
    rules: Rules,
    owner: Mapping[Unit, Power],
    orders: Mapping[Unit, MovementOrder],
    traits: Mapping[Unit, Trait],
) -> Battle:
    """Return the result of a movement phase; every order has to be legal."""
    if rules.rule_set == "rsp":
        return contests.resolve(STANDARD, rules.edition, owner, orders, traits)
    return movement.resolve(STANDARD, rules.edition, owner, orders)


def _settle_movement(rules: Rules, position: Position, given: Given) -> Settled:
    owner = position.owner
    traits = {**position.traits, **given.traits} if rules.rule_set == "rsp" else {}
    battle = resolve_battle(rules, owner, given.orders, traits)
    moved, lost = battle.moved, battle.dislodged
    now = {
        unit: unit_at(unit, moved[unit]) if unit in moved else unit
        for unit in owner
        if unit not in lost
    }
    driven = resolve_retreats.find_homeless(STANDARD, rules.edition, owner, battle, traits=traits)
    after = Position(
        phase=position.phase,
        owner={at: owner[unit] for unit, at in now.items()},
        homeless={each.unit: each for each in driven},
        centres=position.centres,
        contested=battle.contested,
        traits=(
            {now[unit]: trait for unit, trait in traits.items() if unit in now} if traits else {}
        ),
    )
    return Settled(_with_fall(after), battle.fates, now, traits, battle.clashes)


def _settle_retreats(position: Position, given: Given) -> Settled:
    homeless = position.homeless
    fates = resolve_retreats.resolve(tuple(homeless.values()), given.retreats)
    homes: dict[Unit, Unit] = {}
    for unit in homeless:
        order = given.retreats.get(unit)
        if isinstance(order, Retreat) and fates[unit].result == "retreated":
            homes[unit] = unit_at(unit, order.to)
    carried = {home: trait for unit, home in homes.items() if (trait := homeless[unit].trait)}
    after = Position(
        phase=position.phase,
        owner={**position.owner, **{home: homeless[unit].power for unit, home in homes.items()}},
        centres=position.centres,
        traits={**position.traits, **carried},
    )
    return Settled(_with_fall(after), fates, homes)


def _with_fall(after: Position) -> Position:
    """Return the position, at the end of a Fall, when no unit is dislodged any more, with the new
    owners of centres.
    """
    return (
        replace(after, centres=take_centres(after))
        if after.phase[0] == "F" and not after.homeless
        else after
    )


def take_centres(position: Position) -> dict[Province, Power]:
    """Return the owners of centres after each power has taken those that its units occupy."""
    places = STANDARD.places
    return {
        **position.centres,
        **{
            code: power
            for unit, power in position.owner.items()
            if places[code := province_of(unit)].centre
        },
    }


def _settle_winter(rules: Rules, position: Position, given: Given) -> Settled:
    adjusted: dict[Power, resolve_adjustments.Adjustments] = {}
    owner: dict[Unit, Power] = {}
    traits = dict(position.traits)
    for power, account in resolve_adjustments.accounts_of(rules, position).items():
        done = adjusted[power] = resolve_adjustments.resolve(
            account, given.adjustments.get(power, ())
        )
        owner |= dict.fromkeys(done.units, power)
        for order, fate in zip(done.orders, done.fates, strict=True):
            # a void build has no effect (rsp R2, R3)
            if isinstance(order, Build) and order.trait and fate.result == "built":
                traits[order.unit] = order.trait
    left = {unit: trait for unit, trait in traits.items() if unit in owner}
    return Settled(
        Position(phase=position.phase, owner=owner, centres=position.centres, traits=left),
        adjusted=adjusted,
    )

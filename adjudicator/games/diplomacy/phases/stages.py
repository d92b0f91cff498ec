"""Carries out one phase of a match: `settling.settle_phase` adjudicates the board, and the results
become a state and events.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from adjudicator.core.chance import Chance
from adjudicator.core.game import Seat
from adjudicator.games.diplomacy.map.geography import Power, Unit, province_of
from adjudicator.games.diplomacy.matching.order_matching import Given, Line, assign_orders, line_of
from adjudicator.games.diplomacy.model.editions import rules_of_match
from adjudicator.games.diplomacy.model.events import Done, Driven, Happened
from adjudicator.games.diplomacy.model.orders import (
    Build,
    Concede,
    Disband,
    Order,
    Trait,
    Vote,
    Waive,
)
from adjudicator.games.diplomacy.model.outcomes import Fate
from adjudicator.games.diplomacy.model.state import (
    Homeless,
    Last,
    Position,
    State,
    Told,
    group_by_power,
    owners_of,
    position_of,
)
from adjudicator.games.diplomacy.phases import characteristics
from adjudicator.games.diplomacy.phases.settling import Settled, settle_phase
from adjudicator.games.diplomacy.resolve import resolve_adjustments

Orders = Mapping[Seat, tuple[Order, ...]]


@dataclass(frozen=True)
class Stage:
    """The result of a phase: the state with the units at their new places, but still with the code
    of the same phase.
    """

    state: State
    events: tuple[Happened, ...]


def carry_out(state: State, orders: Orders, chance: Chance) -> Stage:
    """Carry out a phase; `flow` counts centres, advances the calendar and decides the end.

    Orders that do not count (`order_matching.assign_orders`) are ignored. A unit without an order
    holds, a dislodged one is disbanded, builds are waived, and civil disorder removes units (R7).
    Under `rsp` characteristics of new units that name none are drawn after all builds.
    """
    rules, position = rules_of_match(state), position_of(state)
    given = assign_orders(rules, position, _lines(state, position, orders))
    settled = settle_phase(rules, position, given)
    if state.stage == "M":
        return _moved(state, given, settled)
    return (
        _retreated(state, given, settled)
        if state.stage == "R"
        else _adjusted(state, settled, chance)
    )


# --- the owners of orders


def _lines(state: State, position: Position, orders: Orders) -> dict[Power, list[Line]]:
    """Return the orders of seats for their own powers, by power."""
    lines: dict[Power, list[Line]] = {}
    for realm in state.realms:
        for order in orders.get(realm.seat, ()):
            power = power_of(position, order)
            if power in realm.powers:
                lines.setdefault(power, []).append(line_of(order))
    return lines


def power_of(position: Position, order: Order) -> Power | None:
    """Return the owner of an order's unit, or of the centre of a build; None for a vote and for a
    unit that does not exist.
    """
    if isinstance(order, Waive):
        return order.power
    if isinstance(order, (Vote, Concede)):
        return None
    if isinstance(order, Build):
        return position.centres.get(province_of(order.unit))
    return position.ordered.get(order.unit)


# --- movement


def _moved(state: State, given: Given, settled: Settled) -> Stage:
    owner, driven = owners_of(state), tuple(settled.after.homeless.values())
    outcomes = tuple(
        Told(power, unit, str(given.orders.get(unit, "")), settled.fates[unit])
        for unit, power in owner.items()
    )
    shown = characteristics.tell_revealed(settled.clashes, settled.traits, owner)
    last = Last(
        phase=state.phase,
        units=state.units,
        told=outcomes,
        contested=tuple(sorted(settled.after.contested)),
        revealed={unit: trait for event in shown for unit, trait in event.traits.items()},
    )
    waiting = tuple(each for each in driven if each.retreats)
    after = replace(
        state,
        units=group_by_power(settled.after.owner.items()),
        homeless=waiting,
        contested=last.contested if waiting else (),
        traits=settled.after.traits,
        seen=characteristics.seen_after(state, settled),
        last=last,
    )
    changed = characteristics.tell_changed(state, settled.traits)
    return Stage(after, (*changed, *_done(outcomes), *shown, *map(_driven, driven)))


def _done(outcomes: Sequence[Told]) -> tuple[Done, ...]:
    return tuple(
        Done(power=each.power, unit=each.unit, order=each.order, fate=each.fate)
        for each in outcomes
    )


def _driven(each: Homeless) -> Driven:
    return Driven(power=each.power, unit=each.unit, retreats=each.retreats)


# --- retreats


def _retreated(state: State, given: Given, settled: Settled) -> Stage:
    outcomes = tuple(
        Told(
            each.power, each.unit, str(given.retreats.get(each.unit, "")), settled.fates[each.unit]
        )
        for each in state.homeless
    )
    powers = {each.unit: each.power for each in state.homeless}
    last = Last(
        phase=state.phase,
        units=group_by_power([*owners_of(state).items(), *powers.items()]),
        told=outcomes,
    )
    after = replace(
        state,
        units=group_by_power(settled.after.owner.items()),
        homeless=(),
        contested=(),
        traits=settled.after.traits,
        last=last,
    )
    return Stage(replace(after, seen=characteristics.seen_home(state, settled)), _done(outcomes))


# --- adjustments


def _adjusted(state: State, settled: Settled, chance: Chance) -> Stage:
    outcomes = tuple(
        each for power, done in settled.adjusted.items() for each in _told_adjustments(power, done)
    )
    units = group_by_power(settled.after.owner.items())
    after = replace(state, units=units, last=Last(state.phase, state.units, outcomes))
    if state.setup.rule_set == "standard":
        return Stage(after, _done(outcomes))
    built: dict[Unit, Trait | None] = {}
    for done in settled.adjusted.values():
        pairs = zip(done.orders, done.fates, strict=True)
        built |= {
            order.unit: order.trait
            for order, fate in pairs
            if isinstance(order, Build) and fate.result == "built"
        }
    drawn = characteristics.draw_traits(
        (unit for unit, trait in built.items() if not trait), chance
    )
    seen = {unit: each for unit, each in state.seen.items() if unit in settled.after.owner}
    after = replace(after, traits={**settled.after.traits, **drawn}, seen=seen)
    return Stage(
        after,
        (
            *_done(outcomes),
            *characteristics.tell_assigned(after, {unit: after.traits[unit] for unit in built}),
        ),
    )


def _told_adjustments(power: Power, done: resolve_adjustments.Adjustments) -> list[Told]:
    written = [
        Told(power, *_public(order), fate)
        for order, fate in zip(done.orders, done.fates, strict=True)
    ]
    removed = [Told(power, unit, "", Fate("disbanded", "civil disorder")) for unit in done.removed]
    return [*written, *removed, *[Told(power, None, "", Fate("waived", "no order"))] * done.unused]


def _public(order: Build | Disband | Waive) -> tuple[Unit | None, str]:
    """Return the unit and the text of an order in their public form, without a characteristic (rsp
    R5).
    """
    if isinstance(order, Waive):
        return None, str(order)
    return order.unit, str(replace(order, trait=None) if isinstance(order, Build) else order)

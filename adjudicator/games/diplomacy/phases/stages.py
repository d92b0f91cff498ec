"""The three kinds of phases, each carried out on a state: movement, retreats, adjustments. It does not know when they come."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from adjudicator.core.chance import Chance
from adjudicator.core.game import Seat
from adjudicator.games.diplomacy.map.geography import STANDARD, Power, Unit, province_of, unit_at
from adjudicator.games.diplomacy.model.editions import EDITIONS
from adjudicator.games.diplomacy.model.events import Done, Driven, Happened
from adjudicator.games.diplomacy.model.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    MovementOrder,
    Order,
    Retreat,
    Support,
    Trait,
    Waive,
)
from adjudicator.games.diplomacy.model.outcomes import Battle, Fate
from adjudicator.games.diplomacy.model.state import Homeless, Last, State, Told
from adjudicator.games.diplomacy.phases import characteristics
from adjudicator.games.diplomacy.resolve import contests, legality, movement, resolve_adjustments, resolve_retreats

Given = Mapping[Seat, tuple[Order, ...]]


@dataclass(frozen=True)
class Stage:
    """What a phase led to: the units as they stand now; the phase's code is still its own."""

    state: State
    events: tuple[Happened, ...]


# --- movement


def move(state: State, orders: Given) -> Stage:
    """Carry out a movement phase.

    Of several orders for a unit the last counts; one for a unit of somebody else, or that can never be obeyed, is treated as
    not given, and under `rsp` so is a support (rsp R6). A unit without an order holds (R7).
    """
    state, changed = characteristics.change(state, orders) if state.setup.rule_set == "rsp" else (state, ())
    owner = owners(state)
    given = _movement_orders(state, orders, owner)
    battle = fought(state, owner, given)
    driven = resolve_retreats.homeless(STANDARD, EDITIONS[state.setup.edition], owner, battle, traits=state.traits)
    told = tuple(Told(power, unit, str(given.get(unit, "")), battle.fates[unit]) for unit, power in owner.items())
    shown = characteristics.revealed(battle.clashes, state.traits, owner)
    last = Last(
        phase=state.phase,
        units=state.units,
        told=told,
        contested=tuple(sorted(battle.contested)),
        revealed={unit: trait for event in shown for unit, trait in event.traits.items()},
    )
    after = replace(_moved(state, owner, battle), homeless=tuple(each for each in driven if each.retreats), last=last)
    after = replace(after, contested=last.contested if after.homeless else ())
    return Stage(after, (*changed, *_done(told), *shown, *map(_driven, driven)))


def owners(state: State) -> dict[Unit, Power]:
    """Return whose every unit on the board is, power by power."""
    return {unit: power for power in STANDARD.powers for unit in state.units.get(power, ())}


def fought(state: State, owner: Mapping[Unit, Power], orders: Mapping[Unit, MovementOrder]) -> Battle:
    """Return the battle by the match's rule set and edition."""
    edition = EDITIONS[state.setup.edition]
    if state.setup.rule_set == "rsp":
        return contests.resolve(STANDARD, edition, owner, orders, state.traits)
    return movement.resolve(STANDARD, edition, owner, orders)


def _movement_orders(state: State, orders: Given, owner: Mapping[Unit, Power]) -> dict[Unit, MovementOrder]:
    kinds = (Hold, Move, Convoy) if state.setup.rule_set == "rsp" else (Hold, Move, Convoy, Support)
    given: dict[Unit, MovementOrder] = {}
    edition = EDITIONS[state.setup.edition]
    for realm in state.realms:
        for order in orders.get(realm.seat, ()):
            if not isinstance(order, kinds) or owner.get(order.unit) not in realm.powers:
                continue
            if not legality.fault(STANDARD, edition, owner, order):
                given[order.unit] = order
    return given


def _moved(state: State, owner: Mapping[Unit, Power], battle: Battle) -> State:
    now = {unit: unit_at(unit, battle.moved[unit]) if unit in battle.moved else unit for unit in owner if unit not in battle.dislodged}
    after = characteristics.carried(characteristics.noticed(state, battle.clashes), now)
    return replace(after, units=_grouped((now[unit], power) for unit, power in owner.items() if unit in now))


def _grouped(units: Iterable[tuple[Unit, Power]]) -> dict[Power, tuple[Unit, ...]]:
    by_power: dict[Power, list[Unit]] = {}
    for unit, power in units:
        by_power.setdefault(power, []).append(unit)
    return {power: tuple(sorted(by_power[power])) for power in STANDARD.powers if power in by_power}


def _done(told: Sequence[Told]) -> tuple[Done, ...]:
    return tuple(Done(power=each.power, unit=each.unit, order=each.order, fate=each.fate) for each in told)


def _driven(each: Homeless) -> Driven:
    return Driven(power=each.power, unit=each.unit, retreats=each.retreats)


# --- retreats


def retreat(state: State, orders: Given) -> Stage:
    """Carry out a retreat phase; a homeless unit without an order is disbanded (R2, R7)."""
    given: dict[Unit, Retreat | Disband] = {}
    powers = {each.unit: each.power for each in state.homeless}
    for realm in state.realms:
        for order in orders.get(realm.seat, ()):
            if isinstance(order, Retreat | Disband) and powers.get(order.unit) in realm.powers:
                given[order.unit] = order
    fates = resolve_retreats.resolve(state.homeless, given)
    told = tuple(Told(each.power, each.unit, str(given.get(each.unit, "")), fates[each.unit]) for each in state.homeless)
    homes = {_home(given, each): each for each in state.homeless if fates[each.unit].result == "retreated"}
    units = [*owners(state).items(), *((unit, each.power) for unit, each in homes.items())]
    last = Last(phase=state.phase, units=_grouped([*owners(state).items(), *powers.items()]), told=told)
    after = replace(state, units=_grouped(units), homeless=(), contested=(), last=last)
    return Stage(characteristics.found_home(after, homes), _done(told))


def _home(given: Mapping[Unit, Retreat | Disband], each: Homeless) -> Unit:
    order = given[each.unit]
    return unit_at(each.unit, order.to) if isinstance(order, Retreat) else each.unit


# --- adjustments


def adjust(state: State, orders: Given, chance: Chance) -> Stage:
    """Carry out a Winter's builds and removals, power by power (R3, R7); `rsp`: the new units' characteristics after all of them."""
    told: list[Told] = []
    units: dict[Power, tuple[Unit, ...]] = {}
    named: dict[Unit, Trait | None] = {}
    for power in STANDARD.powers:
        given = _adjustment_orders(state, orders, power)
        settled = resolve_adjustments.resolve(resolve_adjustments.account(state, power), given)
        told += _told_adjustments(power, given, settled)
        units[power] = settled.units
        named |= {
            order.unit: order.trait
            for order, fate in zip(given, settled.fates, strict=True)
            if isinstance(order, Build) and fate.result == "built"
        }
    after = replace(state, units={power: own for power, own in units.items() if own}, last=Last(state.phase, state.units, tuple(told)))
    if state.setup.rule_set == "standard":
        return Stage(after, _done(told))
    after = characteristics.carried(after, {unit: unit for unit in owners(after)})
    new = {unit: trait for unit, trait in named.items() if trait} | characteristics.drawn(
        (unit for unit, trait in named.items() if not trait), chance
    )
    return Stage(replace(after, traits={**after.traits, **new}), (*_done(told), *characteristics.assigned(after, new)))


def _adjustment_orders(state: State, orders: Given, power: Power) -> list[Build | Disband | Waive]:
    """Return the orders that concern `power`, of those its seat wrote."""
    seat = state.seat_of(power)
    given = orders.get(seat, ()) if seat else ()
    return [order for order in given if isinstance(order, Build | Disband | Waive) and _concerns(state, power, order)]


def _concerns(state: State, power: Power, order: Build | Disband | Waive) -> bool:
    """Whether the order is this power's, of those its seat plays: a build is its whose centre it is on."""
    if isinstance(order, Build):
        return province_of(order.unit) in state.centres.get(power, ())
    return order.unit in state.units.get(power, ()) if isinstance(order, Disband) else order.power == power


def _told_adjustments(power: Power, given: Sequence[Build | Disband | Waive], settled: resolve_adjustments.Settled) -> list[Told]:
    written = [Told(power, *_public(order), fate) for order, fate in zip(given, settled.fates, strict=True)]
    removed = [Told(power, unit, "", Fate("disbanded", "civil disorder")) for unit in settled.removed]
    return [*written, *removed, *[Told(power, None, "", Fate("waived", "no order"))] * settled.unused]


def _public(order: Build | Disband | Waive) -> tuple[Unit | None, str]:
    """Return the unit and the text of an order that everybody may read: without a characteristic (rsp R5)."""
    if isinstance(order, Waive):
        return None, str(order)
    return order.unit, str(replace(order, trait=None) if isinstance(order, Build) else order)

"""The characteristics of `rsp` in the flow of a match: drawn, changed, carried along, revealed (rsp R1 to R5)."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from adjudicator.core.chance import Chance
from adjudicator.core.game import Seat
from adjudicator.games.diplomacy.map.geography import Power, Province, Unit, province_of
from adjudicator.games.diplomacy.model.events import Assigned, Changed, Revealed
from adjudicator.games.diplomacy.model.orders import TRAITS, Change, Order, Trait
from adjudicator.games.diplomacy.model.state import Homeless, Seen, State


def drawn(units: Iterable[Unit], chance: Chance) -> dict[Unit, Trait]:
    """Return a characteristic for each unit, drawn one after another in the order of their province codes (rsp R1, R3)."""
    return {unit: chance.hidden.pick(f"trait:{province_of(unit)}", TRAITS) for unit in sorted(units, key=province_of)}


def assigned(state: State, traits: Mapping[Unit, Trait]) -> tuple[Assigned, ...]:
    """Return who learns which of `traits`, a power at a time: its seat, or nobody before the end (rsp R9)."""
    events = []
    for power in sorted(state.units):
        own = {unit: traits[unit] for unit in state.units[power] if unit in traits}
        if own:
            seat = state.seat_of(power)
            events.append(Assigned(readers=(seat,) if seat else (), power=power, traits=own))
    return tuple(events)


def change(state: State, orders: Mapping[Seat, tuple[Order, ...]]) -> tuple[State, tuple[Changed, ...]]:
    """Apply the changes that owners wrote; of several for one unit the last counts, whatever becomes of its order (rsp R2)."""
    traits, events = dict(state.traits), []
    for realm in state.realms:
        own = {unit for power in realm.powers for unit in state.units.get(power, ())}
        last = {order.unit: order.trait for order in orders.get(realm.seat, ()) if isinstance(order, Change) and order.unit in own}
        new = {unit: trait for unit, trait in sorted(last.items()) if traits.get(unit) != trait}
        traits |= new
        events += [Changed(readers=(realm.seat,), unit=unit, trait=trait) for unit, trait in new.items()]
    return replace(state, traits=traits), tuple(events)


def noticed(state: State, clashes: Mapping[Province, tuple[Unit, ...]]) -> State:
    """Return the state with what the clashes of this phase showed, by where the units stood before (rsp R5)."""
    units = sorted({unit for clash in clashes.values() for unit in clash})
    return replace(state, seen={**state.seen, **{unit: Seen(state.traits[unit], state.phase) for unit in units}})


def carried(state: State, now: Mapping[Unit, Unit]) -> State:
    """Return the state with characteristics and what was seen of them at the units' new places; who is not in `now` is forgotten."""
    return replace(
        state,
        traits={now[unit]: trait for unit, trait in state.traits.items() if unit in now},
        seen={now[unit]: seen for unit, seen in state.seen.items() if unit in now},
    )


def found_home(state: State, homes: Mapping[Unit, Homeless]) -> State:
    """Return the state with the characteristics of units that retreated, by where each stands now (rsp R3).

    Every dislodged unit defended a province that somebody contended for, so all have just seen its characteristic (rsp R5).
    """
    traits = {unit: each.trait for unit, each in homes.items() if each.trait}
    phase = f"{state.phase[:5]}M"
    seen = {unit: Seen(trait, phase) for unit, trait in traits.items()}
    return replace(state, traits={**state.traits, **traits}, seen={**state.seen, **seen})


def revealed(
    clashes: Mapping[Province, tuple[Unit, ...]], traits: Mapping[Unit, Trait], owner: Mapping[Unit, Power]
) -> tuple[Revealed, ...]:
    """Return what the conflicts brought to light, province by province (rsp R5)."""
    return tuple(
        Revealed(
            province=code,
            traits={unit: traits[unit] for unit in clashes[code]},
            powers={unit: owner[unit] for unit in clashes[code]},
        )
        for code in sorted(clashes)
    )

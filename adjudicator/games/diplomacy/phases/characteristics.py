"""The characteristics of `rsp` in a match: drawn, changed, revealed and remembered (rsp R1 to
R5).
"""

from collections.abc import Iterable, Mapping

from adjudicator.core.chance import Chance
from adjudicator.games.diplomacy.map.geography import Power, Province, Unit, province_of
from adjudicator.games.diplomacy.model.events import Assigned, Changed, Revealed
from adjudicator.games.diplomacy.model.orders import TRAITS, Trait
from adjudicator.games.diplomacy.model.state import Seen, State, owners_of
from adjudicator.games.diplomacy.phases.settling import Settled


def draw_traits(units: Iterable[Unit], chance: Chance) -> dict[Unit, Trait]:
    """Draw a characteristic for each unit, in the order of the province codes (rsp R1, R3)."""
    return {
        unit: chance.hidden.pick(f"trait:{province_of(unit)}", TRAITS)
        for unit in sorted(units, key=province_of)
    }


def tell_assigned(state: State, traits: Mapping[Unit, Trait]) -> tuple[Assigned, ...]:
    """Return an event for each power with its units in `traits`; only the seat of the power may
    read it before the end (rsp R9).
    """
    events = []
    for power in sorted(state.units):
        own = {unit: traits[unit] for unit in state.units[power] if unit in traits}
        if own:
            seat = state.seat_of(power)
            events.append(Assigned(readers=(seat,) if seat else (), power=power, traits=own))
    return tuple(events)


def tell_changed(state: State, traits: Mapping[Unit, Trait]) -> tuple[Changed, ...]:
    """Return an event for each unit of `state` whose characteristic in the battle, `traits`, is a
    new one (rsp R2).
    """
    owner, new = (
        owners_of(state),
        sorted(unit for unit, trait in traits.items() if state.traits.get(unit) != trait),
    )
    return tuple(
        Changed(readers=(realm.seat,), unit=unit, trait=traits[unit])
        for realm in state.realms
        for unit in new
        if owner[unit] in realm.powers
    )


def seen_after(state: State, settled: Settled) -> dict[Unit, Seen]:
    """Return the last revealed characteristics after a movement, by the units at their new places,
    without dislodged ones (rsp R5).
    """
    shown = sorted({unit for clash in settled.clashes.values() for unit in clash})
    seen = {**state.seen, **{unit: Seen(settled.traits[unit], state.phase) for unit in shown}}
    return {settled.now[unit]: each for unit, each in seen.items() if unit in settled.now}


def seen_home(state: State, settled: Settled) -> dict[Unit, Seen]:
    """Return the last revealed characteristics after retreats (rsp R3).

    A dislodged unit was the defender in a conflict, so the movement phase revealed its
    characteristic (rsp R5).
    """
    homes = {
        settled.now[each.unit]: each.trait for each in state.homeless if each.unit in settled.now
    }
    return {
        **state.seen,
        **{unit: Seen(trait, f"{state.phase[:5]}M") for unit, trait in homes.items() if trait},
    }


def tell_revealed(
    clashes: Mapping[Province, tuple[Unit, ...]],
    traits: Mapping[Unit, Trait],
    owner: Mapping[Unit, Power],
) -> tuple[Revealed, ...]:
    """Return an event for each conflict, in the order of the province codes (rsp R5)."""
    return tuple(
        Revealed(
            province=code,
            traits={unit: traits[unit] for unit in clashes[code]},
            powers={unit: owner[unit] for unit in clashes[code]},
        )
        for code in sorted(clashes)
    )

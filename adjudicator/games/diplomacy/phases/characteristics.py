"""The characteristics of `rsp` in the flow of a match: drawn, changed, carried along, revealed (rsp R1 to R5)."""

from collections.abc import Iterable, Mapping

from adjudicator.core.chance import Chance
from adjudicator.games.diplomacy.map.geography import Power, Province, Unit, province_of
from adjudicator.games.diplomacy.model.events import Assigned, Changed, Revealed
from adjudicator.games.diplomacy.model.orders import TRAITS, Trait
from adjudicator.games.diplomacy.model.state import Seen, State, owners
from adjudicator.games.diplomacy.phases.settling import Settled


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


def changed(state: State, traits: Mapping[Unit, Trait]) -> tuple[Changed, ...]:
    """Return what owners changed: `traits` are those the units of `state` fought with (rsp R2)."""
    owner, new = owners(state), sorted(unit for unit, trait in traits.items() if state.traits.get(unit) != trait)
    return tuple(
        Changed(readers=(realm.seat,), unit=unit, trait=traits[unit])
        for realm in state.realms
        for unit in new
        if owner[unit] in realm.powers
    )


def seen_after(state: State, settled: Settled) -> dict[Unit, Seen]:
    """Return what was last seen of each unit after a movement, by where it stands then; of who is gone it is forgotten (rsp R5)."""
    shown = sorted({unit for clash in settled.clashes.values() for unit in clash})
    seen = {**state.seen, **{unit: Seen(settled.traits[unit], state.phase) for unit in shown}}
    return {settled.now[unit]: each for unit, each in seen.items() if unit in settled.now}


def seen_home(state: State, settled: Settled) -> dict[Unit, Seen]:
    """Return what was last seen of each unit after retreats (rsp R3).

    Every dislodged unit defended a province that somebody contended for, so all have just seen its characteristic (rsp R5).
    """
    homes = {settled.now[each.unit]: each.trait for each in state.homeless if each.unit in settled.now}
    return {**state.seen, **{unit: Seen(trait, f"{state.phase[:5]}M") for unit, trait in homes.items() if trait}}


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

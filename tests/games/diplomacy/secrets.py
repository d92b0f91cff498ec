"""Draws the secrets of RSP Diplomacy anew: the characteristics of other players' units."""

import random
from dataclasses import replace

from adjudicator.core.game import Seat
from adjudicator.games.diplomacy.model.orders import TRAITS
from adjudicator.games.diplomacy.model.state import State


def scramble(state: State, reader: Seat | None, dice: random.Random) -> State:
    """Return the state with new random characteristics of all units that `reader` does not play;
    unchanged after the end.
    """
    if state.end:
        return state
    mine = set(state.powers_of(reader)) if reader is not None else set()
    known = {unit for power in mine for unit in state.units.get(power, ())}
    traits = {
        unit: trait if unit in known else dice.choice(TRAITS)
        for unit, trait in sorted(state.traits.items())
    }
    homeless = tuple(
        each if each.power in mine else replace(each, trait=dice.choice(TRAITS))
        for each in state.homeless
    )
    return replace(state, traits=traits, homeless=homeless)

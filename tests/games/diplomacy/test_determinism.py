"""Results and texts do not depend on the order in which a position or its orders are stored."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

import pytest

from adjudicator.core.chance import ScriptedChance
from adjudicator.games.diplomacy.model.orders import TRAITS
from adjudicator.games.diplomacy.model.state import Homeless, Seen, State
from adjudicator.games.diplomacy.phases import characteristics, flow
from tests.games.diplomacy.table import everywhere, given, position

Value = TypeVar("Value")

MELEE = (
    "AUSTRIA A BOH, A GAL / ENGLAND A BEL, F NTH / FRANCE A BUR, A PAR / GERMANY A MUN, A RUH /"
    " ITALY F ION, F TYS / RUSSIA A SIL, A WAR / TURKEY F AEG, F EAS"
)
MOVES = {
    "AUSTRIA": "A BOH - SIL; A GAL - SIL",
    "ENGLAND": "A BEL - RUH; F NTH - BEL",
    "FRANCE": "A BUR - MUN; A PAR - BUR",
    "GERMANY": "A MUN - BUR; A RUH - MUN",
    "ITALY": "F ION - AEG; F TYS - ION",
    "RUSSIA": "A SIL - GAL; A WAR - GAL",
    "TURKEY": "F AEG - ION; F EAS - ION",
}
CHANGES = {"AUSTRIA": "Rock A GAL; Paper A BOH", "FRANCE": "Scissors A PAR; Paper A BUR"}
HOMELESS = (
    Homeless("A BUR", "GERMANY", "A PAR", "PAR", ("BEL", "RUH"), "Rock"),
    Homeless("A HOL", "ITALY", "A KIE", "KIE", ("BEL",), "Paper"),
)
RETREATS = {"GERMANY": "A BUR R BEL", "ITALY": "A HOL R BEL"}
WINTER = (
    "AUSTRIA A ALB, A BOH, A GAL / FRANCE A BUR / RUSSIA A SIL",
    "AUSTRIA VIE / FRANCE BRE MAR PAR / RUSSIA MOS STP WAR",
)
BUILDS = {"FRANCE": "F MAR B; A BRE B", "RUSSIA": "A WAR B; F STP/SC B", "AUSTRIA": "A BOH D"}


def turned(stored: Mapping[str, Value]) -> dict[str, Value]:
    return dict(reversed(stored.items()))


def turned_state(state: State) -> State:
    """Return the same position with every mapping in reverse order."""
    mappings = {
        name: turned(getattr(state, name)) for name in ("units", "centres", "traits", "seen")
    }
    return replace(state, **mappings)


def armed(state: State, rule_set: str) -> State:
    if rule_set == "standard":
        return state
    known = {unit: TRAITS[at % 3] for at, unit in enumerate(sorted(everywhere(state)))}
    return replace(
        state, traits=known, seen={unit: Seen(trait, "S1901M") for unit, trait in known.items()}
    )


def told(state: State, orders: Mapping[str, str]) -> tuple[str, ...]:
    """Return the events of a phase in their order, and the orders, dislodged units and end in the
    next state.
    """
    changes = CHANGES if state.setup.rule_set == "rsp" and state.stage == "M" else {}
    lines = {
        seat: "; ".join(filter(None, (text, changes.get(seat, ""))))
        for seat, text in orders.items()
    }
    done = flow.adjudicate(
        state, given(lines), ScriptedChance(["Rock", "Paper", "Scissors", "Rock"])
    )
    return (
        *map(repr, done.events),
        repr(done.state.last and done.state.last.told),
        repr(done.state.homeless),
        repr(done.state.end),
    )


@pytest.mark.parametrize("rule_set", ["standard", "rsp"])
@pytest.mark.parametrize("phase", ["S1902M", "F1902M", "S1902R", "W1902A"])
def test_no_stored_order_shows(phase: str, rule_set: str) -> None:
    state = {
        "M": lambda: position(phase, MELEE, "FRANCE PAR / GERMANY MUN", rule_set=rule_set),
        "R": lambda: replace(
            position(phase, "FRANCE A BUR", "FRANCE PAR", rule_set=rule_set), homeless=HOMELESS
        ),
        "A": lambda: position(phase, *WINTER, rule_set=rule_set),
    }[phase[5]]()
    state, orders = armed(state, rule_set), {"M": MOVES, "R": RETREATS, "A": BUILDS}[phase[5]]
    assert told(state, orders) == told(turned_state(state), turned(orders))


def test_characteristics_are_assigned_power_by_power_in_alphabetical_order() -> None:
    state = armed(position("S1902M", MELEE, rule_set="rsp"), "rsp")
    assert list(
        map(repr, characteristics.tell_assigned(turned_state(state), state.traits))
    ) == list(map(repr, characteristics.tell_assigned(state, state.traits)))

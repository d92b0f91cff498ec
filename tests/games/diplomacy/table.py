"""Short notation for positions and orders of Diplomacy, for the tests of its flow."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar, cast

from adjudicator.core.chance import ScriptedChance
from adjudicator.core.game import Adjudication, Event
from adjudicator.core.options import HasOptions, OptionValue, complete_options
from adjudicator.games.diplomacy.map.geography import STANDARD, Power
from adjudicator.games.diplomacy.model.opening import opening_state
from adjudicator.games.diplomacy.model.options import SEATS, options_of
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
    Waive,
)
from adjudicator.games.diplomacy.model.state import RuleSet, State
from adjudicator.games.diplomacy.phases import flow

OWN_EDITION: dict[RuleSet, str] = {"standard": "2023", "rsp": "1976"}
EventT = TypeVar("EventT", bound=Event)


class _Offer:
    """The attributes of a game that `complete_options` needs."""

    def __init__(self, rule_set: RuleSet) -> None:
        self.title, self.options = "Diplomacy", options_of(OWN_EDITION[rule_set])


def opened(
    seats: int | tuple[str, ...] = 7, rule_set: RuleSet = "standard", **chosen: OptionValue
) -> State:
    """Return Spring 1901 for a number of players, or for these seats."""
    sitting = SEATS[seats] if isinstance(seats, int) else seats
    return opening_state(
        rule_set, sitting, complete_options(cast(HasOptions, _Offer(rule_set)), chosen)
    )


def position(phase: str, units: str, centres: str = "", **chosen: Any) -> State:
    """Return a position: `FRANCE A PAR, F BRE / GERMANY A MUN` and `FRANCE PAR BRE / GERMANY MUN`;
    `chosen` are options.
    """
    armies = {power: tuple(sorted(rest.split(", "))) for power, rest in _by_power(units)}
    owned = {power: tuple(sorted(rest.split())) for power, rest in _by_power(centres)}
    return replace(opened(**chosen), phase=phase, units=armies, centres=owned)


def _by_power(text: str) -> list[tuple[Power, str]]:
    parts = (part.strip().partition(" ") for part in text.split(" / ") if part.strip())
    return sorted((power, rest) for power, _, rest in parts)


def parse_order(text: str) -> Order:
    """Return the order of one line in its canonical spelling."""
    words = text.split()
    if text in {"DRAW", "NO DRAW"}:
        return Vote(draw=text == "DRAW")
    if text == "CONCEDE":
        return Concede()
    if words[-1] == "WAIVE":
        return Waive(words[0])
    if words[0] in TRAITS:
        trait, rest = next(trait for trait in TRAITS if trait == words[0]), text.partition(" ")[2]
        return Build(rest.removesuffix(" B"), trait) if rest.endswith(" B") else Change(rest, trait)
    return _unit_order(" ".join(words[:2]), words[2], words[3:])


def _unit_order(unit: str, verb: str, rest: list[str]) -> Order:
    simple: Mapping[str, Order] = {"H": Hold(unit), "D": Disband(unit), "B": Build(unit)}
    if verb in simple:
        return simple[verb]
    if verb in {"-", "R"}:
        return Move(unit, rest[0], via="VIA" in rest) if verb == "-" else Retreat(unit, rest[0])
    other, to = " ".join(rest[:2]), rest[3] if len(rest) > 2 else None
    return Support(unit, other, to) if verb == "S" else Convoy(unit, other, to or "")


def given(orders: Mapping[str, str]) -> dict[str, tuple[Order, ...]]:
    """Return the orders of the seats, each a text with `; ` between the orders."""
    return {
        seat: tuple(parse_order(line) for line in text.split("; ")) for seat, text in orders.items()
    }


def play(state: State, *, script: tuple[object, ...] = (), **orders: str) -> Adjudication[State]:
    """Return the adjudication of orders like `FRANCE="A PAR - BUR; F BRE H"`; `script` has the
    results of chance.
    """
    return flow.adjudicate(state, given(orders), ScriptedChance(script))


def of_kind(done: Adjudication[State], kind: type[EventT]) -> list[EventT]:
    """Return the events of one kind, in their order."""
    return [event for event in done.events if isinstance(event, kind)]


def everywhere(state: State) -> set[str]:
    """Return all units of the board."""
    return {unit for power in STANDARD.powers for unit in state.units.get(power, ())}

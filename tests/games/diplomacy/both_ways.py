"""Plays one phase by both callers of the phase function: as order texts of the exchange, and as a
phase of a match.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from adjudicator.core.chance import Setting, first_element, of_phase
from adjudicator.core.game import Event, Refusal
from adjudicator.games.diplomacy.exchange import exchange
from adjudicator.games.diplomacy.map.geography import Power, Unit
from adjudicator.games.diplomacy.matching.order_matching import understand_line
from adjudicator.games.diplomacy.matching.unit_lookup import Field
from adjudicator.games.diplomacy.model.editions import Rules
from adjudicator.games.diplomacy.model.events import Closed, Done, Driven
from adjudicator.games.diplomacy.model.outcomes import NO_ORDER, Fate
from adjudicator.games.diplomacy.model.state import (
    Homeless,
    Position,
    State,
    group_by_power,
    position_of,
)
from adjudicator.games.diplomacy.rules import DIPLOMACY, RSP_DIPLOMACY
from tests.games.diplomacy.table import opened

Texts = Mapping[Power, Sequence[str]]
VOID = Fate("void")


@dataclass(frozen=True)
class Played:
    """The results of one phase; a refused order is only `void`, a waived build has no name."""

    after: Position
    fates: Mapping[Unit, Fate]


def by_exchange(rules: Rules, position: Position, texts: Texts) -> Played:
    """Play a phase as the exchange does."""
    played = exchange.play_phase(rules, position, texts)
    return Played(
        played.after, {name: fate for name, fate in played.fates.items() if "WAIVE" not in name}
    )


def by_match(rules: Rules, position: Position, texts: Texts) -> Played:
    """Play a phase as a match of seven seats does: each seat's text is parsed, and the match
    adjudicates the orders.
    """
    game = DIPLOMACY if rules.rule_set == "standard" else RSP_DIPLOMACY
    state = state_of(rules, position)
    read = {power: game.parse(state, power, "\n".join(own)) for power, own in texts.items()}
    chance = of_phase(
        {name: first_element(bytes(32), name) for name in ("public", "hidden")},
        Setting("both ways", 0),
    )
    done = game.adjudicate(state, {power: parsed.orders for power, parsed in read.items()}, chance)
    events = tuple(
        takewhile(
            lambda event: not (isinstance(event, Closed) and event.phase != position.phase),
            done.events,
        )
    )
    refusals = [refusal for parsed in read.values() for refusal in parsed.refusals]
    return Played(_after(done.state, events), _fates(rules, position, events, refusals))


def state_of(rules: Rules, position: Position) -> State:
    """Return a match in a position."""
    return replace(
        opened(rule_set=rules.rule_set, edition=rules.edition.name, build_anywhere=rules.anywhere),
        phase=position.phase,
        units=group_by_power(position.owner.items()),
        centres=group_by_power(position.centres.items()),
        homeless=tuple(
            sorted(position.homeless.values(), key=lambda each: (each.power, each.unit))
        ),
        contested=tuple(sorted(position.contested)),
        traits=position.traits,
    )


def _after(state: State, events: Sequence[Event]) -> Position:
    """Return the board after a phase, with the units that a match disbands at once because they
    have no retreat.
    """
    gone = {
        event.unit: Homeless(event.unit, event.power, "", None, ())
        for event in events
        if isinstance(event, Driven) and not event.retreats
    }
    after = position_of(state)
    return replace(after, homeless={**gone, **after.homeless})


def _fates(
    rules: Rules, position: Position, events: Sequence[Event], refusals: Sequence[Refusal]
) -> dict[Unit, Fate]:
    fates: dict[Unit, Fate] = {}
    for event in events:
        if isinstance(event, Done) and event.unit and fates.get(event.unit, VOID).result == "void":
            fates[event.unit] = event.fate
    field = Field(rules, position, ())
    for unit in filter(None, (understand_line(refusal.line).unit for refusal in refusals)):
        name = field.meant(unit)
        if fates.get(name, NO_ORDER) == NO_ORDER:
            fates[name] = VOID
    return fates

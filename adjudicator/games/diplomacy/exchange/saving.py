"""Exports matches in the saved-game format of the research tools (R8): public data only,
characteristics after the end.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any

from adjudicator.core.game import Event
from adjudicator.games.diplomacy.exchange.lines import LOST
from adjudicator.games.diplomacy.map.geography import STANDARD, Power
from adjudicator.games.diplomacy.model.events import Changed, Closed, Done
from adjudicator.games.diplomacy.model.marks import KEYS
from adjudicator.games.diplomacy.model.outcomes import Fate
from adjudicator.games.diplomacy.model.state import State
from adjudicator.games.diplomacy.resolve.resolve_adjustments import account_of

RESULTS = {
    "bounced": "bounce",
    "convoy disrupted": "disrupted",
    "cut": "cut",
    "void": "void",
    "support failed": "void",
    "dislodged": "dislodged",
    "disbanded": "disband",
}
"""The tools' words for results; an order that succeeded has none."""
AFTER_THE_END = "COMPLETED"


def save_match(
    match: str, phases: Sequence[tuple[State, Sequence[Event]]], now: State
) -> dict[str, Any]:
    """Return a match as a saved game: each closed phase with its position, orders and results, then
    the present position.

    It never contains the players. It contains characteristics only after the end, those that
    counted in each phase (rsp R5, R9).
    """
    rules = [
        *(["BUILD_ANY"] if now.setup.build_anywhere else []),
        *(["DIFFERENT_ADJUDICATION"] if now.traits else []),
    ]
    written = [_phase(before, events, opened=now.end is not None) for before, events in phases]
    name = AFTER_THE_END if now.end else now.phase
    written.append(
        {
            "name": name,
            "state": _state(now, name, opened=now.end is not None),
            "orders": {},
            "results": {},
            "messages": [],
        }
    )
    for phase in written:
        phase["state"] |= {"game_id": match, "map": STANDARD.name, "rules": rules}
    about = {"game": KEYS[now.setup.rule_set], "edition": now.setup.edition}
    return {"id": match, "map": STANDARD.name, "rules": rules, **about, "phases": written}


def _phase(before: State, events: Sequence[Event], *, opened: bool) -> dict[str, Any]:
    own = list(_own(before.phase, events))
    done = [event for event in own if isinstance(event, Done)]
    changed = {event.unit: event.trait for event in own if isinstance(event, Changed)}
    return {
        "name": before.phase,
        "state": _state(
            replace(before, traits={**before.traits, **changed}), before.phase, opened=opened
        ),
        "orders": {
            power: [_text(each) for each in done if each.power == power and each.order]
            for power in STANDARD.powers
        },
        "results": {each.unit: _results(each.fate) for each in done if each.unit},
        "messages": [],
    }


def _own(phase: str, events: Sequence[Event]) -> Iterator[Event]:
    """Yield the events of one phase, up to the `Closed` of a phase that was adjudicated at once
    after it.
    """
    return takewhile(lambda event: not (isinstance(event, Closed) and event.phase != phase), events)


def _text(done: Done) -> str:
    return "WAIVE" if done.unit is None else done.order


def _results(fate: Fate) -> list[str]:
    word = "no convoy" if fate.why == "no convoy" else RESULTS.get(fate.result)
    return [word] if word else []


def _state(state: State, name: str, *, opened: bool) -> dict[str, Any]:
    lost = {
        power: [each for each in state.homeless if each.power == power] for power in STANDARD.powers
    }
    written: dict[str, Any] = {
        "name": name,
        "note": "",
        "units": {
            power: [*state.units.get(power, ()), *(LOST + each.unit for each in lost[power])]
            for power in STANDARD.powers
        },
        "retreats": {
            power: {each.unit: list(each.retreats) for each in lost[power]}
            for power in STANDARD.powers
        },
        "centers": {power: list(state.centres.get(power, ())) for power in STANDARD.powers},
        "homes": {power: list(STANDARD.homes[power]) for power in STANDARD.powers},
        "civil_disorder": dict.fromkeys(STANDARD.powers, 0),
        "builds": {power: _builds(state, power) for power in STANDARD.powers},
    }
    if opened and state.traits:
        away = {LOST + each.unit: each.trait for each in state.homeless}
        written["characteristics"] = dict(sorted(state.traits.items())) | away
    return written


def _builds(state: State, power: Power) -> Mapping[str, Any]:
    if state.stage != "A" or state.end:
        return {"count": 0, "homes": []}
    own = account_of(state, power)
    return {"count": own.due, "homes": list(own.sites) if own.due > 0 else []}

"""Converts games saved by the research tools to lines of the exchange and to a transcript (R8)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from adjudicator.core.chance import ScriptedChance
from adjudicator.core.game import Game
from adjudicator.core.options import complete_options
from adjudicator.games.diplomacy.exchange.exchange import play_phase
from adjudicator.games.diplomacy.exchange.lines import (
    PHASE,
    LineFault,
    read_position,
    write_position,
)
from adjudicator.games.diplomacy.map.geography import (
    STANDARD,
    Power,
    Province,
    Unit,
    province_at,
    province_of,
)
from adjudicator.games.diplomacy.model.editions import EDITIONS, Rules
from adjudicator.games.diplomacy.model.orders import Order
from adjudicator.games.diplomacy.model.state import Position, State, owners_of
from adjudicator.games.diplomacy.phases.view import BoardView
from adjudicator.games.diplomacy.resolve.resolve_retreats import homeless_on

Line = dict[str, Any]


def lines_of(saved: object, rules: Rules) -> Iterator[Line]:
    """Yield the phases of a saved game as lines of the exchange, `after` being the file's next
    position, None for the last.

    The file leaves out retreat phases in which no unit can retreat. They are inserted, so that each
    line continues the one before; `rules` adjudicate the movement to find them. Raises LineFault
    for anything but a saved game.
    """
    phases = [phase for phase in _phases(saved) if PHASE.fullmatch(phase["name"])]
    name = str(saved.get("id", "")) if isinstance(saved, Mapping) else ""
    states = [phase["state"] for phase in _phases(saved)]
    for number, phase in enumerate(phases):
        position, texts = _position(phase), _texts(phase)
        line = {
            "game": name,
            "phase": phase["name"],
            "before": write_position(position),
            "orders": texts,
        }
        following = states[number + 1] if number + 1 < len(states) else None
        if following is None or not _leaves_out(
            phase, following, settled := play_phase(rules, position, texts).after
        ):
            yield line | {"after": _outcome(following) if following else None}
            continue
        yield line | {"after": write_position(settled)}
        retreats = {
            "phase": f"{phase['name'][:5]}R",
            "before": write_position(settled),
            "orders": {},
        }
        yield {"game": name} | retreats | {"after": _outcome(following)}


def _leaves_out(phase: Mapping[str, Any], following: Mapping[str, Any], after: Position) -> bool:
    return (
        bool(after.homeless)
        and phase["name"][5] == "M"
        and not str(following.get("name", "")).endswith("R")
    )


def _phases(saved: object) -> list[Mapping[str, Any]]:
    phases = saved.get("phases") if isinstance(saved, Mapping) else None
    if not isinstance(phases, list) or not phases:
        raise LineFault("A saved game has to be an object with a list of “phases”.")
    for phase in phases:
        if (
            not isinstance(phase, Mapping)
            or not isinstance(phase.get("name"), str)
            or not isinstance(phase.get("state"), Mapping)
        ):
            raise LineFault(
                "Each phase of a saved game has to be an object with a “name” and a “state”."
            )
    if isinstance(saved, Mapping) and saved.get("map", "standard") != "standard":
        raise LineFault(
            f"This game is played on the map “{str(saved['map'])[:20]}”; only “standard” is known"
            " here."
        )
    return phases


def _outcome(state: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part of a position that the file contains: units, dislodged units, centres."""
    read = read_position("S1901R", {"units": state.get("units"), "centres": state.get("centers")})
    return {
        key: value
        for key, value in write_position(read).items()
        if key in ("units", "dislodged", "centres")
    }


def _position(phase: Mapping[str, Any]) -> Position:
    state = phase["state"]
    before = {
        "units": state.get("units"),
        "centres": state.get("centers") or {},
        "characteristics": state.get("characteristics"),
    }
    read = read_position(phase["name"], before)
    return _closed(read, _options(state)) if read.homeless else read


def _options(state: Mapping[str, Any]) -> dict[Unit, set[Province]]:
    """Return the provinces to which each dislodged unit may retreat."""
    retreats = state.get("retreats") or {}
    if not isinstance(retreats, Mapping) or not all(
        isinstance(own, Mapping) for own in retreats.values()
    ):
        raise LineFault(
            "“retreats” of a saved game has to be an object with an object for each power."
        )
    return {
        str(unit): {str(spot)[:3] for spot in spots or ()}
        for own in retreats.values()
        for unit, spots in own.items()
    }


def _closed(position: Position, options: Mapping[Unit, set[Province]]) -> Position:
    """Return the position with `contested` and `barred` derived from the retreats that the file
    lists.

    An empty neighbouring province that none of the dislodged units may enter is contested. One that
    only some may not enter is where the attacker of these came from.
    """
    taken = {province_of(unit) for unit in position.owner}
    near = {
        unit: {province_at(to) for to in STANDARD.reach[unit]} - taken
        for unit in position.homeless
        if unit in options
    }
    open_ = {code for unit in near for code in near[unit] & options[unit]}
    kept = {unit: sorted(near[unit] - options[unit]) for unit in sorted(near)}
    barred = {
        province_of(unit): code for unit, codes in kept.items() for code in codes if code in open_
    }
    contested = frozenset(code for codes in kept.values() for code in codes if code not in open_)
    lost = {unit: each.power for unit, each in position.homeless.items()}
    traits = {unit: each.trait for unit, each in position.homeless.items() if each.trait}
    homeless = homeless_on(position.owner, lost, contested=contested, barred=barred, traits=traits)
    return replace(position, homeless=homeless, contested=contested)


def _texts(phase: Mapping[str, Any]) -> dict[Power, Sequence[str]]:
    orders = phase.get("orders") or {}
    if not isinstance(orders, Mapping):
        raise LineFault("“orders” of a saved game has to be an object with a list for each power.")
    given: dict[Power, Sequence[str]] = {
        power: texts
        for power, texts in orders.items()
        if isinstance(texts, list) and texts and power in STANDARD.powers
    }
    if not all(isinstance(text, str) for texts in given.values() for text in texts):
        raise LineFault("The orders of a saved game have to be texts.")
    return given


# --- as a transcript


def transcript_of(saved: object, game: Game[State, Order, BoardView]) -> dict[str, Any]:
    """Return a saved game of `game`, the standard rules, as a transcript for `sealed replay`.

    Its edition is the one that the file names, else `via`, which the tools play. The transcript
    ends at the first phase for which the match waits and that the file does not have. Raises
    LineFault unless the game begins in Spring 1901 with every power.
    """
    rules: Mapping[str, Any] = saved if isinstance(saved, Mapping) else {}
    if rules.get("game", game.about.key) != game.about.key:
        raise LineFault(
            "A saved game does not tell how its characteristics were drawn, so it cannot be a"
            " transcript."
        )
    edition = rules["edition"] if rules.get("edition") in EDITIONS else "via"
    played = [phase for phase in _phases(saved) if PHASE.fullmatch(phase["name"])]
    options = complete_options(game.about, {"edition": edition}, players=len(STANDARD.powers))
    state = game.start(STANDARD.powers, options, ScriptedChance(()))
    if (
        not played
        or played[0]["name"] != state.phase
        or _position(played[0]).owner != owners_of(state)
    ):
        raise LineFault(
            "A transcript begins with the opening of Spring 1901; this saved game does not."
        )
    about = {
        "game": game.about.key,
        "rules_version": game.about.rules_version,
        "options": {"edition": edition},
    }
    return {
        **about,
        "seats": list(STANDARD.powers),
        "chance": {"seed": ""},
        "phases": _entries(state, played, game),
    }


def _entries(
    state: State, played: Sequence[Mapping[str, Any]], game: Game[State, Order, BoardView]
) -> list[Line]:
    """Return the phases of a transcript, as long as the file has the phase for which the match
    waits.
    """
    phases = {phase["name"]: _texts(phase) for phase in played}
    if not _texts(played[-1]):
        del phases[played[-1]["name"]]  # not adjudicated yet
    entries: list[Line] = []
    while game.phase(state).due and state.phase in phases:
        texts = {power: "\n".join(lines) for power, lines in sorted(phases[state.phase].items())}
        entries.append({"number": len(entries) + 1, "name": state.phase, "orders": texts})
        orders = {power: game.parse(state, power, text).orders for power, text in texts.items()}
        state = game.adjudicate(state, orders, ScriptedChance(())).state
    return entries

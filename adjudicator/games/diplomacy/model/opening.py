"""The opening position (R5)."""

from typing import Literal

from adjudicator.core.game import Seat
from adjudicator.core.options import Options
from adjudicator.games.diplomacy.map.geography import STANDARD
from adjudicator.games.diplomacy.model.calendar import OPENING
from adjudicator.games.diplomacy.model.options import AUTO, powers_by_seat
from adjudicator.games.diplomacy.model.state import Realm, RuleSet, Setup, State


def opening_state(rule_set: RuleSet, seats: tuple[Seat, ...], chosen: Options) -> State:
    """Return Spring 1901; unplayed powers are in civil disorder, or absent with neutral centres
    (R5).
    """
    setup = _setup(rule_set, chosen)
    sides = tuple(Realm(seat, powers) for seat, powers in powers_by_seat(seats, chosen).items())
    played = {power for realm in sides for power in realm.powers}
    there = [power for power in STANDARD.powers if power in played or setup.unplayed == "disorder"]
    return State(
        setup=setup,
        realms=sides,
        phase=OPENING,
        units={power: STANDARD.opening[power] for power in there},
        centres={power: STANDARD.homes[power] for power in there},
        taken=int(OPENING[1:5]) - 1,
    )


def _setup(rule_set: RuleSet, chosen: Options) -> Setup:
    unplayed: Literal["disorder", "absent"] = (
        "absent" if chosen["unplayed"] == "absent" else "disorder"
    )
    return Setup(
        rule_set=rule_set,
        edition=str(chosen["edition"]),
        victory_centres=int(chosen["victory_centres"]),
        year_limit=0 if chosen["year_limit"] == AUTO else int(chosen["year_limit"]),
        build_anywhere=bool(chosen["build_anywhere"]),
        unplayed=unplayed,
        draws="named" if chosen["draws"] == "named" else "all",
        votes="secret" if chosen.get("votes") == "secret" else "open",
    )

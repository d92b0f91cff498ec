"""When a match is stopped before its own rules end it (rulings G9 and diplomacy R11), and the sentence that says so; pure."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Literal

from adjudicator.core.game import AnyGame, Seat

MOST_PHASES = 2000  # of any match (ruling G9)

StopReason = Literal["nobody left", "phases", "master", "agreed"]
Stops = Callable[[int, object, object], StopReason | None]
"""(a closed phase's number, the state before it, the state after it) -> why the match stops there, or None."""


@dataclass(frozen=True)
class Stop:
    """Where and why a match was stopped."""

    after: int  # the number of its last phase
    why: StopReason


def stopping_rule(game: AnyGame, persons: Collection[Seat]) -> Stops:
    """Return the stopping rule of a match in which people play these seats; a seat that waits for a substitute is one of them."""

    def stops(number: int, before: object, after: object) -> StopReason | None:
        remaining = game.remaining(before, after) if number else None
        if persons and remaining is not None and set(persons).isdisjoint(remaining):
            return "nobody left"
        return stop_at_limit(number, before, after)

    return stops


def stop_at_limit(number: int, before: object, after: object) -> StopReason | None:
    """Stop after MOST_PHASES phases (ruling G9)."""
    return "phases" if number >= MOST_PHASES else None


_BECAUSE = {
    "nobody left": ", because no person was left in it, only house bots",
    "phases": f", because no match lasts longer than {MOST_PHASES:,} phases",
    "master": " by its master",
    "agreed": ", because its players agreed to stop",
}


def stop_sentence(why: str | None, phase: str) -> str:
    """Return the sentence that says after which phase a match was stopped, and why (a StopReason); "" for None."""
    return "" if why is None else f"The match was stopped after {phase}{_BECAUSE[why]}."

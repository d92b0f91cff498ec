"""The result of a match that was stopped, or in which seats conceded that the game's own rules do
not know of (rulings G9, G10).
"""

from collections.abc import Collection, Mapping
from dataclasses import replace

from adjudicator.core.game import AnyGame, Result, Seat, Standing
from adjudicator.play.loop import StopReason


def final_result(
    game: AnyGame, state: object, *, stopped: StopReason | None, conceded: Collection[Seat]
) -> Result | None:
    """Return places and scores of every seat, None while the match goes on.

    1. A stopped match has the game's standing; in an agreed draw all that are left share the first
       place.
    2. Seats that conceded come last, together; the best of the others wins, or several share.
    """
    result = game.standing(state) if stopped else game.result(state)
    if result is None:
        return None
    left = {seat: each for seat, each in result.items() if seat not in conceded}
    if stopped == "draw":
        left = {seat: replace(each, place=1, outcome="drew") for seat, each in left.items()}
    elif len(left) < len(result):
        left = _moved_up(left)
    return {
        seat: left.get(seat) or Standing(len(left) + 1, each.score, "lost")
        for seat, each in result.items()
    }


def _moved_up(left: Mapping[Seat, Standing]) -> dict[Seat, Standing]:
    """Return the standing of some seats among themselves."""
    places = {
        seat: 1 + sum(other.place < each.place for other in left.values())
        for seat, each in left.items()
    }
    first = {seat for seat, place in places.items() if place == 1}
    alone = len(first) == 1
    return {
        seat: replace(
            each,
            place=places[seat],
            outcome=("won" if alone else "shared") if seat in first else "lost",
        )
        for seat, each in left.items()
    }
